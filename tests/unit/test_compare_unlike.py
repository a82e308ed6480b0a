"""Wrong joins that were found in review: unlike articles that an address, an id or a title once joined."""

from __future__ import annotations

from typing import Any

import pytest

from seenbefore.compare import GUID_COUNTER
from seenbefore.model import Comparison, Relation, Supports
from seenbefore.policy import load_policy

SAME, REVIEW, UNRELATED, DIFFERENT = Relation.SAME, Relation.REVIEW, Relation.UNRELATED, Relation.DIFFERENT
NEWS = "news.example/feed"
COUNTS = {"traits": {NEWS: frozenset({GUID_COUNTER})}}


def told(comparison: Comparison) -> tuple[Relation, str]:
    return comparison.relation, comparison.reason


def kinds(comparison: Comparison) -> list[str]:
    return [evidence.kind for evidence in comparison.evidence]


def by(comparison: Comparison, kind: str) -> Supports:
    return next(evidence.supports for evidence in comparison.evidence if evidence.kind == kind)


def test_untitled_entries_with_unlike_texts_on_one_link_stay_apart(seen: Any, compare: Any, texts: Any) -> None:
    a = seen(guid="1", url="https://n.example/blog", content=texts.bridge, fetches=(1,))
    b = seen(guid="2", url="https://n.example/blog", content=texts.whales, fetches=(1,))
    assert compare(a, b).relation is not SAME


def test_a_recurring_title_on_one_link_stays_apart(seen: Any, compare: Any, texts: Any) -> None:
    a = seen(guid="x", url="https://n.example/blog", title="Weekly notes", content=texts.bridge, fetches=(1,))
    b = seen(guid="y", url="https://n.example/blog", title="Weekly notes", content=texts.whales, fetches=(1,))
    assert compare(a, b).relation is not SAME


@pytest.mark.parametrize("title", ["Weekly harbour report", "Weekly harbour report for ships"])
def test_weekly_reports_on_one_link_are_not_joined_silently(title: str, seen: Any, compare: Any, texts: Any) -> None:
    link = "https://n.example/weekly"
    a = seen(guid="x", url=link, title="Weekly harbour report", content=texts.bridge, published=0)
    b = seen(guid="y", url=link, title=title, content=texts.whales, published=7)
    assert compare(a, b).relation is not SAME


def test_a_learnt_counter_does_not_join_unlike_texts(seen: Any, compare: Any, texts: Any) -> None:
    link = "https://n.example/news"
    a = seen(guid="post 101", url=link, title="Harbour bridge", content=texts.bridge, fetches=(1,))
    b = seen(guid="post 102", url=link, title="Whales return", content=texts.whales, fetches=(1,))
    assert compare(a, b, **COUNTS).relation is not SAME


@pytest.mark.parametrize("title", ["Harbour bridge to be replaced", "Whales return"])
def test_unlike_texts_hold_a_near_address_back(title: str, seen: Any, compare: Any, texts: Any) -> None:
    first = {"title": "Harbour bridge to be replaced", "content": texts.bridge}
    a = seen(guid="1", url="https://n.example/a", published=0, **first)
    b = seen(guid="2", url="http://n.example/a", published=0, title=title, content=texts.whales)
    assert compare(a, b).relation is not SAME


def test_equal_article_numbers_of_two_publishers_do_not_join(seen: Any, compare: Any, texts: Any) -> None:
    a = seen(url="https://n.example/a", title="Harbour bridge", content=texts.bridge, ids={"article": "1234"})
    b = seen(
        "b",
        source_id=2,
        url="https://b.example/z",
        title="Whales",
        content=texts.whales,
        ids={"article": "1234"},
    )
    assert compare(a, b).relation is not SAME


def test_redirects_to_a_common_page_do_not_join_unlike_articles(seen: Any, compare: Any, texts: Any) -> None:
    one, two, end = "https://n.example/a", "https://b.example/z", "https://consent.example/collect"
    a = seen(url=one, title="Harbour bridge", content=texts.bridge, redirects=((one, end),))
    b = seen("b", source_id=2, url=two, title="Whales", content=texts.whales, redirects=((two, end),))
    assert compare(a, b).relation is not SAME


def test_one_id_over_unlike_articles(seen: Any, compare: Any, texts: Any) -> None:
    a = seen(guid="1", url="https://n.example/1", title="Harbour", content=texts.bridge, ids={"issn": "1234"})
    b = seen(guid="2", url="https://n.example/2", title="Whales", content=texts.whales, ids={"issn": "1234"})
    assert compare(a, b).relation is not SAME


def test_an_id_of_the_source_needs_a_fact_beside_it(seen: Any, compare: Any) -> None:
    ids = {"article": "42"}
    a = seen(guid="1", url="https://n.example/a", title="Harbour bridge to be replaced", ids=ids)
    same = seen(guid="2", url="https://n.example/b", title="The harbour bridge to be replaced", ids=ids)
    other = seen(guid="3", url="https://n.example/c", title="Whales return to the bay", ids=ids)
    assert compare(a, same).reason == "same_id"
    assert compare(a, other).relation is Relation.UNRELATED


def test_near_texts_elsewhere_are_nothing_where_the_policy_says_related(seen: Any, compare: Any, texts: Any) -> None:
    a = seen(url="https://n.example/a", title="Harbour bridge", content=texts.bridge)
    b = seen("b", source_id=2, url="https://b.example/z", title="Old bridge goes", content="AMENDED. " + texts.bridge)
    related = load_policy({"version": "t", "across_sources": {"same_text": "related"}})
    assert compare(a, b).relation is Relation.REVIEW
    assert compare(a, b, related).relation is Relation.UNRELATED


# --- a page that is announced again -------------------------------------------------------------

HOME = "https://n.example/exhibitions"
TITLES = [
    ("Harbour bridge to be replaced", "Opera reopens on Friday", "The harbour bridge and the ferry"),
    ("港口大桥将于明年三月开工重建", "歌剧院周五重新开放", "港口大桥将于明年改为渡轮"),
    ("港の大橋を来年三月に架け替え", "歌劇場が金曜に再開", "港の大橋を来年は渡し船に"),
]


@pytest.mark.parametrize(("title", "unlike", "alike"), TITLES)
def test_a_page_announced_again_is_another_article(
    title: str, unlike: str, alike: str, seen: Any, compare: Any
) -> None:
    """A headline that is rewritten keeps its date, or moves it by hours; pages serve one show after another."""

    def entry(guid: str, name: str, published: float | None, **fields: Any) -> Any:
        return seen(guid=guid, url=HOME, title=name, published=published, **fields)

    a = entry("x", title, 0)
    waits, apart = (REVIEW, "same_link_other_title"), (UNRELATED, "different")
    assert told(compare(a, entry("y", unlike, 2.0))) == waits
    assert told(compare(a, entry("y", unlike, 2.1))) == apart
    assert told(compare(entry("x", title, 2.1), entry("y", unlike, 0))) == apart, "whichever came first"
    assert told(compare(a, entry("y", alike, 5.9))) == waits
    assert told(compare(a, entry("y", alike, 6.1))) == apart
    assert told(compare(a, entry("y", unlike, None))) == waits
    assert told(compare(a, entry("", unlike, 9))) == apart
    assert {kind for kind, _, _ in compare(a, entry("y", unlike, 9)).via} == {"url", "url_near"}


def test_a_similar_title_waits_at_any_date(seen: Any, compare: Any) -> None:
    a = seen(guid="x", url=HOME, title="Harbour bridge to be replaced", published=0)
    b = seen(guid="y", url=HOME, title="The harbour bridge to be replaced", published=90)
    assert told(compare(a, b)) == (REVIEW, "same_link_other_title")
    assert told(compare(a, seen(guid="y", url=HOME, title=a.clean_title, published=90))) == (REVIEW, "repeated_title")


def test_what_speaks_for_one_article_outweighs_its_new_date(seen: Any, compare: Any, texts: Any) -> None:
    def entry(guid: str, title: str, published: float, content: str) -> Any:
        return seen(guid=guid, url=HOME, title=title, published=published, content=content)

    first, second = "Harbour bridge to be replaced", "Opera reopens"
    short = texts.bridge[:100]
    assert told(compare(entry("x", first, 0, short), entry("y", second, 9, short))) == (REVIEW, "same_link_other_title")
    one = entry("x", first, 0, texts.bridge)
    assert told(compare(one, entry("y", second, 9, f"AMENDED. {texts.bridge}"))) == (SAME, "url")
    assert told(compare(entry("7", first, 0, ""), entry("7", second, 9, ""))) == (SAME, "guid")
    elsewhere = seen("b", source_id=2, guid="y", url=HOME, title=second, published=9)
    assert told(compare(one, elsewhere)) == (SAME, "url"), "another source may say it in its own words, and later"
