"""Addresses as places: what is a slug, what a section, and which slugs differ in a word left out."""

from __future__ import annotations

import pytest

from seenbefore.urls.page import (
    MIN_WORDS,
    Page,
    are_desks,
    is_in_other_section,
    is_in_sister_section,
    is_shortened,
    left_out,
    page_of,
)

BRIDGE = "n.example/news/harbour-bridge-vote"


def page(near: str) -> Page:
    found = page_of(near)
    assert found is not None, near
    return found


# --- slugs --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("near", "directory", "words"),
    [
        ("n.example/news/harbour-bridge-vote", "/news", "harbour bridge vote"),
        ("n.example/harbour_bridge_vote.html", "", "harbour bridge vote"),
        ("n.example/a/b/Harbour+Bridge.Vote.PHP", "/a/b", "harbour bridge vote"),
        ("n.example/a/harbour%20bridge%20vote", "/a", "harbour bridge vote"),
        ("n.example/a/--harbour--bridge--vote-", "/a", "harbour bridge vote"),
        ("n.example/a/release-2-of-the-tool", "/a", "release 2 of the tool"),
        ("n.example/a/caf%C3%A9-au-lait", "/a", "café au lait"),
        ("n.example/%E6%B8%AF/%E6%A9%8B-%E3%81%AE-%E8%A9%B1", "/港", "橋 の 話"),
        ("n.example/港口/大桥-将要-重建", "/港口", "大桥 将要 重建"),
    ],
)
def test_places(near: str, directory: str, words: str) -> None:
    assert page_of(near) == Page("n.example", directory, tuple(words.split()))


@pytest.mark.parametrize(
    "near",
    [
        "n.example",
        "n.example/",
        "n.example/news/",
        "n.example/news/57505076",
        "n.example/news/open-thread",
        "n.example/news/2026-03-02",
        "n.example/news/release-2-0-1",
        "n.example/news/a1-b2-c3",
        "n.example/news/港口大桥将要重建",
        "n.example/view?title=harbour-bridge-vote",
        "n.example/harbour-bridge-vote?page=2",
        "n.example/harbour-bridge-vote#top",
    ],
)
def test_what_is_no_slug(near: str) -> None:
    assert page_of(near) is None


def test_the_least_number_of_words() -> None:
    words = ["harbour", "bridge", "vote"]
    assert len(words) == MIN_WORDS
    assert page_of(f"n.example/{'-'.join(words)}")
    assert not page_of(f"n.example/{'-'.join(words[1:])}")


def test_an_escaped_slash_is_no_directory() -> None:
    assert page("n.example/news/bridge-and%2For-ferry").directory == "/news"


# --- sections -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "other",
    [
        "n.example/research/harbour-bridge-vote",
        "n.example/harbour-bridge-vote.html",
        "n.example/world/europe/harbour-bridge-vote",
        "n.example/news/local/harbour-bridge-vote",
        "n.example/ニュース/harbour-bridge-vote",
        "n.example/%E6%96%B0%E9%97%BB/harbour-bridge-vote",
    ],
)
def test_other_sections(other: str) -> None:
    assert is_in_other_section(page(BRIDGE), page(other))
    assert is_in_other_section(page(other), page(BRIDGE))


@pytest.mark.parametrize(
    "other",
    [
        "n.example/news/harbour-bridge-vote",
        "n.example/research/harbour-bridge-talk",
        "n.example/research/bridge-harbour-vote",
        "n.example/2026/harbour-bridge-vote",
        "n.example/news/03/harbour-bridge-vote",
        "n.example/第3回/harbour-bridge-vote",
        "n.example/en/harbour-bridge-vote",
        "n.example/zh-cn/harbour-bridge-vote",
        "n.example/ZH-Hant/harbour-bridge-vote",
        "n.example/@anna/harbour-bridge-vote",
        "n.example/~anna/harbour-bridge-vote",
        "n.example/video/harbour-bridge-vote",
        "n.example/news/Podcasts/harbour-bridge-vote",
        "n.example/products/harbour-bridge-vote",
        "n.example/events/harbour-bridge-vote",
    ],
)
def test_what_is_no_other_section(other: str) -> None:
    assert not is_in_other_section(page(BRIDGE), page(other))
    assert not is_in_other_section(page(other), page(BRIDGE))


def test_what_both_lie_in_tells_nothing() -> None:
    """A language or a kind that both have in their paths does not differ."""
    a, b = page("n.example/en/news/harbour-bridge-vote"), page("n.example/en/research/harbour-bridge-vote")
    assert is_in_other_section(a, b)
    assert not is_in_sister_section(a, b)


@pytest.mark.parametrize(
    ("one", "other", "sisters"),
    [
        ("/offers/berlin", "/offers/munich", True),
        ("/berlin/offers", "/munich/offers", True),
        ("/news", "/news/local", True),
        ("/News/local", "/news/world", True),
        ("/支社/北", "/支社/南", True),
        ("/news", "/research", False),
        ("", "/research", False),
        ("/en/news", "/en/research", False),
    ],
)
def test_sisters(one: str, other: str, sisters: bool) -> None:
    a, b = page(f"n.example{one}/harbour-bridge-vote"), page(f"n.example{other}/harbour-bridge-vote")
    assert is_in_sister_section(a, b) is sisters
    assert is_in_sister_section(b, a) is sisters


@pytest.mark.parametrize(
    ("one", "other", "desks"),
    [
        ("/news", "/research", True),
        ("/News", "/Press-Releases", True),
        ("", "/blog", True),
        ("/news", "/blog/engineering", True),
        ("/ニュース", "/特集", True),
        ("/新闻", "/科技", True),
        ("/xinwen", "/yanjiu", True),
        ("/berlin/news", "/berlin/blog", True),  # what both lie in does not matter
        ("/north", "/south", False),
        ("/news", "/south", False),
        ("/news/lions", "/blog", False),
        ("", "/harlem", False),
        ("/北", "/南", False),
    ],
)
def test_desks(one: str, other: str, desks: bool) -> None:
    a, b = page(f"n.example{one}/harbour-bridge-vote"), page(f"n.example{other}/harbour-bridge-vote")
    assert are_desks(a, b) is desks
    assert are_desks(b, a) is desks


# --- words left out -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("we-improve-our-harbour", "we-improve-harbour"),
        ("how-we-improve-our-old-harbour", "we-improve-our-harbour"),
        ("the-harbour-and-the-bridge", "harbour-and-the-bridge"),
        ("harbour-harbour-bridge-vote", "harbour-bridge-vote"),
        ("港-の-新しい-橋", "港-の-橋"),
    ],
)
def test_shortened(one: str, other: str) -> None:
    a, b = page(f"n.example/blog/{one}"), page(f"n.example/blog/{other}")
    assert is_shortened(a, b)
    assert is_shortened(b, a)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("blog/harbour-bridge-vote", "blog/harbour-bridge-vote"),
        ("blog/harbour-bridge-vote", "blog/harbour-bridge-talk"),
        ("blog/the-harbour-bridge-vote", "blog/a-harbour-bridge-vote"),
        ("blog/the-harbour-bridge-vote", "news/harbour-bridge-vote"),
        ("blog/man-bites-dog", "blog/dog-bites-man"),
        ("blog/then-man-bites-dog", "blog/dog-bites-man"),
        ("blog/harbour-bridge-vote-2", "blog/harbour-bridge-vote"),
        ("blog/harbour-bridge-vote-v2", "blog/harbour-bridge-vote"),
        ("blog/what-we-know-of-the-vote", "blog/we-know-vote"),
        ("blog/the-harbour-bridge-vote", "blog/harbour-bridge-vote-tuesday"),
    ],
)
def test_not_shortened(one: str, other: str) -> None:
    a, b = page(f"n.example/{one}"), page(f"n.example/{other}")
    assert not is_shortened(a, b)
    assert not is_shortened(b, a)


def test_left_out() -> None:
    assert left_out(tuple("abcd"), tuple("bd")) == ("a", "c")
    assert left_out(tuple("abc"), tuple("abc")) == ()
    assert left_out(tuple("aab"), tuple("ab")) == ("a",)
    assert left_out(tuple("abc"), tuple("ba")) is None
    assert left_out(tuple("abc"), tuple("aa")) is None
