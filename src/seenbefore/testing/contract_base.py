"""What the parts of the contract suite share: how a store is made, and what is in it at first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from ..errors import SeenBeforeError
from ..model import Record
from ..stores.base import Store, Unit
from .builders import a_record, a_sighting, a_version, an_item

FEED = "https://news.example/feed"


class ContractBase:
    """Provide ``make_store`` and ``second_handle`` in a subclass."""

    def make_store(self) -> Store:
        """Return a new and empty store."""
        raise NotImplementedError

    def second_handle(self, store: Store) -> Store:
        """Return what another thread uses to reach the same content; it soon gives up waiting.

        Called in that other thread. A store that threads may share returns the store itself.
        """
        raise NotImplementedError

    @contextmanager
    def store(self) -> Iterator[Store]:
        """Open a new store and close it."""
        store = self.make_store()
        try:
            yield store
        finally:
            store.close()

    @contextmanager
    def unit(self) -> Iterator[Unit]:
        """Open a unit of a new store."""
        with self.store() as store, store.unit() as unit:
            yield unit


def add_source(unit: Unit, identity: str = FEED) -> int:
    """Return the id of a stored source."""
    return unit.sources.add_source("News", identity).id


def add_article(unit: Unit, number: int = 1) -> tuple[Record, int, int]:
    """Return a stored record with the ids of its sighting and version."""
    source_id = add_source(unit)
    record_id = unit.records.add_record(a_record(source_id, number))
    sighting_id = unit.records.add_sighting(a_sighting(record_id, source_id, number))
    version = a_version(f"Text {number}")
    version_id = unit.records.add_version(sighting_id, version, an_item(number), f"observation-{number}")
    record = replace(a_record(source_id, number), id=record_id, current_version_id=version_id)
    unit.records.update_record(record)
    return record, sighting_id, version_id


def assert_raises(error: type[SeenBeforeError], act: Callable[[], object]) -> SeenBeforeError:
    """Return the error that ``act`` raises; fail when it raises none.

    >>> from seenbefore.errors import NotFound, StoreError
    >>> def look_up() -> None:
    ...     raise NotFound("r1")
    >>> assert_raises(NotFound, look_up).what
    'r1'
    >>> assert_raises(StoreError, lambda: None)
    Traceback (most recent call last):
    AssertionError: expected StoreError, but nothing was raised
    """
    try:
        act()
    except error as raised:
        return raised
    raise AssertionError(f"expected {error.__name__}, but nothing was raised")


def assert_refused(store: Store, error: type[SeenBeforeError], write: Callable[[Unit], object]) -> None:
    """Fail unless the write raises, even when the caller swallows that, and leaves nothing behind."""

    def swallow() -> None:
        with store.unit() as unit:
            unit.sources.add_source("Left behind", "left-behind")
            assert_raises(error, lambda: write(unit))

    assert_raises(error, swallow)
    with store.reading() as unit:
        assert unit.sources.find_source("left-behind") is None
