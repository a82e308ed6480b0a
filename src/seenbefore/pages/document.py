"""The HTML of a page, parsed once: what stands in its head, its JSON-LD, and the tree for everything else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from .jsonld import Thing, read_blocks
from .markup import Markup, read_markup


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


_NAMING: Final = frozenset(("property", "name", "itemprop", "http-equiv"))
"""Attributes of a meta that say what its content is."""
_MARKED: Final = (
    "meta, time, [itemprop=datePublished], [itemprop=dateModified], .published, .dt-published,"
    ' head link[rel=canonical], script[type*="ld+json"]'
)
"""One walk over a page for all of these: every further one costs a tenth of a millisecond."""


@dataclass(frozen=True)
class PageDocument:
    """A parsed page. Its parts are read when they are asked for, each once."""

    tree: LexborHTMLParser
    markup: Markup

    @property
    def notes(self) -> tuple[str, ...]:
        """What did not fit in its HTML."""
        return self.markup.notes

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
            content = content.strip()
            found += [Meta(name.strip().lower(), content) for key, name in given.items() if name and key in _NAMING]
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
    markup = read_markup(html, charset)
    return PageDocument(LexborHTMLParser(markup.body), markup)
