"""The roles of a unit that count and that look behind the others; see ``base`` for the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import NamedTuple, Protocol

from ..model import DayCount, Fetch, Key


class Totals(NamedTuple):
    """How much is stored. ``records`` by status; ``times_seen`` is the sum over all sightings."""

    records: Mapping[str, int]
    last_record_id: int
    sightings: int
    times_seen: int
    reviews_waiting: int


class StoredKey(NamedTuple):
    """A key row of a record, and what other live records hold under the same address.

    ``also_held``: another live record has a row there, of any strength; ``also_used``: one that is not
    distrusted. Both are False for candidate and distrusted rows, which nobody asks it of.
    """

    key: Key
    also_held: bool
    also_used: bool


class Home(NamedTuple):
    """Where a sighting (or the sighting of a version) stands, and what names it."""

    record_id: int
    sighting_id: int
    guid: str
    original_url: str
    clean_title: str


class Flaw(NamedTuple):
    """Something wrong below the model: ``code`` is one of ``codes.CHECKS``."""

    code: str
    where: str
    message: str


class Counts(Protocol):
    """How much there is, and what came of each source on each day."""

    def count_days(self, counts: Iterable[DayCount]) -> None:
        """Adds to what is counted for these sources and days."""

    def find_days(self, *, source_id: int | None = None, since: date | None = None) -> list[DayCount]:
        """What was counted, by day and source."""

    def count_stored(self) -> Totals:
        """Totals over everything stored, without reading it."""


class Audit(Protocol):
    """What only a check asks of a store. Reads alone, and bears values that no unit would have written."""

    def integrity(self) -> Iterator[Flaw]:
        """What the store itself finds wrong with its file, references and schema."""

    def get_keys(self, record_ids: Iterable[int]) -> dict[int, list[StoredKey]]:
        """The key rows of these records, merged ones included; records without any are absent."""

    def find_homes(self, sighting_ids: Iterable[int]) -> dict[int, Home]:
        """Where these sightings stand; unknown ones are absent."""

    def find_version_homes(self, version_ids: Iterable[int]) -> dict[int, Home]:
        """Where the sightings of these versions stand; unknown ones are absent."""

    def list_fetches(self, source_id: int) -> list[Fetch]:
        """The fetches of a source by number."""

    def list_cursors(self) -> dict[str, int]:
        """How far every consumer has read."""
