"""Which sighting stands in which record, for a neighborhood and what borders on it; rows and keys follow."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from ..model import Key, Record, Sighting, Status, Strength
from ..stores.base import Address
from ..stores.base_merges import RecordRow
from ..survive import survive
from .context import Context

_ORDER = {Strength.STRONG: 0, Strength.NEAR: 1, Strength.CANDIDATE: 2, Strength.DISTRUSTED: 3}

Members = Mapping[int, Sequence[Sighting]]
"""Sightings by the id of their record."""


class Layout:
    """Where sightings stand. Another layout is made when some of them move; nothing is written here.

    ``members`` is the neighborhood; ``border`` are records that stay what they are and share keys with it.
    """

    def __init__(self, context: Context, members: Members, border: Members, elsewhere: Mapping[Address, set[int]]):
        self._context = context
        self.members = members
        self.border = border
        self._elsewhere = elsewhere
        self._homes = {s.id: record_id for record_id, several in members.items() for s in several}

    @classmethod
    def load(cls, context: Context, sightings: Iterable[Sighting], outside: Collection[int]) -> Layout:
        """Return the layout of stored sightings; ``outside`` are the ids of the border."""
        members = _by_record(sightings)
        border = _by_record(context.unit.records.get_sightings(outside) if outside else ())
        for several in (*members.values(), *border.values()):
            for sighting in several:
                context.know(sighting.source_id)
        elsewhere: dict[Address, set[int]] = {}
        if len(members) + len(border) > 1:
            here = members.keys() | border.keys()
            strong = {a for s in (*members.values(), *border.values()) for a in _strong(s)}
            found = context.unit.records.find_record_ids(strong)
            elsewhere = {address: set(record_ids) - here for address, record_ids in found.items()}
        return cls(context, members, border, elsewhere)

    def home(self, sighting_id: int) -> int:
        """Return the record of a member."""
        return self._homes[sighting_id]

    def moved(self, homes: Mapping[int, int]) -> Layout:
        """Return the layout with some members in other records."""
        several = [s for members in self.members.values() for s in members]
        moved = _by_record(replace(s, record_id=homes[s.id]) if s.id in homes else s for s in several)
        return Layout(self._context, moved, self.border, self._elsewhere)

    def record(self, record_id: int, status: Status) -> Record:
        """Return a record of the neighborhood as its members make it."""
        return survive(self.members[record_id], record_id, status, self._context.is_poor)

    def row(self, record_id: int, status: Status) -> RecordRow:
        """Return what is stored of that record."""
        return RecordRow.of(self.record(record_id, status))

    def keys(self) -> dict[int, list[Key]]:
        """Return the keys of all records here. One that several records use is near for each of them."""
        here = {**self.members, **self.border}
        own = {record_id: record_keys(members, set(), self._context) for record_id, members in here.items()}
        shared = self._shared(own) if len(own) > 1 else set()
        return {record_id: mark_shared(several, shared) for record_id, several in own.items()}

    def _shared(self, own: Mapping[int, Sequence[Key]]) -> set[Address]:
        users: dict[Address, set[int]] = {}
        for record_id, several in own.items():
            for key in several:
                if key.strength is not Strength.DISTRUSTED:
                    users.setdefault(key.address, set()).add(record_id)
        return {a for a, record_ids in users.items() if len(record_ids | self._elsewhere.get(a, set())) > 1}


def _by_record(sightings: Iterable[Sighting]) -> dict[int, Sequence[Sighting]]:
    """In the order of their ids, so that what is taken from the first one does not depend on who asks."""
    found: dict[int, list[Sighting]] = {}
    for sighting in sorted(sightings, key=lambda sighting: sighting.id):
        found.setdefault(sighting.record_id, []).append(sighting)
    return {record_id: tuple(members) for record_id, members in found.items()}


def _strong(members: Iterable[Sighting]) -> set[Address]:
    return {key.address for sighting in members for key in sighting.keys if key.strength is Strength.STRONG}


def record_keys(members: Iterable[Sighting], shared: set[Address], context: Context) -> list[Key]:
    """Return the keys of a record: those of its sightings, marked with what they may do.

    A key that no sighting's source trusts is distrusted; one that another record has too is near.
    """
    keys: dict[Address, Key] = {}
    for sighting in members:
        distrusted = context.distrust.get(sighting.source, frozenset())
        for key in sighting.keys:
            lost = key.strength is not Strength.DISTRUSTED and (key.kind, key.value) in distrusted
            told = replace(key, strength=Strength.DISTRUSTED) if lost else key
            address = key.address
            known = keys.get(address)
            if known is None or _ORDER[told.strength] < _ORDER[known.strength]:
                keys[address] = told
    return mark_shared(keys.values(), shared)


def mark_shared(keys: Iterable[Key], shared: set[Address]) -> list[Key]:
    """Return the keys of a record with those that it shares as near at most."""
    return [
        replace(key, strength=Strength.NEAR) if key.strength is Strength.STRONG and key.address in shared else key
        for key in keys
    ]
