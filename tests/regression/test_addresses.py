"""Pairs of addresses that were once taken for one page and are two, or the other way round."""

from __future__ import annotations

import pytest

from seenbefore.urls import identify, same_page

WIKI = "https://en.wikipedia.org/wiki/"
DAILY = "https://techcrunch.com/2020/01/0{}/daily-crunch-news-roundup/"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(f"{WIKI}C%2B%2B", f"{WIKI}C", id="plus signs of a title"),
        pytest.param(f"{WIKI}A+B", f"{WIKI}A_B", id="a plus in a path is no blank"),
        pytest.param(DAILY.format(1), DAILY.format(2), id="a column under the next date"),
        pytest.param(
            "https://x.example/a?source=reuters.com", "https://x.example/a?source=apnews.com", id="a host chosen"
        ),
        pytest.param(
            "https://github.com/a/b/blob/main/index.html", "https://github.com/a/b/blob/main", id="name of a file"
        ),
        pytest.param(f"{WIKI}Index.html", "https://en.wikipedia.org/wiki", id="name of a page"),
        pytest.param(
            "https://github.com/some-org-name/amp", "https://github.com/some-org-name", id="a project named amp"
        ),
        pytest.param("https://m.github.io/post", "https://github.io/post", id="a user named m"),
        pytest.param("https://x.example/view;sid=101", "https://x.example/view;sid=102", id="a short sid in the path"),
        pytest.param("https://sp.yna.co.kr/view/1", "https://yna.co.kr/view/1", id="a language edition"),
    ],
)
def test_two_pages(one: str, other: str) -> None:
    assert not same_page(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param(f"{WIKI}Coffee%20grinder", f"{WIKI}Coffee_grinder", id="blanks of a title"),
        pytest.param(f"{WIKI}C%2B%2B", f"{WIKI}C++", id="plus signs, encoded or not"),
        pytest.param("https://example.com/a/.]/../b", "https://example.com/a/b", id="dots that a parser leaves"),
        pytest.param("https://x.example/f?c[]=1", "https://x.example/f?c%5B%5D=1", id="brackets"),
        pytest.param(
            "http://disq.us/url?url=https%3A%2F%2Fa.example%2F1%3AAbC9&cuid=1", "https://a.example/1", id="signed"
        ),
        pytest.param("https://x.example/(X(1)S(abcde1fghij2klmno3pqrst4))/a", "https://x.example/a", id="cookieless"),
    ],
)
def test_one_page(one: str, other: str) -> None:
    assert same_page(one, other)
    assert identify(identify(one).key).key == identify(one).key


def test_a_session_value_is_a_hint_only() -> None:
    """32 hex digits may be the hash of what is shared, so that titles and texts have the last word."""
    one, other = (identify(f"https://x.example/share?sid={'0123456789abcdef' * 2}{n}"[:-1] + str(n)) for n in "12")
    assert one.key != other.key
    assert one.near == other.near


def test_the_address_to_fetch_keeps_the_title() -> None:
    assert identify(f"{WIKI}C%2B%2B").fetch == f"{WIKI}C++"
