"""RSS 0.9x, 1.0 and 2.0, Atom 0.3 and 1.0, through lxml in recovery mode.

A thin reader of our own because no parser on the index keeps every entry and every raw date and is
fast at the same time. It looks names up by local name and known namespace (:mod:`.names`), never
expands an entity (:mod:`.xmltext`), and leaves what it finds as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from lxml import etree

from ..errors import InvalidFeed
from ..model import Item
from .entries import Digester, Entries
from .entry import EntryReader
from .feedtypes import ReadWarning, Stamp, empty_entries_warning
from .fields import is_web_address
from .markup import inner_text
from .names import ElementNames, local_name
from .xmltext import prepare_xml

_ROOTS: Final = frozenset({"rss", "rdf", "feed", "channel"})
_ENTRIES: Final = frozenset({"item", "entry"})
_HEADS: Final = frozenset({"channel", "feed"})
_XML_LANG: Final = "{http://www.w3.org/XML/1998/namespace}lang"
_RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_OTHER_ROOTS: Final = {
    "html": "an HTML page; give the address of its feed (often named in <link rel=alternate>)",
    "head": "an HTML page; give the address of its feed (often named in <link rel=alternate>)",
    "body": "an HTML page; give the address of its feed (often named in <link rel=alternate>)",
    "opml": "an OPML list of feeds; give the feeds that it lists",
    "urlset": "a sitemap; give the site's feed",
    "sitemapindex": "a sitemap; give the site's feed",
}


class XmlFeed:
    """A parsed XML feed; its items are built by :meth:`items`."""

    def __init__(self, text: str, where: str) -> None:
        prepared = prepare_xml(text)
        self._xml = prepared.xml
        self._warnings = [ReadWarning(code, message) for code, message in prepared.warnings]
        if prepared.root not in _ROOTS:
            raise InvalidFeed(f"no feed, but {describe_root(prepared.root)}", where)
        root = self._parse(where)
        namespace = str(root.tag).rpartition("}")[0][1:]
        self._names = ElementNames("" if namespace == _RDF else namespace)
        self._root = root
        self._head = self._find_head()
        self._entries = self._find_entries()
        if prepared.root == "rdf" and not self._entries and self._head is root:
            raise InvalidFeed("no feed, but RDF data without channel and items; give the site's feed", where)
        self.title = self._head_text("title")
        self.address = self._own_address()

    def items(self, stamp: Stamp) -> tuple[Entries, tuple[ReadWarning, ...]]:
        """Return the entries as items, and what had to be repaired or left out.

        The entries of a damaged feed are read at once: what they are depends on where it breaks off.
        """
        bases = [base for base in (stamp.source, self.address, self._head_link()) if is_web_address(base)]
        language = self._language()
        reader = EntryReader(self._names, stamp, bases, language, self._damaged)
        if not self._damaged:
            return self._entries_of(reader, Digester(str(self._root.tag), language, *bases))
        cut = self._cut_entry()
        read = [
            reader.read(element, self._open_field(element) if element is cut else None) for element in self._entries
        ]
        items = tuple(item for item in read if item is not None)
        lost_to_cut = cut is not None and read[-1] is None
        empty = len(read) - len(items) - lost_to_cut
        warnings = self._warnings + list(empty_entries_warning(empty))
        if self._truncated:
            what = "its last entry is left out" if lost_to_cut else "the entries up to there are read"
            warnings.append(ReadWarning("truncated", f"the feed ends in the middle; {what}"))
        return Entries.read_already(items), tuple(warnings)

    def _entries_of(self, reader: EntryReader, digester: Digester) -> tuple[Entries, tuple[ReadWarning, ...]]:
        """The entries of a whole feed, unread as far as they certainly hold something."""
        bases_inside = b"xml:base" in self._xml
        found: list[tuple[bytes, Callable[[], Item]]] = []
        for element in self._entries:
            raw = etree.tostring(element, encoding="utf-8", xml_declaration=False, with_tail=False)
            if bases_inside:
                raw += (element.base or "").encode()
            if reader.certainly_holds_something(element):
                found.append((digester.digest(raw), partial(reader.read_certain, element)))
            elif (item := reader.read(element)) is not None:
                found.append((digester.digest(raw), partial(_same, item)))
        warnings = self._warnings + list(empty_entries_warning(len(self._entries) - len(found)))
        return Entries(found), tuple(warnings)

    def _parse(self, where: str) -> etree._Element:
        root, errors = _parse_xml(self._xml)
        if any(error.type_name == "ERR_DOCUMENT_END" for error in errors):
            # Something follows the root, perhaps more entries: read all of it as one document.
            self._xml = b"<rss>" + self._xml + b"</rss>"
            root, errors = _parse_xml(self._xml)
        if root is None or not local_name(root):
            raise InvalidFeed("no feed: its XML cannot be read from the first element on", where)
        self._odd_names = bool(errors)
        self._damaged = any(not error.type_name.startswith("NS_") for error in errors)
        self._truncated = self._damaged and not _has_end(self._xml, root)
        limits = [error for error in errors if error.type_name == "ERR_RESOURCE_LIMIT"]
        if limits:
            message = f"what follows line {limits[0].line} is not read: {limits[0].message.strip()}"
            self._warnings.append(ReadWarning("limit_reached", message))
        elif self._damaged and not self._truncated:
            message = f"line {errors[0].line}: {errors[0].message.strip()}"
            self._warnings.append(ReadWarning("damaged_xml", message))
        return root

    def _find_head(self) -> etree._Element:
        """Return the element that holds title and address of the feed."""
        found = self._root.iter("{*}channel", "{*}feed")
        return next((element for element in found if self._names.of(element) in _HEADS), self._root)

    def _find_entries(self) -> list[etree._Element]:
        """Return all entries, wherever broken XML put them; odd names (``rss:item``) need a full walk."""
        found = [] if self._odd_names else list(self._root.iter("{*}item", "{*}entry"))
        entries = [element for element in found if self._names.of(element) in _ENTRIES]
        return entries or [e for e in self._root.iter(etree.Element) if self._names.of(e) in _ENTRIES]

    def _head_children(self, name: str) -> Iterator[etree._Element]:
        for element in self._head:
            if self._names.of(element) == name:
                yield element

    def _head_text(self, name: str) -> str:
        return next((text for element in self._head_children(name) if (text := inner_text(element))), "")

    def _own_address(self) -> str:
        for link in self._head_children("link"):
            if link.get("rel", "").strip().lower() == "self":
                address = (link.get("href") or "").strip()
                if is_web_address(address):
                    return address
        return ""

    def _head_link(self) -> str:
        for link in self._head_children("link"):
            href = link.get("href")
            address = href if href is not None and link.get("rel", "alternate") == "alternate" else inner_text(link)
            if address and is_web_address(address.strip()):
                return address.strip()
        return ""

    def _language(self) -> str:
        marked = self._head.get(_XML_LANG) or self._root.get(_XML_LANG) or ""
        return (self._head_text("language") or self._head_text("dc:language") or marked).strip()

    def _cut_entry(self) -> etree._Element | None:
        """Return the last entry when a truncated feed ends inside it."""
        if not self._truncated or not self._entries:
            return None
        last = self._entries[-1]
        return last if _is_open(self._xml, last) else None

    def _open_field(self, entry: etree._Element) -> etree._Element | None:
        last = entry[-1] if len(entry) else None
        return last if last is not None and _is_open(self._xml, last) else None


def _same(item: Item) -> Item:
    return item


def describe_root(root: str) -> str:
    """Return in words what a document with this root element is.

    >>> describe_root("urlset")
    "a sitemap; give the site's feed"
    >>> describe_root("svg")
    'an XML document of another kind (<svg>); give an RSS, Atom or JSON feed'
    """
    if not root:
        return "something without any XML element; give an RSS, Atom or JSON feed"
    return _OTHER_ROOTS.get(root, f"an XML document of another kind (<{root}>); give an RSS, Atom or JSON feed")


def _parse_xml(xml: bytes) -> tuple[etree._Element | None, list[etree._LogEntry]]:
    parser = etree.XMLParser(
        recover=True,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        encoding="utf-8",
    )
    try:
        root = etree.fromstring(xml, parser)
    except etree.XMLSyntaxError:
        return None, []
    return root, list(parser.error_log)


def _qualified(element: etree._Element) -> bytes:
    """Return the name as the document spells it, ready for a pattern."""
    name = str(element.tag).rpartition("}")[2]
    return re.escape((f"{element.prefix}:{name}" if element.prefix else name).encode("utf-8", "replace"))


def _has_end(xml: bytes, element: etree._Element) -> bool:
    name = _qualified(element)
    return re.search(rb"</" + name + rb"\s*>|<" + name + rb"(?:\s[^<>]*)?/>", xml) is not None


def _is_open(xml: bytes, element: etree._Element) -> bool:
    """Return whether the last start tag of this name has no end after it."""
    name = _qualified(element)
    starts = list(re.finditer(rb"<" + name + rb"(?=[\s/>])[^<>]*(?:>|\Z)", xml))
    if not starts or starts[-1].group().endswith(b"/>"):
        return False
    return re.compile(rb"</" + name + rb"\s*>").search(xml, starts[-1].end()) is None
