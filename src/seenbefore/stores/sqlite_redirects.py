"""Permanent redirects that somebody saw, in SQLite."""

from __future__ import annotations

from collections.abc import Iterable

from ..model import Redirect
from .rows import text_time, time_text
from .session import Row, Session

_COLUMNS = "start_key, target_key, start, target, status, seen_at, origin"
_REDIRECT = f"SELECT {_COLUMNS} FROM redirects"

_INSERT = f"""
INSERT INTO redirects ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (start_key, target_key) DO NOTHING
"""

# Each half of OR by an index of its own; a row that both find comes once.
_FIND = f"{_REDIRECT} WHERE start_key = ?1 OR target_key = ?1 ORDER BY id"


class SqliteRedirects:
    """See ``base_packs.Redirects``."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add_redirects(self, redirects: Iterable[Redirect]) -> int:
        """Return how many are new; of the same pair of keys the first one stays."""
        rows = [
            (r.start_key, r.target_key, r.start, r.target, r.status, time_text(r.seen_at), r.origin) for r in redirects
        ]
        return self._session.many(_INSERT, rows) if rows else 0

    def find_redirects(self, keys: Iterable[str]) -> dict[str, tuple[Redirect, ...]]:
        """Return the redirects that start or end at each of these keys, as they arrived."""
        wanted = list(dict.fromkeys(keys))
        found = zip(wanted, self._session.look_up(_FIND, ((key,) for key in wanted)), strict=False)
        return {key: tuple(_redirect(row) for row in rows) for key, rows in found if rows}

    def count_redirects(self) -> int:
        """Return how many are stored."""
        row = self._session.row("SELECT count(*) FROM redirects")
        assert row is not None  # an aggregate has one row
        return int(row[0])

    def list_redirects(self) -> list[Redirect]:
        """Return all, as they arrived."""
        return [_redirect(row) for row in self._session.rows(f"{_REDIRECT} ORDER BY id")]


def _redirect(row: Row) -> Redirect:
    start_key, target_key, start, target, status, seen_at, origin = row
    return Redirect(start, target, status, text_time(seen_at), origin, start_key=start_key, target_key=target_key)
