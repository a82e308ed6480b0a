"""Paths that move, the pack that is made of all proposals, and what it says to people and programs."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

import pytest

from seenbefore.rules import lay_over, load_rules, parse_pack
from seenbefore.urls import identify, same_page
from seenbefore.urls.learning import LearningLimits, Observation, Why, learn, learn_from, new_sample
from seenbefore.urls.proving import iter_failures

from .observed import PAGES, applied, finding, marked, shown, story

# --- paths --------------------------------------------------------------------------------------


def moving(pages: Iterable[int], form: str = "/2026/{:02}/{:02}/{}") -> list[Observation]:
    """Stories that lie under two dates."""
    return [shown(form.format(m, p + 1, f"what-happened-in-town-{p}x"), p) for p in pages for m in (2, 3)]


@pytest.mark.parametrize(
    ("form", "match"),
    [
        ("/2026/{:02}/{:02}/{}", "/{year}/{month}/{day}/{story:slug:4}"),
        ("/blog/2026/{0:02}/{2}", "/blog/{year}/{month}/{story:slug:4}"),
        ("/2026{:02}{:02}/{}", "/{date:digits:8}/{story:slug:4}"),
        ("/news/2026-{:02}-{:02}/{}.html", "/news/{year}-{month}-{day}/{story:slug:4}.html"),
    ],
)
def test_dates_that_move_before_a_slug_are_proposed(form: str, match: str) -> None:
    learned = learn(moving(range(8), form))
    [proposal] = learned.proposals
    assert proposal.match == (match,)
    one, other = (f"https://news.example{form.format(month, 9, 'a-story-of-another-day')}" for month in (5, 6))
    [claim] = identify(one, applied(learned)).claims
    assert claim.value in {each.value for each in identify(other, applied(learned)).claims}
    assert claim.reads.value == "slug"


def test_one_column_that_returns_with_other_texts_forbids_the_rule() -> None:
    column = [shown(f"/2026/0{m}/01/the-week-in-our-town", f"week {m}") for m in (2, 3)]
    found = learn([*moving(range(8)), *column]).findings[0]
    assert (found.why, found.proposal) == (Why.RETURNS, None)


def test_a_slug_under_many_dates_returns_even_with_one_text() -> None:
    thread = [shown(f"/2026/0{m}/01/talk-about-anything-you-like", "open thread") for m in (2, 3, 4, 5)]
    assert learn([*moving(range(8)), *thread]).findings[0].why is Why.RETURNS


def test_short_slugs_and_few_moves_are_no_rule() -> None:
    short = [shown(f"/2026/0{m}/01/our-town{chr(97 + p)}-today", p) for p in range(8) for m in (2, 3)]
    assert learn(short).findings == ()
    assert [each.why for each in learn(moving(range(4))).findings] == [Why.FEW]


def sections(names: Iterable[str], texts: str = "{page}") -> list[Observation]:
    return [
        shown(f"/{name}/what-happened-in-town-{page}x", texts.format(page=page, name=name))
        for page in range(8)
        for name in names
    ]


def test_sections_between_which_slugs_moved_are_named() -> None:
    learned = learn(sections(["world", "culture"]))
    [proposal] = learned.proposals
    assert proposal.match == ("/culture/{story:slug:4}", "/world/{story:slug:4}")
    page = "a-story-of-another-day"
    assert same_page(f"https://news.example/world/{page}", f"https://news.example/culture/{page}", applied(learned))
    assert not same_page(f"https://news.example/world/{page}", f"https://news.example/author/{page}", applied(learned))


def test_places_and_languages_are_no_sections_that_move() -> None:
    assert learn(sections(["berlin", "munich"], "{page} {name}")).findings[0].why is Why.RETURNS
    assert learn(sections(["de", "fr"])).findings == ()


def test_a_redirect_to_another_date_is_a_move_and_one_to_a_front_page_is_not() -> None:
    sample = new_sample()
    for each in moving(range(4)):
        sample.take(each)
    host = "https://news.example"
    for n in range(2):
        sample.take_redirect(f"{host}/2026/02/09/the-other-story-{n}-x", f"{host}/2026/04/09/the-other-story-{n}-x")
    seen = sample.seen
    sample.take_redirect(f"{host}/2026/02/09/one-that-is-gone-now", f"{host}/2026/04/09/everything-is-here-now-x")
    sample.take_redirect(
        f"{host}/2026/02/09/one-that-is-gone-now", "https://other.example/2026/02/09/one-that-is-gone-now"
    )
    assert sample.seen == seen
    learned = learn_from(sample)
    assert [(each.equal, each.kind.value) for each in learned.proposals] == [(6, "identity")]


# --- the pack -----------------------------------------------------------------------------------


def everything() -> list[Observation]:
    return [
        *marked(),
        *(replace(each, text=f"moved {each.text}") for each in moving(range(8))),
        *sections(["world", "culture"], "section {page}"),
    ]


def test_the_pack_is_valid_and_its_pairs_are_stored_addresses_that_hold() -> None:
    observations = everything()
    pack = parse_pack("learned.toml", learn(observations).to_toml())
    assert len(pack.rules) == 3
    assert list(iter_failures(pack, lay_over([pack]))) == []
    stored = {each.url for each in observations}
    for rule in pack.rules:
        assert min(len(rule.must_match), len(rule.must_not_match)) >= 2
        assert {url for pair in (*rule.must_match, *rule.must_not_match) for url in pair} <= stored
        assert rule.fact == "stored sightings"
    drop = next(rule for rule in pack.rules if rule.names)
    assert "20 pages showed the same under other values (20 by equal texts), 0 did not." in drop.reason
    assert not drop.strong


def test_the_order_of_observations_plays_no_part() -> None:
    observations = everything()
    expected = learn(observations).to_toml()
    for seed in range(3):
        random.Random(seed).shuffle(observations)
        assert learn(observations).to_toml() == expected


def test_hosts_and_names_that_look_alike_get_ids_of_their_own() -> None:
    pages = [replace(each, url=each.url.replace("mark=", name)) for name in ("_x=", "x=") for each in marked()]
    ids = [proposal.id for proposal in learn(pages).proposals]
    assert ids == ["learned-news-example-x", "learned-news-example-x-2"]


def test_secrets_are_not_written_down() -> None:
    pages = [replace(each, url=each.url.replace("mark=", "access_token=s3cr3t")) for each in marked()]
    learned = learn(pages)
    assert [proposal.names for proposal in learned.proposals] == [("access_token",)]
    assert "s3cr3t" not in learned.to_toml()
    few = [replace(each, url=f"{each.url.partition('=')[0]}=s3cr3t{n % 2}") for n, each in enumerate(pages)]
    assert finding(learn(few), "access_token").why is Why.NO_EXAMPLES


def test_without_two_pages_to_tell_apart_nothing_is_proposed() -> None:
    pages = [shown(f"{story(p)}?mark={v}{p}", "", title="") for p in range(PAGES) for v in "ab"]
    one_text = [replace(each, text="one") for each in pages]
    assert learn(one_text, limits=LearningLimits(boilerplate_titles=99, most_dates=99)).proposals == ()


def test_the_table_says_what_is_proposed_and_why_not() -> None:
    other = [shown(f"/view?id={p}&part={n}", f"{p} {n}") for p in range(PAGES) for n in range(2)]
    rows = learn([*marked(), *other]).rows()
    assert ("news.example", "mark (/story/{slug})", "20", "0", "proposed") in rows
    assert ("news.example", "part", "0", "20", "other values, other texts") in rows


def test_as_json_every_finding_has_its_counts_and_its_rule() -> None:
    found = learn(marked()).to_json()
    assert (found["hosts"], found["observations"], found["proposed"]) == (1, 2 * PAGES, 1)
    [each] = found["findings"]  # type: ignore[misc]
    assert (each["name"], each["equal_texts"], each["rule"]["match"]) == ("mark", PAGES, ["/story/{slug}"])


KEEP = """
pack = "mine"
version = 1
[[rule]]
id = "mine-mark"
kind = "keep"
hosts = ["news.example"]
prefixes = ["mar"]
reason = "they select"
fact = "seen"
must_match = [["https://news.example/a?mark=1", "https://news.example/a/?mark=1"],
              ["https://news.example/b?mark=1", "https://news.example/b/?mark=1"]]
must_not_match = [["https://news.example/a?mark=1", "https://news.example/a?mark=2"],
                  ["https://news.example/b?mark=1", "https://news.example/b?mark=2"]]
"""


def test_a_rule_that_does_not_hold_beside_those_in_force_is_not_proposed() -> None:
    rules = load_rules([("mine.toml", KEEP)])
    found = finding(learn(marked(), rules), "mark")
    assert (found.why, found.proposal) == (Why.UNPROVEN, None)
    assert finding(learn(marked()), "mark").why is Why.PROPOSED
