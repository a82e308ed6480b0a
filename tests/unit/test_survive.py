"""What a record looks like: current version, primary source, dates and survivor, whatever the order."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from seenbefore.model import Current, DateEvidence, Kind, Status, VersionState
from seenbefore.survive import (
    choose_survivor,
    find_current,
    newest_good,
    order_of_currency,
    primary_source,
    survive,
)

LATE, GOOD, ASIDE = VersionState.LATE, VersionState.GOOD, VersionState.ASIDE


def never_poor(old: Current, new: Current) -> bool:
    return False


def shorter_is_poor(old: Current, new: Current) -> bool:
    return new.version.fingerprint.length < old.version.fingerprint.length


# --- current ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [
        {"title": "Harbour bridge", "url": "https://n.example/a", "content": "Text.", "published": 1.5},
        {"title": "港口大桥", "external_id": "caller-1", "published": DateEvidence("pubDate", "Monday")},
        {"guid": "7"},
        {"url": "https://n.example/a.jpg", "kind": Kind.IMAGE},
        {"title": "Harbour bridge", "states": (LATE,)},
        {"title": "Harbour bridge", "states": (ASIDE,)},
    ],
)
def test_a_record_that_was_seen_once_is_no_special_case(fields: dict[str, Any], seen: Any) -> None:
    """The short way for one sighting with one version says what choosing among several would."""

    class SeemsLonger(list[Any]):
        def __len__(self) -> int:
            return 2

    sighting = seen(source_id=4, day=3, **fields)
    is_poor = unexpected
    for status in (Status.ACTIVE, Status.REJECTED):
        assert survive([sighting], 7, status, is_poor) == survive(SeemsLonger([sighting]), 7, status, is_poor)


def unexpected(*_: Any) -> bool:
    raise AssertionError("nothing is there to be held against")


def test_late_and_suspect_versions_are_not_current(seen: Any) -> None:
    assert newest_good(seen(content="one", then=("two", "three"))).fingerprint.text == "three"
    set_aside = seen(content="one", then=("two", "three"), states=(GOOD, LATE, ASIDE))
    assert newest_good(set_aside).fingerprint.text == "one"
    nothing_else = seen(content="one", then=("two",), states=(LATE, ASIDE))
    assert newest_good(nothing_else).fingerprint.text == "one"  # what comes late changes nothing, not even itself


def test_the_last_seen_sighting_is_current(seen: Any) -> None:
    old = seen(guid="1", title="Old title", day=0, published=9)
    new = seen(guid="1", title="New title", day=1, published=0)
    for order in permutations([old, new]):
        found = find_current(order, 1, never_poor)
        assert found is not None
        assert found.sighting is new


def test_within_a_fetch_the_newest_publication_wins_and_none_is_oldest(seen: Any) -> None:
    unknown = seen(guid="3", url="https://n.example/z", title="C")
    older = seen(guid="2", url="https://n.example/y", title="B", published=0)
    newest = seen(guid="1", url="https://n.example/x", title="A", published=0.5)
    for order in permutations([unknown, older, newest]):
        assert order_of_currency(order) == [newest, older, unknown]


def test_twins_go_by_address_and_then_by_what_they_are(seen: Any) -> None:
    a, b = (
        seen(guid="1", url="https://n.example/a", title="T"),
        seen(guid="1", url="https://n.example/b", title="T"),
    )
    assert order_of_currency([a, b]) == order_of_currency([b, a]) == [a, b]
    c, d = (
        seen(guid="1", url="https://n.example/a", title="X"),
        seen(guid="1", url="https://n.example/a", title="Y"),
    )
    assert order_of_currency([c, d]) == order_of_currency([d, c])


def test_a_poor_capture_does_not_take_over(seen: Any) -> None:
    kept = seen(guid="1", title="T", content="a long text", then=("wall",))
    found = find_current([kept], 1, shorter_is_poor)
    assert found is not None
    assert found.version.fingerprint.text == "a long text"
    fuller = find_current([seen(content="wall", then=("a long text",))], 1, shorter_is_poor)
    assert fuller is not None
    assert fuller.version.fingerprint.text == "a long text"


@pytest.mark.parametrize("title", ["T", "New"])
def test_a_second_poor_capture_does_not_take_over(title: str, seen: Any) -> None:
    kept = seen(guid="1", title="T", content="a long text", then=("wall",))
    again = seen(guid="1", title=title, content="wall", day=2)
    found = find_current([kept, again], 1, shorter_is_poor)
    assert found is not None
    assert found.version.fingerprint.text == "a long text"


def test_a_text_may_shrink_step_by_step(seen: Any) -> None:
    def a_third_is_poor(old: Current, new: Current) -> bool:
        return new.version.fingerprint.length < old.version.fingerprint.length / 3

    trimmed = seen(content="x" * 100, then=("y" * 40, "z" * 15))
    found = find_current([trimmed], 1, a_third_is_poor)
    assert found is not None
    assert found.version.fingerprint.text == "z" * 15


def test_current_of_a_source_or_a_representation_only(seen: Any) -> None:
    summary = seen(guid="1", summary="A summary of it.", day=1)
    full = seen(guid="1", url="https://n.example/a", content="All of it.", day=0)
    print_ = full.versions[0].fingerprint
    found = find_current([summary, full], 1, never_poor, print_)
    assert found is not None
    assert found.sighting is full
    assert find_current([summary], 1, never_poor, print_) is None
    assert find_current([full], 1, never_poor, replace(print_, extractor_version="another")) is None
    assert find_current([summary], 2, never_poor) is None


# --- the record ---------------------------------------------------------------------------------


def test_the_fields_of_a_record(seen: Any, at: Any) -> None:
    first = seen(
        id=1,
        guid="1",
        url="https://news.example/a",
        title="Harbour bridge",
        published=1,
        content="one",
        then=("two",),
    )
    copy = seen(
        "b.example",
        source_id=2,
        id=2,
        guid="2",
        url="https://news.example/a?x=1",
        title="Copy",
        published=0.5,
        day=5,
        external_id="mine",
    )
    for order in permutations([first, copy]):
        record = survive(order, 7, Status.ACTIVE, never_poor)
        assert (record.id, record.title, record.url) == (7, "Harbour bridge", "https://news.example/a")
        assert (record.primary_source_id, record.external_id) == (1, "mine")
        assert (record.first_seen_at, record.last_seen_at) == (at(0), at(5))
        assert record.first_published_at == at(0.5), "the earliest that any source ever gave"
        assert record.content_updated_at == at(1)


def test_an_unknown_date_stays_unknown_and_an_address_is_taken_where_there_is_one(seen: Any) -> None:
    current = seen(guid="1", title="T", day=1)
    linked = seen(guid="1", url="https://n.example/a", title="T", day=0)
    record = survive([current, linked], 1, Status.ACTIVE, never_poor)
    assert (record.url, record.first_published_at, record.content_updated_at) == (
        "https://n.example/a",
        None,
        None,
    )
    assert record.external_id is None
    assert survive([current], 1, Status.ACTIVE, never_poor).url == ""


def test_what_counts_as_a_change_of_content(seen: Any, at: Any) -> None:
    def updated(*sightings: Any) -> Any:
        return survive(sightings, 1, Status.ACTIVE, never_poor).content_updated_at

    a = seen(guid="1", title="T", content="one")
    assert updated(a, seen(guid="1", title="New", content="one", day=2)) == at(2)
    assert updated(a, seen(guid="2", title="T", content="one", day=2)) is None, "the same under another guid"
    assert updated(a, seen("b", source_id=2, guid="1", title="New", content="two", day=2)) is None, "another outlet"
    assert updated(a, seen(guid="1", title="T", summary="two", day=2)) is None, "another representation"
    assert updated(a, seen(guid="2", title="T", content="two")) is None, "two entries of one fetch"
    late = seen(guid="1", title="T", content="one", then=("two",), states=(GOOD, LATE))
    assert updated(late) is None


SLUG = "https://techcrunch.com/2026/03/{:02d}/a-b-c/"


@pytest.mark.parametrize(
    ("fields", "day"),
    [
        ({"url": SLUG.format(4), "published": 3}, 3),
        ({"url": SLUG.format(4), "published": 0}, None),
        ({"url": SLUG.format(4)}, None),
        ({"url": SLUG.format(1), "published": 3}, None),
    ],
)
def test_a_repost_counts_as_a_change_of_content(fields: Any, day: int | None, seen: Any, at: Any) -> None:
    old = seen(guid="1", url=SLUG.format(1), title="T", published=0)
    new = seen(guid="2", title="T", day=3, **fields)
    for order in permutations([old, new]):
        record = survive(order, 1, Status.ACTIVE, never_poor)
        assert record.content_updated_at == (at(day) if day is not None else None)
    there = seen("b", source_id=2, guid="2", title="T", day=3, **fields)
    assert survive([old, there], 1, Status.ACTIVE, never_poor).content_updated_at is None


# --- primary source -----------------------------------------------------------------------------


def test_the_source_on_the_articles_own_host_is_primary(seen: Any) -> None:
    planet = seen("planet.example", source_id=2, url="https://www.news.example/a", content="All of it.", day=-3)
    own = seen("feeds.news.example/rss", source_id=1, url="https://news.example/a", day=3)
    for order in permutations([planet, own]):
        assert primary_source(order) == 1
    lookalike = seen("notnews.example/rss", source_id=1, url="https://news.example/a", day=3)
    assert primary_source([planet, lookalike]) == 2


def test_then_the_fullest_then_the_earliest_then_the_name(seen: Any) -> None:
    def of(name: str, number: int, **fields: Any) -> Any:
        return seen(name, source_id=number, guid="1", **fields)

    full, summary, title = of("c", 3, content="All."), of("b", 2, summary="Some."), of("a", 1)
    assert primary_source([title, summary, full]) == 3
    assert primary_source([title, summary]) == 2
    assert primary_source([of("a", 1, day=1), of("b", 2)]) == 2
    assert primary_source([of("b", 2), of("a", 1)]) == 1


@pytest.mark.parametrize("address", ["http://[bad", "list", "", "//"])
def test_names_that_are_no_hosts(address: str, seen: Any) -> None:
    odd = seen(address or "x", source_id=1, url=address, title="T")
    assert primary_source([odd]) == 1


# --- survivor -----------------------------------------------------------------------------------


def test_the_newest_published_survives_but_not_a_date_to_come(seen: Any, at: Any) -> None:
    old, new, future = seen(guid="1", published=1), seen(guid="2", published=2), seen(guid="3", published=50)
    for order in permutations([(1, [old]), (2, [new]), (3, [future])]):
        assert choose_survivor(order, at(10)) == 2
        assert choose_survivor(order, at(60)) == 3


def test_then_the_newest_seen_then_a_hash(seen: Any, at: Any) -> None:
    a, b = seen(guid="1", day=0), seen(guid="2", day=1)
    assert choose_survivor([(1, [a]), (2, [b])], at(9)) == 2
    twins = [(n, [seen(guid=str(n))]) for n in (1, 2, 3)]
    assert len({choose_survivor(order, at(9)) for order in permutations(twins)}) == 1


def test_the_choice_does_not_hang_on_ids(seen: Any, at: Any) -> None:
    """Ids depend on who came first; the survivor must not."""
    a, b = seen(guid="1"), seen(guid="2")
    here = choose_survivor([(1, [a]), (2, [b])], at(9))
    there = choose_survivor([(2, [replace(a, id=9)]), (1, [b])], at(9))
    assert (here == 1) == (there == 2)


def test_what_came_late_does_not_speak_for_a_record(seen: Any) -> None:
    """Neither as its source nor as an older text that a poorer one could not replace."""
    shown = seen(source="b", source_id=2, content="short", day=5)
    late = seen(source="a", source_id=1, content="a much longer text " * 20, states=(LATE,), day=1)
    assert primary_source([shown, late]) == shown.source_id
    own = seen(source="b", source_id=2, guid="2", content="a much longer text " * 20, states=(LATE,), day=1)
    current = find_current([own, shown], shown.source_id, lambda old, new: True)
    assert current is not None
    assert current.sighting is shown
