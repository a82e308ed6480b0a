"""Entries of a JSON Feed: what is part of their digests. The rest is in test_sources_entries."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from seenbefore.sources.entries import DIGEST_BYTES
from seenbefore.sources.feed import FeedFetch, read_feed

AT, LATER = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC)


def read(feed: str, source: str | None = "feed", at: datetime = AT) -> FeedFetch:
    return read_feed(feed.encode(), source=source, observed_at=at, default_name="news")


FIRST = {"id": "1", "url": "a/1", "title": "One", "content_text": "本文"}
SECOND = {"id": "2", "url": "https://n.example/2", "title": "二つ目", "_x": {"deep": [1, None, True]}}


def json_feed(*items: object, **head: str) -> str:
    return json.dumps({"version": "https://jsonfeed.org/version/1.1", "title": "News", **head, "items": list(items)})


def test_json_feed_entries_have_digests() -> None:
    fetch = read(json_feed(FIRST, SECOND))
    again = read(json_feed(SECOND, {"id": "3"}, FIRST, description="new"), at=LATER)
    assert len(set(fetch.items.digests) - {b""}) == 2
    assert (again.items.digests[2], again.items.digests[0]) == fetch.items.digests
    assert [item.title for item in fetch.items] == ["One", "二つ目"]


@pytest.mark.parametrize(
    "changed",
    [
        {**FIRST, "title": "Another"},
        {**FIRST, "_comments": 3},
        {**FIRST, "tags": []},
        {key: value for key, value in FIRST.items() if key != "content_text"},
    ],
)
def test_whatever_a_json_entry_says_is_part_of_its_digest(changed: dict[str, object]) -> None:
    assert read(json_feed(changed)).items.digests != read(json_feed(FIRST)).items.digests


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"language": "en"}, {"language": "ja"}),
        ({"home_page_url": "https://a.example/"}, {"home_page_url": "https://b.example/"}),
        ({"feed_url": "https://a.example/f"}, {"feed_url": "https://b.example/f"}),
        ({"feed_url": "https://a.example/f"}, {"home_page_url": "https://a.example/f"}),
    ],
)
def test_what_a_json_feed_says_for_its_entries(first: dict[str, str], second: dict[str, str]) -> None:
    digests = [read(json_feed(FIRST, **head)).items.digests for head in (first, second)]
    assert digests[0] != digests[1]
    sources = [read(json_feed(FIRST), f"https://{host}.example/feed").items.digests for host in "ab"]
    assert sources[0] != sources[1]


def test_white_space_and_escapes_of_json_do_not_matter() -> None:
    feed = json_feed(FIRST, SECOND)
    pretty = json.dumps(json.loads(feed), indent=2, ensure_ascii=False)
    assert read(pretty).items.digests == read(feed).items.digests


def test_empty_json_entries_are_told() -> None:
    fetch = read(json_feed(FIRST, {}, "text", None, {"tags": ["x"]}, SECOND))
    assert [warning.code for warning in fetch.warnings] == ["empty_entries"]
    assert (len(fetch.items), len(fetch.items.digests)) == (2, 2)


def test_a_cut_json_feed_keeps_the_digests_of_whole_entries() -> None:
    """Whole entries of it are what they would be in the whole feed."""
    feed = json_feed(FIRST, SECOND)
    cut = read(feed[: feed.index('"_x"')])
    assert [warning.code for warning in cut.warnings] == ["truncated"]
    assert cut.items.digests == read(feed).items.digests[:1]


def test_half_a_surrogate_in_a_json_entry() -> None:
    fetch = read('{"items": [{"id": "1", "title": "One \\ud83d"}]}')
    assert len(fetch.items.digests[0]) == DIGEST_BYTES
    assert fetch.items[0].title.startswith("One")
