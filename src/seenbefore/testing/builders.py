"""Model values in one line: every field has a sensible default, a test names what it is about.

Each value differs by its ``number``: same number, same guid, URL and title.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from ..model import (
    DateEvidence,
    Decision,
    Event,
    Evidence,
    Fingerprint,
    Item,
    ItemRef,
    Key,
    Kind,
    Outcome,
    Precision,
    Record,
    Representation,
    Sighting,
    Status,
    Strength,
    Supports,
    Version,
)
from .clock import EPOCH


def at(hours: float = 0) -> datetime:
    """Return the moment so many hours after the beginning of the tests.

    >>> at(1.5).isoformat()
    '2024-01-01T09:30:00+00:00'
    """
    return EPOCH + timedelta(hours=hours)


def a_date(hours: float = 0, tag: str = "pubDate") -> DateEvidence:
    """Return a date known to the second.

    >>> a_date(1).raw
    '2024-01-01T09:00:00+00:00'
    """
    moment = at(hours)
    return DateEvidence(tag, moment.isoformat(), moment, Precision.SECOND, 0, zone_known=True)


def an_item(number: int = 1, **fields: Any) -> Item:
    """Return an item of a feed.

    >>> an_item(7, title="記事").original_url
    'https://news.example/7'
    """
    item = Item(
        source="https://news.example/feed",
        guid=f"guid-{number}",
        original_url=f"https://news.example/{number}",
        title=f"Title {number}",
        summary=f"Summary of article {number}.",
        published=a_date(),
    )
    return replace(item, **fields)


def a_key(value: str, kind: str = "url", strength: Strength = Strength.STRONG, scope: str = "") -> Key:
    """Return a key.

    >>> a_key("https://news.example/1").address
    ('url', '', 'https://news.example/1')
    """
    return Key(kind, value, scope, strength, rule_id="generic/url", pack_version=1)


def a_fingerprint(text: str = "") -> Fingerprint:
    """Return the fingerprint of a text as a test needs it: equal texts, equal hashes.

    >>> a_fingerprint("one").text_hash == a_fingerprint("two").text_hash
    False
    """
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Fingerprint(text, digest, (digest[:16],), len(text), bool(text), Representation.SUMMARY, "1")


def a_version(text: str = "Text", hours: float = 0, **fields: Any) -> Version:
    """Return a version captured so many hours after the beginning.

    >>> a_version("Text", 2).captured_at.hour
    10
    """
    version = Version(0, "Title", a_fingerprint(text), a_date(), None, captured_at=at(hours), fetch_no=1)
    return replace(version, **fields)


def a_sighting(record_id: int, source_id: int, number: int = 1, **fields: Any) -> Sighting:
    """Return a sighting that stood in the first fetch of its source.

    >>> a_sighting(record_id=1, source_id=1, number=7).guid
    'guid-7'
    """
    sighting = Sighting(
        id=0,
        record_id=record_id,
        source_id=source_id,
        source="https://news.example/feed",
        kind=Kind.ARTICLE,
        guid=f"guid-{number}",
        original_url=f"https://news.example/{number}",
        clean_title=f"title {number}",
        slot=0,
        keys=(a_key(f"https://news.example/{number}"),),
        versions=(),
        runs=((1, 1),),
        first_seen_at=at(),
        last_seen_at=at(),
        last_fetch_no=1,
        times=1,
    )
    return replace(sighting, **fields)


def a_record(source_id: int, number: int = 1, **fields: Any) -> Record:
    """Return an active record without versions.

    >>> a_record(source_id=1, number=7).title
    'Title 7'
    """
    record = Record(
        id=0,
        kind=Kind.ARTICLE,
        status=Status.ACTIVE,
        survivor_id=None,
        title=f"Title {number}",
        url=f"https://news.example/{number}",
        external_id=None,
        primary_source_id=source_id,
        current_version_id=0,
        first_seen_at=at(),
        last_seen_at=at(),
        first_published_at=at(),
        content_updated_at=None,
    )
    return replace(record, **fields)


def a_decision(record_id: int | None = None, outcome: Outcome = Outcome.NEW, **fields: Any) -> Decision:
    """Return a decision that is not stored yet.

    >>> a_decision(1).outcome, a_decision(1).seq
    (<Outcome.NEW: 'new'>, None)
    """
    decision = Decision(
        seq=None,
        number=None,
        item=ItemRef(None, "News", "guid-1", "https://news.example/1", "Title 1"),
        outcome=outcome,
        reason="no_match",
        record_number=record_id,
        matched=None,
        changed=(),
        flags=(),
        evidence=(Evidence("title_bigrams", 0.25, Supports.UNKNOWN, limit=0.5, detail="few in common"),),
        rules_version="1",
        policy_version="1",
        extractor_version="1",
        decided_at=at(),
    )
    return replace(decision, **fields)


def an_event(*record_ids: int, event: str = "merged", **fields: Any) -> Event:
    """Return an event that is not stored yet.

    >>> an_event(1, 2).record_ids
    ('r1', 'r2')
    """
    return replace(Event(None, None, event, record_ids, None, "strong_key", at()), **fields)
