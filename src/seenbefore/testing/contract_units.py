"""Units: all or nothing, one at a time, snapshots, copies."""

from __future__ import annotations

import threading

from ..errors import NotFound, StoreBusy, StoreError
from ..stores.base import Store
from .builders import a_decision, a_key, a_record, at
from .contract_base import FEED, ContractBase, add_article, add_source, assert_raises


class Stop(Exception):
    """Raised by tests inside a unit."""


class UnitsContract(ContractBase):
    """The line around a unit."""

    def test_a_unit_is_there_for_the_next_one(self) -> None:
        """What a unit stored is read by the next."""
        with self.store() as store:
            with store.unit() as unit:
                record, _, _ = add_article(unit)
            with store.reading() as unit:
                assert unit.records.find_records() == [record]

    def test_an_exception_in_a_unit_stores_nothing(self) -> None:
        """Rows, keys, journal and counters are all taken back, and the exception arrives."""
        with self.store() as store:
            with store.unit() as unit:
                record, _, _ = add_article(unit)
                unit.records.set_keys({record.id: [a_key("before")]})
            before = _content(store)
            try:
                with store.unit() as unit:
                    other, _, _ = add_article(unit, 2)
                    unit.records.set_keys({record.id: [a_key("after")], other.id: [a_key("before")]})
                    unit.journal.add_decision(a_decision(other.id))
                    unit.journal.set_cursor("reader", 1)
                    unit.sources.open_fetch(1, "fetch", at(5))
                    raise Stop
            except Stop:
                pass
            assert _content(store) == before
            with store.unit() as unit:
                assert unit.records.find_record_ids([a_key("before").address]) == {a_key("before").address: [record.id]}
                assert unit.records.find_record_ids([a_key("after").address]) == {}
                add_article(unit, 2)  # nothing of the first attempt is in the way

    def test_a_failure_that_is_swallowed_stores_nothing(self) -> None:
        """After a StoreError the unit can only be rolled back: leaving it normally raises."""
        with self.store() as store:

            def swallow() -> None:
                with store.unit() as unit:
                    add_article(unit)
                    assert_raises(StoreError, lambda: unit.sources.add_trait(99, "guid_counter"))

            assert_raises(StoreError, swallow)
            with store.reading() as unit:
                assert unit.records.find_records() == []

    def test_not_found_does_not_spoil_a_unit(self) -> None:
        """A question with no answer is no failure of the store."""
        with self.store() as store:
            with store.unit() as unit:
                add_source(unit)
                assert_raises(NotFound, lambda: unit.sources.get_source(99))
            with store.reading() as unit:
                assert unit.sources.find_source(FEED) is not None

    def test_units_cannot_be_nested(self) -> None:
        """Neither in a unit nor in a reading; the open one is not harmed."""
        with self.store() as store:
            with store.unit() as unit:
                assert_raises(StoreError, lambda: _enter(store))
                assert_raises(StoreError, lambda: _read(store))
                assert_raises(StoreError, store.scratch_copy)
                add_source(unit)
            with store.reading() as unit:
                assert_raises(StoreError, lambda: _enter(store))
                assert unit.sources.find_source(FEED) is not None

    def test_writing_while_reading_is_refused(self) -> None:
        """The store stays writable afterwards."""
        with self.store() as store:

            def write() -> None:
                with store.reading() as unit:
                    unit.sources.add_source("News", FEED)

            error = assert_raises(StoreError, write)
            assert not isinstance(error, StoreBusy)
            with store.unit() as unit:
                add_source(unit)

    def test_a_unit_that_is_over_is_refused(self) -> None:
        """Nothing is read or written outside of a unit."""
        with self.store() as store:
            with store.unit() as unit:
                add_source(unit)
            assert_raises(StoreError, lambda: unit.sources.find_source(FEED))
            assert_raises(StoreError, lambda: unit.records.set_keys({1: [a_key("late")]}))

    def test_a_locked_store_is_busy(self) -> None:
        """Another handle gives up after its time-out with an error that says it may be tried again."""
        with self.store() as store:
            with store.unit() as unit:
                add_source(unit)
                errors = self._in_other_thread(store)
            assert [type(error) for error in errors] == [StoreBusy]
            assert errors[0].retryable
            assert self._in_other_thread(store) == []

    def _in_other_thread(self, store: Store) -> list[StoreError]:
        errors: list[StoreError] = []

        def write() -> None:
            other = self.second_handle(store)
            try:
                with other.unit() as unit:
                    add_source(unit, "other")
            except StoreError as error:
                errors.append(error)
            finally:
                if other is not store:
                    other.close()

        thread = threading.Thread(target=write)
        thread.start()
        thread.join()
        return errors

    def test_a_scratch_copy_is_a_store_of_its_own(self) -> None:
        """Same content, same next ids; writing to either leaves the other alone."""
        with self.store() as store:
            with store.unit() as unit:
                add_article(unit)
            copy = store.scratch_copy()
            try:
                assert _content(copy) == _content(store)
                with copy.unit() as unit:
                    add_article(unit, 2)
                with store.unit() as unit:
                    add_article(unit, 3)
                assert _titles(copy) == ["Title 1", "Title 2"]
                assert _titles(store) == ["Title 1", "Title 3"]
            finally:
                copy.close()

    def test_a_closed_store_is_refused(self) -> None:
        """Closing twice is fine, using it afterwards is not."""
        store = self.make_store()
        store.close()
        store.close()
        assert_raises(StoreError, lambda: _enter(store))
        assert_raises(StoreError, lambda: _read(store))

    def test_many_ids(self) -> None:
        """Lists of ids are longer than any database's limit of parameters."""
        many = range(1, 40_001)
        with self.unit() as unit:
            record, sighting_id, _ = add_article(unit)
            assert [each.id for each in unit.records.get_sightings(many)] == [sighting_id]
            assert unit.records.find_records(many) == [record]
            assert unit.reviews.find_reviews(many) == []
            assert unit.reviews.find_labels(many) == []
            unit.records.set_keys(dict.fromkeys(many, ()))
            unit.records.set_keys({record.id: [a_key(f"key-{number}") for number in many]})
            addresses = [a_key(f"key-{number}").address for number in many]
            assert len(unit.records.find_record_ids(addresses)) == len(many)

    def test_a_time_without_zone_is_refused(self) -> None:
        """It would be read as the local time of some machine."""
        with self.store() as store:

            def write() -> None:
                with store.unit() as unit:
                    record = a_record(add_source(unit), first_seen_at=at().replace(tzinfo=None))
                    unit.records.add_record(record)

            assert_raises(StoreError, write)


def _enter(store: Store) -> None:
    with store.unit():
        pass


def _read(store: Store) -> None:
    with store.reading():
        pass


def _titles(store: Store) -> list[str]:
    with store.reading() as unit:
        return [record.title for record in unit.records.find_records()]


def _content(store: Store) -> tuple[object, ...]:
    with store.reading() as unit:
        records = unit.records.find_records()
        return (
            unit.sources.list_sources(),
            records,
            unit.records.get_sightings(record.id for record in records),
            unit.journal.read(0, 1000),
            unit.journal.get_cursor("reader"),
            unit.reviews.find_reviews(),
        )
