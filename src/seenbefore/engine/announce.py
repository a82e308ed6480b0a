"""What is said: decisions on items, and on records that nobody has heard of yet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from ..blocking import extractor_version
from ..decide import Answer
from ..log import log_event
from ..model import Decision, Evidence, Item, ItemRef, Outcome, Sighting, Supports
from ..stores.base import Unit
from ..survive import newest_good, order_of_currency
from ..text.titles import clean_title
from .context import Context
from .resolve import Resolution


def draft_decision(resolution: Resolution, record_id: int | None, context: Context, now: datetime) -> Decision:
    """Return the decision of a resolution, without id and seq."""
    decision = make_decision(resolution.item, resolution.answer, record_id, context, now)
    return replace(decision, matched=resolution.matched, flags=resolution.flags, evidence=resolution.evidence)


def log_decision(decision: Decision) -> None:
    """Write the one line of a stored decision."""
    log_event(
        "decision",
        id=decision.decision_id,
        outcome=decision.outcome.value,
        reason=decision.reason,
        record=decision.record_id,
        source=decision.item.source,
    )


def make_decision(item: Item, answer: Answer, record_id: int | None, context: Context, now: datetime) -> Decision:
    """Return an answer under the versions in force, without id, seq, match and evidence."""
    return Decision(
        seq=None,
        number=None,
        item=item_ref(item),
        outcome=answer.outcome,
        reason=answer.reason,
        record_number=record_id,
        matched=None,
        changed=answer.changed,
        flags=answer.flags,
        evidence=(),
        rules_version=context.rules.version,
        policy_version=context.policy.version,
        extractor_version=extractor_version(),
        decided_at=now,
    )


def item_ref(item: Item) -> ItemRef:
    """Return the part of an item that decisions repeat."""
    return ItemRef(item.external_id, item.source, item.guid, item.original_url, item.title)


def announce_unheard(context: Context, now: datetime, record_ids: Iterable[int], *, history: bool) -> None:
    """Deliver records that were taken apart as new, where none of their items ever was.

    While they were joined, the items of either part may all have been answered as duplicates.
    """
    unit = context.unit
    for record_id in sorted(set(record_ids)):
        sightings = unit.records.get_sightings([record_id])
        if not sightings or _is_told(unit, record_id, sightings):
            continue
        version = newest_good(order_of_currency(sightings)[0])
        item = unit.records.get_item(version.id)
        answer = Answer(Outcome.NEW, "taken_apart", flags=("history",) if history else ())
        decision = make_decision(item, answer, record_id, context, now)
        decision = replace(decision, evidence=(Evidence("shared_key", True, Supports.UNKNOWN),))
        unit.journal.add_decision(decision, deliver=not history, new_version_id=version.id)


def _is_told(unit: Unit, record_id: int, sightings: Iterable[Sighting]) -> bool:
    """Whether any of the sightings was delivered, under this record or one that it was part of."""
    mine = {(s.guid, s.original_url, s.clean_title) for s in sightings}
    return any(
        (d.item.guid, d.item.original_url, clean_title(d.item.title)) in mine
        for relative in _relatives(unit, record_id)
        for d in unit.journal.find_decisions(record_id=relative)
        if d.outcome is not Outcome.DUPLICATE
    )


def _relatives(unit: Unit, record_id: int) -> list[int]:
    """The record, and all that merges and splits connect it with."""
    found, queue = {record_id}, [record_id]
    while queue:
        for event in unit.journal.find_events(queue.pop()):
            if event.event in ("merged", "split"):
                fresh = set(event.record_numbers) - found
                found |= fresh
                queue += fresh
    return sorted(found)
