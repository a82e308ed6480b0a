"""Break a database on purpose, at a place that is counted."""

from __future__ import annotations

import sqlite3


class FailingStatements:
    """A ``statement_hook`` for SqliteStore that fails at the n-th SQL statement, counted from 1.

    >>> fault = FailingStatements(at=2)
    >>> fault("SELECT 1")
    >>> fault("SELECT 2")
    Traceback (most recent call last):
    sqlite3.OperationalError: disk I/O error (made by a test at statement 2: SELECT 2)

    It strikes once, as a fault that goes away; with ``for_good`` everything after it fails as well, the
    roll-back included. With ``at=0`` it only counts. Rows of a bulk statement count one by one.
    """

    def __init__(self, at: int = 0, *, for_good: bool = False) -> None:
        self.at = at
        self.for_good = for_good
        self.count = 0

    @property
    def struck(self) -> bool:
        """Whether the statement that fails has been reached."""
        return 0 < self.at <= self.count

    def __call__(self, sql: str) -> None:
        """Count one statement; raise when it is the one."""
        self.count += 1
        if self.count == self.at or (self.for_good and self.struck):
            text = " ".join(sql.split())[:60]
            raise sqlite3.OperationalError(f"disk I/O error (made by a test at statement {self.count}: {text})")
