"""What only a check asks, in memory. There is no file that could be damaged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..model import Fetch, Key, Status, Strength
from .base_audit import Flaw, Home, StoredKey
from .memory_tables import Transaction

_ASKED = (Strength.STRONG, Strength.NEAR)


class MemoryAudit:
    """See ``base_audit.Audit``."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def integrity(self) -> Iterator[Flaw]:
        """Yield nothing: the dictionaries of a process have no pages and no schema."""
        return iter(())

    def get_keys(self, record_ids: Iterable[int]) -> dict[int, list[StoredKey]]:
        """Return the key rows of these records, merged ones included."""
        stored = self._transaction.tables.keys
        return {
            record_id: [self._stored_key(record_id, key) for key in stored[record_id].values()]
            for record_id in sorted(set(record_ids))
            if stored.get(record_id)
        }

    def _stored_key(self, record_id: int, key: Key) -> StoredKey:
        if key.strength not in _ASKED:
            return StoredKey(key, also_held=False, also_used=False)
        tables = self._transaction.tables
        others = [
            tables.keys[other][key.address].strength
            for other in tables.holders.get(key.address, ())
            if other != record_id and tables.records[other].status is not Status.MERGED
        ]
        return StoredKey(key, bool(others), any(strength is not Strength.DISTRUSTED for strength in others))

    def find_homes(self, sighting_ids: Iterable[int]) -> dict[int, Home]:
        """Return where these sightings stand; unknown ones are absent."""
        sightings = self._transaction.tables.sightings
        found = (sightings[each] for each in sorted(set(sighting_ids)) if each in sightings)
        return {s.id: Home(s.record_id, s.id, s.guid, s.original_url, s.clean_title) for s in found}

    def find_version_homes(self, version_ids: Iterable[int]) -> dict[int, Home]:
        """Return where the sightings of these versions stand; unknown ones are absent."""
        wanted = set(version_ids)
        return {
            version.id: Home(s.record_id, s.id, s.guid, s.original_url, s.clean_title)
            for s in self._transaction.tables.sightings.values()
            for version in s.versions
            if version.id in wanted
        }

    def list_fetches(self, source_id: int) -> list[Fetch]:
        """Return the fetches of a source by number."""
        fetches = self._transaction.tables.fetches.values()
        found = [fetch for fetch in fetches if fetch.source_id == source_id]
        return sorted(found, key=lambda fetch: (fetch.no, fetch.fetch_id))

    def list_cursors(self) -> dict[str, int]:
        """Return how far every consumer has read."""
        return dict(sorted(self._transaction.tables.cursors.items()))
