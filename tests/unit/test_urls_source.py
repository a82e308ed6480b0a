"""Names of sources: what is one source, and what is taken as it stands."""

from __future__ import annotations

import pytest

from seenbefore.urls.source import source_identity


@pytest.mark.parametrize(
    "other",
    [
        "http://news.example/feed",
        "https://www.news.example/feed/",
        "HTTPS://NEWS.example:443/feed",
        "feed://news.example/feed",
    ],
)
def test_spellings_of_one_address(other: str) -> None:
    assert source_identity(other) == source_identity("https://news.example/feed") == "news.example/feed"


@pytest.mark.parametrize(
    "other",
    [
        "https://news.example:8080/feed",
        "https://news.example/feed?cat=2",
        "https://news.example/Feed",
        "https://m.news.example/feed",
    ],
)
def test_other_addresses_are_other_sources(other: str) -> None:
    assert source_identity(other) != source_identity("https://news.example/feed")


@pytest.mark.parametrize(
    "name", ["朝刊", "my list", "ftp://news.example/feed", "https://", "https://news.example:port/", "https://[::1"]
)
def test_what_is_no_address_is_taken_as_it_stands(name: str) -> None:
    assert source_identity(f" {name} ") == name
