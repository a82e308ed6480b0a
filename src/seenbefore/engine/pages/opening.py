"""One wish → one attempt: robots.txt, the request, and what was read. Touches the network, never the store."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import lru_cache
from types import ModuleType
from typing import Final, Protocol

from ...errors import FetchFailed, MissingExtra
from ...fetch.base import Fetcher, FetchKind, Hop, Response
from ...model import Capture, PageHost, Representation
from ..politely import OnHold
from .body import PackedBody, pack_body
from .storing import OpenedPage, facts_of
from .wishes import READ, UNCHANGED, PageWish, host_of

MOST_ATTEMPTS: Final = 5
"""After so many failures in a row a page is given up: the fifth comes about a day and a half after the first."""

FIRST_RETRY: Final = timedelta(minutes=10)
LONGEST_RETRY: Final = timedelta(days=1)
_GROWTH: Final = 4.0

FORBIDDEN: Final = "robots"
FORBIDDEN_FOR: Final = timedelta(days=7)
"""robots.txt may change; a page that it forbids is asked for again after this long."""

Robots = Callable[[str], bool]
"""Address → whether robots.txt of its host allows it. May fetch that file, so it is asked where requests are made."""


class OpenRules(Protocol):
    """What a run knows of reading pages: by which extractor, and what is kept."""

    @property
    def extractor(self) -> str:
        """The name of the extractor."""

    @property
    def keep(self) -> bool:
        """Whether pages are kept."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer, or why there is none, with the time it came."""

    wish: PageWish
    result: Response | FetchFailed
    at: datetime


def fetch_page(wish: PageWish, fetcher: Fetcher, robots: Robots | None, clock: Callable[[], datetime]) -> Fetched:
    """Return what came of asking for a page. Never raises for what a server or the network does."""
    try:
        if robots is not None and not robots(wish.fetch_url):
            refusal = FetchFailed(FORBIDDEN, "robots.txt of this host forbids it", wish.fetch_url)
            return Fetched(wish, refusal, clock())
        known = wish.previous if wish.previous is not None and wish.previous.outcome in (READ, UNCHANGED) else None
        etag, last_modified = (known.etag, known.last_modified) if known else ("", "")
        return Fetched(
            wish,
            fetcher.fetch(wish.fetch_url, FetchKind.PAGE, etag=etag, last_modified=last_modified),
            clock(),
        )
    except FetchFailed as failure:
        return Fetched(wish, failure, clock())


def failed(wish: PageWish, failure: FetchFailed, at: datetime) -> OpenedPage:
    """Return the attempt that a failure is: recorded with its reason, and when to ask again, if ever."""
    attempts = wish.attempts + (0 if isinstance(failure, OnHold) else 1)
    capture = Capture(
        wish.address,
        wish.original_url,
        wish.fetch_url,
        at,
        failure.code,
        hops=failure.hops,
        status=failure.status or 0,
        reason=failure.message,
        representation=_representation_of(failure),
        attempts=max(attempts, 1),
        retry_at=_retry_at(failure, attempts, at),
        content_type=failure.content_type,
    )
    return OpenedPage(wish, capture)


def _representation_of(failure: FetchFailed) -> Representation | None:
    if failure.content_type.startswith("application/pdf"):
        return Representation.PDF
    return Representation.ERROR_PAGE if failure.status and failure.status >= 400 else None


def _retry_at(failure: FetchFailed, attempts: int, at: datetime) -> datetime | None:
    """When to ask again: later each time, not before the server wants it; None when that is of no use."""
    if failure.code == FORBIDDEN:
        return at + FORBIDDEN_FOR
    if not failure.retryable or attempts >= MOST_ATTEMPTS:
        return None
    pause = min(FIRST_RETRY * (_GROWTH ** max(attempts - 1, 0)), LONGEST_RETRY)
    return at + max(pause, timedelta(seconds=failure.retry_after or 0))


def opened(fetched: Fetched, rules: OpenRules, hosts: Mapping[str, PageHost]) -> OpenedPage:
    """Return the attempt that an answer is, read as far as it is a page."""
    wish, answer = fetched.wish, fetched.result
    if isinstance(answer, FetchFailed):
        return failed(wish, answer, fetched.at)
    capture = _answered(wish, answer, fetched.at)
    if answer.not_modified and wish.previous is not None:
        was = wish.previous
        return OpenedPage(
            wish,
            replace(
                capture,
                outcome=UNCHANGED,
                representation=was.representation,
                extractor=was.extractor,
                version_id=was.version_id,
                body_hash=was.body_hash,
            ),
        )
    return read_capture(wish, capture, answer.body, rules, hosts)


def _answered(wish: PageWish, answer: Response, at: datetime) -> Capture:
    return Capture(
        wish.address,
        wish.original_url,
        wish.fetch_url,
        at,
        READ,
        final_url=answer.url,
        hops=tuple(_hop(hop) for hop in answer.hops),
        status=answer.status,
        content_type=answer.content_type,
        charset=answer.charset,
        etag=answer.etag,
        last_modified=answer.last_modified,
        facts={"notes": list(answer.notes)} if answer.notes else {},
    )


def _hop(hop: Hop) -> tuple[str, int, str]:
    return (hop.url, hop.status, hop.location)


def read_capture(
    wish: PageWish, capture: Capture, body: bytes, rules: OpenRules, hosts: Mapping[str, PageHost]
) -> OpenedPage:
    """Return an attempt with the page read; ``hosts`` say which paragraphs are no part of its articles."""
    host = hosts.get(host_of(capture.final_url)) or PageHost("")
    reading = page_reading().read_page(
        body,
        url=capture.final_url or wish.fetch_url,
        charset=capture.charset,
        content_type=capture.content_type or "text/html",
        extractor=rules.extractor,
        repeated=frozenset(host.repeated),
        snapshot=host.snapshot,
        fetched_at=capture.fetched_at,
    )
    packed = pack_body(body) if rules.keep and body else None
    capture = replace(
        capture,
        representation=reading.representation,
        reason=", ".join(reading.reasons),
        extractor=reading.extractor,
        body_hash=packed.body_hash if packed else capture.body_hash,
        facts={**capture.facts, **facts_of(reading)},
    )
    return OpenedPage(wish, capture, reading, packed)


@lru_cache(maxsize=1)
def page_reading() -> ModuleType:
    """Return the module that reads pages, which needs more than the base install. Raises MissingExtra."""
    try:
        for needed in ("selectolax.lexbor", "trafilatura", "resiliparse"):
            importlib.import_module(needed)
        return importlib.import_module("seenbefore.pages.reading")
    except ImportError as error:
        raise MissingExtra("pages", "reading pages") from error


def keep_within(opened: OpenedPage, room: int) -> OpenedPage:
    """Return the attempt without its page when that does not fit into what may still be kept, and say so."""
    body: PackedBody | None = opened.body
    if body is None or len(body.packed) <= room:
        return opened
    facts = {**opened.capture.facts, "not_kept": "the limit for kept pages is reached"}
    return replace(opened, body=None, capture=replace(opened.capture, body_hash="", facts=facts))
