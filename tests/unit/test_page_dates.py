"""Dates of pages: which one is taken, what never is, and that the order of a page does not matter."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("selectolax", reason="reading pages needs seenbefore[pages]")

from seenbefore.pages.dates import PageDates, find_dates
from seenbefore.pages.document import parse_page

HEAD = [
    '<meta property="article:published_time" content="2024-05-01T08:00:00+02:00">',
    '<meta property="article:modified_time" content="2024-06-09T08:00:00Z">',
    '<meta name="date" content="2024-05-03">',
    '<meta property="og:updated_time" content="2024-07-01">',
    '<script type="application/ld+json">{"@type": "NewsArticle", "datePublished": "2024-05-01"}</script>',
    '<script type="application/ld+json">{"@type": "WebPage", "datePublished": "2024-04-28"}</script>',
    '<meta name="parsely-pub-date" content="2024-05-01T06:00:00Z">',
]


def read(html: str, *, url: str = "", fetched_at: datetime | None = None) -> PageDates:
    return find_dates(parse_page(html), url=url, fetched_at=fetched_at)


@given(st.permutations(HEAD))
def test_the_order_of_tags_never_matters(tags: list[str]) -> None:
    found, plain = read("<head>" + "".join(tags)), read("<head>" + "".join(HEAD))
    assert (found.published, found.modified) == (plain.published, plain.modified)


@given(st.binary(max_size=400))
def test_garbage_never_raises(body: bytes) -> None:
    find_dates(parse_page(b"<h1>x</h1><time>" + body))


@pytest.mark.parametrize(
    "html",
    [
        '<meta property="article:modified_time" content="2024-05-01">',
        '<meta property="og:updated_time" content="2024-05-01">',
        '<script type="application/ld+json">{"@type": "Article", "dateModified": "2024-05-01"}</script>',
        '<script type="application/ld+json">{"@type": "Article", "dateCreated": "2024-05-01"}</script>',
        '<script type="application/ld+json">{"@type": "VideoObject", "uploadDate": "2024-05-01"}</script>',
        '<time class="updated" datetime="2024-05-01">1 May</time>',
    ],
)
def test_what_is_no_publication_never_becomes_one(html: str) -> None:
    assert read(html).published is None


@pytest.mark.parametrize(
    "raw",
    [
        "Monday",
        "2 hours ago",
        "03/04/2023",
        "1970-01-01",
        "0001-01-01T00:00:00Z",
        "1399-05-01",
        "2024",
        "",
        "2566-05-01",
    ],
)
def test_values_that_name_no_day_stay_unknown(raw: str) -> None:
    assert read(f'<meta property="article:published_time" content="{raw}">').published is None


def test_days_after_the_page_was_read_are_refused() -> None:
    html = '<meta property="article:published_time" content="2024-05-09">'
    assert read(html, fetched_at=datetime(2024, 5, 1, tzinfo=UTC)).published is None
    assert read(html, fetched_at=datetime(2024, 5, 8, tzinfo=UTC)).published is not None


def test_agreement_and_conflict_are_kept() -> None:
    found = read("".join(HEAD)).published
    assert found is not None
    assert found.tier == "A"
    assert any("parsely" in shown for shown in found.agrees)
    assert any("2024-04-28" in shown for shown in found.conflicts)


def test_first_submission_and_revision_stay_apart() -> None:
    html = '<meta name="citation_date" content="2024/05/01"><meta name="citation_online_date" content="2024/06/02">'
    found = read(html)
    assert found.published is not None
    assert found.modified is not None
    assert (found.published.raw, found.modified.raw) == ("2024/05/01", "2024/06/02")


@pytest.mark.parametrize(
    ("language", "text", "day"),
    [
        ("de", "Veröffentlicht am 3.4.2023", "2023-04-03"),
        ("fr", "Publié le 03/04/2023", "2023-04-03"),
        ("ja", "公開日:令和5年4月3日", "2023-04-03"),
        ("ja", "公開日:2023年4月3日", "2023-04-03"),
        ("zh", "发布时间:2023年4月3日", "2023-04-03"),
        ("ko", "입력 2023년 4월 3일", "2023-04-03"),
        ("en", "Published 3 April 2023", "2023-04-03"),
    ],
)
def test_visible_dates_in_the_language_of_the_page(language: str, text: str, day: str) -> None:
    found = read(f"<html lang={language}><body><h1>x</h1><p>{text}</p>")
    assert found.published is not None
    assert found.published.at is not None
    assert (found.published.tier, found.published.at.date().isoformat()) == ("visible", day)
    assert found.snippet
    assert found.path
