"""Compares everything that is stored once more, under the policy and rules in force now.

Items find each other when they arrive. What was stored before a rule or a limit was changed meets again
only here. Page by page, each a unit of its own: a page that fails is rolled back and raised, the pages
before it stand, and the next run goes over all of them again. A second run changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime

from ..blocking import derive_features
from ..cluster import cluster_sightings
from ..log import log_event
from ..model import Key, Sighting, Status
from ..policy import Policy
from ..stores.base import Address, Store, Touch, Unit
from .apply import Applier, Delivery
from .context import Context
from .gather import Gatherer
from .resolve import find_verdicts, group_clusters
from .rulebook import RuleSource

PAGE = 100


@dataclass(frozen=True, slots=True)
class Consolidated:
    """How far a run has come: ``done`` of ``total`` record ids, and what it did until now.

    ``records`` were looked at, ``merged`` were taken over by another one, ``split`` were taken apart, and
    ``reviews`` pairs wait for a person that did not before.
    """

    done: int
    total: int
    records: int = 0
    merged: int = 0
    split: int = 0
    reviews: int = 0


def consolidate_all(
    store: Store,
    rules: RuleSource,
    policy: Policy,
    clock: Callable[[], datetime],
    *,
    page: int = PAGE,
    dry_run: bool = False,
) -> Iterator[Consolidated]:
    """Yield how far it has come after each page is committed; once at least. A dry run works on a copy.

    Raises:
        StoreError: a page could not be written; it is rolled back, those before it stand.
    """
    if dry_run:
        with closing(store.scratch_copy()) as copy:
            yield from consolidate_all(copy, rules, policy, clock, page=page)
        return
    with store.reading() as unit:
        total = unit.counts.count_stored().last_record_id
    run = _Run(rules, policy)
    progress = Consolidated(0, total)
    while progress.done < total:
        with store.unit() as unit:
            records = unit.records.find_records(after=progress.done, limit=page)
            live = [record.id for record in records if record.status is not Status.MERGED]
            progress = run.page(unit, live, clock(), progress)
            last = records[-1].id if records else total
        progress = replace(progress, done=min(max(last, progress.done), total))
        yield progress
    if not total:
        yield progress
    log_event("consolidated", records=progress.records, merged=progress.merged, split=progress.split)


class _Run:
    """One run over all pages. ``covered`` are records that were compared as part of another's neighborhood."""

    def __init__(self, rules: RuleSource, policy: Policy) -> None:
        self._rules = rules
        self._policy = policy
        self._covered: set[int] = set()

    def page(self, unit: Unit, record_ids: Sequence[int], now: datetime, progress: Consolidated) -> Consolidated:
        """Go over some records inside one unit; return the progress with what was done."""
        context = Context(unit, self._rules, self._policy)
        applier = Applier(context, now, Delivery())
        for record_id in record_ids:
            sightings = unit.records.get_sightings([record_id])
            if not sightings:
                continue  # taken over since the page was read
            progress = replace(progress, records=progress.records + 1)
            learnt = self._derive_keys(context, sightings)
            if learnt or record_id not in self._covered:
                progress = self._form_again(context, applier, learnt or sightings, now, progress)
        return progress

    def _derive_keys(self, context: Context, sightings: Sequence[Sighting]) -> list[Sighting]:
        """Add the keys that rules and policy give to stored items now; empty when there is none that is new.

        Keys are only added. What an older rule gave stays until the rule is taken back.
        """
        found = [replace(s, keys=self._keys(context, s)) for s in sightings]
        changed = [s for s, before in zip(found, sightings, strict=True) if s.keys != before.keys]
        touches = [Touch(s.id, 0, 0, s.last_seen_at, s.keys) for s in changed]
        if touches:
            context.unit.records.touch(touches)
        return found if changed else []

    def _keys(self, context: Context, sighting: Sighting) -> tuple[Key, ...]:
        keys: dict[Address, Key] = {key.address: key for key in sighting.keys}
        source = context.know(sighting.source_id)
        for version in sighting.versions:
            item = context.unit.records.get_item(version.id)
            derived = derive_features(item, source.identity, context.rules, self._policy, version.fingerprint)
            for key in derived.keys:
                keys.setdefault(key.address, key)
        return tuple(keys.values())

    def _form_again(
        self, context: Context, applier: Applier, sightings: Sequence[Sighting], now: datetime, progress: Consolidated
    ) -> Consolidated:
        """Form the clusters around a record again and store what came out."""
        found = Gatherer(context, lambda sighting: sighting).gather(sightings[0])
        clustering = cluster_sightings(found.members, found.pairs, find_verdicts(context.unit, found.members))
        groups = group_clusters(found.members, clustering, now)
        waiting = [(found.members[i], found.members[j]) for i, j in clustering.waiting]
        opened = applier.store_groups(groups, found.outside, "consolidate", waiting=waiting)
        if not found.bound_hit:
            self._covered |= {sighting.record_id for sighting in found.members}
        return replace(
            progress,
            merged=progress.merged + sum(len(group.absorbed) for group in groups),
            split=progress.split + sum(bool(group.split_from) for group in groups),
            reviews=progress.reviews + opened,
        )
