"""The HTML of a page, parsed once: what stands in its head, its JSON-LD, and the tree for everything else."""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from resiliparse.parse.encoding import detect_encoding
from selectolax.lexbor import LexborHTMLParser, LexborNode

from ..text.charset import codec, marked
from .jsonld import Thing, read_blocks
from .stalls import without_stalls

MOST_BYTES: Final = 8 << 20
"""Of longer pages the beginning is read; the longest of 1,829 real ones has 3.6 MB."""

_META_CHARSET: Final = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{2,40})""", re.IGNORECASE)
_XML_CHARSET: Final = re.compile(rb"""\A\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([A-Za-z0-9_:.-]{2,40})""")
_SNIFFED: Final = 4096
_JAPANESE: Final = b"\x1b$B"
"""What Japanese characters begin with in ISO-2022-JP, and nothing does in other text."""
_LOOKED_AT: Final = 1 << 18
"""Bytes from which a charset is guessed; more changes nothing."""


class Meta(NamedTuple):
    """One ``<meta>``: its name, property, itemprop or http-equiv in lower case, and its content."""

    name: str
    content: str


class Link(NamedTuple):
    """One ``<link>``; ``rel`` in lower case. Only one in the head is what the page itself says."""

    rel: str
    href: str
    type: str
    hreflang: str
    in_head: bool


class Marked(NamedTuple):
    """An element, with its tag and its attributes read."""

    tag: str
    given: Mapping[str, str | None]
    node: LexborNode


_MARKED: Final = (
    "meta, time, [itemprop=datePublished], [itemprop=dateModified], .published, .dt-published,"
    ' head link[rel=canonical], script[type*="ld+json"]'
)
"""One walk over a page for all of these: every further one costs a tenth of a millisecond."""


@dataclass(frozen=True)
class PageDocument:
    """A parsed page. Its parts are read when they are asked for, each once."""

    tree: LexborHTMLParser
    html: str
    charset: str
    notes: tuple[str, ...] = ()

    @cached_property
    def language(self) -> str:
        """What the page says its language is, such as ``pt-br``; '' if nothing."""
        root = self.tree.root
        given = (root.attributes.get("lang") or root.attributes.get("xml:lang")) if root is not None else ""
        said = given or self.meta("content-language") or self.meta("og:locale") or self.meta("language")
        return said.strip().partition(",")[0].replace("_", "-").lower()[:20]

    @cached_property
    def marked(self) -> tuple[Marked, ...]:
        """Every ``<meta>`` and JSON-LD block, the canonical link of the head, and what may hold a date, in one walk."""
        return tuple(Marked(node.tag or "", node.attributes, node) for node in self.tree.css(_MARKED))

    @cached_property
    def metas(self) -> tuple[Meta, ...]:
        """Every ``<meta>`` with a name and a content, in the order of the page."""
        found = []
        for tag, given, _ in self.marked:
            content = given.get("content") if tag == "meta" else None
            if not content:
                continue
            for key in ("property", "name", "itemprop", "http-equiv"):
                name = given.get(key)
                if name:
                    found.append(Meta(name.strip().lower(), content.strip()))
        return tuple(found)

    @cached_property
    def metas_by_name(self) -> Mapping[str, tuple[str, ...]]:
        """The contents of each name, in the order of the page."""
        found: dict[str, list[str]] = {}
        for name, content in self.metas:
            found.setdefault(name, []).append(content)
        return {name: tuple(contents) for name, contents in found.items()}

    def meta(self, *names: str) -> str:
        """Return the first content under the first of these names that has one."""
        return next((self.metas_by_name[name][0] for name in names if name in self.metas_by_name), "")

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Every ``<link>`` that says what the page is (canonical, alternate, amphtml …), in the order of the page."""
        head = {node.mem_id for node in self.tree.css("head link")}
        found = []
        for node in self.tree.css("link[rel][href]"):
            given = node.attributes
            rel = (given.get("rel") or "").strip().lower()
            if rel in _OF_NO_USE:
                continue
            href, kind, hreflang = ((given.get(name) or "").strip() for name in ("href", "type", "hreflang"))
            found.append(Link(rel, href, kind.lower(), hreflang.lower(), node.mem_id in head))
        return tuple(found)

    @cached_property
    def json_ld_blocks(self) -> tuple[str, ...]:
        """The JSON-LD blocks as they stand there."""
        return tuple(node.text() for tag, given, node in self.marked if tag == "script" and _is_json_ld(given))

    @cached_property
    def _json_ld(self) -> tuple[tuple[Thing, ...], int]:
        found, unreadable = read_blocks(self.json_ld_blocks)
        return tuple(found), unreadable

    @property
    def json_ld(self) -> tuple[Thing, ...]:
        """The objects of all JSON-LD blocks."""
        return self._json_ld[0]

    @property
    def unparsable_json_ld(self) -> int:
        """How many blocks of JSON-LD cannot be read."""
        return self._json_ld[1]

    @cached_property
    def title(self) -> str:
        """The text of ``<title>``."""
        return self.text_of("head title, title")

    @cached_property
    def base_href(self) -> str:
        """What relative addresses stand behind, as the page says; '' if nothing."""
        node = self.tree.css_first("base[href]")
        return (node.attributes.get("href") or "").strip() if node is not None else ""

    def text_of(self, selector: str) -> str:
        """Return the text of the first element that fits, in one line."""
        node = self.tree.css_first(selector)
        return " ".join(node.text(separator=" ").split()) if node is not None else ""

    def first(self, selector: str) -> LexborNode | None:
        """Return the first element that fits."""
        return self.tree.css_first(selector)


def _is_json_ld(given: Mapping[str, str | None]) -> bool:
    return "ld+json" in (given.get("type") or "")


_OF_NO_USE: Final = frozenset(
    "stylesheet preload prefetch dns-prefetch preconnect icon shortcut apple-touch-icon modulepreload".split()
) | {"shortcut icon", "apple-touch-icon-precomposed", "mask-icon", "manifest", "preload stylesheet"}


def parse_page(html: bytes | str, *, charset: str = "") -> PageDocument:
    """Return a page, parsed once as browsers do. Never raises for what stands in it.

    >>> page = parse_page('<html lang="de"><head><meta property="og:title" content="Brücke"></head></html>')
    >>> page.language, page.meta("og:title"), page.meta("og:url")
    ('de', 'Brücke', '')

    ``charset`` is what the server said; a byte order mark is stronger, the page's own word weaker, and where neither
    fits it is what the bytes can be.

    >>> parse_page("<title>港の橋を架け替えることが決まりました</title>".encode("euc_jp"), charset="utf-8").title
    '港の橋を架け替えることが決まりました'
    """
    notes: tuple[str, ...] = ()
    if isinstance(html, str):
        text, used, body = html[:MOST_BYTES], "", b""
    else:
        body = html[:MOST_BYTES]
        text, used, notes = decode_page(body, charset)
    if used != "utf-8" or notes or body.startswith(codecs.BOM_UTF8):
        body = text.encode("utf-8", "replace")
    if b"\0" in body:  # in bytes it is found ten times as fast
        text, body = text.replace("\0", "\ufffd"), body.replace(b"\0", "\ufffd".encode())
    body, stalls = without_stalls(body)
    if stalls:
        text, notes = body.decode("utf-8", "replace"), (*notes, *stalls)
    return PageDocument(LexborHTMLParser(body), text, used, notes)


def decode_page(body: bytes, charset: str = "") -> tuple[str, str, tuple[str, ...]]:
    """Return the text of a page, the charset that was used, and notes on what did not fit.

    >>> decode_page(b"caf\\xe9", "iso-8859-1")
    ('café', 'cp1252', ())
    >>> decode_page(b"<p>caf+AOk-</p>", "utf-7")
    ('<p>caf+AOk-</p>', 'utf-8', ('charset_ignored',))
    """
    name, length = marked(body)
    if name:
        return body[length:].decode(name, "replace"), name, ()
    likely = "utf-8" if not body.isascii() else "iso2022_jp" if _JAPANESE in body else ""
    try:
        if likely:
            return body.decode(likely), likely, ()  # nothing else looks like these by chance
    except UnicodeDecodeError:
        pass
    notes = []
    for given in (charset, _declared(body)):
        name = codec(given) or ""
        if given and not name:
            notes.append("charset_ignored")
        if not name or name.startswith(("utf-16", "utf-32")):  # what begins like a page is none of these
            continue
        try:
            return body.decode(name), name, tuple(notes)
        except UnicodeDecodeError as error:
            if _is_small_flaw(body, error, name):
                return body.decode(name, "replace"), name, (*notes, "charset_flaw")
            notes.append("charset_wrong")
    text, name = _guess(body)
    return text, name, tuple(dict.fromkeys(notes))


def _declared(body: bytes) -> str:
    start = body[:_SNIFFED]
    found = _XML_CHARSET.search(start) or _META_CHARSET.search(start)
    return found[1].decode("ascii") if found else ""


def _is_small_flaw(body: bytes, error: UnicodeDecodeError, name: str) -> bool:
    """Whether a wrong byte stands alone: a cut character or one in another charset, in a page that fits otherwise."""
    text = body.decode(name, "replace")
    wrong = text.count("\ufffd")
    right = len(text) - len(text.encode("ascii", "ignore")) - wrong
    return wrong <= max(right // 20, error.start >= len(body) - 4)


def _guess(body: bytes) -> tuple[str, str]:
    if body.isascii():
        return body.decode("ascii"), "utf-8"
    name = codec(detect_encoding(body[:_LOOKED_AT])) or "cp1252"
    return body.decode(name, "replace"), name
