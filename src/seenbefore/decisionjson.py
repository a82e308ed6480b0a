"""Decisions, events and changes as plain mappings: the one form that every surface shows.

Ids are strings (``r12``, ``d34``, ``m5``, ``s3``), times ISO 8601 in UTC. The schema is
``schema/decision.json`` in this package and is documented in the reference.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from importlib.resources import files

from .errors import InvalidInput
from .model import Decision, Event, Evidence

SCHEMA = 1


def decision_to_json(decision: Decision) -> dict[str, object]:
    """Return the mapping of a decision, ready for ``json.dumps``; unwritten ids are None."""
    item, matched = decision.item, decision.matched
    return {
        "schema": SCHEMA,
        "seq": decision.seq,
        "decision_id": format_id("d", decision.id),
        "item": {
            "external_id": item.external_id,
            "source": item.source,
            "guid": item.guid,
            "original_url": item.original_url,
            "title": item.title,
        },
        "outcome": decision.outcome.value,
        "reason": decision.reason,
        "record_id": format_id("r", decision.record_id),
        "matched": None
        if matched is None
        else {
            "record_id": format_id("r", matched.record_id),
            "external_id": matched.external_id,
            "url": matched.url,
            "title": matched.title,
        },
        "changed": list(decision.changed),
        "flags": list(decision.flags),
        "evidence": [evidence_to_json(evidence) for evidence in decision.evidence],
        "rules_version": decision.rules_version,
        "policy_version": decision.policy_version,
        "extractor_version": decision.extractor_version,
        "decided_at": format_time(decision.decided_at),
    }


def evidence_to_json(evidence: Evidence) -> dict[str, object]:
    """Return the mapping of one measured fact."""
    return {
        "record_id": format_id("r", evidence.record_id),
        "kind": evidence.kind,
        "value": evidence.value,
        "limit": evidence.limit,
        "supports": evidence.supports.value,
        "bits": evidence.bits,
        "detail": evidence.detail,
    }


def event_to_json(event: Event) -> dict[str, object]:
    """Return the mapping of an event."""
    return {
        "event": event.event,
        "event_id": format_id("m", event.id),
        "record_ids": [format_id("r", record_id) for record_id in event.record_ids],
        "survivor_id": format_id("r", event.survivor_id),
        "cause": event.cause,
        "happened_at": format_time(event.happened_at),
    }


def decision_schema() -> dict[str, object]:
    """Return the JSON Schema of a decision."""
    text = files(__package__).joinpath("schema/decision.json").read_text(encoding="utf-8")
    schema: dict[str, object] = json.loads(text)
    return schema


def format_id(letter: str, number: int | None) -> str | None:
    """Return ``r12`` for (``r``, 12) and None for None.

    >>> format_id("r", 12)
    'r12'
    """
    return None if not number else f"{letter}{number}"


def parse_id(text: str) -> tuple[str, int] | None:
    """Return ``("r", 12)`` for ``r12``, and None for anything that is no id.

    >>> parse_id("d34")
    ('d', 34)
    >>> parse_id("https://example.com/r12") is None
    True

    Raises:
        InvalidInput: a number too large to be an id.
    """
    letter, digits = text[:1], text[1:]
    if letter not in ("r", "d", "m", "s") or not digits.isascii() or not digits.isdigit():
        return None
    if len(digits) > 18:
        raise InvalidInput("this number is too large to be an id", text)
    return letter, int(digits)


def format_time(at: datetime | None) -> str | None:
    """Return ISO 8601 with ``Z``; None for an unknown time."""
    return None if at is None else at.astimezone(UTC).isoformat().replace("+00:00", "Z")
