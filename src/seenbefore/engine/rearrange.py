"""Makes stored records agree with groups of sightings: first takes apart, then joins, one journaled step each.

Every step is planned on the rows as they stand, carried out, and kept with images, so that it can be undone
by itself. Whatever leads here (an item, a verdict, ``consolidate``) has stored its own facts before.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from ..merging.own_store import carry_out
from ..merging.plan import Derived, plan_merge, plan_split
from ..model import Event, Key, Review, ReviewState, Status
from ..stores.base_merges import Pair, Snapshot, pair_of
from ..survive import survive
from .context import Context
from .layout import Layout
from .resolve import Group

Placed = Sequence[tuple[int, Group]]
"""Groups with the record that each of them is stored under."""


class Opened(NamedTuple):
    """A pair that waits once a split was carried out, and the one that stood in for it until then, if any."""

    review: Review
    instead_of: Pair | None


class Rearranger:
    """Takes the steps that lead from where sightings stand to where they belong, inside one open unit."""

    def __init__(
        self, context: Context, now: datetime, *, history: bool = False, about: Mapping[str, object] | None = None
    ) -> None:
        self._context = context
        self._unit = context.unit
        self._now = now
        self._history = history
        self._about = about or {}

    def reserve(self, group: Group) -> int:
        """Return the id of a new record for a group that is split off: a mere pointer until the split.

        So a split is a merge backwards, and an undo leaves a pointer again: ids are never given twice.
        """
        record = survive(group.members, 0, Status.MERGED, self._context.is_poor)
        record = replace(record, survivor_id=group.split_from[0])
        return self._unit.records.add_record(record)

    def rearrange(
        self,
        placed: Placed,
        layout: Layout,
        cause: str,
        opened: Mapping[int, Sequence[Opened]],
        judged: Mapping[Pair, ReviewState] | None = None,
    ) -> Layout:
        """Take all steps and return where everything stands then.

        ``opened`` are the pairs that wait once the split that makes a record was carried out.
        """
        for record_id, group in placed:
            if group.split_from:
                layout = self._split(record_id, group, layout, cause, opened.get(record_id, ()))
        for record_id, group in placed:
            if group.absorbed:
                layout = self._merge(record_id, group, layout, cause, judged or {})
        return layout

    def _split(self, record_id: int, group: Group, layout: Layout, cause: str, opened: Sequence[Opened]) -> Layout:
        homes = leaving(group, record_id, layout)
        left = sorted({layout.home(sighting_id) for sighting_id in homes})
        after = layout.moved(homes)
        before = self._snapshot((record_id, *left), layout, after)
        rows = {r: after.row(r, _status(before, r)) for r in (record_id, *left)}
        reviews = {pair_of(each.review): each.review for each in opened}
        closed = {each.instead_of for each in opened if each.instead_of} - reviews.keys()
        plan = plan_split(before, record_id, homes, Derived(rows, _keys(after, before.of)), reviews, closed)
        cause = "lost_trust" if cause == "keys_or_text" else cause
        event = Event(None, None, "split", plan.record_ids, None, cause, self._now, self._detail(group, layout))
        carry_out(self._unit, plan, event)
        return after

    def _merge(
        self, record_id: int, group: Group, layout: Layout, cause: str, judged: Mapping[Pair, ReviewState]
    ) -> Layout:
        after = layout.moved({s.id: record_id for r in group.absorbed for s in layout.members[r]})
        before = self._snapshot((record_id, *group.absorbed), layout, after)
        rows = {record_id: after.row(record_id, before.records[record_id].status)}
        plan = plan_merge(before, record_id, group.absorbed, Derived(rows, _keys(after, before.of)), judged)
        detail = self._detail(group, layout)
        carry_out(self._unit, plan, Event(None, None, "merged", plan.record_ids, record_id, cause, self._now, detail))
        return after

    def _snapshot(self, record_ids: Collection[int], layout: Layout, after: Layout) -> Snapshot:
        """The rows of these records, and of those whose keys become strong, or no longer are, by the step."""
        keys, keys_after = layout.keys(), after.keys()
        changed = {r for r, several in keys_after.items() if r in keys and set(several) != set(keys[r])}
        return self._unit.merges.snapshot({*record_ids, *changed})

    def _detail(self, group: Group, layout: Layout) -> dict[str, object]:
        """Where each sighting of the group came from."""
        sightings = {f"s{m.id}": f"r{layout.home(m.id)}" for m in group.members}
        detail: dict[str, object] = {"sightings": sightings, **self._about}
        return {**detail, "history": True} if self._history else detail


def leaving(group: Group, record_id: int, layout: Layout) -> dict[int, int]:
    """Return the sightings that come to a group from records which stay with others."""
    return {m.id: record_id for m in group.members if layout.home(m.id) in group.split_from}


def _status(before: Snapshot, record_id: int) -> Status:
    """A record that is reserved becomes an active one."""
    status = before.records[record_id].status
    return Status.ACTIVE if status is Status.MERGED else status


def _keys(layout: Layout, record_ids: Collection[int]) -> dict[int, Sequence[Key]]:
    return {record_id: keys for record_id, keys in layout.keys().items() if record_id in record_ids}
