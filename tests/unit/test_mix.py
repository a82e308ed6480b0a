"""When `stats` warns about the mix of a source, and when it must not."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from seenbefore.codes import MIX_WARNINGS
from seenbefore.mix import MixWarning, find_mix_warnings
from seenbefore.model import DayCount
from seenbefore.policy import load_policy

MONDAY = date(2026, 3, 2)
LIMITS = load_policy().stats


def days(*mixes: tuple[int, int, int, int] | None, source_id: int = 1) -> list[DayCount]:
    """One count per day from a Monday on: new, update, duplicate, review; None is a day without any item."""
    return [DayCount(source_id, MONDAY + timedelta(days=n), *mix) for n, mix in enumerate(mixes) if mix is not None]


def warn(counts: list[DayCount], since: date = MONDAY) -> list[tuple[int, str, int]]:
    """Source, code and day of each warning."""
    return [(w.source_id, w.code, (w.day - MONDAY).days) for w in find_mix_warnings(counts, since, LIMITS)]


USUAL = (3, 1, 60, 0)
NOTHING_NEW = (0, 0, 64, 0)
ALL_NEW = (63, 1, 0, 0)


def test_everything_new() -> None:
    (warning,) = find_mix_warnings(days(*[USUAL] * 14, ALL_NEW), MONDAY, LIMITS)
    day = MONDAY + timedelta(days=14)
    assert warning == MixWarning("everything_new", 1, day, "63 of 64 items were new (98%), usually 5%")


def test_everything_new_is_told_as_long_as_the_day_is_shown() -> None:
    counts = days(*[USUAL] * 14, ALL_NEW, USUAL, USUAL)
    assert warn(counts, MONDAY + timedelta(days=10)) == [(1, "everything_new", 14)]
    assert warn(counts, MONDAY + timedelta(days=15)) == []


@pytest.mark.parametrize(
    "counts",
    [
        pytest.param(days(ALL_NEW), id="first import"),
        pytest.param(days(ALL_NEW, *[USUAL] * 20), id="first import, later"),
        pytest.param(days(*[ALL_NEW] * 30), id="each item is sent once"),
        pytest.param(days(*[USUAL] * 4, ALL_NEW), id="too little past"),
        pytest.param(days(*[USUAL] * 14, (19, 0, 0, 0)), id="few items"),
        pytest.param(days(*[USUAL] * 14, (50, 0, 14, 0)), id="a busy day"),
        pytest.param(days(USUAL, USUAL, *[None] * 40, ALL_NEW), id="the past is too long ago"),
    ],
)
def test_not_everything_new(counts: list[DayCount]) -> None:
    assert warn(counts) == []


def test_everything_seen() -> None:
    counts = days(*[USUAL] * 14, *[NOTHING_NEW] * 4)
    (warning,) = find_mix_warnings(counts, MONDAY, LIMITS)
    assert (warning.code, warning.day) == ("everything_seen", MONDAY + timedelta(days=17))
    assert "last 4 days" in warning.message
    assert warn(counts, MONDAY + timedelta(days=18)) == []


def test_everything_seen_of_a_source_with_quiet_weekends() -> None:
    week = [USUAL] * 5 + [NOTHING_NEW] * 2
    assert warn(days(*week * 3, *[NOTHING_NEW] * 2)) == [], "two days after a weekend: four in a row"
    assert warn(days(*week * 3, *[NOTHING_NEW] * 3)) == [(1, "everything_seen", 23)]


@pytest.mark.parametrize(
    "counts",
    [
        pytest.param(days(*[USUAL] * 14, *[NOTHING_NEW] * 3), id="a long weekend"),
        pytest.param(days(*[NOTHING_NEW] * 30), id="never brought anything since it was imported"),
        pytest.param(days(ALL_NEW, *[NOTHING_NEW] * 30), id="imported once, nothing since"),
        pytest.param(days(*[USUAL, *[NOTHING_NEW] * 6] * 3, *[NOTHING_NEW] * 4), id="a weekly"),
        pytest.param(days(*[USUAL] * 3, *[NOTHING_NEW] * 6), id="too little past"),
        pytest.param(days(*[USUAL] * 14, *[NOTHING_NEW] * 4, USUAL), id="over"),
        pytest.param(days(*[USUAL] * 14, *[(0, 1, 60, 0)] * 6), id="only updates"),
    ],
)
def test_not_everything_seen(counts: list[DayCount]) -> None:
    assert warn(counts) == []


def test_a_weekly_that_stops() -> None:
    """Twelve quiet days are twice its longest stretch; the thirteenth is one too many."""
    weeks = [USUAL, *[NOTHING_NEW] * 6] * 3
    assert warn(days(*weeks, USUAL, *[NOTHING_NEW] * 12)) == []
    assert warn(days(*weeks, USUAL, *[NOTHING_NEW] * 13)) == [(1, "everything_seen", 34)]


def test_reviews_exploding() -> None:
    usual = [(3, 1, 60, 0), (3, 1, 58, 2)] * 7
    (warning,) = find_mix_warnings(days(*usual, (3, 1, 48, 12)), MONDAY, LIMITS)
    assert warning.code == "reviews_exploding"
    assert warning.message == "12 of 64 items wait for a person (18.8%), usually 1.6%"
    never = [(3, 1, 60, 0)] * 14
    assert warn(days(*never, (3, 1, 50, 10))) == [(1, "reviews_exploding", 14)]


@pytest.mark.parametrize(
    "counts",
    [
        pytest.param(days(*[USUAL] * 14, (3, 1, 51, 9)), id="few"),
        pytest.param(days(*[(3, 1, 52, 8)] * 14, (3, 1, 24, 36)), id="not much more than usual"),
        pytest.param(days((3, 1, 20, 40)), id="first import"),
        pytest.param(days(*[(3, 1, 57, 3)] * 14, (30, 10, 600, 30)), id="a day of ten times as many items"),
    ],
)
def test_reviews_not_exploding(counts: list[DayCount]) -> None:
    assert warn(counts) == []


def test_gone_silent() -> None:
    still_read = days(*[USUAL] * 20, source_id=2)
    assert warn([*days(*[USUAL] * 17), *still_read]) == [(1, "gone_silent", 16)]
    assert warn([*days(*[USUAL] * 18), *still_read]) == []
    assert warn(days(*[USUAL] * 17)) == [], "nothing is read: the whole store stands still"
    given_up = days(*[USUAL] * 17, *[None] * 30, USUAL, source_id=2)[-1:]
    assert warn([*days(*[USUAL] * 17), *given_up]) == []


@pytest.mark.parametrize(
    "counts",
    [
        pytest.param(days(*[*[USUAL] * 5, None, None] * 2), id="not read on weekends"),
        pytest.param(days(*[USUAL, *[None] * 6] * 6)[:-1], id="read once a week"),
        pytest.param(days(*[USUAL] * 3), id="too little past"),
    ],
)
def test_not_gone_silent(counts: list[DayCount]) -> None:
    still_read = days(*[(3, 1, 60, 0)] * ((counts[-1].day - MONDAY).days + 6), source_id=2)
    assert warn([*counts, *still_read]) == []


def test_sources_are_held_against_themselves() -> None:
    """In any order; days without items count as if they were absent."""
    moved = days(*[USUAL] * 14, ALL_NEW)
    pushed = days(*[ALL_NEW] * 15, source_id=2)
    empty = [replace(count, source_id=3, new=0, update=0, duplicate=0) for count in moved]
    counts = [*pushed, *moved, *empty]
    assert warn(counts) == warn(counts[::-1]) == [(1, "everything_new", 14)]
    assert warn([]) == []


def test_every_warning_is_explained_and_found() -> None:
    found = {
        code
        for counts in (
            days(*[USUAL] * 14, ALL_NEW),
            days(*[USUAL] * 14, *[NOTHING_NEW] * 4),
            days(*[USUAL] * 14, (3, 1, 48, 12)),
            [*days(*[USUAL] * 17), *days(*[USUAL] * 20, source_id=2)],
        )
        for _, code, _ in warn(counts)
    }
    assert found == MIX_WARNINGS.keys()


def test_limits_are_those_of_the_policy() -> None:
    strict = replace(LIMITS, new_share=0.04, min_days=14)
    assert [w.code for w in find_mix_warnings(days(*[USUAL] * 15), MONDAY, strict)] == ["everything_new"]
    assert find_mix_warnings(days(*[USUAL] * 14), MONDAY, strict) == []
