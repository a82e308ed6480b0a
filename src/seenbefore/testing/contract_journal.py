"""Decisions, events, cursors."""

from __future__ import annotations

from dataclasses import replace

from ..errors import NotFound, StoreError
from ..model import Decision, Evidence, ItemRef, Match, Outcome, Supports
from ..stores.base import Entry
from .builders import a_decision, an_event, at
from .contract_base import ContractBase, add_article, assert_raises, assert_refused


def _full_decision(record_id: int, matched_id: int) -> Decision:
    return Decision(
        seq=None,
        number=None,
        item=ItemRef("caller-1", "朝日", "guid", "https://a.example/1?q=日本", "題名 \N{EN DASH} 標題"),
        outcome=Outcome.UPDATE,
        reason="title_changed",
        record_number=record_id,
        matched=Match(matched_id, None, "https://a.example/1", "前の題名"),
        changed=("title", "content"),
        flags=("reverted",),
        evidence=(
            Evidence("same_guid", True, Supports.YES),
            Evidence("title_bigrams", 1.0, Supports.UNKNOWN, 0.5, "equal", 3.5, matched_id),
            Evidence("figures", 12, Supports.NO, limit=3),
            Evidence("published", None, Supports.UNKNOWN),
            Evidence("language", "ja", Supports.YES),
        ),
        rules_version="generic@1",
        policy_version="2",
        extractor_version="3",
        decided_at=at(4.25),
    )


class JournalContract(ContractBase):
    """The role ``journal``."""

    def test_decisions_come_back_whole(self) -> None:
        """Every field survives, with the types of measured values, and gets id and seq."""
        with self.unit() as unit:
            record, _, version_id = add_article(unit)
            other, _, _ = add_article(unit, 2)
            given = _full_decision(record.id, other.id)
            stored = unit.journal.add_decision(given, old_version_id=version_id, new_version_id=version_id)
            assert stored.number is not None
            assert stored == replace(given, number=stored.number, seq=1)
            found = unit.journal.get_decision(stored.number)
            assert found == stored
            assert [type(fact.value) for fact in found.evidence] == [bool, float, int, type(None), str]
            assert unit.journal.read(0, 10) == [Entry(1, stored, None, version_id, version_id, True)]

    def test_get_decision_raises(self) -> None:
        """An unknown id is not found."""
        with self.unit() as unit:
            assert_raises(NotFound, lambda: unit.journal.get_decision(1))

    def test_decisions_about_unknown_things(self) -> None:
        """Records and versions that a decision names must be stored."""
        with self.store() as store:
            with store.unit() as unit:
                record, _, _ = add_article(unit)
            unknown = a_decision(99)
            assert_refused(store, StoreError, lambda unit: unit.journal.add_decision(unknown))
            matched = _full_decision(record.id, 99)
            assert_refused(store, StoreError, lambda unit: unit.journal.add_decision(matched))
            known = a_decision(record.id)
            assert_refused(store, StoreError, lambda unit: unit.journal.add_decision(known, new_version_id=99))
            assert_refused(store, StoreError, lambda unit: unit.journal.add_decision(known, old_version_id=99))

    def test_events_come_back_whole(self) -> None:
        """Ids in their order, and the detail as a value of its own."""
        with self.unit() as unit:
            first, _, _ = add_article(unit)
            second, _, _ = add_article(unit, 2)
            detail: dict[str, object] = {"rule": "規則", "counts": [1, 2]}
            event = an_event(second.id, first.id, survivor_number=first.id, detail=detail)
            stored = unit.journal.add_event(event)
            expected = replace(event, number=stored.number, seq=1, detail={"rule": "規則", "counts": [1, 2]})
            detail["later"] = True
            assert unit.journal.find_events(first.id) == [expected]
            assert unit.journal.find_events(second.id) == [expected]
            assert unit.journal.find_events(99) == []
            assert unit.journal.read(0, 1) == [Entry(1, None, expected)]
            assert stored.number is not None
            assert unit.journal.get_event(stored.number) == expected

    def test_get_event_raises(self) -> None:
        """An unknown id is not found."""
        with self.unit() as unit:
            assert_raises(NotFound, lambda: unit.journal.get_event(1))

    def test_find_events(self) -> None:
        """All or those of a record, ascending; a limit keeps the newest."""
        with self.unit() as unit:
            a, b, c = (add_article(unit, number)[0].id for number in (1, 2, 3))
            first, second, third = (unit.journal.add_event(an_event(*ids)) for ids in ((a, b), (b, c), (a, c)))
            find = unit.journal.find_events
            assert find() == [first, second, third]
            assert find(a) == [first, third]
            assert find(limit=2) == [second, third]
            assert find(b, limit=1) == [second]
            assert find(limit=0) == []
            assert find(99) == []

    def test_events_about_unknown_records(self) -> None:
        """The records that an event names must be stored."""
        with self.store() as store:
            with store.unit() as unit:
                record, _, _ = add_article(unit)
            event = an_event(record.id, 99)
            assert_refused(store, StoreError, lambda unit: unit.journal.add_event(event))
            survivor = an_event(record.id, survivor_number=99)
            assert_refused(store, StoreError, lambda unit: unit.journal.add_event(survivor))

    def test_one_seq_for_decisions_and_events(self) -> None:
        """Entries come in the order they were added, in pages."""
        with self.unit() as unit:
            record, _, _ = add_article(unit)
            assert unit.journal.last_seq() == 0
            assert unit.journal.read(0, 10) == []
            unit.journal.add_decision(a_decision(record.id))
            unit.journal.add_event(an_event(record.id))
            unit.journal.add_decision(a_decision(record.id), deliver=False)
            unit.journal.add_event(an_event(record.id))
            assert unit.journal.last_seq() == 4
            entries = unit.journal.read(0, 10)
            assert [entry.seq for entry in entries] == [1, 2, 3, 4]
            assert [entry.decision is not None for entry in entries] == [True, False, True, False]
            assert [entry.deliver for entry in entries] == [True, True, False, True]
            assert unit.journal.read(0, 2) == entries[:2]
            assert unit.journal.read(2, 1) == entries[2:3]
            assert unit.journal.read(4, 10) == []
            assert [event.seq for event in unit.journal.find_events(record.id)] == [2, 4]

    def test_find_decisions(self) -> None:
        """Conditions are combined; a limit keeps the newest."""
        with self.unit() as unit:
            a, _, _ = add_article(unit, 1)
            b, _, _ = add_article(unit, 2)
            other = replace(a_decision().item, source="Other")
            first = unit.journal.add_decision(a_decision(a.id, decided_at=at(1)))
            second = unit.journal.add_decision(a_decision(b.id, Outcome.REVIEW, decided_at=at(2)))
            third = unit.journal.add_decision(a_decision(a.id, Outcome.REVIEW, decided_at=at(3), item=other))
            find = unit.journal.find_decisions
            assert find() == [first, second, third]
            assert find(record_id=a.id) == [first, third]
            assert find(outcome=Outcome.REVIEW) == [second, third]
            assert find(source="Other") == [third]
            assert find(since=at(2)) == [second, third]
            assert find(limit=2) == [second, third]
            assert find(limit=0) == []
            assert find(record_id=a.id, outcome=Outcome.REVIEW, since=at(3.5)) == []
            assert find(outcome=Outcome.REVIEW, limit=1) == [third]

    def test_count_decisions(self) -> None:
        """Per source, outcome and reason."""
        with self.unit() as unit:
            record, _, _ = add_article(unit)
            unit.journal.add_decision(a_decision(record.id))
            unit.journal.add_decision(a_decision(record.id))
            unit.journal.add_decision(a_decision(record.id, Outcome.DUPLICATE, reason="same_text"))
            assert unit.journal.count_decisions() == {
                ("News", "new", "no_match"): 2,
                ("News", "duplicate", "same_text"): 1,
            }

    def test_cursors(self) -> None:
        """Unknown until set, per consumer, and free to move back."""
        with self.store() as store:
            with store.unit() as unit:
                assert unit.journal.get_cursor("reader") is None
                unit.journal.set_cursor("reader", 7)
                unit.journal.set_cursor("llm", 0)
                unit.journal.set_cursor("reader", 3)
                assert unit.journal.get_cursor("reader") == 3
                assert unit.journal.get_cursor("llm") == 0
            assert_refused(store, StoreError, lambda unit: unit.journal.set_cursor("reader", -1))
