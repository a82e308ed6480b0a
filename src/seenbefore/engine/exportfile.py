"""An export that can be read as bytes or put into files, which change all at once or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Final

from ..errors import InvalidInput, StoreError

Bytes = Generator[bytes, None, None]
"""Chunks of an export. Whoever stops early closes it, which ends the reading of the store."""

Progress = Callable[[int], None]
"""Is told how many records were read since it was called last."""

LEFT_OUT: Final = {
    "secret": "addresses or texts that look as if they carried a password or token (--with-secrets sends them)",
    "no_id": "records without an id of yours that an address can be made of",
    "live": "old addresses that a live record has, too",
    "several": "addresses that several merged records had; the newest of these records counts",
    "too_long": "addresses of more than 2,047 characters",
}
"""What an export may leave out, by the code in ``Export.left_out``."""


class Export:
    """The bytes of an export, read from the store while one iterates; do not write to the store meanwhile.

    ``left_out`` counts what is not in it by the codes of LEFT_OUT, complete when all was read.
    """

    def __init__(self, read: Callable[[Export], Bytes], progress: Progress | None = None) -> None:
        self._read = read
        self._progress = progress
        self.left_out: Counter[str] = Counter()

    def __iter__(self) -> Bytes:
        """Yield the bytes; each time from the beginning, as the store is then."""
        self.left_out.clear()
        return self._read(self)

    def save(self, path: str | Path) -> list[Path]:
        """Write a file, or replace it in one step; return what was written.

        Raises:
            InvalidInput: the file cannot be made there.
            StoreError: writing failed; a file that was there is as it was.
        """
        with Replacement() as files, contextlib.closing(iter(self)) as chunks:
            file = files.open(path)
            for chunk in chunks:
                file.write(chunk)
        return files.written

    def leave_out(self, code: str, count: int = 1) -> None:
        """Count something that is not in the export."""
        if count:
            self.left_out[code] += count

    def advance(self, records: int) -> None:
        """Tell who waits that so many records were read."""
        if self._progress is not None:
            self._progress(records)


class Replacement:
    """New contents of files, put in place one after the other at the end; after a failure none is.

    A reader of such a file sees the old or the new one, never a part.
    """

    def __init__(self) -> None:
        self._pending: list[tuple[str, str, BinaryIO]] = []
        self.written: list[Path] = []

    def __enter__(self) -> Replacement:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        try:
            if error is None:
                self._put_in_place()
            elif isinstance(error, OSError):
                raise StoreError(f"cannot be written: {error.strerror}", self._last_name()) from error
        finally:
            for temporary, _, file in self._pending:
                with contextlib.suppress(OSError):
                    file.close()
                with contextlib.suppress(OSError):
                    os.unlink(temporary)

    def open(self, path: str | Path) -> BinaryIO:
        """Return a file to write to, which becomes ``path`` at the end. Raises InvalidInput."""
        target = os.path.realpath(path)
        temporary = os.path.join(os.path.dirname(target), f".{os.path.basename(target)}.{secrets.token_hex(4)}.tmp")
        try:
            mode = _check_target(target, str(path))
            number = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        except OSError as error:
            raise InvalidInput(f"cannot be written: {error.strerror}", str(path)) from error
        file = os.fdopen(number, "wb")
        self._pending.append((temporary, target, file))
        self.written.append(Path(path))
        if mode is not None:
            os.chmod(temporary, mode)
        return file

    def _put_in_place(self) -> None:
        try:
            for _, _, file in self._pending:
                file.flush()
                os.fsync(file.fileno())
                file.close()
            while self._pending:
                temporary, target, _ = self._pending[0]
                os.replace(temporary, target)
                del self._pending[0]
        except OSError as error:
            raise StoreError(f"cannot be written: {error.strerror}", self._pending[0][1]) from error

    def _last_name(self) -> str:
        return self._pending[-1][1] if self._pending else ""


def _check_target(target: str, shown: str) -> int | None:
    """The mode of a file that is there; it must be one that may be replaced."""
    _check_neighbor(target, shown)
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(mode):
        raise InvalidInput("is no ordinary file; name one, or leave --out away for standard output", shown)
    if _is_database(target):
        raise InvalidInput("is a database; name another file", shown)
    return stat.S_IMODE(mode)


def _is_database(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(16) == b"SQLite format 3\0"


def _check_neighbor(target: str, shown: str) -> None:
    """What stands beside a database under its name with one of these endings is a part of it, there or not yet."""
    for ending in ("-wal", "-shm", "-journal"):
        database = target.removesuffix(ending)
        if database != target and os.path.isfile(database) and _is_database(database):
            raise InvalidInput(f"is a part of the database {os.path.basename(database)}; name another file", shown)
