"""Settings → a library object. The one place that knows which store, rules and policy belong together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType

from .engine.changes import Change, Changes
from .engine.engine import Engine, utc_now
from .engine.explain import Explainer, PairStory, RecordStory
from .engine.label import label_pair
from .errors import InvalidInput, InvalidRule
from .decisionjson import parse_id
from .model import Decision, Item, Record, Status, Verdict
from .policy import Policy, load_policy
from .rules import Rules, load_rules
from .sources.items import parse_item
from .stores.base import Store
from .stores.memory import MemoryStore
from .stores.sqlite import SqliteStore

Clock = Callable[[], datetime]


class SeenBefore:
    """One open store and the questions it answers. Use it as a context manager.

    Items are :class:`seenbefore.Item` values or mappings in the form of ``items.jsonl``.
    """

    def __init__(self, store: Store, rules: Rules, policy: Policy, clock: Clock = utc_now) -> None:
        self.store = store
        self.engine = Engine(store, rules, policy, clock)
        self.explainer = Explainer(store, rules, policy)
        self._changes = Changes(store, hold_review=policy.delivery.hold_review)

    def __enter__(self) -> SeenBefore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the file."""
        self.store.close()

    def see(self, item: Item | Mapping[str, object], *, source: str | None = None) -> Decision:
        """Return the decision on one item after storing it.

        Raises:
            InvalidItem: the mapping is not an item, or the item names nothing.
            IngestError: the store failed; nothing of the item is stored.
        """
        return self.engine.see(as_item(item, source))

    def see_many(
        self, items: Sequence[Item | Mapping[str, object]], *, source: str | None = None, history: bool = False
    ) -> list[Decision]:
        """Return the decisions in input order; items with equal source and fetch_id are one fetch.

        With ``history`` the items are imported as known and never announced.

        Raises:
            InvalidItem: one of them is no item; nothing is stored then.
            IngestError: a unit failed; earlier units stand, a second call completes the work.
        """
        parsed = [as_item(item, source, f"item {n}") for n, item in enumerate(items, 1)]
        return self.engine.see_many(parsed, history=history)

    def peek(self, item: Item | Mapping[str, object], *, source: str | None = None) -> Decision:
        """Return what ``see`` would answer, and write nothing."""
        return self.engine.peek(as_item(item, source))

    def changes(self, consumer: str, *, from_now: bool = False) -> Iterator[Change]:
        """Yield what the consumer has not acknowledged, in order; only ``ack`` moves its cursor."""
        return self._changes.read(consumer, from_now=from_now)

    def ack(self, consumer: str, seq: int) -> None:
        """Acknowledge everything up to ``seq``. Raises InvalidInput for a seq that does not exist."""
        self._changes.ack(consumer, seq)

    def label(self, a: str, b: str, verdict: Verdict | str, *, author: str = "") -> tuple[str, str]:
        """Store a person's verdict on two records (``r1``, ``r2``); returns their live ids.

        Raises:
            NotFound: no such record.
            InvalidInput: not record ids, not a verdict, or both are one record.
        """
        engine = self.engine
        try:
            chosen = Verdict(verdict)
        except ValueError:
            raise InvalidInput(f"{verdict!r} is no verdict; use same, different or related", "label") from None
        first, second = _record_number(a), _record_number(b)
        live = label_pair(
            self.store, engine.rules, engine.policy, engine.clock(), first, second, chosen, author
        )
        return f"r{live[0]}", f"r{live[1]}"

    def explain(self, what: str, other: str | None = None) -> RecordStory | Decision | PairStory | list[RecordStory]:
        """Return the story behind ``r12``, ``d34`` or an address, or why two records are (not) the same.

        Raises:
            NotFound: nothing is stored under it.
            InvalidInput: the pair form needs two record ids.
        """
        if other is not None:
            return self.explainer.pair(_record_number(what), _record_number(other))
        known = parse_id(what)
        if known is None:
            return [self.explainer.record(record_id) for record_id in self.explainer.find_by_url(what)]
        letter, number = known
        if letter == "d":
            return self.explainer.decision(number)
        if letter == "r":
            return self.explainer.record(number)
        raise InvalidInput("give a record (r12), a decision (d34) or an address", what)

    def records(self) -> Iterator[Record]:
        """Yield the live records by ascending id."""
        after = 0
        while True:
            with self.store.reading() as unit:
                page = unit.records.find_records(limit=500, after=after)
            if not page:
                return
            after = page[-1].id
            yield from (record for record in page if record.status is not Status.MERGED)


def open_db(
    path: str | Path,
    *,
    policy: Mapping[str, object] | None = None,
    rule_packs: Sequence[str] = (),
    clock: Clock = utc_now,
) -> SeenBefore:
    """Return the store at ``path``, made if there is none; ``":memory:"`` keeps nothing.

    Args:
        policy: sections and values to lay over the default policy, with a ``version`` of their own.
        rule_packs: paths of further rule packs.

    Raises:
        StoreError: the file cannot be opened or is no seenbefore database.
        InvalidPolicy, InvalidRule: what was passed in does not hold.
    """
    loaded = load_policy(policy)
    rules = load_rules([_read_pack(path) for path in rule_packs])
    store: Store = MemoryStore() if str(path) == ":memory:" else SqliteStore(path)
    return SeenBefore(store, rules, loaded, clock)


def _read_pack(path: str) -> tuple[str, str]:
    try:
        return path, Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidRule(f"cannot be read: {error}", path) from error


def as_item(item: Item | Mapping[str, object], source: str | None = None, where: str = "item") -> Item:
    """Return an Item; a mapping is read in the form of ``items.jsonl``. Raises InvalidItem."""
    if isinstance(item, Item):
        return item
    return parse_item(item, source=source, where=where)


def _record_number(text: str) -> int:
    known = parse_id(text)
    if known is None or known[0] != "r":
        raise InvalidInput("this is no record id; record ids look like r12", text)
    return known[1]
