from __future__ import annotations

from seenbefore.stores.base import Store
from seenbefore.stores.memory import MemoryStore
from seenbefore.testing.contract import StoreContract


class TestMemoryStore(StoreContract):
    def make_store(self) -> MemoryStore:
        return MemoryStore(busy_timeout_s=0.05)

    def second_handle(self, store: Store) -> Store:
        return store
