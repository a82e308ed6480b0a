"""One run of the main job: files, folders and lists in, committed decisions and complaints out.

Every surface that takes input runs this: it reads inputs, forms groups for the engine, and says what
could not be read. :func:`run_job` commits unit by unit; :func:`answer_lines` answers line by line.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Final

from ..errors import IngestError, InvalidInput, StoreError
from ..log import log_event
from ..model import Decision, Item
from ..polling.state import PollResult
from ..sources.folder import STDIN, FetchInput, Input, InputError, ItemsInput, iter_inputs
from ..sources.items import LineError, read_numbered
from ..sources.localfile import AUTO, ReadAs
from ..urls.source import source_identity
from .ahead import Prepared, ReadAhead
from .engine import Engine
from .group import Group
from .ingest import UNIT_SIZE

FETCH_WINDOW: Final = 5000
"""A fetch within a list is complete when this many further items have passed without one of its own."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A decision and where its item stood; ``line`` is None for the entries of a feed."""

    where: str
    line: int | None
    decision: Decision


@dataclass(frozen=True, slots=True)
class Committed:
    """The answers of one unit, which is stored now, in input order."""

    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line, or a whole input (``line`` None), that gave nothing. ``code`` is stable."""

    where: str
    line: int | None
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Repaired:
    """Something wrong with an input that was read all the same."""

    where: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Polled:
    """What became of asking an address; its items, if any, were stored before. ``next_at`` None: not by itself."""

    where: str
    source: str
    result: PollResult
    next_at: datetime | None


Step = Committed | Skipped | Repaired | Polled


@dataclass(frozen=True, slots=True)
class JobOptions:
    """What applies to every input of a run. ``ignore`` names files that a folder may hold by chance."""

    source: str | None = None
    observed_at: datetime | None = None
    history: bool = False
    ignore: tuple[str, ...] = ()
    two_processes: bool = True
    read_as: ReadAs = AUTO


def run_job(
    engine: Engine, places: Sequence[str], options: JobOptions, stdin: BinaryIO | None = None
) -> Iterator[Step]:
    """Yield what happens to the inputs at these places: answers after each commit, and complaints.

    Raises:
        InvalidInput: ``-`` without a source name.
        IngestError: a unit failed and was rolled back; what was yielded before stands.
    """
    ahead = ReadAhead(engine.rules, engine.policy, wanted=options.two_processes)
    with closing(ahead):
        parts = _read_parts(places, options, engine.clock(), stdin)
        yield from _run_parts(engine, _one_ahead(engine, parts, ahead), options)


def take_in(engine: Engine, found: Input, options: JobOptions) -> Iterator[Step]:
    """Yield what becomes of one input that was read already. Raises IngestError."""
    yield from _run_parts(engine, _parts_of(found), options)


def _run_parts(engine: Engine, parts: Iterable[_Read], options: JobOptions) -> Iterator[Step]:
    for part in parts:
        if isinstance(part, Skipped | Repaired):
            if isinstance(part, Skipped):
                _log_skipped(part)
            yield part
            continue
        lines = part.lines
        for unit in engine.ingest([part.group()], history=options.history):
            ordered = sorted(unit, key=lambda answer: answer[0])
            yield Committed(tuple(Answer(part.where, lines[p], decision) for p, decision in ordered))


def answer_lines(engine: Engine, lines: Iterable[bytes], where: str, options: JobOptions) -> Iterator[Answer | Skipped]:
    """Yield exactly one answer or complaint per line that is not blank, before the next line is read.

    Each line is a unit of its own. A line that could not be stored is told with code ``not_stored``;
    the next one is tried all the same.

    Raises:
        InvalidInput: the lines come from standard input and have no source name.
    """
    source = options.source or _name_of(where)
    for number, line in enumerate(lines, 1):
        read = _read_line(line, number, source, where)
        if read is None:
            continue
        if isinstance(read, LineError):
            skipped = Skipped(where, number, read.code, read.message)
            _log_skipped(skipped)
            yield skipped
            continue
        if read.observed_at is None and options.observed_at is not None:
            read = replace(read, observed_at=options.observed_at)
        try:
            yield Answer(where, number, engine.see(read, history=options.history))
        except (IngestError, InvalidInput) as error:
            if isinstance(error, InvalidInput):
                yield Skipped(where, number, error.code, error.message)
            else:
                yield Skipped(where, number, "not_stored", str(error))


def _read_line(line: bytes, number: int, source: str, where: str) -> Item | LineError | None:
    """The item of one line; None for a blank one. Arrays are refused: a line must have one answer."""
    if line.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"["):
        return LineError(number, "invalid_json", "no JSON object: each line must hold one item")
    for _, read in read_numbered([line], source=source, where=where):
        return replace(read, line=number) if isinstance(read, LineError) else read
    return None


def _name_of(where: str) -> str:
    if where == STDIN:
        raise InvalidInput("standard input has no name; say where it comes from with --source NAME", STDIN)
    return Path(where).stem


# --- inputs → parts -----------------------------------------------------------------------------


@dataclass(slots=True)
class _Part:
    """Items on their way into one group, with the line of each."""

    where: str
    fetch_id: str | None
    items: list[Item] = field(default_factory=list)
    lines: list[int | None] = field(default_factory=list)
    last_count: int = 0

    def add(self, item: Item, line: int | None, count: int) -> None:
        """Take one more item; ``count`` is its number in the input."""
        self.items.append(item)
        self.lines.append(line)
        self.last_count = count

    def group(self) -> Group:
        """The group that the engine gets."""
        return Group(
            self.fetch_id,
            tuple(self.items),
            tuple(range(len(self.items))),
            whole=self.fetch_id is not None,
        )


@dataclass(frozen=True, slots=True)
class _Feed:
    """A feed on its way into one group; its entries are not read here."""

    found: FetchInput
    prepared: Prepared | None = None

    @property
    def where(self) -> str:
        """The file."""
        return self.found.where

    @property
    def lines(self) -> Sequence[int | None]:
        """Entries of a feed stand on no line."""
        return [None] * len(self.found.items)

    def group(self) -> Group:
        """The group that the engine gets."""
        found = self.found
        return Group(
            found.fetch_id,
            found.items,
            range(len(found.items)),
            found.aliases,
            whole=True,
            digests=found.items.digests,
            source_name=found.source,
            at=found.observed_at,
            prepared=self.prepared,
        )


_Read = _Part | _Feed | Skipped | Repaired
"""What reading the inputs gives, one after the other."""


def _one_ahead(engine: Engine, parts: Iterable[_Read], ahead: ReadAhead) -> Iterator[_Read]:
    """Yield the parts. A feed that a second process works on waits until the next part was read."""
    waiting: _Feed | None = None
    for part in parts:
        ready = _with_prepared(waiting, ahead) if waiting else None
        waiting = part if isinstance(part, _Feed) and _ask(engine, part, ahead) else None
        if ready is not None:
            yield ready
        if waiting is None:
            yield part
    if waiting is not None:
        yield _with_prepared(waiting, ahead)


def _ask(engine: Engine, feed: _Feed, ahead: ReadAhead) -> bool:
    """Hand the feed of a source that was never seen over: all its entries have to be read."""
    if not ahead.is_worth_it(feed.found):
        return False
    identity = source_identity(feed.found.source)
    try:
        with engine.store.reading() as unit:
            known = unit.sources.find_source(identity) is not None
    except StoreError:
        return False  # the unit of this feed meets the same and tells it with the item that is not stored
    return not known and ahead.ask(feed.found, identity)


def _with_prepared(feed: _Feed, ahead: ReadAhead) -> _Feed:
    """The feed that was handed over, with what came back if that fits."""
    prepared = ahead.take()
    if prepared is None or prepared.digests != feed.found.items.digests:
        return feed
    feed.found.items.fill(prepared.items)
    return replace(feed, prepared=prepared)


def _read_parts(places: Sequence[str], options: JobOptions, now: datetime, stdin: BinaryIO | None) -> Iterator[_Read]:
    ignored = {os.path.abspath(path) for path in options.ignore}
    for place in map(str, places):
        if "://" in place and not Path(place).exists():
            yield Skipped(place, None, "address", "this is an address, and nothing was given that fetches")
            continue
        empty = True
        inputs = iter_inputs(
            place,
            source=options.source,
            observed_at=options.observed_at,
            run_started_at=now,
            stdin=stdin,
            read_as=options.read_as,
        )
        for found in inputs:
            where = found.path if isinstance(found, InputError) else found.where
            if where != place and _without_suffix(os.path.abspath(where)) in ignored:
                continue
            empty = False
            yield from _parts_of(found)
        if empty:
            yield Skipped(place, None, "empty_folder", "the folder holds no file; nothing to do")


def _without_suffix(path: str) -> str:
    """A database keeps files of its own beside it."""
    for suffix in ("-wal", "-shm", "-journal"):
        path = path.removesuffix(suffix)
    return path


def _parts_of(found: Input) -> Iterator[_Read]:
    if isinstance(found, InputError):
        yield Skipped(found.path, None, found.code, found.message)
    elif isinstance(found, FetchInput):
        for warning in found.warnings:
            yield Repaired(found.where, warning.code, warning.message)
        if found.items:
            yield _Feed(found)
    else:
        yield from _read_list(found)


def _read_list(found: ItemsInput) -> Iterator[_Part | Skipped]:
    """Yield the items of a list as whole fetches and as stretches of single items, by first appearance.

    Only what is not complete is kept in memory: a stretch is complete at the size of a unit or when a
    fetch follows, a fetch when ``FETCH_WINDOW`` items have passed without one of its own.
    """
    waiting = _Waiting(found.where)
    try:
        for line, read in found.lines:
            if isinstance(read, LineError):
                yield Skipped(found.where, read.line, read.code, read.message)
            else:
                yield from waiting.add(read, line)
    except OSError as error:
        yield from waiting.rest()
        yield Skipped(found.where, None, "unreadable", f"reading stopped: {error.strerror or error}")
        return
    yield from waiting.rest()


class _Waiting:
    """The parts of one list that may still grow, by first appearance."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._parts: list[_Part] = []
        self._fetches: dict[tuple[str, str], _Part] = {}
        self._count = 0

    def add(self, item: Item, line: int) -> Iterator[_Part]:
        """Take one item and yield the parts that are complete now."""
        self._count += 1
        self._part_for(item).add(item, line, self._count)
        while self._parts and self._is_complete(self._parts[0], last=len(self._parts) == 1):
            yield self._pop()

    def rest(self) -> Iterator[_Part]:
        """Yield everything that is left."""
        while self._parts:
            yield self._pop()

    def _part_for(self, item: Item) -> _Part:
        if item.fetch_id:
            key = (source_identity(item.source), item.fetch_id)
            if key not in self._fetches:
                self._fetches[key] = self._append(item.fetch_id)
            return self._fetches[key]
        if self._parts and self._parts[-1].fetch_id is None and len(self._parts[-1].items) < UNIT_SIZE:
            return self._parts[-1]
        return self._append(None)

    def _append(self, fetch_id: str | None) -> _Part:
        part = _Part(self._where, fetch_id)
        self._parts.append(part)
        return part

    def _is_complete(self, part: _Part, *, last: bool) -> bool:
        if part.fetch_id is None:
            return not last or len(part.items) >= UNIT_SIZE
        return self._count - part.last_count >= FETCH_WINDOW

    def _pop(self) -> _Part:
        part = self._parts.pop(0)
        if part.fetch_id is not None:
            del self._fetches[source_identity(part.items[0].source), part.fetch_id]
        return part


def _log_skipped(step: Skipped) -> None:
    log_event("input_skipped", where=step.where, line=step.line or "", code=step.code)
