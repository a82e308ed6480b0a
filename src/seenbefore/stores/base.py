"""What a store must be able to do: small roles that share one unit of work.

``with store.unit() as unit`` opens one locked transaction; everything read and written through
``unit.sources``, ``unit.records``, ``unit.reviews``, ``unit.journal`` and the other roles belongs to it.
Leaving the block commits, an exception rolls everything back and is raised. ``store.reading()`` gives the same
roles on one consistent snapshot without a write lock; writing there raises StoreError.

Stores hold facts and know no rule. Errors: StoreBusy when the lock is not free in time, StoreError
for anything else that the database refuses. All datetimes are aware UTC.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from ..model import (
    Decision,
    Event,
    Fetch,
    Item,
    Key,
    Kind,
    Label,
    Outcome,
    Record,
    Review,
    ReviewState,
    Sighting,
    Source,
    Trust,
    Version,
)
from .base_audit import Audit, Counts
from .base_merges import Merges
from .base_packs import Packs, Redirects
from .base_pages import Pages
from .base_polls import Polls

Address = tuple[str, str, str]
"""(kind, scope, value) of a key."""


class Identity(NamedTuple):
    """What names a sighting, apart from its slot."""

    source_id: int
    guid: str
    original_url: str
    clean_title: str
    kind: Kind = Kind.ARTICLE


class Seen(NamedTuple):
    """The few fields of a stored sighting that are enough to see that nothing happened."""

    sighting_id: int
    record_id: int
    slot: int
    last_fetch_no: int
    last_seen_at: datetime
    text_hash: str
    published_at: datetime | None
    published_raw: str
    version_id: int
    is_current: bool
    is_alone: bool
    digest: bytes = b""


class Listed(NamedTuple):
    """A stored sighting found by the digest of its raw entry, with what an answer about it repeats."""

    seen: Seen
    identity: Identity
    title: str
    record_external_id: str | None
    record_url: str
    record_title: str


class Fresh(NamedTuple):
    """An item that shares no key with anything: its record, only sighting and version, keys, decision.

    Ids in them are ignored; the store gives them.
    """

    record: Record
    sighting: Sighting
    version: Version
    item: Item
    observation_key: str
    keys: tuple[Key, ...]
    decision: Decision
    deliver: bool


class Touch(NamedTuple):
    """An unchanged repeat: the sighting stood in fetch ``fetch_no`` (0: a fetch of its own).

    The store raises ``last_seen_at`` and ``last_fetch_no`` to these values (never lowers them),
    counts the repeat once per fetch, and extends the last run when it ends at ``fetch_no - 1``,
    else appends a run. ``fetch_no`` 0 touches no run; ``order_no`` is then the new ``last_fetch_no``.
    ``keys`` and ``digest``, when given, replace those of the sighting; ``external_id`` is taken when it
    has none yet.
    """

    sighting_id: int
    fetch_no: int
    order_no: int
    seen_at: datetime
    keys: tuple[Key, ...] | None = None
    digest: bytes | None = None
    external_id: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the journal as a consumer gets it; versions are set for updates."""

    seq: int
    decision: Decision | None
    event: Event | None
    old_version_id: int | None = None
    new_version_id: int | None = None
    deliver: bool = True


class Sources(Protocol):
    """Sources with their aliases, fetches, and what is trusted there."""

    def find_source(self, identity: str) -> Source | None:
        """The source that has this identity or alias."""

    def add_source(self, name: str, identity: str) -> Source:
        """The existing source of this identity or alias, else a new one."""

    def get_source(self, source_id: int) -> Source:
        """Raises NotFound."""

    def list_sources(self) -> list[Source]:
        """All, by id."""

    def add_alias(self, source_id: int, identity: str) -> None:
        """A further address of the source; an identity that is taken already stays where it is."""

    def open_fetch(self, source_id: int, fetch_id: str, observed_at: datetime) -> Fetch:
        """The stored fetch of this id, else a new one with the next number.

        ``late`` is observed_at < the source's newest_observed_at at that moment. A new fetch that is
        not late raises newest_observed_at. Numbers count up by one per source.
        """

    def find_fetch(self, source_id: int, fetch_id: str) -> Fetch | None:
        """The stored fetch, open or completed."""

    def complete_fetch(self, source_id: int, fetch_id: str) -> None:
        """Marks the fetch as completed."""

    def advance(self, source_id: int, observed_at: datetime, by: int) -> int:
        """Takes ``by`` numbers for items that are fetches of their own; returns the first one.

        Raises newest_observed_at to ``observed_at`` when that is newer.
        """

    def add_trust(self, trust: Trust) -> bool:
        """Records a switch; False when the same (source, kind, value) is there already."""

    def find_trust(self, source_id: int) -> list[Trust]:
        """All recorded switches of a source, oldest first."""

    def add_trait(self, source_id: int, trait: str) -> None:
        """Something learnt about the whole source, such as ``guid_counter``."""


class Records(Protocol):
    """Records, their sightings, versions and keys."""

    def find_seen(self, identities: Sequence[Identity]) -> dict[Identity, list[Seen]]:
        """Stored sightings per identity, by slot; identities without any are absent.

        ``text_hash``, ``published_*`` and ``version_id`` are those of the newest GOOD version of the
        sighting; ``is_current`` says that it is the record's current version, ``is_alone`` that the
        record has no other sighting of its source.
        """

    def find_record_ids(self, addresses: Iterable[Address], *, limit: int | None = None) -> dict[Address, list[int]]:
        """Live records per key address, ascending; DISTRUSTED rows are left out.

        With ``limit`` only the newest ones of each address.
        """

    def get_sightings(self, record_ids: Iterable[int]) -> list[Sighting]:
        """All sightings of these records with keys and versions (oldest first), by id."""

    def find_records(
        self, record_ids: Iterable[int] | None = None, *, limit: int | None = None, after: int = 0
    ) -> list[Record]:
        """Records by ascending id; with ``record_ids`` only those (unknown ids are absent).

        ``last_seen_at`` is that of the newest sighting, repeats included.
        """

    def add_record(self, record: Record) -> int:
        """Stores a new record (its id is ignored) and returns its id; ids are never reused."""

    def update_record(self, record: Record) -> None:
        """Replaces all fields of a stored record."""

    def add_sighting(self, sighting: Sighting) -> int:
        """Stores a new sighting without its versions (its id is ignored); returns its id."""

    def touch(self, touches: Sequence[Touch]) -> None:
        """Records unchanged repeats."""

    def move_sightings(self, sighting_ids: Sequence[int], record_id: int) -> None:
        """Puts sightings, with their versions, under another record."""

    def add_version(self, sighting_id: int, version: Version, item: Item, observation_key: str) -> int:
        """Stores a version and the item as it arrived; returns its id.

        Raises StoreError when ``observation_key`` is stored already.
        """

    def get_item(self, version_id: int) -> Item:
        """The item as it arrived. Raises NotFound."""

    def set_keys(self, keys: Mapping[int, Sequence[Key]]) -> None:
        """Replaces all key rows of these records in one step.

        Raises StoreError when a STRONG key would belong to two records.
        """


class Reviews(Protocol):
    """Pairs that wait for a person, and what people said."""

    def add_review(self, review: Review) -> None:
        """Opens a pair; a pair that is there already (in either order) is left as it is."""

    def find_reviews(self, record_ids: Iterable[int] | None = None) -> list[Review]:
        """All reviews, or those touching these records, oldest first."""

    def close_review(self, record_id: int, other_id: int, state: ReviewState) -> None:
        """Sets the state of the pair (either order)."""

    def add_label(self, label: Label) -> None:
        """Stores a verdict; a later one on the same pair replaces what the earlier one says."""

    def find_labels(self, sighting_ids: Iterable[int]) -> list[Label]:
        """The verdicts in force that touch these sightings."""


class Journal(Protocol):
    """The append-only log of decisions and events, and how far each consumer has read."""

    def add_decision(
        self,
        decision: Decision,
        *,
        deliver: bool = True,
        old_version_id: int | None = None,
        new_version_id: int | None = None,
    ) -> Decision:
        """Appends; returns the decision with its id and seq."""

    def add_event(self, event: Event) -> Event:
        """Appends; returns the event with its id and seq."""

    def read(self, after_seq: int, limit: int) -> list[Entry]:
        """Entries with a greater seq, ascending, delivered or not."""

    def get_decision(self, decision_id: int) -> Decision:
        """Raises NotFound."""

    def find_decisions(
        self,
        *,
        record_id: int | None = None,
        outcome: Outcome | None = None,
        source: str | None = None,
        since: datetime | None = None,
        limit: int | None = None,
    ) -> list[Decision]:
        """Decisions by ascending seq; with ``limit`` the newest ones."""

    def get_event(self, event_id: int) -> Event:
        """Raises NotFound."""

    def find_events(self, record_id: int | None = None, *, limit: int | None = None) -> list[Event]:
        """Events by ascending seq, all or those that name the record; with ``limit`` the newest ones."""

    def last_seq(self) -> int:
        """The newest seq, 0 when the journal is empty."""

    def get_cursor(self, consumer: str) -> int | None:
        """How far the consumer has acknowledged; None when it is unknown."""

    def set_cursor(self, consumer: str, seq: int) -> None:
        """Stores the position; it may move back, which replays."""

    def count_decisions(self) -> dict[tuple[str, str, str], int]:
        """Decisions per (source, outcome, reason)."""


class Bulk(Protocol):
    """What happens to nearly every item, for many items in few statements."""

    def find_listed(self, source_id: int, digests: Iterable[bytes]) -> dict[bytes, Listed]:
        """The sighting of the source that was last read from a raw entry with this digest.

        Digests that are unknown, empty, or stand on several sightings are absent.
        """

    def find_held(self, addresses: Iterable[Address]) -> set[Address]:
        """Those of these key addresses that a live record has; DISTRUSTED rows are left out."""

    def add_fresh(self, items: Sequence[Fresh]) -> list[Decision]:
        """Stores new records with their first sighting, version, keys and decision; returns the decisions.

        Raises StoreError where the single steps would: a strong key or an observation that is stored already.
        """


class Unit(Protocol):
    """One open transaction."""

    @property
    def sources(self) -> Sources:
        """The sources of this transaction."""

    @property
    def records(self) -> Records:
        """The records of this transaction."""

    @property
    def reviews(self) -> Reviews:
        """The reviews of this transaction."""

    @property
    def journal(self) -> Journal:
        """The journal of this transaction."""

    @property
    def merges(self) -> Merges:
        """What merges and undos write."""

    @property
    def bulk(self) -> Bulk:
        """The same facts, many at a time."""

    @property
    def counts(self) -> Counts:
        """How much there is, and what came each day."""

    @property
    def audit(self) -> Audit:
        """What only a check asks."""

    @property
    def packs(self) -> Packs:
        """Activated rules of one's own."""

    @property
    def redirects(self) -> Redirects:
        """Permanent redirects that somebody saw."""

    @property
    def pages(self) -> Pages:
        """Pages that were opened."""

    @property
    def polls(self) -> Polls:
        """Addresses that are polled."""


class Store(Protocol):
    """A place where everything is kept. One handle per thread or process."""

    def unit(self) -> AbstractContextManager[Unit]:
        """A locked transaction: commit on exit, roll back and raise on error. Not re-entrant."""

    def reading(self) -> AbstractContextManager[Unit]:
        """A consistent snapshot; writing raises StoreError."""

    def scratch_copy(self) -> Store:
        """A separate store with the same content, for dry runs; closing it discards it."""

    def close(self) -> None:
        """Releases the file or connection."""
