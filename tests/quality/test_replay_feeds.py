"""Real feed histories: every snapshot is read, with as many entries as feedparser finds."""

from __future__ import annotations

import json
import tarfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from seenbefore.sources.feed import read_feed

feedparser = pytest.importorskip("feedparser", reason="the oracle feedparser is not installed")
zstandard = pytest.importorskip("zstandard", reason="zstandard is needed to unpack the feed histories")

ARCHIVE = "shared/data/replay/replay-shared.tar.zst"
ONE_IN = 6


@pytest.fixture(scope="module")
def snapshots(repository: Path) -> list[tuple[str, bytes]]:
    """One in six snapshots, by name and content."""
    archive = repository.parent / ARCHIVE
    if not archive.is_file():
        pytest.skip(f"../{ARCHIVE} is not there; it holds the real feed histories")
    found: list[tuple[str, bytes]] = []
    unpacker = zstandard.ZstdDecompressor(max_window_size=1 << 31)
    with (
        archive.open("rb") as packed,
        unpacker.stream_reader(packed) as plain,
        tarfile.open(fileobj=plain, mode="r|") as tar,
    ):
        feeds = (member for member in tar if member.isfile() and member.name.count("/") == 2)
        for number, member in enumerate(feeds):
            file = tar.extractfile(member)
            if number % ONE_IN == 0 and file is not None:
                found.append((member.name, file.read()))
    return found


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
