"""Trust as it changes while an item is taken in: switches found by ``trust``, and guid counters."""

from __future__ import annotations

from datetime import datetime

from ..compare import GUID_COUNTER
from ..model import Sighting, Trust
from ..pair import Pair
from ..trust import find_switches
from .context import Context
from .gather import Neighborhood

COUNTER_PAIR = "counter_pair"
COUNTER_WAITING = "counter_waiting"


def learn(context: Context, focus: Sighting, found: Neighborhood, now: datetime) -> set[int]:
    """Switch what the neighborhood proves, and return the records that this concerns.

    These are all records of the neighborhood: a key that no longer joins here no longer disputes there.
    An empty set means that nothing was learnt and the neighborhood stands as it is.
    """
    others = [s for s in [*found.members[1:], *(s for s, _ in found.beside)] if s.source_id == focus.source_id]
    concerned: set[int] = set()
    counts = GUID_COUNTER in context.traits.get(focus.source, frozenset())
    for switch in find_switches(focus, others, context.policy, context.distrust, guids_count=counts):
        context.switch(Trust(focus.source_id, switch.kind, switch.value, switch.reason, switch.detail, now))
        concerned |= {s.record_id for s in [*found.members, *(s for s, _ in found.beside)]}
    concerned |= _count_guids(context, focus, others, now)
    return concerned - {0}


def _count_guids(context: Context, focus: Sighting, others: list[Sighting], now: datetime) -> set[int]:
    """Links whose guids differ in a trailing number only: enough of them and the number is a counter."""
    known = context.distrust.get(focus.source, frozenset())
    for other in others:
        pair = Pair(focus, other, context.policy, context.distrust)
        if not pair.guids_count or not pair.shared("url"):
            continue
        if not pair.titles_equal and not pair.fragments_count:
            continue
        kind = COUNTER_PAIR if pair.titles_equal else COUNTER_WAITING
        url = pair.shared("url")[0].value
        if (kind, url) not in known:
            context.switch(Trust(focus.source_id, kind, url, "counter", f"{other.guid} and {focus.guid}", now))
    known = context.distrust.get(focus.source, frozenset())
    pairs = sum(kind == COUNTER_PAIR for kind, _ in known)
    if pairs < context.policy.trust.counter_pairs or GUID_COUNTER in context.traits.get(focus.source, frozenset()):
        return set()
    context.learn(focus.source_id, GUID_COUNTER)
    addresses = [("url", "", value) for kind, value in known if kind == COUNTER_WAITING]
    found = context.unit.records.find_record_ids(addresses)
    return {record_id for ids in found.values() for record_id in ids}
