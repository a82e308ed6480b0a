"""How two stores differ that took in the same snapshots in different orders.

A store is compared by its records: which sightings each holds, which version is current, and its dates. Ids are
left out, since they may differ.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_TIMES: Final = ("first_published_at", "content_updated_at", "first_seen_at", "last_seen_at")


@dataclass(frozen=True, slots=True)
class Held:
    """One record without its id: the hashes of its sightings, what is current, and its times."""

    sightings: frozenset[str]
    current: tuple[str, str, str]
    times: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """What a run left behind. ``names`` says for people what stands behind the hash of a sighting."""

    records: tuple[Held, ...]
    names: dict[str, Sequence[object]]
    told: dict[str, int]
    last_seq: int
    problems: dict[str, int] | None
    late_flips: list[str] | None
    flips_among_late: int
    gold: dict[str, Any] | None

    @classmethod
    def read(cls, path: Path) -> Picture:
        """Return what a worker wrote."""
        found = json.loads(path.read_text(encoding="utf-8"))
        records = tuple(
            Held(frozenset(sightings), (current, title, text), tuple(times))
            for sightings, current, title, text, *times in found.pop("records")
        )
        return cls(records, **found)


@dataclass(frozen=True, slots=True)
class Difference:
    """Records of one run that the other has otherwise."""

    records: int
    parted: tuple[Held, ...]
    flipped: tuple[tuple[Held, Held], ...]
    dated: tuple[tuple[Held, Held], ...]

    @property
    def share(self) -> float:
        """Records whose set of sightings is no record of the other run, of all."""
        return len(self.parted) / self.records if self.records else 0.0

    @property
    def is_none(self) -> bool:
        """Whether both runs ended in the same."""
        return not (self.parted or self.flipped or self.dated)


def compare_pictures(usual: Picture, other: Picture) -> Difference:
    """Return what of the usual run is otherwise in the other: partition, what is current, times.

    A record that has the same sightings in both runs counts once, as flipped before as dated.
    """
    there = {held.sightings: held for held in other.records}
    same = [(held, there[held.sightings]) for held in usual.records if held.sightings in there]
    parted = [held for held in usual.records if held.sightings not in there]
    if not parted:  # then the other run can only have more
        parted += [held for held in other.records if held.sightings not in {h.sightings for h in usual.records}]
    return Difference(
        len(usual.records),
        tuple(parted),
        tuple((a, b) for a, b in same if a.current != b.current),
        tuple((a, b) for a, b in same if a.current == b.current and a.times != b.times),
    )


def describe(difference: Difference, usual: Picture, other: Picture, limit: int) -> Iterator[str]:
    """Yield lines that say which entries are concerned, for at most ``limit`` records of each kind."""
    names = {**usual.names, **other.names}
    for held in difference.parted[:limit]:
        yield "one record of the usual run:"
        yield from (f"  {_name(names[h])}" for h in sorted(held.sightings))
        for its in (h for h in other.records if h.sightings & held.sightings):
            yield "  is here with:"
            yield from (f"    {_name(names[h])}" for h in sorted(its.sightings))
    for a, b in difference.flipped[:limit]:
        yield f"another version is current: {_name(names[a.current[0]])}"
        yield f"  {a.current[1]!r} in the usual run, {b.current[1]!r} here, as {_name(names[b.current[0]])}"
    for a, b in difference.dated[:limit]:
        changed = [f"{n} {x} → {y}" for n, x, y in zip(_TIMES, a.times, b.times, strict=True) if x != y]
        yield f"other times: {_name(names[a.current[0]])}: {', '.join(changed)}"


def _name(name: Sequence[object]) -> str:
    source, guid, url, title, slot = name
    return f"{source}: {title!r} <{url}> guid {guid!r}" + (f", slot {slot}" if slot else "")
