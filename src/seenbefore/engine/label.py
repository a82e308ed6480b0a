"""A person's verdict on two records, and what follows from it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from ..cluster import cluster_sightings
from ..errors import InvalidInput
from ..model import Event, Label, Record, ReviewState, Sighting, Verdict
from ..policy import Policy
from ..rules import Rules
from ..stores.base import Store, Unit
from .apply import Applier, Delivery
from .context import Context
from .explain import live_record
from .gather import Gatherer
from .resolve import find_verdicts, group_clusters


def label_pair(
    store: Store, rules: Rules, policy: Policy, now: datetime, a: int, b: int, verdict: Verdict, author: str
) -> tuple[int, int]:
    """Store a verdict on two records and form their clusters again; returns the live record ids.

    ``same`` joins them, ``different`` keeps them apart for good (and takes them apart when only a key
    or a text had joined them), ``related`` keeps them apart without a cannot-link for others.

    Raises:
        NotFound: one of the records does not exist.
        InvalidInput: both ids lead to one record, so there is no pair to judge.
    """
    with store.unit() as unit:
        first, second = live_record(unit, a), live_record(unit, b)
        if first.id == second.id:
            raise InvalidInput(f"r{a} and r{b} are one record already; there is no pair to judge", "label")
        anchors = _anchors(unit, first, second)
        unit.reviews.add_label(Label(anchors[0].id, anchors[1].id, verdict, author, now))
        for review in unit.reviews.find_reviews([first.id]):
            if {review.record_id, review.other_id} == {first.id, second.id}:
                unit.reviews.close_review(first.id, second.id, ReviewState(verdict.value))
        context = Context(unit, rules, policy)
        for anchor in anchors:
            context.know(anchor.source_id)
        found = Gatherer(context, lambda sighting: sighting).gather(anchors[0], [second.id])
        clustering = cluster_sightings(found.members, found.pairs, find_verdicts(unit, found.members))
        groups = group_clusters(found.members, clustering, now)
        Applier(context, now, Delivery()).store_groups(groups, found.outside, "label")
        unit.journal.add_event(Event(None, None, "label", (first.id, second.id), None, verdict.value, now))
        return live_record(unit, first.id).id, live_record(unit, second.id).id


def _anchors(unit: Unit, first: Record, second: Record) -> tuple[Sighting, Sighting]:
    """The sightings the verdict is kept on: those that show each record's current version."""

    def anchor(record: Record, sightings: Sequence[Sighting]) -> Sighting:
        own = [s for s in sightings if s.record_id == record.id]
        return next((s for s in own if any(v.id == record.current_version_id for v in s.versions)), own[0])

    sightings = unit.records.get_sightings([first.id, second.id])
    return anchor(first, sightings), anchor(second, sightings)
