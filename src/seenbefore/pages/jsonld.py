"""JSON-LD blocks as sites write them → objects: lenient where the meaning is plain, silent where it is not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final
from urllib.parse import urlsplit

Thing = dict[str, Any]
"""One JSON-LD object."""

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_WRAPPING: Final = re.compile(
    r"\A\s*(?:/\*.*?\*/|//[^\n]*\n|<!--|<!\[CDATA\[|\*/)+|(?:-->|\]\]>|//|/\*|\*/|;|\s)+\Z", re.DOTALL
)
_TRAILING_COMMA: Final = re.compile(r",(\s*[}\]])")
_DEEPEST: Final = 6
"""Lists within lists that are opened: deeper ones were never seen to hold the page itself."""

_DECODER: Final = json.JSONDecoder(strict=False)


def read_blocks(blocks: Iterable[str]) -> tuple[list[Thing], int]:
    """Return the objects of all blocks, ``@graph`` and lists opened, and how many blocks are unreadable.

    >>> read_blocks(['{"@graph": [{"@type": "Article", "headline": "Fish\\nand chips"}]};', "{oops"])
    ([{'@type': 'Article', 'headline': 'Fish\\nand chips'}], 1)

    What is broken inside stays unread: a guess could take a date from the wrong object.

    >>> read_blocks(['{"datePublished": "2026-01-01" "url": 1}'])
    ([], 1)
    """
    found: list[Thing] = []
    unreadable = 0
    for block in blocks:
        if not block.strip():
            continue
        value = _parse(block)
        if value is None:
            unreadable += 1
        else:
            found.extend(_objects(value, 0))
    return found, unreadable


def _parse(block: str) -> Any:
    """The value of a block; None when it has none."""
    try:
        return _DECODER.decode(block.strip())
    except (ValueError, RecursionError):
        pass
    repaired = _TRAILING_COMMA.sub(r"\1", _CONTROL.sub(" ", _WRAPPING.sub("", block)))
    try:
        return _DECODER.decode(repaired.strip())
    except (ValueError, RecursionError):
        return None


def _objects(value: Any, depth: int) -> Iterator[Thing]:
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for part in value:
            yield from _objects(part, depth + 1)
    elif isinstance(value, dict):
        graph = value.get("@graph")
        if isinstance(graph, list | dict):
            yield from _objects(graph, depth + 1)
            if len(value) <= 2:  # nothing beside @context
                return
        yield value


def types_of(thing: Thing) -> frozenset[str]:
    """Return the names of an object's types, without the vocabulary they are from.

    >>> types_of({"@type": ["https://schema.org/NewsArticle", "Thing"]}) == {"NewsArticle", "Thing"}
    True
    >>> types_of({"type": "NewsArticle"})
    frozenset()
    """
    given = thing.get("@type")
    names = given if isinstance(given, list) else [given]
    return frozenset(str(name).rpartition("/")[2].rpartition("#")[2] for name in names if isinstance(name, str))


def text_of(value: Any) -> str:
    """Return a value as one line of text; of a list its first text, of an object its ``@value``, ``name`` or ``@id``.

    >>> text_of([{"name": " A. Writer "}]), text_of(7), text_of({"x": 1})
    ('A. Writer', '7', '')
    """
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list):
        return next((text for part in value[:20] if (text := text_of(part))), "")
    if isinstance(value, dict):
        named = (value.get(name) for name in ("@value", "name", "@id", "url"))
        return next((text for part in named if isinstance(part, str | int) and (text := text_of(part))), "")
    return ""


def own_addresses(thing: Thing) -> list[str]:
    """Return the addresses under which an object says the page stands.

    >>> own_addresses({"url": "https://n.example/a", "mainEntityOfPage": {"@id": "https://n.example/b"}, "image": "/i"})
    ['https://n.example/a', 'https://n.example/b']
    """
    main = thing.get("mainEntityOfPage")
    given = [thing.get("url"), thing.get("@id"), main if isinstance(main, str) else None]
    if isinstance(main, dict):
        given += [main.get("@id"), main.get("url")]
    return [text for value in given if (text := text_of(value)).lower().startswith("http")]


def bare_address(url: str) -> str:
    """Return an address without what the ways to one page differ in: scheme, ``www.``, query, final slash; '' for none.

    >>> bare_address("https://www.n.example/A/?b=1#c") == bare_address("http://m.n.example/a")
    True
    >>> bare_address("https://n.example/a") == bare_address("https://n.example/b"), bare_address("/a")
    (False, '')
    """
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return ""
    host = host.removeprefix("www.").removeprefix("m.").removeprefix("amp.")
    return f"{host}{parts.path.rstrip('/')}".lower() if host else ""
