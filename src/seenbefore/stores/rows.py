"""Columns ↔ model values: times as text of fixed width, small structures as JSON.

Pure. Everything that is stored as JSON is written and read here and nowhere else, so that the two
directions stay together.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import astuple, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from ..errors import StoreError
from ..itemjson import item_from_mapping, item_to_mapping
from ..model import DateEvidence, Evidence, Item, Key, Precision, Strength, Supports

_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_STRENGTHS = {strength.value: strength for strength in Strength}


def to_json(value: object) -> str:
    """Return compact JSON.

    >>> to_json({"a": [1, "日本"]})
    '{"a":[1,"日本"]}'
    """
    return _ENCODER.encode(value)


def time_text(at: datetime) -> str:
    """Return an instant as UTC text whose order is the order of time.

    >>> time_text(datetime(2024, 1, 31, 8, tzinfo=UTC))
    '2024-01-31T08:00:00.000000Z'

    A time without zone is refused: it would be read as the machine's local time.

    >>> time_text(datetime(2024, 1, 31, 8))
    Traceback (most recent call last):
    seenbefore.errors.StoreError: a time without zone cannot be stored: 2024-01-31T08:00:00
    """
    if at.tzinfo is None:
        raise StoreError(f"a time without zone cannot be stored: {at.isoformat()}")
    return _utc_text(at if at.tzinfo is UTC else at.astimezone(UTC))


@lru_cache(maxsize=512)  # of times in UTC only: the two hours at the end of summer time count as equal elsewhere
def _utc_text(at: datetime) -> str:
    return at.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def text_time(text: str) -> datetime:
    """Return the instant that ``time_text`` wrote.

    >>> text_time("2024-01-31T08:00:00.000000Z")
    datetime.datetime(2024, 1, 31, 8, 0, tzinfo=datetime.timezone.utc)
    """
    return datetime.fromisoformat(text)


def optional_time_text(at: datetime | None) -> str | None:
    """Return the text of a time, or None for an unknown one."""
    return None if at is None else time_text(at)


def optional_text_time(text: str | None) -> datetime | None:
    """Return the time of a text, or None for an unknown one."""
    return None if text is None else datetime.fromisoformat(text)


def date_json(date: DateEvidence | None) -> str | None:
    """Return a date with its evidence as JSON, or None.

    >>> date_json(DateEvidence("pubDate", "Monday"))
    '["pubDate","Monday",null,"unknown",null,false]'
    """
    if date is None:
        return None
    at = optional_time_text(date.at)
    row: list[object] = [date.tag, date.raw, at, date.precision, date.offset_minutes, date.zone_known]
    if date.tier:  # read from a page
        row += [date.tier, date.agrees, date.conflicts]
    return to_json(row)


def date_from_json(text: str | None) -> DateEvidence | None:
    """Return the date that ``date_json`` wrote.

    >>> date_from_json('["pubDate","Monday",null,"unknown",null,false]').raw
    'Monday'
    """
    if text is None:
        return None
    tag, raw, at, precision, offset_minutes, zone_known, *page = json.loads(text)
    known = DateEvidence(tag, raw, optional_text_time(at), Precision(precision), offset_minutes, zone_known)
    if not page:
        return known
    tier, agrees, conflicts = page
    return replace(known, tier=tier, agrees=tuple(agrees), conflicts=tuple(conflicts))


def keys_json(keys: Iterable[Key]) -> str:
    """Return keys as JSON, in their order.

    >>> keys_json([Key("url", "https://a.example/1")])
    '[["url","https://a.example/1","","strong","",0]]'
    """
    return to_json([(key.kind, key.value, key.scope, key.strength, key.rule_id, key.pack_version) for key in keys])


def keys_from_json(text: str) -> tuple[Key, ...]:
    """Return the keys that ``keys_json`` wrote.

    >>> keys_from_json('[["url","https://a.example/1","","near","",0]]')[0].strength
    <Strength.NEAR: 'near'>
    """
    return tuple(
        Key(kind, value, scope, _STRENGTHS[strength], rule_id, pack_version)
        for kind, value, scope, strength, rule_id, pack_version in json.loads(text)
    )


def evidence_json(evidence: Iterable[Evidence]) -> str:
    """Return ordered evidence as JSON.

    >>> evidence_json([Evidence("same_url", True, Supports.YES)])
    '[["same_url",true,"yes",null,"",null,null]]'
    """
    return to_json([astuple(fact) for fact in evidence])


def evidence_from_json(text: str) -> tuple[Evidence, ...]:
    """Return the evidence that ``evidence_json`` wrote."""
    return tuple(
        Evidence(kind, value, Supports(supports), limit, detail, bits, record_id)
        for kind, value, supports, limit, detail, bits, record_id in json.loads(text)
    )


def item_json(item: Item) -> str:
    """Return an item, as it arrived, as JSON."""
    return to_json(item_to_mapping(item))


def item_from_json(text: str) -> Item:
    """Return the item that ``item_json`` wrote."""
    return item_from_mapping(json.loads(text))


def pairs_from_json(text: str) -> tuple[tuple[int, int], ...]:
    """Return number ranges.

    >>> pairs_from_json("[[1,3],[5,5]]")
    ((1, 3), (5, 5))
    """
    return tuple((start, end) for start, end in json.loads(text))


def texts_from_json(text: str) -> tuple[str, ...]:
    """Return a list of texts.

    >>> texts_from_json('["title","text"]')
    ('title', 'text')
    """
    values: list[Any] = json.loads(text)
    return tuple(values)
