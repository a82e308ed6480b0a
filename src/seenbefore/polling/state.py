"""What is known of a polled address: its newest state, and what became of each attempt."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

OK: Final = "ok"
UNCHANGED: Final = "unchanged"
LIST: Final = "list"
GONE: Final = "gone"
NOT_FOUND: Final = "not_found"
NOT_A_FEED: Final = "not_a_feed"
REFUSED: Final = "refused"

GOOD: Final = frozenset({OK, UNCHANGED, LIST})
"""Outcomes after which there is nothing to complain about. Every other one is a failure, named by its code."""

SLACK: Final = 0.1
MOST_SLACK_S: Final = 60.0
"""A tenth of the interval, at most a minute: a job that runs every quarter of an hour must not find that a source
is due two seconds later, and so ask it every half hour."""


@dataclass(frozen=True, slots=True)
class PollResult:
    """What became of one attempt: a stable ``outcome``, why in words, and how many items came of what kind.

    ``status`` is 0 without an answer; ``seconds`` is how long the request took.
    """

    at: datetime
    outcome: str
    reason: str = ""
    status: int = 0
    seconds: float = 0.0
    new: int = 0
    update: int = 0
    duplicate: int = 0
    review: int = 0

    @property
    def is_good(self) -> bool:
        """Whether the source answered as it should.

        >>> from datetime import UTC
        >>> at = datetime(2026, 1, 1, tzinfo=UTC)
        >>> PollResult(at, "unchanged", status=304).is_good, PollResult(at, "gone", status=410).is_good
        (True, False)
        """
        return self.outcome in GOOD

    @property
    def changed(self) -> int:
        """How many items were new or changed: what a poll is made for."""
        return self.new + self.update + self.review


@dataclass(frozen=True, slots=True)
class PollState:
    """The newest state of one polled address. ``identity`` names it (:func:`~seenbefore.urls.source_identity`).

    ``source`` is the source its items belong to. ``etag`` and ``last_modified`` are of the last body whose items
    are stored. ``moved_to`` is where permanent redirects led. ``next_at`` is when it is due (None: not before
    somebody asks again), ``hold_until`` the time before which it should not be asked at all.
    """

    identity: str
    address: str
    source: str
    last: PollResult
    interval_s: float
    next_at: datetime | None
    etag: str = ""
    last_modified: str = ""
    moved_to: str = ""
    failures: int = 0
    hold_until: datetime | None = None

    def is_due(self, now: datetime) -> bool:
        """Whether a run that asks only what is due asks it; a little early is due as well."""
        slack = timedelta(seconds=min(MOST_SLACK_S, self.interval_s * SLACK))
        return self.next_at is not None and self.next_at <= now + slack

    def is_on_hold(self, now: datetime) -> bool:
        """Whether the source asked for rest, or failed too often lately, or is gone."""
        return self.last.outcome == GONE or (self.hold_until is not None and now < self.hold_until)
