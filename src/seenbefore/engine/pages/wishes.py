"""Which pages are worth opening: one per article, and none that was opened already."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from urllib.parse import urlsplit, urlunsplit

from ...model import Capture, Decision, Outcome
from ...polling.politeness import lane_of
from ...rules import Rules
from ...stores.base import Unit
from ...urls import identify

READ: Final = "read"
UNCHANGED: Final = "unchanged"
"""Outcomes of a capture that has the page; all others say why there is none."""


@dataclass(frozen=True, slots=True)
class PageWish:
    """A page to open. ``record_number`` is the record it is opened for, 0 when it stands for itself.

    ``address`` is its ``url`` key, ``fetch_url`` what to request, ``previous`` the newest attempt, if any.
    """

    original_url: str
    address: str
    fetch_url: str
    record_number: int = 0
    previous: Capture | None = None

    @property
    def host(self) -> str:
        """Whose turn it has to wait for."""
        return lane_of(self.fetch_url)

    @property
    def attempts(self) -> int:
        """How often it was tried in a row without success."""
        if self.previous is None or self.previous.outcome in (READ, UNCHANGED):
            return 0
        return self.previous.attempts


def wish_for(url: str, rules: Rules, record_number: int = 0) -> PageWish | None:
    """Return the wish to open the page at an address; None when that is no page of its own.

    >>> from seenbefore.rules import load_rules
    >>> wish_for("https://arxiv.org/pdf/2401.01234v2#page=3", load_rules()).fetch_url
    'https://arxiv.org/abs/2401.01234v2'

    The front page of a site, and what is no web address, name no article:

    >>> wish_for("https://example.com/", load_rules()), wish_for("see page 12", load_rules())
    (None, None)
    """
    found = identify(url, rules)
    if found.literal or found.near_is_home:
        return None
    return PageWish(url, found.key, found.fetch.partition("#")[0], record_number)


def plan_wishes(unit: Unit, rules: Rules, decisions: Sequence[Decision], now: datetime) -> list[PageWish]:
    """Return the pages to open for these answers, each address once, in their order.

    A record's page is opened once, and again when its source announced a change after that. What failed is tried
    again when its time has come. Reads only, so that a run that was stopped goes on where it stood.
    """
    wishes: dict[str, tuple[PageWish, Decision]] = {}
    for decision in decisions:
        url, number = decision.item.original_url, decision.record_number
        wish = wish_for(url, rules, number or 0) if url and number else None
        if wish is not None and (wish.address not in wishes or decision.outcome is Outcome.UPDATE):
            wishes[wish.address] = (wish, decision)
    tried = unit.pages.find_captures(wishes)
    untried = [wish.record_number for address, (wish, _) in wishes.items() if address not in tried]
    opened = _opened_records(unit, untried)
    wanted = []
    for address, (wish, decision) in wishes.items():
        previous = tried.get(address)
        if previous is None and wish.record_number in opened:
            continue
        if previous is None or _is_due(previous, decision, now):
            wanted.append(replace(wish, previous=previous))
    return over_https(unit, wanted)


def _is_due(previous: Capture, decision: Decision, now: datetime) -> bool:
    if previous.outcome in (READ, UNCHANGED):
        return decision.outcome is Outcome.UPDATE and decision.decided_at > previous.fetched_at
    return previous.retry_at is not None and previous.retry_at <= now


def _opened_records(unit: Unit, record_numbers: Iterable[int]) -> set[int]:
    """Those records of which some other address was opened, or will be tried again."""
    numbers = set(record_numbers)
    sightings = unit.records.get_sightings(sorted(numbers)) if numbers else []
    keys = {key.value: s.record_id for s in sightings for key in s.keys if key.kind == "url" and not key.scope}
    tried = unit.pages.find_captures(keys)
    return {keys[address] for address, capture in tried.items() if capture.outcome in (READ, UNCHANGED)}


def over_https(unit: Unit, wishes: Sequence[PageWish]) -> list[PageWish]:
    """Return the wishes with https in place of http where the host is known to serve it; the original stays."""
    plain = {host_of(wish.fetch_url) for wish in wishes if wish.fetch_url.startswith("http://")}
    secure = {name for name, host in unit.pages.find_hosts(plain).items() if host.secure}
    return [
        replace(wish, fetch_url=_secured(wish.fetch_url)) if host_of(wish.fetch_url) in secure else wish
        for wish in wishes
    ]


def _secured(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme != "http" or parts.port not in (None, 80):
        return url
    return urlunsplit(parts._replace(scheme="https", netloc=parts.netloc.removesuffix(":80")))


def host_of(url: str) -> str:
    """Return the host name of an address, '' if it has none.

    >>> host_of("http://News.example:8080/a"), host_of("news.example/a")
    ('news.example', '')
    """
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""
