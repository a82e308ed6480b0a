"""From one changed sighting to everything that could be affected: load, compare, follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from ..compare import compare_sightings
from ..model import Comparison, Key, Relation, Sighting, Strength
from ..pair import Pair
from ..stores.base import Address
from .context import Context

_LINKED = (Relation.SAME, Relation.REVIEW)
"""What is followed from one sighting to the next; so is a pair kept apart that disputes a shared key."""


@dataclass(slots=True)
class Neighborhood:
    """Sightings that hang together, the comparisons between them, and what was looked at besides.

    ``members[0]`` is the sighting everything started from. ``beside`` are stored sightings that share
    a key with it but are not related; they still count when trust is learnt. ``stored`` holds the members as
    they are in the store, before the open fetch counts as seen. ``outside`` are the ids of
    all records that share a key with any member and stay what they are.
    """

    members: list[Sighting] = field(default_factory=list)
    pairs: dict[tuple[int, int], Comparison] = field(default_factory=dict)
    beside: list[tuple[Sighting, Comparison]] = field(default_factory=list)
    stored: dict[int, Sighting] = field(default_factory=dict)
    outside: frozenset[int] = frozenset()
    shares_distrusted_key: bool = False
    bound_hit: bool = False


class Gatherer:
    """Loads the neighborhood of a sighting from the store, comparing as it goes."""

    def __init__(self, context: Context, adjust: Callable[[Sighting], Sighting]) -> None:
        self._context = context
        self._adjust = adjust
        self._loaded: dict[int, list[Sighting]] = {}
        self._stored: dict[int, Sighting] = {}

    def gather(self, focus: Sighting, also_records: Iterable[int] = ()) -> Neighborhood:
        """Return the neighborhood of ``focus`` (``id`` 0 when it is not stored yet).

        ``also_records`` are pulled in whatever the comparison says: records whose sightings a trust
        switch concerns.
        """
        found = Neighborhood(members=[focus])
        inside: set[int] = set()
        queue = [focus]
        start = {*also_records} | ({focus.record_id} if focus.record_id else set())
        self._take(found, inside, start, queue, focus)
        while queue:
            sighting = queue.pop(0)
            for other in self._sharing(sighting, found):
                if other.record_id in inside or other.id == focus.id != 0:
                    continue
                comparison = self._compare(sighting, other)
                if comparison.relation in _LINKED or (comparison.via and comparison.relation is Relation.DIFFERENT):
                    self._take(found, inside, {other.record_id}, queue, focus)
                elif sighting is focus:
                    found.beside.append((other, comparison))
                if len(found.members) >= self._context.policy.bounds.max_component:
                    found.bound_hit = True
                    queue.clear()
                    break
        found.beside = [(s, c) for s, c in found.beside if s.record_id not in inside]
        found.stored = self._stored
        found.outside = frozenset(self._loaded) - inside
        self._compare_all(found)
        return found

    def _take(
        self,
        found: Neighborhood,
        inside: set[int],
        record_ids: set[int],
        queue: list[Sighting],
        focus: Sighting,
    ) -> None:
        fresh = sorted(record_ids - inside)
        inside.update(fresh)
        self._load(fresh)
        for record_id in fresh:
            for sighting in self._loaded[record_id]:
                if focus.id and sighting.id == focus.id:
                    continue
                found.members.append(sighting)
                queue.append(sighting)

    def _load(self, record_ids: Iterable[int]) -> None:
        missing = [record_id for record_id in record_ids if record_id not in self._loaded]
        if not missing:
            return
        for record_id in missing:
            self._loaded[record_id] = []
        for sighting in self._context.unit.records.get_sightings(missing):
            self._context.know(sighting.source_id)
            self._loaded[sighting.record_id].append(self._adjust(sighting))
            self._stored[sighting.id] = sighting

    def _sharing(self, sighting: Sighting, found: Neighborhood) -> list[Sighting]:
        """Stored sightings that share a usable key, by the ids of their records."""
        self._context.know(sighting.source_id)
        addresses = self._usable(sighting)
        if sighting is found.members[0]:
            found.shares_distrusted_key = any(
                key.strength is Strength.DISTRUSTED or self._distrusted(sighting, key) for key in sighting.keys
            )
        records, bound = self._context.unit.records, self._context.policy.bounds.max_bucket
        identity = [address for address in addresses if not _is_candidate(address)]
        candidates = [address for address in addresses if _is_candidate(address)]
        record_ids = {record_id for ids in records.find_record_ids(identity).values() for record_id in ids}
        for ids in records.find_record_ids(candidates, limit=bound + 1).values():
            found.bound_hit |= len(ids) > bound
            record_ids.update(ids[-bound:])
        self._load(sorted(record_ids))
        return [
            other
            for record_id in sorted(record_ids)
            for other in self._loaded[record_id]
            if addresses & self._usable(other)
        ]

    def _usable(self, sighting: Sighting) -> frozenset[Address]:
        """The key addresses that its source trusts. Two sightings that share none are never compared."""
        return frozenset(key.address for key in sighting.keys if self._may_look_up(sighting, key))

    def _distrusted(self, sighting: Sighting, key: Key) -> bool:
        return (key.kind, key.value) in self._context.distrust.get(sighting.source, frozenset())

    def _may_look_up(self, sighting: Sighting, key: Key) -> bool:
        return key.strength is not Strength.DISTRUSTED and not self._distrusted(sighting, key)

    def _compare(self, a: Sighting, b: Sighting) -> Comparison:
        context = self._context
        context.know(a.source_id)
        context.know(b.source_id)
        return compare_sightings(a, b, context.policy, context.distrust, context.traits)

    def _compare_all(self, found: Neighborhood) -> None:
        """Every pair that shares a usable key is compared; of the others only what keeps them apart."""
        members = found.members
        addresses = [self._usable(s) for s in members]
        for i, a in enumerate(members):
            for j in range(i + 1, len(members)):
                b = members[j]
                if addresses[i] & addresses[j]:
                    found.pairs[i, j] = self._compare(a, b)
                elif self._must_stay_apart(a, b):
                    found.pairs[i, j] = Comparison(Relation.DIFFERENT, "same_fetch", 99, ())

    def _must_stay_apart(self, a: Sighting, b: Sighting) -> bool:
        pair = Pair(a, b, self._context.policy, self._context.distrust)
        return bool(pair.conflicting_ids) or (pair.co_present and pair.titles_differ)


def _is_candidate(address: Address) -> bool:
    return address[0] in ("text", "title", "published", "claim")
