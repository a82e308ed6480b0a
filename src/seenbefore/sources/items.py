"""Item lists (JSON lines, JSON arrays, mappings from a program) → :class:`~seenbefore.model.Item`."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, Never

from ..errors import InvalidItem
from ..model import Item
from .fields import storable
from .itemfields import ItemFields, kind_of


@dataclass(frozen=True, slots=True)
class LineError:
    """A line that is no item. ``line`` counts from 1; 0 stands for the file itself.

    ``code`` is ``invalid_json``, ``invalid_item`` or ``unreadable`` (the file went away meanwhile).
    """

    line: int
    code: str
    message: str


def parse_item(mapping: Mapping[str, object], *, source: str | None, where: str) -> Item:
    """Return the item that a mapping in the ``items.jsonl`` form describes.

    >>> item = parse_item({"id": 7, "url": "https://example.com/a", "rank": 3}, source="list", where="line 1")
    >>> item.external_id, item.original_url, item.source, dict(item.extra)
    ('7', 'https://example.com/a', 'list', {'rank': 3})

    Something must say what the item is:

    >>> parse_item({"summary": "only text"}, source="list", where="line 1")
    Traceback (most recent call last):
    ...
    seenbefore.errors.InvalidItem: line 1: none of url, guid and title is given; one of them is needed

    A null is an absent field. ``published`` and ``modified`` may be unknown ("Monday"); ``posted_at`` and
    ``observed_at`` order what happened and therefore must be readable; a date alone is its midnight UTC.

    Raises:
        InvalidItem: a field of the wrong type (it is named), no source, or nothing that identifies.
    """
    if not isinstance(mapping, Mapping):
        raise InvalidItem(f"an item is a JSON object, not {kind_of(mapping)}", where)
    read = ItemFields(mapping, where)
    item_source = read.text("source").strip() or source
    if not item_source:
        read.fail("source", "is missing and no name was given for the whole list")
    permanent, temporary = read.redirects()
    item = Item(
        source=storable(item_source),
        kind=read.kind(),
        external_id=read.name("id"),
        fetch_id=read.name("fetch_id"),
        guid=(read.name("guid") or "").strip(),
        guid_is_permalink=read.flag("guid_is_permalink"),
        original_url=read.text("url").strip(),
        final_url=read.text("final_url").strip(),
        canonical=read.text("canonical").strip(),
        title=read.text("title"),
        summary=read.text("summary"),
        content=read.text("content"),
        authors=read.texts("authors"),
        language=read.text("language").strip(),
        ids=read.ids(),
        enclosures=read.enclosures(),
        images=read.texts("images"),
        redirects=permanent,
        temporary_redirects=temporary,
        published=read.date("published"),
        modified=read.date("modified"),
        posted_at=read.instant("posted_at"),
        observed_at=read.instant("observed_at"),
        representation=read.representation(),
        extractor=read.text("extractor").strip(),
        extra=read.extra(),
    )
    if not (item.original_url or item.guid or item.title.strip()):
        raise InvalidItem("none of url, guid and title is given; one of them is needed", where)
    return item


def read_items(lines: Iterable[str | bytes], *, source: str | None, where: str) -> Iterator[Item | LineError]:
    """Yield an item or an error for each line of JSON that is not blank.

    >>> list(read_items(['{"title": "One"}', "", "{oops"], source="list", where="a.jsonl"))[1].line
    3
    >>> array = ['[{"title": "One"},', ' {"title": "Two"}]']
    >>> [item.title for item in read_items(array, source="list", where="a.json")]
    ['One', 'Two']

    A list that begins with ``[``, or with a ``{`` alone in its line, is one JSON document.
    """
    for _, read in read_numbered(lines, source=source, where=where):
        yield read


def read_numbered(
    lines: Iterable[str | bytes], *, source: str | None, where: str
) -> Iterator[tuple[int, Item | LineError]]:
    """Yield what :func:`read_items` yields, each with its line number (in a document: of its start).

    >>> [number for number, _ in read_numbered(["", '{"title": "One"}'], source="list", where="a.jsonl")]
    [2]
    """
    numbered = enumerate(lines, start=1)
    for number, line in numbered:
        text = _decoded(line)
        if text is not None and not text.strip("\ufeff \t\r\n"):
            continue
        first = text.strip("\ufeff \t\r\n") if text is not None else ""
        if first[:1] == "[" or first == "{":
            yield from _read_document(chain([(number, line)], numbered), source, where)
        else:
            yield number, _read_line(number, text, source, where)
            yield from _read_lines(numbered, source, where)


def _read_lines(
    numbered: Iterable[tuple[int, str | bytes]], source: str | None, where: str
) -> Iterator[tuple[int, Item | LineError]]:
    for number, line in numbered:
        text = _decoded(line)
        if text is None or text.strip("\ufeff \t\r\n"):
            yield number, _read_line(number, text, source, where)


def _read_line(number: int, text: str | None, source: str | None, where: str) -> Item | LineError:
    if text is None:
        return LineError(number, "invalid_json", "the line is not UTF-8")
    try:
        value = _DECODER.decode(text.strip("\ufeff \t\r\n"))
    except RecursionError:
        return LineError(number, "invalid_json", "the JSON is nested too deeply")
    except ValueError as error:
        return LineError(number, "invalid_json", f"no JSON object: {error}")
    return _to_item(number, value, source, where)


def _to_item(number: int, value: Any, source: str | None, where: str, entry: str = "") -> Item | LineError:
    try:
        return parse_item(value, source=source, where=f"{where}:{number}")
    except InvalidItem as error:
        return LineError(number, error.code, f"{entry}: {error.message}" if entry else error.message)


def _read_document(
    numbered: Iterable[tuple[int, str | bytes]], source: str | None, where: str
) -> Iterator[tuple[int, Item | LineError]]:
    """Yield the items of one JSON array or object; what stands before a broken place is still read."""
    parts: list[str] = []
    number = first = 0
    for number, line in numbered:
        text = _decoded(line)
        if text is None:
            yield (
                number,
                LineError(number, "invalid_json", "the line is not UTF-8; nothing of the document is read"),
            )
            return
        first = first or number
        parts.append(text if text.endswith("\n") else text + "\n")
    text = "".join(parts)
    at = _skip(text, 0, "\ufeff \t\r\n[")
    listed = text.lstrip("\ufeff \t\r\n").startswith("[")
    counted, number, position = 0, first, 0
    while at < len(text) and text[at] != "]":
        number += text.count("\n", counted, at)
        counted = at
        position += 1
        entry = f"entry {position} of the array" if listed else ""
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            said = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            broken = f"{entry}: broken JSON" if entry else "broken JSON"
            yield number, LineError(number, "invalid_json", f"{broken} ({said}); the rest is not read")
            return
        yield number, _to_item(number, value, source, where, entry)
        at = _skip(text, at, " \t\r\n,")
    number += text.count("\n", counted, at)
    if listed and at >= len(text):
        yield number, LineError(number, "invalid_json", "the list ends without its closing bracket")
    elif text[at + 1 :].strip():
        yield number, LineError(number, "invalid_json", "what follows the list is not read")


def _skip(text: str, at: int, characters: str) -> int:
    while at < len(text) and text[at] in characters:
        at += 1
    return at


def _decoded(line: str | bytes) -> str | None:
    if isinstance(line, str):
        return line
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _no_constant(name: str) -> Never:
    raise ValueError(f"{name} is no JSON value")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"the number {text} is too large" if len(text) <= _SHOWN_DIGITS else _too_long(text))
    return number


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:  # Python's own message is advice on a setting of the interpreter
        raise ValueError(_too_long(text)) from None


def _too_long(text: str) -> str:
    return f"a number of {len(text.lstrip('-')):,} characters is too long"


_SHOWN_DIGITS: Final = 40
_DECODER: Final = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite, parse_int=_whole)
