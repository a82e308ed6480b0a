"""How much there is and what came each day, in SQLite."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from ..model import DayCount, Status
from .base_audit import Totals
from .session import Session

_COUNT_DAY = """
INSERT INTO daily_counts (source_id, day, new, updates, duplicates, reviews) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (day, source_id) DO UPDATE SET new = new + excluded.new, updates = updates + excluded.updates,
    duplicates = duplicates + excluded.duplicates, reviews = reviews + excluded.reviews
"""

_DAYS = "SELECT source_id, day, new, updates, duplicates, reviews FROM daily_counts"

# One pass over each table; the text columns that make rows large are not touched.
_TOTALS = """
SELECT (SELECT coalesce(max(id), 0) FROM records), count(*), coalesce(sum(times), 0),
    (SELECT count(*) FROM reviews WHERE state = 'waiting')
FROM sightings
"""


class SqliteCounts:
    """See ``base_audit.Counts``."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def count_days(self, counts: Iterable[DayCount]) -> None:
        """Add to what is counted for these sources and days."""
        rows = [(c.source_id, c.day.isoformat(), c.new, c.update, c.duplicate, c.review) for c in counts]
        if rows:
            self._session.many(_COUNT_DAY, rows)

    def find_days(self, *, source_id: int | None = None, since: date | None = None) -> list[DayCount]:
        """Return what was counted, by day and source."""
        sql = f"{_DAYS} WHERE day >= :since AND (:source IS NULL OR source_id = :source) ORDER BY day, source_id"
        rows = self._session.rows(sql, {"since": since.isoformat() if since else "", "source": source_id})
        return [DayCount(source, date.fromisoformat(day), *numbers) for source, day, *numbers in rows]

    def count_stored(self) -> Totals:
        """Return totals over everything stored."""
        found: dict[str, int] = dict(self._session.rows("SELECT status, count(*) FROM records GROUP BY status"))
        records = {status.value: found.get(status.value, 0) for status in Status}
        row = self._session.row(_TOTALS)
        assert row is not None  # an aggregate has one row
        return Totals(records, *row)
