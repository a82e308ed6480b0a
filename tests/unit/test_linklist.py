from __future__ import annotations

from datetime import UTC, datetime

import pytest

from seenbefore.errors import InvalidFeed, InvalidInput
from seenbefore.sources.linklist import read_link_list

pytest.importorskip("selectolax", reason="needs the extra [pages]")

AT = datetime(2026, 1, 1, tzinfo=UTC)
PAGE = "https://news.example/all/index.html"


def links(html: str, selector: str) -> list[tuple[str, str]]:
    fetch = read_link_list(html.encode(), selector, source=PAGE, observed_at=AT)
    assert {item.source for item in fetch.items} == {PAGE}
    assert {(item.published, item.modified) for item in fetch.items} == {(None, None)}
    return [(item.original_url, item.title) for item in fetch.items]


def test_order_titles_and_addresses() -> None:
    html = (
        "<li><a href='b.html'> The  second\nstory </a><li><a href='/a?x=1&amp;y=2'>橋の補修</a></li><a href='/c'>c</a>"
    )
    assert links(html, "li a") == [
        ("https://news.example/all/b.html", "The second story"),
        ("https://news.example/a?x=1&y=2", "橋の補修"),
    ]


def test_selectors_of_what_holds_the_links() -> None:
    html = "<div class=card><a href=/a><b>One</b></a></div><div class=ad><a href=/ad>Buy</a></div>"
    assert links(html, ".card") == [("https://news.example/a", "One")]


def test_several_selectors_keep_the_order_of_the_page() -> None:
    html = "<h3><a href=/1>1</a></h3><h2><a href=/2>2</a></h2><h3><a href=/3>3</a></h3>"
    assert [address[-1] for address, _ in links(html, "h2 a, h3 a")] == ["1", "2", "3"]


def test_each_link_once_with_the_first_text_that_says_something() -> None:
    html = "<a href=/a><img src=x></a><a href=/a#comments>Crack in the bridge</a><a href=/a>Read more</a>"
    assert links(html, "a") == [("https://news.example/a", "Crack in the bridge")]


def test_base_counts() -> None:
    html = "<head><base href='https://cdn.example/x/'></head><a href='a'>A</a>"
    assert links(html, "a") == [("https://cdn.example/x/a", "A")]


def test_only_web_addresses() -> None:
    html = (
        "<a href='mailto:a@b.example'>m</a><a href='javascript:void(0)'>j</a><a>n</a><a href='http://a.example/'>A</a>"
    )
    assert links(html, "a") == [("http://a.example/", "A")]


def test_nothing_found() -> None:
    with pytest.raises(InvalidFeed, match="no link is found"):
        links("<a href=/a>A</a>", "article a")


@pytest.mark.parametrize("selector", ["a[", ">>", "a:no-such-thing(", "a{"])
def test_what_is_no_selector(selector: str) -> None:
    with pytest.raises(InvalidInput, match="no CSS selector"):
        links("<a href=/a>A</a>", selector)


def test_a_repeat_has_the_same_digests() -> None:
    html = b"<a href=/a>A</a><a href=/b>B</a>"
    one, other = (read_link_list(data, "a", source=PAGE, observed_at=AT) for data in (html, b"<p>more</p>" + html))
    assert one.items.digests == other.items.digests
    assert one.fetch_id != other.fetch_id
