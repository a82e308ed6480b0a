"""New records in few statements: what the single steps do, no more and no less."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ..errors import StoreError
from ..model import Decision, Evidence, Kind, Outcome, Strength, Supports, VersionState
from ..stores.base import Entry, Fresh, Identity, Unit
from .builders import a_date, a_decision, a_key, a_record, a_sighting, a_version, an_event, an_item, at
from .contract_base import ContractBase, add_article, add_source, assert_raises, assert_refused

_ONE, _TWO = b"digest-of-entry1", b"digest-of-entry2"


def _fresh(source_id: int, number: int = 1, **fields: Any) -> Fresh:
    """An item that shares nothing; same number, same guid, URL, keys and observation."""
    item = an_item(number)
    made = Fresh(
        record=a_record(source_id, number),
        sighting=a_sighting(0, source_id, number),
        version=a_version(f"Text {number}"),
        item=item,
        observation_key=f"observation-{number}",
        keys=(a_key(f"https://news.example/{number}"),),
        decision=a_decision(reason="first_seen"),
        deliver=True,
    )
    return made._replace(**fields)


def _varied(source_id: int) -> list[Fresh]:
    """New items in all their variety."""
    image = a_sighting(0, source_id, 3, kind=Kind.IMAGE, runs=(), last_fetch_no=0, keys=(), digest=_ONE)
    long_seen = a_sighting(0, source_id, 2, runs=((1, 2), (5, 5)), last_fetch_no=5, times=3, last_seen_at=at(9), slot=2)
    told = a_decision(
        outcome=Outcome.NEW,
        reason="shared_key",
        flags=("history", "old_news"),
        evidence=(Evidence("shared_key", True, Supports.UNKNOWN),),
    )
    return [
        _fresh(source_id, 1),
        _fresh(
            source_id,
            2,
            record=a_record(source_id, 2, title="題名 – 標題", external_id="caller-2", content_updated_at=at(3)),
            sighting=replace(long_seen, external_id="caller-2", keys=(a_key("二", "title", Strength.CANDIDATE),)),
            version=a_version("本文", 2, title="題名", modified=a_date(1, "updated")),
            keys=(
                a_key("https://news.example/2"),
                a_key("near", "url_near", Strength.NEAR),
                a_key("二", "title", Strength.CANDIDATE, scope="s"),
                a_key("https://news.example/", strength=Strength.DISTRUSTED),
            ),
            decision=told,
            deliver=False,
        ),
        _fresh(
            source_id,
            3,
            record=a_record(source_id, 3, kind=Kind.IMAGE, first_published_at=None),
            sighting=image,
            version=a_version("", published=None, state=VersionState.LATE, fetch_no=0),
            keys=(),
        ),
        _fresh(source_id, 4, keys=(a_key("near", "url_near", Strength.NEAR),), item=an_item(4, content="<p>四</p>")),
    ]


def _add_singly(unit: Unit, fresh: Fresh) -> Decision:
    """The single steps that ``add_fresh`` stands for."""
    records = unit.records
    record_id = records.add_record(fresh.record)
    sighting_id = records.add_sighting(replace(fresh.sighting, record_id=record_id))
    version_id = records.add_version(sighting_id, fresh.version, fresh.item, fresh.observation_key)
    records.update_record(replace(fresh.record, id=record_id, current_version_id=version_id))
    records.set_keys({record_id: fresh.keys})
    decision = replace(fresh.decision, record_number=record_id)
    return unit.journal.add_decision(decision, deliver=fresh.deliver, new_version_id=version_id)


def _everything(unit: Unit, source_id: int, items: Sequence[Fresh]) -> dict[str, object]:
    """All that can be read of these items."""
    records = unit.records.find_records()
    ids = [record.id for record in records]
    sightings = unit.records.get_sightings(ids)
    names = [Identity(source_id, s.guid, s.original_url, s.clean_title, s.kind) for s in sightings]
    versions = [version.id for sighting in sightings for version in sighting.versions]
    return {
        "records": records,
        "sightings": sightings,
        "seen": unit.records.find_seen(names),
        "items": [unit.records.get_item(version_id) for version_id in versions],
        "found": unit.records.find_record_ids({key.address for each in items for key in each.keys}),
        "keys": {r: sorted(rows, key=repr) for r, rows in unit.audit.get_keys(ids).items()},
        "homes": unit.audit.find_version_homes(versions),
        "journal": unit.journal.read(0, 1000),
        "decisions": unit.journal.find_decisions(),
        "counts": (unit.journal.last_seq(), unit.journal.count_decisions(), unit.counts.count_stored()),
        "listed": unit.bulk.find_listed(source_id, [_ONE, _TWO]),
    }


class FreshContract(ContractBase):
    """The role ``bulk``: what is new by itself."""

    def test_add_fresh_equals_the_single_steps(self) -> None:
        """Everything that can be read is what the single steps would have left, ids included."""
        with self.store() as store:
            with store.unit() as unit:
                source_id = add_source(unit)
                items = _varied(source_id)
            other = store.scratch_copy()
            try:
                with other.unit() as unit:
                    singly = [_add_singly(unit, each) for each in items]
                    expected = _everything(unit, source_id, items)
            finally:
                other.close()
            with store.unit() as unit:
                assert unit.bulk.add_fresh(items) == singly
                found = _everything(unit, source_id, items)
                for what in expected:
                    assert found[what] == expected[what], what

    def test_no_fresh_items(self) -> None:
        """Nothing is written."""
        with self.unit() as unit:
            assert unit.bulk.add_fresh([]) == []
            assert (unit.records.find_records(), unit.journal.last_seq()) == ([], 0)

    def test_decisions_of_fresh_items(self) -> None:
        """In the order of the items, with ids and seqs in the journal; each names its record and version."""
        with self.unit() as unit:
            source_id = add_source(unit)
            decisions = unit.bulk.add_fresh([_fresh(source_id, 2), _fresh(source_id, 1, deliver=False)])
            assert [(d.seq, d.number, d.record_number) for d in decisions] == [(1, 1, 1), (2, 2, 2)]
            records = unit.records.find_records()
            assert [r.title for r in records] == ["Title 2", "Title 1"]
            assert unit.journal.read(0, 9) == [
                Entry(1, decisions[0], None, None, records[0].current_version_id, deliver=True),
                Entry(2, decisions[1], None, None, records[1].current_version_id, deliver=False),
            ]
            assert unit.journal.get_decision(2) == decisions[1]

    def test_ids_of_fresh_items_are_ignored(self) -> None:
        """The store gives them, as it does for single ones."""
        with self.unit() as unit:
            source_id = add_source(unit)
            fresh = _fresh(source_id)
            odd = fresh._replace(
                record=replace(fresh.record, id=70, current_version_id=71),
                sighting=replace(fresh.sighting, id=72, record_id=73, versions=(a_version("x"),)),
                version=replace(fresh.version, id=74),
                decision=replace(fresh.decision, seq=75, number=76, record_number=77),
            )
            (decision,) = unit.bulk.add_fresh([odd])
            (record,) = unit.records.find_records()
            (sighting,) = unit.records.get_sightings([record.id])
            assert (record.id, sighting.id, sighting.record_id) == (1, 1, 1)
            assert [version.id for version in sighting.versions] == [record.current_version_id] == [1]
            assert (decision.seq, decision.number, decision.record_number) == (1, 1, 1)

    def test_ids_go_on_from_single_ones_and_back(self) -> None:
        """Whatever was written in which way, in this unit or an earlier one."""
        with self.store() as store:
            with store.unit() as unit:
                source_id = add_source(unit)
                add_article(unit, 1)
                unit.records.add_version(1, a_version("More", 1), an_item(1), "more")
                unit.journal.add_decision(a_decision(1))
                decisions = unit.bulk.add_fresh([_fresh(source_id, n) for n in (2, 3)])
                assert [(d.seq, d.number, d.record_number) for d in decisions] == [(2, 2, 2), (3, 3, 3)]
                assert [r.current_version_id for r in unit.records.find_records()] == [1, 3, 4]
            with store.unit() as unit:
                record, sighting_id, version_id = add_article(unit, 4)
                assert (record.id, sighting_id, version_id) == (4, 4, 5)
                assert unit.journal.add_decision(a_decision(4)).seq == 4
                (decision,) = unit.bulk.add_fresh([_fresh(source_id, 5)])
                assert (decision.seq, decision.record_number) == (5, 5)
                assert add_article(unit, 6)[1:] == (6, 7)

    def test_ids_of_events_count_as_well(self) -> None:
        """Decisions and events share one sequence of the journal."""
        with self.unit() as unit:
            source_id = add_source(unit)
            first, _, _ = add_article(unit, 1)
            second, _, _ = add_article(unit, 2)
            decision = unit.journal.add_decision(a_decision(first.id))
            event = unit.journal.add_event(an_event(first.id, second.id))
            (fresh,) = unit.bulk.add_fresh([_fresh(source_id, 3)])
            assert (decision.seq, event.seq, fresh.seq) == (1, 2, 3)
            assert (decision.number, fresh.number) == (1, 2)

    def test_ids_of_a_unit_that_failed_are_free_or_gone_for_good(self) -> None:
        """Either way nothing is stored twice and nothing of it is left."""
        with self.store() as store:
            with store.unit() as unit:
                source_id = add_source(unit)
                unit.bulk.add_fresh([_fresh(source_id, 1)])

            def fail() -> None:
                with store.unit() as unit:
                    unit.bulk.add_fresh([_fresh(source_id, 2)])
                    raise StoreError("a fault of the caller", "test")

            assert_raises(StoreError, fail)
            with store.unit() as unit:
                assert [r.title for r in unit.records.find_records()] == ["Title 1"]
                assert unit.journal.last_seq() == 1
                (decision,) = unit.bulk.add_fresh([_fresh(source_id, 2)])
                assert decision.seq is not None
                assert decision.seq > 1
                assert [r.title for r in unit.records.find_records()] == ["Title 1", "Title 2"]

    def test_fresh_items_that_are_not_fresh(self) -> None:
        """Refused as the single steps are, and nothing of the call is left behind."""
        with self.store() as store:
            with store.unit() as unit:
                source_id = add_source(unit)
                unit.bulk.add_fresh([_fresh(source_id, 1)])
            good = _fresh(source_id, 2)
            wrong = {
                "a strong key of a stored record": _fresh(source_id, 3, keys=_fresh(source_id, 1).keys),
                "a strong key of another item of the call": _fresh(source_id, 3, keys=good.keys),
                "two rows for one key": _fresh(source_id, 3, keys=(a_key("k"), a_key("k", strength=Strength.NEAR))),
                "a stored observation": _fresh(source_id, 3, observation_key="observation-1"),
                "an observation of the call": _fresh(source_id, 3, observation_key=good.observation_key),
                "a stored sighting": _fresh(source_id, 3, sighting=a_sighting(0, source_id, 1)),
                "an unknown source": _fresh(source_id, 3, sighting=a_sighting(0, 99, 3)),
                "an unknown source of the record": _fresh(source_id, 3, record=a_record(99, 3)),
            }
            for what, bad in wrong.items():
                try:
                    assert_refused(store, StoreError, _refused(good, bad))
                except AssertionError as error:
                    raise AssertionError(f"{what}: {error}") from error
                with store.reading() as unit:
                    assert len(unit.records.find_records()) == 1, what
                    assert unit.journal.last_seq() == 1, what
                    assert unit.records.find_record_ids([good.keys[0].address]) == {}, what

    def test_the_same_key_row_twice_is_once(self) -> None:
        """As in ``set_keys``."""
        with self.unit() as unit:
            source_id = add_source(unit)
            unit.bulk.add_fresh([_fresh(source_id, 1, keys=(a_key("k"), a_key("k")))])
            assert unit.records.find_record_ids([a_key("k").address]) == {a_key("k").address: [1]}

    def test_weak_keys_may_be_held_by_many(self) -> None:
        """Near ones beside a strong one, and among the items of a call."""
        with self.unit() as unit:
            source_id = add_source(unit)
            unit.bulk.add_fresh([_fresh(source_id, 1, keys=(a_key("k"),))])
            near = (a_key("k", strength=Strength.NEAR),)
            unit.bulk.add_fresh([_fresh(source_id, n, keys=near) for n in (2, 3)])
            assert unit.records.find_record_ids([near[0].address]) == {near[0].address: [1, 2, 3]}

    def test_nothing_fresh_is_added_while_reading(self) -> None:
        """A reading writes nothing."""
        with self.store() as store:
            with store.unit() as unit:
                source_id = add_source(unit)

            def write() -> None:
                with store.reading() as unit:
                    unit.bulk.add_fresh([_fresh(source_id)])

            assert_raises(StoreError, write)
            with store.reading() as unit:
                assert unit.records.find_records() == []

    def test_times_of_fresh_items_have_a_zone(self) -> None:
        """A time without zone is refused, and a caller who goes on has nothing of the call."""
        with self.store() as store:
            with store.unit() as unit:
                source_id = add_source(unit)
            naive = at().replace(tzinfo=None)
            for bad in (
                _fresh(source_id, version=a_version(captured_at=naive)),
                _fresh(source_id, sighting=a_sighting(0, source_id, last_seen_at=naive)),
                _fresh(source_id, record=a_record(source_id, first_seen_at=naive)),
                _fresh(source_id, decision=a_decision(decided_at=naive)),
            ):
                with suppress(StoreError), store.unit() as unit:
                    assert_raises(StoreError, _adding(unit, _fresh(source_id, 2), bad))
                with store.reading() as unit:
                    assert unit.records.find_records() == []
                    assert unit.records.get_sightings([1, 2]) == []
                    assert unit.journal.last_seq() == 0

    def test_many_digests_at_once(self) -> None:
        """As many as a long feed has."""
        with self.unit() as unit:
            source_id = add_source(unit)
            items = [
                _fresh(source_id, n, sighting=a_sighting(0, source_id, n, digest=b"%016d" % n)) for n in range(1, 600)
            ]
            unit.bulk.add_fresh(items)
            found = unit.bulk.find_listed(source_id, [b"%016d" % n for n in range(20_000)])
            assert len(found) == 599
            assert found[b"%016d" % 7].identity.guid == "guid-7"


def _adding(unit: Unit, *items: Fresh) -> Callable[[], object]:
    return lambda: unit.bulk.add_fresh(items)


def _refused(*items: Fresh) -> Callable[[Unit], object]:
    return lambda unit: unit.bulk.add_fresh(items)
