"""Takes in redirects that somebody saw elsewhere: a crawler's log, a site's own list of moved pages.

A permanent one makes two addresses one page, for what is stored and for what comes. A temporary one says
nothing (a consent page, a login, a country) and is only counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice

from ..blocking import REDIRECT
from ..model import Key, Redirect, Sighting
from ..policy import Policy
from ..sources.redirectlist import GivenRedirect
from ..stores.base import Store, Unit
from ..urls import identify, url_keys
from .connected import find_connected
from .rederive import Reformed, Reformer
from .rulebook import RuleSource, rules_at

PAGE = 500


@dataclass(frozen=True, slots=True)
class Recorded:
    """How many redirects were given, are new, and were left out: temporary ones, and such as lead nowhere."""

    given: int = 0
    new: int = 0
    temporary: int = 0
    unusable: int = 0
    reformed: Reformed = field(default_factory=Reformed)


def record_redirects(
    store: Store,
    rules: RuleSource,
    policy: Policy,
    clock: Callable[[], datetime],
    redirects: Iterable[GivenRedirect],
    origin: str = "",
) -> Iterator[Recorded]:
    """Yield what has become of them after each unit; what they connect is formed again.

    Raises:
        StoreError: a unit could not be written; those before it stand, and the same call completes the work.
    """
    total = Recorded()
    rows = iter(redirects)
    while page := list(islice(rows, PAGE)):
        with store.unit() as unit:
            total = _record(unit, rules, policy, clock(), page, origin, total)
        yield total
    if not total.given:
        yield total


def _record(
    unit: Unit,
    rules: RuleSource,
    policy: Policy,
    now: datetime,
    page: Sequence[GivenRedirect],
    origin: str,
    total: Recorded,
) -> Recorded:
    in_force = rules_at(rules, unit)
    usable = []
    for given in (each for each in page if each.is_permanent):
        start, target = identify(given.start, in_force), identify(given.target, in_force)
        known = not any(end.literal or end.near_is_home for end in (start, target))
        if known and start.key != target.key:
            ends = {"start_key": start.key, "target_key": target.key}
            usable.append(Redirect(given.start, given.target, given.status, now, origin, **ends))
    new = unit.redirects.add_redirects(usable)
    addresses = [("url", "", key) for hop in usable for key in (hop.start_key, hop.target_key)]
    record_ids = {record_id for several in unit.records.find_record_ids(addresses).values() for record_id in several}
    connector = _Connector(unit, in_force, policy, now, "redirects")
    permanent = sum(each.is_permanent for each in page)
    return Recorded(
        total.given + len(page),
        total.new + new,
        total.temporary + len(page) - permanent,
        total.unusable + permanent - len(usable),
        total.reformed + connector.records(sorted(record_ids)),
    )


class _Connector(Reformer):
    """Adds the keys of addresses that redirects connect with those of a sighting."""

    def keys(self, sighting: Sighting) -> tuple[Key, ...]:
        """Return the keys of a sighting, with those that redirects lead to."""
        keys = {key.address: key for key in sighting.keys}
        for address in find_connected(self.unit, sighting.keys):
            for key in url_keys(address, self.context.rules):
                keys.setdefault(key.address, replace(key, rule_id=REDIRECT))
        return tuple(keys.values())
