"""Writes what a resolution says, in two phases: first the item with its answer, then what it sets in motion.

After the first phase the item is stored, answered, and waits beside whom it may, and every other record
still is what it was. The second takes records apart and joins them (``rearrange``), each step undoable:
undone, the rows are again what they were between the phases.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from ..blocking import sighting_hash
from ..compare import compare_sightings
from ..log import log_event
from ..model import (
    Decision,
    Record,
    Relation,
    Review,
    ReviewState,
    Sighting,
    Status,
    Version,
)
from ..stores.base import Touch
from ..stores.base_merges import Pair, RecordRow, pair_of
from ..survive import newest_good, survive
from .announce import announce_unheard, draft_decision, item_ref, log_decision, make_decision
from .context import Context, Observation
from .layout import Layout, record_keys
from .rearrange import Opened, Rearranger, leaving
from .resolve import Group, Resolution

__all__ = [
    "Applier",
    "Delivery",
    "draft_decision",
    "item_ref",
    "make_decision",
    "observation_key",
    "record_keys",
    "touch_of",
]

Waiting = Sequence[tuple[Sighting, Sighting]]
"""Pairs of sightings that wait for a person."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """Whether what is written is announced."""

    history: bool = False


@dataclass(frozen=True, slots=True)
class _Stage:
    """Groups with their records, and where everything stands before they are taken apart and joined."""

    placed: tuple[tuple[int, Group], ...]
    layout: Layout
    ids: Mapping[int, int] = field(default_factory=dict)
    """The id of each member by ``id(member)``, the new one included."""


class Applier:
    """Applies resolutions inside one open unit."""

    def __init__(
        self, context: Context, now: datetime, delivery: Delivery, about: Mapping[str, object] | None = None
    ) -> None:
        """``about`` is what the events that are written say of their occasion."""
        self._context = context
        self._unit = context.unit
        self._now = now
        self._delivery = delivery
        self._rearranger = Rearranger(context, now, history=delivery.history, about=about)

    def apply(self, resolution: Resolution, observation: Observation) -> Decision:
        """Write everything and return the decision as it was stored."""
        self._write_trust()
        stage, record_id, version_id = self._store_item(resolution, observation)
        decision = draft_decision(resolution, record_id, self._context, self._now)
        if self._delivery.history:
            decision = replace(decision, flags=(*decision.flags, "history"))
        opened: dict[int, list[Opened]] = {}
        if decision.reason != "seen_again":
            decision = self._journal(decision, resolution, version_id)
            opened = self._open_reviews(stage, resolution.waiting, decision.number)[1]
        self._set_in_motion(stage, opened)
        return decision

    def store_groups(
        self,
        groups: Sequence[Group],
        outside: Collection[int],
        cause: str,
        *,
        waiting: Waiting = (),
        judged: Mapping[Pair, ReviewState] | None = None,
    ) -> int:
        """Store groups that were formed again without an item: after a verdict, or on demand.

        ``waiting`` are pairs that a person should look at, ``judged`` pairs of records that one decided on.
        Returns how many pairs wait that did not before.
        """
        self._write_trust()
        stage = self._stage(groups, outside)
        count, opened = self._open_reviews(stage, waiting, None)
        layout = self._set_in_motion(stage, opened, cause, judged)
        self._store_rows(layout)
        return count

    def _set_in_motion(
        self,
        stage: _Stage,
        opened: Mapping[int, Sequence[Opened]],
        cause: str = "keys_or_text",
        judged: Mapping[Pair, ReviewState] | None = None,
    ) -> Layout:
        """The second phase; what was told of neither part of a record that was taken apart is told now."""
        layout = self._rearranger.rearrange(stage.placed, stage.layout, cause, opened, judged)
        parts = {r for record_id, group in stage.placed if group.split_from for r in (record_id, *group.split_from)}
        announce_unheard(self._context, self._now, parts, history=self._delivery.history)
        return layout

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

    # --- the item -------------------------------------------------------------------------------

    def _store_item(self, resolution: Resolution, observation: Observation) -> tuple[_Stage, int, int | None]:
        """Store the item where it stands by itself; return the record it belongs to in the end and its version."""
        own, focus = resolution.own_group, resolution.sighting
        home = focus.record_id or self._first_home(own, focus)
        fresh = home is None
        if home is None:
            home = self._unit.records.add_record(self._blank(own))
        stored, version_id = self._store_sighting(replace(focus, record_id=home), resolution, observation)
        groups = [
            replace(
                group,
                members=tuple(stored if member is focus else member for member in group.members),
                record_id=home if fresh and group is own else group.record_id,
            )
            for group in resolution.groups
        ]
        stage = self._stage(groups, resolution.outside)
        self._store_rows(stage.layout)
        own_id = next(r for r, g in stage.placed if stored in g.members)
        return replace(stage, ids={**stage.ids, id(focus): stored.id}), own_id, version_id

    def _first_home(self, group: Group, focus: Sighting) -> int | None:
        """The record that a new sighting comes to, as long as nothing is joined or taken apart for it.

        Where there are several, the one that its most certain comparison leads to.
        """
        choices = (group.record_id, *group.absorbed) if group.record_id else group.split_from
        if len(choices) < 2:
            return choices[0] if choices else None
        context = self._context
        joined = []
        for member in group.members:
            if member is not focus and member.record_id in choices:
                found = compare_sightings(focus, member, context.policy, context.distrust, context.traits)
                if found.relation is Relation.SAME:
                    joined.append((found.rank, sighting_hash(member), member.record_id))
        return min(joined)[2] if joined else choices[0]

    def _store_sighting(
        self, sighting: Sighting, resolution: Resolution, observation: Observation
    ) -> tuple[Sighting, int | None]:
        version = resolution.version
        if not sighting.id:
            sighting_id = self._unit.records.add_sighting(replace(sighting, versions=()))
        else:
            sighting_id = sighting.id
            self._unit.records.touch([touch_of(sighting, observation)])
        versions, version_id = sighting.versions, None
        if version is not None:
            key = observation_key(sighting, version, _replaced_id(sighting, version))
            version_id = self._unit.records.add_version(sighting_id, version, resolution.item, key)
            versions = tuple(replace(v, id=version_id) if v is version else v for v in versions)
        return replace(sighting, id=sighting_id, versions=versions), version_id

    def _blank(self, group: Group) -> Record:
        """A new row whose id the sightings need before the record can be derived from them."""
        return survive(group.members, 0, Status.ACTIVE, self._context.is_poor)

    def _stage(self, groups: Sequence[Group], outside: Collection[int]) -> _Stage:
        """Give every group its record; those that are split off get one reserved."""
        members = [member for group in groups for member in group.members]
        placed = tuple((group.record_id or self._rearranger.reserve(group), group) for group in groups)
        layout = Layout.load(self._context, members, outside)
        return _Stage(placed, layout, {id(member): member.id for member in members})

    def _store_rows(self, layout: Layout) -> None:
        """Write keys and records as the sightings make them where they stand now."""
        self._unit.records.set_keys(layout.keys())
        for stored in self._unit.records.find_records(layout.members):
            record = layout.record(stored.id, stored.status)
            if RecordRow.of(record) != RecordRow.of(stored):
                self._unit.records.update_record(record)

    # --- journal --------------------------------------------------------------------------------

    def _journal(self, decision: Decision, resolution: Resolution, version_id: int | None) -> Decision:
        stored = self._unit.journal.add_decision(
            decision,
            deliver=not self._delivery.history and "rejected" not in decision.flags,
            old_version_id=resolution.old_version_id,
            new_version_id=version_id or newest_good(resolution.sighting).id or None,
        )
        log_decision(stored)
        return stored

    def _open_reviews(
        self, stage: _Stage, waiting: Waiting, decision_number: int | None
    ) -> tuple[int, dict[int, list[Opened]]]:
        """Open every pair that waits now, whichever of its items came first; return how many are new.

        Where a half of a pair gets another record by a split, the pair goes on with that record from the
        split on; these are returned by the record that it makes.
        """
        layout, moves, splits = stage.layout, dict[int, int](), dict[int, int]()
        for number, (record_id, group) in enumerate(stage.placed):
            moved = leaving(group, record_id, layout) if group.split_from else {}
            moves |= moved
            splits |= dict.fromkeys(moved, number)
        pairs = [(stage.ids[id(one)], stage.ids[id(other)]) for one, other in waiting]
        numbered = [(max(splits.get(one, -1), splits.get(other, -1)), one, other) for one, other in pairs]
        count = 0
        later: dict[int, list[Opened]] = {}
        for number, one, other in sorted(numbered):  # first the pairs that no split moves
            opened = self._open_review(layout.home(one), layout.home(other), decision_number)
            count += opened is not None
            if number >= 0:
                first, second = (moves.get(each, layout.home(each)) for each in (one, other))
                review = Review(first, second, decision_number, ReviewState.WAITING, self._now)
                later.setdefault(stage.placed[number][0], []).append(Opened(review, opened))
                count += opened is None
        return count, later

    def _open_review(self, record_id: int, other_id: int, decision_number: int | None) -> Pair | None:
        """Return the pair if it was not there yet."""
        pair = (min(record_id, other_id), max(record_id, other_id))
        if record_id == other_id or any(pair_of(r) == pair for r in self._unit.reviews.find_reviews([record_id])):
            return None
        review = Review(record_id, other_id, decision_number, ReviewState.WAITING, self._now)
        self._unit.reviews.add_review(review)
        return pair


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
    own = (sighting.keys, sighting.digest, sighting.external_id)
    return Touch(sighting.id, observation.fetch_no, order_no, seen_at, *own)


def _replaced_id(sighting: Sighting, version: Version) -> int:
    older = [v.id for v in sighting.versions if v is not version]
    return older[-1] if older else 0
