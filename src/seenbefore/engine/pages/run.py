"""One run over pages: wishes in, committed attempts out. Requests run side by side, one at a time per host."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from ...errors import FetchFailed
from ...fetch.base import Fetcher
from ...model import Decision
from ..apply import Delivery
from ..engine import Engine
from ..job import Committed, Polled, Step
from ..politely import Manners, run_politely
from ..rulebook import rules_at
from .opening import Fetched, Robots, failed, fetch_page, keep_within, opened, page_reading
from .storing import OpenedPage, PageStore, StoredPage
from .wishes import PageWish, host_of, over_https, plan_wishes, wish_for

EXTRACTOR: Final = "trafilatura-fast"
KEPT_BYTES: Final = 2 << 30
"""How much kept pages may take, compressed, unless told otherwise."""


@dataclass(frozen=True, slots=True)
class PageOptions:
    """How pages are opened: by which extractor they are read, whether and how much of them is kept."""

    extractor: str = EXTRACTOR
    keep: bool = False
    kept_bytes: int = KEPT_BYTES
    history: bool = False
    manners: Manners = field(default_factory=Manners)


DEFAULTS: Final = PageOptions()


def find_wishes(engine: Engine, decisions: Sequence[Decision]) -> list[PageWish]:
    """Return the pages to open for these answers; see :func:`plan_wishes`."""
    with engine.store.reading() as unit:
        return plan_wishes(unit, rules_at(engine.rules, unit), decisions, engine.clock())


def find_wish(engine: Engine, url: str) -> PageWish | None:
    """Return the wish to open one page for itself, now; None when the address names no page of its own."""
    with engine.store.reading() as unit:
        wish = wish_for(url, rules_at(engine.rules, unit))
        if wish is None:
            return None
        previous = unit.pages.find_captures([wish.address]).get(wish.address)
        holders = unit.records.find_record_ids([("url", "", wish.address)])
        held_by = next((several[0] for several in holders.values() if len(several) == 1), 0)
        return over_https(unit, [PageWish(wish.original_url, wish.address, wish.fetch_url, held_by, previous)])[0]


def open_pages(
    engine: Engine,
    fetcher: Fetcher,
    wishes: Sequence[PageWish],
    options: PageOptions,
    robots: Robots | None = None,
    *,
    stop: Callable[[], bool] = bool,
) -> Iterator[StoredPage]:
    """Yield each attempt once it is stored, in the order in which answers come; each is a unit of its own.

    Raises:
        MissingExtra: reading pages needs ``seenbefore[pages]``.
        StoreError: an attempt could not be written; those before it stand, and the same call completes the work.
    """
    page_reading()
    room = Room(engine, options)

    def fetch(wish: PageWish) -> Fetched:
        return fetch_page(wish, fetcher, robots, engine.clock)

    for wish, answer in run_politely(wishes, fetch, _host_of, options.manners, stop=stop):
        yield store_page(engine, _read(engine, wish, answer, options), options, room)


def _host_of(wish: PageWish) -> str:
    return wish.host


def _read(engine: Engine, wish: PageWish, answer: Fetched | Exception, options: PageOptions) -> OpenedPage:
    if isinstance(answer, FetchFailed):  # not even asked: its host is on hold
        return failed(wish, answer, engine.clock())
    if isinstance(answer, Exception):
        raise answer
    final_url = "" if isinstance(answer.result, FetchFailed) else answer.result.url
    with engine.store.reading() as unit:
        hosts = unit.pages.find_hosts([host_of(final_url)]) if final_url else {}
    return opened(answer, options, hosts)


class Room:
    """How much may still be kept: asked once a run, since counting what is kept reads all of it."""

    def __init__(self, engine: Engine, options: PageOptions) -> None:
        self.left = 0
        if options.keep:
            with engine.store.reading() as unit:
                self.left = options.kept_bytes - unit.pages.kept_bytes()

    def fit(self, page: OpenedPage) -> OpenedPage:
        """Return the attempt, without its page when that does not fit."""
        page = keep_within(page, self.left)
        self.left -= len(page.body.packed) if page.body else 0
        return page


def store_page(engine: Engine, page: OpenedPage, options: PageOptions, room: Room) -> StoredPage:
    """Return the attempt as it is stored now, with what its text is."""
    page, now = room.fit(page), engine.clock()
    with engine.store.unit() as unit:
        return PageStore(unit, engine.rules, engine.policy, now, Delivery(options.history)).store(page)


@dataclass(frozen=True, slots=True)
class PageVisitor:
    """What it takes to open pages: who fetches, who is asked for permission, and how they are read."""

    fetcher: Fetcher
    robots: Robots | None = None
    options: PageOptions = DEFAULTS
    stop: Callable[[], bool] = bool


def follow_pages(
    engine: Engine, steps: Iterable[Step], visitor: PageVisitor, *, at_once: bool = False
) -> Iterator[Step | StoredPage]:
    """Yield the steps of a run, and what came of opening the pages behind its items.

    Pages are opened when the steps are over, so that many hosts can be asked side by side; with ``at_once``, for runs
    without an end, after each address. What a run that was stopped did not open, the next one does.
    """
    waiting: dict[str, PageWish] = {}
    for step in steps:
        yield step
        if isinstance(step, Committed):
            wishes = find_wishes(engine, [answer.decision for answer in step.answers])
            waiting.update((wish.address, wish) for wish in wishes)
        elif at_once and isinstance(step, Polled):
            yield from _visit(engine, waiting, visitor)
    yield from _visit(engine, waiting, visitor)


def _visit(engine: Engine, waiting: dict[str, PageWish], visitor: PageVisitor) -> Iterator[StoredPage]:
    wishes, one = list(waiting.values()), visitor
    waiting.clear()
    if wishes and not one.stop():
        yield from open_pages(engine, one.fetcher, wishes, one.options, one.robots, stop=one.stop)
