"""Item lists (JSON lines, JSON arrays, mappings from a program) → :class:`~seenbefore.model.Item`."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from typing import Any, Final, Never

from ..dates import parse_date, parse_instant
from ..errors import InvalidItem
from ..model import DateEvidence, Enclosure, Item, Kind
from .fields import normalize_doi, storable

_OWN_FIELDS: Final = frozenset(
    [
        *("id", "kind", "source", "fetch_id", "guid", "guid_is_permalink", "url", "final_url", "canonical"),
        *("title", "summary", "content", "authors", "language", "ids", "enclosures", "images", "redirects"),
        *("published", "modified", "posted_at", "observed_at", "extra"),
    ]
)


@dataclass(frozen=True, slots=True)
class LineError:
    """A line that is no item. ``line`` counts from 1; ``code`` is ``invalid_json`` or ``invalid_item``."""

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
        raise InvalidItem(f"an item is a JSON object, not {_kind_of(mapping)}", where)
    read = _Fields(mapping, where)
    item_source = read.text("source").strip() or source
    if not item_source:
        read.fail("source", "is missing and no name was given for the whole list")
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
        redirects=read.redirects(),
        published=read.date("published"),
        modified=read.date("modified"),
        posted_at=read.instant("posted_at"),
        observed_at=read.instant("observed_at"),
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


def _to_item(number: int, value: Any, source: str | None, where: str) -> Item | LineError:
    try:
        return parse_item(value, source=source, where=f"{where}:{number}")
    except InvalidItem as error:
        return LineError(number, error.code, error.message)


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
    counted, number = 0, first
    while at < len(text) and text[at] != "]":
        number += text.count("\n", counted, at)
        counted = at
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            said = "nested too deeply" if isinstance(error, RecursionError) else str(error)
            yield number, LineError(number, "invalid_json", f"broken JSON ({said}); the rest is not read")
            return
        yield number, _to_item(number, value, source, where)
        at = _skip(text, at, " \t\r\n,")
    number += text.count("\n", counted, at)
    listed = text.lstrip("\ufeff \t\r\n").startswith("[")
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
        raise ValueError(f"the number {text} is too large")
    return number


_DECODER: Final = json.JSONDecoder(parse_constant=_no_constant, parse_float=_finite)


class _Fields:
    """The fields of one mapping, read by type; every failure names its field."""

    def __init__(self, mapping: Mapping[str, object], where: str) -> None:
        self._mapping = mapping
        self._where = where

    def fail(self, name: str, problem: str) -> Never:
        raise InvalidItem(f"field {name} {problem}", self._where)

    def _wrong(self, name: str, wanted: str, value: object) -> Never:
        self.fail(name, f"must be {wanted}, not {_kind_of(value)}")

    def text(self, name: str) -> str:
        value = self._mapping.get(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            self._wrong(name, "a text", value)
        return storable(value)

    def name(self, name: str) -> str | None:
        """Return a text or whole number as text; None when it is absent or empty."""
        value = self._mapping.get(name)
        if value is None or value == "":
            return None
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            self._wrong(name, "a text or a whole number", value)
        return self._written(name, value)

    def _written(self, name: str, value: str | int | float) -> str:
        try:
            return storable(str(value))
        except ValueError:
            self.fail(name, "is a number with too many digits")

    def flag(self, name: str) -> bool | None:
        value = self._mapping.get(name)
        if value is not None and not isinstance(value, bool):
            self._wrong(name, "true or false", value)
        return value

    def kind(self) -> Kind:
        value = self.text("kind") or Kind.ARTICLE.value
        if value not in {kind.value for kind in Kind}:
            self.fail("kind", f"must be article or image, not {value[:40]!r}")
        return Kind(value)

    def _list(self, name: str, single: type | tuple[type, ...]) -> list[object]:
        """Return a list; one value of the ``single`` type stands for a list of one."""
        value = self._mapping.get(name)
        if value is None:
            return []
        if isinstance(value, single):
            return [value]
        if not isinstance(value, (list, tuple)):
            self._wrong(name, "a list", value)
        return list(value)

    def texts(self, name: str) -> tuple[str, ...]:
        found: list[str] = []
        for value in self._list(name, str):
            if not isinstance(value, str):
                self._wrong(name, "a list of texts", value)
            if value.strip():
                found.append(storable(value.strip()))
        return tuple(found)

    def _object(self, name: str) -> Mapping[str, object]:
        value = self._mapping.get(name)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            self._wrong(name, "an object", value)
        return value

    def ids(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for key, value in self._object("ids").items():
            if value is None or value == "":
                continue
            if isinstance(value, bool) or not isinstance(value, (str, int)):
                self._wrong(f"ids.{key}", "a text or a whole number", value)
            text = self._written(f"ids.{key}", value).strip()
            found[storable(str(key))] = (normalize_doi(text) or text) if key == "doi" else text
        return found

    def enclosures(self) -> tuple[Enclosure, ...]:
        return tuple(self._enclosure(value) for value in self._list("enclosures", (str, Mapping)))

    def _enclosure(self, value: object) -> Enclosure:
        if isinstance(value, str):
            value = {"url": value}
        if not isinstance(value, Mapping):
            self._wrong("enclosures", "a list of addresses or objects", value)
        part = _Fields({f"enclosures.{key}": content for key, content in value.items()}, self._where)
        address = part.text("enclosures.url").strip()
        if not address:
            self.fail("enclosures.url", "is missing")
        length, duration = part.count("enclosures.length"), part.count("enclosures.duration")
        return Enclosure(address, part.text("enclosures.type").strip(), length, duration)

    def count(self, name: str) -> int | None:
        value = self._mapping.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 10**18:
            self._wrong(name, "a number of at least 0", value)
        return int(value)

    def redirects(self) -> tuple[tuple[str, str], ...]:
        found: list[tuple[str, str]] = []
        for pair in self._list("redirects", ()):
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                self.fail("redirects", "must be a list of [from, to] pairs")
            old, new = pair
            if not isinstance(old, str) or not isinstance(new, str):
                self.fail("redirects", "must hold pairs of addresses")
            found.append((storable(old.strip()), storable(new.strip())))
        return tuple(found)

    def date(self, name: str) -> DateEvidence | None:
        """Return the evidence for a date text or Unix time, None when it is absent or empty."""
        value = self._mapping.get(name)
        if value is None:
            return None
        if isinstance(value, datetime):
            value = value.isoformat()
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            self._wrong(name, "a date text or a Unix time", value)
        raw = self._written(name, value)
        return parse_date(raw, name) if raw.strip() else None

    def instant(self, name: str) -> datetime | None:
        """Return a point in time with its fraction; one without a zone is taken as UTC."""
        value = self._mapping.get(name)
        if isinstance(value, datetime):
            return value.astimezone(UTC) if value.tzinfo is not None else value.replace(tzinfo=UTC)
        evidence = self.date(name)
        at = parse_instant(evidence.raw) if evidence is not None else None
        if evidence is not None and at is None:
            self.fail(
                name,
                f"is no date that can be read: {evidence.raw[:60]!r}; write it like 2026-01-31T12:00:00Z",
            )
        return at

    def extra(self) -> dict[str, object]:
        """Return the fields that are not ours, then those of ``extra``, which win."""
        unknown = {key: value for key, value in self._mapping.items() if key not in _OWN_FIELDS}
        try:
            return {
                storable(str(key)): _json_value(value)
                for key, value in (unknown | dict(self._object("extra"))).items()
            }
        except (TypeError, RecursionError) as error:
            said = "values nested too deeply" if isinstance(error, RecursionError) else str(error)
            self.fail("extra", f"(with the fields that are not ours) must hold JSON values, not {said}")


def _json_value(value: object) -> object:
    """Return a JSON value with storable texts throughout; raises TypeError for anything else."""
    if isinstance(value, str):
        return storable(value)
    if value is None or isinstance(value, (bool, int)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    if isinstance(value, Mapping):
        return {storable(str(key)): _json_value(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_json_value(part) for part in value]
    raise TypeError(_kind_of(value) if not isinstance(value, float) else str(value))


def _kind_of(value: object) -> str:
    """Return in words what type of JSON value this is."""
    names = {
        str: "a text",
        bool: "true or false",
        int: "a number",
        float: "a number",
        list: "a list",
        dict: "an object",
    }
    return "null" if value is None else names.get(type(value), type(value).__name__)
