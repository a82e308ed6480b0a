"""Activated rules of one's own, and the records they can be about, in SQLite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ..errors import NotFound
from ..model import RuleState, RuleVersion
from .hosts import KEY_STARTS, Hosts, host_in
from .rows import optional_text_time, optional_time_text, text_time, time_text
from .session import Row, Session

_COLUMNS = "pack, pack_version, text, state, activated_at, author, forced, collisions, done, rolled_back_at"
_VERSION = f"SELECT number, {_COLUMNS} FROM rule_versions"

_UPDATE = """
UPDATE rule_versions SET state = ?, done = ?, collisions = ?, forced = ?, rolled_back_at = ? WHERE number = ?
"""

_NEXT_STAMP = "INSERT INTO rule_stamp (id, stamp) VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET stamp = stamp + 1"
_STAMP = "SELECT coalesce(max(stamp), 0) FROM rule_stamp"

_SCOPES = """
WITH RECURSIVE scopes (scope) AS (
    SELECT min(scope) FROM keys WHERE kind = ?1
    UNION ALL
    SELECT (SELECT min(scope) FROM keys WHERE kind = ?1 AND scope > s.scope) FROM scopes AS s WHERE s.scope IS NOT NULL
)
SELECT scope FROM scopes WHERE scope IS NOT NULL
"""

_NEXT_VALUE = "SELECT value FROM keys WHERE kind = ? AND scope = ? AND value >= ? ORDER BY value LIMIT 1"

_LIVE_BETWEEN = """
SELECT k.record_id FROM keys AS k JOIN records AS r ON r.id = k.record_id
WHERE k.kind = ? AND k.scope = ? AND k.value >= ? AND k.value < ? AND r.status <> 'merged'
"""


class SqlitePacks:
    """See ``base_packs.Packs``."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add_version(self, version: RuleVersion) -> RuleVersion:
        """Return the stored activation with its number."""
        number = self._session.insert(
            f"INSERT INTO rule_versions ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                version.pack,
                version.pack_version,
                version.text,
                version.state,
                time_text(version.activated_at),
                version.author,
                version.forced,
                version.collisions,
                version.done,
                optional_time_text(version.rolled_back_at),
            ),
        )
        self._session.run(_NEXT_STAMP)
        return replace(version, number=number)

    def list_versions(self) -> list[RuleVersion]:
        """Return all activations by number."""
        return [_version(row) for row in self._session.rows(f"{_VERSION} ORDER BY number")]

    def get_version(self, number: int) -> RuleVersion:
        """Return the activation; raises NotFound."""
        row = self._session.row(f"{_VERSION} WHERE number = ?", (number,))
        if row is None:
            raise NotFound(f"v{number}")
        return _version(row)

    def update_version(self, version: RuleVersion) -> None:
        """Replace how far an activation is; raises StoreError for an unknown one."""
        row = self._session.row("SELECT state FROM rule_versions WHERE number = ?", (version.number,))
        if row is None:
            raise self._session.error(f"there is no rule version {version.number}")
        rolled_back_at = optional_time_text(version.rolled_back_at)
        values = (version.state, version.done, version.collisions, version.forced, rolled_back_at, version.number)
        self._session.run(_UPDATE, values)
        if row != (version.state,):
            self._session.run(_NEXT_STAMP)

    def stamp(self) -> int:
        """Return a number that is another one after every activation and every change of a state."""
        row = self._session.row(_STAMP)
        assert row is not None  # an aggregate has one row
        return int(row[0])

    def find_records_on(self, hosts: Iterable[str]) -> list[int]:
        """Return the live records that have a key on one of these hosts, ascending."""
        found = self._session.look_up(_LIVE_BETWEEN, self._ranges(Hosts(hosts)))
        return sorted({record_id for rows in found for (record_id,) in rows})

    # The primary key (kind, scope, value) is used for both forms of host, and the table is never scanned. No single
    # range holds a host, because "m." and credentials stand before it: so the index leads from the first value of
    # one site to the first value of the next one, whichever form is asked for, and a site that is wanted is one range.

    def _ranges(self, wanted: Hosts) -> Iterator[tuple[str, str, str, str]]:
        for kind, start in KEY_STARTS if wanted else ():
            for (scope,) in self._session.rows(_SCOPES, (kind,)):
                for first, after, address in self._sites(kind, scope, start):
                    if host_in(address) in wanted:
                        yield kind, scope, first, after

    def _sites(self, kind: str, scope: str, start: str) -> Iterator[tuple[str, str, str]]:
        """The values of each site: the first one, what is greater than all of them, and an address there."""
        after = start
        while row := self._session.row(_NEXT_VALUE, (kind, scope, after)):
            first: str = row[0]
            if not first.startswith(start):
                break
            site, slash, _ = first[len(start) :].partition("/")
            after = f"{start}{site}0" if slash else f"{first}\0"  # 0 comes after /
            yield first, after, site


def _version(row: Row) -> RuleVersion:
    number, pack, pack_version, text, state, activated_at, author, forced, collisions, done, rolled_back_at = row
    return RuleVersion(
        number,
        pack,
        pack_version,
        text,
        RuleState(state),
        text_time(activated_at),
        author,
        forced,
        collisions,
        done,
        optional_text_time(rolled_back_at),
    )
