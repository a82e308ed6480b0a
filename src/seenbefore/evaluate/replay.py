"""Real feed histories through the real pipeline, snapshot after snapshot: what is said, and is it right?

All feeds go into one store, and a feed is known by the name of its folder: what it says about its own address
is not used, since two histories may be two readings of one address.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..engine.job import Committed, Skipped
from ..errors import InvalidInput
from ..model import Decision, Event, Outcome
from ..stores.base import Unit
from ..urls.source import source_identity
from ..wiring import SeenBefore, open_db
from .archive import unpack_archive
from .gold import GoldRow, Place, read_gold
from .replay_gold import GoldReport, score_gold
from .snapshots import Histories, Snapshot, find_histories

_PAGE = 500

OpenStore = Callable[[Path], SeenBefore]
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class FeedReport:
    """What was said of one feed. ``answers`` counts per outcome and reason, unchanged repeats included.

    Records that merged or were taken apart count for each feed that had entries in them.
    """

    feed: str
    versions: int
    entries: int
    answers: Mapping[tuple[Outcome, str], int]
    consolidations: int
    splits: int
    trust_switches: int

    def reasons(self, outcome: Outcome) -> dict[str, int]:
        """Return how often each reason was given for this outcome, the most frequent first."""
        found = [(reason, count) for (given, reason), count in self.answers.items() if given is outcome]
        return dict(sorted(found, key=lambda entry: (-entry[1], entry[0])))

    def to_json(self) -> dict[str, object]:
        """Return the counts as one mapping."""
        return {
            "new": sum(self.reasons(Outcome.NEW).values()),
            "new_reasons": self.reasons(Outcome.NEW),
            "updates": self.reasons(Outcome.UPDATE),
            "duplicates": self.reasons(Outcome.DUPLICATE),
            "reviews": sum(self.reasons(Outcome.REVIEW).values()),
            "review_reasons": self.reasons(Outcome.REVIEW),
            "consolidations": self.consolidations,
            "splits": self.splits,
            "trust_switches": self.trust_switches,
            "entries": self.entries,
            "versions": self.versions,
        }


@dataclass(frozen=True, slots=True)
class NotRead:
    """A file that gave nothing, and why."""

    where: str
    message: str


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """What was said in a whole replay. ``records`` were made, including those that merged into others later."""

    feeds: tuple[FeedReport, ...]
    records: int
    reviews: int
    consolidations: int
    splits: int
    not_read: tuple[NotRead, ...]
    seconds: float
    gold: GoldReport | None

    @property
    def versions(self) -> int:
        """Snapshots that were read."""
        return sum(feed.versions for feed in self.feeds)

    @property
    def entries(self) -> int:
        """Entries in them, each counted as often as it is listed."""
        return sum(feed.entries for feed in self.feeds)

    @property
    def review_share(self) -> float | None:
        """Decisions that ask a person, per record; None without records."""
        return round(self.reviews / self.records, 4) if self.records else None

    def to_json(self) -> dict[str, object]:
        """Return all figures; those that need labeled pairs are None without them."""
        gold = self.gold.to_json() if self.gold else dict.fromkeys(GoldReport(()).to_json())
        return {
            **gold,
            "reviews": self.reviews,
            "records": self.records,
            "review_share": self.review_share,
            "versions": self.versions,
            "entries": self.entries,
            "consolidations": self.consolidations,
            "splits": self.splits,
            "not_read": [{"where": left.where, "message": left.message} for left in self.not_read],
            "seconds": self.seconds,
            "by_feed": {feed.feed: feed.to_json() for feed in self.feeds},
        }


def evaluate_replay(
    place: str | Path,
    *,
    gold: str | Path | None = None,
    keep: str | Path | None = None,
    open_store: OpenStore = open_db,
    progress: Progress | None = None,
) -> ReplayReport:
    """Return what the engine says of feed histories, and against labeled pairs whether it is right.

    ``place`` is a folder with a folder per feed, or a tar of one (plain, or packed with zstd, gzip, xz, bzip2).
    The snapshots are files such as ``news/0001_1700000000.xml``; they are taken in by the time in their names,
    then by feed.

    Args:
        gold: a file of labeled pairs, one JSON object per line.
        keep: keep the database in this file, which must not be there yet.
        open_store: opens the empty store, for rules or limits of your own.
        progress: called with the snapshots that are done and their number.

    Raises:
        InvalidInput: the place holds no snapshots, the archive or a label is broken, or ``keep`` is there already.
        IngestError: a snapshot could not be stored.
    """
    rows = read_gold(gold) if gold is not None else None
    database = _free_path(Path(keep)) if keep is not None else None
    with contextlib.ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="seenbefore-replay-")))
        histories = _read_place(Path(place), scratch / "histories")
        if rows is not None:
            _check_fit(rows, histories.snapshots, str(gold))
        db = stack.enter_context(open_store(database or scratch / "replay.db"))
        return _Replay(db, histories, rows or ()).run(progress or (lambda done, total: None), scored=rows is not None)


def _free_path(path: Path) -> Path:
    """The absolute path of a file that can be made; absolute, so that no name means a store in memory."""
    if path.exists():
        raise InvalidInput("is there already; name a file that is not, or remove it first", str(path))
    if not path.absolute().parent.is_dir():
        raise InvalidInput("its folder is not there; make it first", str(path))
    return path.absolute()


def _read_place(place: Path, target: Path) -> Histories:
    if place.is_dir():
        return find_histories(place)
    if not place.exists():
        message = "there is no such folder or archive; give a folder with a folder per feed, or a tar of one"
        raise InvalidInput(message, str(place))
    target.mkdir()
    unpack_archive(place, target)
    try:
        return find_histories(target)
    except InvalidInput as error:
        raise InvalidInput(error.message, str(place)) from error


def _check_fit(rows: Sequence[GoldRow], snapshots: Sequence[Snapshot], where: str) -> None:
    """Say early that labels belong to other histories; a part of the histories is fine."""
    there = {(snapshot.feed, snapshot.file) for snapshot in snapshots}
    if not any(row.a.place in there and row.b.place in there for row in rows):
        first = "/".join(rows[0].a.place)
        raise InvalidInput(
            f"none of its pairs is in these histories ({first} is not there); is it the right file?", where
        )


class _Replay:
    """One run: what is counted while snapshots are taken in, and what the store says in the end."""

    def __init__(self, db: SeenBefore, histories: Histories, rows: Sequence[GoldRow]) -> None:
        self._db = db
        self._histories = histories
        self._rows = rows
        self._labeled = {entry.place for row in rows for entry in (row.a, row.b)}
        self._answers: dict[Place, list[Decision]] = defaultdict(list)
        self._counts: dict[str, Counter[tuple[Outcome, str]]] = defaultdict(Counter)
        self._versions: Counter[str] = Counter()
        self._not_read = [
            NotRead(where, "its name gives no time; it must end in _<unix seconds>") for where in histories.undated
        ]

    def run(self, progress: Progress, *, scored: bool) -> ReplayReport:
        """Take everything in, then count and score."""
        started = time.perf_counter()
        snapshots = self._histories.snapshots
        for number, snapshot in enumerate(snapshots):
            progress(number, len(snapshots))
            self._take_in(snapshot)
        progress(len(snapshots), len(snapshots))
        seconds = round(time.perf_counter() - started, 2)
        gold = score_gold(self._db, self._rows, self._answers) if scored else None
        with self._db.store.reading() as unit:
            history = _History(unit)
            return ReplayReport(
                feeds=tuple(self._feed_report(unit, feed, history) for feed in sorted({s.feed for s in snapshots})),
                records=_count_records(unit),
                reviews=history.reviews,
                consolidations=history.events["merged"],
                splits=history.events["split"],
                not_read=tuple(self._not_read),
                seconds=seconds,
                gold=gold,
            )

    def _take_in(self, snapshot: Snapshot) -> None:
        read = True
        for step in self._db.ingest([snapshot.path], source=snapshot.feed, observed_at=snapshot.taken_at):
            if isinstance(step, Committed):
                decisions = [answer.decision for answer in step.answers]
                self._counts[snapshot.feed].update((decision.outcome, decision.reason) for decision in decisions)
                place = snapshot.feed, snapshot.file
                if place in self._labeled:
                    self._answers[place] += decisions
            elif isinstance(step, Skipped):
                read = False
                self._not_read.append(NotRead(f"{snapshot.feed}/{snapshot.file}", step.message))
        self._versions[snapshot.feed] += read

    def _feed_report(self, unit: Unit, feed: str, history: _History) -> FeedReport:
        answers = self._counts[feed]
        source = unit.sources.find_source(source_identity(feed))
        return FeedReport(
            feed=feed,
            versions=self._versions[feed],
            entries=answers.total(),
            answers=dict(answers),
            consolidations=history.by_feed[feed, "merged"],
            splits=history.by_feed[feed, "split"],
            trust_switches=len(unit.sources.find_trust(source.id)) if source else 0,
        )


class _History:
    """What the journal says: decisions that ask a person, and events in all and per feed."""

    def __init__(self, unit: Unit) -> None:
        self.reviews = 0
        self.events: Counter[str] = Counter()
        self.by_feed: Counter[tuple[str, str]] = Counter()
        self._feeds: dict[int, set[str]] = defaultdict(set)
        self._pending: list[Event] = []  # an event stands before the decision on the item that caused it
        after = 0
        while entries := unit.journal.read(after, _PAGE):
            after = entries[-1].seq
            for entry in entries:
                if entry.event is not None:
                    self._pending.append(entry.event)
                if entry.decision is not None:
                    self.reviews += entry.decision.outcome is Outcome.REVIEW
                    self._feeds[entry.decision.record_number or 0].add(entry.decision.item.source)
                    self._settle()
        self._settle()

    def _settle(self) -> None:
        """Count the events for the feeds that have entries in their records at this time."""
        for event in self._pending:
            feeds = set[str]().union(*(self._feeds[number] for number in event.record_numbers))
            for number in event.record_numbers:
                self._feeds[number] |= feeds
            self.events[event.event] += 1
            self.by_feed.update((feed, event.event) for feed in feeds)
        self._pending.clear()


def _count_records(unit: Unit) -> int:
    count = after = 0
    while page := unit.records.find_records(limit=_PAGE, after=after):
        count += len(page)
        after = page[-1].id
    return count
