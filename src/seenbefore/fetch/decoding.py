"""Content encodings, undone step by step: never more comes out than is allowed, whatever goes in."""

from __future__ import annotations

import importlib
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Protocol

from ..errors import FetchFailed, Refused

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_STEP: Final = 1 << 16
_WINDOW_LOG: Final = 23
"""Zstandard may look back 8 MiB, what RFC 9659 allows on the web."""


class _Decoder(Protocol):
    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield what the data unpacks to, in small steps."""

    def is_whole(self) -> bool:
        """Whether the data ended where it should."""


class _Gzip:
    """One gzip member after the other."""

    def __init__(self) -> None:
        self._inner = zlib.decompressobj(wbits=31)
        self._started = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        while data:
            if self._inner.eof:
                if not data.startswith(b"\x1f"):
                    return  # padding behind the last member
                self._inner = zlib.decompressobj(wbits=31)
            self._started = True
            yield self._inner.decompress(data, _STEP)
            data = self._inner.unused_data if self._inner.eof else self._inner.unconsumed_tail

    def is_whole(self) -> bool:
        return self._inner.eof or not self._started


class _Zstd:
    def __init__(self) -> None:
        self._inner = zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: _WINDOW_LOG})

    def feed(self, data: bytes) -> Iterator[bytes]:
        yield self._inner.decompress(data, _STEP)
        while not self._inner.eof and not self._inner.needs_input:
            yield self._inner.decompress(b"", _STEP)

    def is_whole(self) -> bool:
        return self._inner.eof


class _Brotli:
    def __init__(self) -> None:
        self._inner: Any = importlib.import_module("brotli").Decompressor()

    def feed(self, data: bytes) -> Iterator[bytes]:
        yield self._inner.process(data, output_buffer_limit=_STEP)
        while not self._inner.can_accept_more_data() and not self._inner.is_finished():
            yield self._inner.process(b"", output_buffer_limit=_STEP)

    def is_whole(self) -> bool:
        return bool(self._inner.is_finished())


_DECODERS: Final[dict[str, Callable[[], _Decoder]]] = {
    "gzip": _Gzip,
    "x-gzip": _Gzip,
    "zstd": _Zstd,
    "br": _Brotli,
}


def decode_body(chunks: Iterable[bytes], encoding: str, offered: tuple[str, ...], limit: int, url: str = "") -> bytes:
    """Return a body with its content encoding undone, at most ``limit`` bytes of it.

    >>> import gzip
    >>> decode_body([gzip.compress(b"Fish & chips")], "gzip", ("gzip",), 100)
    b'Fish & chips'
    >>> decode_body([gzip.compress(bytes(1000))], "gzip", ("gzip",), 100)
    Traceback (most recent call last):
    ...
    seenbefore.errors.Refused: sends more than 100 bytes

    Raises:
        Refused: ``too-large``, or ``encoding`` for one that was not offered, or several around each other.
        FetchFailed: ``encoding`` for a body that is something else, ``truncated`` for half of one.
    """
    named = [name.strip().lower() for name in encoding.split(",") if name.strip().lower() not in ("", "identity")]
    known = {*offered, *(("x-gzip",) if "gzip" in offered else ())}
    if len(named) > 1 or any(name not in known for name in named):
        raise Refused("encoding", "packs its answer in a way that nobody asked for", url)
    decoder = _DECODERS[named[0]]() if named else None
    found, size = [], 0
    try:
        for chunk in chunks:
            for part in decoder.feed(chunk) if decoder else (chunk,):
                size += len(part)
                if size > limit:
                    raise Refused("too-large", f"sends more than {limit:,} bytes", url)
                found.append(part)
    except _broken() as error:
        raise FetchFailed("encoding", "sends a body that is not packed as it says", url) from error
    if decoder is not None and not decoder.is_whole():
        raise FetchFailed("truncated", "the answer broke off", url, retryable=True)
    return b"".join(found)


def _broken() -> tuple[type[Exception], ...]:
    """What the decoders raise for bytes that are not theirs."""
    brotli: Any = sys.modules.get("brotli")
    return (zlib.error, zstd.ZstdError, *((brotli.error,) if brotli is not None else ()))
