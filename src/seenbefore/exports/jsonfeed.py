"""Entries as a JSON Feed 1.1."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from .entry import FeedEntry, FeedHead
from .words import UNKNOWN_TYPE, w3c_time

TAIL: Final = "\n]}\n"


def json_head(head: FeedHead) -> str:
    """Return everything before the first item."""
    fields = {"version": "https://jsonfeed.org/version/1.1", "title": head.title, "feed_url": head.url}
    return _json(_filled(fields)).removesuffix("}") + ', "items": [\n'


def json_item(entry: FeedEntry) -> str:
    """Return one item; ``_seenbefore`` holds the record's id and all sources."""
    sources = [_filled({"name": p.name, "url": p.url, "feed_url": p.feed_url}) for p in entry.places]
    fields = {
        "id": entry.id,
        "url": entry.url,
        "title": entry.title,
        "content_html": entry.html,
        "summary": entry.summary,
        "image": entry.images[0] if entry.images else "",
        "date_published": w3c_time(entry.published),
        "date_modified": w3c_time(entry.updated),
        "authors": [{"name": name} for name in entry.authors],
        "tags": list(dict.fromkeys([*entry.tags, *(place.name for place in entry.places)])),
        "language": entry.language,
        "attachments": [
            _filled(
                {
                    "url": e.url,
                    "mime_type": e.type or UNKNOWN_TYPE,
                    "size_in_bytes": e.length,
                    "duration_in_seconds": e.duration,
                }
            )
            for e in entry.enclosures
        ],
        "_seenbefore": {"record_id": entry.record_id, "sources": sources},
    }
    return _json(_filled(fields))


def _filled(fields: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value not in ("", None, [])}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
