"""Whatever comes from outside: it breaks out of no line of a server, no XML, no JSON, and runs nowhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from urllib.parse import unquote_to_bytes

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from lxml import html as lxml_html

from seenbefore.errors import InvalidInput
from seenbefore.exports.addresses import PublicAddresses
from seenbefore.exports.entry import FeedHead, make_entry
from seenbefore.exports.feeds import FEED_FORMATS, render_feed
from seenbefore.exports.html import public_html
from seenbefore.exports.redirects import Redirect, render_redirects
from seenbefore.exports.templates import parse_template
from seenbefore.model import Enclosure
from seenbefore.testing.builders import a_record, a_sighting, an_item

HOSTILE = st.lists(
    st.sampled_from(
        [*"\"'`;${}\\#%&<>|^()[]?=+*.:@!~, \t\n\r\0\x7f\x85", "\u2028", "/", "..", "%0A", "return", "橋", "\ud800"]
    ),
    max_size=12,
).map("".join)  # fmt: skip
IDS = st.one_of(HOSTILE, st.text())
TEMPLATE = parse_template("/articles/{external_id}/{record_id}", "from")

NGINX = re.compile(
    r"location (?:= (?P<exact>/[A-Za-z0-9/_.~:@!&()*+,=-]+)|~ \^(?P<pattern>(?:[A-Za-z0-9/_-]|\\x[0-9A-F]{2})+)\\z)"
    r" \{ return (?:410|301 (?P<to>/[A-Za-z0-9/_.~%-]+)); \}(?: # (?P<comment>/[A-Za-z0-9/_.~%-]+))?"
)
APACHE = re.compile(
    r'RewriteRule "\^/\?(?P<pattern>(?:[A-Za-z0-9/_-]|\\x[0-9A-F]{2})+)\\z"'
    r' "(?:-" \[G\]|(?P<to>/(?:[A-Za-z0-9/_.~-]|\\%)+)" \[R=301,L,NE\])'
)


def lines(form: str, redirect: Redirect) -> Iterator[str]:
    text = b"".join(render_redirects(form, [redirect])).decode("ascii")
    return (line for line in text.splitlines() if not line.startswith(("#", "RewriteEngine")))


def decoded(pattern: str) -> bytes:
    """What a pattern made of plain characters and numbers of bytes matches."""
    return re.sub(rb"\\x([0-9A-F]{2})", lambda found: bytes.fromhex(found[1].decode()), pattern.encode())


@given(old=IDS, new=st.one_of(st.none(), IDS))
def test_no_value_breaks_out_of_a_line(old: str, new: str | None) -> None:
    path, to = TEMPLATE.fill(old, "r1"), TEMPLATE.fill(new, "r2")
    if path is None:
        assert old in ("", ".", "..")
        return
    (line,) = lines("nginx", Redirect(path, to))
    found = NGINX.fullmatch(line)
    assert found, line
    assert (decoded(found["pattern"]) if found["pattern"] else found["exact"].encode()) == unquote_to_bytes(path)
    assert found["to"] == to
    assert found["comment"] in (None, path)
    (line,) = lines("apache", Redirect(path, to))
    found = APACHE.fullmatch(line)
    assert found, line
    assert b"/" + decoded(found["pattern"]) == unquote_to_bytes(path)
    assert (found["to"] or "").replace("\\%", "%") == (to or "")
    assert json.loads("".join(lines("json", Redirect(path, to)))) == [
        {"from": path, "to": to, "status": 301 if to else 410}
    ]


@given(start=HOSTILE, end=HOSTILE, value=IDS)
def test_a_template_is_refused_or_harmless(start: str, end: str, value: str) -> None:
    try:
        template = parse_template(f"/{start}{{external_id}}{end}", "from", query=False)
    except InvalidInput:
        return
    path = template.fill(value, "r1")
    if path is not None:
        for form, shape in (("nginx", NGINX), ("apache", APACHE)):
            (line,) = lines(form, Redirect(path, None))
            assert line.isprintable()
            assert line.isascii()
            assert not set("\"'`;${}\\ ") & set(path)
            assert shape.fullmatch(re.sub(r" # .*", "", line)), line


MARKUP = st.lists(
    st.sampled_from(
        [
            "<script>", "</script>", "<img src=x onerror=y>", "<a href='javascript:x'>", "<svg>", "<math>", "<style>",
            "</style>", "<iframe src=x>", "<p style=x onclick=y>", "<!--", "-->", "<![CDATA[", "]]>",
            "</title>", '<p title="', "&lt;script&gt;", "&#60;", "&amp;", "<noscript>", "<template>", "<form action=x>",
            '"', "'", ">", "<", "\0", "\x1b", "https://a:b@x.example/", "?token=abc", "//", "@", "データ", "\ud800",
            "\ufffe", "<base href=//x>", "<xmp>", "a",
        ]
    ),
    max_size=15,
).map("".join)  # fmt: skip
ATOM = "{http://www.w3.org/2005/Atom}"
RUNS = {"script", "style", "iframe", "object", "embed", "form", "input", "svg", "math", "base", "meta", "link"}


def assert_harmless(markup: str) -> None:
    for element in lxml_html.fromstring(f"<div>{markup}</div>").iter():
        assert isinstance(element.tag, str)
        assert element.tag not in RUNS
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert name != "style"
            if name in ("href", "src", "cite", "poster"):
                assert value.startswith(("https://", "http://", "mailto:"))


@given(st.one_of(MARKUP, st.text()))
def test_sanitized_html_runs_nothing_and_stays_as_it_is(raw: str) -> None:
    public = PublicAddresses()
    once = public_html(raw, "https://news.example/a", public)
    assert_harmless(once)
    if not public.hidden and "<" in once:
        assert public_html(once, "https://news.example/a", PublicAddresses()) == once


@given(text=st.one_of(MARKUP, st.text()), secrets=st.booleans())
def test_every_feed_can_be_parsed_and_holds_nothing_that_runs(text: str, secrets: bool) -> None:
    item = an_item(
        content=text, summary=text, authors=(text,), language=text, original_url=text, images=(text,),
        enclosures=(Enclosure(text, text, 1, 1),), extra={"tags": [text]},
    )  # fmt: skip
    record, sighting = a_record(1, id=1, title=text, url=text), a_sighting(1, 1, original_url=text)
    entry = make_entry(record, item, [sighting], {1: text}, PublicAddresses(with_secrets=secrets))
    assert_harmless(entry.html)
    head = FeedHead("urn:uuid:1", "t", "", datetime(2026, 1, 1, tzinfo=UTC))
    data = {form: b"".join(render_feed(form, head, [entry])) for form in FEED_FORMATS}
    (found,) = json.loads(data["json"])["items"]
    assert found["content_html"] == entry.html
    atom, rss = etree.fromstring(data["atom"]), etree.fromstring(data["rss"])
    assert (atom.findtext(f"{ATOM}entry/{ATOM}content") or "").replace("\r", "\n") == entry.html.replace("\r", "\n")
    assert not re.search(r"<[A-Za-z/!?]", rss.findtext("channel/item/title") or "")
