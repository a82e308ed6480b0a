"""One strict reader for the dates of feeds and item lists.

Libraries guess: "Monday" becomes this week, "2023" today's day of 2023, "03/04/2023" one of two days.
A wrong date makes an old article new again, so only forms with one reading are read here: RFC 822
and RFC 2822, RFC 3339 and W3CDTF, their common spellings with a month name, Chinese, Japanese and
Korean dates, and Unix times of 10 or 13 digits. Everything else stays unknown, with its raw text.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Final

from ..model import DateEvidence, Precision
from .names import MONTHS, ZONES

_MAX_LENGTH: Final = 120
_EARLIEST_YEAR: Final = 1000  # "0001-01-01" and "0000-00-00" are how programs write "no date"
_MAX_OFFSET_MINUTES: Final = 15 * 60

_TIME = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,9}))?)?"
_HALF = r"(?:\s*(?P<half>[ap])\.?m\b\.?)?"
_ZONE = r"(?:\s*(?P<zone>(?:[a-z]{1,5})?\s*[+-]\d{1,2}:?(?:\d{2})?|[a-z]{1,5})(?:\s+[a-z]{2,5}|\[[\w/+-]+\])?)?"
_CLOCK = rf"(?:{_TIME}{_HALF}{_ZONE})"
_WEEKDAY = r"(?:[^\W\d]+[\s.,]+)?"
_ORDINAL = r"(?:st|nd|rd|th)?"
_MONTH_NAME = r"(?P<name>[^\W\d]+)\.?"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text + r"\Z", re.IGNORECASE)


_ISO = _pattern(
    rf"(?P<year>\d{{4}})(?P<mark>[-/.])(?P<month>\d{{1,2}})(?:(?P=mark)(?P<day>\d{{1,2}})(?:(?:\s*t|\s)\s*{_CLOCK})?)?"
)
_COMPACT = _pattern(
    r"(?P<year>\d{4})(?P<month>\d{2})(?P<day>\d{2})"
    rf"(?:t(?P<hour>\d{{2}})(?P<minute>\d{{2}})(?P<second>\d{{2}})?{_ZONE})?"
)
_DAY_FIRST = _pattern(
    rf"{_WEEKDAY}(?P<day>\d{{1,2}}){_ORDINAL}[\s-]+{_MONTH_NAME}[\s-]+(?P<year>\d{{2,4}})(?:\s*,?\s+{_CLOCK})?"
)
_MONTH_FIRST = _pattern(
    rf"{_WEEKDAY}{_MONTH_NAME}\s+(?P<day>\d{{1,2}}){_ORDINAL}\s*,?\s+(?P<year>\d{{4}})(?:\s*,?\s+{_CLOCK})?"
)
_YEAR_LAST = _pattern(
    rf"{_WEEKDAY}{_MONTH_NAME}\s+(?P<day>\d{{1,2}})\s+{_TIME}(?:\s+(?P<zone>[a-z]{{1,5}}|[+-]\d{{4}}))?\s+(?P<year>\d{{4}})"
)
_MONTH_YEAR = _pattern(rf"{_MONTH_NAME}\s+(?P<year>\d{{4}})")
_EAST_ASIAN = _pattern(
    r"(?P<year>\d{4})\s*[年년]\s*(?:(?P<month>\d{1,2})\s*[月월]\s*(?:(?P<day>\d{1,2})\s*[日号號일]"
    r"(?:\s*[月火水木金土日]曜日?|\s*(?:星期|周|週)[一二三四五六日天])?"
    r"(?:\s*(?P<half>上午|下午|午前|午後|오전|오후)?\s*(?P<hour>\d{1,2})[:時时点點시]\s*(?P<minute>\d{1,2})"
    rf"(?:[:分분]\s*(?P<second>\d{{1,2}})\s*[秒초]?|[分분])?{_ZONE})?)?)?"
)
# The two forms that nearly all feeds write, for speed; the patterns above read them the same way.
_PLAIN_RFC = re.compile(
    r"(?:[A-Z][a-z]{2}, )?(\d\d?) ([A-Z][a-z]{2}) (\d{4}) ([01]\d|2[0-3]):([0-5]\d):([0-5]\d) "
    r"(GMT|([+-])(0\d|1[0-4])([0-5]\d))\Z",
    re.ASCII,
)
_PLAIN_ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(Z|([+-])(0\d|1[0-4]):([0-5]\d))\Z", re.ASCII
)
_EPOCH = re.compile(r"(?P<seconds>\d{10})(?P<millis>\d{3})?(?:\.(?P<fraction>\d{1,9})\d*)?\Z")
_YEAR = re.compile(r"\d{4}\Z")
_CALENDAR_HOUR = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])\Z")
_OFFSET = re.compile(r"([+-])(\d{1,2}):?(\d{2})?\Z")
_COMMENT = re.compile(r"\s*\([^()]*\)")
_AFTERNOON = frozenset({"p", "下午", "午後", "오후"})


def parse_date(raw: str, tag: str) -> DateEvidence:
    """Return what ``raw`` says about a point in time; ``raw`` itself is kept as it is.

    >>> parse_date("Wed, 01 May 2024 09:30:00 +0900", "pubDate").at
    datetime.datetime(2024, 5, 1, 0, 30, tzinfo=datetime.timezone.utc)
    >>> parse_date("2024年5月1日", "published").precision
    <Precision.DAY: 'day'>

    Looks like a date, but names no single day:

    >>> parse_date("03/04/2023", "pubDate").at is None
    True
    >>> parse_date("2023", "pubDate").precision, parse_date("2023", "pubDate").at
    (<Precision.YEAR: 'year'>, None)

    A clock reading without a zone is taken as UTC and says so in ``zone_known``. A date without a
    clock stands at midnight UTC with precision DAY. A Unix time is the only reading with
    ``zone_known`` and no ``offset_minutes``: it is an instant, but nobody wrote an offset. Names of
    weekdays are not read, since feeds get them wrong and translate them.

    >>> epoch = parse_date("1641031200", "published")
    >>> epoch.at.isoformat(), epoch.zone_known, epoch.offset_minutes
    ('2022-01-01T10:00:00+00:00', True, None)
    """
    text = raw.strip()
    plain = _PLAIN_ISO.match(text) or _PLAIN_RFC.match(text)
    try:
        if plain is not None:
            return _from_plain(plain, raw, tag)
        evidence = _parse(text, raw, tag)
    except (ValueError, OverflowError):
        return DateEvidence(tag, raw)
    if evidence.at is not None and evidence.at.microsecond:
        return replace(evidence, at=evidence.at.replace(microsecond=0))
    return evidence


def parse_instant(raw: str) -> datetime | None:
    """Return the point in time that ``raw`` names, fractions of a second included, or None.

    >>> parse_instant("2026-01-31T12:00:00.25+09:00").isoformat()
    '2026-01-31T03:00:00.250000+00:00'
    >>> parse_instant("12:00") is None
    True

    For times that a program wrote, where order counts. Publication dates are read by
    :func:`parse_date` in whole seconds, so that two feeds that format one date differently agree.
    """
    try:
        return _parse(raw.strip(), raw, "").at
    except (ValueError, OverflowError):
        return None


def _parse(text: str, raw: str, tag: str) -> DateEvidence:
    if not text or len(text) > _MAX_LENGTH:
        return DateEvidence(tag, raw)
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    if "(" in text:
        text = _COMMENT.sub("", text).strip()
    return _read(text, raw, tag) if text else DateEvidence(tag, raw)


def _from_plain(match: re.Match[str], raw: str, tag: str) -> DateEvidence:
    """Return the evidence for one of the two common forms."""
    one, two, three, hour, minute, second, _, sign, zone_hour, zone_minute = match.groups()
    if two.isdigit():
        year, month, day = int(one), int(two), int(three)
    else:
        year, month, day = int(three), MONTHS.get(two.lower(), 0), int(one)
    if year < _EARLIEST_YEAR:
        return DateEvidence(tag, raw)
    at = datetime(year, month, day, int(hour), int(minute), int(second), tzinfo=UTC)
    offset = (int(zone_hour) * 60 + int(zone_minute)) * (-1 if sign == "-" else 1) if sign else 0
    return DateEvidence(tag, raw, at - timedelta(minutes=offset) if offset else at, Precision.SECOND, offset, True)


def _read(text: str, raw: str, tag: str) -> DateEvidence:
    """Return the evidence for a cleaned text; raises ValueError for a day that does not exist."""
    patterns: tuple[re.Pattern[str], ...]
    if text[:4].isdigit():
        if text.isdigit() or "." in text:
            number = _read_number(text, raw, tag)
            if number is not None:
                return number
        patterns = (_ISO, _EAST_ASIAN, _COMPACT)
    else:
        patterns = (_DAY_FIRST, _MONTH_FIRST, _YEAR_LAST, _MONTH_YEAR) if not text[0].isdigit() else (_DAY_FIRST,)
    for pattern in patterns:
        match = pattern.match(text)
        if match is not None:
            return _from_match(match.groupdict(), raw, tag)
    return DateEvidence(tag, raw)


def _read_number(text: str, raw: str, tag: str) -> DateEvidence | None:
    """Return the evidence for a bare year or a Unix time, or None when it is another form.

    Ten digits that also spell a calendar hour (2024050112) have two readings and stay unknown.
    """
    if _YEAR.match(text):
        known = int(text) >= _EARLIEST_YEAR
        return DateEvidence(tag, raw, precision=Precision.YEAR if known else Precision.UNKNOWN)
    match = _EPOCH.match(text)
    if match is None:
        return None
    if _CALENDAR_HOUR.match(text):
        return DateEvidence(tag, raw)
    fraction = match["millis"] or match["fraction"]
    at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(
        seconds=int(match["seconds"]), microseconds=_microseconds(fraction)
    )
    return DateEvidence(tag, raw, at, Precision.SECOND, None, True)


def _from_match(part: dict[str, str | None], raw: str, tag: str) -> DateEvidence:
    """Return the evidence for the named groups of one pattern."""
    year = _full_year(part["year"] or "")
    name = part.get("name")
    month = MONTHS[name.lower()] if name and name.lower() in MONTHS else int(part.get("month") or 0)
    if name and not month:
        return DateEvidence(tag, raw)
    if year < _EARLIEST_YEAR or not part.get("day"):
        known = year >= _EARLIEST_YEAR and not part.get("day") and month <= 12
        coarse = (Precision.MONTH if month else Precision.YEAR) if known else Precision.UNKNOWN
        return DateEvidence(tag, raw, precision=coarse)
    day = date(year, month, int(part["day"] or 0))
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    if part.get("hour") is None:
        return DateEvidence(tag, raw, midnight, Precision.DAY)
    offset = _offset_minutes(part.get("zone"))
    at = midnight + _since_midnight(part) - timedelta(minutes=offset or 0)
    precision = Precision.SECOND if part.get("second") is not None else Precision.MINUTE
    return DateEvidence(tag, raw, at, precision, offset, offset is not None)


def _full_year(text: str) -> int:
    """Return the year that RFC 2822 gives to two and three digits."""
    year = int(text)
    if len(text) == 2:
        return year + (2000 if year < 50 else 1900)
    return year + 1900 if len(text) == 3 else year


def _since_midnight(part: dict[str, str | None]) -> timedelta:
    """Return the clock reading; 24:00 and a leap second are read as ISO 8601 means them."""
    hour, minute, second = (int(part.get(name) or 0) for name in ("hour", "minute", "second"))
    half = (part.get("half") or "").lower()
    if half:
        if half in ("a", "p") and not 1 <= hour <= 12:
            raise ValueError("a twelve-hour clock has no such hour")
        if half in _AFTERNOON:
            hour += 12 if hour < 12 else 0
        elif hour == 12:
            hour = 0
    if hour > 24 or minute > 59 or second > 60 or (hour == 24 and (minute or second)):
        raise ValueError("no such time of day")
    return timedelta(hours=hour, minutes=minute, seconds=second, microseconds=_microseconds(part.get("fraction")))


def _microseconds(fraction: str | None) -> int:
    return int(fraction.ljust(6, "0")[:6]) if fraction else 0


def _offset_minutes(zone: str | None) -> int | None:
    """Return minutes east of UTC, or None when the zone is missing, unknown or impossible."""
    if not zone:
        return None
    sign_at = max(zone.find("+"), zone.find("-"))
    name = zone[:sign_at].strip() if sign_at >= 0 else zone
    if sign_at < 0:
        return ZONES.get(name.lower())
    match = _OFFSET.match(zone[sign_at:])
    if match is None or (name and ZONES.get(name.lower()) != 0):
        return None
    minutes = int(match[2]) * 60 + int(match[3] or 0)
    if minutes > _MAX_OFFSET_MINUTES or int(match[3] or 0) > 59:
        return None
    return minutes if match[1] == "+" else -minutes
