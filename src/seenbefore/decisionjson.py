"""Decisions, events and changes as plain mappings: the one form that every surface shows.

Ids are strings (``r12``, ``d34``, ``m5``, ``s3``), times ISO 8601 in UTC. The schema is
``schema/decision.json`` in this package and is documented in the reference.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from importlib.resources import files

from .ids import format_id, parse_id
from .model import Decision, Event, Evidence

__all__ = [
    "SCHEMA",
    "decision_schema",
    "decision_to_json",
    "event_to_json",
    "evidence_to_json",
    "format_id",
    "format_time",
    "parse_id",
]

SCHEMA = 1


def decision_to_json(decision: Decision) -> dict[str, object]:
    """Return the mapping of a decision, ready for ``json.dumps``; unwritten ids are None."""
    item, matched = decision.item, decision.matched
    return {
        "schema": SCHEMA,
        "seq": decision.seq,
        "decision_id": decision.decision_id,
        "item": {
            "external_id": item.external_id,
            "source": item.source,
            "guid": item.guid,
            "original_url": item.original_url,
            "title": item.title,
        },
        "outcome": decision.outcome.value,
        "reason": decision.reason,
        "record_id": decision.record_id,
        "matched": None
        if matched is None
        else {
            "record_id": matched.record_id,
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
        "record_id": evidence.record_id,
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
        "event_id": event.event_id,
        "record_ids": list(event.record_ids),
        "survivor_id": event.survivor_id,
        "cause": event.cause,
        "undoes": event.detail.get("undoes"),
        "happened_at": format_time(event.happened_at),
    }


def decision_schema() -> dict[str, object]:
    """Return the JSON Schema of a decision."""
    text = files(__package__).joinpath("schema/decision.json").read_text(encoding="utf-8")
    schema: dict[str, object] = json.loads(text)
    return schema


def format_time(at: datetime | None) -> str | None:
    """Return ISO 8601 with ``Z``; None for an unknown time."""
    return None if at is None else at.astimezone(UTC).isoformat().replace("+00:00", "Z")
