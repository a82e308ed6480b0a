"""The facts about two sightings: each one true of a pair, and untrue of one that looks alike."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from seenbefore.model import DateEvidence, Enclosure, Precision, Strength, VersionState
from seenbefore.pair import Pair
from seenbefore.text.titles import title_key
from seenbefore.urls.page import Page

NEWS = "news.example/feed"


@pytest.fixture
def pair(policy: Any) -> Any:
    def make(a: Any, b: Any, distrust: Any = None) -> Pair:
        return Pair(a, b, policy, distrust or {})

    return make


# --- keys ---------------------------------------------------------------------------------------


def test_a_key_is_shared_only_while_both_sources_trust_it(seen: Any, pair: Any) -> None:
    a = seen(guid="1", url="https://n.example/a")
    b = seen("b", source_id=2, guid="1", url="https://n.example/a")
    assert [key.kind for key in pair(a, b).shared_keys] == ["url", "url_near"], "guids are scoped to their source"
    for source in (NEWS, "b"):
        hub = {source: frozenset({("url", "https://n.example/a")})}
        assert [key.kind for key in pair(a, b, hub).shared_keys] == ["url_near"]
    elsewhere = {"c": frozenset({("url", "https://n.example/a")})}
    assert pair(a, b, elsewhere).shared("url")


def test_a_home_page_is_no_shared_key(seen: Any, pair: Any) -> None:
    a, b = seen(guid="1", url="https://n.example/"), seen(guid="2", url="https://n.example/")
    assert pair(a, b).shared_keys == ()
    page = seen(guid="2", url="https://n.example/a")
    assert pair(page, page).shared("url")


def test_candidate_keys_are_never_shared(seen: Any, pair: Any, texts: Any) -> None:
    a = seen(guid="1", url="https://n.example/a", title="Harbour bridge", content=texts.bridge, published=0)
    b = seen(guid="2", url="https://n.example/b", title="Harbour bridge", content=texts.bridge, published=0)
    assert {key.address for key in a.keys} & {key.address for key in b.keys}
    assert pair(a, b).shared_keys == ()


def test_a_redirect_counts_from_either_side(seen: Any, pair: Any) -> None:
    short = "https://sho.rt/x"
    moved = seen(url=short, redirects=((short, "https://n.example/a"),))
    page = seen(url="https://n.example/a")
    for one, other in ((moved, page), (page, moved)):
        assert [key.rule_id for key in pair(one, other).shared("url")] == ["redirect"]


def test_ids_agree_conflict_or_say_nothing(seen: Any, pair: Any) -> None:
    a = seen(ids={"doi": "10.1/a", "pmid": "7"})
    assert [key.value for key in pair(a, seen(ids={"doi": "10.1/a"})).shared_ids] == ["doi:10.1/a"]
    assert pair(a, seen(ids={"doi": "10.1/b"})).conflicting_ids == ("doi",)
    assert pair(a, seen(ids={"doi": "10.1/b", "pmid": "7"})).conflicting_ids == ("doi",)
    assert pair(a, seen(ids={"isbn": "7"})).conflicting_ids == ()
    assert pair(a, seen()).conflicting_ids == ()


def test_enclosures_are_no_strong_ids(seen: Any, pair: Any) -> None:
    one, two = (Enclosure(f"https://m.example/{n}.mp3") for n in (1, 2))
    a = seen(enclosures=(one,))
    assert (pair(a, seen(enclosures=(one,))).enclosures, pair(a, seen(enclosures=(one,))).shared_ids) == (
        "equal",
        (),
    )
    assert (
        pair(a, seen(enclosures=(two,))).enclosures,
        pair(a, seen(enclosures=(two,))).conflicting_ids,
    ) == (
        "conflict",
        (),
    )
    assert pair(a, seen()).enclosures == "unknown"


@pytest.mark.parametrize(
    ("first", "second", "counts"),
    [
        ("https://n.example/a#0", "https://n.example/a#3", True),
        ("item 7", "item 12", True),
        ("item 7", "item 7", False),
        ("item 7", "thing 8", False),
        ("7", "8", False),
        ("", "8", False),
        ("item 7", "item", False),
    ],
)
def test_guid_counters(first: str, second: str, counts: bool, seen: Any, pair: Any) -> None:
    a, b = seen(guid=first), seen(guid=second)
    assert pair(a, b).guids_count is counts
    assert pair(b, a).guids_count is counts
    assert pair(a, seen("b", source_id=2, guid=second)).guids_count is False


def test_places_on_one_host(seen: Any, pair: Any) -> None:
    bridge = Page("n.example", "/news", ("harbour", "bridge", "vote"))
    a = seen(url="https://www.n.example/news/harbour-bridge-vote")
    b = seen(url="https://n.example/world/whales-in-the-bay", guid="http://n.example/news/harbour-bridge-vote.html")
    assert [(x, y.directory) for x, y in pair(a, b).pages] == [(bridge, "/world"), (bridge, "/news")]
    assert [(x.directory, y) for x, y in pair(b, a).pages] == [("/world", bridge), ("/news", bridge)]
    assert pair(a, seen(url="https://other.example/news/harbour-bridge-vote")).pages == ()
    assert pair(a, seen(url="https://n.example/news/7")).pages == ()
    assert pair(a, seen(guid="7")).pages == ()


def test_an_address_that_is_not_trusted_is_no_place(seen: Any, pair: Any) -> None:
    a = seen(url="https://n.example/news/harbour-bridge-vote")
    b = seen("b", source_id=2, url="https://n.example/world/harbour-bridge-vote")
    assert len(pair(a, b).pages) == 1
    assert pair(a, b, {"b": frozenset({("url_near", "n.example/world/harbour-bridge-vote")})}).pages == ()
    assert pair(a, b, {NEWS: frozenset({("url_near", "n.example/news/harbour-bridge-vote")})}).pages == ()
    assert len(pair(a, b, {"b": frozenset({("url_near", "n.example/news/harbour-bridge-vote")})}).pages) == 1
    weak = tuple(replace(key, strength=Strength.DISTRUSTED) for key in a.keys)
    assert pair(replace(a, keys=weak), b).pages == ()


# --- time ---------------------------------------------------------------------------------------


def test_co_presence_is_exact(seen: Any, pair: Any) -> None:
    a = seen(fetches=(1, 5))
    assert pair(a, seen(fetches=(5,))).co_present
    assert not pair(a, seen(fetches=(2, 3, 4))).co_present
    assert not pair(a, seen(fetches=())).co_present
    assert not pair(a, seen("b", source_id=2, fetches=(1,))).co_present


@pytest.mark.parametrize(
    ("first", "second", "took"),
    [
        (((1, 3),), ((4, 6),), True),
        (((1, 1), (3, 3)), ((4, 4),), True),
        (((1, 3), (7, 9)), ((4, 6),), True),  # the first one came back when the second had gone
        (((1, 3),), ((5, 6),), False),  # a fetch without either
        (((1, 4),), ((4, 6),), False),  # side by side
        (((1, 3), (6, 6)), ((4, 6),), False),  # side by side later
        (((1, 3),), ((2, 2), (4, 4)), False),  # it was there before
        (((4, 5),), ((4, 5),), False),
        ((), ((4, 6),), False),
        (((1, 3),), (), False),
    ],
)
def test_one_took_the_place_of_the_other(first: Any, second: Any, took: bool, seen: Any, pair: Any) -> None:
    a, b = replace(seen(), runs=first), replace(seen(), runs=second)
    assert pair(a, b).took_its_place is took
    assert pair(b, a).took_its_place is took
    assert not pair(a, replace(b, source_id=2)).took_its_place


def test_a_late_fetch_is_nobodys_next_one(seen: Any, pair: Any) -> None:
    """Its number says when it was read, not when it was made."""
    old, new = seen(guid="1", fetches=(1,)), seen(guid="2", fetches=(2,))
    assert pair(old, new).took_its_place

    def late(sighting: Any, number: int) -> Any:
        return replace(
            sighting, versions=tuple(replace(v, state=VersionState.LATE, fetch_no=number) for v in sighting.versions)
        )

    assert not pair(old, late(new, 2)).took_its_place
    assert not pair(late(old, 1), new).took_its_place
    assert pair(late(old, 7), new).took_its_place, "a late text of an entry that was there in time"
    in_time = replace(late(old, 1), runs=((1, 4),))
    assert pair(in_time, replace(new, runs=((5, 5),))).took_its_place, "it stood in a later fetch as well"


def test_how_much_newer_the_later_one_is(seen: Any, pair: Any) -> None:
    old, new = seen(published=1, day=3), seen(published=2.5, day=4)
    assert pair(old, new).hours_newer == pair(new, old).hours_newer == 36
    back = seen(published=0.5, day=4)
    assert pair(old, back).hours_newer == pair(back, old).hours_newer == -12
    assert pair(old, seen(day=4)).hours_newer is None
    assert pair(old, seen(published=DateEvidence("pubDate", "Monday"), day=4)).hours_newer is None


def test_at_one_moment_the_fetch_tells_which_one_came_later(seen: Any, pair: Any) -> None:
    old, new = seen(guid="1", published=1, fetches=(3,)), seen(guid="2", published=2, fetches=(4,))
    assert pair(old, new).hours_newer == pair(new, old).hours_newer == 24
    a, b = seen(guid="1", published=1), seen(guid="2", published=2)
    assert pair(a, b).hours_newer == pair(b, a).hours_newer, "whichever it is"


def test_dates_that_ticked_count_from_their_nearest(seen: Any, pair: Any) -> None:
    """The last date of the earlier one against the first of the later one."""
    first, last = seen(published=1, day=1), seen(published=3, day=2)
    old = replace(first, versions=(*first.versions, *last.versions))
    assert pair(old, seen(published=4, day=5)).hours_newer == 24


@pytest.mark.parametrize(
    ("first", "second", "one_day"),
    [(1, 1.9, True), (1, 1, True), (1, 2, False), (1.2, 1.9, False), (1.5, 1.5, False), (1, None, False)],
)
def test_published_on_one_day(first: float, second: float | None, one_day: bool, seen: Any, pair: Any) -> None:
    a, b = seen(published=first), seen(published=second)
    assert pair(a, b).published_one_day is one_day
    assert pair(b, a).published_one_day is one_day


def test_only_seconds_are_the_same_second(seen: Any, pair: Any, a_date: Any) -> None:
    assert pair(seen(published=1.4), seen(published=1.4)).published_equal
    assert not pair(seen(published=1.4), seen(published=a_date(1.4, Precision.MINUTE))).published_equal
    assert not pair(seen(published=1.4), seen(published=1.40002)).published_equal


def test_midnight_is_a_day(seen: Any, pair: Any, a_date: Any) -> None:
    assert not pair(seen(published=1), seen(published=1)).published_equal
    tokyo = replace(a_date(1 - 9 / 24), offset_minutes=540)
    assert not pair(seen(published=tokyo), seen(published=tokyo)).published_equal, "where the date was written"
    london = a_date(1 - 9 / 24)
    assert pair(seen(published=london), seen(published=london)).published_equal


def test_the_same_day_where_only_days_are_known(seen: Any, pair: Any, a_date: Any) -> None:
    day = seen(published=a_date(1, Precision.DAY))
    assert pair(day, seen(published=1.7)).published_same_day
    assert pair(seen(published=1), seen(published=1)).published_same_day
    assert not pair(seen(published=1), seen(published=1.5)).published_same_day
    assert not pair(day, seen(published=2)).published_same_day
    assert not pair(day, seen()).published_same_day


def test_an_unknown_date_has_no_distance(seen: Any, pair: Any) -> None:
    unknown = DateEvidence("pubDate", "Monday")
    assert pair(seen(published=0), seen(published=0.5)).hours_apart == 12
    assert pair(seen(published=0), seen(published=unknown)).hours_apart is None
    assert pair(seen(published=0), seen()).hours_apart is None


# --- titles -------------------------------------------------------------------------------------


def test_empty_titles_are_not_equal_and_do_not_differ(seen: Any, pair: Any) -> None:
    assert not pair(seen(), seen()).titles_equal
    assert not pair(seen(), seen()).titles_differ
    assert pair(seen(), seen(title="A")).titles_differ


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        ("Harbour bridge: vote", "Harbour Bridge — vote!", True),
        ("港口大桥，将要重建", "港口大桥将要重建", True),
        ("港の橋「架け替え」", "港の橋 架け替え", True),
        ("Start with C", "Start with C++", False),
        ("Version 1.11", "Version 11.1", False),
        ("Harbour bridge", "", False),
    ],
)
def test_titles_are_equal_but_for_punctuation(one: str, other: str, equal: bool, seen: Any, pair: Any) -> None:
    a, b = seen(title=one), seen(title=other)
    for facts in (pair(a, b), pair(b, a)):
        assert facts.titles_equal is equal
        assert facts.titles_differ is not equal


@pytest.mark.parametrize(
    ("title", "identifies"),
    [
        ("Harbour bridge to go", True),
        ("Too short", False),
        ("港口大桥将重建", True),
        ("港口大桥", False),
        ("港の橋を架け替え", True),
        ("Week in review", False),
    ],
)
def test_which_titles_identify(title: str, identifies: bool, seen: Any, pair: Any) -> None:
    a, b = seen(title=title), seen(title=title.upper())
    assert pair(a, b).title_identifies is identifies
    recurs = {NEWS: frozenset({("title", title_key(title))})}
    assert pair(a, b, recurs).title_recurs
    assert not pair(a, b, recurs).title_identifies
    assert not pair(a, seen(title="Another one altogether"), recurs).title_recurs


# --- texts --------------------------------------------------------------------------------------


def test_a_text_counts_whenever_it_was_there(seen: Any, pair: Any, texts: Any) -> None:
    a = seen(content=texts.bridge, then=(texts.whales, texts.opera))
    assert pair(a, seen(content=texts.whales)).equal_text
    assert not pair(a, seen(content=texts.market)).equal_text
    assert pair(a, seen(content=texts.market)).texts_unlike
    assert not pair(a, seen(content=texts.whales)).texts_unlike


def test_short_texts_are_equal_without_deciding(seen: Any, pair: Any) -> None:
    a, b = seen(content="Bug fixes."), seen(content="Bug fixes!")
    assert pair(a, b).equal_text == ""
    assert pair(a, b).same_short_text
    assert pair(a, b).overlap is None
    assert not pair(a, b).texts_unlike
    assert pair(seen(), seen()).same_short_text, "both say nothing"
    assert not pair(a, seen()).same_short_text


def test_boilerplate_counts_for_nothing(seen: Any, pair: Any, texts: Any) -> None:
    a, b = seen(content=texts.bridge), seen(content="AMENDED. " + texts.bridge)
    assert pair(a, b).texts_near
    plain = {NEWS: frozenset({("text", a.versions[0].fingerprint.text_hash)})}
    assert not pair(a, b, plain).texts_near
    assert not pair(a, a, plain).equal_text
    assert pair(a, b, plain).overlap is None


@pytest.mark.parametrize("name", ["whales", "whales_zh", "whales_ja"])
def test_short_texts_support_when_one_contains_the_other(name: str, seen: Any, pair: Any, texts: Any) -> None:
    whole, other = getattr(texts, name), getattr(texts, name.replace("whales", "bridge"))
    a = seen(content=whole[: len(whole) // 2])
    assert pair(a, seen(content=whole)).texts_support
    assert not pair(a, seen(content=other)).texts_support
    assert not pair(seen(content=whole[:20]), seen(content=whole)).texts_support, "too short even to support"


def test_the_first_and_the_latest_versions_are_compared(seen: Any, pair: Any, texts: Any) -> None:
    """A page that changes all day is compared in a few of its states, its first one always among them."""
    filler = [f"{texts.market} This is state number {n} of the running list of this morning." for n in range(9)]
    first = seen(content=texts.bridge, then=tuple(filler))
    second = seen(content=filler[0], then=(texts.bridge, *filler[1:]))
    later = seen(content="AMENDED. " + texts.bridge)
    assert pair(first, later).texts_near
    assert not pair(second, later).texts_near


def test_figures_keep_near_texts_apart(seen: Any, pair: Any) -> None:
    text = (
        "Levels of {} and {} metres were read this morning on the gauges along the river between the two "
        "old locks. The harbour master expects {} more ships by night, and {} of the smaller boats will be "
        "towed to the basin. "
        "Visitors are asked to stay behind the railing until the lock keeper has given the sign."
    )
    a, amended = seen(content=text.format(1, 2, 3, 4)), seen(content="AMENDED. " + text.format(1, 2, 3, 4))
    other = pair(a, seen(content=text.format(6, 7, 8, 9)))
    assert pair(a, amended).texts_near
    assert other.overlap is not None
    assert other.overlap.containment > pair(a, amended).policy.text.similar_containment
    assert not other.texts_near


def test_states_of_versions_do_not_matter(seen: Any, pair: Any, texts: Any) -> None:
    """What a late arrival or a suspect capture said is still what the source said once."""
    a = seen(content=texts.bridge, then=(texts.whales,), states=(VersionState.GOOD, VersionState.LATE))
    assert pair(a, seen(content=texts.whales)).equal_text
