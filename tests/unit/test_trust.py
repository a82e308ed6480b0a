"""What loses its trust in a source: each switch with the sightings that prove it, and some that do not."""

from __future__ import annotations

from typing import Any

import pytest

from seenbefore.codes import TRUST_REASONS
from seenbefore.model import Enclosure
from seenbefore.text.titles import title_key
from seenbefore.trust import Switch, find_switches

HUB = "https://n.example/hub"


@pytest.fixture
def switches(policy: Any) -> Any:
    def find(focus: Any, *others: Any, distrust: Any = None) -> dict[tuple[str, str], str]:
        found: tuple[Switch, ...] = find_switches(focus, others, policy, distrust or {})
        assert {s.reason for s in found} <= set(TRUST_REASONS)
        assert all(s.detail for s in found)
        return {(s.kind, s.value): s.reason for s in found}

    return find


# --- one fetch ----------------------------------------------------------------------------------


def test_a_key_under_two_titles_in_one_fetch(seen: Any, switches: Any) -> None:
    a = seen(guid="1", url=HUB, title="Harbour bridge", fetches=(4,))
    b = seen(guid="1", url=HUB, title="Harbour bridge!? More", fetches=(4,))
    reason = "different_titles_in_one_fetch"
    assert switches(a, b) == {
        ("guid", "1"): reason,
        ("url", HUB): reason,
        ("url_near", "n.example/hub"): reason,
    }


@pytest.mark.parametrize(
    "other",
    [
        {"guid": "2", "title": "Harbour bridge", "fetches": (4,)},  # one title
        {"guid": "2", "title": "Old bridge goes", "fetches": (5,)},  # two fetches
        {"guid": "2", "title": "Old bridge goes", "fetches": (4,), "source": "b", "source_id": 2},
    ],
)
def test_no_proof(other: dict[str, Any], seen: Any, switches: Any) -> None:
    a = seen(guid="1", url=HUB, title="Harbour bridge", fetches=(4,))
    assert switches(a, seen(url=HUB, **other)) == {}


def test_counters_and_publishers_ids_prove_nothing(seen: Any, switches: Any) -> None:
    a = seen(guid="a#0", url=HUB, title="Harbour bridge", fetches=(4,))
    assert switches(a, seen(guid="a#1", url=HUB, title="Old bridge goes", fetches=(4,))) == {}
    site = "https://techcrunch.com/2026/03/01/harbour-bridge-story/"
    a = seen(guid="1", url=site, title="Harbour bridge", fetches=(4,))
    assert switches(a, seen(guid="2", url=site, title="Old bridge goes", fetches=(4,))) == {}


def test_a_known_switch_is_not_found_again(seen: Any, switches: Any) -> None:
    a = seen(guid="1", url=HUB, title="Harbour bridge", fetches=(4,))
    b = seen(guid="2", url=HUB, title="Old bridge goes", fetches=(4,))
    known = {a.source: frozenset({("url", HUB), ("url_near", "n.example/hub")})}
    assert switches(a, b) != {}
    assert switches(a, b, distrust=known) == {}


# --- titles -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("title", "suffix"), [("Open thread", ""), ("每周闲聊", "_zh"), ("今週の雑談", "_ja")])
def test_a_title_over_unlike_texts(title: str, suffix: str, seen: Any, switches: Any, texts: Any) -> None:
    bridge, whales = getattr(texts, f"bridge{suffix}"), getattr(texts, f"whales{suffix}")
    a = seen(guid="1", url="https://n.example/1", title=title, content=bridge)
    b = seen(guid="2", url="https://n.example/2", title=title, content=whales)
    assert switches(a, b) == {("title", title_key(title)): "unlike_texts_under_one_title"}
    rewritten = seen(guid="1", url="https://n.example/2", title=title, content=whales)
    assert switches(a, rewritten) == {}, "one guid: a text may be replaced"
    same = seen(guid="2", url="https://n.example/1", title=title, content=whales)
    assert switches(a, same) == {}, "one link: a text may be replaced"
    assert switches(a, seen(guid="2", url="https://n.example/2", title=title)) == {}, "no text, no proof"


@pytest.mark.parametrize("title", ["All systems normal", "系统运行正常", "すべて正常です"])
def test_a_title_that_returns_at_one_address(title: str, seen: Any, switches: Any) -> None:
    """Each time with a date of its own, so each time in a slot of its own."""

    def entry(slot: int, **fields: Any) -> Any:
        return seen(**{"url": "https://n.example/status", "title": title, "published": 20 * slot, **fields}, slot=slot)

    a, b, c = (entry(slot) for slot in range(3))
    expected = {("title", title_key(title)): "title_returns"}
    assert switches(a, b, c) == switches(c, a, b) == switches(b, c, a) == expected
    assert switches(a, b) == {}, "twice may be a mistake"
    assert switches(a, b, entry(1)) == {}, "one slot counts once"
    assert switches(a, b, entry(2, url="https://n.example/other")) == {}
    assert switches(a, b, entry(2, guid="7")) == {}
    assert switches(a, b, entry(2, title=f"{title} 7")) == {}
    assert switches(a, b, entry(2, source="b", source_id=2)) == {}, "another source's slots are its own"
    assert switches(a, b, c, distrust={a.source: frozenset(expected)}) == {}


def test_a_missing_title_returns_nowhere(seen: Any, switches: Any) -> None:
    assert switches(*(seen(url="https://n.example/status", published=20 * n, slot=n) for n in range(4))) == {}


# --- hubs ---------------------------------------------------------------------------------------


def three(seen: Any, **fields: Any) -> list[Any]:
    titles = ("Harbour bridge to go", "Whales return", "Opera reopens")
    return [seen(guid=f"g{'abc'[n]}", url=HUB, title=title, **fields) for n, title in enumerate(titles)]


def test_unlike_titles_one_after_the_other(seen: Any, switches: Any) -> None:
    a, b, c = three(seen)
    reason = "unlike_titles_over_time"
    assert switches(a, b, c) == {("url", HUB): reason, ("url_near", "n.example/hub"): reason}
    assert switches(a, b) == {}, "two are too few"


def test_the_hub_is_found_from_any_of_its_sightings(seen: Any, switches: Any) -> None:
    a, b, c = three(seen)
    assert switches(b, a, c).keys() == switches(c, b, a).keys() == switches(a, b, c).keys()


@pytest.mark.parametrize(
    "fields",
    [
        {"enclosures": (Enclosure("https://m.example/1.mp3"),)},
        {"content": "bridge"},
    ],
)
def test_retitles_of_one_article_make_no_hub(fields: dict[str, Any], seen: Any, switches: Any, texts: Any) -> None:
    if "content" in fields:
        fields = {"content": texts.bridge}
    a, b, c = three(seen, **fields)
    assert ("url", HUB) not in switches(a, b, c)


def test_similar_titles_and_missing_ones_make_no_hub(seen: Any, switches: Any) -> None:
    titles = (
        "Harbour bridge to be replaced",
        "The harbour bridge to be replaced",
        "Harbour bridge to be replaced now",
    )
    a, b, c = (seen(guid=f"g{'abc'[n]}", url=HUB, title=title) for n, title in enumerate(titles))
    assert switches(a, b, c) == {}
    _, b, c = three(seen)
    assert switches(seen(guid="gx", url=HUB), b, c) == {}, "an empty title is no title"


def test_numbered_titles_make_a_hub(seen: Any, switches: Any) -> None:
    a, b, c = (seen(guid=f"g{'abc'[n]}", url=HUB, title=f"Harbour talk, episode {n}") for n in range(3))
    assert ("url", HUB) in switches(a, b, c)


def test_one_guid_or_a_counter_is_one_article(seen: Any, switches: Any) -> None:
    titles = ("Harbour bridge to go", "Whales return", "Opera reopens")
    assert switches(*(seen(guid="1", url=HUB, title=title) for title in titles)) == {}
    assert switches(*(seen(guid=f"a#{n}", url=HUB, title=title) for n, title in enumerate(titles))) == {}


# --- boilerplate --------------------------------------------------------------------------------


def test_one_text_under_unlike_titles(seen: Any, switches: Any, texts: Any) -> None:
    titles = ("Harbour bridge to go", "Whales return", "Opera reopens")
    a, b, c = (
        seen(guid=f"g{n}x", url=f"https://n.example/{n}", title=t, content=texts.bridge) for n, t in enumerate(titles)
    )
    found = switches(a, b, c)
    assert found == {("text", a.versions[0].fingerprint.text_hash): "unlike_titles_on_one_text"}
    assert switches(a, b) == {}, "two are too few"
    again = seen(guid="gy", url="https://n.example/y", title="Whales return", content=texts.bridge)
    assert switches(a, b, again) == {}, "two titles are too few, however often they come"


def test_syndicated_copies_are_no_boilerplate(seen: Any, switches: Any, texts: Any) -> None:
    titles = (
        "Harbour bridge to be replaced",
        "The harbour bridge to be replaced",
        "Harbour bridge to be replaced: council",
    )
    a, b, c = (
        seen(guid=f"g{n}x", url=f"https://n.example/{n}", title=t, content=texts.bridge) for n, t in enumerate(titles)
    )
    assert switches(a, b, c) == {}
    short = [
        seen(guid=f"g{n}x", url=f"https://n.example/{n}", title=t, content="Bug fixes.") for n, t in enumerate(titles)
    ]
    assert switches(*short) == {}


def test_one_article_may_be_retitled_often(seen: Any, switches: Any, texts: Any) -> None:
    titles = ("Harbour bridge to go", "Whales return", "Opera reopens")
    guid = [seen(guid="1", url=f"https://n.example/{n}", title=t, content=texts.bridge) for n, t in enumerate(titles)]
    doi = [
        seen(guid=f"g{n}x", url=f"https://n.example/{n}", title=t, content=texts.bridge, ids={"doi": "10.1/a"})
        for n, t in enumerate(titles)
    ]
    assert switches(*guid) == {}
    assert switches(*doi) == {}


# --- known to be wrong --------------------------------------------------------------------------


def test_an_id_under_two_titles_in_one_fetch(seen: Any, switches: Any, texts: Any) -> None:
    a = seen(
        guid="1",
        url="https://n.example/1",
        title="Harbour bridge",
        ids={"issn": "1234"},
        content=texts.bridge,
        fetches=(4,),
    )
    b = seen(
        guid="2",
        url="https://n.example/2",
        title="Whales return",
        ids={"issn": "1234"},
        content=texts.whales,
        fetches=(4,),
    )
    assert ("id", "issn:1234") in switches(a, b)
