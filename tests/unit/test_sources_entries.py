"""Entries of a feed: read when asked for, told by digests of their raw form, and what is part of a digest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from seenbefore.model import Item
from seenbefore.sources import entries as module
from seenbefore.sources.entries import DIGEST_BYTES, Digester, Entries
from seenbefore.sources.entry import EntryReader
from seenbefore.sources.feed import FeedFetch, read_feed

AT, LATER = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC)
ONE = "<item><title>One &amp; more</title><link>a/1</link><guid isPermaLink='false' dir='ltr'>1</guid></item>"
TWO = "<item><title>二つ目</title><link>https://n.example/2</link><guid>2</guid><description>本文</description></item>"


def rss(*items: str, head: str = "", root: str = "", channel: str = "") -> str:
    return f"<rss version='2.0'{root}><channel{channel}><title>News</title>{head}{''.join(items)}</channel></rss>"


def read(feed: str, source: str | None = "feed", at: datetime = AT) -> FeedFetch:
    return read_feed(feed.encode(), source=source, observed_at=at, default_name="news")


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Titles of the entries that were read, as they are read."""
    seen: list[str] = []
    original = EntryReader.read

    def noted(self: EntryReader, *args: Any) -> Item | None:
        item = original(self, *args)
        seen.append(item.title if item else "")
        return item

    monkeypatch.setattr(EntryReader, "read", noted)
    return seen


# --- a sequence that is read when asked ---------------------------------------------------------


@pytest.fixture
def lazy() -> tuple[Entries, list[int]]:
    """Three entries, and the places of those that were read."""
    asked: list[int] = []

    def reader(number: int) -> Callable[[], Item]:
        def made() -> Item:
            asked.append(number)
            return Item(source="s", title=f"Title {number}")

        return made

    return Entries((b"%d" % n, reader(n)) for n in range(3)), asked


def test_nothing_is_read_before_it_is_asked_for(lazy: tuple[Entries, list[int]]) -> None:
    entries, asked = lazy
    assert len(entries) == 3
    assert entries
    assert entries.digests == (b"0", b"1", b"2")
    assert hash(entries) == hash(entries)
    assert asked == []


def test_each_entry_is_read_once(lazy: tuple[Entries, list[int]]) -> None:
    entries, asked = lazy
    assert entries[1].title == entries[-2].title == "Title 1"
    assert entries[1] is entries[1]
    assert asked == [1]
    assert [item.title for item in entries] == ["Title 0", "Title 1", "Title 2"]
    assert asked == [1, 0, 2]
    assert list(entries) == list(entries)
    assert asked == [1, 0, 2]


def test_a_slice_reads_its_part(lazy: tuple[Entries, list[int]]) -> None:
    entries, asked = lazy
    assert [item.title for item in entries[1:]] == ["Title 1", "Title 2"]
    assert entries[3:] == entries[:0] == ()
    assert [item.title for item in entries[::-2]] == ["Title 2", "Title 0"]
    assert asked == [1, 2, 0]


def test_a_place_that_is_not_there(lazy: tuple[Entries, list[int]]) -> None:
    entries, asked = lazy
    for index in (3, -4):
        with pytest.raises(IndexError):
            entries[index]
    assert asked == []


def test_entries_are_equal_to_a_list_of_their_items(lazy: tuple[Entries, list[int]]) -> None:
    entries, _ = lazy
    items = [Item(source="s", title=f"Title {n}") for n in range(3)]
    assert entries == items
    assert entries == tuple(items)
    assert entries == Entries.read_already(items)
    assert entries != items[:2]
    assert entries != [*items[:2], Item(source="s")]
    assert entries != 3
    assert items[1] in entries
    assert entries.index(items[2]) == 2


def test_entries_that_were_read_already() -> None:
    items = [Item(source="s", title=title) for title in "ab"]
    entries = Entries.read_already(items)
    assert entries.digests == (b"", b"")
    assert [entries[0], entries[1]] == items
    assert len(Entries.read_already([])) == 0


def test_entries_that_were_read_elsewhere(lazy: tuple[Entries, list[int]]) -> None:
    entries, asked = lazy
    items = [Item(source="s", title=title) for title in "xyz"]
    entries.fill(items)
    assert list(entries) == items
    assert entries.digests == (b"0", b"1", b"2")
    assert asked == []


# --- digests ------------------------------------------------------------------------------------


def test_a_digest_is_of_everything_it_was_given() -> None:
    made = {
        Digester(*context).digest(raw)
        for context in ((), ("a",), ("b",), ("a", "b"), ("ab",), ("", "a"))
        for raw in (b"", b"x", b"y", b"xy")
    }
    assert len(made) == 24
    assert {len(digest) for digest in made} == {DIGEST_BYTES}
    assert Digester("a").digest(b"x") == Digester("a").digest(b"x")
    assert Digester("\ud83d").digest(b"x"), "half a surrogate"


def test_a_digester_is_not_changed_by_its_use() -> None:
    digester = Digester("a")
    assert digester.digest(b"x") == digester.digest(b"x")


@pytest.mark.parametrize("name", ["READER_VERSION", "EXTRACTOR_VERSION"])
def test_another_reader_or_extractor_makes_other_digests(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was stored under an older one must be read again."""
    before = read(rss(ONE, TWO)).items.digests
    monkeypatch.setattr(module, name, "another")
    after = read(rss(ONE, TWO)).items.digests
    assert not set(before) & set(after)


# --- XML ----------------------------------------------------------------------------------------


def test_a_whole_feed_is_not_read_for_its_digests(reads: list[str]) -> None:
    fetch = read(rss(ONE, TWO))
    assert len(fetch.items) == 2
    assert len(set(fetch.items.digests) - {b""}) == 2
    assert reads == []
    assert fetch.items[1].title == "二つ目"
    assert reads == ["二つ目"]
    assert [item.title for item in fetch.items] == ["One & more", "二つ目"]
    assert reads == ["二つ目", "One & more"]


def test_the_rest_of_the_feed_is_no_part_of_a_digest() -> None:
    plain = read(rss(ONE, TWO))
    other = read(
        rss(
            TWO,
            "<item><guid>3</guid></item>\n\n  ",
            ONE,
            head="<lastBuildDate>Mon, 02 Mar 2026 06:00:00 GMT</lastBuildDate><ttl>60</ttl><generator>x</generator>",
        ),
        at=LATER,
    )
    assert (other.items.digests[2], other.items.digests[0]) == plain.items.digests
    assert other.fetch_id != plain.fetch_id
    assert replace(other.items[2], fetch_id=plain.fetch_id, observed_at=AT) == plain.items[0]


@pytest.mark.parametrize(
    "changed",
    [
        ONE.replace("more", "less"),
        ONE.replace("a/1", "a/2"),
        ONE.replace("false", "true"),
        ONE.replace("<title>", "<title >").replace("One", "one"),
        ONE.replace("</item>", "<slash:comments xmlns:slash='http://purl.org/rss/1.0/modules/slash/'>3</slash:comments></item>"),
        ONE.replace("</item>", "<pubDate>Monday</pubDate></item>"),
        ONE.replace("<item>", "<item xml:lang='ja'>"),
        ONE.replace("<link>", "<link xml:base='https://other.example/'>"),
        ONE.replace("<title>", " <title>"),
    ],
)  # fmt: skip
def test_whatever_an_entry_says_is_part_of_its_digest(changed: str) -> None:
    before, after = read(rss(ONE, TWO)).items.digests, read(rss(changed, TWO)).items.digests
    assert before[0] != after[0]
    assert before[1] == after[1]


@pytest.mark.parametrize(
    "same",
    [
        ONE.replace("<link>", "<!-- a note --><link>"),
        ONE.replace("</item>", "<?php echo 1 ?></item>"),
        ONE.replace("&amp;", "&#38;"),
        ONE.replace("One &amp; more", "<![CDATA[One & more]]>"),
        ONE.replace("'", '"'),
        ONE.replace("isPermaLink='false' dir='ltr'", "isPermaLink = 'false'\n  dir='ltr'"),
        ONE + "<!-- between -->\n",
    ],
)
def test_what_the_parser_does_not_tell_apart(same: str) -> None:
    """Comments, instructions, quotes and references are gone before anybody could see them."""
    before, after = read(rss(ONE)), read(rss(same))
    assert before.items.digests == after.items.digests
    assert list(before.items) == [replace(item, fetch_id=before.fetch_id) for item in after.items]


@pytest.mark.parametrize(
    "same",
    [
        ONE.replace("isPermaLink='false' dir='ltr'", "dir='ltr' isPermaLink='false'"),
        ONE.replace("<item>", "<item>\n  "),
    ],
)
def test_what_it_does_tell_apart_is_read_again_into_the_same_item(same: str) -> None:
    before, after = read(rss(ONE)), read(rss(same))
    assert before.items.digests != after.items.digests
    assert list(before.items) == [replace(item, fetch_id=before.fetch_id) for item in after.items]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"root": " xml:base='https://a.example/'"}, {"root": " xml:base='https://b.example/'"}),
        ({"channel": " xml:base='https://a.example/'"}, {"channel": " xml:base='https://b.example/'"}),
        ({"root": " xml:base='https://a.example/'"}, {}),
        ({"channel": " xml:base='x/'", "root": " xml:base='https://a.example/'"},
         {"channel": " xml:base='y/'", "root": " xml:base='https://a.example/'"}),
        ({"head": "<link>https://a.example/</link>"}, {"head": "<link>https://b.example/</link>"}),
        ({"head": "<a:link xmlns:a='http://www.w3.org/2005/Atom' rel='self' href='https://a.example/f'/>"},
         {"head": "<a:link xmlns:a='http://www.w3.org/2005/Atom' rel='self' href='https://b.example/f'/>"}),
        ({"source": "https://a.example/feed"}, {"source": "https://b.example/feed"}),
        ({"head": "<language>en</language>"}, {"head": "<language>ja</language>"}),
        ({"head": "<language>en</language>"}, {}),
        ({"channel": " xml:lang='en'"}, {"channel": " xml:lang='ja'"}),
        ({"root": " xml:lang='en'"}, {"root": " xml:lang='ja'"}),
        ({"head": "<dc:language xmlns:dc='http://purl.org/dc/elements/1.1/'>en</dc:language>"},
         {"head": "<dc:language xmlns:dc='http://purl.org/dc/elements/1.1/'>zh</dc:language>"}),
    ],
)  # fmt: skip
def test_what_a_feed_says_for_its_entries_is_part_of_each_digest(first: dict[str, str], second: dict[str, str]) -> None:
    """The addresses to resolve against and the language come from outside of the entry."""
    fetches = []
    for given in (first, second):
        fields = dict(given)
        source = fields.pop("source", "feed")
        fetches.append(read(rss(ONE, TWO, **fields), source))
    before, after = fetches
    assert not set(before.items.digests) & set(after.items.digests)
    told = [
        (before.items[0].original_url, before.items[0].language),
        (after.items[0].original_url, after.items[0].language),
    ]
    assert told[0] != told[1], "it is read into something else"


def test_the_prefix_counts_where_the_address_of_a_namespace_is_unknown() -> None:
    feed = rss("<item><guid>1</guid><{0}:creator>Edda</{0}:creator></item>", root=" xmlns:{0}='urn:misspelled'")
    known, unknown = read(feed.format("dc")), read(feed.format("x"))
    assert (known.items[0].authors, unknown.items[0].authors) == (("Edda",), ())
    assert known.items.digests != unknown.items.digests


def test_the_namespace_of_the_root_is_that_of_the_format() -> None:
    """What lies in it counts as written by the format itself, wherever it stands."""
    item = "<item><guid>1</guid><x:title>One</x:title></item>"
    own = f"<x:rss xmlns:x='urn:x'><channel>{item}</channel></x:rss>"
    foreign = f"<rss xmlns:x='urn:x'><channel>{item}</channel></rss>"
    assert (read(own).items[0].title, read(foreign).items[0].title) == ("One", "")
    assert read(own).items.digests != read(foreign).items.digests


def test_atom_and_rss_entries_of_one_form_differ() -> None:
    atom = "<feed xmlns='http://www.w3.org/2005/Atom'><entry><id>1</id><title>One</title></entry></feed>"
    old = atom.replace("http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#")
    assert read(atom).items.digests != read(old).items.digests
    assert read(atom).items[0].title == read(old).items[0].title


# --- empty entries ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "empty",
    ["<item/>", "<item> </item>", "<item><title> </title><guid/></item>", "<item><category>x</category></item>"],
)
def test_an_empty_entry_is_told_and_has_no_digest(empty: str, reads: list[str]) -> None:
    fetch = read(rss(ONE, empty, TWO))
    assert [warning.code for warning in fetch.warnings] == ["empty_entries"]
    assert len(fetch.items) == len(fetch.items.digests) == 2
    assert reads == [""], "only what may be empty is read at once"
    assert [item.title for item in fetch.items] == ["One & more", "二つ目"]


@pytest.mark.parametrize(
    "entry",
    [
        "<item><link>https://n.example/1</link></item>",
        "<item><description>Text only.</description></item>",
        "<item><enclosure url='https://n.example/1.mp3'/></item>",
        "<item><title><b>One</b></title></item>",
        "<item xmlns:dc='http://purl.org/dc/elements/1.1/'><dc:title>One</dc:title></item>",
    ],
)
def test_an_entry_that_is_not_certainly_full_is_read_once(entry: str, reads: list[str]) -> None:
    fetch = read(rss(entry))
    assert len(reads) == len(fetch.items) == 1
    assert fetch.items.digests != (b"",)
    assert fetch.items[0] is fetch.items[0]
    assert len(reads) == 1


def test_only_empty_entries() -> None:
    fetch = read(rss("<item/>", "<item/>"))
    assert (len(fetch.items), fetch.items.digests) == (0, ())
    assert fetch.warnings[0].message.startswith("2 entries hold")


@pytest.mark.parametrize("space", [" ", "\n\t", "\u00a0", "\u3000", "\u2028"])
def test_white_space_is_nothing(space: str) -> None:
    fetch = read(rss(f"<item><title>{space}</title><guid>{space}</guid></item>"))
    assert [warning.code for warning in fetch.warnings] == ["empty_entries"]


def test_what_cannot_be_seen_is_something() -> None:
    """Whoever decides that an entry holds something must find it when it is read."""
    fetch = read(rss("<item><title>\u200b</title></item>"))
    assert fetch.items[0].title == "\u200b"


# --- damage -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("feed", "titles"),
    [
        (rss(ONE, TWO).replace("</title><link>https", "</titel><link>https"), ["One & more", "二つ目"]),
        (rss(ONE, TWO)[:-40], ["One & more", "二つ目"]),
        (rss(ONE, TWO)[: -len("</channel></rss>") - 20], ["One & more", "二つ目"]),
        (rss(ONE, TWO).partition("二")[0], ["One & more"]),
    ],
)
def test_a_damaged_feed_is_read_at_once_and_has_no_digests(feed: str, titles: list[str], reads: list[str]) -> None:
    """What its entries are depends on where it breaks off."""
    fetch = read(feed)
    assert reads
    assert {warning.code for warning in fetch.warnings} <= {"damaged_xml", "truncated"}
    assert fetch.warnings
    assert [item.title for item in fetch.items] == titles
    assert set(fetch.items.digests) == {b""}


def test_a_namespace_error_is_no_damage(reads: list[str]) -> None:
    fetch = read(rss(ONE, "<item><guid>9</guid><dc:creator>Edda</dc:creator></item>"))
    assert reads == []
    assert b"" not in fetch.items.digests
    assert fetch.items[1].authors == ("Edda",)


def test_mended_text_is_what_the_digest_is_of() -> None:
    """Control characters and unknown entities are mended before anything is parsed."""
    broken = ONE.replace("more", "mo\x01re")
    assert read(rss(broken)).items.digests == read(rss(ONE)).items.digests
