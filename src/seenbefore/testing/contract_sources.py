"""Sources, aliases, fetches, trust."""

from __future__ import annotations

from datetime import timedelta, timezone

from ..errors import NotFound, StoreError
from ..model import Fetch, Source, Trust
from .builders import at
from .contract_base import FEED, ContractBase, add_source, assert_raises, assert_refused


class SourcesContract(ContractBase):
    """The role ``sources``."""

    def test_add_source(self) -> None:
        """The first name stays; the same identity is the same source."""
        with self.unit() as unit:
            source = unit.sources.add_source("ニュース", FEED)
            assert source == Source(source.id, "ニュース", FEED, None, 0, frozenset())
            assert unit.sources.add_source("Other name", FEED) == source
            assert unit.sources.find_source(FEED) == source
            assert unit.sources.get_source(source.id) == source
            assert unit.sources.find_source("https://other.example/feed") is None

    def test_get_source_raises(self) -> None:
        """An unknown id is not found."""
        with self.unit() as unit:
            assert_raises(NotFound, lambda: unit.sources.get_source(1))

    def test_list_sources(self) -> None:
        """By id, with traits."""
        with self.unit() as unit:
            first, second = add_source(unit, "z"), add_source(unit, "a")
            unit.sources.add_trait(first, "guid_counter")
            assert [each.id for each in unit.sources.list_sources()] == [first, second]
            assert unit.sources.list_sources()[0].traits == {"guid_counter"}

    def test_add_alias(self) -> None:
        """An alias finds its source; a taken one stays where it is."""
        with self.store() as store:
            with store.unit() as unit:
                first, second = add_source(unit, "a"), add_source(unit, "b")
                unit.sources.add_alias(first, "alias")
                unit.sources.add_alias(second, "alias")
                unit.sources.add_alias(second, "a")
                for identity, source_id in (("a", first), ("alias", first), ("b", second)):
                    found = unit.sources.find_source(identity)
                    assert found is not None
                    assert found.id == source_id
                assert unit.sources.add_source("New", "alias").id == first
            assert_refused(store, StoreError, lambda unit: unit.sources.add_alias(99, "nobody"))

    def test_fetches_count_up_per_source(self) -> None:
        """Numbers begin at 1 in every source; the same fetch id is the same fetch."""
        with self.unit() as unit:
            first, second = add_source(unit, "a"), add_source(unit, "b")
            fetch = unit.sources.open_fetch(first, "f1", at(1))
            assert fetch == Fetch(first, "f1", 1, at(1), late=False, completed=False)
            assert unit.sources.open_fetch(first, "f2", at(2)).no == 2
            assert unit.sources.open_fetch(second, "f1", at(1)).no == 1
            assert unit.sources.open_fetch(first, "f1", at(9)) == fetch
            assert unit.sources.find_fetch(first, "f1") == fetch
            assert unit.sources.find_fetch(second, "f2") is None
            assert unit.sources.get_source(first).last_fetch_no == 2
            assert unit.sources.get_source(first).newest_observed_at == at(2)

    def test_late_fetches(self) -> None:
        """Older than the newest is late, equally old is not; a late one does not move the newest."""
        with self.unit() as unit:
            source_id = add_source(unit)
            assert not unit.sources.open_fetch(source_id, "f1", at(5)).late
            assert unit.sources.open_fetch(source_id, "f2", at(4)).late
            assert unit.sources.get_source(source_id).newest_observed_at == at(5)
            assert not unit.sources.open_fetch(source_id, "f3", at(5)).late
            tokyo = timezone(timedelta(hours=9))
            assert unit.sources.open_fetch(source_id, "f4", at(4).astimezone(tokyo)).late
            assert unit.sources.open_fetch(source_id, "f2", at(4)).late

    def test_complete_fetch(self) -> None:
        """Completed stays completed; an unknown fetch is not found."""
        with self.unit() as unit:
            source_id = add_source(unit)
            unit.sources.open_fetch(source_id, "f1", at())
            unit.sources.complete_fetch(source_id, "f1")
            unit.sources.complete_fetch(source_id, "f1")
            fetch = unit.sources.find_fetch(source_id, "f1")
            assert fetch is not None
            assert fetch.completed
            assert unit.sources.open_fetch(source_id, "f1", at()).completed
            assert_raises(NotFound, lambda: unit.sources.complete_fetch(source_id, "f2"))

    def test_fetches_of_unknown_sources(self) -> None:
        """Neither opened nor counted."""
        with self.unit() as unit:
            assert_raises(NotFound, lambda: unit.sources.open_fetch(99, "f1", at()))
            assert_raises(NotFound, lambda: unit.sources.advance(99, at(), 1))

    def test_advance(self) -> None:
        """Takes a row of numbers and raises the newest time, never lowers it."""
        with self.store() as store:
            with store.unit() as unit:
                source_id = add_source(unit)
                assert unit.sources.advance(source_id, at(3), 5) == 1
                assert unit.sources.advance(source_id, at(2), 1) == 6
                assert unit.sources.get_source(source_id).newest_observed_at == at(3)
                assert unit.sources.open_fetch(source_id, "f1", at(4)).no == 7
            assert_refused(store, StoreError, lambda unit: unit.sources.advance(source_id, at(), 0))

    def test_trust(self) -> None:
        """A switch is recorded once, oldest first, per source."""
        with self.store() as store:
            with store.unit() as unit:
                first, second = add_source(unit, "a"), add_source(unit, "b")
                switch = Trust(first, "url", "https://hub.example/", "hub", "12 of 12 items", at(2))
                older = Trust(first, "guid", "", "feed_wide", "1 guid in 20 items", at(1))
                assert unit.sources.add_trust(switch)
                assert unit.sources.add_trust(older)
                again = Trust(first, "url", "https://hub.example/", "again", "", at(3))
                assert not unit.sources.add_trust(again)
                assert unit.sources.find_trust(first) == [older, switch]
                assert unit.sources.find_trust(second) == []
            nobody = Trust(99, "url", "", "hub", "", at())
            assert_refused(store, StoreError, lambda unit: unit.sources.add_trust(nobody))

    def test_traits(self) -> None:
        """Traits gather; the same one twice is one."""
        with self.store() as store:
            with store.unit() as unit:
                source_id = add_source(unit)
                unit.sources.add_trait(source_id, "guid_counter")
                unit.sources.add_trait(source_id, "guid_counter")
                unit.sources.add_trait(source_id, "dates_tick")
                found = unit.sources.find_source(FEED)
                assert found is not None
                assert found.traits == {"guid_counter", "dates_tick"}
                unit.sources.open_fetch(source_id, "f1", at())
                assert unit.sources.get_source(source_id).traits == {"guid_counter", "dates_tick"}
            assert_refused(store, StoreError, lambda unit: unit.sources.add_trait(99, "guid_counter"))
