"""The text of a page as readers see it, in blocks, with the way back to the elements."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from typing import Final

from selectolax.lexbor import LexborNode

from .document import PageDocument
from .headline import headline_of, line_of

_UNSEEN: Final = frozenset(
    "script style noscript template svg iframe select option button textarea head title math object".split()
)
_INLINE: Final = frozenset(
    "a abbr acronym b bdi bdo big cite code data dfn em font i ins kbd "
    "label mark q s samp small span strong sub sup time tt u var".split()
)
_MOST: Final = 200_000
_HIGHEST: Final = 60
_SHORTEST: Final = 10
"""Characters of a line that is no headline by chance."""


@dataclass(frozen=True, slots=True)
class SeenText:
    """Blocks of text on lines of their own.

    ``headline`` and ``body`` are where the headline begins and ends, -1 if there is none; ``around`` is what holds it
    (``mem_id`` of elements).
    """

    text: str
    headline: int
    body: int
    around: frozenset[int]
    _starts: list[int]
    _nodes: list[LexborNode]

    def node_at(self, place: int) -> LexborNode:
        """Return the element that holds the character at a place."""
        return self._nodes[max(0, bisect_right(self._starts, place) - 1)]


def see_text(document: PageDocument) -> SeenText:
    """Return the visible text of a page.

    >>> from seenbefore.pages.document import parse_page
    >>> seen = see_text(parse_page("<h1>Bridge</h1><p>On <b>5</b> May</p><script>x()</script>by A"))
    >>> seen.text, seen.text[seen.body:].strip()
    ('Bridge\\nOn 5 May\\nby A', 'On 5 May\\nby A')
    """
    body, top = document.tree.body, headline_of(document)
    top_id = top.mem_id if top is not None else -1
    parts: list[str] = []
    starts: list[int] = []
    nodes: list[LexborNode] = []
    length, last, headline, end = 0, -1, -1, -1
    for node in body.traverse(include_text=True) if body is not None else ():
        tag = node.tag
        if tag != "-text":
            if node.mem_id == top_id:
                headline = length
            continue
        parent = node.parent
        if parent is None or parent.tag in _UNSEEN:
            continue
        words = " ".join((node.text_content or "").split())
        if not words:
            continue
        if not words.isascii():
            words = unicodedata.normalize("NFKC", words)
        block = _block_of(parent)
        if length:
            parts.append(" " if block == last else "\n")
            length += 1
        last = block
        parts.append(words)
        starts.append(length)
        nodes.append(parent)
        length += len(words)
        if length > _MOST:
            break
    text = "".join(parts)
    if headline >= 0 and top is not None:
        headline += text[headline : headline + 1] in ("\n", " ")
        inside = len(" ".join(top.text(separator=" ").split()))
        end = min(headline + inside, length)
    elif top is None:
        headline, end = _line_of_title(text, document)
    return SeenText(text, headline, end, frozenset(line_of(top)) if top is not None else frozenset(), starts, nodes)


def _line_of_title(text: str, document: PageDocument) -> tuple[int, int]:
    """Where the longest line stands that the page's title holds, on pages whose headline is no heading."""
    title = document.meta("og:title") + "\n" + document.title
    best, place = (-1, -1), 0
    for line in text.split("\n"):
        if len(line) >= _SHORTEST and len(line) > best[1] - best[0] and line in title:
            best = (place, place + len(line))
        place += len(line) + 1
    return best


def _block_of(node: LexborNode) -> int:
    above: LexborNode | None = node
    while above is not None and above.tag in _INLINE:
        above = above.parent
    return above.mem_id if above is not None else -1


def path_of(node: LexborNode) -> str:
    """Return the way from the root to an element, such as ``html > body > div.post > p``."""
    names: list[str] = []
    above: LexborNode | None = node
    while above is not None and above.tag and above.tag[0] not in "-#" and len(names) < _HIGHEST:
        given = above.attributes
        one, kind = given.get("id"), (given.get("class") or "").split()
        names.append(above.tag + (f"#{one}" if one else f".{kind[0]}" if kind else ""))
        above = above.parent
    return " > ".join(reversed(names))
