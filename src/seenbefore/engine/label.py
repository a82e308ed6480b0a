"""A person's verdict on two records, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import product

from ..cluster import cluster_sightings
from ..errors import InvalidInput
from ..merging.holding import Verdicts, keep_apart, keep_together
from ..model import Event, Label, Record, ReviewState, Sighting, Verdict
from ..policy import Policy
from ..stores.base import Store, Unit
from .apply import Applier, Delivery
from .context import Context
from .explain import live_record
from .gather import Gatherer, Neighborhood
from .resolve import find_verdicts, group_clusters
from .rulebook import RuleSource


def label_pair(
    store: Store, rules: RuleSource, policy: Policy, now: datetime, a: int, b: int, verdict: Verdict, author: str
) -> tuple[int, int]:
    """Store a verdict on two records and form their clusters again; returns the live record ids.

    ``same`` joins them, whatever else speaks against it, ``different`` keeps them apart for good,
    ``related`` notes that they belong together and lifts an earlier verdict of either kind.

    Raises:
        NotFound: one of the records does not exist.
        InvalidInput: both ids lead to one record, so there is no pair to judge.
    """
    with store.unit() as unit:
        first, second = live_record(unit, a), live_record(unit, b)
        if first.id == second.id:
            raise InvalidInput(f"r{a} and r{b} are one record already; there is no pair to judge", "label")
        context = Context(unit, rules, policy)
        anchors = _anchors(unit, first, second)
        for anchor in anchors:
            context.know(anchor.source_id)
        found = Gatherer(context, lambda sighting: sighting).gather(anchors[0], [second.id])
        verdicts = find_verdicts(unit, found.members)
        said = _say(found, verdicts, anchors, verdict)
        for (i, j), each in said.items():
            unit.reviews.add_label(Label(found.members[i].id, found.members[j].id, each, author, now))
        clustering = cluster_sightings(found.members, found.pairs, {**verdicts, **said})
        groups = group_clusters(found.members, clustering, now)
        pair = (min(first.id, second.id), max(first.id, second.id))
        state = ReviewState(verdict.value)
        Applier(context, now, Delivery()).store_groups(groups, found.outside, "label", judged={pair: state})
        if any({r.record_id, r.other_id} == set(pair) for r in unit.reviews.find_reviews([first.id])):
            unit.reviews.close_review(*pair, state)
        unit.journal.add_event(Event(None, None, "label", (first.id, second.id), None, verdict.value, now))
        return live_record(unit, first.id).id, live_record(unit, second.id).id


def _say(found: Neighborhood, verdicts: Verdicts, anchors: tuple[Sighting, Sighting], verdict: Verdict) -> Verdicts:
    """What the verdict on two records says of their sightings: of the anchors, and of whatever needs it."""
    position = {sighting.id: i for i, sighting in enumerate(found.members)}
    sides = [
        [i for i, sighting in enumerate(found.members) if sighting.record_id == anchor.record_id] for anchor in anchors
    ]
    across = {(min(i, j), max(i, j)) for i, j in product(*sides)}
    i, j = (position[anchor.id] for anchor in anchors)
    said = {(min(i, j), max(i, j)): verdict}
    said |= {pair: verdict for pair in sorted(across) if verdicts.get(pair, verdict) is not verdict}
    if verdict is Verdict.DIFFERENT:
        return said | keep_apart(found.pairs, {**verdicts, **said}, sides)
    if verdict is Verdict.SAME:
        return said | keep_together(found.members, found.pairs, {**verdicts, **said}, [[*sides[0], *sides[1]]])
    return said


def _anchors(unit: Unit, first: Record, second: Record) -> tuple[Sighting, Sighting]:
    """The sightings the verdict is kept on: those that show each record's current version."""

    def anchor(record: Record, sightings: Sequence[Sighting]) -> Sighting:
        own = [s for s in sightings if s.record_id == record.id]
        return next((s for s in own if any(v.id == record.current_version_id for v in s.versions)), own[0])

    sightings = unit.records.get_sightings([first.id, second.id])
    return anchor(first, sightings), anchor(second, sightings)
