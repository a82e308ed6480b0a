"""The bytes of a page as they are kept: packed, and named by their hash."""

from __future__ import annotations

import hashlib
import sys
from typing import Final, NamedTuple

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

_LEVEL: Final = 6
"""Pages shrink to about a sixth; higher levels take several times as long for a few percent."""


class PackedBody(NamedTuple):
    """A page as it is kept; ``size`` is its length in bytes before it was packed."""

    body_hash: str
    packed: bytes
    size: int


def pack_body(body: bytes) -> PackedBody:
    """Return a page packed, under the first 32 hex digits of its SHA-256.

    >>> one, two = pack_body(b"<p>a</p>"), pack_body(b"<p>b</p>")
    >>> one.body_hash == pack_body(b"<p>a</p>").body_hash, one.body_hash == two.body_hash
    (True, False)
    """
    return PackedBody(hashlib.sha256(body).hexdigest()[:32], zstd.compress(body, _LEVEL), len(body))


def unpack_body(packed: bytes) -> bytes:
    """Return the bytes of a page.

    >>> unpack_body(pack_body("頁".encode()).packed).decode()
    '頁'
    """
    return zstd.decompress(packed)
