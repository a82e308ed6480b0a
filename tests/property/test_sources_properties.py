"""Whatever the bytes, reading answers with a fetch or InvalidFeed; items survive storage unchanged."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

from hypothesis import given
from hypothesis import strategies as st

from seenbefore.dates import parse_date
from seenbefore.errors import InvalidFeed
from seenbefore.itemjson import item_from_mapping, item_to_mapping
from seenbefore.model import DateEvidence, Enclosure, Item, Kind, Precision
from seenbefore.sources.charset import decode
from seenbefore.sources.feed import FeedFetch, read_feed
from seenbefore.sources.fields import storable
from seenbefore.sources.items import LineError, read_items

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
AT = datetime(2026, 1, 1, tzinfo=UTC)
FEED = (
    '<?xml version="1.0" encoding="utf-8"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xml:base="https://example.com/"><channel><title>日本</title><item><title>A &amp; &eacute;</title>'
    "<link>/a?x=1&y=2</link><guid isPermaLink='true'>/a</guid>"
    "<pubDate>Wed, 01 May 2024 09:30:00 +0900</pubDate><description><![CDATA[<p>text</p>]]></description>"
    "<dc:creator>E</dc:creator><enclosure url='/a.mp3' length='5'/></item>"
    "<item><title>中文</title></item></channel></rss>"
).encode()
JSON_FEED = json.dumps(
    {
        "version": "https://jsonfeed.org/version/1",
        "items": [{"id": "1", "title": "日"}, {"id": 2, "url": "/b"}],
    },
    ensure_ascii=False,
).encode()

MARKUP = """
<rss>
</rss>
<channel>
<item>
</item>
<feed xmlns='http://www.w3.org/2005/Atom'>
<entry>
<title>
</title>
<link href='http://[' rel='alternate'/>
<x:item xml:base='http://[::'>
<guid>
<pubDate>2024-02-30</pubDate>
<![CDATA[
]]>
<!--
-->
<!DOCTYPE rss [
<!ENTITY a 'b'>
]>
<?xml version='1.0'?>
&nbsp;
&#xD800;
&a;
"""
TOKENS = st.sampled_from([*MARKUP.split("\n"), "&", "<", ">", "'", '"', "\0", "\ufffe", "日"])


def read(data: bytes, charset: str | None = None) -> FeedFetch | None:
    try:
        return read_feed(data, source=None, observed_at=AT, default_name="file", charset=charset)
    except InvalidFeed:
        return None


def check(fetch: FeedFetch | None) -> None:
    for item in fetch.items if fetch else ():
        stored = json.dumps(item_to_mapping(item), ensure_ascii=False)
        assert "\\u0000" not in stored
        stored.encode("utf-8")
        assert item_from_mapping(json.loads(stored)) == item


@given(st.binary(), st.none() | st.text(max_size=20))
def test_any_bytes(data: bytes, charset: str | None) -> None:
    check(read(data, charset))


@given(st.lists(TOKENS | st.text(max_size=5), max_size=40))
def test_any_sequence_of_markup(tokens: list[str]) -> None:
    check(read("".join(tokens).encode("utf-8", "surrogatepass")))


@given(st.sampled_from([FEED, JSON_FEED]), st.data())
def test_any_damage_to_a_feed(feed: bytes, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(feed)))
    end = data.draw(st.integers(start, min(len(feed), start + 20)))
    check(read(feed[:start] + data.draw(st.binary(max_size=6)) + feed[end:]))


@given(st.text(), st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "shift_jis", "gb18030"]))
def test_decoding_never_raises(text: str, encoding: str) -> None:
    decode(text.encode(encoding, "replace"), encoding)


@given(st.text() | st.from_regex(r"[0-9]{1,4}[-/年 ][0-9a-zA-Z]{1,9}[-/月 :,][0-9日]{1,5}[ T+:0-9A-Z-]{0,20}"))
def test_any_text_as_a_date(raw: str) -> None:
    evidence = parse_date(raw, "tag")
    assert (evidence.raw, evidence.tag) == (raw, "tag")
    if evidence.at is None:
        assert evidence.precision in (Precision.UNKNOWN, Precision.YEAR, Precision.MONTH)
        assert not evidence.zone_known
    else:
        assert evidence.at.tzinfo is UTC
        assert evidence.at.microsecond == 0
        assert evidence.precision in (Precision.SECOND, Precision.MINUTE, Precision.DAY)


@given(st.datetimes(min_value=datetime(1950, 1, 1)), st.integers(-14 * 60, 14 * 60))
def test_both_standard_forms_read_what_was_written(at: datetime, minutes: int) -> None:
    local = at.replace(microsecond=0, tzinfo=timezone(timedelta(minutes=minutes)))
    sign, rest = ("-" if minutes < 0 else "+"), abs(minutes)
    zone = f"{sign}{rest // 60:02}{rest % 60:02}"
    rfc = f"{local.day:02} {MONTHS[local.month - 1]} {local.year} {local:%H:%M:%S} {zone}"
    for raw in (rfc, local.isoformat(), local.isoformat().replace("T", " ")):
        evidence = parse_date(raw, "x")
        try:
            expected = local.astimezone(UTC)
        except OverflowError:
            assert evidence.at is None
        else:
            assert (evidence.at, evidence.offset_minutes) == (expected, minutes)


@given(st.lists(st.text() | st.binary(), max_size=8))
def test_any_lines(lines: list[str | bytes]) -> None:
    for read_line in read_items(lines, source="list", where="file"):
        assert isinstance(read_line, (Item, LineError))


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
FIELD_NAMES = st.sampled_from(
    [
        *("id", "kind", "source", "guid", "url", "title", "content", "authors", "published"),
        *("posted_at", "ids", "enclosures", "images", "redirects", "extra", "x"),
    ]
)


@given(st.dictionaries(FIELD_NAMES, JSON_VALUES, max_size=8))
def test_any_mapping(mapping: dict[str, object]) -> None:
    [read_line] = read_items([json.dumps(mapping)], source="list", where="file")
    if isinstance(read_line, Item):
        stored = json.dumps(item_to_mapping(read_line), ensure_ascii=False)
        stored.encode("utf-8")
        assert item_from_mapping(json.loads(stored)) == read_line


TEXT = st.text(max_size=8).map(storable)
INSTANTS = st.datetimes(timezones=st.just(UTC))
DATES = st.builds(
    DateEvidence,
    TEXT,
    TEXT,
    st.none() | INSTANTS,
    st.sampled_from(Precision),
    st.none() | st.integers(-900, 900),
    st.booleans(),
)
COUNTS = st.none() | st.integers(0, 10**12)
ITEMS = st.builds(
    Item,
    source=TEXT,
    kind=st.sampled_from(Kind),
    external_id=st.none() | TEXT,
    fetch_id=st.none() | TEXT,
    guid=TEXT,
    guid_is_permalink=st.none() | st.booleans(),
    title=TEXT,
    authors=st.lists(TEXT, max_size=2).map(tuple),
    ids=st.dictionaries(TEXT, TEXT, max_size=2),
    enclosures=st.lists(st.builds(Enclosure, TEXT, TEXT, COUNTS, COUNTS), max_size=2).map(tuple),
    images=st.lists(TEXT, max_size=2).map(tuple),
    redirects=st.lists(st.tuples(TEXT, TEXT), max_size=2).map(tuple),
    published=st.none() | DATES,
    modified=st.none() | DATES,
    posted_at=st.none() | INSTANTS,
    observed_at=st.none() | INSTANTS,
    extra=st.dictionaries(TEXT, JSON_VALUES, max_size=2),
)


@given(ITEMS)
def test_items_survive_storage(item: Item) -> None:
    assert item_from_mapping(item_to_mapping(item)) == item
    assert item_from_mapping(json.loads(json.dumps(item_to_mapping(item)))) == item
