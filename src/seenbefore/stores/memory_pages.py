"""Pages that were opened, in memory."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from ..errors import NotFound
from ..model import Capture, PageHost
from .memory_tables import Transaction


class MemoryPages:
    """See ``base_pages.Pages``."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def add_capture(self, capture: Capture) -> Capture:
        """Return the stored attempt with its id."""
        transaction, tables = self._transaction, self._transaction.tables
        transaction.check(bool(capture.address), "a capture has an address")
        transaction.check(capture.attempts > 0, "attempts count from 1")
        transaction.check_times(capture.fetched_at, capture.retry_at)
        if capture.version_id:
            transaction.need(tables.items, capture.version_id, "version")
        if capture.body_hash:
            transaction.check(capture.body_hash in tables.page_bodies, "a kept page is stored")
        facts = json.loads(json.dumps(dict(capture.facts)))  # what a caller changes later stays out
        stored = replace(capture, id=transaction.next_id("captures"), facts=facts)
        transaction.put(tables.captures, stored.id, stored)
        there = tables.captures_by_address.get(stored.address, ())
        transaction.put(tables.captures_by_address, stored.address, (*there, stored.id))
        return stored

    def find_captures(self, addresses: Iterable[str]) -> dict[str, Capture]:
        """Return the newest attempt at each of these addresses."""
        tables = self._transaction.tables
        return {
            address: tables.captures[tables.captures_by_address[address][-1]]
            for address in addresses
            if address in tables.captures_by_address
        }

    def list_captures(self, address: str) -> list[Capture]:
        """Return all attempts at one address, the oldest first."""
        tables = self._transaction.tables
        return [tables.captures[number] for number in tables.captures_by_address.get(address, ())]

    def list_kept(self, after: int, limit: int) -> list[Capture]:
        """Return attempts whose page is kept, by ascending id."""
        kept = (each for each in self._transaction.tables.captures.values() if each.body_hash and each.id > after)
        return sorted(kept, key=lambda each: each.id)[:limit]

    def set_version(self, capture_id: int, version_id: int) -> None:
        """Note which version the text of an attempt became."""
        transaction, tables = self._transaction, self._transaction.tables
        transaction.need(tables.captures, capture_id, "capture")
        transaction.need(tables.items, version_id, "version")
        transaction.put(tables.captures, capture_id, replace(tables.captures[capture_id], version_id=version_id))

    def count_captures(self) -> dict[tuple[str, str], int]:
        """Return how many addresses stand at each (outcome, representation)."""
        newest = self.find_captures(self._transaction.tables.captures_by_address).values()
        return dict(Counter((c.outcome, c.representation.value if c.representation else "") for c in newest))

    def keep_body(self, body_hash: str, body: bytes, size: int, at: datetime) -> bool:
        """Keep the bytes of a page; False when they are kept already."""
        transaction, tables = self._transaction, self._transaction.tables
        transaction.check(size >= 0 and bool(body_hash), "a kept page has a hash and a size")
        transaction.check_times(at)
        known = body_hash in tables.page_bodies
        transaction.put(tables.page_bodies, body_hash, tables.page_bodies.get(body_hash, body))
        return not known

    def get_body(self, body_hash: str) -> bytes:
        """Return the compressed bytes; raises NotFound."""
        body = self._transaction.tables.page_bodies.get(body_hash)
        if body is None:
            raise NotFound(body_hash)
        return body

    def kept_bytes(self) -> int:
        """Return how much all kept pages take, compressed."""
        return sum(map(len, self._transaction.tables.page_bodies.values()))

    def find_hosts(self, hosts: Iterable[str]) -> dict[str, PageHost]:
        """Return what is known of each of these hosts."""
        known = self._transaction.tables.page_hosts
        return {host: known[host] for host in hosts if host in known}

    def put_host(self, host: PageHost) -> None:
        """Store what is known of a host, in place of what was."""
        transaction = self._transaction
        transaction.check(bool(host.host) and host.snapshot >= 0 and host.articles >= 0, "a host has a name")
        transaction.put(transaction.tables.page_hosts, host.host, host)
