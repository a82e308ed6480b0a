"""When a source is due again: more often while it brings something, later and later while it fails."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Final

from .state import GONE, LIST, NOT_A_FEED, REFUSED, PollState

SHORTEST_S: Final = 900.0
"""A quarter of an hour: what ``--every`` is taken for when nobody says otherwise."""

LONGEST_S: Final = 12 * 3600.0
"""A source that brings nothing for weeks is still asked twice a day, so that what comes is at most half a day late."""

GROW: Final = 1.25
SHRINK: Final = 0.5
"""Nothing new makes the interval a quarter longer, something new halves it. Both balance where about every fourth
poll finds something (1.25³ × 0.5 ≈ 1)."""

FIRST_BACK_OFF_S: Final = 300.0
"""The wait after the first failure; it doubles with each further one."""

LONGEST_BACK_OFF_S: Final = 24 * 3600.0
"""The longest wait after failures, and the longest that Retry-After is believed."""

JITTER: Final = 0.1
"""Waits after failures differ by up to this share from source to source, so that those of one outage spread."""

MAX_AGE_CAP_S: Final = 3600.0
"""Cache-Control is believed up to an hour: longer values are mostly meant for a browser's images."""

_DIRECTIVE: Final = re.compile(r"(?:^|,)\s*(?:s-maxage|max-age)\s*=\s*\"?(\d{1,10})", re.IGNORECASE)
_NOT_FRESH: Final = re.compile(r"(?:^|,)\s*no-(?:cache|store)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Limits:
    """Between which intervals a source is polled."""

    shortest_s: float = SHORTEST_S
    longest_s: float = LONGEST_S

    def clamp(self, seconds: float) -> float:
        """Return the seconds within the limits.

        >>> Limits(60, 3600).clamp(5), Limits(60, 3600).clamp(100), Limits(7200, 3600).clamp(5)
        (60, 100, 7200)
        """
        return max(self.shortest_s, min(seconds, self.longest_s))


def next_state(
    before: PollState | None,
    state: PollState,
    limits: Limits,
    *,
    fresh_s: float = 0.0,
    retry_after: float | None = None,
) -> PollState:
    """Return ``state`` with interval, next time, failures and hold as they follow from its last result.

    >>> from datetime import UTC
    >>> from seenbefore.polling.state import PollResult
    >>> at = datetime(2026, 1, 1, tzinfo=UTC)
    >>> def polled(outcome, **more):
    ...     return PollState("a.example/feed", "", "", PollResult(at, outcome, **more), 900.0, at)
    >>> first = next_state(None, polled("ok", new=3), Limits(900, 7200))
    >>> (first.next_at - at).total_seconds(), first.hold_until
    (900.0, None)
    >>> (next_state(first, polled("unchanged"), Limits(900, 7200)).next_at - at).total_seconds()
    1125.0

    A failure is followed by a hold, and what is gone is never due:

    >>> failed = next_state(first, polled("timeout"), Limits(900, 7200))
    >>> failed.failures, failed.hold_until > at, next_state(first, polled("gone"), Limits()).next_at
    (1, True, None)

    ``before`` is what was known before this result, ``fresh_s`` what the server says about freshness
    (:func:`freshness`), ``retry_after`` the seconds it asked to be left alone. The interval of a source survives
    its failures.
    """
    last = state.last
    interval = limits.clamp(before.interval_s if before else limits.shortest_s)
    failures = 0 if last.is_good else (before.failures if before else 0) + 1
    state = replace(state, interval_s=interval, failures=failures, hold_until=None)
    if last.is_good:
        return _after_success(before, state, limits, fresh_s)
    if last.outcome == GONE:
        return replace(state, next_at=None)
    wait = back_off(state.identity, failures)
    if retry_after is not None:
        wait = min(max(retry_after, 1.0), LONGEST_BACK_OFF_S)
    until = last.at + timedelta(seconds=wait)
    # These are about what was asked for here, and a person who repairs that may ask at once.
    free = last.outcome in (REFUSED, NOT_A_FEED)
    return replace(state, next_at=until, hold_until=None if free else until)


def _after_success(before: PollState | None, state: PollState, limits: Limits, fresh_s: float) -> PollState:
    interval = limits.shortest_s if state.last.outcome == LIST else state.interval_s
    if before is not None and state.last.outcome != LIST:
        interval = limits.clamp(interval * (SHRINK if state.last.changed else GROW))
    wait = max(interval, min(fresh_s, MAX_AGE_CAP_S))
    return replace(state, interval_s=interval, next_at=state.last.at + timedelta(seconds=wait))


def back_off(name: str, failures: int) -> float:
    """Return the seconds to wait after so many failures in a row; the same for the same name.

    >>> 270 <= back_off("a.example", 1) <= 330, 540 <= back_off("a.example", 2) <= 660
    (True, True)
    >>> back_off("a.example", 50) <= LONGEST_BACK_OFF_S, back_off("a.example", 1) == back_off("b.example", 1)
    (True, False)
    """
    wait = FIRST_BACK_OFF_S * 2.0 ** min(failures - 1, 30)
    digest = blake2b(f"{name}\0{failures}".encode("utf-8", "surrogatepass"), digest_size=4).digest()
    share = int.from_bytes(digest, "big") / 0xFFFFFFFF * 2 - 1
    return min(wait, LONGEST_BACK_OFF_S / (1 + JITTER)) * (1 + JITTER * share)


def freshness(headers: Mapping[str, str]) -> float:
    """Return for how many seconds the answer says that it stays fresh, from Cache-Control and Age.

    >>> freshness({"cache-control": "public, max-age=600", "age": "100"})
    500.0
    >>> freshness({"cache-control": "no-cache, max-age=600"}), freshness({}), freshness({"cache-control": "max-age=x"})
    (0.0, 0.0, 0.0)
    """
    control = headers.get("cache-control", "")
    found = _DIRECTIVE.search(control)
    if found is None or _NOT_FRESH.search(control):
        return 0.0
    age = headers.get("age", "").strip()
    spent = float(age) if age.isascii() and age.isdigit() and len(age) <= 10 else 0.0
    return max(0.0, float(found[1]) - spent)


def should_ask(state: PollState | None, now: datetime, *, due_only: bool, force: bool) -> bool:
    """Return whether an address is asked now; what was never asked always is.

    A run that asks everything still leaves alone what is on hold, unless it is forced.
    """
    if state is None or force:
        return True
    return state.is_due(now) if due_only else not state.is_on_hold(now)
