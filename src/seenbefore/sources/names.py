"""Names of feed elements, whatever namespace address or prefix a publisher wrote."""

from __future__ import annotations

from typing import Final

from lxml import etree

# Address without scheme and trailing "/" or "#", in lower case → our prefix; "" is the feed format itself.
_FAMILIES: Final = {
    "www.w3.org/2005/atom": "",
    "purl.org/atom/ns": "",
    "purl.org/rss/1.0": "",
    "my.netscape.com/rdf/simple/0.9": "",
    "channel.netscape.com/rdf/simple/0.9": "",
    "purl.org/net/rss1.1": "",
    "www.w3.org/1999/02/22-rdf-syntax-ns": "rdf",
    "purl.org/rss/1.0/modules/content": "content",
    "purl.org/dc/elements/1.0": "dc",
    "purl.org/dc/elements/1.1": "dc",
    "purl.org/dc/terms": "dcterms",
    "search.yahoo.com/mrss": "media",
    "www.itunes.com/dtds/podcast-1.0.dtd": "itunes",
    "rssnamespace.org/feedburner/ext/1.0": "feedburner",
    "www.w3.org/1999/xhtml": "xhtml",
    "purl.org/rss/1.0/modules/slash": "slash",
    "wellformedweb.org/commentapi": "wfw",
    "purl.org/syndication/thread/1.0": "thr",
}
_FAMILY_STARTS: Final = (
    ("backend.userland.com/rss", ""),
    ("blogs.law.harvard.edu/tech/rss", ""),
    ("cyber.law.harvard.edu/rss", ""),
    ("www.rssboard.org/rss", ""),
    ("my.netscape.com/publish/formats/rss", ""),
    ("prismstandard.org/namespaces", "prism"),
    ("www.prismstandard.org/namespaces", "prism"),
)
_PREFIXES: Final = frozenset({*_FAMILIES.values(), "prism"} - {""})


def local_name(element: etree._Element) -> str:
    """Return the name without namespace as it is spelled, '' for what is no element.

    >>> local_name(etree.fromstring("<a:Link xmlns:a='urn:example'/>"))
    'Link'
    """
    tag = element.tag
    return tag.rpartition("}")[2].rpartition(":")[2] if isinstance(tag, str) else ""


class ElementNames:
    """The short names of one feed's elements, worked out once per distinct tag.

    >>> names = ElementNames(root_namespace="")
    >>> names.short("{http://purl.org/dc/elements/1.1/}creator", "anything"), names.short("pubDate", None)
    ('dc:creator', 'pubdate')

    An element that only shares its local name with a known one gets another name:

    >>> names.short("{urn:example}title", "x")
    '?:title'

    A known prefix helps when the address is misspelled or the prefix was never declared.
    """

    def __init__(self, root_namespace: str) -> None:
        self._root_namespace = root_namespace
        self._known: dict[str, str] = {}

    def of(self, element: etree._Element) -> str:
        """Return the short name of an element, '' for what is no element (a comment)."""
        tag = element.tag
        return (self._known.get(tag) or self.short(tag, element.prefix)) if isinstance(tag, str) else ""

    def short(self, tag: str, prefix: str | None) -> str:
        """Return ``local`` for elements of the feed format and ``prefix:local`` for known extensions."""
        name = self._known.get(tag)
        if name is None:
            name = self._known[tag] = self._resolve(tag, prefix)
        return name

    def _resolve(self, tag: str, prefix: str | None) -> str:
        namespace, _, local = tag.rpartition("}")
        if not namespace and ":" in local:
            prefix, _, local = local.partition(":")
            family = prefix.lower() if prefix.lower() in _PREFIXES else "" if prefix in ("rss", "atom") else "?"
        else:
            family = self._family(namespace[1:], prefix)
        local = local.lower()
        return f"{family}:{local}" if family else local

    def _family(self, namespace: str, prefix: str | None) -> str:
        if not namespace or namespace == self._root_namespace:
            return ""
        address = namespace.strip().lower().removeprefix("http://").removeprefix("https://").rstrip("/#")
        if address in _FAMILIES:
            return _FAMILIES[address]
        for start, family in _FAMILY_STARTS:
            if address.startswith(start):
                return family
        known = (prefix or "").lower()
        return known if known in _PREFIXES else "?"
