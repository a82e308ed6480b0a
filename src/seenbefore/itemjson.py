"""Items as plain JSON values and back, without loss: what the stores keep of an arrival.

This is the storage form. What people write into ``items.jsonl`` is read by ``sources.items``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from operator import attrgetter
from typing import Any, Final

from .model import DateEvidence, Enclosure, Item, Kind, Precision, Representation

_NAMES: Final = tuple(field.name for field in fields(Item) if field.name != "source")
_values: Final = attrgetter(*_NAMES)
_DEFAULTS: Final = _values(Item(source=""))

_FILLABLE: Final = {kind: tuple((f.name, f.default) for f in fields(kind)) for kind in (DateEvidence, Enclosure)}


def item_to_mapping(item: Item) -> dict[str, object]:
    """Return a mapping of JSON values that :func:`item_from_mapping` turns into an equal item.

    >>> item_to_mapping(Item(source="news", guid="7", published=DateEvidence("pubDate", "Monday")))
    {'source': 'news', 'guid': '7', 'published': {'tag': 'pubDate', 'raw': 'Monday'}}

    Fields that hold their default are left out. ``extra`` is kept as it is, so it comes back equal when
    it holds JSON values (lists, not tuples).
    """
    mapping: dict[str, object] = {"source": item.source}
    for name, value, default in zip(_NAMES, _values(item), _DEFAULTS, strict=True):
        if value is not default and value != default:
            mapping[name] = value if type(value) is str else _plain(value)
    return mapping


def item_from_mapping(mapping: Mapping[str, Any]) -> Item:
    """Return the item that :func:`item_to_mapping` wrote down.

    >>> item = Item(source="news", title="Sturm", redirects=(("http://a.example/", "https://a.example/"),))
    >>> item_from_mapping(item_to_mapping(item)) == item
    True
    >>> item_from_mapping(item_to_mapping(item)) == Item(source="news", title="Sturm")
    False
    """
    values = dict(mapping)
    for name in ("published", "modified"):
        if name in values:
            values[name] = _date_from(values[name])
    for name in ("posted_at", "observed_at"):
        if name in values:
            values[name] = datetime.fromisoformat(values[name])
    for name in ("authors", "images"):
        if name in values:
            values[name] = tuple(values[name])
    for name in ("redirects", "temporary_redirects"):
        if name in values:
            values[name] = tuple((old, new) for old, new in values[name])
    if "enclosures" in values:
        values["enclosures"] = tuple(Enclosure(**enclosure) for enclosure in values["enclosures"])
    if "kind" in values:
        values["kind"] = Kind(values["kind"])
    if "representation" in values:
        values["representation"] = Representation(values["representation"])
    return Item(**values)


def _plain(value: object) -> object:
    """Return a model value as JSON values."""
    if isinstance(value, (DateEvidence, Enclosure)):
        return _filled(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, (Kind, Representation)):
        return value.value
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(part) for part in value]
    return value


def _filled(value: DateEvidence | Enclosure) -> dict[str, object]:
    """Return the fields of a small dataclass that do not hold their default."""
    mapping: dict[str, object] = {}
    for name, default in _FILLABLE[type(value)]:
        part = getattr(value, name)
        if part != default:
            mapping[name] = part.isoformat() if isinstance(part, datetime) else getattr(part, "value", part)
    return mapping


def _date_from(mapping: Mapping[str, Any]) -> DateEvidence:
    values = dict(mapping)
    if "at" in values:
        values["at"] = datetime.fromisoformat(values["at"])
    if "precision" in values:
        values["precision"] = Precision(values["precision"])
    for name in ("agrees", "conflicts"):
        if name in values:
            values[name] = tuple(values[name])
    return DateEvidence(**values)
