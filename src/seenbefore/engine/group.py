"""Groups of items: what is taken in as one fetch, or as a stretch of items that are fetches of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ..blocking import Features
from ..model import Item, ItemRef
from ..stores.base import Listed
from ..urls.source import source_identity
from .ahead import Prepared


@dataclass(frozen=True, slots=True)
class Group:
    """Items that share a fetch, or (``fetch_id`` None) items that are fetches of their own.

    ``positions`` say where each item stood in the caller's input. ``whole`` says that these are all
    entries of the fetch, so that it is complete after them. Entries of a feed come with ``digests`` and
    are read only when somebody asks for the item; ``source`` and ``observed_at`` are known without that.
    """

    fetch_id: str | None
    items: Sequence[Item]
    positions: Sequence[int]
    aliases: tuple[str, ...] = ()
    whole: bool = False
    digests: Sequence[bytes] = ()
    source_name: str = ""
    at: datetime | None = None
    prepared: Prepared | None = None

    @property
    def source(self) -> str:
        """The name of the source, as given."""
        return self.source_name or self.items[0].source

    def observed_at(self, now: datetime) -> datetime:
        """When the fetch was made; ``now`` when nothing says so."""
        return self.at or max((i.observed_at for i in self.items if i.observed_at), default=now)

    def features(self, position: int, source_identity: str, rules_version: str) -> Features | None:
        """What was derived from an item before, if it was for this source and under these rules."""
        prepared = self.prepared
        if prepared is None or (prepared.source_identity, prepared.rules_version) != (source_identity, rules_version):
            return None
        return prepared.features[position]

    def ref(self, position: int, listed: Listed) -> ItemRef:
        """Return how an answer names an entry that is stored as ``listed``; a feed's entry is not read."""
        if self.digests:
            name = listed.identity
            return ItemRef(None, self.source, name.guid, name.original_url, listed.title)
        item = self.items[position]
        return ItemRef(item.external_id, item.source, item.guid, item.original_url, item.title)


def group_items(items: Sequence[Item]) -> list[Group]:
    """Return the items as groups: one per fetch, and stretches of items without a fetch id.

    Items of one fetch meet in one group wherever they stood in the input.
    """
    fetches: dict[tuple[str, str], list[int]] = {}
    order: list[tuple[str | None, list[int]]] = []
    for position, item in enumerate(items):
        if item.fetch_id:
            key = (source_identity(item.source), item.fetch_id)
            if key not in fetches:
                fetches[key] = []
                order.append((item.fetch_id, fetches[key]))
            fetches[key].append(position)
        elif order and order[-1][0] is None:
            order[-1][1].append(position)
        else:
            order.append((None, [position]))
    return [Group(fetch_id, tuple(items[p] for p in positions), tuple(positions)) for fetch_id, positions in order]
