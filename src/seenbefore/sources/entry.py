"""One RSS item or Atom entry → :class:`~seenbefore.model.Item`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lxml import etree

from ..dates import parse_date
from ..model import DateEvidence, Item
from ..text.doi import normalize_doi
from .feedtypes import Stamp
from .fields import absolute_url, is_web_address
from .markup import inner_body, inner_text
from .media import read_enclosures, read_images
from .names import ElementNames

Fields = dict[str, list[etree._Element]]

_XML_LANG: Final = "{http://www.w3.org/XML/1998/namespace}lang"
_RDF_ABOUT: Final = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about"
_TITLES: Final = ("title", "dc:title", "media:title", "itunes:title")
_CONTENTS: Final = ("content:encoded", "content", "xhtml:body", "xhtml:div")
_SUMMARIES: Final = ("description", "summary", "dc:description", "itunes:summary", "media:description")
# In the order in which they are believed. Tags of change never stand in for publication.
_PUBLISHED: Final = (
    ("pubdate", "pubDate"),
    ("published", "published"),
    ("issued", "issued"),
    ("dcterms:issued", "dcterms:issued"),
    ("dc:date", "dc:date"),
    ("prism:publicationdate", "prism:publicationDate"),
    ("created", "created"),
    ("dcterms:created", "dcterms:created"),
    ("date", "date"),
)
_MODIFIED: Final = (
    ("updated", "updated"),
    ("modified", "modified"),
    ("dcterms:modified", "dcterms:modified"),
)
_EXTRA_TEXTS: Final = (("comments", "comments"), ("itunes:episode", "episode"), ("itunes:season", "season"))
# Plain values: when broken XML leaves one of these open, what follows lands inside it.
_PLAIN: Final = frozenset(
    {"title", "link", "guid", "id", "pubdate", "author", "category", "comments", "dc:creator", "dc:date"}
)
_SAYS_SOMETHING: Final = frozenset({"title", "guid", "id"})
_KNOWN: Final = _PLAIN | {
    "item",
    "entry",
    "description",
    "summary",
    "content",
    "content:encoded",
    "enclosure",
    "published",
    "updated",
}


class EntryReader:
    """Reads the entries of one feed with what they share: names, stamp, addresses to resolve against."""

    def __init__(self, names: ElementNames, stamp: Stamp, bases: Sequence[str], language: str, damaged: bool) -> None:
        self._names = names
        self._stamp = stamp
        self._bases = bases
        self._language = language
        self._damaged = damaged

    def read(self, entry: etree._Element, open_field: etree._Element | None = None) -> Item | None:
        """Return the item, or None for an entry that holds nothing.

        ``open_field`` is the field in which a truncated feed ends. Half a value would look like a
        change at the next fetch, so it is left out, and so is an entry that lacks title or address
        because of it.
        """
        fields = self._collect(entry, open_field)
        guid_element = self._first(fields, "guid", "id")
        guid = self._text(guid_element) if guid_element is not None else (entry.get(_RDF_ABOUT) or "").strip()
        permalink = _permalink(guid_element)
        link = self._link(fields, guid, permalink)
        title = self._first_text(fields, _TITLES)
        content = next((t for e in _all(fields, _CONTENTS) if (t := inner_body(e))), "")
        summary = next((t for e in _all(fields, _SUMMARIES) if (t := inner_body(e))), "")
        enclosures = read_enclosures(fields, self._resolve)
        if not (guid or link or title or content or summary or enclosures):
            return None
        if open_field is not None and not (title and (guid or link)):
            return None
        origin = self._address(self._first_text(fields, ("feedburner:origlink", "?:origlink")), entry)
        return Item(
            source=self._stamp.source,
            fetch_id=self._stamp.fetch_id,
            guid=guid,
            guid_is_permalink=permalink,
            original_url=link,
            final_url=origin,
            canonical=self._atom_link(fields, "canonical"),
            title=title,
            summary=summary,
            content=content,
            authors=self._authors(fields),
            language=(self._first_text(fields, ("dc:language", "language")) or entry.get(_XML_LANG) or self._language),
            ids=self._ids(fields),
            enclosures=enclosures,
            images=read_images(fields, self._resolve),
            published=self._date(fields, _PUBLISHED),
            modified=self._date(fields, _MODIFIED),
            observed_at=self._stamp.observed_at,
            extra=self._extra(fields, origin),
        )

    def certainly_holds_something(self, entry: etree._Element) -> bool:
        """Return whether one look shows that the entry is not empty; False leaves it open."""
        return any(
            child.text and not len(child) and not child.text.isspace() and self._names.of(child) in _SAYS_SOMETHING
            for child in entry
        )

    def read_certain(self, entry: etree._Element) -> Item:
        """Return the item of an entry that certainly holds something."""
        item = self.read(entry)
        assert item is not None
        return item

    def _collect(self, entry: etree._Element, skip: etree._Element | None) -> Fields:
        fields: Fields = {}
        name_of = self._names.of
        for child in entry:
            if child is skip:
                continue
            name = name_of(child)
            if name in fields:
                fields[name].append(child)
            else:
                fields[name] = [child]
            if self._damaged and len(child) and name in _PLAIN and self._spilled(child):
                for inner, elements in self._collect(child, skip).items():
                    fields.setdefault(inner, []).extend(elements)
        return fields

    def _spilled(self, element: etree._Element) -> bool:
        return any(self._names.of(child) in _KNOWN for child in element)

    def _text(self, element: etree._Element) -> str:
        if self._damaged and len(element) and self._spilled(element):
            return (element.text or "").strip()
        return inner_body(element) if len(element) else inner_text(element)

    def _first(self, fields: Fields, *names: str) -> etree._Element | None:
        return next((element for element in _all(fields, names) if self._text(element)), None)

    def _first_text(self, fields: Fields, names: Sequence[str]) -> str:
        for name in names:
            for element in fields.get(name, ()):
                text = self._text(element)
                if text:
                    return text
        return ""

    def _resolve(self, address: str, element: etree._Element) -> str:
        return self._address(address, element)

    def _address(self, address: str, element: etree._Element) -> str:
        """Return an absolute address; a relative one is resolved by xml:base, then by the feed's own."""
        address = address.strip()
        if not address or is_web_address(address):
            return address
        try:
            near = element.base or ""
        except ValueError:
            near = ""
        return absolute_url(address, absolute_url(near, *self._bases), *self._bases)

    def _link(self, fields: Fields, guid: str, permalink: bool | None) -> str:
        for element in fields.get("link", ()):
            if element.get("href") is None and (text := self._text(element)):
                return self._address(text, element)
        alternate = self._atom_link(fields, "alternate")
        if alternate:
            return alternate
        for element in fields.get("content", ()):
            if element.get("src"):
                return self._address(element.get("src") or "", element)
        if permalink is not False and is_web_address(guid):
            return guid
        if permalink and guid.startswith("/"):
            return absolute_url(guid, *self._bases)
        return ""

    def _atom_link(self, fields: Fields, relation: str) -> str:
        """Return the address of a link with this relation, an HTML page before anything else."""
        found = [
            element
            for element in fields.get("link", ())
            if (element.get("href") or "").strip() and (element.get("rel") or "alternate").strip().lower() == relation
        ]
        pages = [element for element in found if "html" in (element.get("type") or "html")]
        for element in pages or found:
            return self._address(element.get("href") or "", element)
        return ""

    def _authors(self, fields: Fields) -> tuple[str, ...]:
        names: dict[str, None] = {}
        for element in _all(fields, ("author", "dc:creator")):
            people = [child for child in element if self._names.of(child) == "name"]
            for person in people or [element]:
                if not len(element) or people:
                    names.setdefault(self._text(person))
        names.pop("", None)
        fallback = "" if names else self._first_text(fields, ("itunes:author",))
        return tuple(names) or ((fallback,) if fallback else ())

    def _ids(self, fields: Fields) -> dict[str, str]:
        for element in _all(fields, ("prism:doi", "dc:identifier", "doi")):
            doi = normalize_doi(inner_text(element))
            if doi:
                return {"doi": doi}
        return {}

    def _date(self, fields: Fields, tags: Sequence[tuple[str, str]]) -> DateEvidence | None:
        """Return the first readable date of these tags, else the first one that cannot be read."""
        unread: DateEvidence | None = None
        for name, tag in tags:
            for element in fields.get(name, ()):
                raw = self._text(element)
                if raw:
                    evidence = parse_date(raw, tag)
                    if evidence.at is not None:
                        return evidence
                    unread = unread or evidence
        return unread

    def _extra(self, fields: Fields, origin: str) -> dict[str, object]:
        extra: dict[str, object] = {"orig_link": origin} if origin else {}
        for name, key in _EXTRA_TEXTS:
            if name in fields and (text := self._first_text(fields, (name,))):
                extra[key] = text
        for element in fields.get("source", ()):
            address, title = element.get("url") or "", "" if len(element) else inner_text(element)
            extra |= {key: value for key, value in (("origin_url", address.strip()), ("origin_title", title)) if value}
        return extra


def _all(fields: Fields, names: Sequence[str]) -> list[etree._Element]:
    return [element for name in names if name in fields for element in fields[name]]


def _permalink(guid: etree._Element | None) -> bool | None:
    """Return what isPermaLink says, or None where the publisher left it to the default."""
    if guid is None:
        return None
    said = (guid.get("isPermaLink") or guid.get("ispermalink") or "").strip().lower()
    return None if not said else said != "false"
