"""Sitemaps: elements, and where one file ends."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from lxml import etree

from seenbefore.exports.sitemap import HEAD, TAIL, Cutter, index_chunks, part_names, url_element

NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


def test_an_element_is_escaped_and_dated_in_utc() -> None:
    at = datetime(2026, 3, 1, 9, 0, 0, 999, tzinfo=timezone(timedelta(hours=9)))
    root = etree.fromstring(HEAD + url_element("https://me.example/?a=1&b=2", at) + TAIL)
    assert root.findtext(f"{NAMESPACE}url/{NAMESPACE}loc") == "https://me.example/?a=1&b=2"
    assert root.findtext(f"{NAMESPACE}url/{NAMESPACE}lastmod") == "2026-03-01T00:00:00Z"


def test_a_file_ends_before_it_has_too_many_bytes() -> None:
    element = b"x" * 100
    room = len(HEAD) + len(TAIL) + 250
    cutter = Cutter(most_bytes=room)
    assert [cutter.place(element) for _ in range(5)] == [1, 1, 2, 2, 3]
    assert cutter.files == 3


def test_fifty_thousand_addresses_fit_into_one_file() -> None:
    cutter = Cutter()
    places = [cutter.place(b"<url/>") for _ in range(50_001)]
    assert (places[-2], places[-1]) == (1, 2)


def test_the_index_names_the_files() -> None:
    root = etree.fromstring(b"".join(index_chunks(["https://me.example/a-1.xml", "https://me.example/a-2.xml?x&y"])))
    assert root.tag == f"{NAMESPACE}sitemapindex"
    assert [loc.text for loc in root.iter(f"{NAMESPACE}loc")] == [
        "https://me.example/a-1.xml",
        "https://me.example/a-2.xml?x&y",
    ]


@pytest.mark.parametrize(
    ("name", "first"), [("a.xml", "a-1.xml"), ("a", "a-1"), (".a", ".a-1"), ("a.b.xml", "a.b-1.xml")]
)
def test_names_of_the_files(name: str, first: str) -> None:
    assert part_names(name, 1) == [first]
