"""Writes what a resolution says: one record, sighting, version, keys, events and decision at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ..blocking import extractor_version
from ..decide import Answer
from ..log import log_event
from ..model import (
    Decision,
    Event,
    Evidence,
    Item,
    ItemRef,
    Key,
    Outcome,
    Record,
    Review,
    ReviewState,
    Sighting,
    Status,
    Strength,
    Supports,
    Version,
)
from ..stores.base import Address, Touch
from ..survive import newest_good, order_of_currency, survive
from ..text.titles import clean_title
from .context import Context, Observation
from .resolve import Group, Resolution


@dataclass(frozen=True, slots=True)
class Delivery:
    """Whether what is written is announced."""

    history: bool = False


class Applier:
    """Applies resolutions inside one open unit."""

    def __init__(self, context: Context, now: datetime, delivery: Delivery) -> None:
        self._context = context
        self._unit = context.unit
        self._now = now
        self._delivery = delivery
        self._own_id = 0
        self._homes: dict[int, int] = {}
        self._taken_apart: list[tuple[int, Group]] = []
        self._own_version_id: int | None = None

    def apply(self, resolution: Resolution, observation: Observation) -> Decision:
        """Write everything and return the decision as it was stored."""
        self._write_trust()
        record_id, version_id = self._store_item(resolution, observation)
        self._close_reviews(resolution.groups)
        decision = draft_decision(resolution, record_id, self._context, self._now)
        if self._delivery.history:
            decision = replace(decision, flags=(*decision.flags, "history"))
        self._announce_unheard(record_id if decision.outcome is not Outcome.DUPLICATE else None)
        if decision.reason == "seen_again":
            return decision
        stored = self._unit.journal.add_decision(
            decision,
            deliver=not self._delivery.history and "rejected" not in decision.flags,
            old_version_id=resolution.old_version_id,
            new_version_id=version_id or newest_good(resolution.sighting).id or None,
        )
        self._open_reviews(resolution, stored)
        log_event(
            "decision",
            id=stored.decision_id,
            outcome=stored.outcome.value,
            reason=stored.reason,
            record=stored.record_id,
            source=stored.item.source,
        )
        return stored

    # --- trust ----------------------------------------------------------------------------------

    def _write_trust(self) -> None:
        for trust in self._context.new_trust:
            self._unit.sources.add_trust(trust)
            log_event(
                "trust_switched",
                source=f"s{trust.source_id}",
                kind=trust.kind,
                value=trust.value,
                reason=trust.reason,
            )
        for source_id, trait in self._context.new_traits:
            self._unit.sources.add_trait(source_id, trait)
            log_event("trait_learnt", source=f"s{source_id}", trait=trait)
        self._context.new_trust.clear()
        self._context.new_traits.clear()

    # --- records --------------------------------------------------------------------------------

    def store_groups(self, groups: Sequence[Group], outside: frozenset[int], cause: str) -> None:
        """Store groups that were formed again without an item: after a verdict, or on demand."""
        self._write_trust()
        self._finish(self._place(groups, None, None, cause), outside)
        self._close_reviews(groups)
        self._announce_unheard(None)

    def _store_item(self, resolution: Resolution, observation: Observation) -> tuple[int, int | None]:
        """Store the item's group and every other one that changed; return record and version id."""
        placed = self._place(resolution.groups, resolution, observation, "keys_or_text")
        homes = zip(resolution.groups, placed, strict=True)
        self._homes = {id(member): record_id for group, (record_id, _) in homes for member in group.members}
        self._finish(placed, resolution.outside)
        own_id = next(r for r, g in placed if any(s.id == self._own_id for s in g.members))
        return own_id, self._own_version_id

    def _place(
        self,
        groups: Sequence[Group],
        resolution: Resolution | None,
        observation: Observation | None,
        cause: str,
    ) -> list[tuple[int, Group]]:
        """Give every group its record and put its sightings there; announce what was joined or taken apart."""
        reduced = {r for g in groups for r in g.split_from}
        placed: list[tuple[int, Group]] = []
        for group in groups:
            own = resolution is not None and group is resolution.own_group
            changed = own or group.absorbed or group.split_from or group.record_id in reduced
            if group.record_id is not None and not changed:
                placed.append((group.record_id, group))
                continue
            record_id = group.record_id or self._unit.records.add_record(self._blank(group))
            members = group.members
            if own:
                assert resolution is not None
                assert observation is not None
                members = self._store_sighting(resolution, group, record_id, observation)
            self._move(members, record_id)
            settled = replace(group, members=members)
            placed.append((record_id, settled))
            self._announce(settled, record_id, cause)
        return placed

    def _finish(self, placed: Sequence[tuple[int, Group]], outside: frozenset[int]) -> None:
        """Derive keys and records from where the sightings are now."""
        self._store_keys(placed, outside)
        for record_id, group in placed:
            self._store_record(record_id, group)
        for record_id, group in placed:
            for absorbed in group.absorbed:
                self._retire(absorbed, record_id)

    def _store_sighting(
        self, resolution: Resolution, group: Group, record_id: int, observation: Observation
    ) -> tuple[Sighting, ...]:
        sighting, version = resolution.sighting, resolution.version
        if not sighting.id:
            sighting_id = self._unit.records.add_sighting(replace(sighting, record_id=record_id, versions=()))
        else:
            sighting_id = sighting.id
            self._unit.records.touch([touch_of(sighting, observation)])
        versions, version_id = sighting.versions, None
        if version is not None:
            key = observation_key(sighting, version, _replaced_id(sighting, version))
            version_id = self._unit.records.add_version(sighting_id, version, resolution.item, key)
            versions = tuple(replace(v, id=version_id) if v is version else v for v in versions)
        self._own_id, self._own_version_id = sighting_id, version_id
        stored = replace(sighting, id=sighting_id, versions=versions)
        return tuple(stored if m is sighting else m for m in group.members)

    def _blank(self, group: Group) -> Record:
        """A new row whose id the sightings need before the record can be derived from them."""
        return survive(group.members, 0, Status.ACTIVE, self._context.is_poor)

    def _move(self, members: Sequence[Sighting], record_id: int) -> None:
        moved = [s.id for s in members if s.record_id and s.record_id != record_id]
        if moved:
            self._unit.records.move_sightings(moved, record_id)

    def _store_record(self, record_id: int, group: Group) -> None:
        stored = self._unit.records.find_records([record_id])
        status = stored[0].status if stored else Status.ACTIVE
        record = survive(group.members, record_id, status, self._context.is_poor)
        if not stored or stored[0] != record:
            self._unit.records.update_record(record)

    def _retire(self, absorbed: int, survivor: int) -> None:
        """The absorbed record stays as a pointer; pointers that led to it lead on, so they stay flat."""
        for record in self._unit.records.find_records([absorbed]):
            self._unit.records.update_record(replace(record, status=Status.MERGED, survivor_id=survivor))
        for event in self._unit.journal.find_events(absorbed):
            if event.event == "merged" and event.survivor_number == absorbed:
                for record in self._unit.records.find_records(event.record_numbers):
                    if record.status is Status.MERGED and record.survivor_id == absorbed:
                        self._unit.records.update_record(replace(record, survivor_id=survivor))

    # --- keys -----------------------------------------------------------------------------------

    def _store_keys(self, placed: Sequence[tuple[int, Group]], outside: frozenset[int]) -> None:
        groups: dict[int, Sequence[Sighting]] = {record_id: group.members for record_id, group in placed}
        absorbed = {r for _, group in placed for r in group.absorbed}
        for sighting in self._unit.records.get_sightings(outside - absorbed) if outside else ():
            self._context.know(sighting.source_id)
            groups[sighting.record_id] = (*groups.get(sighting.record_id, ()), sighting)
        shared = self._shared_addresses(groups, absorbed) if len(groups) > 1 else set()
        rows: dict[int, Sequence[Key]] = dict.fromkeys(absorbed, ())
        rows |= {r: record_keys(m, shared, self._context) for r, m in groups.items()}
        self._unit.records.set_keys(rows)

    def _shared_addresses(self, groups: Mapping[int, Sequence[Sighting]], absorbed: set[int]) -> set[Address]:
        """Key addresses that more than one live record will hold."""
        holders: dict[Address, set[int]] = {}
        for record_id, members in groups.items():
            for sighting in members:
                for key in sighting.keys:
                    if key.strength is Strength.STRONG:
                        holders.setdefault(key.address, set()).add(record_id)
        for address, record_ids in self._unit.records.find_record_ids(holders).items():
            holders[address].update(set(record_ids) - groups.keys() - absorbed)
        return {address for address, record_ids in holders.items() if len(record_ids) > 1}

    # --- journal --------------------------------------------------------------------------------

    def _announce(self, group: Group, record_id: int, cause: str) -> None:
        if group.absorbed:
            self._add_event("merged", (record_id, *group.absorbed), record_id, cause, group)
        elif group.split_from:
            self._add_event("split", (*group.split_from, record_id), None, "lost_trust", group)
            if group.record_id is None:
                self._taken_apart.append((record_id, group))

    def _announce_unheard(self, told_id: int | None) -> None:
        """A record that a split made is delivered as new if none of its items ever was.

        While it was joined, its items may all have been answered as duplicates. ``told_id`` is the record
        that the decision at hand delivers anyway.
        """
        for record_id, group in self._taken_apart:
            told = {
                (d.item.guid, d.item.original_url, clean_title(d.item.title))
                for old in group.split_from
                for d in self._unit.journal.find_decisions(record_id=old)
                if d.outcome is not Outcome.DUPLICATE
            }
            if record_id == told_id or any((m.guid, m.original_url, m.clean_title) in told for m in group.members):
                continue
            sighting = order_of_currency(group.members)[0]
            version = newest_good(sighting)
            item = self._unit.records.get_item(version.id)
            answer = Answer(Outcome.NEW, "taken_apart", flags=("history",) if self._delivery.history else ())
            decision = make_decision(item, answer, record_id, self._context, self._now)
            decision = replace(decision, evidence=(Evidence("shared_key", True, Supports.UNKNOWN),))
            self._unit.journal.add_decision(decision, deliver=not self._delivery.history, new_version_id=version.id)
        self._taken_apart.clear()

    def _add_event(
        self, name: str, record_ids: tuple[int, ...], survivor: int | None, cause: str, group: Group
    ) -> None:
        moved = {f"s{s.id}": f"r{s.record_id}" for s in group.members if s.id}
        detail: dict[str, object] = {"sightings": moved}
        if self._delivery.history:
            detail["history"] = True
        event = self._unit.journal.add_event(Event(None, None, name, record_ids, survivor, cause, self._now, detail))
        names = ",".join(f"r{r}" for r in record_ids)
        log_event(f"records_{name}", id=event.event_id, records=names, survivor=survivor)

    def _open_reviews(self, resolution: Resolution, decision: Decision) -> None:
        """Every pair that waits now is opened, whichever of its items came first."""
        if decision.number is None:
            return
        for one, other in resolution.waiting:
            record_id, other_id = self._homes[id(one)], self._homes[id(other)]
            if record_id != other_id:
                review = Review(record_id, other_id, decision.number, ReviewState.WAITING, self._now)
                self._unit.reviews.add_review(review)

    def _close_reviews(self, groups: Iterable[Group]) -> None:
        for group in groups:
            if not group.absorbed:
                continue
            inside = {group.record_id, *group.absorbed}
            for review in self._unit.reviews.find_reviews(r for r in inside if r):
                if {review.record_id, review.other_id} <= inside and review.state is ReviewState.WAITING:
                    self._unit.reviews.close_review(review.record_id, review.other_id, ReviewState.MERGED)


def record_keys(members: Iterable[Sighting], shared: set[Address], context: Context) -> list[Key]:
    """Return the keys of a record: those of its sightings, marked with what they may do.

    A key that no sighting's source trusts is distrusted; one that another record has too is near.
    """
    keys: dict[Address, Key] = {}
    for sighting in members:
        distrusted = context.distrust.get(sighting.source, frozenset())
        for key in sighting.keys:
            lost = key.strength is not Strength.DISTRUSTED and (key.kind, key.value) in distrusted
            told = replace(key, strength=Strength.DISTRUSTED) if lost else key
            address = key.address
            known = keys.get(address)
            if known is None or _ORDER[told.strength] < _ORDER[known.strength]:
                keys[address] = told
    return [
        replace(key, strength=Strength.NEAR) if address in shared and key.strength is Strength.STRONG else key
        for address, key in keys.items()
    ]


_ORDER = {Strength.STRONG: 0, Strength.NEAR: 1, Strength.CANDIDATE: 2, Strength.DISTRUSTED: 3}


def draft_decision(resolution: Resolution, record_id: int | None, context: Context, now: datetime) -> Decision:
    """Return the decision of a resolution, without id and seq."""
    decision = make_decision(resolution.item, resolution.answer, record_id, context, now)
    return replace(decision, matched=resolution.matched, flags=resolution.flags, evidence=resolution.evidence)


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


def observation_key(sighting: Sighting, version: Version, replaces: int) -> str:
    """Return the hash under which an observation is stored once, however often a job is retried."""
    raw = version.published.raw if version.published else ""
    parts = (
        sighting.source,
        sighting.guid,
        sighting.original_url,
        sighting.clean_title,
        sighting.kind.value,
        str(sighting.slot),
        raw,
        version.fingerprint.text_hash,
        version.fingerprint.representation.value,
        version.state.value,
        str(replaces),
    )
    return hashlib.sha256("\x00".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def touch_of(sighting: Sighting, observation: Observation) -> Touch:
    """Return what a repeat writes. A late one moves nothing but the keys."""
    if observation.late:
        return Touch(sighting.id, 0, 0, sighting.last_seen_at, sighting.keys)
    order_no, seen_at = observation.order_no, observation.observed_at
    return Touch(sighting.id, observation.fetch_no, order_no, seen_at, sighting.keys, sighting.digest)


def _replaced_id(sighting: Sighting, version: Version) -> int:
    older = [v.id for v in sighting.versions if v is not version]
    return older[-1] if older else 0
