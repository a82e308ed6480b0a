"""Records and keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..errors import NotFound, StoreError
from ..model import Kind, Record, Status, Strength
from ..stores.base import Unit
from .builders import a_key, a_record, at
from .contract_base import ContractBase, add_article, add_source, assert_raises, assert_refused


class RecordsContract(ContractBase):
    """The role ``records``: records and what they are found by."""

    # --- records ---

    def test_records_come_back_whole(self) -> None:
        """Every field survives, unknown ones stay unknown."""
        with self.unit() as unit:
            source_id = add_source(unit)
            given = a_record(source_id, title="題名 – 標題", external_id="caller-1", content_updated_at=at(2.5))
            record_id = unit.records.add_record(given)
            plain = a_record(source_id, 2, kind=Kind.IMAGE, first_published_at=None)
            other_id = unit.records.add_record(plain)
            assert unit.records.find_records() == [replace(given, id=record_id), replace(plain, id=other_id)]

    def test_update_record(self) -> None:
        """All fields are replaced; an unknown record is not found."""
        with self.unit() as unit:
            record, _, _ = add_article(unit)
            other, _, _ = add_article(unit, 2)
            merged = replace(record, status=Status.MERGED, survivor_id=other.id, url="https://news.example/moved")
            unit.records.update_record(merged)
            assert unit.records.find_records([record.id]) == [merged]
            assert_raises(NotFound, lambda: unit.records.update_record(replace(record, id=99)))

    def test_records_that_make_no_sense(self) -> None:
        """Survivors belong to merged records only, and what a record names must be stored."""
        with self.store() as store:
            with store.unit() as unit:
                record, _, _ = add_article(unit)
                other, _, _ = add_article(unit, 2)
            for wrong in (
                replace(record, status=Status.MERGED),
                replace(record, survivor_id=other.id),
                replace(record, status=Status.MERGED, survivor_id=record.id),
                replace(record, status=Status.MERGED, survivor_id=99),
                replace(record, current_version_id=99),
                replace(record, primary_source_id=99),
            ):
                assert_refused(store, StoreError, _update(wrong))

    def test_find_records_in_pages(self) -> None:
        """Ascending by id, from after one id on, so many at most, only the wanted ones."""
        with self.unit() as unit:
            a, b, c = (add_article(unit, number)[0] for number in (1, 2, 3))
            find = unit.records.find_records
            assert find() == [a, b, c]
            assert find([c.id, a.id, a.id, 99]) == [a, c]
            assert find([]) == []
            assert find(limit=2) == [a, b]
            assert find(after=a.id, limit=1) == [b]
            assert find([a.id, c.id], after=a.id) == [c]

    # --- keys ---

    def test_set_keys_replaces(self) -> None:
        """All rows of the given records, and of no other."""
        with self.unit() as unit:
            a, _, _ = add_article(unit, 1)
            b, _, _ = add_article(unit, 2)
            unit.records.set_keys({a.id: [a_key("one"), a_key("two")], b.id: [a_key("three")]})
            unit.records.set_keys({a.id: [a_key("two", strength=Strength.NEAR), a_key("four")]})
            addresses = [a_key(value).address for value in ("one", "two", "three", "four", "five")]
            found = unit.records.find_record_ids(addresses)
            assert found == {addresses[1]: [a.id], addresses[2]: [b.id], addresses[3]: [a.id]}
            unit.records.set_keys({})
            unit.records.set_keys({a.id: []})
            assert list(unit.records.find_record_ids(addresses)) == [addresses[2]]

    def test_keys_have_kind_and_scope(self) -> None:
        """The same value of another kind or scope is another key."""
        with self.unit() as unit:
            a, _, _ = add_article(unit, 1)
            b, _, _ = add_article(unit, 2)
            mine, theirs = a_key("7", "guid", scope="1"), a_key("7", "guid", scope="2")
            unit.records.set_keys({a.id: [mine, a_key("7", "id")], b.id: [theirs]})
            assert unit.records.find_record_ids([mine.address, theirs.address]) == {
                mine.address: [a.id],
                theirs.address: [b.id],
            }

    def test_a_strong_key_has_one_holder(self) -> None:
        """A second strong holder is refused; weaker rows may stand beside it."""
        with self.store() as store:
            with store.unit() as unit:
                a, _, _ = add_article(unit, 1)
                b, _, _ = add_article(unit, 2)
                unit.records.set_keys({a.id: [a_key("one")]})
                unit.records.set_keys({b.id: [a_key("one", strength=Strength.NEAR)]})
                address = a_key("one").address
                assert unit.records.find_record_ids([address]) == {address: [a.id, b.id]}
            assert_refused(store, StoreError, lambda unit: unit.records.set_keys({b.id: [a_key("one")]}))
            both = {a.id: [a_key("two")], b.id: [a_key("two")]}
            assert_refused(store, StoreError, lambda unit: unit.records.set_keys(both))

    def test_a_strong_key_changes_hands_in_one_step(self) -> None:
        """As in a merge, and back as in an undo."""
        with self.unit() as unit:
            a, _, _ = add_article(unit, 1)
            b, _, _ = add_article(unit, 2)
            one, two = a_key("one"), a_key("two")
            unit.records.set_keys({a.id: [one], b.id: [two]})
            unit.records.set_keys({a.id: [], b.id: [one, two]})
            assert unit.records.find_record_ids([one.address]) == {one.address: [b.id]}
            unit.records.set_keys({a.id: [two], b.id: [one]})
            assert unit.records.find_record_ids([two.address]) == {two.address: [a.id]}

    def test_a_strong_key_moves_while_the_other_row_weakens(self) -> None:
        """One step may turn strong into near and near into strong, in either order of the records."""
        with self.unit() as unit:
            a, b, c = (add_article(unit, number)[0] for number in (1, 2, 3))
            strong, near = a_key("one"), a_key("one", strength=Strength.NEAR)
            unit.records.set_keys({a.id: [strong], b.id: [near], c.id: [near]})
            for holder, others in ((b, (a, c)), (c, (b, a)), (a, (c, b))):
                unit.records.set_keys({holder.id: [strong], **{each.id: [near] for each in others}})
                rows = unit.audit.get_keys([a.id, b.id, c.id])
                held = {record_id: found[0].key.strength for record_id, found in rows.items()}
                assert held == {holder.id: Strength.STRONG, **{each.id: Strength.NEAR for each in others}}
                assert unit.records.find_record_ids([strong.address]) == {strong.address: [a.id, b.id, c.id]}

    def test_a_row_changes_its_strength_and_its_rule(self) -> None:
        """From each strength to each other one, and under another rule: one row stays."""
        with self.unit() as unit:
            a, _, _ = add_article(unit, 1)
            for before in Strength:
                for after in Strength:
                    for rule, pack in (("generic/url", 1), ("site/other", 2)):
                        changed = replace(a_key("one", strength=after), rule_id=rule, pack_version=pack)
                        unit.records.set_keys({a.id: [a_key("one", strength=before)]})
                        unit.records.set_keys({a.id: [changed]})
                        assert [row.key for row in unit.audit.get_keys([a.id])[a.id]] == [changed]

    def test_a_record_that_is_not_named_keeps_its_strong_key(self) -> None:
        """Only the rows of the records in the call are replaced; the place of another one stays taken."""
        with self.store() as store:
            with store.unit() as unit:
                a, b, c = (add_article(unit, number)[0] for number in (1, 2, 3))
                unit.records.set_keys({a.id: [a_key("one")]})
            taken = {b.id: [a_key("one")], c.id: []}
            assert_refused(store, StoreError, lambda unit: unit.records.set_keys(taken))
            with store.unit() as unit:
                unit.records.set_keys({b.id: [a_key("one", strength=Strength.DISTRUSTED)], a.id: []})
                assert unit.records.find_record_ids([a_key("one").address]) == {}
                unit.records.set_keys({c.id: [a_key("one")]})
                assert unit.records.find_record_ids([a_key("one").address]) == {a_key("one").address: [c.id]}

    def test_the_newest_holders_of_a_key(self) -> None:
        """With a limit those of the greatest ids among the near ones; ascending all the same."""
        with self.unit() as unit:
            ids = [add_article(unit, number)[0].id for number in range(1, 6)]
            near = a_key("one", strength=Strength.NEAR)
            unit.records.set_keys({record_id: [near] for record_id in ids})
            assert unit.records.find_record_ids([near.address], limit=2) == {near.address: ids[-2:]}
            assert unit.records.find_record_ids([near.address], limit=9) == {near.address: ids}
            for strong in ids:
                rows = {each: [a_key("one") if each == strong else near] for each in ids}
                unit.records.set_keys(rows)
                assert unit.records.find_record_ids([near.address], limit=2) == {near.address: ids[-2:]}
                assert unit.records.find_record_ids([near.address]) == {near.address: ids}

    def test_keys_that_find_nothing(self) -> None:
        """Distrusted rows and merged records are left out, rejected records are found."""
        with self.unit() as unit:
            a, _, _ = add_article(unit, 1)
            b, _, _ = add_article(unit, 2)
            c, _, _ = add_article(unit, 3)
            near, hub = a_key("near", strength=Strength.NEAR), a_key("hub", strength=Strength.DISTRUSTED)
            unit.records.set_keys({record.id: [near, hub] for record in (a, b, c)})
            unit.records.update_record(replace(a, status=Status.MERGED, survivor_id=b.id))
            unit.records.update_record(replace(c, status=Status.REJECTED))
            assert unit.records.find_record_ids([near.address, hub.address]) == {near.address: [b.id, c.id]}

    def test_keys_that_make_no_sense(self) -> None:
        """Unknown records, and two different rows for one key of a record."""
        with self.store() as store:
            with store.unit() as unit:
                a, _, _ = add_article(unit)
                unit.records.set_keys({a.id: [a_key("one"), a_key("one")]})  # twice the same is once
            assert_refused(store, StoreError, lambda unit: unit.records.set_keys({99: [a_key("one")]}))
            twice = [a_key("two"), a_key("two", strength=Strength.NEAR)]
            assert_refused(store, StoreError, lambda unit: unit.records.set_keys({a.id: twice}))


def _update(record: Record) -> Callable[[Unit], object]:
    return lambda unit: unit.records.update_record(record)
