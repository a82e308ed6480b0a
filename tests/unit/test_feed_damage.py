"""Broken feeds: every entry that can be read is read, and what was wrong is told."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest

from seenbefore.errors import InvalidFeed
from seenbefore.sources.feed import FeedFetch, read_feed

AT = datetime(2026, 1, 1, tzinfo=UTC)
ONE = "<item><title>One</title><link>https://example.com/1</link><guid>1</guid></item>"
TWO = "<item><title>Two</title><link>https://example.com/2</link><guid>2</guid></item>"
START, END = "<rss version='2.0'><channel><title>T</title>", "</channel></rss>"


def read(feed: str | bytes, charset: str | None = None) -> FeedFetch:
    data = feed if isinstance(feed, bytes) else feed.encode()
    return read_feed(data, source="feed", observed_at=AT, default_name="file", charset=charset)


def titles(feed: str | bytes, charset: str | None = None) -> list[str]:
    return [item.title for item in read(feed, charset).items]


def codes(feed: str | bytes) -> list[str]:
    return [warning.code for warning in read(feed).warnings]


@pytest.mark.parametrize(
    "front",
    [
        "\n\n  <?xml version='1.0'?>",
        "\ufeff",
        "Warning: x in <b>y.php</b><br />\n<?xml version='1.0'?>",
        "\0\0",
        "<!-- <rss> -->",
    ],
)
def test_what_stands_before_the_feed_is_skipped(front: str) -> None:
    assert titles(front + START + ONE + TWO + END) == ["One", "Two"]


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("a&nbsp;b", "a\xa0b"),
        ("caf&eacute;", "café"),
        ("R&D, AT&T & co", "R&D, AT&T & co"),
        ("?a=1&b=2", "?a=1&b=2"),
        ("&unknown;", "&unknown;"),
        ("a&#0;b&#x1F;c&#xD800;d&#x110000;e", "abcde"),
        ("&#26085;&#x672c;", "日本"),
        ("&lt;b&gt;", "<b>"),
        ("a\x01b\x08c", "abc"),
        ("a\ufffeb\uffffc", "abc"),
        ("<![CDATA[a&nbsp;b & c]]>", "a&nbsp;b & c"),
    ],
)
def test_references_and_control_characters(written: str, read_as: str) -> None:
    assert titles(START + ONE.replace("One", written) + TWO + END) == [read_as, "Two"]


def test_declared_entities_are_dropped_and_told() -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 8))
    front = f'<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY l0 "ha"><!-- ]> -->{laughs}]>'
    feed = front + START + ONE.replace("One", "a&l7;b") + TWO + END
    assert titles(feed) == ["ab", "Two"]
    assert codes(feed) == ["entities_declared"]


def test_external_entities_are_never_read() -> None:
    front = '<!DOCTYPE rss [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p; <!ENTITY x SYSTEM "file:///etc/passwd">]>'
    assert titles(front + START + ONE.replace("One", "a&x;b") + END) == ["ab"]


def test_undeclared_prefixes_are_understood() -> None:
    feed = START + ONE.replace("</item>", "<dc:creator>Edda</dc:creator><content:encoded>x</content:encoded></item>")
    [item] = read(feed + END).items
    assert (item.authors, item.content) == (("Edda",), "x")


@pytest.mark.parametrize(
    "feed",
    [
        START + ONE.replace("</title>", "") + TWO + END,
        START + ONE.replace("</item>", "") + TWO + END,
        START + ONE.replace("</guid></item>", "") + TWO + END,
        START + ONE + END + TWO,
        START + ONE + END + START + TWO + END,
        "<channel>" + ONE + TWO + "</channel>",
        "<x:rss>" + ONE.replace("<", "<rss:").replace("<rss:/", "</rss:") + TWO + "</x:rss>",
        (START + ONE + TWO + END).upper().replace("ONE", "One").replace("TWO", "Two"),
    ],
)
def test_missing_ends_and_odd_structures_keep_both_entries(feed: str) -> None:
    items = read(feed).items
    assert [item.title for item in items] == ["One", "Two"]
    assert [item.guid for item in items] == ["1", "2"]


def test_an_undamaged_feed_has_no_warnings() -> None:
    assert codes(START + ONE + TWO + END) == []


def test_an_unclosed_field_does_not_swallow_the_others() -> None:
    feed = START + "<item><title>One<link>https://example.com/1</link><pubDate>1 May 2024</pubDate></item>" + TWO + END
    first = read(feed).items[0]
    assert (first.title, first.original_url) == ("One", "https://example.com/1")
    assert first.published_at == datetime(2024, 5, 1, tzinfo=UTC)
    assert codes(feed) == ["damaged_xml"]


def test_every_cut_gives_whole_entries_and_never_half_a_value() -> None:
    body = "<description>A long description of the first thing.</description></item>"
    whole = START + ONE.replace("</item>", body) + TWO.replace("</item>", body) + END
    values = {"", "One", "Two", "1", "2", "https://example.com/1", "https://example.com/2", body[13:51]}
    for cut in range(len(START), len(whole)):
        fetch = read(whole[:cut])
        for item in fetch.items:
            assert {item.title, item.guid, item.original_url, item.summary} <= values, whole[:cut]
        if cut < len(whole) - len("</rss>"):
            assert "truncated" in [warning.code for warning in fetch.warnings], whole[:cut]
    assert len(read(whole[: whole.index("Two")]).items) == 1


def test_a_cut_json_feed_gives_its_whole_entries() -> None:
    whole = '{"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1"}, {"id": "2", "title": "two"}]}'
    fetch = read(whole[:-10])
    assert [item.guid for item in fetch.items] == ["1"]
    assert [warning.code for warning in fetch.warnings] == ["truncated"]


def test_entries_that_hold_nothing_are_counted() -> None:
    fetch = read(START + ONE + "<item/><item><category>x</category></item>" + END)
    assert len(fetch.items) == 1
    [warning] = fetch.warnings
    assert (warning.code, warning.message[:9]) == ("empty_entries", "2 entries")


@pytest.mark.parametrize(
    ("text", "encoding", "declared", "charset"),
    [
        ("日本語の見出し", "utf-8", None, None),
        ("日本語の見出し", "utf-8", "iso-8859-1", None),
        ("日本語の見出し", "utf-8", None, "iso-8859-1"),
        ("日本語の見出し", "utf-8", "gb2312", None),
        ("日本語の見出し", "utf-16", "utf-16", None),
        ("日本語の見出し", "utf-16-le", None, None),
        ("日本語の見出し", "utf-16-be", None, None),
        ("日本語の見出し", "utf-8-sig", None, "us-ascii"),
        ("日本語の見出し", "shift_jis", "Shift_JIS", None),
        ("日本語の見出し", "euc_jp", None, "euc-jp"),
        ("日本語の見出し", "iso2022_jp", "iso-2022-jp", None),
        ("中国新闻标题", "gbk", "gb2312", None),
        ("中國新聞標題", "big5", "big5", None),
        ("Zürich – café", "cp1252", None, None),
        ("Zürich – café", "cp1252", "iso-8859-1", None),
        ("Zürich café", "latin-1", "no-such-charset", None),
        ("Zürich café", "utf-8", "utf-16", None),
        ("Привет", "koi8_r", "koi8-r", None),
        ("Zürich", "utf-8", None, "utf-7"),
    ],
)
def test_charsets(text: str, encoding: str, declared: str | None, charset: str | None) -> None:
    front = f'<?xml version="1.0" encoding="{declared}"?>' if declared else ""
    feed = front + START + ONE.replace("One", text) + END
    assert titles(feed.encode(encoding), charset) == [text]


def test_one_bad_byte_does_not_change_the_charset() -> None:
    feed = (START + ONE.replace("One", "東京\x00都") + TWO + END).encode().replace(b"\x00", b"\xff")
    fetch = read(feed)
    assert [item.title for item in fetch.items] == ["東京\ufffd都", "Two"]
    assert [warning.code for warning in fetch.warnings] == ["charset"]


@pytest.mark.parametrize(
    "feed",
    [
        START + ONE + "<item><title>" + "<b>" * 20_000 + "x" + "</b>" * 20_000 + "</title></item>" + END,
        START + ONE + "<item><title>" * 20_000,
        START + ONE + "<item><![CDATA[&" * 20_000,
        START + ONE + "&" * 200_000 + END,
        START + ONE + "<!-- " * 50_000 + END,
        '{"version": "https://jsonfeed.org/version/1", "items": [' + "[" * 100_000,
    ],
)
def test_hostile_feeds_are_quick_and_keep_what_came_before(feed: str) -> None:
    start = time.perf_counter()
    fetch = read(feed)
    assert feed[0] == "{" or fetch.items[0].title == "One"
    assert time.perf_counter() - start < 5


def test_a_doctype_that_never_ends_is_quick() -> None:
    start = time.perf_counter()
    with pytest.raises(InvalidFeed):
        read("<!DOCTYPE rss [" + "<!ENTITY a '" * 50_000 + START + ONE + END)
    assert time.perf_counter() - start < 5


def test_too_deep_nesting_is_told() -> None:
    deep = "<item><title>" + "<b>" * 300 + "x" + "</b>" * 300 + "</title></item>"
    assert codes(START + ONE + deep + TWO + END) == ["limit_reached"]
