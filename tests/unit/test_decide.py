"""The answer as a function of the situation, one field at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from seenbefore.codes import FLAGS, REASONS
from seenbefore.decide import Answer, Situation, decide
from seenbefore.model import Comparison, Current, Outcome, Relation


def same(reason: str) -> Comparison:
    return Comparison(Relation.SAME, reason, 5, ())


@pytest.fixture
def situation(seen: Any) -> Any:
    """An item that joins what its source showed before; keywords change the situation."""

    def make(*, now: Any = None, then: Any = None, **changes: Any) -> Situation:
        old = then or seen(id=1, guid="1", url="https://n.example/a", title="Harbour bridge", content="One text.")
        new = now or seen(id=0, guid="1", url="https://n.example/a", title="Harbour bridge", content="One text.", day=1)
        before = Current(old, old.versions[-1])
        made = Situation(
            sighting=new,
            version=new.versions[-1],
            is_new_sighting=True,
            repeats=False,
            late=False,
            joined=(old,),
            best=same("guid"),
            waiting=None,
            apart=(),
            shares_distrusted_key=False,
            title_before="",
            before=before,
            before_any=before,
            after=Current(new, new.versions[-1]),
            is_primary=True,
            is_rejected=False,
        )
        made = replace(made, **changes)
        title = made.before_any.sighting.clean_title if made.before_any else ""
        return replace(made, title_before=changes.get("title_before", title))

    return make


def told(answer: Answer) -> tuple[str, str]:
    assert answer.reason in REASONS
    assert set(answer.flags) <= set(FLAGS)
    return answer.outcome.value, answer.reason


# --- apart --------------------------------------------------------------------------------------


def conflict(reason: str, *, via: bool = True) -> Comparison:
    keys = frozenset({("url", "", "https://n.example/a")}) if via else frozenset()
    return Comparison(Relation.UNRELATED, reason, 50, (), keys)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, ("new", "first_seen")),
        ({"apart": (conflict("different"),)}, ("new", "different")),
        ({"apart": (conflict("reused_guid"),)}, ("new", "reused_guid")),
        ({"apart": (conflict("id_conflict"),)}, ("new", "id_conflict")),
        ({"apart": (conflict("same_fetch"),)}, ("new", "same_fetch")),
        ({"apart": (conflict("same_fetch", via=False),)}, ("new", "different")),
        ({"shares_distrusted_key": True}, ("new", "shared_key")),
        ({"shares_distrusted_key": True, "apart": (conflict("different"),)}, ("new", "shared_key")),
        ({"shares_distrusted_key": True, "apart": (conflict("id_conflict"),)}, ("new", "id_conflict")),
        ({"waiting": Comparison(Relation.REVIEW, "near_address", 50, ())}, ("review", "near_address")),
    ],
)
def test_an_item_that_joins_nothing(changes: Any, expected: tuple[str, str], situation: Any) -> None:
    answer = decide(situation(joined=(), before=None, before_any=None, best=None, **changes))
    assert told(answer) == expected
    assert answer.flags == ()
    assert decide(situation(joined=(), before=None, before_any=None, late=True, **changes)).flags == ("late",)


# --- joined -------------------------------------------------------------------------------------


def test_a_late_item_is_a_duplicate_whatever_it_says(situation: Any, seen: Any) -> None:
    changed = seen(guid="1", title="Another title altogether", content="Another text.")
    assert decide(situation(now=changed, late=True)) == Answer(Outcome.DUPLICATE, "late", flags=("late",))


@pytest.mark.parametrize(
    ("fields", "reason", "changed"),
    [
        ({"title": "Old bridge goes", "content": "One text."}, "title_changed", ("title",)),
        ({"title": "Harbour bridge", "content": "Two texts."}, "text_changed", ("text",)),
        ({"title": "Old bridge goes", "content": "Two texts."}, "title_and_text_changed", ("title", "text")),
    ],
)
def test_updates(fields: Any, reason: str, changed: tuple[str, ...], situation: Any, seen: Any) -> None:
    now = seen(guid="1", url="https://n.example/a", day=1, **fields)
    answer = decide(situation(now=now))
    assert told(answer) == ("update", reason)
    assert (answer.changed, answer.flags) == (changed, ())
    assert decide(situation(now=now, is_primary=False)).flags == ("secondary",)


def test_counters_whitespace_and_markup_are_no_changes(situation: Any, seen: Any) -> None:
    now = seen(
        guid="1",
        url="https://n.example/a",
        title=" HARBOUR  bridge (12 comments)",
        content="<p>One  text.</p>\n3 comments",
    )
    assert told(decide(situation(now=now))) == ("duplicate", "seen_again")


def test_a_lost_title_or_text_is_no_change(situation: Any, seen: Any) -> None:
    untitled = seen(guid="1", url="https://n.example/a", content="One text.")
    assert decide(situation(now=untitled)).outcome is Outcome.DUPLICATE


def test_a_title_that_comes_back_is_no_change(situation: Any, seen: Any) -> None:
    """What it is held against is the last title that the source gave, not that it gave none last time."""
    untitled = seen(id=1, guid="1", url="https://n.example/a", content="One text.")
    assert decide(situation(then=untitled, title_before="harbour bridge")).outcome is Outcome.DUPLICATE
    assert told(decide(situation(then=untitled, title_before="old bridge goes"))) == ("update", "title_changed")


def test_a_return_is_flagged(situation: Any, seen: Any) -> None:
    first = seen(id=1, guid="1", url="https://n.example/a", title="Harbour bridge", content="One text.")
    second = seen(id=2, guid="1", url="https://n.example/a", title="Old bridge goes", content="One text.", day=1)
    before = Current(second, second.versions[-1])
    back = situation(then=first, is_new_sighting=False, joined=(second, first), before=before, before_any=before)
    assert decide(back) == Answer(Outcome.UPDATE, "title_changed", ("title",), ("reverted",))


def test_a_text_that_returns_in_one_sighting(situation: Any, seen: Any) -> None:
    common = {"id": 1, "guid": "1", "url": "https://n.example/a", "title": "Harbour bridge"}
    there = seen(content="One text.", then=("Two texts.",), **common)
    back = seen(content="One text.", then=("Two texts.", "One text."), **common)
    on = seen(content="One text.", then=("Two texts.", "Three texts."), **common)
    stood = {"is_new_sighting": False, "then": there}
    assert decide(situation(now=back, **stood)).flags == ("reverted",)
    assert decide(situation(now=on, **stood)) == Answer(Outcome.UPDATE, "text_changed", ("text",))


def test_a_return_under_another_guid(situation: Any, seen: Any) -> None:
    first = seen(id=1, guid="1", url="https://n.example/a", title="Harbour bridge", content="One text.")
    second = seen(id=2, guid="1", url="https://n.example/a", title="Old bridge goes", content="One text.", day=1)
    now = seen(guid="2", url="https://n.example/a", title="Harbour bridge", content="One text.", day=2)
    before = Current(second, second.versions[-1])
    found = decide(situation(now=now, joined=(first, second), before=before, before_any=before))
    assert found.flags == ("reverted",)


def test_fuller_text(situation: Any, seen: Any) -> None:
    def answer(old: dict[str, str], new: dict[str, str]) -> Answer:
        then = seen(id=1, guid="1", url="https://n.example/a", title="Harbour bridge", **old)
        now = seen(guid="1", url="https://n.example/a", title="Harbour bridge", day=1, **new)
        return decide(situation(now=now, then=then, before=None))

    full, summary = {"content": "All of it."}, {"summary": "Some of it."}
    assert answer(summary, full) == Answer(Outcome.UPDATE, "fuller_text", ("representation",))
    assert answer(full, summary).outcome is Outcome.DUPLICATE
    assert answer({}, full) == Answer(Outcome.UPDATE, "fuller_text", ("representation",))
    assert answer({}, summary) == Answer(Outcome.UPDATE, "fuller_text", ("representation",))


def test_a_fuller_text_under_a_new_title(situation: Any, seen: Any) -> None:
    then = seen(id=1, guid="1", url="https://n.example/a", title="Harbour bridge", summary="Some of it.")
    now = seen(guid="1", url="https://n.example/a", title="Old bridge goes", content="All of it.", day=1)
    answer = decide(situation(now=now, then=then, before=None))
    assert (answer.reason, answer.changed) == ("title_changed", ("title", "representation"))


def test_a_source_that_speaks_for_the_first_time_changes_nothing(situation: Any, seen: Any) -> None:
    now = seen("b", source_id=2, guid="9", url="https://b.example/a", title="Old bridge goes", content="Other.")
    first = {"now": now, "before": None, "before_any": None}
    assert told(decide(situation(best=same("text_equal"), **first))) == ("duplicate", "same_text")
    assert told(decide(situation(best=same("text_near"), **first))) == ("duplicate", "same_text")
    assert told(decide(situation(best=same("site"), **first))) == ("duplicate", "same_id")
    assert told(decide(situation(best=same("same_id"), **first))) == ("duplicate", "same_id")
    assert told(decide(situation(best=same("redirect"), **first))) == ("duplicate", "redirected")
    assert told(decide(situation(best=same("url"), **first))) == ("duplicate", "other_source")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"guid": "1", "url": "http://n.example/a"}, "new_address"),
        ({"guid": "2", "url": "https://n.example/a"}, "new_guid"),
        ({"guid": "1", "url": "https://n.example/a"}, "seen_again"),
        ({"guid": "1", "url": ""}, "seen_again"),
    ],
)
def test_repeats_in_one_source(fields: Any, reason: str, situation: Any, seen: Any) -> None:
    now = seen(title="Harbour bridge", content="One text.", day=1, **fields)
    assert told(decide(situation(now=now))) == ("duplicate", reason)
    assert told(decide(situation(now=now, is_new_sighting=False))) == ("duplicate", "seen_again")
    assert told(decide(situation(now=now, best=None))) == ("duplicate", "seen_again")


# --- not current --------------------------------------------------------------------------------


def test_something_else_stays_current(situation: Any, seen: Any) -> None:
    twin = seen(id=2, guid="2", url="https://n.example/a", title="Harbour bridge", content="Two texts.", day=1)
    now = seen(guid="1", url="https://n.example/a", title="Harbour bridge", content="One text.", day=1)
    other = Current(twin, twin.versions[-1])
    assert told(decide(situation(now=now, after=other))) == ("duplicate", "listed_twice")
    assert told(decide(situation(now=now, after=other, repeats=True))) == ("duplicate", "seen_again")
    earlier = replace(twin, last_fetch_no=0)
    assert told(decide(situation(now=now, after=Current(earlier, twin.versions[-1])))) == (
        "duplicate",
        "poor_capture",
    )
    equal = replace(earlier, versions=now.versions)
    assert told(decide(situation(now=now, after=Current(equal, now.versions[-1])))) == (
        "duplicate",
        "listed_twice",
    )


def test_a_poor_capture_of_the_same_sighting(situation: Any, seen: Any) -> None:
    now = seen(id=1, guid="1", url="https://n.example/a", title="Harbour bridge", content="One text.", then=("Wall",))
    kept = Current(now, now.versions[0])
    assert told(decide(situation(now=now, after=kept, is_new_sighting=False))) == (
        "duplicate",
        "poor_capture",
    )


# --- reposted -----------------------------------------------------------------------------------

OLD, NEW = "https://techcrunch.com/2026/03/01/a-b-c/", "https://techcrunch.com/2026/03/04/a-b-c/"


@pytest.mark.parametrize(
    ("fields", "changes", "reason"),
    [
        ({"url": NEW, "published": 3}, {}, "reposted"),
        ({"url": NEW, "published": 0}, {}, "new_address"),
        ({"url": NEW}, {}, "new_address"),
        ({"url": OLD, "published": 3}, {}, "new_guid"),
        ({"url": NEW, "published": 3}, {"is_new_sighting": False}, "seen_again"),
        ({"url": "https://techcrunch.com/about/", "published": 3}, {}, "new_address"),
        (
            {"url": "https://n.example/new", "published": 3, "redirects": ((OLD, "https://n.example/new"),)},
            {"best": same("redirect")},
            "reposted",
        ),
        (
            {"url": "https://n.example/new", "published": 0, "redirects": ((OLD, "https://n.example/new"),)},
            {"best": same("redirect")},
            "redirected",
        ),
    ],
)
def test_reposted(fields: Any, changes: Any, reason: str, situation: Any, seen: Any) -> None:
    then = seen(id=1, guid="1", url=OLD, title="Harbour bridge", content="One text.", published=0)
    now = seen(guid="2", title="Harbour bridge", content="One text.", day=3, **fields)
    answer = decide(situation(now=now, then=then, **{"best": same("site"), **changes}))
    assert answer.reason == reason
    if reason == "reposted":
        assert answer.changed == ("url", "published")


def test_a_repost_at_a_source_that_speaks_for_the_first_time_is_none(situation: Any, seen: Any) -> None:
    now = seen("b", source_id=2, guid="2", url=NEW, title="Harbour bridge", content="One text.", published=3)
    answer = decide(situation(now=now, before=None, before_any=None, best=same("site")))
    assert answer.outcome is Outcome.DUPLICATE


# --- flash, rejected ----------------------------------------------------------------------------


def test_a_flash_that_policy_joins_has_its_own_reason(situation: Any, seen: Any) -> None:
    now = seen(guid="2", url="https://n.example/b", title="Harbour bridge", content="All of it.", day=1)
    joined = {"now": now, "best": same("flash_then_full")}
    assert told(decide(situation(**joined))) == ("update", "flash_then_full")
    assert told(decide(situation(is_new_sighting=False, **joined))) == ("update", "text_changed")


def test_changes_of_a_rejected_record_are_no_updates(situation: Any, seen: Any) -> None:
    now = seen(guid="1", url="https://n.example/a", title="Old bridge goes", content="One text.", day=1)
    answer = decide(situation(now=now, is_rejected=True))
    assert (told(answer), answer.changed) == (("duplicate", "rejected_record"), ("title",))
    assert told(decide(situation(is_rejected=True))) == ("duplicate", "seen_again")


def test_a_rejected_record_is_not_published_again(situation: Any, seen: Any) -> None:
    then = seen(id=1, guid="1", url=OLD, title="Harbour bridge", content="One text.", published=0)
    now = seen(guid="2", url=NEW, title="Harbour bridge", content="One text.", day=3, published=3)
    assert told(decide(situation(now=now, then=then, is_rejected=True))) == ("duplicate", "new_address")
