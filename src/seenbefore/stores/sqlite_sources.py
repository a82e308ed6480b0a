"""Sources, their aliases and fetches, and what is trusted there, in SQLite."""

from __future__ import annotations

from datetime import datetime

from ..errors import NotFound
from ..model import Fetch, Source, Trust
from .rows import optional_text_time, text_time, time_text
from .session import Row, Session

_SOURCE = "SELECT id, name, identity, newest_observed_at, last_fetch_no FROM sources"


class SqliteSources:
    """See ``base.Sources``."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def find_source(self, identity: str) -> Source | None:
        """Return the source that has this identity or alias."""
        row = self._session.row("SELECT source_id FROM source_aliases WHERE identity = ?", (identity,))
        return self.get_source(row[0]) if row else None

    def add_source(self, name: str, identity: str) -> Source:
        """Return the existing source of this identity or alias, else a new one."""
        found = self.find_source(identity)
        if found is not None:
            return found
        source_id = self._session.insert("INSERT INTO sources (name, identity) VALUES (?, ?)", (name, identity))
        self.add_alias(source_id, identity)
        return Source(source_id, name, identity, None, 0)

    def get_source(self, source_id: int) -> Source:
        """Return the source; raises NotFound."""
        row = self._session.row(f"{_SOURCE} WHERE id = ?", (source_id,))
        if row is None:
            raise NotFound(f"s{source_id}")
        traits = self._session.rows("SELECT trait FROM source_traits WHERE source_id = ?", (source_id,))
        return _source(row, frozenset(trait for (trait,) in traits))

    def list_sources(self) -> list[Source]:
        """Return all sources by id."""
        traits: dict[int, set[str]] = {}
        for source_id, trait in self._session.rows("SELECT source_id, trait FROM source_traits"):
            traits.setdefault(source_id, set()).add(trait)
        rows = self._session.rows(f"{_SOURCE} ORDER BY id")
        return [_source(row, frozenset(traits.get(row[0], ()))) for row in rows]

    def add_alias(self, source_id: int, identity: str) -> None:
        """Store a further address; an identity that is taken already stays where it is."""
        self._session.run(
            "INSERT INTO source_aliases (identity, source_id) VALUES (?, ?) ON CONFLICT (identity) DO NOTHING",
            (identity, source_id),
        )

    def open_fetch(self, source_id: int, fetch_id: str, observed_at: datetime) -> Fetch:
        """Return the stored fetch of this id, else a new one with the source's next number."""
        found = self.find_fetch(source_id, fetch_id)
        if found is not None:
            return found
        newest = self.get_source(source_id).newest_observed_at
        late = newest is not None and observed_at < newest
        no = self._take_numbers(source_id, observed_at, 1)
        self._session.run(
            "INSERT INTO fetches (source_id, fetch_id, no, observed_at, late) VALUES (?, ?, ?, ?, ?)",
            (source_id, fetch_id, no, time_text(observed_at), late),
        )
        return Fetch(source_id, fetch_id, no, observed_at, late, completed=False)

    def find_fetch(self, source_id: int, fetch_id: str) -> Fetch | None:
        """Return the stored fetch, open or completed."""
        row = self._session.row(
            "SELECT no, observed_at, late, completed FROM fetches WHERE source_id = ? AND fetch_id = ?",
            (source_id, fetch_id),
        )
        if row is None:
            return None
        no, observed_at, late, completed = row
        return Fetch(source_id, fetch_id, no, text_time(observed_at), bool(late), bool(completed))

    def complete_fetch(self, source_id: int, fetch_id: str) -> None:
        """Mark the fetch as completed; raises NotFound."""
        changed = self._session.change(
            "UPDATE fetches SET completed = 1 WHERE source_id = ? AND fetch_id = ?", (source_id, fetch_id)
        )
        if not changed:
            raise NotFound(f"fetch {fetch_id} of s{source_id}")

    def advance(self, source_id: int, observed_at: datetime, by: int) -> int:
        """Return the first of ``by`` fetch numbers taken for items that are fetches of their own."""
        if by < 1:
            raise self._session.error(f"at least one fetch number must be taken, not {by}")
        return self._take_numbers(source_id, observed_at, by)

    def _take_numbers(self, source_id: int, observed_at: datetime, by: int) -> int:
        last = self.get_source(source_id).last_fetch_no
        self._session.run(
            "UPDATE sources SET last_fetch_no = last_fetch_no + :by,"
            " newest_observed_at = max(coalesce(newest_observed_at, :at), :at) WHERE id = :id",
            {"by": by, "at": time_text(observed_at), "id": source_id},
        )
        return last + 1

    def add_trust(self, trust: Trust) -> bool:
        """Return whether the switch is new; the same (source, kind, value) is recorded once."""
        return bool(
            self._session.change(
                "INSERT INTO trust (source_id, kind, value, reason, detail, since) VALUES (?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (source_id, kind, value) DO NOTHING",
                (
                    trust.source_id,
                    trust.kind,
                    trust.value,
                    trust.reason,
                    trust.detail,
                    time_text(trust.since),
                ),
            )
        )

    def find_trust(self, source_id: int) -> list[Trust]:
        """Return all recorded switches of a source, oldest first."""
        rows = self._session.rows(
            "SELECT source_id, kind, value, reason, detail, since FROM trust WHERE source_id = ? ORDER BY since, id",
            (source_id,),
        )
        return [
            Trust(source_id, kind, value, reason, detail, text_time(since))
            for source_id, kind, value, reason, detail, since in rows
        ]

    def add_trait(self, source_id: int, trait: str) -> None:
        """Store something learnt about the whole source; a trait it has already is left as it is."""
        self._session.run(
            "INSERT INTO source_traits (source_id, trait) VALUES (?, ?) ON CONFLICT DO NOTHING",
            (source_id, trait),
        )


def _source(row: Row, traits: frozenset[str]) -> Source:
    source_id, name, identity, newest, last_fetch_no = row
    return Source(source_id, name, identity, optional_text_time(newest), last_fetch_no, traits)
