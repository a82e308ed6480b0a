"""A store in the memory of one process, for tests and one-off scans: nothing is written to disk."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ..errors import StoreBusy, StoreError
from .memory_audit import MemoryAudit
from .memory_bulk import MemoryBulk
from .memory_counts import MemoryCounts
from .memory_journal import MemoryJournal
from .memory_merges import MemoryMerges
from .memory_packs import MemoryPacks
from .memory_pages import MemoryPages
from .memory_polls import MemoryPolls
from .memory_records import MemoryRecords
from .memory_redirects import MemoryRedirects
from .memory_reviews import MemoryReviews
from .memory_sources import MemorySources
from .memory_tables import NAME, Tables, Transaction


@dataclass(frozen=True, slots=True)
class MemoryUnit:
    """The roles on one open transaction."""

    sources: MemorySources
    records: MemoryRecords
    reviews: MemoryReviews
    journal: MemoryJournal
    merges: MemoryMerges
    bulk: MemoryBulk
    counts: MemoryCounts
    audit: MemoryAudit
    packs: MemoryPacks
    redirects: MemoryRedirects
    pages: MemoryPages
    polls: MemoryPolls


class MemoryStore:
    """A store that behaves like a file and is gone when it is closed. Threads may share it.

    >>> store = MemoryStore()
    >>> with store.unit() as unit:
    ...     source = unit.sources.add_source("News", "https://news.example/feed")
    >>> with store.reading() as unit:
    ...     unit.sources.find_source("https://news.example/feed").name
    'News'

    What fails is not stored:

    >>> with store.unit() as unit:
    ...     _ = unit.sources.add_source("Other", "https://other.example/feed")
    ...     raise ValueError
    Traceback (most recent call last):
    ValueError
    >>> with store.reading() as unit:
    ...     unit.sources.find_source("https://other.example/feed")
    """

    def __init__(self, busy_timeout_s: float = 30.0) -> None:
        self._busy_timeout_s = busy_timeout_s
        self._tables = Tables()
        self._lock = threading.Lock()
        self._holder: int | None = None
        self._closed = False

    @contextmanager
    def unit(self) -> Iterator[MemoryUnit]:
        """Open a locked transaction: commit on exit, roll back and raise on error."""
        with self._transaction(read_only=False) as transaction:
            yield _roles(transaction)

    @contextmanager
    def reading(self) -> Iterator[MemoryUnit]:
        """Open a consistent view; writing raises StoreError. Other threads wait until it is left."""
        with self._transaction(read_only=True) as transaction:
            yield _roles(transaction)

    def scratch_copy(self) -> MemoryStore:
        """Return a separate store with the same content."""
        copy = MemoryStore(self._busy_timeout_s)
        with self._transaction(read_only=True):
            copy._tables = self._tables.copy()
        return copy

    def close(self) -> None:
        """Forget everything. Closing twice does nothing."""
        self._closed = True
        self._tables = Tables()

    @contextmanager
    def _transaction(self, *, read_only: bool) -> Iterator[Transaction]:
        with self._locked():
            transaction = Transaction(self._tables, read_only=read_only)
            try:
                yield transaction
                transaction.commit()
            except BaseException:
                transaction.roll_back()
                raise
            finally:
                transaction.end()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        if self._closed:
            raise StoreError("this store is closed", NAME)
        if self._holder == threading.get_ident():
            raise StoreError("a unit is open in this thread already; units cannot be nested", NAME)
        if not self._lock.acquire(timeout=self._busy_timeout_s):
            raise StoreBusy("another thread held the store for too long; run it again", NAME)
        self._holder = threading.get_ident()
        try:
            yield
        finally:
            self._holder = None
            self._lock.release()


def _roles(transaction: Transaction) -> MemoryUnit:
    return MemoryUnit(
        MemorySources(transaction),
        MemoryRecords(transaction),
        MemoryReviews(transaction),
        MemoryJournal(transaction),
        MemoryMerges(transaction),
        MemoryBulk(transaction),
        MemoryCounts(transaction),
        MemoryAudit(transaction),
        MemoryPacks(transaction),
        MemoryRedirects(transaction),
        MemoryPages(transaction),
        MemoryPolls(transaction),
    )
