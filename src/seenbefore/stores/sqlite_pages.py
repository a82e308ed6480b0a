"""Pages that were opened, in SQLite."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from ..errors import NotFound
from ..model import Capture, PageHost, Representation
from .rows import optional_text_time, optional_time_text, text_time, time_text, to_json
from .session import Row, Session

_COLUMNS = (
    "address, original_url, fetch_url, fetched_at, outcome, final_url, hops, status, reason, representation,"
    " attempts, retry_at, content_type, charset, etag, last_modified, body_hash, extractor, version_id, facts"
)
_CAPTURE = f"SELECT id, {_COLUMNS} FROM captures"
_INSERT = f"INSERT INTO captures ({_COLUMNS}) VALUES ({', '.join('?' * 20)})"
_NEWEST = f"{_CAPTURE} WHERE address = ? ORDER BY id DESC LIMIT 1"

_COUNT = """
SELECT outcome, representation, count(*) FROM captures
WHERE id IN (SELECT max(id) FROM captures GROUP BY address) GROUP BY outcome, representation
"""

_PUT_HOST = """
INSERT INTO page_hosts (host, secure, snapshot, articles, repeated) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (host) DO UPDATE SET secure = excluded.secure, snapshot = excluded.snapshot,
    articles = excluded.articles, repeated = excluded.repeated
"""


class SqlitePages:
    """See ``base_pages.Pages``."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add_capture(self, capture: Capture) -> Capture:
        """Return the stored attempt with its id."""
        c = capture
        values = (
            *(c.address, c.original_url, c.fetch_url, time_text(c.fetched_at), c.outcome, c.final_url),
            *(to_json(c.hops), c.status, c.reason, c.representation.value if c.representation else ""),
            *(c.attempts, optional_time_text(c.retry_at), c.content_type, c.charset, c.etag, c.last_modified),
            *(c.body_hash or None, c.extractor, c.version_id or None, to_json(dict(c.facts))),
        )
        return replace(capture, id=self._session.insert(_INSERT, values))

    def find_captures(self, addresses: Iterable[str]) -> dict[str, Capture]:
        """Return the newest attempt at each of these addresses."""
        wanted = list(dict.fromkeys(addresses))
        found = zip(wanted, self._session.look_up(_NEWEST, ((each,) for each in wanted)), strict=False)
        return {address: _capture(rows[0]) for address, rows in found if rows}

    def list_captures(self, address: str) -> list[Capture]:
        """Return all attempts at one address, the oldest first."""
        return [_capture(row) for row in self._session.rows(f"{_CAPTURE} WHERE address = ? ORDER BY id", (address,))]

    def list_kept(self, after: int, limit: int) -> list[Capture]:
        """Return attempts whose page is kept, by ascending id."""
        sql = f"{_CAPTURE} WHERE id > ? AND body_hash IS NOT NULL ORDER BY id LIMIT ?"
        return [_capture(row) for row in self._session.rows(sql, (after, limit))]

    def set_version(self, capture_id: int, version_id: int) -> None:
        """Note which version the text of an attempt became."""
        if not self._session.change("UPDATE captures SET version_id = ? WHERE id = ?", (version_id, capture_id)):
            raise self._session.error(f"there is no capture {capture_id}")

    def count_captures(self) -> dict[tuple[str, str], int]:
        """Return how many addresses stand at each (outcome, representation)."""
        return {(outcome, representation): count for outcome, representation, count in self._session.rows(_COUNT)}

    def keep_body(self, body_hash: str, body: bytes, size: int, at: datetime) -> bool:
        """Keep the bytes of a page; False when they are kept already."""
        sql = "INSERT INTO page_bodies (hash, size, body, kept_at) VALUES (?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING"
        return self._session.change(sql, (body_hash, size, body, time_text(at))) > 0

    def get_body(self, body_hash: str) -> bytes:
        """Return the compressed bytes; raises NotFound."""
        row = self._session.row("SELECT body FROM page_bodies WHERE hash = ?", (body_hash,))
        if row is None:
            raise NotFound(body_hash)
        return bytes(row[0])

    def kept_bytes(self) -> int:
        """Return how much all kept pages take, compressed."""
        row = self._session.row("SELECT coalesce(sum(length(body)), 0) FROM page_bodies")
        assert row is not None  # an aggregate has one row
        return int(row[0])

    def find_hosts(self, hosts: Iterable[str]) -> dict[str, PageHost]:
        """Return what is known of each of these hosts."""
        sql = "SELECT host, secure, snapshot, articles, repeated FROM page_hosts WHERE host = ?"
        found = self._session.look_up(sql, ((host,) for host in dict.fromkeys(hosts)))
        known = [row for rows in found for row in rows]
        return {row[0]: PageHost(row[0], bool(row[1]), row[2], row[3], tuple(json.loads(row[4]))) for row in known}

    def put_host(self, host: PageHost) -> None:
        """Store what is known of a host, in place of what was."""
        values = (host.host, int(host.secure), host.snapshot, host.articles, to_json(host.repeated))
        self._session.run(_PUT_HOST, values)


def _capture(row: Row) -> Capture:
    hops = tuple((start, status, target) for start, status, target in json.loads(row[7]))
    return Capture(
        id=row[0],
        address=row[1],
        original_url=row[2],
        fetch_url=row[3],
        fetched_at=text_time(row[4]),
        outcome=row[5],
        final_url=row[6],
        hops=hops,
        status=row[8],
        reason=row[9],
        representation=Representation(row[10]) if row[10] else None,
        attempts=row[11],
        retry_at=optional_text_time(row[12]),
        content_type=row[13],
        charset=row[14],
        etag=row[15],
        last_modified=row[16],
        body_hash=row[17] or "",
        extractor=row[18],
        version_id=row[19] or 0,
        facts=json.loads(row[20]),
    )
