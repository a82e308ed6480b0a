"""The entries of one fetch: known by a digest at once, read into items one by one when asked for.

At nearly every fetch nearly every entry is what it was. The digest of its raw form says so at a tenth of
the cost of reading it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Final, overload

from ..model import Item
from ..text.clean import EXTRACTOR_VERSION

READER_VERSION: Final = "reader-1"
"""Raise it when the same entry would be read into another item than before."""

DIGEST_BYTES: Final = 16


class Entries(Sequence[Item]):
    """Items that are read when they are asked for, each at most once.

    ``digests`` are as long as the sequence; ``b""`` stands for an entry that has none and must be read.

    >>> entries = Entries([(b"1", lambda: Item(source="s", title="One")), (b"", lambda: Item(source="s", title="Two"))])
    >>> len(entries), entries.digests, entries[1].title
    (2, (b'1', b''), 'Two')
    """

    def __init__(self, entries: Iterable[tuple[bytes, Callable[[], Item]]]) -> None:
        entries = list(entries)
        self.digests = tuple(digest for digest, _ in entries)
        self._readers = [reader for _, reader in entries]
        self._items: list[Item | None] = [None] * len(entries)

    @classmethod
    def read_already(cls, items: Iterable[Item]) -> Entries:
        """Return entries that hold these items and have no digests."""
        return cls((b"", lambda item=item: item) for item in items)  # type: ignore[misc]

    def fill(self, items: Sequence[Item]) -> None:
        """Take items that were read elsewhere from the same entries."""
        self._items = list(items)

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, index: int) -> Item: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Item, ...]: ...

    def __getitem__(self, index: int | slice) -> Item | tuple[Item, ...]:
        if isinstance(index, slice):
            return tuple(self._read(i) for i in range(*index.indices(len(self))))
        return self._read(range(len(self))[index])

    def __iter__(self) -> Iterator[Item]:
        return (self._read(i) for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Sequence) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.digests)

    def _read(self, position: int) -> Item:
        item = self._items[position]
        if item is None:
            item = self._items[position] = self._readers[position]()
        return item


class Digester:
    """Digests of raw entries. What they share with each other, and how they are read, is part of each.

    >>> a, b = Digester("https://news.example/", "en"), Digester("https://news.example/", "fr")
    >>> a.digest(b"<item/>") == Digester("https://news.example/", "en").digest(b"<item/>")
    True
    >>> a.digest(b"<item/>") == b.digest(b"<item/>")
    False
    """

    def __init__(self, *context: str) -> None:
        parts = "\0".join((READER_VERSION, EXTRACTOR_VERSION, *context))
        self._start = blake2b(parts.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES)

    def digest(self, raw: bytes) -> bytes:
        """Return the digest of one raw entry."""
        found = self._start.copy()
        found.update(raw)
        return found.digest()
