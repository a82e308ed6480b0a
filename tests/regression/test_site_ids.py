"""Ids that a site gives its pages, read from addresses: what they join across sources, and what they keep apart."""

from __future__ import annotations

from typing import Any

import pytest

import seenbefore

TITLE = "A song that everybody knows by heart"
WATCH = "https://www.youtube.com/watch?v="
PAPER = "https://arxiv.org/abs/2311.09394"
STORY = "https://www.theverge.com/2025/10/1/{}/phone-review"


def item(source: str, guid: str, url: str, title: str = TITLE, **fields: Any) -> dict[str, Any]:
    return {"source": source, "guid": guid, "url": url, "title": title, **fields}


ONE = {
    "a video under two addresses and two titles": (
        item("a", "1", f"{WATCH}dQw4w9WgXcQ"),
        item("b", "2", "https://youtu.be/dQw4w9WgXcQ?si=x", "Heard again today"),
    ),
    "a paper and its file": (
        item("a", "1", PAPER),
        item("b", "2", "https://arxiv.org/pdf/2311.09394.pdf", "Paper of the day"),
    ),
    "a paper with and without its version, under one title": (item("a", "1", f"{PAPER}v2"), item("b", "2", PAPER)),
    "a paper by an id that the item gives": (
        item("a", "1", f"{PAPER}v2"),
        item("b", "2", "https://notes.example/p", ids={"arxiv": "2311.09394v2"}),
    ),
    "a story whose slug was changed": (
        item("a", "1", STORY.format(24000001)),
        item("b", "2", STORY.format(24000001) + "-camera-and-battery-verdict"),
    ),
    "an article that a list of links names twice, each time with a discussion of its own": (
        item("hn", "https://news.ycombinator.com/item?id=1", "https://github.com/astral-sh/ruff"),
        item("hn", "https://news.ycombinator.com/item?id=2", "https://github.com/astral-sh/ruff"),
    ),
    "an AMP page behind a viewer": (
        item("a", "1", "https://www.example.org/news/2025/10/a-long-story"),
        item("b", "2", "https://www.google.com/amp/s/www.example.org/news/2025/10/a-long-story/amp"),
    ),
}

TWO = {
    "two videos under one title": (item("a", "1", f"{WATCH}dQw4w9WgXcQ"), item("a", "2", f"{WATCH}dQw4w9WgXcR")),
    "two videos whose ids differ in case": (
        item("a", "1", f"{WATCH}AAAAAAAAAAa"),
        item("b", "2", f"{WATCH}aaaaaaaaaaA"),
    ),
    "two versions of a paper under one title": (item("a", "1", f"{PAPER}v1"), item("b", "2", f"{PAPER}v2")),
    "two stories with one slug": (item("a", "1", STORY.format(24000001)), item("a", "2", STORY.format(24000002))),
    "a share dialog and the page": (
        item("a", "1", "https://www.facebook.com/sharer/sharer.php?u=https%3A%2F%2Fexample.org%2Fa", "Share this now"),
        item("b", "2", "https://example.org/a"),
    ),
}


def outcome_of(second: dict[str, Any], first: dict[str, Any]) -> str:
    with seenbefore.open(":memory:") as db:
        db.see(first)
        answer = db.see(second).outcome.value
        assert db.check().is_clean
        return answer


@pytest.mark.parametrize("name", ONE)
def test_one_article(name: str) -> None:
    first, second = ONE[name]
    assert outcome_of(second, first) == "duplicate"
    assert outcome_of(first, second) == "duplicate", "the other way round"


@pytest.mark.parametrize("name", TWO)
def test_two_articles(name: str) -> None:
    first, second = TWO[name]
    assert outcome_of(second, first) == "new"
    assert outcome_of(first, second) == "new", "the other way round"


def test_one_text_under_two_numbers_of_a_site_is_asked_about() -> None:
    """A site publishes an article a second time, or repeats one description under every video."""
    text = " ".join(f"word{n}" for n in range(200))
    first, second = (item(f"s{n}", str(n), f"{WATCH}dQw4w9WgXc{n}", content=text) for n in range(2))
    assert outcome_of(second, first) == outcome_of(first, second) == "review"
    elsewhere = item("s9", "9", "https://copy.example/a-song", content=text)
    assert outcome_of(elsewhere, first) == "duplicate", "another site gave it no id"


def test_a_page_that_every_entry_links_to_names_none() -> None:
    """A hub is a hub by the id of its page, too, and under several spellings of its address."""
    hub = "https://github.com/astral-sh/ruff"
    titles = [
        "Faster start-up of the server",
        "New rules for docstrings",
        "Windows builds are signed",
        "Parser rewritten",
    ]
    with seenbefore.open(":memory:") as db:
        entries = [item("log", str(n), hub + "?tab=readme-ov-file" * (n % 2), title) for n, title in enumerate(titles)]
        answers = db.see_many([{**entry, "fetch_id": "1"} for entry in entries])
        assert [answer.outcome.value for answer in answers] == ["new"] * 4
        assert db.check().is_clean


def test_a_temporary_redirect_joins_nothing() -> None:
    """A consent page behind which every article stands for a moment is the address of none."""
    consent = "https://consent.example.org/agree-to-everything"
    first = item(
        "a", "1", "https://example.org/a", final_url=consent, redirects=[["https://example.org/a", consent, 302]]
    )
    other = item(
        "b", "2", "https://example.org/b", final_url=consent, redirects=[["https://example.org/b", consent, 307]]
    )
    assert outcome_of(other, first) == "new"
    moved = item("b", "2", "https://example.org/b", redirects=[["https://example.org/b", "https://example.org/a", 308]])
    assert outcome_of(moved, first) == "duplicate"


def test_a_canonical_link_is_no_identity() -> None:
    first = item("a", "1", "https://example.org/a", "The bridge is closed", canonical="https://example.org/hub")
    other = item("b", "2", "https://example.net/b", "The library is open", canonical="https://example.org/hub")
    assert outcome_of(other, first) == "new"
