"""Worker: takes snapshots of feeds into a database in the order it is told, and writes how the store looks then.

The order is a JSON file, so that a run can be given any. What is written holds no ids, since those depend on
who came first and must not be compared.
"""

from __future__ import annotations

import json
import logging
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

import seenbefore
from seenbefore.blocking import sighting_hash
from seenbefore.engine.group import Group
from seenbefore.evaluate.gold import read_gold
from seenbefore.evaluate.replay_gold import score_gold
from seenbefore.model import Decision, Record, VersionState
from seenbefore.sources.folder import FetchInput, iter_inputs
from seenbefore.stores.base import Store, Unit
from seenbefore.testing.streams import picture
from seenbefore.wiring import SeenBefore

from .measure import peak_mib

_PAGE = 500


def main(order_file: str, database: str, result_file: str) -> None:
    logging.disable(logging.INFO)
    order = json.loads(Path(order_file).read_text(encoding="utf-8"))
    gold = read_gold(order["gold"]) if order["gold"] else ()
    labeled = {entry.place for row in gold for entry in (row.a, row.b)}
    answers: dict[tuple[str, str], list[Decision]] = {}
    told: Counter[str] = Counter()
    watch = LateWatch()
    with seenbefore.open(database) as db:
        if order["unit_size"]:
            db.engine.unit_size = order["unit_size"]
        started = time.perf_counter()
        for path, feed, taken_at in order["snapshots"]:
            place, at = (feed, Path(path).name), datetime.fromisoformat(taken_at)
            decisions = list(_take_in(db, path, feed, at, order["shuffle_entries"]))
            told.update(f"{decision.outcome}/{decision.reason}" for decision in decisions)
            if place in labeled:
                answers.setdefault(place, []).extend(decisions)
            if order["watch_late"]:
                watch.note(db.store, feed, at, decisions)
        seconds = time.perf_counter() - started
        result = {
            "told": dict(told),
            "last_seq": db.stats().last_seq,
            "records": _records(db.store),
            "names": _names(db.store),
            "problems": dict(db.check(limit=5).counts) if order["check"] else None,
            "late_flips": watch.flips if order["watch_late"] else None,
            "flips_among_late": watch.among_late,
            "gold": score_gold(db, gold, answers).to_json() if gold else None,
        }
    Path(result_file).write_text(json.dumps(result), encoding="utf-8")
    print(json.dumps({"seconds": seconds, "entries": told.total(), "peak_mib": peak_mib()}))


def _take_in(db: SeenBefore, path: str, feed: str, at: datetime, shuffled: int | None) -> Iterator[Decision]:
    """Yield the answers on one snapshot, as ``ingest`` gives them; with ``shuffled`` its entries stand in any order."""
    for found in iter_inputs(path, source=feed, observed_at=at, run_started_at=at):
        if isinstance(found, FetchInput) and found.items:
            positions = list(range(len(found.items)))
            if shuffled is not None:
                random.Random(f"{shuffled} {path}").shuffle(positions)
            group = Group(
                found.fetch_id,
                [found.items[p] for p in positions] if shuffled is not None else found.items,
                positions,
                found.aliases,
                whole=True,
                digests=tuple(found.items.digests[p] for p in positions),
                source_name=found.source,
                at=found.observed_at,
            )
            for unit in db.engine.ingest([group]):
                yield from (decision for _, decision in unit)


class LateWatch:
    """Sees whether a fetch that is older than the newest of its feed changes what is current in a record.

    ``flips`` are records that showed something read in time; ``among_late`` those that hold nothing but late texts.
    """

    def __init__(self) -> None:
        self.flips: list[str] = []
        self.among_late = 0
        self._newest: dict[str, datetime] = {}
        self._current: dict[int, int | None] = {}
        self._last_seq = 0

    def note(self, store: Store, feed: str, at: datetime, decisions: Sequence[Decision]) -> None:
        """Look at the records that a fetch was answered with; those that merged or split may have changed."""
        late = at < self._newest.get(feed, at)
        self._newest[feed] = max(at, self._newest.get(feed, at))
        with store.reading() as unit:
            for record in unit.records.find_records({d.record_number for d in decisions if d.record_number}):
                before = self._current.get(record.id)
                if late and before not in (None, record.current_version_id):
                    self._look_at(unit, record, before, f"a late fetch of {feed} ({at:%Y-%m-%d %H:%M})")
                self._current[record.id] = record.current_version_id
            self._last_seq = unit.journal.last_seq()

    def _look_at(self, unit: Unit, record: Record, before: int | None, what: str) -> None:
        if any((event.seq or 0) > self._last_seq for event in unit.journal.find_events(record.id)):
            return
        versions = {v.id: v for s in unit.records.get_sightings([record.id]) for v in s.versions}
        if before in versions and versions[before].state is VersionState.LATE:
            self.among_late += 1
        else:
            self.flips.append(f"{record.url}: version {before} became {record.current_version_id} by {what}")


def _records(store: Store) -> list[list[object]]:
    """The live records by what they hold: ``picture`` in a form that JSON can carry."""
    found = [
        [sorted(sightings), current, title, text, *(at.isoformat() if at else None for at in times)]  # type: ignore
        for sightings, current, title, text, *times in picture(store)
    ]
    return sorted(found, key=str)


def _names(store: Store) -> dict[str, list[object]]:
    """What is behind the hash of each sighting, for people."""
    names: dict[str, list[object]] = {}
    after = 0
    with store.reading() as unit:
        while page := unit.records.find_records(limit=_PAGE, after=after):
            after = page[-1].id
            for s in unit.records.get_sightings([record.id for record in page]):
                names[sighting_hash(s)] = [s.source, s.guid, s.original_url, s.versions[-1].title, s.slot]
    return names


if __name__ == "__main__":
    main(*sys.argv[1:])
