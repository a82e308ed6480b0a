"""A clock for tests: it moves by a fixed step whenever it is read, and by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

EPOCH = datetime(2024, 1, 1, 8, tzinfo=UTC)
"""The moment at which tests begin unless they say otherwise."""


class FrozenClock:
    """Returns aware UTC times that depend on nothing but the number of readings.

    >>> clock = FrozenClock()
    >>> clock().isoformat(), clock().isoformat()
    ('2024-01-01T08:00:00+00:00', '2024-01-01T08:00:01+00:00')

    Without a step it stands still:

    >>> clock = FrozenClock(step=timedelta(0))
    >>> clock() == clock()
    True
    """

    def __init__(self, start: datetime = EPOCH, step: timedelta = timedelta(seconds=1)) -> None:
        if start.tzinfo is None:
            raise ValueError("a clock needs a start with a zone")
        self.now = start.astimezone(UTC)
        self.step = step

    def __call__(self) -> datetime:
        """Return the time, then move on by one step."""
        now = self.now
        self.now = now + self.step
        return now

    def advance(self, by: timedelta) -> None:
        """Move on by hand."""
        self.now += by
