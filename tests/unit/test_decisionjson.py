"""The one form of a decision that every surface shows."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import jsonschema
import pytest

from seenbefore.decisionjson import (
    decision_schema,
    decision_to_json,
    event_to_json,
    format_id,
    format_time,
    parse_id,
)
from seenbefore.errors import InvalidInput
from seenbefore.model import Evidence, ItemRef, Match, Outcome, Supports
from seenbefore.testing.builders import a_decision, an_event


def check(data: dict[str, object]) -> None:
    jsonschema.Draft202012Validator(decision_schema()).validate(json.loads(json.dumps(data)))


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(decision_schema())


def test_a_stored_decision() -> None:
    decision = replace(
        a_decision(12, Outcome.UPDATE),
        number=34,
        seq=56,
        item=ItemRef("mine", "News", "guid-1", "https://news.example/1", "桥"),
        matched=Match(12, "theirs", "https://news.example/0", "橋"),
        changed=("title",),
        flags=("reverted",),
        evidence=(Evidence("hours_apart", None, Supports.UNKNOWN, 48, "why", 1.5, record_number=12),),
        decided_at=datetime(2026, 3, 1, 9, tzinfo=timezone(timedelta(hours=9))),
    )
    assert decision_to_json(decision) == {
        "schema": 1,
        "seq": 56,
        "decision_id": "d34",
        "item": {
            "external_id": "mine",
            "source": "News",
            "guid": "guid-1",
            "original_url": "https://news.example/1",
            "title": "桥",
        },
        "outcome": "update",
        "reason": "no_match",
        "record_id": "r12",
        "matched": {
            "record_id": "r12",
            "external_id": "theirs",
            "url": "https://news.example/0",
            "title": "橋",
        },
        "changed": ["title"],
        "flags": ["reverted"],
        "evidence": [
            {
                "record_id": "r12",
                "kind": "hours_apart",
                "value": None,
                "limit": 48,
                "supports": "unknown",
                "bits": 1.5,
                "detail": "why",
            }
        ],
        "rules_version": "1",
        "policy_version": "1",
        "extractor_version": "1",
        "decided_at": "2026-03-01T00:00:00Z",
    }
    check(decision_to_json(decision))


def test_what_is_not_written_has_no_ids() -> None:
    data = decision_to_json(a_decision())
    assert (data["seq"], data["decision_id"], data["record_id"], data["matched"]) == (None, None, None, None)
    check(data)


@pytest.mark.parametrize(
    "change",
    [
        {"outcome": "maybe"},
        {"record_id": "12"},
        {"seq": 0},
        {"extra": 1},
        {"schema": 2},
        {"changed": ["mood"]},
    ],
)
def test_the_schema_refuses(change: dict[str, object]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        check({**decision_to_json(a_decision(1)), **change})


def test_an_event() -> None:
    event = replace(an_event(1, 2), number=5, survivor_number=1)
    data = event_to_json(event)
    assert (data["event"], data["event_id"], data["record_ids"], data["survivor_id"], data["cause"]) == (
        "merged",
        "m5",
        ["r1", "r2"],
        "r1",
        "strong_key",
    )
    assert event_to_json(an_event(1, 2, event="label"))["survivor_id"] is None


@pytest.mark.parametrize(("letter", "number"), [("r", 1), ("d", 34), ("m", 5), ("s", 10**17)])
def test_ids_go_there_and_back(letter: str, number: int) -> None:
    assert parse_id(str(format_id(letter, number))) == (letter, number)


@pytest.mark.parametrize("text", ["", "r", "12", "x12", "r1.2", "r-1", "r²", "r１２", "https://n.example/r12", "R12"])
def test_what_is_no_id(text: str) -> None:
    assert parse_id(text) is None


def test_a_number_too_large_for_any_store() -> None:
    with pytest.raises(InvalidInput):
        parse_id("r" + "9" * 19)


@pytest.mark.parametrize("number", [None, 0])
def test_no_number_no_id(number: Any) -> None:
    assert format_id("r", number) is None


def test_times_are_utc_and_unknown_stays_unknown() -> None:
    assert format_time(datetime(2026, 3, 1, 12, 30, tzinfo=UTC)) == "2026-03-01T12:30:00Z"
    assert format_time(None) is None
