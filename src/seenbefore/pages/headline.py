"""Which elements belong to the headline of a page: those that share the smallest part of the page with it."""

from __future__ import annotations

from collections.abc import Sequence

from selectolax.lexbor import LexborNode

from .document import PageDocument

_DEEPEST = 300


def headline_of(document: PageDocument) -> LexborNode | None:
    """Return the headline: the only ``h1``, of several the one whose text the page's title begins with or holds.

    >>> from seenbefore.pages.document import parse_page
    >>> headline_of(parse_page("<title>Bridge - News</title><h1>News</h1><h1>Bridge</h1>")).text()
    'Bridge'
    >>> headline_of(parse_page("<p>Bridge")) is None
    True
    """
    found = [node for node in document.tree.css("h1") if node.text().strip()]
    if len(found) <= 1:
        return found[0] if found else None
    title = _plain(document.meta("og:title") or document.title)
    fitting = [node for node in found if (text := _plain(node.text())) and text in title]
    return max(fitting, key=lambda node: len(node.text())) if fitting else found[0]


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
    depths = {node_id: depth for depth, node_id in enumerate(reversed(list(_line(headline))))}
    shared = {node.mem_id: max((depths.get(node_id, -1) for node_id in _line(node)), default=-1) for node in nodes}
    deepest = max(shared.values(), default=-1)
    return frozenset(node_id for node_id, depth in shared.items() if depth == deepest)


def _line(node: LexborNode) -> list[int]:
    """The node and all that hold it, innermost first."""
    found = []
    above: LexborNode | None = node
    while above is not None and len(found) < _DEEPEST:
        found.append(above.mem_id)
        above = above.parent
    return found


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
