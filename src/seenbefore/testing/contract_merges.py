"""What a merge can touch, read and written as a whole, and the images kept beside an event."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..errors import StoreError
from ..model import Label, Review, ReviewState, Status, Strength, Verdict
from ..stores.base import Touch, Unit
from ..stores.base_merges import Placed, RecordRow, Snapshot
from .builders import a_key, a_version, an_event, an_item, at
from .contract_base import ContractBase, add_article, assert_raises, assert_refused

Write = Callable[[Unit], object]


def _three(unit: Unit) -> tuple[list[int], list[int]]:
    """Three articles with keys; the first two wait for a person."""
    articles = [add_article(unit, number) for number in (1, 2, 3)]
    records = [record.id for record, _, _ in articles]
    unit.records.set_keys({record_id: [a_key(f"key {record_id}")] for record_id in records})
    unit.reviews.add_review(Review(records[0], records[1], None, ReviewState.WAITING, at()))
    return records, [sighting_id for _, sighting_id, _ in articles]


def _merged(before: Snapshot, survivor: int, absorbed: int) -> Snapshot:
    """The snapshot after a merge of two records."""
    row = before.records[absorbed]._replace(status=Status.MERGED, survivor_id=survivor)
    keys = {(survivor, place[1]): key for place, key in before.keys.items()}
    return replace(
        before,
        records={**before.records, absorbed: row},
        sightings={s: placed._replace(record_id=survivor) for s, placed in before.sightings.items()},
        keys=keys,
        reviews={pair: replace(r, state=ReviewState.MERGED) for pair, r in before.reviews.items()},
    )


class MergesContract(ContractBase):
    """The role ``merges``."""

    def test_a_snapshot_holds_everything_that_hangs_off_records(self) -> None:
        """Rows, sightings with how far they came, keys, reviews; unknown records are absent."""
        with self.unit() as unit:
            (a, b, _), (one, _, _) = _three(unit)
            unit.records.touch([Touch(one, 2, 2, at(2), (a_key("x"), a_key("y")))])
            newest = unit.records.add_version(one, a_version("Later", 3), an_item(1), "later")
            found = unit.merges.snapshot([a, 99])
            assert found.of == {a, 99}
            assert found.records == {a: RecordRow.of(unit.records.find_records([a])[0])}
            assert found.sightings == {one: Placed(a, 2, 2, newest, 2)}
            assert found.keys == {(a, a_key(f"key {a}").address): a_key(f"key {a}")}
            assert found.reviews == {(a, b): Review(a, b, None, ReviewState.WAITING, at())}
            assert unit.merges.snapshot([]) == Snapshot()

    def test_a_snapshot_holds_the_pointers_to_its_records(self) -> None:
        """As rows alone; they lead to what is asked for and hold nothing."""
        with self.unit() as unit:
            (a, b, c), _ = _three(unit)
            pointer = replace(unit.records.find_records([c])[0], status=Status.MERGED, survivor_id=a)
            unit.records.update_record(pointer)
            found = unit.merges.snapshot([a, b])
            assert found.records.keys() == {a, b, c}
            assert found.records[c].survivor_id == a
            assert {record_id for record_id, _ in found.keys} == {a, b}
            assert unit.merges.find_merged([a, b]) == [c]
            assert unit.merges.find_merged([b, 99]) == []

    def test_pointers_follow_every_change(self) -> None:
        """A pointer that is bent, or becomes a record again, is found where it leads now."""
        with self.unit() as unit:
            (a, b, c), _ = _three(unit)
            row = unit.records.find_records([c])[0]
            unit.records.update_record(replace(row, status=Status.MERGED, survivor_id=a))
            unit.records.update_record(replace(row, status=Status.MERGED, survivor_id=b))
            assert (unit.merges.find_merged([a]), unit.merges.find_merged([b])) == ([], [c])
            unit.records.update_record(row)
            assert unit.merges.find_merged([a, b]) == []

    def test_replace_there_and_back(self) -> None:
        """What is written is what is read; written backwards, everything is as it was."""
        with self.unit() as unit:
            (a, b, c), _ = _three(unit)
            untouched = unit.merges.snapshot([c])
            before = unit.merges.snapshot([a, b])
            after = _merged(before, a, b)
            unit.merges.replace(before, after)
            assert unit.merges.snapshot([a, b]) == after
            assert unit.records.get_sightings([b]) == []
            assert unit.records.find_record_ids([a_key(f"key {b}").address]) == {a_key(f"key {b}").address: [a]}
            unit.merges.replace(after, before)
            assert unit.merges.snapshot([a, b]) == before
            assert unit.merges.snapshot([c]) == untouched

    def test_replace_writes_every_field_of_a_record(self) -> None:
        """But for the time it was last seen, which is never stored."""
        with self.unit() as unit:
            (a, _, _), (_, two, _) = _three(unit)
            before = unit.merges.snapshot([a])
            version = unit.records.add_version(two, a_version("Other", 1), an_item(2), "other")
            row = RecordRow(
                Status.REJECTED, None, "題名", "https://n.example/x", "caller-1",
                before.records[a].primary_source_id, version, at(-1), None, at(5),
            )  # fmt: skip
            unit.merges.replace(before, replace(before, records={a: row}))
            assert RecordRow.of(unit.records.find_records([a])[0]) == row

    def test_reviews_come_and_go(self) -> None:
        """A pair that only the old picture has is removed, one that only the new one has is added."""
        with self.unit() as unit:
            (a, b, c), _ = _three(unit)
            before = unit.merges.snapshot([a, b, c])
            carried = Review(c, a, None, ReviewState.WAITING, at(1))
            after = replace(before, reviews={(a, c): carried})
            unit.merges.replace(before, after)
            assert unit.reviews.find_reviews() == [carried]
            unit.merges.replace(after, before)
            assert unit.reviews.find_reviews() == [Review(a, b, None, ReviewState.WAITING, at())]

    def test_rows_that_are_not_named_stay(self) -> None:
        """A picture may hold a part of what a record has."""
        with self.unit() as unit:
            (a, _, _), _ = _three(unit)
            kept, near = a_key("kept"), a_key("bent", strength=Strength.NEAR)
            unit.records.set_keys({a: [kept, near]})
            place = (a, near.address)
            strong = replace(near, strength=Strength.STRONG)
            unit.merges.replace(Snapshot(keys={place: near}), Snapshot(keys={place: strong}))
            assert set(unit.merges.snapshot([a]).keys.values()) == {kept, strong}

    def test_labels_are_left_alone(self) -> None:
        """What people said is no part of a picture."""
        with self.unit() as unit:
            (a, b, _), (one, two, _) = _three(unit)
            label = Label(one, two, Verdict.DIFFERENT, "Aiko", at())
            unit.reviews.add_label(label)
            before = unit.merges.snapshot([a, b])
            unit.merges.replace(before, _merged(before, a, b))
            assert unit.reviews.find_labels([one]) == [label]

    def test_what_replace_refuses(self) -> None:
        """Unknown records and sightings, and a strong key in two hands."""
        with self.store() as store:
            with store.unit() as unit:
                (a, b, _), (one, _, _) = _three(unit)
                before = unit.merges.snapshot([a, b])
            row, placed = before.records[a], before.sightings[one]
            shared = {**before.keys, (b, a_key(f"key {a}").address): a_key(f"key {a}")}
            for new in (
                replace(before, records={**before.records, 99: row}),
                replace(before, records={a: row._replace(survivor_id=b)}),
                replace(before, sightings={99: placed}),
                replace(before, sightings={one: placed._replace(record_id=99)}),
                replace(before, keys=shared),
            ):
                assert_refused(store, StoreError, _write(before, new))
            with store.reading() as unit:
                assert unit.merges.snapshot([a, b]) == before

    def test_images_come_back_whole(self) -> None:
        """Every field survives; events without any have none."""
        with self.unit() as unit:
            (a, b, _), _ = _three(unit)
            before = unit.merges.snapshot([a, b])
            after = _merged(before, a, b)
            event = unit.journal.add_event(an_event(a, b, survivor_number=a))
            other = unit.journal.add_event(an_event(a, b, event="label"))
            assert event.number is not None
            assert other.number is not None
            unit.merges.add_images(event.number, before, after)
            assert unit.merges.find_images(event.number) == (before, after)
            assert unit.merges.find_images(other.number) is None
            assert unit.merges.find_images(99) is None

    def test_images_are_kept_once_and_beside_an_event(self) -> None:
        """A second picture of an event, or one of no event, is refused."""
        with self.store() as store:
            with store.unit() as unit:
                record, _, _ = add_article(unit)
                event = unit.journal.add_event(an_event(record.id)).number
                assert event is not None
                unit.merges.add_images(event, Snapshot(), Snapshot())
            for number in (event, 99):
                assert_refused(store, StoreError, _keep(number))

    def test_nothing_is_written_while_reading(self) -> None:
        """A picture may be taken, and nothing be replaced or kept."""
        with self.store() as store:
            with store.unit() as unit:
                (a, b, _), _ = _three(unit)
                event = unit.journal.add_event(an_event(a, b)).number or 0
                before = unit.merges.snapshot([a, b])

            def read_and(write: Write) -> None:
                with store.reading() as unit:
                    assert unit.merges.snapshot([a, b]) == before
                    write(unit)

            assert_raises(StoreError, lambda: read_and(_write(before, _merged(before, a, b))))
            assert_raises(StoreError, lambda: read_and(_keep(event)))


def _write(old: Snapshot, new: Snapshot) -> Write:
    return lambda unit: unit.merges.replace(old, new)


def _keep(event_id: int) -> Write:
    return lambda unit: unit.merges.add_images(event_id, Snapshot(), Snapshot())
