"""The main job: groups of items → units → decisions.

A group is one fetch (equal source and fetch id) or a stretch of items that are fetches of their own.
A unit is one transaction of at most ``UNIT_SIZE`` items of one group; what a fetch lists as a whole
is taken before its first unit (``fetchplan``), so the cut changes nothing. Output follows commit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from ..blocking import digest_item
from ..errors import IngestError, SeenBeforeError
from ..log import log_event
from ..model import Decision, Fetch, Item, Source
from ..policy import Policy
from ..stores.base import Identity, Listed, Seen, Store, Touch, Unit
from ..urls.source import source_identity
from .apply import Delivery
from .arrival import Arrival, identity_of
from .context import Context, Moved, Observation
from .daily import DayTally
from .fetchplan import FetchPlan, plan_fetch
from .group import Group
from .massmove import announce_moves
from .observe import Observer, answer_listed, is_already_listed, repeat_decision
from .rulebook import RuleSource

UNIT_SIZE = 500

Clock = Callable[[], datetime]


class Ingestor:
    """Takes groups of items into a store, unit by unit."""

    def __init__(
        self,
        store: Store,
        rules: RuleSource,
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
        """Take a fetch in: what is unchanged is only noted, the rest goes through the path of one item."""
        assert group.fetch_id is not None
        now = self._clock()
        observed_at = group.observed_at(now)
        plan: FetchPlan | None = None
        moved: list[Moved] = []
        start = 0
        while plan is None or start < plan.size:
            with self._guarded(group, plan, start), self._store.unit() as unit:
                context = Context(unit, self._rules, self._policy)
                source = self._open_source(unit, group.source, group.aliases)
                partial = plan is None and unit.sources.find_fetch(source.id, group.fetch_id) is not None
                fetch = unit.sources.open_fetch(source.id, group.fetch_id, observed_at)
                plan = plan or plan_fetch(context, source, group, fetch, partial=partial)
                context.tally = DayTally(late_repeats=not fetch.completed and not plan.partial)
                context.moves = plan.moves
                answers = self._take(context, source, group, fetch, plan.cut(start, self._unit_size), now)
                context.tally.write(unit.counts)
                moved += context.moved
                start += self._unit_size
                if start >= plan.size and moved:
                    announce_moves(unit, moved, now, history=self._delivery.history)
                if group.whole and start >= plan.size:
                    unit.sources.complete_fetch(source.id, group.fetch_id)
            yield [(group.positions[n], decision) for n, decision in answers]
        log_event("fetch_read", source=group.source, fetch=group.fetch_id, entries=plan.size)

    def _take(
        self, context: Context, source: Source, group: Group, fetch: Fetch, part: FetchPlan, now: datetime
    ) -> list[tuple[int, Decision]]:
        """Take in one unit of a fetch; answers name the places in the group."""
        touches = [
            Touch(listed.seen.sighting_id, fetch.no, fetch.no, fetch.observed_at)
            for _, listed in part.repeats
            if not fetch.late and not is_already_listed(listed.seen, fetch.no)
        ]
        if touches:
            context.unit.records.touch(touches)
            context.tally.repeated(source.id, fetch.observed_at, len(touches))
        elif fetch.late:
            new = sum(not is_already_listed(listed.seen, fetch.no) for _, listed in part.repeats)
            context.tally.repeated(source.id, fetch.observed_at, new, late=True)
        answers: list[tuple[int, Decision]] = []
        repeats = part.repeats
        if part.others:
            entries = self._date_entries(context, source, group, fetch, part)
            answers = self._observe_all(context, source, entries, now, part.rows)
            if any(decision.number is not None for _, decision in answers):
                repeats = _found_again(context.unit, source, group, repeats)
        return answers + [(n, answer_listed(group.ref(n, listed), listed, context, now)) for n, listed in repeats]

    def _date_entries(
        self, context: Context, source: Source, group: Group, fetch: Fetch, part: FetchPlan
    ) -> list[tuple[int, Arrival]]:
        """Give each entry its observation: that of the fetch, or its own when the fetch was complete before.

        What a complete fetch did not list cannot have stood beside what it did.
        """
        if not fetch.completed:
            observation = Observation.of_fetch(fetch, part.listed, partial=part.partial)
            version = context.rules.version
            return [
                (n, Arrival(item, source, context, observation, digest, group.features(n, source.identity, version)))
                for n, item, digest in part.others
            ]
        again = Observation.of_fetch(fetch, {})
        late = source.newest_observed_at is not None and fetch.observed_at < source.newest_observed_at
        return [
            (n, Arrival(item, source, context, again if known else self._stray(context, source, fetch, late), digest))
            for n, item, digest in part.others
            for known in (identity_of(source, item) in part.listed,)
        ]

    def _stray(self, context: Context, source: Source, fetch: Fetch, late: bool) -> Observation:
        number = context.unit.sources.advance(source.id, fetch.observed_at, 1)
        return Observation(fetch.observed_at, 0, number, late)

    # --- items that are fetches of their own ----------------------------------------------------

    def _ingest_singles(self, group: Group) -> Iterator[list[tuple[int, Decision]]]:
        now = self._clock()
        entries = list(zip(group.positions, group.items, strict=True))
        for start in range(0, len(entries), self._unit_size):
            chunk = entries[start : start + self._unit_size]
            with _Guard(chunk[0][1]), self._store.unit() as unit:
                context = Context(unit, self._rules, self._policy)
                answers: list[tuple[int, Decision]] = []
                for source, part in self._by_source(unit, group, chunk):
                    answers += self._observe_all(context, source, self._date_singles(context, source, part, now), now)
                context.tally.write(unit.counts)
            yield sorted(answers, key=lambda answer: answer[0])

    def _by_source(
        self, unit: Unit, group: Group, chunk: Sequence[tuple[int, Item]]
    ) -> Iterator[tuple[Source, list[tuple[int, Item]]]]:
        """The chunk in stretches of one source, in input order."""
        stretch: list[tuple[int, Item]] = []
        for entry in chunk:
            if stretch and stretch[-1][1].source != entry[1].source:
                yield self._open_source(unit, stretch[0][1].source, group.aliases), stretch
                stretch = []
            stretch.append(entry)
        if stretch:
            yield self._open_source(unit, stretch[0][1].source, group.aliases), stretch

    def _date_singles(
        self, context: Context, source: Source, part: list[tuple[int, Item]], now: datetime
    ) -> list[tuple[int, Arrival]]:
        """Give each item its time and its number in the source; older than the newest is late."""
        newest = source.newest_observed_at
        dated: list[tuple[int, Item, datetime, bool]] = []
        for position, item in part:
            at = item.observed_at or now
            dated.append((position, item, at, newest is not None and at < newest))
            newest = at if newest is None else max(newest, at)
        assert newest is not None
        first = context.unit.sources.advance(source.id, newest, len(dated))
        return [
            (p, Arrival(item, source, context, Observation(at, 0, first + n, late), digest_item(item)))
            for n, (p, item, at, late) in enumerate(dated)
        ]

    # --- both -----------------------------------------------------------------------------------

    def _observe_all(
        self,
        context: Context,
        source: Source,
        entries: Sequence[tuple[int, Arrival]],
        now: datetime,
        rows: Mapping[Identity, list[Seen]] | None = None,
    ) -> list[tuple[int, Decision]]:
        """Take the entries in, in order. Unchanged repeats and items that meet nothing are written together."""
        observer = Observer(context, source, now, self._delivery)
        if rows is None:
            rows = context.unit.records.find_seen([entry.identity for _, entry in entries])
        stored = dict(rows)
        observer.look_ahead([entry for _, entry in entries if entry.identity not in stored])
        answers: list[tuple[int, Decision]] = []
        fresh: list[int] = []
        repeats: list[tuple[int, Item, int]] = []
        moved = False  # once something was stored, rows that were read before may be out of date
        for position, entry in entries:
            identity = entry.identity
            if identity not in stored and observer.take_fresh(entry):
                fresh.append(position)
                continue
            if moved or fresh:
                observer.flush()
                stored.pop(identity, None)
                stored.update(context.unit.records.find_seen([identity]))
            answer = observer.observe(entry, stored.get(identity, ()))
            if isinstance(answer, Decision):
                answers.append((position, answer))
                moved = True
            else:
                repeats.append((position, entry.item, answer.sighting_id))
                stored[identity] = [_seen_now(row, answer, entry.observation) for row in stored[identity]]
        observer.flush()
        answers += zip(fresh, observer.fresh_decisions, strict=True)
        return answers + self._answer_repeats(context, entries, repeats, now)

    def _answer_repeats(
        self,
        context: Context,
        entries: Sequence[tuple[int, Arrival]],
        repeats: Sequence[tuple[int, Item, int]],
        now: datetime,
    ) -> list[tuple[int, Decision]]:
        """Answer the repeats after everything else of the unit, so that moved sightings are followed."""
        if not repeats:
            return []
        positions = {position for position, _, _ in repeats}
        identities = [entry.identity for position, entry in entries if position in positions]
        rows = context.unit.records.find_seen(identities)
        home = {row.sighting_id: row.record_id for found in rows.values() for row in found}
        records = {r.id: r for r in context.unit.records.find_records(set(home.values()))}
        return [(p, repeat_decision(item, records[home[sid]], context, now)) for p, item, sid in repeats]

    def _open_source(self, unit: Unit, name: str, aliases: Sequence[str]) -> Source:
        source = unit.sources.add_source(name, source_identity(name))
        for alias in aliases:
            unit.sources.add_alias(source.id, source_identity(alias))
        return source

    def _guarded(self, group: Group, plan: FetchPlan | None, start: int) -> _Guard:
        first = plan.first(start) if plan else 0
        return _Guard(lambda: group.items[first])


class _Guard:
    """Turns whatever stops a unit into an IngestError that names the first item not stored."""

    def __init__(self, first: Item | Callable[[], Item]) -> None:
        self._first = first

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, SeenBeforeError) and not isinstance(error, IngestError):
            item = self._first if isinstance(self._first, Item) else self._first()
            name = item.guid or item.original_url or item.title
            raise IngestError(f"{item.source}: {name}", str(error)) from error


def _found_again(
    unit: Unit, source: Source, group: Group, repeats: Sequence[tuple[int, Listed]]
) -> tuple[tuple[int, Listed], ...]:
    """The repeats with the records that hold them now: the rest of the fetch may have moved them."""
    rows = unit.records.find_seen([listed.identity for _, listed in repeats])
    home = {row.sighting_id: row for found in rows.values() for row in found}
    records = {r.id: r for r in unit.records.find_records({row.record_id for row in home.values()})}
    again = []
    for n, listed in repeats:
        seen = home[listed.seen.sighting_id]
        record = records[seen.record_id]
        again.append((n, Listed(seen, listed.identity, listed.title, record.external_id, record.url, record.title)))
    return tuple(again)


def _seen_now(row: Seen, answer: Seen, observation: Observation) -> Seen:
    """The row as it will be once the noted repeat is written."""
    if row.sighting_id != answer.sighting_id or observation.late:
        return row
    return row._replace(
        last_seen_at=max(row.last_seen_at, observation.observed_at),
        last_fetch_no=max(row.last_fetch_no, observation.order_no),
    )
