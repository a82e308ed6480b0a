"""Daily counts of a source → plain warnings where the mix of answers jumps. Pure.

Each source is held against its own past: what is much for one is nothing for another. A source that has
no past yet, as after a first import, is never warned about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from statistics import median

from .model import DayCount
from .policy import StatsPolicy


@dataclass(frozen=True, slots=True)
class MixWarning:
    """One jump: ``code`` is one of ``codes.MIX_WARNINGS``, ``day`` the (last) day it concerns."""

    code: str
    source_id: int
    day: date
    message: str


def find_mix_warnings(counts: Iterable[DayCount], since: date, policy: StatsPolicy) -> list[MixWarning]:
    """Return the warnings about days from ``since`` on, by source and day.

    ``counts`` go back at least ``policy.baseline_days`` before that; days without any item are absent.

    >>> from seenbefore.policy import load_policy
    >>> usual = [DayCount(1, date(2026, 3, n), new=3, duplicate=60) for n in range(1, 15)]
    >>> moved = DayCount(1, date(2026, 3, 15), new=63)
    >>> limits = load_policy().stats
    >>> [w.code for w in find_mix_warnings([*usual, moved], date(2026, 3, 9), limits)]
    ['everything_new']

    A first import is all new, too, and has nothing to be held against:

    >>> find_mix_warnings([moved], date(2026, 3, 9), limits)
    []
    """
    by_source: dict[int, list[DayCount]] = {}
    for count in sorted(counts, key=lambda count: count.day):
        if count.total:
            by_source.setdefault(count.source_id, []).append(count)
    newest = max((days[-1].day for days in by_source.values()), default=since)
    found: list[MixWarning] = []
    for days in by_source.values():
        for count in days:
            if count.day >= since:
                found += _jumps(count, _before(days, count.day, policy), policy)
        found += _everything_seen(days, since, policy)
        found += _gone_silent(days, newest, policy)
    return sorted(found, key=lambda warning: (warning.source_id, warning.day, warning.code))


def _before(days: Sequence[DayCount], day: date, policy: StatsPolicy) -> list[DayCount]:
    """The past that a day is held against."""
    first = day - timedelta(days=policy.baseline_days)
    return [count for count in days if first <= count.day < day]


def _jumps(count: DayCount, past: Sequence[DayCount], policy: StatsPolicy) -> Iterator[MixWarning]:
    """What one day by itself shows."""
    if len(past) < policy.min_days:
        return
    usual_new = median(day.new / day.total for day in past)
    share = count.new / count.total
    if count.total >= policy.min_items and share >= policy.new_share and usual_new <= policy.usual_new_share:
        message = f"{count.new} of {count.total} items were new ({share:.0%}), usually {usual_new:.0%}"
        yield MixWarning("everything_new", count.source_id, count.day, message)
    usual = sum(day.review for day in past) / sum(day.total for day in past)
    waiting = count.review / count.total
    if count.review >= policy.min_reviews and waiting > policy.review_factor * usual:
        message = f"{count.review} of {count.total} items wait for a person ({waiting:.1%}), usually {usual:.1%}"
        yield MixWarning("reviews_exploding", count.source_id, count.day, message)


def _everything_seen(days: Sequence[DayCount], since: date, policy: StatsPolicy) -> Iterator[MixWarning]:
    """Days at the end on which the source was read and brought nothing, more than ever before in a row."""
    quiet = _quiet_at_end(days, _brings_nothing)
    past = _before(days, days[-quiet].day, policy) if quiet else []
    if days[-1].day < since or len(past) < policy.min_days:
        return
    longest = max(_stretches(past, _brings_nothing), default=0)
    if quiet >= policy.quiet_days and quiet > policy.quiet_factor * longest:
        message = f"nothing new on the last {quiet} days it was read, before that on {longest} in a row at most"
        yield MixWarning("everything_seen", days[-1].source_id, days[-1].day, message)


def _gone_silent(days: Sequence[DayCount], newest: date, policy: StatsPolicy) -> Iterator[MixWarning]:
    """Not read at all, while other sources were, for longer than ever before.

    After ``baseline_days`` that is no news: somebody may just have given it up.
    """
    last = days[-1].day
    past = [*_before(days, last, policy), days[-1]]
    if len(past) <= policy.min_days:
        return
    silent = (newest - last).days
    longest = max((b.day - a.day).days for a, b in pairwise(past))
    if policy.silent_days <= silent <= policy.baseline_days and silent > policy.quiet_factor * longest:
        message = f"not read for {silent} days, before that every {longest} days at the latest"
        yield MixWarning("gone_silent", days[-1].source_id, last, message)


def _brings_nothing(count: DayCount) -> bool:
    return count.duplicate == count.total


def _quiet_at_end(days: Sequence[DayCount], is_quiet: Callable[[DayCount], bool]) -> int:
    """How many of the last days in a row are quiet."""
    count = 0
    for day in reversed(days):
        if not is_quiet(day):
            break
        count += 1
    return count


def _stretches(days: Sequence[DayCount], is_quiet: Callable[[DayCount], bool]) -> Iterator[int]:
    """The lengths of all stretches of quiet days."""
    length = 0
    for day in days:
        length = length + 1 if is_quiet(day) else 0
        yield length
