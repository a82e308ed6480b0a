"""What pages say about themselves: ids that are theirs, addresses that are claims."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("selectolax", reason="reading pages needs seenbefore[pages]")

from seenbefore.pages.document import parse_page
from seenbefore.pages.metadata import ELSEWHERE, IGNORED, SAME, read_metadata

URL = "https://news.example/2026/bridge"


def said(head: str = "", body: str = "", url: str = URL) -> Any:
    return read_metadata(parse_page(f"<html><head>{head}</head><body>{body}</body></html>"), url)


def meta(name: str, content: str) -> str:
    return f'<meta name="{name}" content="{content}">'


@pytest.mark.parametrize("value", ["10.1234/AbC", "doi:10.1234/abc", "https://doi.org/10.1234/abc", " 10.1234/ABC "])
def test_a_doi_has_one_form(value: str) -> None:
    assert dict(said(meta("citation_doi", value)).ids) == {"doi": "10.1234/abc"}


@pytest.mark.parametrize(
    "head",
    [
        meta("citation_doi", "10.1234/a") + meta("citation_doi", "10.1234/b"),
        meta("citation_title", "T") + meta("citation_doi", "10.1234/a") + meta("dc.identifier", "10.1234/b"),
        meta("citation_reference", "citation_doi=10.1234/a"),
        meta("dc.identifier", "ISSN 1234-5678"),
        meta("citation_doi", "see 10.1234/a and 10.1234/b"),
        '<script type="application/ld+json">[{"@type":"Article","identifier":"10.1234/a"},'
        '{"@type":"Article","identifier":"10.1234/b"}]</script>',
        '<script type="application/ld+json">{"@type":"Article","citation":{"identifier":"10.1234/a"}}</script>',
    ],
)
def test_an_id_that_may_be_another_works_is_none(head: str) -> None:
    """A wrong strong id is a wrong merge."""
    assert dict(said(head).ids) == {}


def test_ids_of_a_publisher_and_other_languages_are_kept_and_are_no_keys() -> None:
    head = meta("article:id", "123") + meta("cXenseParse:recs:articleid", "4") + meta("fb:app_id", "5")
    head += '<link rel="alternate" hreflang="fr" href="/fr/pont"><link rel="alternate" href="/feed">'
    found = said(head)
    assert dict(found.content_ids) == {"article:id": "123", "cxenseparse:recs:articleid": "4"}
    assert dict(found.translations) == {"fr": "https://news.example/fr/pont"}
    assert dict(found.ids) == {}


def test_one_article_of_several_is_the_pages_only_by_its_address() -> None:
    block = (
        '[{"@type":"NewsArticle","url":"https://news.example/2026/other","headline":"Other","identifier":"10.1234/b"},'
        '{"@type":"ScholarlyArticle","mainEntityOfPage":"https://www.news.example/2026/bridge/","headline":"Bridge",'
        '"author":[{"name":"A. Writer"}],"identifier":"10.1234/a"}]'
    )
    found = said(f'<script type="application/ld+json">{block}</script>')
    assert (found.title, found.authors, dict(found.ids)) == ("Bridge", ("A. Writer",), {"doi": "10.1234/a"})
    assert said(f'<script type="application/ld+json">{block}</script>', url="https://news.example/list").title == ""


@pytest.mark.parametrize(
    ("href", "strength", "note"),
    [
        ("/2026/bridge?x=1", SAME, ""),
        ("https://agency.example/bridge", ELSEWHERE, ""),
        ("https://news.example/", IGNORED, "canonical_home"),
        ("https://.example", IGNORED, "canonical_broken"),
        ("javascript:void(0)", IGNORED, "canonical_broken"),
        ("undefined", IGNORED, "canonical_broken"),
        ("https://news.example/[object Object]", IGNORED, "canonical_broken"),
        ("/{{page.url}}", IGNORED, "canonical_broken"),
        ("/2026/undefined-behaviour", SAME, ""),
    ],
)
def test_canonical_links(href: str, strength: str, note: str) -> None:
    found = said(f'<link rel="canonical" href="{href}">')
    assert found.claims[0].strength == strength
    assert found.notes == ((note,) if note else ())
    assert bool(found.canonical) == (strength != IGNORED)


def test_several_canonical_links_and_those_in_the_body_count_for_nothing() -> None:
    two = '<link rel="canonical" href="/a"><link rel="canonical" href="/b">'
    assert (said(two).canonical, said(two).notes) == ("", ("canonical_several",))
    twice = '<link rel="canonical" href="/a"><link rel="canonical" href="https://www.news.example/a/">'
    assert said(twice).canonical == "https://news.example/a"
    assert said("", '<p><link rel="canonical" href="/a"></p>').canonical == ""


@pytest.mark.parametrize(
    ("title", "h1", "shown"),
    [
        ("Bridge closed | News Example", "Bridge closed", "Bridge closed"),
        ("Bridge closed - for the whole winter", "", "Bridge closed - for the whole winter"),
        ("C++ | C", "Other", "C++ | C"),
        ("港大橋を架け替え｜例新聞", "港大橋を架け替え", "港大橋を架け替え"),
    ],
)
def test_titles(title: str, h1: str, shown: str) -> None:
    assert said(f"<title>{title}</title>", f"<h1>{h1}</h1>" if h1 else "").title == shown


def test_who_may_read_it() -> None:
    block = '<script type="application/ld+json">{{"@type":"NewsArticle","isAccessibleForFree":{}}}</script>'
    words = ("false", '"False"', "true", '"http://schema.org/True"', '"perhaps"')
    assert [said(block.format(word)).is_free for word in words] == [False, False, True, True, None]
