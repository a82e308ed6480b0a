"""What must hold of decisions and events: they name versions, records and evidence that are there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from ..codes import EVENTS, EVIDENCE_KINDS, FLAGS, MEANINGS
from ..model import Decision, Event, Outcome
from ..text.titles import clean_title
from .problem import Problem

_RECORDS_OF = {"merged": 2, "split": 2, "label": 2}
"""Event → how many records it names at least."""

Kinship = Callable[[int, int], bool]
"""Whether two record ids lead to one live record, or a merge or split connects them."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the sighting of a version stands, and what names it."""

    record_id: int
    guid: str
    original_url: str
    clean_title: str


@dataclass(frozen=True, slots=True)
class Written:
    """A decision as the journal holds it; ``places`` says where the versions it names stand now."""

    decision: Decision
    old_version_id: int | None
    new_version_id: int | None
    places: Mapping[int, Place]


def check_decision(written: Written, are_kin: Kinship) -> Iterator[Problem]:
    """Yield what is wrong with a decision."""
    decision = written.decision
    for code, message in (
        *_check_codes(decision),
        *_check_versions(written, are_kin),
        *_check_evidence(decision),
        *_check_match(decision, are_kin),
    ):
        yield Problem(code, decision.decision_id or f"seq {decision.seq}", message)


Found = Iterator[tuple[str, str]]


def _check_codes(decision: Decision) -> Found:
    """Reason, evidence and flags are documented, and the versions in force are named."""
    if decision.reason not in MEANINGS[decision.outcome] or decision.reason == "seen_again":
        yield "decision_code", f"{decision.reason!r} is no reason of a stored {decision.outcome.value}"
    unknown = {fact.kind for fact in decision.evidence} - EVIDENCE_KINDS.keys()
    unknown |= set(decision.flags) - FLAGS.keys()
    if unknown:
        yield "decision_code", f"unknown evidence or flags: {', '.join(sorted(unknown))}"
    for name in ("rules_version", "policy_version", "extractor_version"):
        if not getattr(decision, name):
            yield "decision_versions", f"it does not name its {name}"


def _check_versions(written: Written, are_kin: Kinship) -> Found:
    """It names the text it is about, of a sighting of its record; an update what stood there before, too."""
    decision, new, old = written.decision, written.new_version_id, written.old_version_id
    if decision.record_number is None:
        yield "decision_record", "it names no record"
        return
    if new is None:
        yield "decision_versions", "it does not name the version it is about"
    if old is None and "text" in decision.changed:
        yield "decision_versions", "its text changed, and it does not name the version before"
    if decision.outcome is Outcome.UPDATE and old is not None and old == new:
        yield "decision_versions", f"version {new} cannot replace itself"
    for version_id in {new, old} - {None}:
        place = written.places.get(version_id or 0)
        if place is None:
            yield "decision_versions", f"version {version_id} is not there"
        elif not are_kin(place.record_id, decision.record_number):
            yield "decision_versions", f"version {version_id} belongs to r{place.record_id}"
    place = written.places.get(new or 0)
    item = decision.item
    named = (item.guid, item.original_url, clean_title(item.title))
    if place is not None and named != (place.guid, place.original_url, place.clean_title):
        yield "decision_versions", f"version {new} is that of another item"


def _check_evidence(decision: Decision) -> Found:
    """Whatever was compared with something stored says what was measured."""
    if decision.reason != "first_seen" and not decision.evidence:
        yield "decision_evidence", f"{decision.reason} without a measured fact"


def _check_match(decision: Decision, are_kin: Kinship) -> Found:
    """New items match nothing, reviews another record, everything else its own; updates say what changed."""
    matched = decision.matched.record_number if decision.matched else None
    record, outcome = decision.record_number, decision.outcome
    if (matched is None) != (outcome is Outcome.NEW):
        yield "decision_match", f"{outcome.value} with {'no' if matched is None else 'a'} matched record"
    elif matched is not None and record is not None:
        if outcome is Outcome.REVIEW:
            if matched == record:
                yield "decision_match", "it waits beside itself"
        elif not are_kin(matched, record):
            yield "decision_match", f"it is part of r{record}, and matched r{matched}"
    rejected = decision.reason == "rejected_record"
    if bool(decision.changed) != (outcome is Outcome.UPDATE or rejected):
        yield "decision_match", f"{outcome.value} that changed {', '.join(decision.changed) or 'nothing'}"


def check_event(event: Event) -> Iterator[Problem]:
    """Yield what is wrong with an event by itself."""
    where, named = event.event_id or f"seq {event.seq}", set(event.record_numbers)
    if event.event not in EVENTS:
        yield Problem("event_records", where, f"{event.event!r} is no event")
    elif len(named) < max(_RECORDS_OF.get(event.event, 1), 1) or len(named) < len(event.record_numbers):
        yield Problem("event_records", where, f"{event.event} of {', '.join(event.record_ids) or 'no record'}")
    if event.event == "merged" and event.survivor_number not in named:
        yield Problem("event_records", where, f"merged into {event.survivor_id}, which is none of {event.record_ids}")
