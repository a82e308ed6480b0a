"""Repeats and new items in few statements, in SQLite: what happens to nearly every item.

Rows get their ids here instead of from SQLite, so that one statement writes many of them; the unit holds
the write lock, so nobody else takes the same numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ..model import Decision, Kind, VersionState
from .base import Address, Fresh, Identity, Listed
from .record_rows import (
    RECORD_COLUMNS,
    SIGHTING_COLUMNS,
    VERSION_COLUMNS,
    good_version_values,
    record_values,
    seen_from_row,
    sighting_values,
    version_values,
)
from .rows import item_json
from .session import Row, Session
from .sqlite_journal import DECISION_COLUMNS, decision_values
from .sqlite_records import GOOD_VERSION, INSERT_KEY, SEEN_COLUMNS, key_values

Statements = list[tuple[str, Sequence[Any]]]
"""SQL texts in the order in which they run, each with the parameters of every row."""

_SEEN_WIDTH = 12

_FIND_LISTED = f"""
SELECT {SEEN_COLUMNS}, s.source_id, s.guid, s.original_url, s.clean_title, s.kind,
    v.title, r.external_id, r.url, r.title
FROM sightings AS s
JOIN records AS r ON r.id = s.record_id
JOIN versions AS v ON v.id = s.good_version_id
WHERE s.source_id = ? AND s.digest = ? AND s.digest <> x''
LIMIT 2
"""

_AT_ONCE = 100
_NOBODY: Address = ("", "", "")
_FIND_HELD = f"""
WITH wanted (kind, scope, value) AS (VALUES {", ".join(["(?, ?, ?)"] * _AT_ONCE)})
SELECT DISTINCT k.kind, k.scope, k.value
FROM wanted AS w CROSS JOIN keys AS k ON k.kind = w.kind AND k.scope = w.scope AND k.value = w.value
JOIN records AS r ON r.id = k.record_id
WHERE k.strength <> 'distrusted' AND r.status <> 'merged'
"""

_SEQUENCES = "SELECT name, seq FROM sqlite_sequence"


def _insert(table: str, columns: str) -> str:
    marks = ", ".join("?" * (columns.count(",") + 1))
    return f"INSERT INTO {table} ({columns}) VALUES ({marks})"


_INSERT_RECORD = _insert("records", f"id, {RECORD_COLUMNS}")
_INSERT_SIGHTING = _insert("sightings", f"id, {SIGHTING_COLUMNS}")
_INSERT_VERSION = _insert("versions", f"id, sighting_id, observation_key, item, {VERSION_COLUMNS}")
_SET_CURRENT = "UPDATE records SET current_version_id = ? WHERE id = ?"
_INSERT_JOURNAL = "INSERT INTO journal (seq, entry) VALUES (?, 'decision')"
_INSERT_DECISION = _insert("decisions", f"id, {DECISION_COLUMNS}")


class SqliteBulk:
    """See ``base.Bulk``."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def find_listed(self, source_id: int, digests: Iterable[bytes]) -> dict[bytes, Listed]:
        """Return the sighting per digest; unknown, empty and ambiguous digests are absent."""
        wanted = list(dict.fromkeys(digests))
        found = zip(wanted, self._session.look_up(_FIND_LISTED, ((source_id, d) for d in wanted)), strict=False)
        return {digest: _listed(rows[0]) for digest, rows in found if len(rows) == 1}

    def find_held(self, addresses: Iterable[Address]) -> set[Address]:
        """Return those of these key addresses that a live record has and trusts."""
        wanted = list(addresses)
        wanted += [_NOBODY] * (-len(wanted) % _AT_ONCE)  # one statement for every number of addresses
        held: set[Address] = set()
        for start in range(0, len(wanted), _AT_ONCE):
            part = [text for address in wanted[start : start + _AT_ONCE] for text in address]
            held.update(self._session.rows(_FIND_HELD, part))
        return held

    def add_fresh(self, items: Sequence[Fresh]) -> list[Decision]:
        """Store new records with everything that belongs to them; return the decisions with id and seq."""
        if not items:
            return []
        last: dict[str, int] = dict(self._session.rows(_SEQUENCES))
        next_ids = _NextIds(*(last.get(name, 0) + 1 for name in _NextIds._fields))
        decisions = [
            replace(
                each.decision,
                seq=next_ids.journal + n,
                number=next_ids.decisions + n,
                record_number=next_ids.records + n,
            )
            for n, each in enumerate(items)
        ]
        # All rows are made before the first one is written: what cannot be stored leaves nothing half.
        keys = dict.fromkeys(key_values(key, next_ids.records + n) for n, each in enumerate(items) for key in each.keys)
        if len({(*row[:3], row[4]) for row in keys}) != len(keys):
            raise self._session.error("two different rows for one key of a record")
        articles, told = _article_rows(items, next_ids), _decision_rows(items, decisions, next_ids)
        for sql, rows in (*articles, (INSERT_KEY, list(keys)), *told):
            self._session.many(sql, rows)
        return decisions


class _NextIds(NamedTuple):
    """The ids that the first item of a call gets; each further one gets the next ones."""

    records: int
    sightings: int
    versions: int
    journal: int
    decisions: int


def _article_rows(items: Sequence[Fresh], ids: _NextIds) -> Statements:
    """The statements that write the records of these items, each with its rows, in order."""
    numbered = list(enumerate(items))
    records = [(ids.records + n, *record_values(replace(each.record, current_version_id=0))) for n, each in numbered]
    sightings = [(ids.sightings + n, ids.records + n, *sighting_values(each.sighting)[1:]) for n, each in numbered]
    versions = [
        (ids.versions + n, ids.sightings + n, each.observation_key, item_json(each.item), *version_values(each.version))
        for n, each in numbered
    ]
    good = [
        good_version_values(ids.sightings + n, ids.versions + n, each.version)
        for n, each in numbered
        if each.version.state is VersionState.GOOD
    ]
    return [
        (_INSERT_RECORD, records),
        (_INSERT_SIGHTING, sightings),
        (_INSERT_VERSION, versions),
        # A record names its version, which names its sighting, which names the record: one of them comes later.
        (_SET_CURRENT, [(ids.versions + n, ids.records + n) for n, _ in numbered]),
        (GOOD_VERSION, good),
    ]


def _decision_rows(items: Sequence[Fresh], decisions: Sequence[Decision], ids: _NextIds) -> Statements:
    """The statements that write the decisions on these items."""
    rows = [
        (decision.number, decision.seq, *decision_values(decision), each.deliver, None, ids.versions + n)
        for n, (each, decision) in enumerate(zip(items, decisions, strict=True))
    ]
    return [(_INSERT_JOURNAL, [(decision.seq,) for decision in decisions]), (_INSERT_DECISION, rows)]


def _listed(row: Row) -> Listed:
    seen = seen_from_row(row[:_SEEN_WIDTH])
    source_id, guid, original_url, clean_title, kind, title, external_id, url, record_title = row[_SEEN_WIDTH:]
    identity = Identity(source_id, guid, original_url, clean_title, Kind(kind))
    return Listed(seen, identity, title, external_id, url, record_title)
