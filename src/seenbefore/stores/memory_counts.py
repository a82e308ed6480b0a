"""How much there is and what came each day, in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date

from ..model import DayCount, ReviewState, Status
from .base_audit import Totals
from .memory_tables import Transaction


class MemoryCounts:
    """See ``base_audit.Counts``."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def count_days(self, counts: Iterable[DayCount]) -> None:
        """Add to what is counted for these sources and days."""
        transaction, days = self._transaction, self._transaction.tables.days
        for more in counts:
            transaction.need(transaction.tables.sources, more.source_id, "source")
            least = min(more.new, more.update, more.duplicate, more.review)
            transaction.check(least >= 0, "counts only go up")
            here = days.get((more.day, more.source_id), DayCount(more.source_id, more.day))
            transaction.put(days, (more.day, more.source_id), here.plus(more))

    def find_days(self, *, source_id: int | None = None, since: date | None = None) -> list[DayCount]:
        """Return what was counted, by day and source."""
        days = self._transaction.tables.days
        return [
            days[day, source]
            for day, source in sorted(days)
            if (since is None or day >= since) and (source_id is None or source == source_id)
        ]

    def count_stored(self) -> Totals:
        """Return totals over everything stored."""
        tables = self._transaction.tables
        found = Counter(record.status for record in tables.records.values())
        return Totals(
            {status.value: found[status] for status in Status},
            max(tables.records, default=0),
            len(tables.sightings),
            sum(sighting.times for sighting in tables.sightings.values()),
            sum(review.state is ReviewState.WAITING for review in tables.reviews.values()),
        )
