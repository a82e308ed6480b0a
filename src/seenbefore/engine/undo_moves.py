"""Takes back that a whole feed came back under new names: each of its entries becomes a record of its own again.

Nothing was moved when it was joined: each entry was a new sighting of a stored record, held there by a
verdict. So there are no rows to put back. The verdicts are turned around and the clusters formed again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..cluster import cluster_sightings
from ..merging.holding import hold
from ..model import Event, Label, Status, Verdict
from ..stores.base import Unit
from .apply import Applier, Delivery
from .context import Context
from .gather import Gatherer
from .resolve import find_verdicts, group_clusters


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What became of the entries: the records they and their old entries stand in, and how many verdicts it took."""

    record_ids: tuple[int, ...]
    labels: int


def find_joined(unit: Unit, event: Event) -> dict[int, set[int]]:
    """Return the entries of a mass change that still stand beside what they were, by their record."""
    pairs = _pairs(event)
    homes = unit.audit.find_homes({sighting_id for pair in pairs for sighting_id in pair})
    joined: dict[int, set[int]] = {}
    for entry_id, was_id in pairs:
        entry, was = homes.get(entry_id), homes.get(was_id)
        if entry is not None and was is not None and entry.record_id == was.record_id:
            joined.setdefault(entry.record_id, set()).add(entry_id)
    return joined


def _pairs(event: Event) -> list[tuple[int, int]]:
    pairs = event.detail.get("pairs")
    return [(int(entry_id), int(was_id)) for entry_id, was_id in pairs] if isinstance(pairs, Sequence) else []


def take_back(unit: Unit, context: Context, event: Event, now: datetime, author: str, *, history: bool) -> TakenBack:
    """Write the verdicts and form the clusters of every record again."""
    labels = 0
    applier = Applier(context, now, Delivery(history))
    records = set(event.record_numbers)
    for record_id, entries in sorted(find_joined(unit, event).items()):
        said = _take_apart(unit, context, applier, record_id, entries, now)
        for (one, other), verdict in said.items():
            unit.reviews.add_label(Label(one, other, verdict, author, now))
        labels += len(said)
    homes = unit.audit.find_homes(entry_id for entry_id, _ in _pairs(event))
    return TakenBack(tuple(sorted({home.record_id for home in homes.values()} | _live(unit, records))), labels)


def _take_apart(
    unit: Unit, context: Context, applier: Applier, record_id: int, entries: Collection[int], now: datetime
) -> dict[tuple[int, int], Verdict]:
    """Tell the entries from what the record had before them; return what has to be said, by sighting ids."""
    sightings = unit.records.get_sightings([record_id])
    for sighting in sightings:
        context.know(sighting.source_id)
    found = Gatherer(context, lambda sighting: sighting).gather(sightings[0])
    members, position = found.members, {sighting.id: i for i, sighting in enumerate(found.members)}
    older = {position[s.id] for s in sightings if s.id < min(entries)}
    verdicts = find_verdicts(unit, members)
    said = hold(members, found.pairs, verdicts, [*({position[entry_id]} for entry_id in sorted(entries)), older])
    clustering = cluster_sightings(members, found.pairs, {**verdicts, **said})
    applier.store_groups(group_clusters(members, clustering, now), found.outside, "person")
    return {(members[i].id, members[j].id): verdict for (i, j), verdict in said.items()}


def _live(unit: Unit, record_ids: Iterable[int]) -> set[int]:
    return {record.id for record in unit.records.find_records(record_ids) if record.status is not Status.MERGED}
