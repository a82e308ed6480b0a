"""Which elements belong to the headline of a page: those that share the smallest part of the page with it."""

from __future__ import annotations

from collections.abc import Sequence

from selectolax.lexbor import LexborNode

from .document import PageDocument

_DEEPEST = 300
_SHORTEST = 6
"""Letters of a heading that are no headline by chance: "News" stands in many titles."""


def headline_of(document: PageDocument) -> LexborNode | None:
    """Return the headline: the longest heading that the page's title holds, an ``h1`` first; else the first ``h1``.

    >>> from seenbefore.pages.document import parse_page
    >>> headline_of(parse_page("<title>Bridge - News</title><h1>News</h1><h1>Bridge</h1>")).text()
    'Bridge'
    >>> headline_of(parse_page("<p>Bridge")) is None
    True
    """
    title = _plain(document.meta("og:title") + " " + document.title)
    highest = [(node, _plain(node.text())) for node in document.tree.css("h1")]
    for found in (highest, [(node, _plain(node.text())) for node in document.tree.css("h2, h3, h4")]):
        fitting = [(node, text) for node, text in found if text in title and len(text) >= _SHORTEST]
        if fitting:
            return max(fitting, key=lambda one: len(one[1]))[0]
    return next((node for node, text in highest if text), None)


def nearest_to_headline(document: PageDocument, nodes: Sequence[LexborNode]) -> frozenset[int]:
    """Return the ``mem_id`` of those nodes that share the smallest part of the page with the headline.

    >>> from seenbefore.pages.document import parse_page
    >>> page = parse_page("<div><h1>Bridge</h1><i>1</i></div><ul><i>2</i></ul>")
    >>> one, two = page.tree.css("i")
    >>> nearest_to_headline(page, [two, one]) == {one.mem_id}
    True
    >>> nearest_to_headline(parse_page("<i>1</i>"), [one])
    frozenset()
    """
    headline = headline_of(document)
    if headline is None:
        return frozenset()
    depths = {node_id: depth for depth, node_id in enumerate(reversed(list(line_of(headline))))}
    shared = {node.mem_id: max((depths.get(node_id, -1) for node_id in line_of(node)), default=-1) for node in nodes}
    deepest = max(shared.values(), default=-1)
    return frozenset(node_id for node_id, depth in shared.items() if depth == deepest)


def line_of(node: LexborNode) -> list[int]:
    """Return the ``mem_id`` of an element and of all that hold it, innermost first."""
    found: list[int] = []
    above: LexborNode | None = node
    while above is not None and len(found) < _DEEPEST:
        found.append(above.mem_id)
        above = above.parent
    return found


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
