"""What only a check asks: the state of the file itself, and rows as they are, in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing

from ..model import Fetch, Key, Strength
from .base_audit import Flaw, Home, StoredKey
from .migrations import apply_migrations
from .rows import text_time, to_json
from .session import Session

_MOST_LINES = 100
"""SQLite stops looking for damage after so many findings."""

_STRENGTHS = {strength.value: strength for strength in Strength}

_OTHER = """
EXISTS (SELECT 1 FROM keys AS o JOIN records AS r ON r.id = o.record_id
    WHERE o.kind = k.kind AND o.scope = k.scope AND o.value = k.value AND o.record_id <> k.record_id
        AND r.status <> 'merged'{})
"""
_ASKED = "k.strength IN ('strong', 'near') AND "

_KEYS = f"""
SELECT k.record_id, k.kind, k.value, k.scope, k.strength, k.rule_id, k.pack_version,
    {_ASKED}{_OTHER.format("")},
    {_ASKED}{_OTHER.format(" AND o.strength <> 'distrusted'")}
FROM keys AS k WHERE k.record_id IN (SELECT value FROM json_each(?))
"""

_HOMES = """
SELECT s.id, s.record_id, s.id, s.guid, s.original_url, s.clean_title FROM sightings AS s
WHERE s.id IN (SELECT value FROM json_each(?))
"""

_VERSION_HOMES = """
SELECT v.id, s.record_id, s.id, s.guid, s.original_url, s.clean_title
FROM versions AS v JOIN sightings AS s ON s.id = v.sighting_id
WHERE v.id IN (SELECT value FROM json_each(?))
"""

_SCHEMA = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"


class SqliteAudit:
    """See ``base_audit.Audit``."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def integrity(self) -> Iterator[Flaw]:
        """Yield what SQLite finds wrong with the pages, the references, and what is missing of the schema."""
        for (line,) in self._session.rows(f"PRAGMA integrity_check({_MOST_LINES})"):
            if line != "ok":
                yield Flaw("file_damaged", "file", str(line))
        for table, row_id, parent, _ in self._session.rows("PRAGMA foreign_key_check"):
            where = table if row_id is None else f"{table}, row {row_id}"
            yield Flaw("dangling_reference", where, f"it refers to something in {parent} that is not there")
        yield from self._schema_flaws()

    def _schema_flaws(self) -> Iterator[Flaw]:
        there = {(kind, name): sql for kind, name, sql in self._session.rows(_SCHEMA)}
        for (kind, name), sql in sorted(_fresh_schema().items()):
            if (kind, name) not in there:
                yield Flaw("schema_changed", f"{kind} {name}", "it is missing")
            elif there[kind, name] != sql:
                yield Flaw("schema_changed", f"{kind} {name}", "it is not defined as this version makes it")

    def get_keys(self, record_ids: Iterable[int]) -> dict[int, list[StoredKey]]:
        """Return the key rows of these records, merged ones included."""
        found: dict[int, list[StoredKey]] = {}
        for row in self._session.rows(_KEYS, (to_json(sorted(set(record_ids))),)):
            record_id, kind, value, scope, strength, rule_id, pack_version, held, used = row
            key = Key(kind, value, scope, _STRENGTHS[strength], rule_id, pack_version)
            found.setdefault(record_id, []).append(StoredKey(key, bool(held), bool(used)))
        return found

    def find_homes(self, sighting_ids: Iterable[int]) -> dict[int, Home]:
        """Return where these sightings stand; unknown ones are absent."""
        return self._find_homes(_HOMES, sighting_ids)

    def find_version_homes(self, version_ids: Iterable[int]) -> dict[int, Home]:
        """Return where the sightings of these versions stand; unknown ones are absent."""
        return self._find_homes(_VERSION_HOMES, version_ids)

    def _find_homes(self, sql: str, ids: Iterable[int]) -> dict[int, Home]:
        rows = self._session.rows(sql, (to_json(sorted(set(ids))),))
        return {each_id: Home(*home) for each_id, *home in rows}

    def list_fetches(self, source_id: int) -> list[Fetch]:
        """Return the fetches of a source by number."""
        rows = self._session.rows(
            "SELECT fetch_id, no, observed_at, late, completed FROM fetches WHERE source_id = ? ORDER BY no, fetch_id",
            (source_id,),
        )
        return [
            Fetch(source_id, fetch_id, no, text_time(observed_at), bool(late), bool(completed))
            for fetch_id, no, observed_at, late, completed in rows
        ]

    def list_cursors(self) -> dict[str, int]:
        """Return how far every consumer has read."""
        return dict(self._session.rows("SELECT consumer, seq FROM cursors ORDER BY consumer"))


def _fresh_schema() -> dict[tuple[str, str], str]:
    """The schema of a file that this version would make."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        session = Session(connection, ":memory:")
        apply_migrations(session, ":memory:")
        return {(kind, name): sql for kind, name, sql in session.rows(_SCHEMA)}
