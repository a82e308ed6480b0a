"""What came of each source on each day, noted while a unit is open and written once at its end."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime

from ..model import DayCount, Decision, Outcome
from ..stores.base_audit import Counts


class DayTally:
    """Counts of one unit. Everything counts once, however often it is read.

    Decisions count because they are stored once. A repeat counts when it is recorded on its sighting.
    Repeats of a late fetch are not recorded, so they count when this call is the first to read the fetch:
    ``late_repeats``.

    >>> from datetime import timedelta, timezone
    >>> from seenbefore.testing.builders import a_decision
    >>> tally = DayTally()
    >>> tally.decided(1, datetime(2026, 3, 1, 1, tzinfo=timezone(timedelta(hours=9))), a_decision(7))
    >>> tally.repeated(1, datetime(2026, 3, 1, tzinfo=UTC), 5)
    >>> tally.repeated(1, datetime(2026, 3, 1, tzinfo=UTC), 5, late=True)
    >>> for count in tally.days():
    ...     print(count.day, count.new, count.duplicate)
    2026-02-28 1 0
    2026-03-01 0 5
    """

    def __init__(self, *, late_repeats: bool = False) -> None:
        self._late_repeats = late_repeats
        self._counts: Counter[tuple[date, int, Outcome]] = Counter()

    def decided(self, source_id: int, observed_at: datetime, decision: Decision) -> None:
        """Note a decision on an item that was observed then."""
        self._counts[_day(observed_at), source_id, decision.outcome] += 1

    def repeated(self, source_id: int, observed_at: datetime, count: int = 1, *, late: bool = False) -> None:
        """Note unchanged repeats that were observed then."""
        if count and (not late or self._late_repeats):
            self._counts[_day(observed_at), source_id, Outcome.DUPLICATE] += count

    def days(self) -> list[DayCount]:
        """Return what was noted, by day and source."""
        found: dict[tuple[date, int], dict[str, int]] = {}
        for (day, source_id, outcome), count in self._counts.items():
            found.setdefault((day, source_id), {})[outcome.value] = count
        return [DayCount(source_id, day, **found[day, source_id]) for day, source_id in sorted(found)]

    def write(self, counts: Counts) -> None:
        """Add what was noted to what is stored, in one statement, and start again."""
        if self._counts:
            counts.count_days(self.days())
            self._counts.clear()


def _day(at: datetime) -> date:
    return at.astimezone(UTC).date()
