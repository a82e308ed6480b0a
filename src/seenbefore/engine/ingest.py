"""The main job: groups of items → units → decisions.

A group is one fetch (equal source and fetch id) or a stretch of items that are fetches of their own.
A unit is one transaction of at most ``UNIT_SIZE`` items of one group; what a fetch lists as a whole
is taken before its first unit, so the cut changes nothing. Output follows commit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ..blocking import identity_hash
from ..errors import IngestError, SeenBeforeError
from ..log import log_event
from ..model import Decision, Fetch, Item, Source
from ..policy import Policy
from ..rules import Rules
from ..stores.base import Identity, Seen, Store, Unit
from ..text.titles import clean_title
from ..urls.source import source_identity
from .apply import Delivery
from .context import Context, Observation, Slots
from .observe import Incoming, Observer, choose_slot, repeat_decision

UNIT_SIZE = 500

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Group:
    """Items that share a fetch, or (``fetch_id`` None) items that are fetches of their own.

    ``positions`` say where each item stood in the caller's input. ``whole`` says that these are all
    entries of the fetch, so that it is complete after them.
    """

    fetch_id: str | None
    items: tuple[Item, ...]
    positions: tuple[int, ...]
    aliases: tuple[str, ...] = ()
    whole: bool = False


class Ingestor:
    """Takes groups of items into a store, unit by unit."""

    def __init__(
        self,
        store: Store,
        rules: Rules,
        policy: Policy,
        clock: Clock,
        delivery: Delivery,
        unit_size: int = UNIT_SIZE,
    ) -> None:
        self._store = store
        self._rules = rules
        self._policy = policy
        self._clock = clock
        self._delivery = delivery
        self._unit_size = unit_size

    def ingest(self, groups: Iterable[Group]) -> Iterator[list[tuple[int, Decision]]]:
        """Yield, after each commit, the positions and decisions of one unit.

        Raises:
            IngestError: a unit failed and was rolled back; what was yielded before stands.
        """
        for group in groups:
            yield from self._ingest_fetch(group) if group.fetch_id else self._ingest_singles(group)

    # --- fetches --------------------------------------------------------------------------------

    def _ingest_fetch(self, group: Group) -> Iterator[list[tuple[int, Decision]]]:
        assert group.fetch_id is not None
        with self._guarded(group.items[0]):
            entries = _order_of_currency(group, self._source_identity(group))
        now = self._clock()
        observed_at = max((i.observed_at for i in group.items if i.observed_at), default=now)
        listed: Slots | None = None
        partial = False
        for start in range(0, len(entries), self._unit_size):
            chunk = entries[start : start + self._unit_size]
            with self._guarded(chunk[0][1]), self._store.unit() as unit:
                context = Context(unit, self._rules, self._policy)
                source = self._open_source(unit, group)
                if listed is None:
                    partial = unit.sources.find_fetch(source.id, group.fetch_id) is not None
                    listed = self._list_fetch(context, source, [item for _, item in entries])
                fetch = unit.sources.open_fetch(source.id, group.fetch_id, observed_at)
                dated = self._date_entries(unit, source, fetch, chunk, listed, partial=partial)
                answers = self._observe_all(context, source, dated, now)
                if group.whole and start + self._unit_size >= len(entries):
                    unit.sources.complete_fetch(source.id, group.fetch_id)
            yield answers
        log_event("fetch_read", source=group.items[0].source, fetch=group.fetch_id, entries=len(entries))

    def _date_entries(
        self,
        unit: Unit,
        source: Source,
        fetch: Fetch,
        chunk: Sequence[tuple[int, Item]],
        listed: Slots,
        *,
        partial: bool,
    ) -> list[tuple[int, Item, Observation]]:
        """Give each entry its observation: that of the fetch, or its own when the fetch was complete before.

        What a complete fetch did not list cannot have stood beside what it did.
        """
        if not fetch.completed:
            observation = Observation.of_fetch(fetch, listed, partial=partial)
            return [(position, item, observation) for position, item in chunk]
        again = Observation.of_fetch(fetch, {})
        known = set(listed)
        late = source.newest_observed_at is not None and fetch.observed_at < source.newest_observed_at
        return [
            (p, item, again if _identity(source, item) in known else self._stray(unit, source, fetch, late))
            for p, item in chunk
        ]

    def _stray(self, unit: Unit, source: Source, fetch: Fetch, late: bool) -> Observation:
        number = unit.sources.advance(source.id, fetch.observed_at, 1)
        return Observation(fetch.observed_at, 0, number, late)

    def _list_fetch(self, context: Context, source: Source, items: Sequence[Item]) -> Slots:
        """The stored sightings that the whole fetch lists again."""
        context.know(source.id)
        placeholder = Observation(self._clock(), 0, 0, False)
        entries = [Incoming(item, source, context, placeholder) for item in items]
        rows = context.unit.records.find_seen([entry.identity for entry in entries])
        listed: dict[Identity, frozenset[int]] = {}
        for entry in entries:
            if entry.identity in rows:
                seen, _ = choose_slot(rows[entry.identity], entry, context)
                slots = frozenset({seen.slot}) if seen else frozenset[int]()
                listed[entry.identity] = listed.get(entry.identity, frozenset()) | slots
        return listed

    # --- items that are fetches of their own ----------------------------------------------------

    def _ingest_singles(self, group: Group) -> Iterator[list[tuple[int, Decision]]]:
        now = self._clock()
        entries = list(zip(group.positions, group.items, strict=True))
        for start in range(0, len(entries), self._unit_size):
            chunk = entries[start : start + self._unit_size]
            with self._guarded(chunk[0][1]), self._store.unit() as unit:
                context = Context(unit, self._rules, self._policy)
                answers: list[tuple[int, Decision]] = []
                for source, part in self._by_source(unit, group, chunk):
                    answers += self._observe_all(context, source, self._date_singles(unit, source, part, now), now)
            yield sorted(answers, key=lambda answer: answer[0])

    def _by_source(
        self, unit: Unit, group: Group, chunk: Sequence[tuple[int, Item]]
    ) -> Iterator[tuple[Source, list[tuple[int, Item]]]]:
        """The chunk in stretches of one source, in input order."""
        stretch: list[tuple[int, Item]] = []
        for entry in chunk:
            if stretch and stretch[-1][1].source != entry[1].source:
                yield self._open_source(unit, replace(group, items=(stretch[0][1],))), stretch
                stretch = []
            stretch.append(entry)
        if stretch:
            yield self._open_source(unit, replace(group, items=(stretch[0][1],))), stretch

    def _date_singles(
        self, unit: Unit, source: Source, part: list[tuple[int, Item]], now: datetime
    ) -> list[tuple[int, Item, Observation]]:
        """Give each item its time and its number in the source; older than the newest is late."""
        newest = source.newest_observed_at
        dated: list[tuple[int, Item, datetime, bool]] = []
        for position, item in part:
            at = item.observed_at or now
            dated.append((position, item, at, newest is not None and at < newest))
            newest = at if newest is None else max(newest, at)
        assert newest is not None
        first = unit.sources.advance(source.id, newest, len(dated))
        return [(p, item, Observation(at, 0, first + n, late)) for n, (p, item, at, late) in enumerate(dated)]

    # --- both -----------------------------------------------------------------------------------

    def _observe_all(
        self,
        context: Context,
        source: Source,
        entries: Sequence[tuple[int, Item, Observation]],
        now: datetime,
    ) -> list[tuple[int, Decision]]:
        """Take the entries in, in order; unchanged repeats are looked up and written together."""
        observer = Observer(context, source, now, self._delivery)
        incoming = [(p, Incoming(item, source, context, o)) for p, item, o in entries]
        stored = dict(context.unit.records.find_seen([i.identity for _, i in incoming]))
        answers: list[tuple[int, Decision]] = []
        repeats: list[tuple[int, Item, int]] = []
        moved = False  # once something was stored, rows that were read before may be out of date
        for position, entry in incoming:
            identity = entry.identity
            if moved:
                observer.flush()
                stored = context.unit.records.find_seen([identity])
            answer = observer.observe(entry, stored.get(identity, ()))
            if isinstance(answer, Decision):
                answers.append((position, answer))
                moved = True
            else:
                repeats.append((position, entry.item, answer.sighting_id))
                stored[identity] = [_seen_now(row, answer, entry.observation) for row in stored[identity]]
        observer.flush()
        return answers + self._answer_repeats(context, incoming, repeats, now)

    def _answer_repeats(
        self,
        context: Context,
        incoming: Sequence[tuple[int, Incoming]],
        repeats: Sequence[tuple[int, Item, int]],
        now: datetime,
    ) -> list[tuple[int, Decision]]:
        """Answer the repeats after everything else of the unit, so that moved sightings are followed."""
        if not repeats:
            return []
        positions = {position for position, _, _ in repeats}
        identities = [entry.identity for position, entry in incoming if position in positions]
        rows = context.unit.records.find_seen(identities)
        home = {row.sighting_id: row.record_id for found in rows.values() for row in found}
        records = {r.id: r for r in context.unit.records.find_records(set(home.values()))}
        return [(p, repeat_decision(item, records[home[sid]], context, now)) for p, item, sid in repeats]

    def _open_source(self, unit: Unit, group: Group) -> Source:
        name = group.items[0].source
        source = unit.sources.add_source(name, source_identity(name))
        for alias in group.aliases:
            unit.sources.add_alias(source.id, source_identity(alias))
        return source

    def _source_identity(self, group: Group) -> str:
        """The identity the source is stored under, which may be another one of its addresses."""
        identity = source_identity(group.items[0].source)
        with self._store.reading() as unit:
            source = unit.sources.find_source(identity)
        return source.identity if source else identity

    def _guarded(self, first: Item) -> _Guard:
        return _Guard(first)


class _Guard:
    """Turns whatever stops a unit into an IngestError that names the first item not stored."""

    def __init__(self, first: Item) -> None:
        self._first = first

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, SeenBeforeError) and not isinstance(error, IngestError):
            item = self._first
            name = item.guid or item.original_url or item.title
            raise IngestError(f"{item.source}: {name}", str(error)) from error


def group_items(items: Sequence[Item], aliases: Mapping[str, tuple[str, ...]] | None = None) -> list[Group]:
    """Return the items as groups: one per fetch, and stretches of items without a fetch id.

    Items of one fetch meet in one group wherever they stood in the input.
    """
    fetches: dict[tuple[str, str], list[int]] = {}
    order: list[tuple[str | None, list[int]]] = []
    for position, item in enumerate(items):
        if item.fetch_id:
            key = (source_identity(item.source), item.fetch_id)
            if key not in fetches:
                fetches[key] = []
                order.append((item.fetch_id, fetches[key]))
            fetches[key].append(position)
        elif order and order[-1][0] is None:
            order[-1][1].append(position)
        else:
            order.append((None, [position]))
    aliases = aliases or {}
    return [
        Group(
            fetch_id,
            tuple(items[p] for p in positions),
            tuple(positions),
            aliases.get(items[positions[0]].source, ()),
        )
        for fetch_id, positions in order
    ]


def _order_of_currency(group: Group, source_identity: str) -> list[tuple[int, Item]]:
    """The entries of a fetch in the order in which ``survive`` picks what is current, that first.

    So the entry that wins is compared with what stood before the fetch, and the others with it.
    """

    def name(entry: tuple[int, Item]) -> tuple[str, str, str, str]:
        item = entry[1]
        hashed = identity_hash(source_identity, item.guid, item.original_url, clean_title(item.title))
        return (item.original_url, hashed, item.content, item.summary)

    def published(entry: tuple[int, Item]) -> float:
        at = entry[1].published_at
        return at.timestamp() if at else -math.inf

    by_name = sorted(zip(group.positions, group.items, strict=True), key=name)
    return sorted(by_name, key=published, reverse=True)


def _identity(source: Source, item: Item) -> Identity:
    return Identity(source.id, item.guid, item.original_url, clean_title(item.title), item.kind)


def _seen_now(row: Seen, answer: Seen, observation: Observation) -> Seen:
    """The row as it will be once the noted repeat is written."""
    if row.sighting_id != answer.sighting_id or observation.late:
        return row
    return row._replace(
        last_seen_at=max(row.last_seen_at, observation.observed_at),
        last_fetch_no=max(row.last_fetch_no, observation.order_no),
    )
