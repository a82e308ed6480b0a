"""Files of an export change in one step, or stay as they are."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from seenbefore.engine.exportfile import Bytes, Export, Replacement
from seenbefore.errors import InvalidInput, StoreError


def an_export(*chunks: bytes, error: BaseException | None = None) -> Export:
    def read(_: Export) -> Bytes:
        yield from chunks
        if error is not None:
            raise error

    return Export(read)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A file of an earlier run."""
    path = tmp_path / "feed.xml"
    path.write_bytes(b"old")
    return path


def only(path: Path) -> bool:
    """Whether nothing else lies beside the file."""
    return os.listdir(path.parent) == [path.name]


def test_a_file_is_made_with_the_usual_permissions(tmp_path: Path) -> None:
    path = tmp_path / "feed.xml"
    before = os.umask(0o022)
    try:
        assert an_export(b"a", b"b").save(path) == [path]
    finally:
        os.umask(before)
    assert path.read_bytes() == b"ab"
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert only(path)


def test_a_file_that_is_there_keeps_its_permissions(old: Path) -> None:
    old.chmod(0o640)
    an_export(b"new").save(old)
    assert old.read_bytes() == b"new"
    assert stat.S_IMODE(old.stat().st_mode) == 0o640


def test_a_reader_sees_the_old_file_until_the_end(old: Path) -> None:
    seen: list[bytes] = []

    def read(_: Export) -> Bytes:
        yield b"n" * 1_000_000
        seen.append(old.read_bytes())
        yield b"ew"

    Export(read).save(old)
    assert seen == [b"old"]
    assert old.stat().st_size == 1_000_002


@pytest.mark.parametrize("error", [StoreError("gone"), KeyboardInterrupt(), InvalidInput("bad")])
def test_after_a_failure_the_old_file_is_there(old: Path, error: BaseException) -> None:
    with pytest.raises(type(error)):
        an_export(b"half", error=error).save(old)
    assert old.read_bytes() == b"old"
    assert only(old)


def test_a_full_disk_leaves_the_old_file(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StoreError, match="No space left"):
        an_export(b"new").save(old)
    assert old.read_bytes() == b"old"
    assert only(old)


def write(error: BaseException, *paths: Path) -> None:
    """Write to files, one after the other, until an error comes up."""
    with Replacement() as files:
        for path in paths:
            files.open(path).write(b"new")
        raise error


def test_a_write_that_fails_leaves_the_old_file(old: Path) -> None:
    with pytest.raises(StoreError, match="No space left"):
        write(OSError(errno.ENOSPC, "No space left on device"), old)
    assert old.read_bytes() == b"old"
    assert only(old)


def test_several_files_change_only_when_all_are_written(old: Path) -> None:
    other = old.with_name("other.xml")
    with pytest.raises(ZeroDivisionError):
        write(ZeroDivisionError(), other, old)
    assert old.read_bytes() == b"old"
    assert only(old)
    with Replacement() as files:
        files.open(other).write(b"1")
        files.open(old).write(b"2")
    assert (other.read_bytes(), old.read_bytes()) == (b"1", b"2")
    assert files.written == [other, old]


def test_a_link_stays_a_link(old: Path) -> None:
    link = old.with_name("link.xml")
    link.symlink_to(old)
    an_export(b"new").save(link)
    assert link.is_symlink()
    assert old.read_bytes() == b"new"


@pytest.mark.parametrize("name", ["missing/feed.xml", ".", "pipe"])
def test_some_places_take_no_file(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InvalidInput):
        an_export(b"a").save(tmp_path / name)
    assert os.listdir(tmp_path) == ["pipe"]


def test_a_database_is_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "news.db"
    path.write_bytes(b"SQLite format 3\0 and more")
    with pytest.raises(InvalidInput, match="is a database"):
        an_export(b"a").save(path)
    assert path.read_bytes().startswith(b"SQLite")


def test_whoever_stops_early_ends_the_reading() -> None:
    ended: list[str] = []

    def read(_: Export) -> Bytes:
        try:
            yield b"a"
            yield b"b"
        finally:
            ended.append("yes")

    chunks = iter(Export(read))
    assert next(chunks) == b"a"
    chunks.close()
    assert ended == ["yes"]


def test_counts_begin_anew_each_time() -> None:
    def read(export: Export) -> Bytes:
        export.leave_out("secret", 2)
        export.leave_out("live", 0)
        export.advance(3)
        yield b"a"

    told: list[int] = []
    export = Export(read, told.append)
    assert (list(export), list(export)) == ([b"a"], [b"a"])
    assert export.left_out == {"secret": 2}
    assert told == [3, 3]
