"""Dates are read strictly: one reading, or unknown."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from seenbefore.dates import parse_date, parse_instant
from seenbefore.model import Precision


@pytest.mark.parametrize(
    "raw",
    [
        "Wed, 01 May 2024 09:30:00 +0900",
        "wed, 1 may 2024 9:30:00 +09:00",
        "Wed,01 May 2024 00:30:00GMT",
        "1 May 24 00:30:00 Z",
        "Tue, 30 Apr 2024 20:30:00 EDT",  # the zone names of RFC 822
        "Tue, 30 Apr 2024 19:30:00 EST",
        "Thu, 01 May 2024 00:30:00 UT",  # it was a Wednesday
        "Mi., 01 Mai 2024 02:30:00 MESZ",
        "水, 01 May 2024 09:30:00 JST",
        "Wednesday, 01-May-24 00:30:00 GMT",
        "Wed May 01 09:30:00 JST 2024",
        "Wed May 01 2024 09:30:00 GMT+0900 (Japan Standard Time)",
        "May 1, 2024 12:30:00 AM UTC",
        "1st May 2024 00:30:00 UTC",
        "2024-05-01T00:30:00Z",
        "2024-05-01t09:30:00.123+09:00",
        "2024-05-01 00:30:00 UTC",
        "2024-05-01 09:30:00 +0900 JST",
        "2024-05-01T09:30:00+09:00[Asia/Tokyo]",
        "20240501T003000Z",
        "1714523400",
        "1714523400999",
        "2024年5月1日 09時30分00秒 JST",
        "２０２４年５月１日（水）午前 9:30:00 +0900",
    ],
)
def test_spellings_of_one_second_agree(raw: str) -> None:
    evidence = parse_date(raw, "pubDate")
    assert evidence.at == datetime(2024, 5, 1, 0, 30, tzinfo=UTC)
    assert evidence.precision is Precision.SECOND
    assert evidence.zone_known
    assert (evidence.raw, evidence.tag) == (raw, "pubDate")


@pytest.mark.parametrize(
    "raw",
    [
        *(
            "",
            "  ",
            "Monday",
            "now",
            "yesterday",
            "12:30",
            "1 January",
            "03/04/2023",
            "3.4.2023",
            "0000-00-00",
        ),
        *("0001-01-01T00:00:00", "2024-02-30", "2024-13-01", "2024-05-01T25:00:00Z", "2024-05-01T10:61:00Z"),
        *("32 May 2024", "1 Foo 2024", "123", "12345678901", "99999999", "2024050112", "-1714523400", "1e9"),
        *(
            "9999-12-31T23:59:59-10:00",
            "May 1, 2024 14:00 AM",
            "2024-W18-3",
            "x" * 10_000,
            "1" * 10_000,
            "()",
        ),
        *("2024-05-01 to 2024-05-03", "令和六年五月一日", "2024年13月1日"),
    ],
)
def test_what_names_no_single_day_is_unknown(raw: str) -> None:
    evidence = parse_date(raw, "date")
    assert evidence.at is None
    assert evidence.precision is Precision.UNKNOWN
    assert evidence.raw == raw


@pytest.mark.parametrize(
    ("raw", "precision"),
    [
        ("2023", Precision.YEAR),
        ("2023年", Precision.YEAR),
        ("2023-05", Precision.MONTH),
        ("May 2023", Precision.MONTH),
        ("2023年5月", Precision.MONTH),
    ],
)
def test_year_and_month_have_a_precision_but_no_instant(raw: str, precision: Precision) -> None:
    evidence = parse_date(raw, "date")
    assert (evidence.at, evidence.precision) == (None, precision)


@pytest.mark.parametrize(
    "raw", ["2024-05-01", "2024/5/1", "2024.05.01", "20240501", "1 May 2024", "May 1, 2024", "2024年5月1日"]
)
def test_a_day_stands_at_midnight_utc(raw: str) -> None:
    evidence = parse_date(raw, "date")
    assert evidence.at == datetime(2024, 5, 1, tzinfo=UTC)
    assert (evidence.precision, evidence.zone_known, evidence.offset_minutes) == (Precision.DAY, False, None)


@pytest.mark.parametrize("zone", ["", " IST", " A", " XYZ", " +9900", " GMT+99"])
def test_missing_and_unknown_zones_are_taken_as_utc_and_say_so(zone: str) -> None:
    evidence = parse_date(f"Wed, 01 May 2024 10:00:00{zone}", "pubDate")
    assert evidence.at == datetime(2024, 5, 1, 10, tzinfo=UTC)
    assert (evidence.zone_known, evidence.offset_minutes) == (False, None)


@pytest.mark.parametrize(
    ("zone", "minutes"),
    [("-0500", -300), ("EST", -300), ("+05:30", 330), ("GMT+9", 540), ("-0000", 0), ("Z", 0)],
)
def test_the_offset_is_kept(zone: str, minutes: int) -> None:
    evidence = parse_date(f"Wed, 01 May 2024 10:00 {zone}", "pubDate")
    assert (evidence.offset_minutes, evidence.zone_known, evidence.precision) == (
        minutes,
        True,
        Precision.MINUTE,
    )


@pytest.mark.parametrize(("written", "year"), [("49", 2049), ("50", 1950), ("99", 1999), ("101", 2001)])
def test_short_years_as_in_rfc_2822(written: str, year: int) -> None:
    at = parse_date(f"1 May {written} 10:00:00 GMT", "pubDate").at
    assert at is not None
    assert at.year == year


def test_midnight_as_24_and_leap_seconds() -> None:
    assert parse_date("2024-05-01T24:00:00Z", "x").at == datetime(2024, 5, 2, tzinfo=UTC)
    assert parse_date("2016-12-31T23:59:60Z", "x").at == datetime(2017, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("raw", "hour"),
    [("2024年5月1日 下午3:05", 15), ("2024年5月1日 午前12:05", 0), ("2024년 5월 1일 오후 3:05", 15)],
)
def test_halves_of_the_day_in_east_asia(raw: str, hour: int) -> None:
    at = parse_date(raw, "x").at
    assert at is not None
    assert (at.hour, at.minute) == (hour, 5)


def test_instants_keep_their_fraction_and_dates_do_not() -> None:
    raw = "2026-01-31T12:00:00.123456789Z"
    assert parse_instant(raw) == datetime(2026, 1, 31, 12, 0, 0, 123456, tzinfo=UTC)
    assert parse_date(raw, "x").at == datetime(2026, 1, 31, 12, tzinfo=UTC)
    assert parse_instant("1714523400250") == datetime(2024, 5, 1, 0, 30, 0, 250000, tzinfo=UTC)
    assert parse_instant("Monday") is None
    assert parse_instant("2024-02-30") is None
