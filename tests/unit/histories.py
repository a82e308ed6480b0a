"""Feed histories under construction, with labels on them: for the tests of replaying."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from seenbefore.evaluate import GoldReport, ReplayReport, evaluate_replay

DAY = 86_400
START = 1_780_000_000 - 1_780_000_000 % DAY
BRIDGE, OPERA = "Harbour bridge to be replaced", "The opera reopens on Friday"
HUB = "https://n.example/hub"
CLOSE = ("Bridge to be replaced soon", "Bridge to be replaced sooner")


def entry(number: int, **fields: Any) -> dict[str, Any]:
    return {"guid": f"guid {number} of it", "link": f"https://n.example/{number}", "title": BRIDGE, **fields}


def rss(entries: Sequence[dict[str, Any]]) -> str:
    def tag(name: str, value: object) -> str:
        return f"<{name}>{escape(str(value))}</{name}>"

    def item(fields: dict[str, Any]) -> str:
        told = dict(fields)
        day = told.pop("day", None)
        if day is not None:
            told["pubDate"] = datetime.fromtimestamp(START + day * DAY, UTC).strftime("%a, %d %b %Y %H:%M:%S GMT")
        return f"<item>{''.join(tag(name, value) for name, value in told.items())}</item>"

    link = '<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="https://n.example/feed"/>'
    return f"<rss version='2.0'><channel><title>News</title>{link}{''.join(map(item, entries))}</channel></rss>"


def name_of(day: float, number: int = 0) -> str:
    return f"{number:04d}_{START + int(day * DAY)}.xml"


class Feeds:
    """A folder of feed histories under construction, and the labels on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "histories"
        self.gold = folder / "gold.jsonl"
        self.rows: list[dict[str, Any]] = []

    def add(self, feed: str, day: float, *entries: dict[str, Any]) -> dict[str, Any]:
        """Write a snapshot; returns the label's name of its first entry."""
        path = self.folder / feed / name_of(day)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(rss(entries), encoding="utf-8")
        return self.named(feed, day, entries[0]) if entries else {}

    def named(self, feed: str, day: float, fields: dict[str, Any]) -> dict[str, Any]:
        published = START + fields["day"] * DAY if "day" in fields else None
        return {
            "feed": feed,
            "file": name_of(day),
            "guid": fields.get("guid"),
            "link": fields.get("link"),
            "title": fields["title"],
            "published": published,
        }

    def label(self, a: dict[str, Any], b: dict[str, Any], expect: str, *accept: str, kind: str = "any") -> None:
        row = {"id": f"p{len(self.rows)}", "feed": a.pop("feed"), "feed_b": b.pop("feed"), "a": a, "b": b}
        self.rows.append({**row, "expect": expect, "accept": list(accept), "kind": kind})

    def replay(self, **more: Any) -> ReplayReport:
        self.gold.write_text("".join(f"{json.dumps(row)}\n" for row in self.rows), encoding="utf-8")
        return evaluate_replay(self.folder, gold=self.gold if self.rows else None, **more)

    def scored(self) -> GoldReport:
        gold = self.replay().gold
        assert gold is not None
        return gold

    def became(self) -> list[str]:
        return [result.became.name for result in self.scored().results]
