"""Addresses that recorded redirects connect with those of an item: where they lead, and what leads to them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..blocking import FINAL, REDIRECT
from ..model import Key, Redirect
from ..stores.base import Unit

MOST_CONNECTED = 50
"""Where more addresses than this hang together, they are no page but a login or a consent form: none is followed."""


def find_connected(unit: Unit, keys: Iterable[Key]) -> tuple[str, ...]:
    """Return the addresses, as they were given, at the other ends of redirects from an item's own addresses.

    Not those that merely lead to the same place: articles that were taken down lead to one section page.
    """
    own = {key.value for key in keys if key.kind == "url" and key.rule_id not in (REDIRECT, FINAL) and not key.scope}
    hops = _hanging_together(unit, own)
    ends = {hop.start_key: hop.start for hop in hops} | {hop.target_key: hop.target for hop in hops}
    onward = [(hop.start_key, hop.target_key) for hop in hops]
    back = [(target, start) for start, target in onward]
    reached = _follow(own, onward) | _follow(own, back)
    return tuple(ends[key] for key in sorted(reached - own))


def _hanging_together(unit: Unit, own: Collection[str]) -> set[Redirect]:
    """All redirects that hang together with these addresses; none if they are too many."""
    reached, hops = set(own), set[Redirect]()
    waiting = set(own)
    while waiting:
        hops |= {hop for several in unit.redirects.find_redirects(sorted(waiting)).values() for hop in several}
        waiting = {key for hop in hops for key in (hop.start_key, hop.target_key)} - reached
        reached |= waiting
        if len(reached) > MOST_CONNECTED:
            return set()
    return hops


def _follow(own: Iterable[str], hops: Collection[tuple[str, str]]) -> set[str]:
    """Everything that can be reached by these hops in their direction."""
    reached = set(own)
    while fresh := {end for start, end in hops if start in reached} - reached:
        reached |= fresh
    return reached
