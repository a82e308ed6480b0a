"""Real feed histories: every snapshot is read, with as many entries as feedparser finds."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from seenbefore.evaluate.snapshots import find_histories
from seenbefore.sources.feed import read_feed

feedparser = pytest.importorskip("feedparser", reason="the oracle feedparser is not installed")

ONE_IN = 6


@pytest.fixture(scope="module")
def snapshots(histories: Path) -> list[tuple[str, bytes]]:
    """One in six snapshots of all feeds, by name and content."""
    found = sorted(find_histories(histories).snapshots, key=lambda snapshot: (snapshot.feed, snapshot.file))
    return [(f"{s.feed}/{s.file}", s.path.read_bytes()) for s in found[::ONE_IN]]


def expected_entries(name: str, data: bytes) -> int:
    if name.endswith(".json"):
        return len(json.loads(data)["items"])
    return len(feedparser.parse(data, sanitize_html=False, resolve_relative_uris=False).entries)


@pytest.mark.timeout(180)
def test_no_entry_is_lost(snapshots: list[tuple[str, bytes]]) -> None:
    assert len(snapshots) > 300
    wrong: dict[str, tuple[int, int]] = {}
    for name, data in snapshots:
        fetch = read_feed(data, source=name, observed_at=datetime(2026, 1, 1, tzinfo=UTC), default_name=name)
        expected = expected_entries(name, data)
        if len(fetch.items) != expected:
            wrong[name] = (len(fetch.items), expected)
        assert all(item.title or item.guid for item in fetch.items), name
    assert wrong == {}
