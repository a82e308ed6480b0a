"""Settings → a library object. The one place that knows which store, rules and policy belong together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from .engine.audit import Report, check_store
from .engine.changes import Change, Changes
from .engine.consolidate import Consolidated, consolidate_all
from .engine.dryrun import DryRun
from .engine.emit import EmitFile, change_to_json
from .engine.engine import Engine, utc_now
from .engine.explain import Explainer, PairStory, RecordStory, SourceStory
from .engine.export import FeedOptions, export_feed
from .engine.exportfile import Export, Progress
from .engine.exportpages import export_redirects, export_sitemap
from .engine.history import History, find_history
from .engine.job import Answer, JobOptions, Skipped, Step, answer_lines
from .engine.label import label_pair
from .engine.pages.keeper import PageKeeper
from .engine.poll import Poller, Polling
from .engine.poll_run import run_places
from .engine.rulekeeper import RuleKeeper
from .engine.stats import Stats, collect_stats, find_decisions, get_decision, get_event
from .engine.undo import Undone, undo_event
from .errors import InvalidInput, NotFound, StoreError
from .ids import number_of, parse_id
from .model import Decision, Event, Item, Outcome, Record, Status, Verdict
from .policy import Policy
from .rules import Rules
from .settings import is_there, read_policy, read_rules
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
        self.explainer = Explainer(store, self.engine.rules, policy)
        self.rules = RuleKeeper(store, self.engine.rules, policy, clock)
        self.pages = PageKeeper(self.engine)
        self._hold_review = policy.delivery.hold_review
        self._changes = Changes(store, hold_review=self._hold_review)

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
        self,
        items: Sequence[Item | Mapping[str, object]],
        *,
        source: str | None = None,
        history: bool = False,
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

    def ingest(
        self,
        places: Sequence[str | Path],
        *,
        source: str | None = None,
        observed_at: datetime | None = None,
        history: bool = False,
        ignore: Sequence[str] = (),
        stdin: BinaryIO | None = None,
        two_processes: bool = True,
        polling: Polling | None = None,
    ) -> Iterator[Step]:
        """Yield what becomes of files, folders, lists and (with ``polling``) addresses: committed answers, complaints.

        ``ignore`` names files that a folder may hold by chance, such as the database itself. With
        ``two_processes``, a second process helps to read large first imports where there is a second core.

        Raises:
            InvalidInput: ``-`` (standard input) without a source.
            IngestError: a unit failed; earlier units stand, a second call completes the work.
        """
        options = JobOptions(source, observed_at, history, tuple(ignore), two_processes)
        poller = Poller(self.engine, polling, options) if polling else None
        return run_places(self.engine, [str(place) for place in places], options, stdin, poller)

    def answer_lines(
        self,
        lines: Iterable[bytes],
        where: str,
        *,
        source: str | None = None,
        observed_at: datetime | None = None,
        history: bool = False,
    ) -> Iterator[Answer | Skipped]:
        """Yield one answer or complaint per line of JSON, before the next line is read."""
        return answer_lines(self.engine, lines, where, JobOptions(source, observed_at, history))

    def changes(self, consumer: str, *, from_now: bool = False) -> Iterator[Change]:
        """Yield what the consumer has not acknowledged, in order; only ``ack`` moves its cursor."""
        return self._changes.read(consumer, from_now=from_now)

    def ack(self, consumer: str, seq: int) -> None:
        """Acknowledge everything up to ``seq``. Raises InvalidInput for a seq that does not exist."""
        self._changes.ack(consumer, seq)

    def change_to_json(self, change: Change) -> dict[str, object]:
        """Return the mapping of a delivery; updates carry the versions before and after."""
        return change_to_json(self.store, change)

    def emit_to(self, path: str | Path) -> EmitFile:
        """Return the file as a consumer of its own; ``drain()`` writes what it has not got yet.

        Raises:
            InvalidInput: the file cannot be written, or holds something else.
        """
        return EmitFile(self.store, self._changes, path)

    def decisions(
        self,
        *,
        outcome: Outcome | str | None = None,
        source: str | None = None,
        since: datetime | None = None,
        limit: int | None = None,
    ) -> list[Decision]:
        """Return stored decisions, newest last; with ``limit`` the newest ones.

        ``source`` is a name as given or an id (``s3``). Merged records are answered with their survivor.

        Raises:
            NotFound: no such source.
            InvalidInput: not an outcome.
        """
        try:
            wanted = Outcome(outcome) if outcome is not None else None
        except ValueError:
            raise InvalidInput(f"{outcome!r} is no outcome; use new, update, duplicate or review") from None
        return find_decisions(self.store, wanted, source, since, limit)

    def stats(self, *, days: int = 7, source: str | None = None) -> Stats:
        """Return counts of what is stored and of what came on the last days, with warnings where the mix jumps.

        ``source`` is a name as given or an id (``s3``). Raises NotFound.
        """
        return collect_stats(self.store, self.engine.policy.stats, days=days, source=source)

    def check(self, *, limit: int | None = None, progress: Callable[[int, int], None] | None = None) -> Report:
        """Return what is broken in the store, at most ``limit`` places of each kind; writes nothing.

        ``progress`` is called with how much is done and how much there is. Raises StoreBusy.
        """
        return check_store(self.store, self.engine.rules, self.engine.policy, limit=limit, progress=progress)

    def source(self, source_id: str) -> SourceStory:
        """Return a source (``s3``) with what lost its trust there. Raises NotFound."""
        return self.explainer.source(number_of(source_id, "s", "source"))

    def event(self, event_id: str) -> Event:
        """Return an event (``m5``). Raises NotFound."""
        return get_event(self.store, number_of(event_id, "m", "event"))

    def undo(self, event_id: str, *, author: str = "", dry_run: bool = False) -> Undone:
        """Take a merge or a split (``m5``) back and return what that did; with ``dry_run`` what it would do.

        What came later is kept, and what was told apart is not joined again.

        Raises:
            NotFound: no such event.
            CannotUndo: it moved nothing, is undone already, or a later event stands in the way.
        """
        engine, number = self.engine, number_of(event_id, "m", "event")
        return undo_event(self.store, engine.rules, engine.policy, engine.clock(), number, author, dry_run=dry_run)

    def history(self, what: str | None = None, *, limit: int | None = None) -> History:
        """Return what happened to a record (``r12``), around an event (``m5``), at a source (``s3``), or at all.

        The newest entry is the last one; ``limit`` keeps the newest. Events say whether they can be undone.

        Raises:
            NotFound: no such thing.
            InvalidInput: something else than one of these ids.
        """
        return find_history(self.store, what, limit)

    def consolidate(self, *, dry_run: bool = False) -> Iterator[Consolidated]:
        """Compare everything stored once more, under the policy and rules in force, and yield how far it has come.

        With ``dry_run`` on a copy that is thrown away. Raises StoreError when a page of records could not be
        written; those before it stand, and a second call retries.
        """
        engine = self.engine
        return consolidate_all(self.store, engine.rules, engine.policy, engine.clock, dry_run=dry_run)

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
        first, second = number_of(a, "r", "record"), number_of(b, "r", "record")
        live = label_pair(self.store, engine.rules, engine.policy, engine.clock(), first, second, chosen, author)
        return f"r{live[0]}", f"r{live[1]}"

    def explain(self, what: str, other: str | None = None) -> RecordStory | Decision | PairStory | list[RecordStory]:
        """Return the story behind ``r12``, ``d34`` or an address, or why two records are (not) the same.

        Raises:
            NotFound: nothing is stored under it.
            InvalidInput: the pair form needs two record ids.
        """
        if other is not None:
            return self.explainer.pair(self._record_of(what), self._record_of(other))
        known = parse_id(what)
        if known is None:
            return [self.explainer.record(record_id) for record_id in self._records_at(what)]
        letter, number = known
        if letter == "d":
            return get_decision(self.store, number)
        if letter == "r":
            return self.explainer.record(number)
        raise InvalidInput("give a record (r12), a decision (d34) or an address", what)

    def _records_at(self, url: str) -> list[int]:
        found = self.explainer.find_by_url(url)
        if not found:
            raise NotFound(url)
        return found

    def _record_of(self, what: str) -> int:
        """The record behind a record id, a decision id or an address that leads to one record."""
        known = parse_id(what)
        if known is None:
            found = self._records_at(what)
            if len(found) > 1:
                names = ", ".join(f"r{record_id}" for record_id in found)
                raise InvalidInput(f"this address leads to several records ({names}); name one", what)
            return found[0]
        if known[0] == "d":
            return self.explainer.decision(known[1]).record_number or 0
        return number_of(what, "r", "record")

    def export_feed(
        self,
        format: str = "atom",
        *,
        since: datetime | None = None,
        source: str | None = None,
        limit: int = 100,
        title: str = "",
        url: str = "",
        with_secrets: bool = False,
        progress: Progress | None = None,
    ) -> Export:
        """Return the newest records as a feed (``atom``, ``json`` or ``rss``), one entry each; ``limit`` 0 is all.

        Raises:
            NotFound: no such source.
            InvalidInput: an option is wrong.
        """
        options = FeedOptions(format, since, source, limit, title, url, with_secrets)
        return export_feed(self.store, options, hold_review=self._hold_review, progress=progress)

    def export_redirects(
        self, format: str, old: str, new: str, *, with_secrets: bool = False, progress: Progress | None = None
    ) -> Export:
        """Return where your pages of merged records went (``nginx``, ``apache`` or ``json``); rejected ones are gone.

        ``old`` and ``new`` are templates such as ``/articles/{external_id}``. Raises InvalidInput.
        """
        return export_redirects(self.store, format, old, new, with_secrets=with_secrets, progress=progress)

    def export_sitemap(
        self, url: str, *, base: str = "", with_secrets: bool = False, progress: Progress | None = None
    ) -> Export:
        """Return your pages of live records with the time of their last change; ``url`` is a template.

        ``base`` is where the files will lie, if ``save`` has to make several. Raises InvalidInput.
        """
        return export_sitemap(
            self.store,
            url,
            base=base,
            hold_review=self._hold_review,
            with_secrets=with_secrets,
            progress=progress,
        )

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
    create: bool = True,
    policy: Mapping[str, object] | str | Path | None = None,
    rule_packs: Sequence[str] = (),
    clock: Clock = utc_now,
) -> SeenBefore:
    """Return the store at ``path``, made if there is none; ``":memory:"`` keeps nothing.

    Args:
        create: with False a missing file is an error.
        policy: sections and values to lay over the default policy, with a ``version`` of their own,
            or the path of a TOML file that holds them.
        rule_packs: paths of further rule packs.

    Raises:
        StoreError: the file cannot be opened or is no seenbefore database.
        InvalidPolicy, InvalidRule: what was passed in does not hold.
    """
    loaded, rules = read_policy(policy), read_rules(rule_packs)
    if not create and not is_there(path):
        raise StoreError("there is no such database", str(path))
    store: Store = MemoryStore() if str(path) == ":memory:" else SqliteStore(path)
    return SeenBefore(store, rules, loaded, clock)


def open_dry_run(
    path: str | Path,
    *,
    policy: Mapping[str, object] | str | Path | None = None,
    rule_packs: Sequence[str] = (),
    clock: Clock = utc_now,
) -> DryRun:
    """Return a copy of the store at ``path`` that is thrown away; a missing file is not made.

    Raises:
        StoreError: the file cannot be opened or is no seenbefore database.
        InvalidPolicy, InvalidRule: what was passed in does not hold.
    """
    place = path if is_there(path) else ":memory:"
    with open_db(place, policy=policy, rule_packs=rule_packs, clock=clock) as db:
        return DryRun(db.engine)


def as_item(item: Item | Mapping[str, object], source: str | None = None, where: str = "item") -> Item:
    """Return an Item; a mapping is read in the form of ``items.jsonl``. Raises InvalidItem."""
    if isinstance(item, Item):
        return item
    return parse_item(item, source=source, where=where)
