"""What two addresses alone say about whether they are one page."""

from __future__ import annotations

import pytest

from seenbefore.rules import Claim, Reads
from seenbefore.urls import identify, same_page
from seenbefore.urls.same import are_same_page, ids_conflict

from .made_up_packs import GENERIC, compiled

RULES = compiled(
    GENERIC
    + """
[[rule]]
id = "film"
kind = "identity"
hosts = ["film.example"]
match = ["/watch?v={film:id:6}", "flm.example/{film:id:6}"]
value = "film:{film}"
ignore = ["*"]

[[rule]]
id = "paper"
kind = "identity"
hosts = ["paper.example"]
match = ["/abs/{paper:digits}", "/abs/{paper:digits}v{digits}"]
value = "paper:{paper}"
strength = "near"

[[rule]]
id = "paper-version"
kind = "identity"
hosts = ["paper.example"]
match = ["/abs/{paper:digits}v{version:digits}"]
value = "paper-version:{paper}v{version}"

[[rule]]
id = "story"
kind = "identity"
hosts = ["story.example"]
match = ["/{year}/{month}/{slug}"]
value = "story:{slug}"
reads = "slug"

[[rule]]
id = "ask"
kind = "identity"
hosts = ["ask.example"]
match = ["/q/{question:digits}[/{any}]"]
value = "ask:{question}"

[[rule]]
id = "ask-words"
kind = "identity"
hosts = ["ask.example"]
match = ["/q/{digits}/{title:slug}"]
value = "ask-words:{title}"
reads = "slug"

[[rule]]
id = "book"
kind = "identity"
hosts = ["isbn:"]
match = ["/{book:digits:13}", "book.example/isbn/{book:digits:13}"]
value = "isbn:{book}"
"""
)


def same(a: str, b: str) -> bool:
    there, back = same_page(a, b, RULES), same_page(b, a, RULES)
    assert there is back
    assert are_same_page(identify(a, RULES), identify(b, RULES)) is there
    return there


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("http://www.example.com/a/?utm_source=rss", "https://example.com/a"),
        ("https://m.example.com/a/index.html", "//example.com//a#c"),
        ("https://example.com/a?ref=rss&b=2&a=1", "https://example.com/a?a=1&b=2"),
        ("https://film.example/watch?v=abc-12&list=7&t=9", "https://flm.example/abc-12"),
        ("https://flm.example/abc-12?si=x", "https://m.film.example/watch?v=abc-12#t=9"),
        ("https://story.example/2025/10/moon-base-opens", "https://story.example/2025/11/moon-base-opens/"),
        ("https://ask.example/q/7/one-good-title", "https://ask.example/q/7/another-good-title"),
        ("isbn:9783161484100", "https://book.example/isbn/9783161484100"),
        ("ISBN:9783161484100", "isbn:9783161484100"),
        ("urn:uuid:1", " urn:uuid:1\n"),
        ("n/a", "n/a"),
    ],
)
def test_one_page(a: str, b: str) -> None:
    assert same(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("https://example.com/a?id=1", "https://example.com/a?id=2"),
        ("https://example.com/a", "https://example.com/A"),
        ("https://example.com/a", "https://blog.example.com/a"),
        ("https://example.com/#/a", "https://example.com/"),
        ("https://film.example/watch?v=abc-12", "https://film.example/watch?v=ABC-12"),
        ("https://film.example/watch?v=abc-12&page=2", "https://flm.example/abc-12"),
        ("https://film.example/live?v=abc-12", "https://flm.example/abc-12"),
        ("https://paper.example/abs/12v1", "https://paper.example/abs/12v2"),
        ("https://paper.example/abs/12", "https://paper.example/abs/12v2"),
        ("https://story.example/2025/10/moon-base-opens", "https://story.example/tag/moon-base-opens"),
        ("https://ask.example/q/7/one-good-title", "https://ask.example/q/8/one-good-title"),
        ("isbn:9783161484100", "isbn:9783161484101"),
        ("", ""),
        (" ", ""),
        ("n/a", "N/A"),
        ("https://example.com/a", "ftp://example.com/a"),
    ],
)
def test_two_pages(a: str, b: str) -> None:
    assert not same(a, b)


def claims(*values: str, strong: bool = True, reads: Reads = Reads.ID) -> tuple[Claim, ...]:
    return tuple(Claim(value, "rule", "pack", 1, strong, reads) for value in values)


@pytest.mark.parametrize(
    ("a", "b", "conflict"),
    [
        (claims("film:1"), claims("film:2"), True),
        (claims("film:1", "film:2"), claims("film:2", "film:3"), False),
        (claims("film:1", "book:1"), claims("film:1", "book:2"), True),
        (claims("film:1"), claims("book:2"), False),
        (claims("film:1"), (), False),
        (claims("film:1", strong=False), claims("film:2"), False),
        (claims("film:1", reads=Reads.SLUG), claims("film:2", reads=Reads.SLUG), False),
        (claims("film:1:a"), claims("film:2:a"), True),
    ],
)
def test_ids_of_one_site_that_are_all_different_conflict(
    a: tuple[Claim, ...], b: tuple[Claim, ...], conflict: bool
) -> None:
    assert ids_conflict(a, b) is conflict
    assert ids_conflict(b, a) is conflict


def test_a_conflict_overrules_an_equal_title_in_the_address() -> None:
    a, b = (identify(f"https://ask.example/q/{n}/one-good-title", RULES) for n in (7, 8))
    assert {claim.value for claim in a.claims} & {claim.value for claim in b.claims} == {"ask-words:one-good-title"}
    assert not are_same_page(a, b)
