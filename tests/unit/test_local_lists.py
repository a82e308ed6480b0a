"""Files that list pages: sitemaps and saved pages, read like any other file of a run."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest

from seenbefore.errors import InvalidInput
from seenbefore.sources.folder import FetchInput, Input, InputError, iter_inputs
from seenbefore.sources.localfile import AUTO, ReadAs

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SITEMAP = b"<urlset><url><loc>https://news.example/a</loc><lastmod>2025-01-02</lastmod></url></urlset>"
INDEX = b"<sitemapindex><sitemap><loc>https://news.example/1.xml</loc></sitemap></sitemapindex>"
PAGE = "<article><a href='/kiji/1'>記事その一</a></article><article><a href='https://b.example/2'>二</a></article>"


def read(path: Path, read_as: ReadAs = AUTO, source: str | None = None) -> Input:
    [found] = iter_inputs(str(path), source=source, observed_at=None, run_started_at=NOW, read_as=read_as)
    return found


def urls(found: Input) -> list[str]:
    assert isinstance(found, FetchInput), found
    return [item.original_url for item in found.items]


@pytest.mark.parametrize("data", [SITEMAP, gzip.compress(SITEMAP)], ids=["plain", "packed"])
def test_a_sitemap_is_told_by_its_content(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "pages_1700000000.xml"
    path.write_bytes(data)
    found = read(path)
    assert urls(found) == ["https://news.example/a"]
    assert isinstance(found, FetchInput)
    assert (found.source, found.observed_at, found.path) == ("pages", datetime.fromtimestamp(1700000000, UTC), "")


def test_sitemaps_and_feeds_in_one_folder(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_bytes(SITEMAP)
    (tmp_path / "b.xml").write_bytes(b"<rss><channel><item><guid>1</guid><title>One</title></item></channel></rss>")
    found = list(iter_inputs(str(tmp_path), source=None, observed_at=None, run_started_at=NOW))
    assert [len(each.items) for each in found if isinstance(each, FetchInput)] == [1, 1]


def test_addresses_line_by_line_only_where_it_is_said(tmp_path: Path) -> None:
    path = tmp_path / "pages.txt"
    path.write_text("https://news.example/1\nhttps://news.example/2\n")
    assert isinstance(read(path), InputError)
    assert urls(read(path, ReadAs("sitemap"))) == ["https://news.example/1", "https://news.example/2"]


def test_an_index_and_a_sitemap_that_was_to_be_a_feed_are_complained_about(tmp_path: Path) -> None:
    path = tmp_path / "index.xml"
    path.write_bytes(INDEX)
    found = read(path)
    assert isinstance(found, InputError)
    assert found.code == "invalid_feed"
    assert "give its address" in found.message
    path.write_bytes(SITEMAP)
    assert isinstance(read(path, ReadAs("feed")), InputError)


def test_links_of_a_saved_page(tmp_path: Path) -> None:
    path = tmp_path / "all.html"
    path.write_text(PAGE, encoding="utf-8")
    links = ReadAs("links", "article a")
    found = read(path, links, "https://news.example/all")
    assert urls(found) == ["https://news.example/kiji/1", "https://b.example/2"]
    assert isinstance(found, FetchInput)
    assert [item.title for item in found.items] == ["記事その一", "二"]
    assert urls(read(path, links)) == ["https://b.example/2"], "nothing says what the other one is relative to"
    nothing = read(path, ReadAs("links", "article:first-child a"))
    assert isinstance(nothing, InputError)
    assert "--source" in nothing.message
    with pytest.raises(InvalidInput):
        read(path, ReadAs("links", "a[["))


def test_links_from_standard_input() -> None:
    stdin = BytesIO(PAGE.encode())
    given = {"source": "https://news.example/", "observed_at": None, "run_started_at": NOW}
    [found] = iter_inputs("-", stdin=stdin, read_as=ReadAs("links", "a"), **given)  # type: ignore[arg-type]
    assert urls(found) == ["https://news.example/kiji/1", "https://b.example/2"]
