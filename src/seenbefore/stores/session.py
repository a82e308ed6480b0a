"""One connection to an SQLite file: every statement goes through here, and so does every error.

SQLite's own errors become StoreBusy or StoreError with the path. An error spoils the open
transaction: it can only be rolled back afterwards, so a caller that swallows one stores nothing half.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..errors import StoreBusy, StoreError

StatementHook = Callable[[str], None]
"""Called with the SQL text before each statement (in ``many`` before each row); may raise."""

Row = tuple[Any, ...]
Parameters = Sequence[object] | Mapping[str, object]

_REFUSED = (sqlite3.Error, UnicodeEncodeError, OverflowError)


class Session:
    """The use of a connection for one transaction, from BEGIN to the end of the unit."""

    def __init__(self, connection: sqlite3.Connection, path: str, hook: StatementHook | None = None) -> None:
        self._connection = connection
        self._path = path
        self._hook = hook
        self._ended = False
        self.spoiled = False

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        try:
            return self._connection.in_transaction
        except sqlite3.ProgrammingError:  # closed
            return False

    def commit(self) -> None:
        """Make the transaction last; refused when one of its statements has failed."""
        if self.spoiled:
            raise self.error("an earlier statement of this unit failed, so none of it can be stored")
        self.run("COMMIT")

    def roll_back(self) -> None:
        """Discard the transaction, if SQLite has not discarded it already."""
        if self.in_transaction:
            self.run("ROLLBACK")

    def run(self, sql: str, parameters: Parameters = ()) -> sqlite3.Cursor:
        """Return the cursor of one executed statement."""
        try:
            self._before(sql)
            return self._connection.execute(sql, parameters)
        except _REFUSED as error:
            raise self._translate(error) from error

    def rows(self, sql: str, parameters: Parameters = ()) -> list[Row]:
        """Return all rows of a query."""
        try:
            self._before(sql)
            return self._connection.execute(sql, parameters).fetchall()
        except _REFUSED as error:
            raise self._translate(error) from error

    def row(self, sql: str, parameters: Parameters = ()) -> Row | None:
        """Return the first row of a query, or None."""
        found = self.rows(sql, parameters)
        return found[0] if found else None

    def look_up(self, sql: str, several: Iterable[Parameters]) -> Iterator[list[Row]]:
        """Yield the rows of one query per set of parameters; prepared once, so a look-up is cheap."""
        try:
            execute = self._connection.cursor().execute
            for parameters in several:
                self._before(sql)
                yield execute(sql, parameters).fetchall()
        except _REFUSED as error:
            raise self._translate(error) from error

    def insert(self, sql: str, parameters: Parameters) -> int:
        """Return the id of the inserted row."""
        row_id = self.run(sql, parameters).lastrowid
        assert row_id is not None  # an INSERT that succeeded has one
        return row_id

    def change(self, sql: str, parameters: Parameters) -> int:
        """Return how many rows a statement changed."""
        return self.run(sql, parameters).rowcount

    def many(self, sql: str, several: Iterable[Parameters]) -> int:
        """Return how many rows a statement changed in all, run once per set of parameters."""
        try:
            self._before(sql)
            watched = several if self._hook is None else self._watched(sql, several, self._hook)
            return self._connection.executemany(sql, watched).rowcount
        except _REFUSED as error:
            raise self._translate(error) from error

    def error(self, message: str) -> StoreError:
        """Return a StoreError about this file; the open transaction can only be rolled back now."""
        self.spoiled = True
        return StoreError(message, self._path)

    def end(self) -> None:
        """Refuse every further statement: the unit is over, nothing may be written outside of one."""
        self._ended = True

    def _before(self, sql: str) -> None:
        if self._ended:
            raise self.error("this unit is over; open a new one")
        if self._hook is not None:
            self._hook(sql)

    @staticmethod
    def _watched(sql: str, several: Iterable[Parameters], hook: StatementHook) -> Iterator[Parameters]:
        for parameters in several:
            hook(sql)
            yield parameters

    def _translate(self, error: Exception) -> StoreError:
        self.spoiled = True
        return store_error(error, self._path)


def store_error(error: Exception, path: str) -> StoreError:
    """Return what a database error is called in this package.

    >>> store_error(sqlite3.OperationalError("database is locked"), "news.db").retryable
    True
    >>> store_error(sqlite3.OperationalError("disk I/O error"), "news.db").retryable
    False
    """
    if _is_busy(error):
        return StoreBusy("another process held the database for too long; run it again", path)
    if isinstance(error, UnicodeEncodeError):
        return StoreError(f"a text cannot be stored because it is no valid Unicode: {error.reason}", path)
    if "unable to open" in str(error):
        return StoreError("cannot be opened or created; check that the folder and the file may be written", path)
    if "not a database" in str(error):
        return StoreError("this file is no database; name another file, a new one is created", path)
    if "readonly database" in str(error):
        return StoreError("nothing may be written here: opened for reading, or the file is protected", path)
    return StoreError(f"the database refused: {error}", path)


def _is_busy(error: Exception) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None:
        return (code & 0xFF) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    return isinstance(error, sqlite3.OperationalError) and "locked" in str(error)
