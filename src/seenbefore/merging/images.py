"""Pictures of rows before and after a step: what to keep of them, and whether the rows still stand like that. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import TypeVar

from ..model import Status
from ..stores.base_merges import Placed, Snapshot

K = TypeVar("K")
V = TypeVar("V")


def difference(before: Snapshot, after: Snapshot, record_ids: Collection[int]) -> tuple[Snapshot, Snapshot]:
    """Return the rows that differ, as they were and as they are.

    Of the records that the step is about their rows and all sightings are kept, changed or not: they tell
    an undo which sides there were, and whether anything came later.

    >>> before = Snapshot(sightings={1: Placed(5, 1, 1, 1, 1), 2: Placed(7, 1, 1, 2, 1), 3: Placed(9, 1, 1, 3, 1)})
    >>> after = Snapshot(sightings={**before.sightings, 2: Placed(5, 1, 1, 2, 1)})
    >>> [{s: placed.record_id for s, placed in image.sightings.items()} for image in difference(before, after, (5, 7))]
    [{1: 5, 2: 7}, {1: 5, 2: 5}]
    """

    def kept(image: Snapshot, other: Snapshot) -> Snapshot:
        return Snapshot(
            records=_unlike(image.records, other.records, record_ids),
            sightings={s: placed for s, placed in image.sightings.items() if placed.record_id in record_ids},
            keys=_unlike(image.keys, other.keys),
            reviews=_unlike(image.reviews, other.reviews),
        )

    return kept(before, after), kept(after, before)


def _unlike(rows: Mapping[K, V], others: Mapping[K, V], always: Collection[object] = ()) -> dict[K, V]:
    return {place: row for place, row in rows.items() if others.get(place) != row or place in always}


def records_of(*images: Snapshot) -> frozenset[int]:
    """Return every record that the images say something of."""
    found: set[int] = set()
    for image in images:
        found |= image.records.keys()
        found |= {placed.record_id for placed in image.sightings.values()}
        found |= {record_id for record_id, _ in image.keys}
        found |= {record_id for pair in image.reviews for record_id in pair}
    return frozenset(found)


def stands(current: Snapshot, before: Snapshot, after: Snapshot) -> bool:
    """Return whether nothing happened since to what a step changed.

    Then its rows can be put back as they were. Otherwise something was added that must not be lost.
    """
    records = {placed.record_id for image in (before, after) for placed in image.sightings.values()}
    there = {s: placed for s, placed in current.sightings.items() if placed.record_id in records}
    return (
        there == after.sightings
        and all(current.records.get(record_id) == row for record_id, row in after.records.items())
        and all(current.keys.get(place) == after.keys.get(place) for place in before.keys.keys() | after.keys.keys())
        and all(current.reviews.get(p) == after.reviews.get(p) for p in before.reviews.keys() | after.reviews.keys())
        and not _leans(current, before, after)
    )


def _leans(current: Snapshot, before: Snapshot, after: Snapshot) -> bool:
    """Whether something that came later leans on a record that would be a mere pointer again."""
    pointers = {r for r, row in before.records.items() if row.status is Status.MERGED}
    pointers &= {r for r, row in after.records.items() if row.status is not Status.MERGED}
    redirected = any(
        row.survivor_id in pointers and record_id not in after.records for record_id, row in current.records.items()
    )
    return redirected or any(pointers & set(pair) and pair not in after.reviews for pair in current.reviews)


def put_back(current: Snapshot, before: Snapshot, after: Snapshot) -> Snapshot:
    """Return the rows as they stand, with those of the step as they stood before it."""
    return replace(
        current,
        records={**current.records, **before.records},
        sightings={**current.sightings, **before.sightings},
        keys={**_without(current.keys, after.keys), **before.keys},
        reviews={**_without(current.reviews, after.reviews), **before.reviews},
    )


def _without(rows: Mapping[K, V], gone: Mapping[K, V]) -> dict[K, V]:
    return {place: row for place, row in rows.items() if place not in gone}


def count_later(current: Snapshot, after: Snapshot, record_ids: Collection[int]) -> dict[int, str]:
    """Return what came to sightings of these records since: ``sighting`` or ``version``, by sighting id.

    A repeat is no edit.

    >>> old = Snapshot(sightings={1: Placed(5, 1, 1, 1, 1)})
    >>> now = Snapshot(sightings={1: Placed(5, 9, 9, 4, 1), 2: Placed(5, 1, 9, 5, 1)})
    >>> count_later(now, old, (5,))
    {1: 'version', 2: 'sighting'}
    >>> count_later(Snapshot(sightings={1: Placed(5, 2, 9, 1, 1)}), old, (5,))
    {}
    """
    later: dict[int, str] = {}
    for sighting_id, placed in current.sightings.items():
        if placed.record_id not in record_ids:
            continue
        known: Placed | None = after.sightings.get(sighting_id)
        if known is None:
            later[sighting_id] = "sighting"
        elif placed.newest_version_id > known.newest_version_id:
            later[sighting_id] = "version"
    return later
