"""A whole fetch before its first unit: which entries are unchanged repeats, and the order of the others.

Nearly every entry of nearly every fetch is known by its digest and was current at the fetch before. Such
entries are not even read; only what is left goes through the path of one item.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..blocking import digest_item, identity_hash
from ..model import Fetch, Item, Source
from ..stores.base import Identity, Listed, Seen
from ..text.titles import clean_title
from .arrival import Arrival, identity_of
from .context import Context, Moves, Observation, Slots
from .group import Group
from .massmove import find_moves
from .observe import choose_slot, is_listed_as_before


@dataclass(frozen=True, slots=True)
class FetchPlan:
    """What a fetch lists. ``repeats`` and ``others`` begin with the place in the group.

    ``others`` stand in the order in which ``survive`` picks what is current, that first, so that the
    entry that wins is compared with what stood before the fetch, and the others with it. ``listed`` are
    all stored sightings that the fetch lists again; ``partial`` says that an earlier call began it; ``moves``
    are unknown entries that the whole feed brought back under new names, with what each was before. ``rows``
    are what is stored of the identities of ``others``, as long as nothing was written.
    """

    repeats: tuple[tuple[int, Listed], ...]
    others: tuple[tuple[int, Item, bytes], ...]
    listed: Slots
    partial: bool
    moves: Moves = field(default_factory=dict)
    rows: Mapping[Identity, list[Seen]] | None = None

    @property
    def size(self) -> int:
        """How many entries there are."""
        return len(self.repeats) + len(self.others)

    def cut(self, start: int, size: int) -> FetchPlan:
        """Return the part that begins at ``start``; repeats come before the others."""
        behind = max(0, start - len(self.repeats))
        repeats = self.repeats[start : start + size]
        rows = self.rows if start == 0 else None
        return replace(self, repeats=repeats, others=self.others[behind : behind + size - len(repeats)], rows=rows)

    def first(self, start: int) -> int:
        """Return the place in the group of the entry at ``start``."""
        part = self.cut(start, 1)
        return part.repeats[0][0] if part.repeats else part.others[0][0]


def plan_fetch(context: Context, source: Source, group: Group, fetch: Fetch, *, partial: bool) -> FetchPlan:
    """Return what the fetch lists, given the stored or just opened ``fetch``."""
    digests = group.digests or [digest_item(item) for item in group.items]
    known = context.unit.bulk.find_listed(source.id, digests)
    repeats: list[tuple[int, Listed]] = []
    others: list[tuple[int, Item, bytes]] = []
    taken: set[bytes] = set()
    for position, digest in enumerate(digests):
        listed = known.get(digest)
        if listed is not None and is_listed_as_before(listed.seen, fetch, partial=partial):
            repeats.append((position, _once_more(listed, fetch) if digest in taken else listed))
            taken.add(digest)
        else:
            others.append((position, group.items[position], digest))
    if others and repeats:
        repeats, others = _told_apart(source, group, repeats, others, digests)
    rows, slots = _slots(context, source, [(item, digest) for _, item, digest in others])
    for _, listed in repeats:
        slots[listed.identity] = slots.get(listed.identity, frozenset()) | {listed.seen.slot}
    unknown = [item for _, item, _ in others if identity_of(source, item) not in slots]
    moves = find_moves(context, source, fetch, unknown, slots, len(digests)) if unknown else {}
    ordered = tuple(_order_of_currency(others, source.identity))
    return FetchPlan(tuple(repeats), ordered, slots, partial, moves, rows)


def _once_more(listed: Listed, fetch: Fetch) -> Listed:
    """A sighting that stands in the fetch already: an entry that is listed twice is no further appearance."""
    return listed._replace(seen=listed.seen._replace(last_fetch_no=max(listed.seen.last_fetch_no, fetch.no)))


def _told_apart(
    source: Source,
    group: Group,
    repeats: list[tuple[int, Listed]],
    others: list[tuple[int, Item, bytes]],
    digests: Sequence[bytes],
) -> tuple[list[tuple[int, Listed]], list[tuple[int, Item, bytes]]]:
    """Leave only repeats whose identity no other entry has: those need to be seen beside each other."""
    doubtful = {identity_of(source, item) for _, item, _ in others}
    kept = [(position, listed) for position, listed in repeats if listed.identity not in doubtful]
    moved = [(p, group.items[p], digests[p]) for p, listed in repeats if listed.identity in doubtful]
    return kept, others + moved


def _slots(
    context: Context, source: Source, entries: Sequence[tuple[Item, bytes]]
) -> tuple[dict[Identity, list[Seen]], dict[Identity, frozenset[int]]]:
    """What is stored of these entries, and which of it they list again."""
    context.know(source.id)
    incoming = [Arrival(item, source, context, Observation.unknown(), digest) for item, digest in entries]
    rows = context.unit.records.find_seen([entry.identity for entry in incoming])
    listed: dict[Identity, frozenset[int]] = {}
    for entry in incoming:
        if entry.identity in rows:
            seen, _ = choose_slot(rows[entry.identity], entry, context)
            slots = frozenset({seen.slot}) if seen else frozenset[int]()
            listed[entry.identity] = listed.get(entry.identity, frozenset()) | slots
    return rows, listed


def _order_of_currency(
    entries: Sequence[tuple[int, Item, bytes]], source_identity: str
) -> list[tuple[int, Item, bytes]]:
    alike = Counter((entry[1].published_at, entry[1].original_url) for entry in entries)

    def name(entry: tuple[int, Item, bytes]) -> tuple[str, ...]:
        item = entry[1]
        if alike[item.published_at, item.original_url] == 1:  # address and date settle it
            return (item.original_url,)
        hashed = identity_hash(source_identity, item.guid, item.original_url, clean_title(item.title))
        return (item.original_url, hashed, item.content, item.summary, str(sorted(item.ids.items())))

    def published(entry: tuple[int, Item, bytes]) -> float:
        at = entry[1].published_at
        return at.timestamp() if at else -math.inf

    return sorted(sorted(entries, key=name), key=published, reverse=True)
