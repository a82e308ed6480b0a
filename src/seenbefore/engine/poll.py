"""Polling: addresses are asked side by side, what they give is taken in, and what became of each is noted.

Workers only fetch. Reading, storing and noting happen one after the other where the steps are asked for; validators
and the next time are written after the items of an address, so that a crash between loses nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from ..errors import FetchFailed, InvalidFeed, Refused
from ..fetch.base import Fetcher, FetchKind, Response
from ..model import Outcome
from ..polling.politeness import lane_of
from ..polling.schedule import Limits, freshness, next_state, should_ask
from ..polling.state import GONE, LIST, NOT_A_FEED, NOT_FOUND, OK, REFUSED, UNCHANGED, PollResult, PollState
from ..sources.folder import FetchInput
from ..sources.opml import is_opml, read_opml
from ..urls.source import source_identity
from .engine import Engine
from .job import Committed, JobOptions, Polled, Repaired, Skipped, Step, take_in
from .politely import Manners, OnHold, hold_after, run_politely
from .poll_read import Body, Listing, read_body

KEEP_RESULTS: Final = 50
"""Results kept per address: half a day of the shortest interval, most of a month of the longest."""

DEEPEST: Final = 3
"""Lists within lists that are followed: a list of feeds, an index of sitemaps in it, and its sitemaps."""

_KINDS: Final = {"sitemap": FetchKind.SITEMAP, "links": FetchKind.PAGE}
_NAMED: Final = {404: NOT_FOUND, 410: GONE}
_ANSWERED: Final = frozenset({"too-large", "headers-too-large", "header", "encoding"})
"""What is refused after a server has answered: its fault, and a reason to ask less often."""


@dataclass(frozen=True, slots=True)
class Polling:
    """What applies to all addresses of a run: who fetches, what they are read as, which of them are asked, and how.

    ``due_only`` asks only what is due, ``force`` also what is on hold. ``read_as`` is one of ``READ_AS`` and
    goes for files of the same run as well; link lists need a ``selector``.
    """

    fetcher: Fetcher
    read_as: str = "auto"
    selector: str = ""
    due_only: bool = False
    force: bool = False
    limits: Limits = field(default_factory=Limits)
    manners: Manners = field(default_factory=Manners)


@dataclass(frozen=True, slots=True)
class _Place:
    """An address to ask, the source its items belong to, and what it is asked for."""

    address: str
    source: str
    kind: FetchKind


@dataclass(frozen=True, slots=True)
class _Ask:
    """An address on its way: under which source, for what, what is known of it, where it is asked."""

    address: str
    source: str
    kind: FetchKind
    identity: str
    state: PollState | None

    @property
    def url(self) -> str:
        """Where it is asked: where permanent redirects led, while that goes well."""
        moved = self.state.moved_to if self.state and self.state.last.is_good else ""
        return moved or self.address


@dataclass(frozen=True, slots=True)
class _Got:
    """What a worker brought back, when, and how long it took."""

    at: datetime
    seconds: float
    answer: Response | FetchFailed


@dataclass
class Poller:
    """Asks addresses for one store. What lists named is remembered as long as the object lives.

    ``asked`` holds the identities of everything that was to be asked so far.
    """

    engine: Engine
    polling: Polling
    options: JobOptions = field(default_factory=JobOptions)
    stop: Callable[[], bool] = bool
    asked: set[str] = field(default_factory=set)
    _members: dict[str, list[_Place]] = field(default_factory=dict)
    _newest: dict[str, datetime] = field(default_factory=dict)

    def poll(self, addresses: Iterable[str]) -> Iterator[Step]:
        """Yield answers, complaints and one :class:`Polled` per address, as they come.

        Raises:
            IngestError: items of one address could not be stored; what was yielded before stands.
        """
        places = [_Place(url, self.options.source or url, self._kind(url)) for url in addresses]
        seen: set[str] = set()
        manners = replace(self.polling.manners, hold=_hold)
        depth = 0
        while places and depth < DEEPEST and not self.stop():
            asks: list[_Ask] = []
            more: list[_Place] = []
            for place in self._choose(places, seen, more):
                if isinstance(place, _Ask):
                    asks.append(place)
                else:
                    yield place
            for ask, got in run_politely(asks, self._fetch, _lane, manners, stop=self.stop):
                yield from self._note(ask, got, more)
            places = more
            depth += 1

    def _choose(self, places: Iterable[_Place], seen: set[str], more: list[_Place]) -> Iterator[_Ask | Skipped]:
        """Yield what is asked now, each address once, and a complaint about what is on hold."""
        now, polling = self.engine.clock(), self.polling
        for place in places:
            identity = source_identity(place.address)
            if identity in seen:
                continue
            seen.add(identity)
            self.asked.add(identity)
            with self.engine.store.reading() as unit:
                state = unit.polls.find_state(identity)
            is_list = state is not None and state.last.outcome == LIST
            unread = is_list and polling.due_only and identity not in self._members
            if unread or should_ask(state, now, due_only=polling.due_only, force=polling.force):
                yield _Ask(place.address, place.source, place.kind, identity, state)
            elif identity in self._members:
                more += self._members[identity]
            elif state is not None and not polling.due_only:
                yield Skipped(place.address, None, "on_hold", _why_on_hold(state))

    def _fetch(self, ask: _Ask) -> _Got:
        state = ask.state
        etag, modified = (state.etag, state.last_modified) if state and not self.polling.force else ("", "")
        started = time.monotonic()
        try:
            answer: Response | FetchFailed = self.polling.fetcher.fetch(
                ask.url, ask.kind, etag=etag, last_modified=modified
            )
        except FetchFailed as error:
            answer = error
        return _Got(self.engine.clock(), time.monotonic() - started, answer)

    def _kind(self, address: str) -> FetchKind:
        """What an address is asked for; a packed file is no feed."""
        packed = address.partition("?")[0].lower().endswith(".gz")
        return FetchKind.SITEMAP if packed else _KINDS.get(self.polling.read_as, FetchKind.FEED)

    def _note(self, ask: _Ask, got: _Got | Exception, more: list[_Place]) -> Iterator[Step]:
        """Take in what an address gave and note what became of it."""
        if isinstance(got, OnHold):
            got = _Got(self.engine.clock(), 0.0, got)
        if isinstance(got, Exception):
            raise got
        if isinstance(got.answer, FetchFailed):
            yield self._save(ask, _failure(got, got.answer), retry_after=got.answer.retry_after)
        elif got.answer.not_modified:
            yield self._save(ask, PollResult(got.at, UNCHANGED, "", 304, got.seconds), got.answer)
        else:
            yield from self._read(ask, got, got.answer, more)

    def _read(self, ask: _Ask, got: _Got, response: Response, more: list[_Place]) -> Iterator[Step]:
        at = max(got.at, self._newest.get(ask.source, got.at))  # so that no address makes another one's fetch late
        self._newest[ask.source] = at
        result = PollResult(got.at, OK, "", response.status, got.seconds)
        body = Body(response.body, response.url, response.charset or None)
        try:
            read = read_body(body, ask.source, at, self.polling.read_as, self.polling.selector)
        except InvalidFeed as error:
            yield self._save(ask, replace(result, outcome=NOT_A_FEED, reason=error.message))
            return
        if isinstance(read, Listing):
            yield from (Repaired(ask.address, w.code, w.message) for w in read.warnings)
            if read.own:
                named = [_Place(url, self.options.source or url, self._kind(url)) for url in read.addresses]
            else:
                named = [_Place(url, ask.source, FetchKind.SITEMAP) for url in read.addresses]
            self._members[ask.identity] = named
            more += named
            what = f"names {len(named)} {'feeds' if read.own else 'sitemaps'}"
            yield self._save(ask, replace(result, outcome=LIST, reason=what))
            return
        found = FetchInput(
            read.source, (), read.fetch_id, read.observed_at, read.items, read.warnings, ask.address, named=read.source
        )
        counts = dict.fromkeys(Outcome, 0)
        for step in take_in(self.engine, found, self.options):
            for answer in step.answers if isinstance(step, Committed) else ():
                counts[answer.decision.outcome] += 1
            yield step
        result = replace(
            result,
            new=counts[Outcome.NEW],
            update=counts[Outcome.UPDATE],
            duplicate=counts[Outcome.DUPLICATE],
            review=counts[Outcome.REVIEW],
        )
        yield self._save(ask, result, response)

    def _save(
        self, ask: _Ask, result: PollResult, response: Response | None = None, *, retry_after: float | None = None
    ) -> Polled:
        """Write what became of an address, once its items are stored, and return it as a step."""
        before = ask.state
        state = PollState(ask.identity, ask.address, ask.source, result, 0.0, result.at)
        if before is not None and not before.moved_to:  # another address knows nothing of these validators
            state = replace(state, etag=before.etag, last_modified=before.last_modified)
        fresh_s = 0.0
        if response is not None:
            state = _with_answer(state, before, response, ask)
            fresh_s = freshness(response.headers)
        elif result.outcome == LIST:
            state = replace(state, etag="", last_modified="")
        state = next_state(before, state, self.polling.limits, fresh_s=fresh_s, retry_after=retry_after)
        with self.engine.store.unit() as unit:
            unit.polls.save(state, KEEP_RESULTS)
            source = unit.sources.find_source(source_identity(ask.source))
            if source is not None and response is not None:
                for url in _permanent_places(response):
                    unit.sources.add_alias(source.id, source_identity(url))
        return Polled(ask.address, ask.source, result, state.next_at)


def _hold(result: object) -> float:
    return hold_after(result.answer) if isinstance(result, _Got) else 0.0


def _lane(ask: _Ask) -> str:
    return lane_of(ask.url)


def _failure(got: _Got, error: FetchFailed) -> PollResult:
    here = isinstance(error, Refused) and error.code not in _ANSWERED
    outcome = REFUSED if here else _NAMED.get(error.status or 0, error.code)
    if error.code == "content-type":
        outcome = NOT_A_FEED
    return PollResult(got.at, outcome, error.message, error.status or 0, got.seconds)


def _with_answer(state: PollState, before: PollState | None, response: Response, ask: _Ask) -> PollState:
    """The state with the validators of a body whose items are stored, and with where it moved for good."""
    if response.not_modified and before is not None:
        etag, modified = response.etag or before.etag, response.last_modified or before.last_modified
    else:
        etag, modified = response.etag, response.last_modified
    moved = response.permanent_url
    return replace(state, etag=etag, last_modified=modified, moved_to="" if moved == ask.address else moved)


def _permanent_places(response: Response) -> list[str]:
    """Every address on the way that only permanent redirects led to."""
    places = []
    for hop in response.hops:
        places.append(hop.location)
        if hop.location == response.permanent_url:
            break
    return places if response.permanent_url != response.requested_url else []


def _why_on_hold(state: PollState) -> str:
    last = f"{state.last.outcome} on {state.last.at:%Y-%m-%d %H:%M}"
    if state.last.outcome == GONE or state.hold_until is None:
        return f"the server said that it is gone for good ({last})"
    failed = "a failure" if state.failures == 1 else f"{state.failures} failures in a row"
    return f"not asked before {state.hold_until:%Y-%m-%d %H:%M} UTC, after {failed} ({last})"


# --- places → addresses -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Places:
    """What a run was given: files and folders, and addresses, those of OPML files included."""

    files: tuple[str, ...]
    addresses: tuple[str, ...]
    skipped: tuple[Skipped, ...] = ()


def sort_places(places: Sequence[str]) -> Places:
    """Return the places told apart; an OPML file stands for the addresses that it names.

    >>> sort_places(["news.jsonl", "https://news.example/feed"])
    Places(files=('news.jsonl',), addresses=('https://news.example/feed',), skipped=())
    """
    files: list[str] = []
    addresses: list[str] = []
    skipped: list[Skipped] = []
    for place in places:
        if "://" in place and not Path(place).exists():
            addresses.append(place)
        elif (data := _opml_in(place)) is not None:
            try:
                addresses += [feed.address for feed in read_opml(data, place)]
            except InvalidFeed as error:
                skipped.append(Skipped(place, None, error.code, error.message))
        else:
            files.append(place)
    return Places(tuple(files), tuple(addresses), tuple(skipped))


def _opml_in(place: str) -> bytes | None:
    """The content of an OPML file; None for everything else, what cannot be read included."""
    try:
        if not Path(place).is_file():
            return None
        with Path(place).open("rb") as file:
            head = file.read(1 << 13)
            return head + file.read() if is_opml(head) else None
    except OSError:
        return None
