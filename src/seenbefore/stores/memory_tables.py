"""The dicts of a memory store and the log that takes changes back.

All values are immutable, so a change is always "put another value", the old value is enough to undo
it, and a copy of the dicts is a copy of the store.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from typing import Any, TypeVar

from ..errors import StoreError
from ..model import (
    Capture,
    DayCount,
    Fetch,
    Key,
    Label,
    PageHost,
    Record,
    Redirect,
    Review,
    RuleVersion,
    Sighting,
    Source,
    Trust,
)
from ..polling.state import PollResult, PollState
from .base import Address, Entry, Identity
from .base_merges import Snapshot
from .rows import time_text

NAME = "memory"
"""What errors call this store, in place of a path."""

K = TypeVar("K")
V = TypeVar("V")
Pair = tuple[int, int]


@dataclass
class Tables:
    """Everything a memory store keeps, in the order of an item's path."""

    last_ids: dict[str, int] = field(default_factory=dict)
    sources: dict[int, Source] = field(default_factory=dict)
    aliases: dict[str, int] = field(default_factory=dict)
    trust: dict[tuple[int, str, str], Trust] = field(default_factory=dict)
    fetches: dict[tuple[int, str], Fetch] = field(default_factory=dict)
    records: dict[int, Record] = field(default_factory=dict)
    merged_into: dict[int, frozenset[int]] = field(default_factory=dict)
    sightings: dict[int, Sighting] = field(default_factory=dict)
    sightings_by_identity: dict[Identity, tuple[int, ...]] = field(default_factory=dict)
    sightings_by_record: dict[int, frozenset[int]] = field(default_factory=dict)
    sightings_by_digest: dict[tuple[int, bytes], frozenset[int]] = field(default_factory=dict)
    items: dict[int, str] = field(default_factory=dict)  # as JSON: what a caller changes later stays out
    observation_keys: dict[str, int] = field(default_factory=dict)
    keys: dict[int, dict[Address, Key]] = field(default_factory=dict)
    holders: dict[Address, frozenset[int]] = field(default_factory=dict)
    strong_holder: dict[Address, int] = field(default_factory=dict)
    entries: dict[int, Entry] = field(default_factory=dict)
    decision_seqs: dict[int, int] = field(default_factory=dict)
    event_seqs: dict[int, int] = field(default_factory=dict)
    images: dict[int, tuple[Snapshot, Snapshot]] = field(default_factory=dict)
    cursors: dict[str, int] = field(default_factory=dict)
    days: dict[tuple[date, int], DayCount] = field(default_factory=dict)
    reviews: dict[Pair, Review] = field(default_factory=dict)
    labels: dict[Pair, tuple[tuple[int, Label], ...]] = field(default_factory=dict)  # the last is in force
    rule_versions: dict[int, RuleVersion] = field(default_factory=dict)
    redirects: dict[tuple[str, str], Redirect] = field(default_factory=dict)
    redirects_by_key: dict[str, tuple[Redirect, ...]] = field(default_factory=dict)
    polls: dict[str, PollState] = field(default_factory=dict)
    poll_results: dict[str, tuple[PollResult, ...]] = field(default_factory=dict)
    captures: dict[int, Capture] = field(default_factory=dict)
    captures_by_address: dict[str, tuple[int, ...]] = field(default_factory=dict)
    page_bodies: dict[str, bytes] = field(default_factory=dict)
    page_hosts: dict[str, PageHost] = field(default_factory=dict)

    def copy(self) -> Tables:
        """Return tables of their own with the same values."""
        return Tables(**{each.name: dict(getattr(self, each.name)) for each in fields(self)})


class Transaction:
    """The only way to change the tables; it knows how to take everything back."""

    def __init__(self, tables: Tables, *, read_only: bool) -> None:
        self._tables = tables
        self._read_only = read_only
        self._ended = False
        self._spoiled = False
        self._undo: list[tuple[dict[Any, Any], Any, bool, Any]] = []

    @property
    def tables(self) -> Tables:
        """The tables to read from; refused when the unit is over."""
        if self._ended:
            raise self.error("this unit is over; open a new one")
        return self._tables

    def put(self, table: dict[K, V], key: K, value: V) -> None:
        """Store a value under a key, in place of what is there."""
        self._remember(table, key)
        table[key] = value

    def drop(self, table: dict[K, V], key: K) -> None:
        """Remove a key."""
        self._remember(table, key)
        table.pop(key, None)

    def next_id(self, name: str) -> int:
        """Return the next number of a counter; a number once given is never given again."""
        number = self.tables.last_ids.get(name, 0) + 1
        self.put(self.tables.last_ids, name, number)
        return number

    def need(self, known: Container[int], number: int | None, what: str) -> None:
        """Raise StoreError when a number names nothing."""
        if number is not None and number not in known:
            raise self.error(f"there is no {what} {number}")

    def check(self, holds: bool, rule: str) -> None:
        """Raise StoreError when a rule of the schema does not hold."""
        if not holds:
            raise self.error(f"the store refused: {rule}")

    def check_times(self, *times: datetime | None) -> None:
        """Raise StoreError for a time without zone."""
        for at in times:
            if at is not None:
                time_text(at)

    def error(self, message: str) -> StoreError:
        """Return a StoreError; this unit can only be rolled back now."""
        self._spoiled = True
        return StoreError(message, NAME)

    def commit(self) -> None:
        """Keep the changes; refused when one of them has failed."""
        if self._spoiled:
            raise self.error("an earlier change of this unit failed, so none of it can be stored")
        self._undo.clear()

    def roll_back(self) -> None:
        """Take every change back, newest first."""
        while self._undo:
            table, key, was_there, value = self._undo.pop()
            if was_there:
                table[key] = value
            else:
                table.pop(key, None)

    def end(self) -> None:
        """Refuse every further use."""
        self._ended = True

    def _remember(self, table: dict[K, V], key: K) -> None:
        if self._ended or self._read_only:
            raise self.error("nothing may be written here: opened for reading, or the unit is over")
        self._undo.append((table, key, key in table, table.get(key)))


def a_pair(one: int, other: int) -> Pair:
    """Return two ids in ascending order, so that either order names the same pair.

    >>> a_pair(5, 2) == a_pair(2, 5)
    True
    """
    return (min(one, other), max(one, other))
