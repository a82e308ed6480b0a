"""What happened, in order of time: to the store, a record, an event or a source. And what of it can be undone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from ..decisionjson import decision_to_json, event_to_json, format_id, format_time, parse_id
from ..errors import InvalidInput
from ..merging.undoing import Undoability
from ..model import Decision, Event, Label, Review, Sighting, Trust, Verdict, Version
from ..stores.base import Store, Unit
from .emit import version_to_json
from .explain import live_record
from .stats import find_decisions
from .storyjson import review_to_json, trust_to_json
from .undo import find_undoability


@dataclass(frozen=True, slots=True)
class Said:
    """A person's verdict in force between a record and others; ``pairs`` counts the sightings it stands on."""

    verdict: Verdict
    author: str
    other_ids: tuple[str, ...]
    pairs: int


@dataclass(frozen=True, slots=True)
class Shown:
    """A version as it was captured, and the source that showed it."""

    source_id: str
    source: str
    version: Version


What = Decision | Event | Review | Said | Shown | Trust

_KINDS = {
    Shown: "version",
    Decision: "decision",
    Event: "event",
    Review: "review",
    Said: "verdict",
    Trust: "trust",
}
"""In this order where times are equal."""


@dataclass(frozen=True, slots=True)
class Happened:
    """One thing that happened. ``undo`` says of an event whether it can be taken back."""

    at: datetime
    what: What
    undo: Undoability | None = None

    @property
    def kind(self) -> str:
        """decision, event, review, verdict, version or trust."""
        return _KINDS[type(self.what)]


@dataclass(frozen=True, slots=True)
class History:
    """What happened to ``about`` ('' for the whole store), the newest last.

    A merged record answers with its survivor, ``moved_to``. ``more`` says that older entries were left out.
    """

    about: str
    entries: tuple[Happened, ...] = field(default_factory=tuple)
    moved_to: str | None = None
    more: bool = False


def find_history(store: Store, what: str | None, limit: int | None = None) -> History:
    """Return the history of a record (``r12``), an event (``m5``), a source (``s3``) or, with None, of the store.

    With ``limit`` the newest entries only.

    Raises:
        NotFound: nothing is stored under this id.
        InvalidInput: something else than one of these ids.
    """
    known = parse_id(what) if what is not None else None
    if what is not None and (known is None or known[0] == "d"):
        raise InvalidInput("give a record (r12), an event (m5) or a source (s3), or nothing", what)
    if known is not None and known[0] == "s":
        return _cut(_of_source(store, known[1], limit), limit)
    with store.reading() as unit:
        if known is None:
            wanted = None if limit is None else limit + 1
            events = unit.journal.find_events(limit=wanted)
            return _cut(History("", tuple(_event(unit, event) for event in events)), limit)
        letter, number = known
        about = f"{letter}{number}"
        if letter == "r":
            record = live_record(unit, number)
            moved = f"r{record.id}" if record.id != number else None
            return _cut(History(about, _order(_of_record(unit, record.id)), moved), limit)
        return _cut(History(about, tuple(_of_event(unit, unit.journal.get_event(number)))), limit)


def _cut(history: History, limit: int | None) -> History:
    if limit is None or len(history.entries) <= limit:
        return history
    entries = history.entries[len(history.entries) - limit :]
    return History(history.about, entries, history.moved_to, more=True)


def _order(entries: Iterable[Happened]) -> tuple[Happened, ...]:
    """By time; what has no seq of its own stands before what was said of it."""
    kinds = list(_KINDS.values())
    return tuple(sorted(entries, key=lambda entry: (entry.at, kinds.index(entry.kind), _seq(entry.what))))


def _seq(what: What) -> int:
    return (what.seq or 0) if isinstance(what, Decision | Event) else 0


def _event(unit: Unit, event: Event) -> Happened:
    return Happened(event.happened_at, event, find_undoability(unit, event))


def _of_event(unit: Unit, event: Event) -> list[Happened]:
    """The event, and what happened to its records since."""
    others = {e.number or 0: e for record_id in event.record_numbers for e in unit.journal.find_events(record_id)}
    return [_event(unit, others[number]) for number in sorted(others) if number >= (event.number or 0)]


def _of_source(store: Store, source_id: int, limit: int | None) -> History:
    """What lost its trust there, and the decisions on its items."""
    about = f"s{source_id}"
    decisions = find_decisions(store, None, about, None, None if limit is None else limit + 1)
    entries = [Happened(decision.decided_at, decision) for decision in decisions]
    with store.reading() as unit:
        entries += [Happened(trust.since, trust) for trust in unit.sources.find_trust(source_id)]
    return History(about, _order(entries))


def _of_record(unit: Unit, record_id: int) -> list[Happened]:
    """Everything about a record and those that were merged into it."""
    ids = [record_id, *unit.merges.find_merged([record_id])]
    sightings = unit.records.get_sightings([record_id])
    events = {e.number: e for each in ids for e in unit.journal.find_events(each)}
    decisions = [d for each in ids for d in unit.journal.find_decisions(record_id=each)]
    versions = [(s, version) for s in sightings for version in s.versions]
    return [
        *(Happened(v.captured_at, Shown(f"s{s.source_id}", s.source, v)) for s, v in versions),
        *(Happened(decision.decided_at, decision) for decision in decisions),
        *(_event(unit, event) for event in events.values()),
        *(Happened(review.opened_at, review) for review in unit.reviews.find_reviews(ids)),
        *_verdicts(unit, record_id, sightings),
    ]


def _verdicts(unit: Unit, record_id: int, sightings: Sequence[Sighting]) -> list[Happened]:
    """What people said of the record's sightings; a verdict on two records stands on many pairs."""
    said: dict[tuple[datetime, Verdict, str], list[Label]] = {}
    own = {sighting.id for sighting in sightings}
    for label in unit.reviews.find_labels(own):
        said.setdefault((label.labeled_at, label.verdict, label.author), []).append(label)
    others = {s for labels in said.values() for label in labels for s in (label.sighting_a, label.sighting_b)} - own
    homes = {s: home.record_id for s, home in unit.audit.find_homes(others).items()}
    entries = []
    for (at, verdict, author), labels in said.items():
        found = {homes.get(s, record_id) for label in labels for s in (label.sighting_a, label.sighting_b)}
        names = tuple(f"r{each}" for each in sorted(found - {record_id}))
        entries.append(Happened(at, Said(verdict, author, names, len(labels))))
    return entries


# --- as plain mappings --------------------------------------------------------------------------


def happened_to_json(entry: Happened) -> dict[str, object]:
    """Return the mapping of one entry: what happened stands under its kind; an event says whether it can be undone."""
    told: dict[str, object] = {"at": format_time(entry.at), "kind": entry.kind, entry.kind: _what_to_json(entry.what)}
    if entry.undo is not None:
        told |= {"undo": entry.undo.state, "undo_by": entry.undo.by.event_id if entry.undo.by else None}
    return told


def _what_to_json(what: What) -> dict[str, object]:
    if isinstance(what, Decision):
        return decision_to_json(what)
    if isinstance(what, Event):
        return {"seq": what.seq, **event_to_json(what)}
    if isinstance(what, Review):
        return review_to_json(what)
    if isinstance(what, Said):
        others = list(what.other_ids)
        return {"verdict": what.verdict.value, "author": what.author, "other_ids": others, "pairs": what.pairs}
    if isinstance(what, Shown):
        return {"source_id": what.source_id, "source": what.source, **version_to_json(what.version)}
    return {"source_id": format_id("s", what.source_id), **trust_to_json(what)}
