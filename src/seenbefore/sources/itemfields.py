"""The fields of one mapping in the ``items.jsonl`` form, each read by its type."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final, Never

from ..dates import parse_date, parse_instant
from ..errors import InvalidItem
from ..model import DateEvidence, Enclosure, Kind, Representation
from ..text.doi import normalize_doi
from .fields import storable

_OWN_FIELDS: Final = frozenset(
    [
        *("id", "kind", "source", "fetch_id", "guid", "guid_is_permalink", "url", "final_url", "canonical"),
        *("title", "summary", "content", "authors", "language", "ids", "enclosures", "images", "redirects"),
        *("published", "modified", "posted_at", "observed_at", "extra"),
        *("representation", "extractor"),
    ]
)


PERMANENT: Final = (301, 308)
"""Status codes of redirects that hold for good (RFC 9110, 15.4)."""


class ItemFields:
    """The fields of one mapping, read by type; every failure names its field.

    >>> fields = ItemFields({"authors": "Edda", "id": 7, "title": 5}, "line 1")
    >>> fields.texts("authors"), fields.name("id")
    (('Edda',), '7')
    >>> fields.text("title")
    Traceback (most recent call last):
    ...
    seenbefore.errors.InvalidItem: line 1: field title must be a text, not a number
    """

    def __init__(self, mapping: Mapping[str, object], where: str) -> None:
        self._mapping = mapping
        self._where = where

    def fail(self, name: str, problem: str) -> Never:
        """Raise InvalidItem that names the field."""
        raise InvalidItem(f"field {name} {problem}", self._where)

    def _wrong(self, name: str, wanted: str, value: object) -> Never:
        self.fail(name, f"must be {wanted}, not {kind_of(value)}")

    def text(self, name: str) -> str:
        """Return a text, '' when it is absent."""
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
        """Return true or false, None when it is absent."""
        value = self._mapping.get(name)
        if value is not None and not isinstance(value, bool):
            self._wrong(name, "true or false", value)
        return value

    def kind(self) -> Kind:
        """Return the kind, an article when it is absent."""
        value = self.text("kind") or Kind.ARTICLE.value
        if value not in {kind.value for kind in Kind}:
            self.fail("kind", f"must be article or image, not {value[:40]!r}")
        return Kind(value)

    def representation(self) -> Representation | None:
        """Return what was read of an article, None when it is absent. Raises InvalidItem for what holds no text."""
        value = self.text("representation")
        if not value:
            return None
        texts = [each.value for each in Representation if each.is_text]
        if value not in texts:
            self.fail("representation", f"must be one of {', '.join(texts)}, not {value[:40]!r}")
        return Representation(value)

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
        """Return a list of texts without empty ones; one text stands for a list of one."""
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
        """Return the strong ids, a DOI in its one normal form."""
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
        """Return media files from addresses or objects."""
        return tuple(self._enclosure(value) for value in self._list("enclosures", (str, Mapping)))

    def _enclosure(self, value: object) -> Enclosure:
        if isinstance(value, str):
            value = {"url": value}
        if not isinstance(value, Mapping):
            self._wrong("enclosures", "a list of addresses or objects", value)
        part = ItemFields({f"enclosures.{key}": content for key, content in value.items()}, self._where)
        address = part.text("enclosures.url").strip()
        if not address:
            self.fail("enclosures.url", "is missing")
        length, duration = part.count("enclosures.length"), part.count("enclosures.duration")
        return Enclosure(address, part.text("enclosures.type").strip(), length, duration)

    def count(self, name: str) -> int | None:
        """Return a number of bytes or seconds as a whole number, None when it is absent."""
        value = self._mapping.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 10**18:
            self._wrong(name, "a number of at least 0", value)
        return int(value)

    def redirects(self) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
        """Return pairs of addresses (from, to): permanent ones (also those without a status), and the others."""
        found: dict[bool, list[tuple[str, str]]] = {True: [], False: []}
        for hop in self._list("redirects", ()):
            if not isinstance(hop, (list, tuple)) or len(hop) not in (2, 3):
                self.fail("redirects", "must be a list of [from, to] or [from, to, status]")
            old, new = hop[:2]
            if not isinstance(old, str) or not isinstance(new, str):
                self.fail("redirects", "must hold pairs of addresses")
            status = hop[2] if len(hop) == 3 else 301
            if isinstance(status, bool) or not isinstance(status, int) or not 300 <= status <= 399:
                self.fail("redirects", "must name the status of a redirect (301, 302, 303, 307, 308)")
            found[status in PERMANENT].append((storable(old.strip()), storable(new.strip())))
        return tuple(found[True]), tuple(found[False])

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
                storable(str(key)): _json_value(value) for key, value in (unknown | dict(self._object("extra"))).items()
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
    raise TypeError(kind_of(value) if not isinstance(value, float) else str(value))


def kind_of(value: object) -> str:
    """Return in words what type of JSON value this is.

    >>> kind_of(None), kind_of({}), kind_of(b"")
    ('null', 'an object', 'bytes')
    """
    names = {
        str: "a text",
        bool: "true or false",
        int: "a number",
        float: "a number",
        list: "a list",
        dict: "an object",
    }
    return "null" if value is None else names.get(type(value), type(value).__name__)
