"""What a rule pack would do to what is stored, before it does it: who would meet, who must not, what would flip.

The pairs come from the keys that the new rules read and the old ones do not. What would happen to them is not
guessed: the pack is activated on a scratch copy, and the journal of that copy is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime

from ..model import Decision, Event, Key, Outcome, Record, RuleVersion, Sighting
from ..pair import Pair
from ..policy import Policy
from ..stores.base import Address, Store, Unit
from ..survive import newest_good
from .activate import PAGE, Proposed, activate, propose
from .rederive import RULES, Rederiver, concerned_records
from .rulebook import RuleBook
from .stats import last_record_id

Clock = Callable[[], datetime]
Progress = Callable[[int, int], None]

_COMPARED = 20


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two stored records that would share a key. ``collision`` says what speaks against that: title, text, or both."""

    a: Record
    b: Record
    key: Key
    collision: str


@dataclass(frozen=True, slots=True)
class Flip:
    """A stored decision that would be another one: ``becomes`` an outcome, about record ``of``."""

    decision: Decision
    becomes: Outcome
    of: str


@dataclass(frozen=True, slots=True)
class PackCheck:
    """What activating a pack would do. ``records`` were looked at; ``hosts`` None stands for every host."""

    pack: str
    pack_version: int
    hosts: tuple[str, ...] | None
    records: int
    meetings: tuple[Meeting, ...]
    flips: tuple[Flip, ...]
    merged: int
    split: int
    reviews: int

    @property
    def collisions(self) -> tuple[Meeting, ...]:
        """Meetings of two articles, as far as title and text say."""
        return tuple(meeting for meeting in self.meetings if meeting.collision)


def check_pack(
    store: Store, book: RuleBook, policy: Policy, clock: Clock, text: str, where: str, progress: Progress | None = None
) -> PackCheck:
    """Return what activating a pack would do; writes nothing.

    Raises:
        InvalidRule, CannotActivate: as ``activate.propose``.
    """
    with store.reading() as unit:
        proposed = propose(unit, book, text, where)
        record_ids = concerned_records(unit, proposed.change.hosts)
        gained = _Gained(unit, proposed, policy, clock())
        for start in range(0, len(record_ids), PAGE):
            gained.look_at(record_ids[start : start + PAGE])
            if progress:
                progress(min(start + PAGE, len(record_ids)), len(record_ids))
        meetings = tuple(gained.meetings())
    flips, counts = _rehearse(store, book, policy, clock, proposed, where) if gained.changed else ((), (0, 0, 0))
    hosts = proposed.change.hosts
    return PackCheck(
        proposed.pack.name,
        proposed.pack.version,
        None if hosts is None else tuple(sorted(hosts)),
        len(record_ids),
        meetings,
        flips,
        *counts,
    )


class _Gained:
    """The keys that records would gain, and who has each of them."""

    def __init__(self, unit: Unit, proposed: Proposed, policy: Policy, now: datetime) -> None:
        self._unit = unit
        self._policy = policy
        self._rederiver = Rederiver(unit, proposed.change, policy, now)
        self._gaining: dict[Address, dict[int, Key]] = {}
        self._losing: set[tuple[Address, int]] = set()
        self.changed = False

    def look_at(self, record_ids: Sequence[int]) -> None:
        """Note what these records would gain and lose."""
        before: dict[int, set[Address]] = {}
        after: dict[int, dict[Address, Key]] = {}
        for sighting in self._unit.records.get_sightings(record_ids):
            keys = self._rederiver.keys(sighting)
            self.changed |= set(keys) != set(sighting.keys)
            before.setdefault(sighting.record_id, set()).update(key.address for key in sighting.keys)
            after.setdefault(sighting.record_id, {}).update((key.address, key) for key in keys)
        for record_id, keys_after in after.items():
            for address in keys_after.keys() - before[record_id]:
                self._gaining.setdefault(address, {})[record_id] = keys_after[address]
            self._losing.update((address, record_id) for address in before[record_id] - keys_after.keys())

    def meetings(self) -> Iterator[Meeting]:
        """Yield each pair of records that would share a key they did not share, once, with the first such key.

        Where very many would share one, each is held against the next ones only.
        """
        present = self._unit.records.find_record_ids(self._gaining)
        seen: set[tuple[int, int]] = set()
        for address, gaining in sorted(self._gaining.items()):
            stay = [record_id for record_id in present.get(address, ()) if (address, record_id) not in self._losing]
            record_ids = sorted({*gaining, *stay})
            key = next(iter(gaining.values()))
            for place, one in enumerate(record_ids):
                for other in record_ids[place + 1 : place + 1 + _COMPARED]:
                    if (one, other) not in seen and (one in gaining or other in gaining):
                        seen.add((one, other))
                        yield self._meeting(one, other, key)

    def _meeting(self, a: int, b: int, key: Key) -> Meeting:
        one, other = self._unit.records.find_records([a, b])
        return Meeting(one, other, key, self._collision(one, other))

    def _collision(self, one: Record, other: Record) -> str:
        shown = [_shown(self._unit.records.get_sightings([record.id]), record) for record in (one, other)]
        pair = Pair(shown[0], shown[1], self._policy, {})
        against = []
        if one.title and other.title and not pair.titles_equal:
            against.append("title")
        decisive = all(newest_good(sighting).fingerprint.decisive for sighting in shown)
        if decisive and not pair.equal_text and not pair.texts_near:
            against.append("text")
        return " and ".join(against)


def _shown(sightings: Sequence[Sighting], record: Record) -> Sighting:
    """The sighting whose version a record shows."""
    return next((s for s in sightings if any(v.id == record.current_version_id for v in s.versions)), sightings[0])


def _rehearse(
    store: Store, book: RuleBook, policy: Policy, clock: Clock, proposed: Proposed, where: str
) -> tuple[tuple[Flip, ...], tuple[int, int, int]]:
    """Activate on a scratch copy; return the decisions that would flip, and what was merged, split and asked."""
    with closing(store.scratch_copy()) as copy:
        last = last_record_id(copy)
        own = RuleBook(book.base)
        *_, done = activate(copy, own, policy, clock, proposed.text, where)
        with copy.reading() as unit:
            flips = tuple(_flips(unit, done.version, last))
        reformed = done.reformed
        return flips, (reformed.merged, reformed.split, reformed.reviews)


def _flips(unit: Unit, version: RuleVersion, last: int) -> Iterator[Flip]:
    for event in unit.journal.find_events():
        if event.detail.get(RULES) != version.version_id:
            continue
        if event.event == "merged":
            yield from _joined(unit, event)
        elif event.event == "split":
            yield from _split(unit, event, last)


def _joined(unit: Unit, event: Event) -> Iterator[Flip]:
    """What started a record that is taken over would have been a duplicate."""
    for record_id in event.record_numbers:
        if record_id == event.survivor_number:
            continue
        for decision in unit.journal.find_decisions(record_id=record_id):
            if decision.outcome in (Outcome.NEW, Outcome.REVIEW):
                yield Flip(decision, Outcome.DUPLICATE, event.survivor_id or "")


def _split(unit: Unit, event: Event, last: int) -> Iterator[Flip]:
    """What was joined to a record and leaves it would have been new."""
    moved = event.detail.get("sightings")
    homes = unit.audit.find_homes(int(str(s)[1:]) for s in moved) if isinstance(moved, dict) else {}
    for home in homes.values():
        for record_id in event.record_numbers:
            for decision in unit.journal.find_decisions(record_id=record_id):
                named = (decision.item.guid, decision.item.original_url) == (home.guid, home.original_url)
                if named and home.record_id > last and decision.outcome is Outcome.DUPLICATE:
                    yield Flip(decision, Outcome.NEW, f"r{record_id}")
