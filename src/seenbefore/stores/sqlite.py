"""The default store: one SQLite file in WAL mode, one writer at a time, any number of readers.

Statements live in ``sqlite_sources``, ``sqlite_records``, ``sqlite_reviews`` and ``sqlite_journal``;
this module opens the file and draws the line around a unit.
"""

from __future__ import annotations

import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..errors import StoreBusy, StoreError
from .migrations import apply_migrations
from .session import Session, StatementHook, store_error
from .sqlite_audit import SqliteAudit
from .sqlite_bulk import SqliteBulk
from .sqlite_counts import SqliteCounts
from .sqlite_journal import SqliteJournal
from .sqlite_merges import SqliteMerges
from .sqlite_packs import SqlitePacks
from .sqlite_pages import SqlitePages
from .sqlite_polls import SqlitePolls
from .sqlite_records import SqliteRecords
from .sqlite_redirects import SqliteRedirects
from .sqlite_reviews import SqliteReviews
from .sqlite_sources import SqliteSources

MEMORY = ":memory:"


@dataclass(frozen=True, slots=True)
class SqliteUnit:
    """The roles on one open transaction."""

    sources: SqliteSources
    records: SqliteRecords
    reviews: SqliteReviews
    journal: SqliteJournal
    merges: SqliteMerges
    bulk: SqliteBulk
    counts: SqliteCounts
    audit: SqliteAudit
    packs: SqlitePacks
    redirects: SqliteRedirects
    pages: SqlitePages
    polls: SqlitePolls


class SqliteStore:
    """A store in one file; a missing file is created. One handle per thread or process.

    >>> store = SqliteStore(":memory:")
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
    >>> store.close()

    ``statement_hook`` is called before each statement and may raise, which is how faults are tested.
    """

    def __init__(
        self,
        path: str | Path,
        busy_timeout_s: float = 30.0,
        *,
        statement_hook: StatementHook | None = None,
    ) -> None:
        self.path = str(path)
        self._busy_timeout_s = busy_timeout_s
        self._hook = statement_hook
        self._open_unit: str | None = None
        self._scratch_folder: tempfile.TemporaryDirectory[str] | None = None
        self._unusable = ""
        _check_path(self.path)
        try:
            self._connection = sqlite3.connect(self.path, timeout=busy_timeout_s, isolation_level=None)
        except sqlite3.Error as error:
            raise store_error(error, self.path) from error
        try:
            self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def _prepare(self) -> None:
        session = Session(self._connection, self.path)
        session.run("PRAGMA foreign_keys = ON")
        session.run("PRAGMA synchronous = NORMAL")
        session.run("PRAGMA cache_size = -65536")  # KiB; finding repeats takes twice as long with the default
        apply_migrations(session, self.path)
        self._switch_to_wal(session)

    def _switch_to_wal(self, session: Session) -> None:
        """SQLite does not wait for the lock of this switch by itself, so wait here."""
        give_up_at = time.monotonic() + self._busy_timeout_s
        while True:
            try:
                session.run("PRAGMA journal_mode = WAL")
                return
            except StoreBusy:
                if time.monotonic() > give_up_at:
                    raise
                time.sleep(0.02)

    @contextmanager
    def unit(self) -> Iterator[SqliteUnit]:
        """Open a locked transaction: commit on exit, roll back and raise on error."""
        with self._transaction("unit", "PRAGMA query_only = OFF", "BEGIN IMMEDIATE") as session:
            yield _roles(session)

    @contextmanager
    def reading(self) -> Iterator[SqliteUnit]:
        """Open a consistent snapshot without a write lock; writing raises StoreError."""
        # BEGIN alone promises nothing: the first read takes the snapshot.
        first_read = "SELECT count(*) FROM sqlite_master"
        with self._transaction("reading", "PRAGMA query_only = ON", "BEGIN", first_read) as session:
            yield _roles(session)

    @contextmanager
    def _transaction(self, name: str, *opening: str) -> Iterator[Session]:
        self._check_free(name)
        session = Session(self._connection, self.path, self._hook)
        self._open_unit = name
        try:
            for statement in opening:
                session.run(statement)
            yield session
            session.commit()
        except BaseException as cause:
            self._roll_back(session, cause)
            raise
        finally:
            session.end()
            self._open_unit = None

    def _check_free(self, name: str) -> None:
        if self._unusable:
            raise StoreError(self._unusable, self.path)
        if self._open_unit is not None:
            raise StoreError(f"a {self._open_unit} is open on this handle already; {name} cannot be nested", self.path)

    def _roll_back(self, session: Session, cause: BaseException) -> None:
        """Undo the transaction; a failure of that is noted on the cause, never raised in its place."""
        try:
            session.roll_back()
        except StoreError as error:
            cause.add_note(f"rolling back failed as well: {error}")
            self._connection.close()  # drops the transaction and its lock
            self._unusable = "closed because a unit could not be rolled back; open the store again"

    def scratch_copy(self) -> SqliteStore:
        """Return a separate store with the same content in a temporary file, deleted when it is closed.

        The copy is read from a snapshot: other processes may go on writing to the original.
        """
        self._check_free("scratch_copy")
        folder = tempfile.TemporaryDirectory(prefix="seenbefore-")
        try:
            path = str(Path(folder.name) / "scratch.db")
            self._back_up(path)
            copy = SqliteStore(path, self._busy_timeout_s)
            copy._connection.execute("PRAGMA synchronous = OFF")
        except BaseException:
            folder.cleanup()
            raise
        copy._scratch_folder = folder
        return copy

    def _back_up(self, path: str) -> None:
        try:
            target = sqlite3.connect(path)
            try:
                self._connection.backup(target)
            finally:
                target.close()
        except sqlite3.Error as error:
            raise store_error(error, self.path) from error

    def close(self) -> None:
        """Release the file; an open unit is rolled back. Closing twice does nothing."""
        self._unusable = self._unusable or "this store is closed; open it again"
        self._connection.close()
        if self._scratch_folder is not None:
            self._scratch_folder.cleanup()


def _roles(session: Session) -> SqliteUnit:
    return SqliteUnit(
        SqliteSources(session),
        SqliteRecords(session),
        SqliteReviews(session),
        SqliteJournal(session),
        SqliteMerges(session),
        SqliteBulk(session),
        SqliteCounts(session),
        SqliteAudit(session),
        SqlitePacks(session),
        SqliteRedirects(session),
        SqlitePages(session),
        SqlitePolls(session),
    )


def _check_path(path: str) -> None:
    if path == MEMORY:
        return
    place = Path(path)
    if place.is_dir():
        raise StoreError("this is a folder; name a file in it, such as news.db", path)
    if not place.parent.is_dir():
        raise StoreError(f"the folder {place.parent} does not exist; create it or name another place", path)
