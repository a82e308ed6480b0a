from __future__ import annotations

import pytest

from seenbefore.errors import InvalidFeed
from seenbefore.sources.opml import is_opml, read_opml


def addresses(text: str | bytes, base: str = "") -> list[str]:
    data = text.encode() if isinstance(text, str) else text
    return [feed.address for feed in read_opml(data, "mine.opml", base)]


def opml(*outlines: str) -> str:
    return f"<?xml version='1.0'?><opml version='2.0'><head/><body>{''.join(outlines)}</body></opml>"


def test_nested_lists_in_their_order() -> None:
    text = opml(
        "<outline text='a'><outline text='b'><outline xmlUrl='https://deep.example/feed'/></outline></outline>",
        "<outline text='c' xmlUrl='https://flat.example/feed'/>",
    )
    assert addresses(text) == ["https://deep.example/feed", "https://flat.example/feed"]


@pytest.mark.parametrize("name", ["xmlUrl", "xmlurl", "XMLURL", "xmlURL"])
def test_spellings_of_the_attribute(name: str) -> None:
    assert addresses(opml(f"<outline {name}='https://a.example/feed'/>")) == ["https://a.example/feed"]


def test_the_same_feed_is_listed_once_and_the_query_tells_feeds_apart() -> None:
    text = opml(
        "<outline xmlUrl='https://a.example/feed?c=1'/>",
        "<outline xmlUrl='https://a.example/feed?c=2'/>",
        "<outline xmlUrl='http://www.a.example/feed/?c=1'/>",
    )
    assert addresses(text) == ["https://a.example/feed?c=1", "https://a.example/feed?c=2"]


def test_feed_schemes_and_relative_addresses() -> None:
    text = opml(
        "<outline xmlUrl='feed://a.example/1'/><outline xmlUrl='feed:https://a.example/2'/><outline xmlUrl='/3'/>",
        "<outline xmlUrl='javascript:alert(1)'/><outline xmlUrl='file:///etc/passwd'/><outline xmlUrl=''/>",
    )
    assert addresses(text, "https://b.example/list") == [
        "http://a.example/1", "https://a.example/2", "https://b.example/3",
    ]  # fmt: skip


def test_japanese_titles_and_other_encodings() -> None:
    text = opml("<outline title='新聞' xmlUrl='https://a.example/feed'/>").replace(
        "'1.0'", "'1.0' encoding='Shift_JIS'"
    )
    (feed,) = read_opml(text.encode("shift_jis"), "mine.opml")
    assert feed.title == "新聞"


def test_damaged_lists_are_read_as_far_as_possible() -> None:
    text = opml("<outline text='R & D' xmlUrl='https://a.example/feed?a=1&b=2'/>")[:-14]
    assert addresses(text) == ["https://a.example/feed?a=1&b=2"]


def test_entities_are_never_expanded() -> None:
    text = "<!DOCTYPE opml [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>" + opml(
        "<outline text='&x;' xmlUrl='https://a.example/&x;feed'/>"
    )
    assert addresses(text) == ["https://a.example/feed"]


@pytest.mark.parametrize("text", ["", "<rss/>", "plain", opml("<outline text='no feed'/>"), '{"opml": 1}'])
def test_what_is_no_list(text: str) -> None:
    with pytest.raises(InvalidFeed):
        addresses(text)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- made by x -->\n<opml>", True),
        ("<opml version='1.0'>".encode("utf-16"), True),
        (b"<OPML>", True),
        (b"<rss><!-- opml --></rss>", False),
        (b"<html><body>opml</body>", False),
        (b"", False),
    ],
)
def test_is_opml(head: bytes, expected: bool) -> None:
    assert is_opml(head) is expected
