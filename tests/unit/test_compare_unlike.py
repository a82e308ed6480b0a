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
