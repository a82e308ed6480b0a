"""A packed tar of feed snapshots → plain files in a folder, and nothing outside of it."""

from __future__ import annotations

import bz2
import gzip
import lzma
import shutil
import sys
import tarfile
import zlib
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import IO, Final, Protocol, cast

from ..errors import InvalidInput

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MAX_BYTES: Final = 16 << 30
"""Unpacked bytes at which unpacking stops: an archive of a few kilobytes can hold any number of zeros."""

_WINDOW_LOG: Final = 27
"""Zstandard may look back 2**27 bytes, as with ``zstd --long=27``; more would be memory that the archive chooses."""

_CHUNK: Final = 1 << 20
_END: Final = bytes(1024)  # two empty blocks end every tar
_BROKEN: Final = (tarfile.TarError, zstd.ZstdError, lzma.LZMAError, zlib.error, gzip.BadGzipFile, EOFError)


class _Readable(Protocol):
    def read(self, size: int = ..., /) -> bytes: ...


def unpack_archive(archive: Path, target: Path, *, max_bytes: int = MAX_BYTES) -> int:
    """Return how many files of a tar (plain, or packed with zstd, gzip, xz or bzip2) were written below ``target``.

    The content of the archive says how it is packed, not its name. Only regular files are written; a link,
    a device, or a name that leads out of the folder stops everything, since no history of feeds needs one.

    >>> import io, tempfile
    >>> with tempfile.TemporaryDirectory() as scratch:
    ...     packed = Path(scratch, "feeds.tar.gz")
    ...     with tarfile.open(packed, "w:gz") as tar:
    ...         tar.addfile(tarfile.TarInfo("news/0000_1700000000.xml"), io.BytesIO())
    ...     unpack_archive(packed, Path(scratch, "out")), Path(scratch, "out/news/0000_1700000000.xml").exists()
    (1, True)

    A text file is no archive:

    >>> with tempfile.TemporaryDirectory() as scratch:
    ...     note = Path(scratch, "note.txt")
    ...     _ = note.write_text("feeds")
    ...     unpack_archive(note, Path(scratch, "out"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    seenbefore.errors.InvalidInput: ...note.txt: no tar archive, or a broken one (truncated header); pack it ...

    Raises:
        InvalidInput: the archive cannot be read, is cut off or broken, holds what is not written, or more
            than ``max_bytes``.
    """
    where = str(archive)
    try:
        with archive.open("rb") as packed:
            plain = _Bounded(_unpacked(packed), max_bytes, where)
            count = _write_members(plain, target, where)
            _check_end(plain)
    except _BROKEN as error:
        raise InvalidInput(
            f"no tar archive, or a broken one ({error}); pack it again, or give a folder", where
        ) from error
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise InvalidInput(f"cannot be unpacked: {getattr(error, 'strerror', None) or error}", where) from error
    return count


def _unpacked(packed: IO[bytes]) -> _Readable:
    """The plain bytes of a file that is packed as its first bytes say."""
    head = packed.read(6)
    packed.seek(0)
    if head.startswith(b"\x28\xb5\x2f\xfd") or (head[1:4] == b"\x2a\x4d\x18" and head[0] & 0xF0 == 0x50):
        options: dict[int, int] = {zstd.DecompressionParameter.window_log_max: _WINDOW_LOG}
        return zstd.open(packed, "rb", options=options)
    if head.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=packed)
    if head.startswith(b"\xfd7zXZ\x00"):
        return lzma.LZMAFile(packed)
    if head.startswith(b"BZh"):
        return bz2.BZ2File(packed)
    return packed


class _Bounded:
    """A stream that counts what is read from it, stops at the limit, and remembers its end."""

    def __init__(self, stream: _Readable, limit: int, where: str) -> None:
        self._stream = stream
        self._limit = limit
        self._where = where
        self._count = 0
        self.tail = b""

    def read(self, size: int = _CHUNK) -> bytes:
        """Return the next bytes; raises InvalidInput where they are more than the limit."""
        data = self._stream.read(size)
        self._count += len(data)
        if self._count > self._limit:
            raise InvalidInput(
                f"holds more than {self._limit:,} bytes; unpack it yourself and give the folder", self._where
            )
        self.tail = (self.tail + data)[-len(_END) :] if len(data) < len(_END) else data[-len(_END) :]
        return data


def _write_members(plain: _Bounded, target: Path, where: str) -> int:
    count = 0
    with tarfile.open(fileobj=cast("IO[bytes]", plain), mode="r|") as tar:
        for member in tar:
            if member.isdir():
                continue
            path = target / _safe_path(member, where)
            content = tar.extractfile(member)
            assert content is not None  # what _safe_path lets pass is a regular file
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as file:
                shutil.copyfileobj(content, file, _CHUNK)
            count += 1
    return count


def _safe_path(member: tarfile.TarInfo, where: str) -> PurePosixPath:
    """The place of a member below the folder, whatever system this runs on."""
    name = member.name
    if member.type not in (tarfile.REGTYPE, tarfile.AREGTYPE):
        raise InvalidInput(f"holds {name!r}, which is no regular file; pack files and folders only", where)
    path = PureWindowsPath(name)  # knows both separators and drives
    if path.anchor or ".." in path.parts or not path.parts:
        raise InvalidInput(f"holds {name!r}, which leads out of the folder; pack it with relative names", where)
    return PurePosixPath(name)


def _check_end(plain: _Bounded) -> None:
    """Read on to the end: a cut or damaged archive must not pass for one that holds less."""
    while data := plain.read():
        if data.strip(b"\0"):
            raise tarfile.ReadError("a damaged entry in the middle")
    if plain.tail != _END:
        raise tarfile.ReadError("its end is missing")
