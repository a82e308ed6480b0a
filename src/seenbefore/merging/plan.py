"""What a merge, a split or an undo will change, row by row, before anything is written. Pure.

Merging is "gather, then remove": a plan lists everything that hangs off the records that go (sightings with
their versions and labels, keys, reviews that wait, older redirects) and says where each of it stands
afterwards. Decisions and events stay as they are; they are found by the redirects.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..model import Key, Review, ReviewState, Status, Strength
from ..stores.base_merges import KeyPlace, Pair, RecordRow, Snapshot, pair_of


@dataclass(frozen=True, slots=True)
class Derived:
    """What follows from where the sightings stand afterwards: rows of live records, all keys of a record."""

    rows: Mapping[int, RecordRow] = field(default_factory=dict)
    keys: Mapping[int, Sequence[Key]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MergePlan:
    """The rows that a step touches, as they are and as they will be. ``record_ids`` are the records it is about."""

    record_ids: tuple[int, ...]
    before: Snapshot
    after: Snapshot

    @property
    def moves(self) -> dict[int, tuple[int, int]]:
        """The sightings that move: from which record to which."""
        before, after = self.before.sightings, self.after.sightings
        return {
            sighting_id: (placed.record_id, after[sighting_id].record_id)
            for sighting_id, placed in before.items()
            if after[sighting_id].record_id != placed.record_id
        }


def plan_merge(
    before: Snapshot,
    survivor_id: int,
    absorbed: Collection[int],
    derived: Derived,
    judged: Mapping[Pair, ReviewState] | None = None,
) -> MergePlan:
    """Return the plan by which one record takes over others. ``judged`` are pairs that a person decided on."""
    homes = {s: survivor_id for s, placed in before.sightings.items() if placed.record_id in absorbed}
    keys = {**derived.keys, **dict.fromkeys(absorbed, ())}
    redirects = dict.fromkeys(absorbed, survivor_id)
    after = rearrange(before, homes, redirects, Derived(derived.rows, keys), judged)
    return MergePlan((survivor_id, *absorbed), before, after)


def plan_split(
    before: Snapshot,
    record_id: int,
    homes: Mapping[int, int],
    derived: Derived,
    opened: Mapping[Pair, Review] | None = None,
    closed: Collection[Pair] = (),
) -> MergePlan:
    """Return the plan by which sightings leave their records for ``record_id``.

    ``opened`` are pairs that wait from then on, ``closed`` those that they take the place of.
    """
    left = sorted({before.sightings[sighting_id].record_id for sighting_id in homes})
    after = rearrange(before, homes, {}, derived, dict.fromkeys(closed, ReviewState.MERGED))
    reviews = {**(opened or {}), **after.reviews}
    return MergePlan((*left, record_id), before, replace(after, reviews=reviews))


def rearrange(
    before: Snapshot,
    homes: Mapping[int, int],
    redirects: Mapping[int, int],
    derived: Derived,
    judged: Mapping[Pair, ReviewState] | None = None,
) -> Snapshot:
    """Return the rows with sightings in other records and some records as pointers; pointers stay flat."""
    records = {**before.records, **derived.rows}
    for record_id, survivor_id in redirects.items():
        records[record_id] = records[record_id]._replace(status=Status.MERGED, survivor_id=survivor_id)
    flat = {
        record_id: row._replace(survivor_id=redirects.get(row.survivor_id, row.survivor_id))
        for record_id, row in records.items()
        if row.survivor_id is not None
    }
    keys: dict[KeyPlace, Key] = {p: key for p, key in before.keys.items() if p[0] not in derived.keys}
    keys |= {(record_id, key.address): key for record_id, several in derived.keys.items() for key in several}
    return Snapshot(
        records={**records, **flat},
        sightings={s: p._replace(record_id=homes.get(s, p.record_id)) for s, p in before.sightings.items()},
        keys=keys,
        reviews=fold_reviews(before.reviews, redirects, judged or {}),
        of=before.of,
    )


def fold_reviews(
    reviews: Mapping[Pair, Review], redirects: Mapping[int, int], judged: Mapping[Pair, ReviewState]
) -> dict[Pair, Review]:
    """Return the reviews when records become pointers: every pair that waits is one of two live records.

    A pair that is one record now is closed. One whose half was taken over is closed and goes on with the
    survivor, unless the survivor had that pair already.
    """
    folded = {pair: replace(r, state=judged.get(pair, r.state)) for pair, r in reviews.items()}
    for pair, review in reviews.items():
        if pair in judged or review.state is not ReviewState.WAITING or not redirects.keys() & set(pair):
            continue
        folded[pair] = replace(review, state=ReviewState.MERGED)
        one, other = (redirects.get(record_id, record_id) for record_id in (review.record_id, review.other_id))
        if one != other:
            carried = replace(review, record_id=one, other_id=other)
            folded.setdefault(pair_of(carried), carried)
    return folded


def find_losses(before: Snapshot, after: Snapshot) -> Iterator[str]:
    """Yield what a plan would lose or leave in disorder; nothing for a plan that may be carried out.

    >>> from ..stores.base_merges import Placed
    >>> stays = Snapshot(sightings={1: Placed(5, 1, 1, 1, 1)})
    >>> list(find_losses(stays, stays))
    []
    >>> list(find_losses(stays, Snapshot()))
    ['1 sighting']
    """
    missing = before.sightings.keys() - after.sightings.keys()
    if missing:
        yield f"{len(missing)} sighting" + ("s" if len(missing) > 1 else "")
    if {address for _, address in before.keys} - {address for _, address in after.keys}:
        yield "a key"
    full = {placed.record_id for placed in after.sightings.values()}
    holding = full | {record_id for record_id, _ in after.keys}
    merged = {record_id for record_id, row in after.records.items() if row.status is Status.MERGED}
    if merged & holding:
        yield "what is left in a merged record"
    if any(row.survivor_id in merged for row in after.records.values()):
        yield "a flat redirect"
    if after.records.keys() - merged - full:
        yield "every sighting of a live record"
    strong = [address for (_, address), key in after.keys.items() if key.strength is Strength.STRONG]
    if len(strong) > len(set(strong)):
        yield "the single holder of a strong key"
    if any(r.state is ReviewState.WAITING and merged & {r.record_id, r.other_id} for r in after.reviews.values()):
        yield "a review that waits"
