"""A date found on a page, how it is read, and when two of them can be the same day."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from ..dates import parse_date
from ..dates.written import find_ambiguous_dates, find_written_dates
from ..model import DateEvidence, Precision

PUBLISHED: Final = "published"
MODIFIED: Final = "modified"

EARLIEST: Final = date(1900, 1, 1)
"""Digitized archives give their articles the day of the print; before 1900 stand the years of other calendars (Iran's
1399, the Hijri 1445), which would be read as Gregorian."""

EARLIEST_ONLINE: Final = date(1991, 8, 6)
"""The day the first page of the web was announced: for places that only a page made for the web has."""

LATEST: Final = date(2100, 1, 1)
"""Where nobody says when the page was read. Above it stand the Buddhist years (2566)."""

AHEAD: Final = timedelta(days=2)
"""How far beyond the time of fetching a day may be: a zone of +14:00 and a clock that is wrong by hours."""

_PLACEHOLDERS: Final = frozenset(
    {date(1900, 1, 1), date(1901, 1, 1), date(1969, 12, 31), date(1970, 1, 1), date(1970, 1, 2)}
)
"""What programs write for no date: the first days of their calendars."""

_WEST, _EAST = timedelta(hours=12), timedelta(hours=14)
"""The clocks that are farthest behind and ahead of UTC."""

_LONGEST: Final = 120
_LONGEST_REST: Final = 40


@dataclass(frozen=True, slots=True)
class DateCandidate:
    """One date that a page holds.

    ``role`` is published or modified; ``rank`` orders the kinds of places within a tier, the best is 0. ``path`` and
    ``snippet`` say where visible text stands and what is around it. ``problem`` is why it cannot be used, '' if it can.
    """

    role: str
    evidence: DateEvidence
    rank: int = 0
    family: str = ""
    path: str = ""
    snippet: str = ""
    problem: str = ""

    @property
    def shown(self) -> str:
        """The place and what stands there, as ``tag=raw``."""
        return f"{self.evidence.tag}={self.evidence.raw}"


def local_day(evidence: DateEvidence) -> date | None:
    """Return the day in the value's own time zone, in UTC where it has none; None for an unknown date.

    >>> local_day(parse_date("2024-05-01T23:30:00-05:00", "x")), local_day(parse_date("May", "x"))
    (datetime.date(2024, 5, 1), None)
    """
    if evidence.at is None:
        return None
    return (evidence.at + timedelta(minutes=evidence.offset_minutes or 0)).date()


def possible_days(evidence: DateEvidence) -> tuple[date, date]:
    """Return the first and the last day that an instant has anywhere on earth; of a bare day just that day."""
    at = evidence.at
    assert at is not None
    if evidence.precision is Precision.DAY:
        return at.date(), at.date()
    return (at - _WEST).date(), (at + _EAST).date()


def can_be_one_day(a: DateEvidence, b: DateEvidence) -> bool:
    """Return whether two dates can mean one day somewhere on earth.

    >>> utc, day = parse_date("2024-05-02T03:00:00Z", "x"), parse_date("2024-05-01", "y")
    >>> can_be_one_day(utc, day), can_be_one_day(utc, parse_date("2024-05-04", "y"))
    (True, False)
    """
    first_a, last_a = possible_days(a)
    first_b, last_b = possible_days(b)
    return first_a <= last_b and first_b <= last_a


def read_tag(raw: str, tag: str, tier: str, language: str = "") -> DateEvidence:
    """Return what stands in a tag: strictly, or as the one day that its words name.

    >>> read_tag("2024-05-01", "meta", "A").at.day, read_tag("Mittwoch, 1. Mai 2024 um 9:30 Uhr", "meta", "A").at.day
    (1, 1)
    >>> read_tag("3 hours ago", "meta", "A").at is None, read_tag("1 May 2024 to 7 May 2024", "meta", "A").at is None
    (True, True)
    """
    text = raw.strip()
    found = parse_date(text, tag)
    if found.at is None and found.precision is Precision.UNKNOWN and len(text) <= _LONGEST:
        if not text.isascii():
            text = unicodedata.normalize("NFKC", text)
        written = find_written_dates(" " + text, language)
        if len(written) == 1 and len(text) - (written[0].end - written[0].start) <= _LONGEST_REST:
            return of_day(written[0].day, tag, raw, tier)
    return DateEvidence(tag, raw, found.at, found.precision, found.offset_minutes, found.zone_known, tier)


def of_day(day: date, tag: str, raw: str, tier: str) -> DateEvidence:
    """Return the evidence for a day without a clock."""
    return DateEvidence(tag, raw, datetime(day.year, day.month, day.day, tzinfo=UTC), Precision.DAY, tier=tier)


def problem_of(evidence: DateEvidence, earliest: date, fetched_at: datetime | None) -> str:
    """Return why a value is no usable day: 'unreadable', 'ambiguous', 'coarse',
    'placeholder', 'impossible_year' or 'future'.

    >>> [problem_of(parse_date(raw, "x"), EARLIEST, None) for raw in ("1399-05-01", "2024-05-01")]
    ['impossible_year', '']
    >>> problem_of(parse_date("2024-05-01", "x"), EARLIEST, datetime(2024, 4, 1, tzinfo=UTC))
    'future'
    """
    day = local_day(evidence)
    if day is None and evidence.precision is not Precision.UNKNOWN:
        return "coarse"
    if day is None:
        return "ambiguous" if find_ambiguous_dates(" " + evidence.raw[:_LONGEST]) else "unreadable"
    if day in _PLACEHOLDERS:
        return "placeholder"
    if day < earliest or day >= LATEST:
        return "impossible_year"
    if fetched_at is not None and evidence.at is not None and evidence.at > fetched_at + AHEAD:
        return "future"
    return ""
