"""The comparison by text, title and date, where addresses and ids had nothing to say."""

from __future__ import annotations

from typing import Any

import pytest

from seenbefore.codes import EVIDENCE_KINDS
from seenbefore.compare import GUID_COUNTER, RANKS
from seenbefore.model import Comparison, Enclosure, Precision, Relation, Supports
from seenbefore.policy import load_policy
from seenbefore.text.titles import title_key

SAME, REVIEW, UNRELATED, DIFFERENT = Relation.SAME, Relation.REVIEW, Relation.UNRELATED, Relation.DIFFERENT
NEWS = "news.example/feed"
COUNTS = {"traits": {NEWS: frozenset({GUID_COUNTER})}}


def told(comparison: Comparison) -> tuple[Relation, str]:
    return comparison.relation, comparison.reason


def kinds(comparison: Comparison) -> list[str]:
    return [evidence.kind for evidence in comparison.evidence]


def by(comparison: Comparison, kind: str) -> Supports:
    return next(evidence.supports for evidence in comparison.evidence if evidence.kind == kind)


# --- near text ----------------------------------------------------------------------------------


def test_nearly_equal_texts_wait_for_a_person(seen: Any, compare: Any, texts: Any) -> None:
    a = seen(url="https://n.example/a", title="Harbour bridge", content=texts.bridge)
    b = seen(
        "b",
        source_id=2,
        url="https://b.example/z",
        title="Old bridge goes",
        content="AMENDED. " + texts.bridge,
    )
    found = compare(a, b)
    assert told(found) == (REVIEW, "similar_text")
    assert by(found, "text_containment") is Supports.YES
    assert by(found, "text_numbers") is Supports.YES


def test_the_same_template_with_other_figures_does_not_join(seen: Any, compare: Any) -> None:
    template = (
        "Harbour weather report. Wind from the north-west at {} knots, gusts of up to {} knots, waves {} m "
        "in the outer bay. Barometer at {} and falling slowly. Small boats should stay inside the breakwater "
        "until the warning is lifted by the harbour master, who can be reached at the pier at any hour."
    )
    a = seen(url="https://n.example/a", title="Harbour weather report", content=template.format(12, 19, 2.5, 1003))
    b = seen(url="https://n.example/b", title="Harbour weather report", content=template.format(31, 44, 4.5, 987))
    found = compare(a, b)
    assert found.relation is UNRELATED
    assert by(found, "text_numbers") is Supports.NO


def test_near_texts_far_apart_in_time_do_not_join(seen: Any, compare: Any, texts: Any) -> None:
    a = seen(url="https://n.example/a", title="Harbour bridge", content=texts.bridge, published=0)
    b = seen(url="https://n.example/b", title="Harbour bridge", content="AMENDED. " + texts.bridge, published=31)
    c = seen(url="https://n.example/b", title="Harbour bridge", content="AMENDED. " + texts.bridge, published=30)
    assert compare(a, b).relation is UNRELATED
    assert told(compare(a, c)) == (REVIEW, "similar_text")


def test_near_texts_under_conflicting_titles_do_not_join(seen: Any, compare: Any, texts: Any) -> None:
    a = seen(url="https://n.example/a", title="Episode 41", content=texts.bridge)
    b = seen(url="https://n.example/b", title="Episode 42", content="AMENDED. " + texts.bridge)
    assert compare(a, b).relation is UNRELATED


def test_half_a_text_goes_to_review_when_the_titles_agree(seen: Any, compare: Any, texts: Any) -> None:
    mixed = texts.bridge[:240] + texts.opera[:120]
    a = seen(url="https://n.example/a", title="Harbour bridge to be replaced", content=texts.bridge)
    b = seen(url="https://n.example/b", title="The harbour bridge to be replaced", content=mixed)
    c = seen(url="https://n.example/b", title="Notes of the week", content=mixed)
    assert told(compare(a, b)) == (REVIEW, "similar_text")
    assert by(compare(a, b), "text_containment") is Supports.UNKNOWN
    assert compare(a, c).relation is UNRELATED


def test_a_near_text_joins_inside_a_source_and_in_its_second_only(seen: Any, compare: Any, texts: Any) -> None:
    """A template with a name changed is as near as a copy with a typo mended: a person should look."""
    a = seen(guid="1", url="https://n.example/a", title="Bridge", content=texts.bridge, published=0.4)
    more, reworded = "AMENDED. " + texts.bridge, texts.bridge.replace("Engineers", "Specialists")

    def other(title: str, content: str, published: float) -> Any:
        return seen(guid="2", url="https://n.example/b", title=title, content=content, published=published)

    assert told(compare(a, other("Bridge", more, 1.4))) == (REVIEW, "similar_text")
    assert told(compare(a, other("Bridge", more, 0.4))) == (SAME, "text_near")
    assert told(compare(a, other("Vote", more, 0.4))) == (SAME, "text_near")
    assert told(compare(a, other("Vote", more, 1.4))) == (REVIEW, "similar_text")
    assert told(compare(a, other("Bridge", reworded, 0.4))) == (REVIEW, "similar_text")
    elsewhere = seen("b", source_id=2, guid="2", url="https://b.example/b", title="Bridge", content=reworded)
    assert told(compare(a, elsewhere)) == (REVIEW, "similar_text")


def test_an_excerpt_waits_for_a_person(seen: Any, compare: Any, texts: Any) -> None:
    long = texts.bridge + " " + texts.whales + " " + texts.opera
    a = seen(guid="1", url="https://n.example/a", title="Harbour bridge to be replaced", content=long, published=0)
    own = seen(
        guid="2",
        url="https://n.example/b",
        title="Harbour bridge to be replaced",
        content=texts.bridge,
        published=0.1,
    )
    foreign = seen(
        "b",
        source_id=2,
        url="https://b.example/b",
        title="Harbour bridge to be replaced",
        content=texts.bridge,
    )
    other = seen("b", source_id=2, url="https://b.example/b", title="From the council", content=texts.bridge)
    assert told(compare(a, own)) == (REVIEW, "flash_then_full")
    assert told(compare(a, foreign)) == (REVIEW, "similar_text")
    assert told(compare(a, other)) == (REVIEW, "similar_text")


@pytest.mark.parametrize(
    ("choice", "expected"),
    [
        ("duplicate", (SAME, "text_equal")),
        ("review", (REVIEW, "same_text_elsewhere")),
        ("related", (UNRELATED, "")),
    ],
)
def test_what_counts_across_sources_is_policy(
    choice: str, expected: tuple[Relation, str], seen: Any, compare: Any, texts: Any
) -> None:
    policy = load_policy({"version": "t", "across_sources": {"same_text": choice}})
    a = seen(url="https://n.example/a", title="Harbour bridge", content=texts.bridge)
    b = seen("b", source_id=2, url="https://b.example/z", title="Old bridge goes", content=texts.bridge)
    assert told(compare(a, b, policy)) == expected
    inside = seen(url="https://n.example/z", title="Harbour bridge", content=texts.bridge)
    assert told(compare(a, inside, policy)) == (SAME, "text_equal"), "inside a source nothing changes"


@pytest.mark.parametrize(
    ("title", "published", "expected"),
    [
        ("Harbour bridge to be replaced", 9.4, (SAME, "text_equal")),
        ("The harbour bridge to be replaced", 9.4, (SAME, "text_equal")),
        ("Old bridge goes", 0.4, (SAME, "text_equal")),
        ("Old bridge goes", 9.4, (REVIEW, "same_text_other_title")),
    ],
)
def test_an_equal_text_inside_a_source_needs_its_title_or_its_second(
    title: str, published: float, expected: tuple[Relation, str], seen: Any, compare: Any, texts: Any
) -> None:
    first = {"url": "https://n.example/a", "title": "Harbour bridge to be replaced"}
    a = seen(guid="1", content=texts.bridge, published=0.4, **first)
    b = seen(guid="2", url="https://n.example/z", title=title, content=texts.bridge, published=published)
    assert told(compare(a, b)) == expected


def test_midnight_is_no_second_of_an_equal_text(seen: Any, compare: Any, texts: Any) -> None:
    a = seen(guid="1", url="https://n.example/a", title="Harbour bridge", content=texts.bridge, published=0)
    b = seen(guid="2", url="https://n.example/z", title="Old bridge goes", content=texts.bridge, published=0)
    assert told(compare(a, b)) == (REVIEW, "same_text_other_title")


# --- title and date -----------------------------------------------------------------------------


@pytest.mark.parametrize("title", ["Harbour bridge to be replaced", "港口大桥将要重建", "港の橋を架け替え"])
def test_title_and_date_go_to_review(title: str, seen: Any, compare: Any) -> None:
    a = seen(guid="1", url="https://n.example/a", title=title, published=0)
    b = seen(guid="2", url="https://n.example/b", title=title, published=0)
    later = seen(guid="2", url="https://n.example/b", title=title, published=6.1)
    elsewhere = seen("b", source_id=2, url="https://b.example/b", title=title, published=0)
    assert told(compare(a, b)) == (REVIEW, "title_and_date")
    assert by(compare(a, b), "published_equal") is Supports.YES
    assert compare(a, later).relation is UNRELATED
    assert compare(a, elsewhere).relation is UNRELATED


def test_a_day_without_time_may_be_the_same_date(seen: Any, compare: Any, a_date: Any) -> None:
    a = seen(guid="1", url="https://n.example/a", title="Harbour bridge", published=a_date(0, Precision.DAY))
    b = seen(guid="2", url="https://n.example/b", title="Harbour bridge", published=0.4)
    assert told(compare(a, b)) == (REVIEW, "title_and_date")


def test_a_recurring_title_says_nothing(seen: Any, compare: Any) -> None:
    a = seen(guid="1", url="https://n.example/a", title="Open thread", published=0)
    b = seen(guid="2", url="https://n.example/b", title="Open thread", published=0)
    assert told(compare(a, b)) == (REVIEW, "title_and_date")
    assert compare(a, b, distrust={NEWS: frozenset({("title", title_key(a.clean_title))})}).relation is UNRELATED


@pytest.mark.parametrize(
    ("title", "short"),
    [
        ("Harbour bridge to be replaced", "Harbour bridge to go"),
        ("港口大桥将要重建的消息得到证实", "港口大桥将要重建"),
        ("港の橋の架け替えを正式に決定", "港の橋を架け替え"),
    ],
)
def test_a_long_title_within_days_goes_to_review(title: str, short: str, seen: Any, compare: Any) -> None:
    """A title so long is hardly chosen twice in a week; a shorter one may be."""

    def entry(guid: str, name: str, published: float | None, **fields: Any) -> Any:
        return seen(guid=guid, url=f"https://n.example/{guid}", title=name, published=published, **fields)

    a, near = entry("a", title, 0), entry("b", title, 5.9)
    found = compare(a, near)
    assert told(found) == (REVIEW, "title_and_date")
    assert "published_equal" not in kinds(found), "what is not so is not noted"
    assert by(found, "hours_apart") is Supports.UNKNOWN
    assert compare(a, entry("b", title, 6.1)).relation is UNRELATED
    assert compare(a, entry("b", title, None)).relation is UNRELATED
    assert compare(entry("a", short, 0), entry("b", short, 1)).relation is UNRELATED
    assert compare(a, entry("b", title, 1, source="b", source_id=2)).relation is UNRELATED
    recurs = {NEWS: frozenset({("title", title_key(title))})}
    assert compare(a, near, distrust=recurs).relation is UNRELATED


def test_other_media_under_one_title_are_other_articles(seen: Any, compare: Any) -> None:
    one, two = (Enclosure(f"https://m.example/{n}.mp3") for n in (1, 2))
    a = seen(guid="1", url="https://n.example/a", title="Harbour talk", published=0, enclosures=(one,))
    b = seen(guid="2", url="https://n.example/b", title="Harbour talk", published=0, enclosures=(two,))
    assert told(compare(a, b)) == (UNRELATED, "different")


def test_one_text_only_leaves_title_and_date(seen: Any, compare: Any, texts: Any) -> None:
    a = seen(guid="1", url="https://n.example/a", title="Harbour bridge", published=0, content=texts.bridge)
    b = seen(guid="2", url="https://n.example/b", title="Harbour bridge", published=0)
    half = seen(
        guid="2",
        url="https://n.example/b",
        title="Harbour bridge",
        published=0,
        content=texts.bridge[:120] + texts.opera,
    )
    assert told(compare(a, b)) == (REVIEW, "title_and_date")
    assert compare(a, half).relation is UNRELATED, "both have texts, and these are not alike"


def test_what_the_engine_took_apart_by_date_waits(seen: Any, compare: Any) -> None:
    a = seen(url="https://n.example/status", title="All systems normal", published=0)
    b = seen(url="https://n.example/status", title="All systems normal", published=20, slot=1)
    assert told(compare(a, b)) == (REVIEW, "repeated_title")
    assert by(compare(a, b), "hours_apart") is Supports.NO
    with_guid = {"guid": "g", "url": "https://n.example/status", "title": "All systems normal"}
    assert told(compare(seen(**with_guid), seen(slot=1, **with_guid))) == (SAME, "guid")
    one, two = {**with_guid, "ids": {"doi": "10.1/a"}}, {**with_guid, "ids": {"doi": "10.1/b"}}
    assert told(compare(seen(**one), seen(slot=1, **two))) == (DIFFERENT, "id_conflict")
    other = {**with_guid, "url": "http://n.example/status"}
    assert told(compare(seen(**with_guid), seen(slot=1, **other))) == (SAME, "guid"), "another address is no other slot"


def test_a_flash_and_its_full_text(seen: Any, compare: Any, texts: Any) -> None:
    flash = seen(guid="1", url="https://n.example/a", title="Harbour bridge", published=0, content=texts.bridge[:90])
    full = seen(guid="2", url="https://n.example/b", title="Harbour bridge", published=0.5, content=texts.bridge)
    other = seen(guid="2", url="https://n.example/b", title="Harbour bridge", published=0.5, content=texts.whales)
    later = seen(guid="2", url="https://n.example/b", title="Harbour bridge", published=1.5, content=texts.bridge)
    assert told(compare(flash, full)) == (REVIEW, "flash_then_full")
    assert compare(flash, other).relation is UNRELATED
    assert compare(flash, later).relation is UNRELATED
    policy = load_policy({"version": "t", "across_sources": {"flash_then_full": "update"}})
    assert told(compare(flash, full, policy)) == (SAME, "flash_then_full")


# --- the whole ----------------------------------------------------------------------------------


def test_every_evidence_has_a_documented_kind_and_rounded_values(seen: Any, compare: Any, texts: Any) -> None:
    common = {"guid": "1", "url": "https://n.example/a"}
    a = seen(title="Harbour bridge to be replaced", content=texts.bridge, published=0, **common)
    b = seen(title="Old harbour bridge", content=texts.bridge[:200] + texts.opera[:200], published=0.3, **common)
    found = compare(a, b)
    assert set(kinds(found)) <= set(EVIDENCE_KINDS)
    assert all(e.value == round(e.value, 4) for e in found.evidence if isinstance(e.value, float))


def test_joins_are_ranked_from_the_most_certain_to_the_least(seen: Any, compare: Any, texts: Any) -> None:
    assert sorted(RANKS, key=lambda reason: RANKS[reason]) == [
        "same_id", "redirect", "text_equal", "guid", "url", "site", "near_url", "same_slug", "corrected_slug",
        "text_near", "flash_then_full", "mass_change",
    ]  # fmt: skip
    a = seen(url="https://n.example/a", title="Harbour bridge", content=texts.bridge)
    b = seen(url="https://n.example/b", title="Harbour bridge", content=texts.bridge)
    assert compare(a, b).rank == RANKS["text_equal"]


def test_an_excerpt_that_leaves_out_the_figures(seen: Any, compare: Any, texts: Any) -> None:
    title = "Whales return to the bay"
    whole = texts.whales + " The count began on 3 May 2019 and went on for 412 days at 17 places. " + texts.opera
    a = seen(guid="1", url="https://n.example/a", title=title, content=texts.whales, published=0)
    b = seen(guid="2", url="https://n.example/b", title=title, content=whole, published=0.2)
    assert told(compare(a, b)) == (REVIEW, "flash_then_full")
