"""Columns and back: times, whatever zone they come in, and JSON as it is written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest

from seenbefore.errors import StoreError
from seenbefore.stores.rows import optional_time_text, text_time, time_text, to_json

NOON = datetime(2024, 10, 27, 12, tzinfo=UTC)


@pytest.mark.parametrize("zone", [UTC, timezone(timedelta(0)), timezone(timedelta(hours=9)), ZoneInfo("Asia/Tokyo")])
def test_one_instant_is_one_text(zone: tzinfo) -> None:
    assert time_text(NOON.astimezone(zone)) == "2024-10-27T12:00:00.000000Z"
    assert text_time(time_text(NOON.astimezone(zone))) == NOON


def test_the_hour_that_comes_twice() -> None:
    """At the end of summer time two instants look alike; asked one after the other they stay two."""
    berlin = ZoneInfo("Europe/Berlin")
    for _ in range(2):
        first, second = (datetime(2024, 10, 27, 2, 30, fold=fold, tzinfo=berlin) for fold in (0, 1))
        assert first == second, "to Python they are equal"
        assert (time_text(first), time_text(second)) == ("2024-10-27T00:30:00.000000Z", "2024-10-27T01:30:00.000000Z")


def test_a_time_without_zone_is_refused_even_after_one_that_looks_alike() -> None:
    naive = NOON.replace(tzinfo=None)
    for _ in range(2):
        assert time_text(NOON)
        with pytest.raises(StoreError, match="without zone"):
            time_text(naive)
    assert optional_time_text(None) is None


def test_the_order_of_texts_is_the_order_of_time() -> None:
    times = [NOON + timedelta(microseconds=n) for n in (0, 1, 10, 1_000_000, 10**12)]
    assert sorted(map(time_text, reversed(times))) == [time_text(at) for at in times]


def test_json_is_compact_and_keeps_letters() -> None:
    assert to_json({"橋": [1, None, True, "é\n"]}) == '{"橋":[1,null,true,"é\\n"]}'
