"""Everything one can do with the pages of a store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from ...errors import InvalidInput
from ...fetch.base import Fetcher
from ...model import Capture, Decision
from ...urls import identify
from ..engine import Engine
from ..job import Step
from ..rulebook import rules_at
from .opening import Robots, page_reading, read_capture
from .reextract import Reread, reextract
from .run import DEFAULTS, PageOptions, PageVisitor, Room, find_wish, find_wishes, follow_pages, open_pages, store_page
from .storing import OpenedPage, StoredPage
from .wishes import READ, PageWish, host_of, wish_for


class PageKeeper:
    """Opens the pages behind items, and answers what became of that; ``SeenBefore.pages`` is one."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def wanted(self, decisions: Sequence[Decision]) -> list[PageWish]:
        """Return the pages to open for these answers: one per article, none that was opened already."""
        return find_wishes(self._engine, decisions)

    def open(
        self,
        wishes: Sequence[PageWish],
        fetcher: Fetcher,
        robots: Robots | None = None,
        options: PageOptions = DEFAULTS,
        *,
        stop: Callable[[], bool] = bool,
    ) -> Iterator[StoredPage]:
        """Yield each attempt once it is stored. Raises MissingExtra or StoreError."""
        return open_pages(self._engine, fetcher, wishes, options, robots, stop=stop)

    def follow(
        self, steps: Iterable[Step], visitor: PageVisitor, *, at_once: bool = False
    ) -> Iterator[Step | StoredPage]:
        """Yield the steps of an ingest with what came of opening the pages behind its items; see ``follow_pages``."""
        return follow_pages(self._engine, steps, visitor, at_once=at_once)

    def open_url(
        self, url: str, fetcher: Fetcher, robots: Robots | None = None, options: PageOptions = DEFAULTS
    ) -> StoredPage:
        """Return what came of opening one page now.

        Raises:
            InvalidInput: the address names no page of its own (a front page, or no web address).
        """
        wish = find_wish(self._engine, url)
        if wish is None:
            raise InvalidInput("this address names no article: it is a front page, or no web address", url)
        return next(iter(open_pages(self._engine, fetcher, [wish], options, robots)))

    def read(self, body: bytes, url: str, options: PageOptions = DEFAULTS) -> OpenedPage:
        """Return what a page says that is there already, for example in a file. Stores nothing.

        ``url`` is where it is from; '' when nobody knows.
        """
        engine = self._engine
        now = engine.clock()
        with engine.store.reading() as unit:
            hosts = unit.pages.find_hosts([host_of(url)])
            wish = wish_for(url, rules_at(engine.rules, unit)) if url else None
        wish = wish or PageWish(url, url, url)
        capture = Capture(wish.address, url, url, now, READ, final_url=url)
        return read_capture(wish, capture, body, options, hosts)

    def take(self, page: OpenedPage, options: PageOptions = DEFAULTS) -> StoredPage:
        """Store a page that was read, and return what its text is.

        Raises:
            InvalidInput: nobody knows its address, or that names no page of its own.
        """
        if wish_for(page.wish.original_url, self._engine.rules.base) is None:
            raise InvalidInput("needs the address of an article to be compared; say where the page is from", "page")
        return store_page(self._engine, page, options, Room(self._engine, options))

    def reextract(self, options: PageOptions = DEFAULTS, *, learn: bool = False) -> Iterator[Reread]:
        """Yield how far reading the kept pages once more has come. Raises MissingExtra or StoreError."""
        return reextract(self._engine, replace(options, keep=False), learn=learn)

    def captures(self, url: str) -> list[Capture]:
        """Return all attempts to open the page at an address, the oldest first."""
        with self._engine.store.reading() as unit:
            return unit.pages.list_captures(identify(url, rules_at(self._engine.rules, unit)).key)

    def counts(self) -> dict[tuple[str, str], int]:
        """Return how many pages stand at each (outcome, representation)."""
        with self._engine.store.reading() as unit:
            return unit.pages.count_captures()

    @staticmethod
    def check() -> None:
        """Raise MissingExtra when pages cannot be read here."""
        page_reading()
