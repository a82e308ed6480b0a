"""Activated rules of one's own, and the records they can be about, in memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..errors import NotFound
from ..model import RuleVersion, Status
from .hosts import Hosts, key_host
from .memory_tables import Transaction


class MemoryPacks:
    """See ``base_packs.Packs``."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def add_version(self, version: RuleVersion) -> RuleVersion:
        """Return the stored activation with its number."""
        stored = replace(version, number=self._transaction.next_id("rule_version"))
        self._put(stored)
        self._transaction.next_id("rule_stamp")
        return stored

    def list_versions(self) -> list[RuleVersion]:
        """Return all activations by number."""
        return list(self._transaction.tables.rule_versions.values())

    def get_version(self, number: int) -> RuleVersion:
        """Return the activation; raises NotFound."""
        version = self._transaction.tables.rule_versions.get(number)
        if version is None:
            raise NotFound(f"v{number}")
        return version

    def update_version(self, version: RuleVersion) -> None:
        """Replace how far an activation is; raises StoreError for an unknown one."""
        versions = self._transaction.tables.rule_versions
        self._transaction.need(versions, version.number, "rule version")
        stored = versions[version.number]
        changed = replace(
            stored,
            state=version.state,
            done=version.done,
            collisions=version.collisions,
            forced=version.forced,
            rolled_back_at=version.rolled_back_at,
        )
        self._put(changed)
        if changed.state is not stored.state:
            self._transaction.next_id("rule_stamp")

    def _put(self, version: RuleVersion) -> None:
        transaction = self._transaction
        transaction.check(version.pack_version > 0, "versions of a pack count from 1")
        transaction.check(version.collisions >= 0 and version.done >= 0, "counts and record ids are 0 or more")
        transaction.check_times(version.activated_at, version.rolled_back_at)
        transaction.put(transaction.tables.rule_versions, version.number, version)

    def stamp(self) -> int:
        """Return a number that is another one after every activation and every change of a state."""
        return self._transaction.tables.last_ids.get("rule_stamp", 0)

    def find_records_on(self, hosts: Iterable[str]) -> list[int]:
        """Return the live records that have a key on one of these hosts, ascending."""
        tables, wanted = self._transaction.tables, Hosts(hosts)
        return sorted(
            record_id
            for record_id, keys in tables.keys.items()
            if tables.records[record_id].status is not Status.MERGED
            and any(key_host(key.kind, key.value) in wanted for key in keys.values())
        )
