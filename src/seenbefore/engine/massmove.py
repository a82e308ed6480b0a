"""A feed whose entries all come back under other names: one decision for the fetch, not hundreds of new items.

A site moves to another platform, and guids and addresses change at once, feed-wide. Entry by entry there
may be nothing left but titles and dates. Seen together, that most of what a fetch lists is unknown, and
that most of the unknown entries carry a title which exactly one stored entry of the source has, is what a
move looks like and nothing else does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from ..compare import compare_sightings
from ..log import log_event
from ..model import Event, Fetch, Item, Relation, Sighting, Source
from ..pair import Pair
from ..stores.base import Address, Identity, Unit
from ..text.titles import title_identifies, title_key
from .arrival import Arrival, identity_of, identity_of_sighting, new_sighting
from .context import MASS_CHANGE, Context, Moved, Moves, Observation, Slots


def find_moves(
    context: Context, source: Source, fetch: Fetch, unknown: Sequence[Item], listed: Slots, entries: int
) -> Moves:
    """Return the entries of a fetch that the source brought back under new names, with what each was before.

    ``unknown`` are the entries whose identity was never stored, ``listed`` the stored sightings that the
    fetch lists, ``entries`` how many it lists in all. An empty mapping when this is no move of the feed:
    too few unknown entries, or too few of them that pair with exactly one stored entry which is gone.
    """
    limits = context.policy.trust
    if fetch.late or fetch.completed or source.last_fetch_no < 1:
        return {}
    if len(unknown) < max(limits.mass_entries, limits.mass_share * entries):
        return {}
    titles = Counter(title_key(item.title) for item in unknown)
    found: dict[Identity, Sighting] = {}
    stored = _stored_under(context, source, [t for t, count in titles.items() if t and count == 1])
    for item in unknown:
        gone = stored.get(title_key(item.title))
        if gone is not None and not _is_listed(gone, listed) and _was(context, source, fetch, gone, item):
            found[identity_of(source, item)] = gone
    if len(found) < max(limits.mass_entries, limits.mass_share * len(unknown)):
        return {}
    log_event("mass_change", source=f"s{source.id}", fetch=fetch.fetch_id, entries=entries, pairs=len(found))
    return found


def _stored_under(context: Context, source: Source, titles: Sequence[str]) -> dict[str, Sighting]:
    """The one record of the source under each title, by what it showed last; titles of several are absent."""
    addresses: dict[str, Address] = {title: ("title", source.identity, title) for title in titles}
    ids = context.unit.records.find_record_ids(addresses.values(), limit=2)
    single = {title: ids[a][0] for title, a in addresses.items() if len(ids.get(a, ())) == 1}
    loaded: dict[int, list[Sighting]] = {}
    for sighting in context.unit.records.get_sightings(single.values()):
        loaded.setdefault(sighting.record_id, []).append(sighting)
    found = {}
    for title, record_id in single.items():
        own = [s for s in loaded[record_id] if s.source_id == source.id and title_key(s.clean_title) == title]
        if own:
            found[title] = max(own, key=lambda s: (s.last_fetch_no, s.id))
    return found


def _is_listed(sighting: Sighting, listed: Slots) -> bool:
    return sighting.slot in listed.get(identity_of_sighting(sighting), frozenset())


def _was(context: Context, source: Source, fetch: Fetch, gone: Sighting, item: Item) -> bool:
    """Whether an unknown entry may be the stored one: title that identifies, and text or date beside it."""
    incoming = new_sighting(Arrival(item, source, context, Observation.of_fetch(fetch, {})), 0)
    pair = Pair(gone, incoming, context.policy, context.distrust)
    limits = context.policy.title
    if not title_identifies(item.title, limits.min_chars, limits.min_cjk_chars) or not pair.title_identifies:
        return False
    if pair.texts_unlike or pair.enclosures == "conflict":
        return False
    known = compare_sightings(gone, incoming, context.policy, context.distrust, context.traits)
    if known.relation is Relation.DIFFERENT:
        return False
    gap = pair.hours_apart
    same_time = gap is not None and gap <= context.policy.dates.repeat_hours_home
    return pair.texts_near or pair.shares_text or pair.texts_support or same_time


def announce_moves(unit: Unit, moved: Sequence[Moved], now: datetime, *, history: bool) -> None:
    """Write the one event of a feed that came back under new names; it can be undone as one."""
    records = tuple(sorted({each.record_id for each in moved}))
    detail: dict[str, object] = {"pairs": [[each.sighting_id, each.was_id] for each in moved]}
    if history:
        detail["history"] = True
    event = unit.journal.add_event(Event(None, None, "mass_change", records, None, MASS_CHANGE, now, detail))
    log_event("records_moved", id=event.event_id, entries=len(moved))
