"""Counting, and what a check asks."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from ..errors import StoreError
from ..model import DayCount, Fetch, Review, ReviewState, Status, Strength
from ..stores.base import Touch
from ..stores.base_audit import Home, StoredKey, Totals
from .builders import a_key, a_sighting, a_version, an_item, at
from .contract_base import ContractBase, add_article, add_source, assert_refused

_FIRST, _SECOND = date(2024, 1, 1), date(2024, 1, 2)


class CountsContract(ContractBase):
    """The role ``counts``."""

    def test_days_add_up(self) -> None:
        """Counting the same source and day again adds; others stay as they are."""
        with self.unit() as unit:
            first, second = add_source(unit, "a"), add_source(unit, "b")
            unit.counts.count_days([DayCount(first, _SECOND, 1, 2, 3, 4), DayCount(second, _FIRST, new=7)])
            unit.counts.count_days([DayCount(first, _SECOND, 10, 20, 30, 40), DayCount(first, _FIRST, review=1)])
            unit.counts.count_days([])
            assert unit.counts.find_days() == [
                DayCount(first, _FIRST, review=1),
                DayCount(second, _FIRST, new=7),
                DayCount(first, _SECOND, 11, 22, 33, 44),
            ]

    def test_find_days(self) -> None:
        """Of one source, since a day, both."""
        with self.unit() as unit:
            first, second = add_source(unit, "a"), add_source(unit, "b")
            days = [DayCount(source, day, new=1) for day in (_FIRST, _SECOND) for source in (first, second)]
            unit.counts.count_days(days)
            assert unit.counts.find_days(source_id=second) == [days[1], days[3]]
            assert unit.counts.find_days(since=_SECOND) == [days[2], days[3]]
            assert unit.counts.find_days(source_id=first, since=_SECOND) == [days[2]]
            assert unit.counts.find_days(source_id=99) == []
            assert unit.counts.find_days(since=date(2024, 1, 3)) == []

    def test_days_that_cannot_be(self) -> None:
        """An unknown source and a negative count are refused, and leave what was there."""
        with self.store() as store:
            with store.unit() as unit:
                source_id = add_source(unit)
                unit.counts.count_days([DayCount(source_id, _FIRST, new=5)])
            assert_refused(store, StoreError, lambda unit: unit.counts.count_days([DayCount(99, _FIRST, new=1)]))
            less = DayCount(source_id, _FIRST, new=-1)
            assert_refused(store, StoreError, lambda unit: unit.counts.count_days([less]))
            with store.reading() as unit:
                assert unit.counts.find_days() == [DayCount(source_id, _FIRST, new=5)]

    def test_count_stored(self) -> None:
        """Records by status, sightings with their times, reviews that wait."""
        with self.unit() as unit:
            nothing = {status.value: 0 for status in Status}
            assert unit.counts.count_stored() == Totals(nothing, 0, 0, 0, 0)
            first, sighting_id, _ = add_article(unit, 1)
            second, _, _ = add_article(unit, 2)
            third, _, _ = add_article(unit, 3)
            unit.records.update_record(replace(third, status=Status.MERGED, survivor_id=first.id))
            unit.records.touch([Touch(sighting_id, 2, 2, at(1))])
            unit.reviews.add_review(Review(first.id, second.id, None, ReviewState.WAITING, at()))
            unit.reviews.add_review(Review(first.id, third.id, None, ReviewState.MERGED, at()))
            found = unit.counts.count_stored()
            assert found == Totals({"active": 2, "merged": 1, "rejected": 0}, third.id, 3, 4, 1)


class AuditContract(ContractBase):
    """The role ``audit``."""

    def test_integrity_of_a_sound_store(self) -> None:
        """Nothing is wrong with what was just written, nor inside an open unit."""
        with self.store() as store:
            with store.unit() as unit:
                add_article(unit)
                assert list(unit.audit.integrity()) == []
            with store.reading() as unit:
                assert list(unit.audit.integrity()) == []

    def test_get_keys(self) -> None:
        """Every row as it stands, and whether another live record has it too."""
        with self.unit() as unit:
            first, second, merged = (add_article(unit, number)[0] for number in (1, 2, 3))
            unit.records.update_record(replace(merged, status=Status.MERGED, survivor_id=first.id))
            own, shared, weak, told = (a_key(name) for name in ("own", "shared", "weak", "told"))
            near = replace(shared, strength=Strength.NEAR)
            distrusted = replace(weak, strength=Strength.DISTRUSTED)
            title = replace(told, strength=Strength.CANDIDATE)
            unit.records.set_keys(
                {
                    first.id: [own, near, weak, title],
                    second.id: [near, distrusted, title],
                    merged.id: [replace(own, strength=Strength.NEAR)],
                }
            )
            found = unit.audit.get_keys([second.id, first.id, merged.id, 99])
            assert {r: sorted(rows, key=_by_value) for r, rows in found.items()} == {
                first.id: [
                    StoredKey(own, also_held=False, also_used=False),
                    StoredKey(near, also_held=True, also_used=True),
                    StoredKey(title, also_held=False, also_used=False),
                    StoredKey(weak, also_held=True, also_used=False),
                ],
                second.id: [
                    StoredKey(near, also_held=True, also_used=True),
                    StoredKey(title, also_held=False, also_used=False),
                    StoredKey(distrusted, also_held=False, also_used=False),
                ],
                merged.id: [StoredKey(replace(own, strength=Strength.NEAR), also_held=True, also_used=True)],
            }
            assert unit.audit.get_keys([99]) == {}

    def test_find_homes(self) -> None:
        """Where a sighting stands now, found by itself and by its versions."""
        with self.unit() as unit:
            first, sighting_id, version_id = add_article(unit, 1)
            second, _, other_version = add_article(unit, 2)
            source_id = first.primary_source_id
            third = unit.records.add_sighting(a_sighting(first.id, source_id, 3))
            newer = unit.records.add_version(third, a_version("New"), an_item(3), "third")
            unit.records.move_sightings([third], second.id)
            home = Home(first.id, sighting_id, "guid-1", "https://news.example/1", "title 1")
            moved = Home(second.id, third, "guid-3", "https://news.example/3", "title 3")
            assert unit.audit.find_homes([third, sighting_id, 99]) == {sighting_id: home, third: moved}
            found = unit.audit.find_version_homes([version_id, newer, 99])
            assert found == {version_id: home, newer: moved}
            assert other_version not in found
            assert unit.audit.find_homes([]) == {}

    def test_list_fetches(self) -> None:
        """By number, those of one source, open and completed."""
        with self.unit() as unit:
            source_id, other = add_source(unit, "a"), add_source(unit, "b")
            unit.sources.open_fetch(source_id, "z", at(1))
            unit.sources.advance(source_id, at(2), 3)
            unit.sources.open_fetch(source_id, "a", at(0))
            unit.sources.complete_fetch(source_id, "z")
            unit.sources.open_fetch(other, "z", at(1))
            assert unit.audit.list_fetches(source_id) == [
                Fetch(source_id, "z", 1, at(1), late=False, completed=True),
                Fetch(source_id, "a", 5, at(0), late=True, completed=False),
            ]
            assert unit.audit.list_fetches(99) == []

    def test_list_cursors(self) -> None:
        """Every consumer by name."""
        with self.unit() as unit:
            assert unit.audit.list_cursors() == {}
            unit.journal.set_cursor("b", 3)
            unit.journal.set_cursor("a", 0)
            assert list(unit.audit.list_cursors().items()) == [("a", 0), ("b", 3)]

    def test_many_ids_at_once(self) -> None:
        """As many as a page has."""
        with self.unit() as unit:
            record, sighting_id, version_id = add_article(unit)
            many = range(1, 40_001)
            assert list(unit.audit.find_homes(many)) == [sighting_id]
            assert list(unit.audit.find_version_homes(many)) == [version_id]
            assert unit.audit.get_keys(many) == {}
            unit.records.set_keys({record.id: [a_key("one")]})
            assert list(unit.audit.get_keys(many)) == [record.id]


def _by_value(row: StoredKey) -> str:
    return row.key.value
