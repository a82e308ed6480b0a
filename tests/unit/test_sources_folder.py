"""Files and folders: order, sources, times, kinds by content, errors in the stream."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest

from seenbefore.errors import InvalidInput
from seenbefore.model import Item
from seenbefore.sources import FetchInput, Input, InputError, ItemsInput, LineError, iter_inputs

NOW = datetime(2026, 1, 1, tzinfo=UTC)
RSS = b"<rss><channel><item><guid>1</guid></item></channel></rss>"
ATOM = (
    b'<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="https://example.com/f"/>'
    b"<entry><id>1</id></entry></feed>"
)
JSON_FEED = b'{"version": "https://jsonfeed.org/version/1.1",\n "items": [{"id": "1"}]}'
LINE = b'{"title": "one"}\n'


def fill(folder: Path, files: Mapping[str, bytes]) -> str:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return str(folder)


def read(path: str, source: str | None = None, observed_at: datetime | None = None, stdin: bytes = b"") -> list[Input]:
    found = iter_inputs(path, source=source, observed_at=observed_at, run_started_at=NOW, stdin=BytesIO(stdin))
    return list(found)


def items_of(found: Input) -> list[Item | LineError]:
    if isinstance(found, InputError):
        return []
    return list(found.items) if isinstance(found, FetchInput) else [read for _, read in found.lines]


def test_snapshots_come_in_time_order_and_sub_folders_are_sources(tmp_path: Path) -> None:
    path = fill(
        tmp_path,
        {
            "b/x_1764576000.xml": RSS,
            "a/x_1764604800.xml": RSS,
            "a/x_1764500000.xml": ATOM,
            "deep/er/x_1764600000.xml": RSS,
            "top_1764590000.xml": RSS,
            "own_1764591000.xml": ATOM,
            ".hidden/x.xml": RSS,
            ".DS_Store": b"",
        },
    )
    found = read(path)
    assert all(isinstance(each, FetchInput) for each in found)
    fetches = [each for each in found if isinstance(each, FetchInput)]
    assert [each.source for each in fetches] == ["a", "b", "top", "https://example.com/f", "deep/er", "a"]
    assert [each.observed_at.timestamp() for each in fetches][:2] == [1764500000, 1764576000]
    assert fetches[0].aliases == ("https://example.com/f",)
    assert all(item.observed_at == each.observed_at for each in fetches for item in each.items)
    assert {each.source for each in read(path, source="mine") if isinstance(each, FetchInput)} == {"mine"}


def test_a_given_time_wins_over_the_name_and_the_start_is_last(tmp_path: Path) -> None:
    path = fill(tmp_path, {"x_1764576000.xml": RSS, "y.xml": RSS, "_1764576000.xml": RSS, "v_2024.xml": RSS})
    given = datetime(2025, 5, 5, tzinfo=UTC)
    assert {each.observed_at for each in read(path, observed_at=given) if isinstance(each, FetchInput)} == {given}
    times = {each.source: each.observed_at for each in read(path) if isinstance(each, FetchInput)}
    assert times["y"] == times["v_2024"] == NOW
    assert times["x"] == times["_1764576000"] == datetime(2025, 12, 1, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "data", "kind", "count"),
    [
        ("a.json", JSON_FEED, FetchInput, 1),
        ("a.json", JSON_FEED.replace(b"\n", b""), FetchInput, 1),
        ("a.json", JSON_FEED[:-2], FetchInput, 1),
        ("a.json", b'[{"title": "a"}, {"title": "b"}]', ItemsInput, 2),
        ("a.json", b'{\n"title": "a"\n}', ItemsInput, 1),
        ("a.json", b'{"title":\n "a"\n}', ItemsInput, 1),
        ("a.json", LINE + LINE, ItemsInput, 2),
        ("a.txt", LINE + LINE, ItemsInput, 2),
        ("a.jsonl", b"\n" + LINE, ItemsInput, 1),
        ("a.jsonl", b"oops\n" + LINE, ItemsInput, 2),
        ("a.jsonl", b"", ItemsInput, 0),
        ("a", RSS, FetchInput, 1),
        ("a.json", b"\xef\xbb\xbf  " + RSS, FetchInput, 1),
        ("a.xml", RSS.decode().encode("utf-16"), FetchInput, 1),
    ],
)
def test_the_content_decides_the_kind(tmp_path: Path, name: str, data: bytes, kind: type[Input], count: int) -> None:
    [found] = read(fill(tmp_path, {name: data}) + "/" + name)
    assert isinstance(found, kind)
    assert len(items_of(found)) == count
    assert not isinstance(found, InputError)
    assert found.source == "a"


def test_items_get_the_time_of_their_input_unless_they_bring_one(tmp_path: Path) -> None:
    own = b'{"title": "two", "observed_at": "2024-05-01T10:00:00Z", "source": "own"}\n'
    [found] = read(fill(tmp_path, {"a_1764576000.jsonl": LINE + b"oops\n" + own}) + "/a_1764576000.jsonl")
    assert isinstance(found, ItemsInput)
    lines = list(found.lines)
    assert [number for number, _ in lines] == [1, 2, 3]
    items = [each for _, each in lines if isinstance(each, Item)]
    assert [item.source for item in items] == ["a", "own"]
    assert [item.observed_at for item in items] == [
        datetime(2025, 12, 1, 8, tzinfo=UTC),
        datetime(2024, 5, 1, 10, tzinfo=UTC),
    ]


def test_what_cannot_be_read_is_an_error_in_the_stream(tmp_path: Path) -> None:
    path = fill(tmp_path, {"a.xml": RSS, "b.html": b"<html/>", "c.xml": b"", "notes.md": b"# Notes"})
    (tmp_path / "d.xml").symlink_to(tmp_path / "nowhere")
    found = read(path)
    errors = {Path(each.path).name: each.code for each in found if isinstance(each, InputError)}
    assert errors == {
        "b.html": "invalid_feed",
        "c.xml": "invalid_feed",
        "notes.md": "invalid_feed",
        "d.xml": "unreadable",
    }
    assert sum(isinstance(each, FetchInput) for each in found) == 1


def test_a_folder_that_cannot_be_listed_is_an_error_in_the_stream(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = fill(tmp_path / "feeds", {"open/a.xml": RSS, "locked/b.xml": RSS})
    real = os.scandir

    def scandir(folder: str) -> object:
        if os.fspath(folder).endswith(locked):
            raise PermissionError(13, "Permission denied", os.fspath(folder))
        return real(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    locked = "locked"
    error, found = read(path)
    assert isinstance(error, InputError)
    assert (error.path, error.code) == (f"{path}/locked", "unreadable")
    assert "cannot be listed: Permission denied" in error.message
    assert isinstance(found, FetchInput)
    locked = "feeds"
    [error] = read(path)
    assert isinstance(error, InputError)
    assert (error.path, error.code) == (path, "unreadable")


def test_a_list_that_vanishes_is_told_when_its_lines_are_read(tmp_path: Path) -> None:
    path = fill(tmp_path, {"a.jsonl": LINE}) + "/a.jsonl"
    [found] = read(path)
    Path(path).unlink()
    assert isinstance(found, ItemsInput)
    [(number, error)] = list(found.lines)
    assert isinstance(error, LineError)
    assert (number, error.code) == (0, "unreadable")


@pytest.mark.parametrize(
    ("data", "kind", "count"),
    [
        (LINE + LINE, ItemsInput, 2),
        (b"\n" + LINE, ItemsInput, 1),
        (b"oops\n" + RSS, FetchInput, 1),
        (RSS, FetchInput, 1),
        (JSON_FEED, FetchInput, 1),
        (b"{oops\n" + LINE, ItemsInput, 2),
        (b"", InputError, 0),
    ],
)
def test_standard_input(data: bytes, kind: type[Input], count: int) -> None:
    [found] = read("-", source="pipe", stdin=data)
    assert isinstance(found, kind)
    assert len(items_of(found)) == count


def test_standard_input_needs_a_source() -> None:
    with pytest.raises(InvalidInput, match="--source"):
        read("-")


def test_the_sample_feeds_are_whole(sample_feeds: Path) -> None:
    found = read(str(sample_feeds))
    fetches = [each for each in found if isinstance(each, FetchInput)]
    assert len(fetches) == len(found) == 17
    assert sum(len(each.items) for each in fetches) == 58
    assert [each.warnings for each in fetches if each.warnings] == []
    assert [each.observed_at for each in fetches] == sorted(each.observed_at for each in fetches)
    [listed] = read(str(sample_feeds.parent / "items.jsonl"))
    assert [type(each).__name__ for each in items_of(listed)] == ["Item"] * 8
