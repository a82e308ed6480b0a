"""The dates that a page gives to programs: JSON-LD, ``meta``, ``itemprop``, ``time``, and its address.

Tiers say how often a place was right on labeled pages: A and B are meant for the date of publication and hardly ever
wrong; C is usually the date of publication, but says so less clearly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Final, NamedTuple
from urllib.parse import unquote

from selectolax.lexbor import LexborNode

from ..model import DateEvidence
from .datecandidates import MODIFIED, PUBLISHED, of_day, read_tag
from .document import PageDocument
from .jsonld import Thing, bare_address, own_addresses, text_of, types_of
from .visible_dates import OTHER, is_of_others, said_before


class Found(NamedTuple):
    """One value at one place; ``node`` where it is an element that may stand there several times."""

    role: str
    rank: int
    family: str
    evidence: DateEvidence
    node: LexborNode | None = None


_ARTICLE: Final = re.compile(r"(?:Article|Posting|Report|Recipe|Review)\Z")
_PAGE: Final = re.compile(r"Page\Z")
_DEEPEST: Final = 3
_LONGEST: Final = 160

# What each name is: role, tier, rank within the tier, family.
_METAS: Final[Mapping[str, tuple[str, str, int, str]]] = {
    name: meaning
    for names, meaning in (
        ("article:published_time article:published og:article:published_time", (PUBLISHED, "A", 1, "opengraph")),
        ("citation_date citation_publication_date", (PUBLISHED, "A", 3, "citation")),
        ("citation_online_date", (MODIFIED, "A", 3, "citation_online")),
        ("parsely-pub-date", (PUBLISHED, "A", 4, "parsely")),
        ("sailthru.date", (PUBLISHED, "A", 4, "sailthru")),
        ("bt:pubdate", (PUBLISHED, "A", 4, "bt")),
        ("cxenseparse:recs:publishtime cxenseparse:publishtime", (PUBLISHED, "A", 4, "cxense")),
        (
            "dcterms.issued dc.date.issued dc.issued dcterms.date.issued dcterms:issued",
            (PUBLISHED, "A", 5, "dublincore"),
        ),
        (
            "pubdate pub_date publishdate publish-date publish_date published-date published_date publisheddate "
            "publication_date publication-date publicationdate prism.publicationdate publish_time published_time "
            "publishedat published date.published date_published rnews:datepublished article.published "
            "article_date_original originalpublicationdate og:published_time og:pubdate og:publish_date "
            "dcsext.articlefirstpublished",
            (PUBLISHED, "B", 4, "pubdate"),
        ),
        ("date", (PUBLISHED, "C", 4, "metadate")),
        ("dc.date dcterms.date", (PUBLISHED, "C", 5, "dcdate")),
        ("article:modified_time article:modified", (MODIFIED, "A", 1, "opengraph")),
        ("dcterms.modified dc.date.modified", (MODIFIED, "A", 5, "dublincore")),
        ("og:updated_time", (MODIFIED, "B", 1, "updated")),
        ("last-modified lastmod", (MODIFIED, "B", 2, "lastmodified")),
    )
    for name in names.split()
}


_PUBLISHED_CLASS: Final = re.compile(
    r"(?:\A|[\s_-])(?:publish(?:ed)?|pubdate|publication|entry-date|post-date|posted-on|dt-published)(?:[\s_-]|\Z)|datePublished|publishedAt|publishDate|pubDate",
    re.IGNORECASE,
)
_MODIFIED_CLASS: Final = re.compile(r"updat|modif|edited", re.IGNORECASE)
_AROUND: Final = 400
_BEFORE: Final = 45
"""Characters before a time in which a word belongs to it."""
_PATH_DAY: Final = re.compile(
    r"/(\d{4})(?:/(\d{1,2})/(\d{1,2})(?=/|[^\d/][^/]*|\Z)|-(\d{2})-(\d{2})(?=[/_.-]|\Z)|(\d{2})(\d{2})/)"
)
_DATES: Final = ("datepublished", "datemodified")
_ENTRY: Final = re.compile(r"(?:\A|\s)h-?entry(?:\s|\Z)")
_PART: Final = re.compile(
    r"(?:Image|Video|Audio|Media)Object|Comment|Review|Rating|Person|Organization|Event|Product|Offer|Clip|Question|Answer"
)
"""Types of things within a page whose dates are their own."""


def find_tags(document: PageDocument, url: str, canonical: str) -> list[Found]:
    """Return every date that a page gives to programs."""
    return [
        *_from_json_ld(document, url, canonical),
        *_from_metas(document),
        *_from_elements(document),
        *_from_addresses(url, canonical),
    ]


def _value(
    role: str, tier: str, rank: int, family: str, tag: str, raw: str, language: str = "", node: LexborNode | None = None
) -> Found:
    return Found(role, rank, family, read_tag(raw, tag, tier, language), node)


# --- JSON-LD ------------------------------------------------------------------------------------


def _from_json_ld(document: PageDocument, url: str, canonical: str) -> Iterator[Found]:
    if not any("datePublished" in block or "dateModified" in block for block in document.json_ld_blocks):
        return
    articles: list[Thing] = []
    pages: list[Thing] = []
    for thing in document.json_ld:
        _sort(thing, articles, pages, 0)
    addresses = {bare_address(address) for address in (url, canonical, document.meta("og:url"))} - {""}
    titles = {_plain(title) for title in (document.meta("og:title"), document.title) if title}
    for name, things, rank in (
        ("Article", _own(articles, addresses, titles), 0),
        ("WebPage", _own(pages, addresses, titles), 2),
    ):
        for thing in things:
            for role, key in ((PUBLISHED, "datePublished"), (MODIFIED, "dateModified")):
                raw = text_of(thing.get(key))
                if raw:
                    yield _value(role, "A", rank, "jsonld", f"jsonld:{name}.{key}", raw, document.language)


def _sort(thing: Thing, articles: list[Thing], pages: list[Thing], depth: int) -> None:
    """Put an object, and what it calls the main thing of its page, to the articles or the pages."""
    types = types_of(thing)
    dated = thing.get("datePublished") or thing.get("dateModified")
    if dated and any(_ARTICLE.search(name) for name in types):
        articles.append(thing)
    elif dated and any(_PAGE.search(name) for name in types):
        pages.append(thing)
    for key in ("mainEntity", "mainEntityOfPage"):
        inner = thing.get(key)
        if isinstance(inner, dict) and depth < _DEEPEST:
            _sort(inner, articles, pages, depth + 1)


def _own(things: list[Thing], addresses: set[str], titles: set[str]) -> list[Thing]:
    """The objects that are this page: those with its address, else its headline, else the only one, else none."""
    if (
        len({text_of(thing.get("datePublished")) for thing in things}) <= 1
        and len({text_of(thing.get("dateModified")) for thing in things}) <= 1
    ):
        return things[:1]
    by_address = [thing for thing in things if addresses & set(map(bare_address, own_addresses(thing)))]
    if by_address:
        return by_address
    return [
        thing
        for thing in things
        if (name := _plain(text_of(thing.get("headline")))) and any(name in title or title in name for title in titles)
    ]


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


# --- meta and elements --------------------------------------------------------------------------


def _from_metas(document: PageDocument) -> Iterator[Found]:
    online = "citation_date" in document.metas_by_name
    for name, content in document.metas:
        known = _METAS.get(name)
        if known is not None:
            role, tier, rank, family = known
            if name == "citation_online_date" and not online:
                role = PUBLISHED  # alone it is the day the article appeared
            yield _value(role, tier, rank, family, name if ":" in name else f"meta:{name}", content, document.language)


def _role_of_time(node: LexborNode, raw: str, events: frozenset[str]) -> str:
    """What a plain ``time`` is the time of: by the words before it and the part of the page it stands in."""
    if raw[:10] in events or is_of_others(node, margins=True):
        return OTHER
    around = " ".join(node.parent.text(separator=" ")[:_AROUND].split()) if node.parent is not None else ""
    own = " ".join(node.text(separator=" ").split())
    before = around[: around.find(own)] if own and own in around else ""
    return said_before(before[-_BEFORE:]) or PUBLISHED


def _days_of_events(document: PageDocument) -> frozenset[str]:
    """The days on which events begin and end that the page announces."""
    if not any("Event" in block for block in document.json_ld_blocks):
        return frozenset()
    events = [thing for thing in document.json_ld if any(name.endswith("Event") for name in types_of(thing))]
    return frozenset(text_of(event.get(name))[:10] for event in events for name in ("startDate", "endDate"))


def _from_elements(document: PageDocument) -> Iterator[Found]:
    events = _days_of_events(document)
    for tag, given, node in document.marked:
        prop = (given.get("itemprop") or given.get("name") or given.get("property") or "").lower()
        if tag in ("link", "script") or (tag == "meta" and not prop.startswith(_DATES)):
            continue
        raw = given.get("datetime") or given.get("content") or (given.get("title") if tag == "abbr" else None)
        raw = (raw or node.text(separator=" ")[:_LONGEST]).strip()
        if not raw or ("itemprop" in given and prop.startswith(_DATES) and _is_of_a_part(node)):
            continue
        if tag not in ("time", "meta") and not prop.startswith(_DATES) and not _is_in_entry(node):
            continue
        role, tier, rank, family, name = _element(tag, prop, given.get("class") or "", "pubdate" in given)
        if family == "time":
            role = _role_of_time(node, raw, events)
            if role == OTHER:
                continue
        yield _value(role, tier, rank, family, name, raw, document.language, node)


def _is_of_a_part(node: LexborNode) -> bool:
    """Whether the innermost thing that a property belongs to is a picture, a comment or such."""
    above = node.parent
    while above is not None:
        given = above.attributes
        if "itemscope" in given or "itemtype" in given:
            return bool(_PART.search(given.get("itemtype") or ""))
        above = above.parent
    return False


def _is_in_entry(node: LexborNode) -> bool:
    """Whether an element belongs to an entry of the hAtom or h-entry microformat."""
    above = node.parent
    while above is not None:
        if _ENTRY.search(above.attributes.get("class") or ""):
            return True
        above = above.parent
    return False


def _element(tag: str, prop: str, kind: str, pubdate: bool) -> tuple[str, str, int, str, str]:
    if prop.startswith("datepublished"):
        return PUBLISHED, "A", 2, "microdata", "itemprop:datePublished"
    if prop.startswith("datemodified"):
        return MODIFIED, "A", 2, "microdata", "itemprop:dateModified"
    if tag == "time" and _MODIFIED_CLASS.search(kind) and not _PUBLISHED_CLASS.search(kind):
        return MODIFIED, "B", 1, "time-updated", "time.updated"
    if tag == "time" and pubdate:
        return PUBLISHED, "B", 1, "time-pubdate", "time[pubdate]"
    if tag == "time" and _PUBLISHED_CLASS.search(kind):
        return PUBLISHED, "B", 1, "time-published", "time.published"
    if tag == "time":
        return PUBLISHED, "C", 0, "time", "time"
    return PUBLISHED, "B", 2, "hentry", "hentry.published"


# --- addresses ----------------------------------------------------------------------------------


def _from_addresses(*addresses: str) -> Iterator[Found]:
    for day, raw in dict.fromkeys(_path_days(addresses)):
        yield Found(PUBLISHED, 3, "path", of_day(day, "url:path", raw, "B"))


def _path_days(addresses: Iterable[str]) -> Iterator[tuple[date, str]]:
    for address in addresses:
        path = "/" + unquote(address.partition("?")[0].partition("#")[0].partition("://")[2]).partition("/")[2]
        found = {_path_day(match): match[0] for match in _PATH_DAY.finditer(path)}
        found.pop(None, None)
        if len(found) == 1:
            yield from ((day, raw) for day, raw in found.items() if day)


def _path_day(match: re.Match[str]) -> date | None:
    try:
        return date(int(match[1]), int(match[2] or match[4] or match[6]), int(match[3] or match[5] or match[7]))
    except ValueError:
        return None
