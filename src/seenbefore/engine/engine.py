"""The engine: what a program can ask. Shells and the library object call this and nothing below it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from ..errors import InvalidItem
from ..model import Decision, Item, Outcome, Source
from ..policy import Policy
from ..stores.base import Seen, Store, Unit
from ..urls.source import source_identity
from .apply import Delivery
from .arrival import Arrival
from .context import Context, Observation
from .group import Group, group_items
from .ingest import UNIT_SIZE, Ingestor
from .observe import Observer, repeat_decision
from .rulebook import RuleBook, RuleSource

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """Return the present instant; the only clock of the package unless another one is passed in."""
    return datetime.now(UTC)


class Engine:
    """Answers *have we seen this before?* on one store. One engine per thread or process."""

    def __init__(
        self, store: Store, rules: RuleSource, policy: Policy, clock: Clock = utc_now, unit_size: int = UNIT_SIZE
    ) -> None:
        self.store = store
        self.rules = RuleBook(rules.base if isinstance(rules, RuleBook) else rules)
        self.policy = policy
        self.clock = clock
        self.unit_size = unit_size

    def see(self, item: Item, *, history: bool = False) -> Decision:
        """Return the decision on one item after storing it, as a unit of its own.

        Raises:
            InvalidItem: the item has neither address, guid nor title.
            IngestError: the store failed; nothing of the item is stored.
        """
        return self.see_many([item], history=history)[0]

    def see_many(self, items: Sequence[Item], *, history: bool = False) -> list[Decision]:
        """Return the decisions in input order. Items of one fetch are taken as a whole.

        Raises:
            InvalidItem: before anything is stored, naming the position of the first bad item.
            IngestError: a unit failed; earlier units stand, a second call completes the work.
        """
        for position, item in enumerate(items):
            _check(item, f"item {position + 1}")
        answers: dict[int, Decision] = {}
        for unit in self.ingest(group_items(items), history=history):
            answers.update(unit)
        return [answers[position] for position in range(len(items))]

    def ingest(self, groups: Iterable[Group], *, history: bool = False) -> Iterator[list[tuple[int, Decision]]]:
        """Yield positions and decisions unit by unit, each after its commit."""
        delivery = Delivery(history)
        ingestor = Ingestor(self.store, self.rules, self.policy, self.clock, delivery, self.unit_size)
        yield from ingestor.ingest(groups)

    def peek(self, item: Item) -> Decision:
        """Return what ``see`` would answer now, without writing or waiting for a lock.

        Ids of what is not stored are None, as are ``id`` and ``seq``.

        Raises:
            InvalidItem: the item has neither address, guid nor title.
        """
        _check(item, "item")
        now = self.clock()
        with self.store.reading() as unit:
            context = Context(unit, self.rules, self.policy)
            source = unit.sources.find_source(source_identity(item.source)) or _unknown(item)
            if not source.id:
                context.assume(source)
            observation = _peek_observation(unit, source, item, now)
            incoming = Arrival(item, source, context, observation)
            observer = Observer(context, source, now, Delivery())
            rows: Sequence[Seen] = ()
            if source.id:
                identity = incoming.identity
                rows = unit.records.find_seen([identity]).get(identity, ())
            answer = observer.plan(incoming, rows)
            if isinstance(answer, Seen):
                record = unit.records.find_records([answer.record_id])[0]
                return repeat_decision(item, record, context, now)
        if answer.outcome in (Outcome.NEW, Outcome.REVIEW):
            return replace(answer, record_number=None)
        return answer


def _check(item: Item, where: str) -> None:
    if not (item.original_url or item.guid or item.title or item.content or item.enclosures):
        raise InvalidItem("needs at least one of url, guid, title, content or enclosure", where)
    if not item.source.strip():
        raise InvalidItem("needs a source", where)


def _unknown(item: Item) -> Source:
    return Source(0, item.source, source_identity(item.source), None, 0)


def _peek_observation(unit: Unit, source: Source, item: Item, now: datetime) -> Observation:
    """The observation as it would be; an open fetch of the source keeps its number."""
    at = item.observed_at or now
    late = source.newest_observed_at is not None and at < source.newest_observed_at
    if not item.fetch_id:
        return Observation(at, 0, source.last_fetch_no + 1, late)
    fetch = unit.sources.find_fetch(source.id, item.fetch_id) if source.id else None
    if fetch is not None:
        return Observation.of_fetch(fetch, {})
    number = source.last_fetch_no + 1
    return Observation(at, number, number, late)
