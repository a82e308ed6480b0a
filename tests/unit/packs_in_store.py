"""Packs and rows for the tests of rules in a store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import seenbefore
from seenbefore.stores.base_merges import Snapshot

SLUG = """
pack = "harbor"
version = {version}
about = "Harbor: one story under all its dates."

[[rule]]
id = "harbor-slug"
kind = "identity"
hosts = ["harbor.example"]
match = ["/{{year}}/{{month}}/{{day}}/{{slug}}"]
value = "harbor:{{slug}}"
reads = "slug"
reason = "stories are posted again under a new date"
fact = "old addresses redirect"
must_match = [
    ["https://harbor.example/2025/10/02/a-long-story", "https://harbor.example/2025/10/03/a-long-story"],
    ["https://harbor.example/2025/10/02/a-long-story", "https://harbor.example/2025/11/03/a-long-story/"],
]
must_not_match = [
    ["https://harbor.example/2025/10/02/a-long-story", "https://harbor.example/2025/10/02/another-long-story"],
    ["https://harbor.example/2025/10/02/", "https://harbor.example/2025/10/03/"],
]
"""

DROP = """
pack = "basket"
version = 1

[[rule]]
id = "basket-drop"
kind = "drop"
hosts = ["shop.example"]
names = ["basket"]
reason = "the basket of a visitor"
fact = "the shop's help page"
must_match = [
    ["https://shop.example/lamp?basket=1", "https://shop.example/lamp"],
    ["https://shop.example/lamp?basket=1", "https://shop.example/lamp?basket=2"],
]
must_not_match = [
    ["https://shop.example/lamp?item=1", "https://shop.example/lamp?item=2"],
    ["https://shop.example/lamp?basket=1", "https://shop.example/table?basket=1"],
]
"""

TITLE = "Robots that fold the laundry of a whole town"
STORY = "https://harbor.example/2025/10/0{day}/robots-that-fold-laundry"


def slug_pack(folder: Path, version: int = 1, text: str = SLUG) -> Path:
    """Return the file of the pack with the slug rule."""
    path = folder / f"harbor-{version}.toml"
    path.write_text(text.format(version=version), encoding="utf-8")
    return path


def story(day: int, title: str = TITLE, **fields: Any) -> dict[str, Any]:
    """Return an item at a dated address."""
    return {"source": "harbor", "guid": str(day), "url": STORY.format(day=day), "title": title, **fields}


def picture(db: seenbefore.SeenBefore) -> Snapshot:
    """Return all rows that a merge can touch."""
    with db.store.reading() as unit:
        ids = [record.id for record in unit.records.find_records()]
        return unit.merges.snapshot(ids)


def partition(db: seenbefore.SeenBefore) -> set[frozenset[str]]:
    """Return which addresses stand in one record."""
    with db.store.reading() as unit:
        records = [record.id for record in unit.records.find_records() if record.survivor_id is None]
        homes: dict[int, set[str]] = {}
        for sighting in unit.records.get_sightings(records):
            homes.setdefault(sighting.record_id, set()).add(sighting.original_url)
        return {frozenset(urls) for urls in homes.values()}
