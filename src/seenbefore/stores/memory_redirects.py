"""Permanent redirects that somebody saw, in memory."""

from __future__ import annotations

from collections.abc import Iterable

from ..model import Redirect
from .memory_tables import Transaction


class MemoryRedirects:
    """See ``base_packs.Redirects``."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def add_redirects(self, redirects: Iterable[Redirect]) -> int:
        """Return how many are new; of the same pair of keys the first one stays."""
        return sum(self._add(each) for each in redirects)

    def _add(self, redirect: Redirect) -> bool:
        transaction, tables = self._transaction, self._transaction.tables
        transaction.check(300 <= redirect.status <= 399, "the status of a redirect is 300 to 399")
        transaction.check(bool(redirect.start_key and redirect.target_key), "a redirect has a key at both ends")
        transaction.check_times(redirect.seen_at)
        pair = (redirect.start_key, redirect.target_key)
        stored = tables.redirects.get(pair)
        transaction.put(tables.redirects, pair, stored or redirect)  # a known one is refused while reading, too
        if stored:
            return False
        for key in dict.fromkeys(pair):
            there = tables.redirects_by_key.get(key, ())
            transaction.put(tables.redirects_by_key, key, (*there, redirect))
        return True

    def find_redirects(self, keys: Iterable[str]) -> dict[str, tuple[Redirect, ...]]:
        """Return the redirects that start or end at each of these keys, as they arrived."""
        by_key = self._transaction.tables.redirects_by_key
        return {key: by_key[key] for key in keys if key in by_key}

    def count_redirects(self) -> int:
        """Return how many are stored."""
        return len(self._transaction.tables.redirects)

    def list_redirects(self) -> list[Redirect]:
        """Return all, as they arrived."""
        return list(self._transaction.tables.redirects.values())
