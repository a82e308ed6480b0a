from __future__ import annotations

from pathlib import Path

import pytest

from seenbefore.stores.base import Store
from seenbefore.stores.sqlite import SqliteStore
from seenbefore.testing.contract import StoreContract


class TestSqliteStore(StoreContract):
    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> None:
        self.path = tmp_path / "news.db"

    def make_store(self) -> SqliteStore:
        return SqliteStore(self.path)

    def second_handle(self, store: Store) -> SqliteStore:
        return SqliteStore(self.path, busy_timeout_s=0.05)
