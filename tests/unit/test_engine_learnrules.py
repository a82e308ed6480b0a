"""Rules that are learned from what a store really holds: items go in through the engine, proposals come out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import seenbefore
from seenbefore.engine.learnrules import learn_rules, observations_of
from seenbefore.model import Item, Kind, Redirect, VersionState
from seenbefore.policy import load_policy
from seenbefore.rules import lay_over, load_rules, parse_pack
from seenbefore.testing.builders import a_sighting, a_version, at
from seenbefore.urls import same_page
from seenbefore.urls.learning import Learned, Why

PAGES = 14
TWICE = [(page, value) for page in range(PAGES) for value in "ab"]
WORDS = "bridge river market station harbour winter council garden museum engine".split()


def text(page: int, tail: str = "") -> str:
    """A text long enough to decide, which no other page has."""
    names = [f"{WORDS[(page * 7 + n * n) % 10]}{page}{n}" for n in range(30)]
    return f"The {', the '.join(names)} were seen by the people who live there. {tail}".strip()


def title(page: int) -> str:
    return f"What {WORDS[page % 10]} number {page} means for all of us"


def item(page: int, address: str, day: float = 0, **fields: Any) -> Item:
    base = Item(
        source="https://news.example/feed",
        original_url=f"https://news.example{address}",
        title=title(page),
        content=text(page),
        observed_at=at(24 * day),
    )
    return replace(base, **fields)


@pytest.fixture(params=[":memory:", "store.db"])
def db(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[seenbefore.SeenBefore]:
    place = request.param if request.param == ":memory:" else tmp_path / request.param
    with seenbefore.open(place) as opened:
        yield opened


Learn = Callable[[], Learned]


@pytest.fixture
def learn(db: seenbefore.SeenBefore) -> Learn:
    return lambda: learn_rules(db.store, load_rules(), load_policy())


def why(learned: Learned) -> dict[str, Why]:
    return {each.name: each.why for each in learned.findings}


def test_a_mark_under_which_texts_stay_is_proposed_and_holds(db: seenbefore.SeenBefore, learn: Learn) -> None:
    db.see_many([item(p, f"/story/{p}?mark={v}{p}") for p, v in TWICE])
    learned = learn()
    assert why(learned) == {"mark": Why.PROPOSED}
    rules = lay_over([parse_pack("learned.toml", learned.to_toml())])
    assert same_page("https://news.example/story/99?mark=x", "https://news.example/story/99", rules)
    assert (learned.observations, learned.hosts, learned.proposals[0].last_seen_at) == (2 * PAGES, 1, at())


def test_sightings_that_were_joined_in_one_record_still_count_apart(db: seenbefore.SeenBefore, learn: Learn) -> None:
    decisions = db.see_many([item(p, f"/story/{p}?mark={v}{p}") for p, v in TWICE])
    assert len({decision.record_id for decision in decisions}) == PAGES
    assert learn().proposals[0].equal == PAGES


def test_a_parameter_that_selects_is_not_proposed(db: seenbefore.SeenBefore, learn: Learn) -> None:
    db.see_many([item(p, f"/view?id={p}") for p in range(PAGES)])
    db.see_many([item(p, f"/view?id={p}&part=2", content=text(100 + p)) for p in range(PAGES)])
    assert why(learn()) == {"id": Why.MATTERS, "part": Why.MATTERS}


def test_an_excerpt_is_another_text(db: seenbefore.SeenBefore, learn: Learn) -> None:
    whole = [item(p, f"/story/{p}?all=yes", content=f"{text(p)} {text(50 + p)} {text(80 + p)}") for p in range(PAGES)]
    db.see_many([*whole, *(item(p, f"/story/{p}") for p in range(PAGES))])
    assert why(learn()) == {"all": Why.MATTERS}


def test_pages_with_a_part_that_changes_daily_are_equal(db: seenbefore.SeenBefore, learn: Learn) -> None:
    """Under each value the text of the day; no value has a text of its own."""
    for day in (1, 2):
        tail = f"Most read on day {day} were other things."
        db.see_many([item(p, f"/story/{p}?mark={v}{day}{p}", day, content=text(p, tail)) for p, v in TWICE])
    assert why(learn()) == {"mark": Why.PROPOSED}


def test_a_word_that_differs_at_one_time_is_what_the_address_chose(db: seenbefore.SeenBefore, learn: Learn) -> None:
    for day in (1, 2, 3):
        db.see_many(
            [
                item(p, f"/shirt/{p}?color={c}", day, content=text(p, f"In {c}."))
                for p in range(PAGES)
                for c in ("red", "blue")
            ]
        )
    assert why(learn()) == {"color": Why.MATTERS}


def test_an_update_in_place_is_no_difference(db: seenbefore.SeenBefore, learn: Learn) -> None:
    for day, tail in ((1, ""), (2, "Corrected since.")):
        db.see_many(
            [
                item(p, f"/story/{p}?mark={v}{p}", day, content=text(p, tail), guid=f"{v}{p}")
                for p in range(PAGES)
                for v in "ab"
            ]
        )
    learned = learn()
    assert why(learned) == {"mark": Why.PROPOSED}
    assert learned.findings[0].tally.different == 0


def test_titles_alone_are_not_enough(db: seenbefore.SeenBefore, learn: Learn) -> None:
    db.see_many([item(p, f"/story/{p}?mark={v}{p}", content="") for p, v in TWICE])
    assert why(learn()) == {"mark": Why.TITLES}


def test_dates_that_move_and_redirects_between_them(db: seenbefore.SeenBefore, learn: Learn) -> None:
    def path(page: int, month: int) -> str:
        return f"/2026/0{month}/0{page + 1}/what-{WORDS[page]}-means-for-us"

    db.see_many([item(p, path(p, m)) for p in range(5) for m in (2, 3)])
    learned = learn()
    assert [each.match for each in learned.proposals] == [("/{year}/{month}/{day}/{story:slug:4}",)]
    assert learned.proposals[0].equal == 5
    moved = [f"https://news.example/2026/0{month}/20/what-nobody-saw-coming-here" for month in (2, 3)]
    redirect = Redirect(moved[0], moved[1], 301, at(), start_key=moved[0], target_key=moved[1])
    with db.store.unit() as unit:
        unit.redirects.add_redirects([redirect])
    assert learn().proposals[0].equal == 6


def test_learning_writes_nothing_and_says_how_far_it_is(db: seenbefore.SeenBefore, learn: Learn) -> None:
    db.see_many([item(p, f"/story/{p}?mark={v}{p}") for p, v in TWICE])
    with db.store.reading() as unit:
        before = unit.journal.last_seq(), unit.counts.count_stored()
    told: list[tuple[int, int]] = []
    learn_rules(db.store, load_rules(), load_policy(), progress=lambda done, total: told.append((done, total)))
    with db.store.reading() as unit:
        assert (unit.journal.last_seq(), unit.counts.count_stored()) == before
    assert told == [(PAGES, PAGES)]


def test_an_empty_store_teaches_nothing(learn: Learn) -> None:
    learned = learn()
    assert (learned.findings, learned.hosts) == ((), 0)
    assert parse_pack("learned.toml", learned.to_toml()).rules == ()


def test_both_stores_teach_the_same(tmp_path: Path) -> None:
    packs = []
    for place in (":memory:", tmp_path / "s.db"):
        with seenbefore.open(place) as db:
            db.see_many([item(p, f"/story/{p}?mark={v}{p}") for p, v in TWICE])
            packs.append(learn_rules(db.store, load_rules(), load_policy()).to_toml())
    assert packs[0] == packs[1]


# --- observations -------------------------------------------------------------------------------


def test_a_sighting_yields_its_versions_but_not_what_was_kept_aside() -> None:
    versions = (a_version("One", 1), a_version("Two", 2, state=VersionState.ASIDE), a_version("Three", 3))
    sighting = a_sighting(5, 1, versions=versions, clean_title="a title that is long enough", last_seen_at=at(9))
    found = list(observations_of(sighting, load_policy()))
    assert [each.seen_at for each in found] == [at(1), at(3)]
    assert {(each.url, each.ref, each.last_seen_at) for each in found} == {
        ("https://news.example/7".replace("7", "1"), 5, at(9))
    }
    assert {each.title for each in found} == {"atitlethatislongenough"}


def test_many_versions_are_cut_to_the_first_and_the_newest() -> None:
    versions = tuple(a_version(f"Text {n}", n) for n in range(10))
    found = list(observations_of(a_sighting(5, 1, versions=versions), load_policy()))
    assert [each.seen_at for each in found] == [at(n) for n in (0, 5, 6, 7, 8, 9)]
    assert {each.title for each in found} == {""}  # too short to identify


def test_pictures_and_entries_without_an_address_are_left_out() -> None:
    for fields in ({"kind": Kind.IMAGE}, {"original_url": ""}):
        sighting = a_sighting(5, 1, versions=(a_version("One"),), **fields)
        assert list(observations_of(sighting, load_policy())) == []
