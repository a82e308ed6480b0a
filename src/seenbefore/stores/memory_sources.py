"""Sources, their aliases and fetches, and what is trusted there, in memory."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from ..errors import NotFound
from ..model import Fetch, Source, Trust
from .memory_tables import Transaction


class MemorySources:
    """See ``base.Sources``."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def find_source(self, identity: str) -> Source | None:
        """Return the source that has this identity or alias."""
        tables = self._transaction.tables
        source_id = tables.aliases.get(identity)
        return None if source_id is None else tables.sources[source_id]

    def add_source(self, name: str, identity: str) -> Source:
        """Return the existing source of this identity or alias, else a new one."""
        found = self.find_source(identity)
        if found is not None:
            return found
        source = Source(self._transaction.next_id("source"), name, identity, None, 0)
        self._put(source)
        self.add_alias(source.id, identity)
        return source

    def get_source(self, source_id: int) -> Source:
        """Return the source; raises NotFound."""
        source = self._transaction.tables.sources.get(source_id)
        if source is None:
            raise NotFound(f"s{source_id}")
        return source

    def list_sources(self) -> list[Source]:
        """Return all sources by id."""
        return list(self._transaction.tables.sources.values())

    def add_alias(self, source_id: int, identity: str) -> None:
        """Store a further address; an identity that is taken already stays where it is."""
        tables = self._transaction.tables
        if identity not in tables.aliases:
            self._transaction.need(tables.sources, source_id, "source")
            self._transaction.put(tables.aliases, identity, source_id)

    def open_fetch(self, source_id: int, fetch_id: str, observed_at: datetime) -> Fetch:
        """Return the stored fetch of this id, else a new one with the source's next number."""
        found = self.find_fetch(source_id, fetch_id)
        if found is not None:
            return found
        newest = self.get_source(source_id).newest_observed_at
        late = newest is not None and observed_at < newest
        no = self._take_numbers(source_id, observed_at, 1)
        fetch = Fetch(source_id, fetch_id, no, observed_at, late, completed=False)
        self._transaction.put(self._transaction.tables.fetches, (source_id, fetch_id), fetch)
        return fetch

    def find_fetch(self, source_id: int, fetch_id: str) -> Fetch | None:
        """Return the stored fetch, open or completed."""
        return self._transaction.tables.fetches.get((source_id, fetch_id))

    def complete_fetch(self, source_id: int, fetch_id: str) -> None:
        """Mark the fetch as completed; raises NotFound."""
        fetch = self.find_fetch(source_id, fetch_id)
        if fetch is None:
            raise NotFound(f"fetch {fetch_id} of s{source_id}")
        completed = replace(fetch, completed=True)
        self._transaction.put(self._transaction.tables.fetches, (source_id, fetch_id), completed)

    def advance(self, source_id: int, observed_at: datetime, by: int) -> int:
        """Return the first of ``by`` fetch numbers taken for items that are fetches of their own."""
        self._transaction.check(by >= 1, f"at least one fetch number must be taken, not {by}")
        return self._take_numbers(source_id, observed_at, by)

    def _take_numbers(self, source_id: int, observed_at: datetime, by: int) -> int:
        self._transaction.check_times(observed_at)
        source = self.get_source(source_id)
        newest = max(source.newest_observed_at or observed_at, observed_at)
        self._put(replace(source, newest_observed_at=newest, last_fetch_no=source.last_fetch_no + by))
        return source.last_fetch_no + 1

    def add_trust(self, trust: Trust) -> bool:
        """Return whether the switch is new; the same (source, kind, value) is recorded once."""
        tables = self._transaction.tables
        key = (trust.source_id, trust.kind, trust.value)
        if key in tables.trust:
            return False
        self._transaction.need(tables.sources, trust.source_id, "source")
        self._transaction.check_times(trust.since)
        self._transaction.put(tables.trust, key, trust)
        return True

    def find_trust(self, source_id: int) -> list[Trust]:
        """Return all recorded switches of a source, oldest first."""
        found = [trust for trust in self._transaction.tables.trust.values() if trust.source_id == source_id]
        return sorted(found, key=lambda trust: trust.since)

    def add_trait(self, source_id: int, trait: str) -> None:
        """Store something learnt about the whole source; a trait it has already is left as it is."""
        self._transaction.need(self._transaction.tables.sources, source_id, "source")
        source = self.get_source(source_id)
        self._put(replace(source, traits=source.traits | {trait}))

    def _put(self, source: Source) -> None:
        self._transaction.put(self._transaction.tables.sources, source.id, source)
