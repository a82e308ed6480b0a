"""One feed under construction that is taken in again and again: for the tests of repeats."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from seenbefore.engine.engine import Engine
from seenbefore.engine.group import Group
from seenbefore.engine.job import Committed, JobOptions, run_job
from seenbefore.model import Decision, Item, Sighting
from seenbefore.policy import load_policy
from seenbefore.rules import load_rules
from seenbefore.sources.entry import EntryReader
from seenbefore.sources.feed import read_feed
from seenbefore.stores.base import Store
from seenbefore.testing.clock import FrozenClock
from seenbefore.wiring import SeenBefore

AGAIN, NEW = ("duplicate", "seen_again"), ("new", "first_seen")
RULES, POLICY = load_rules(), load_policy()
START = datetime(2026, 3, 1, 6, tzinfo=UTC)
SOURCE = "https://news.example/feed"
TITLES = ["Harbour bridge to be replaced", "港口大桥将要重建", "港の橋を架け替え", "Whales return to the bay"]


def entry(number: int, title: str = "", text: str = "", more: str = "", guid: str = "") -> str:
    return (
        f"<item><guid>{guid or f'guid {number} x'}</guid><link>https://news.example/{number}</link>"
        f"<title>{title or TITLES[number]}</title><description>{text or f'Text of article {number}.'}</description>"
        f"<pubDate>Sun, 01 Mar 2026 05:0{number}:00 GMT</pubDate>{more}</item>"
    )


def comments(count: int) -> str:
    return f"<slash:comments xmlns:slash='http://purl.org/rss/1.0/modules/slash/'>{count}</slash:comments>"


ALL = [entry(n) for n in range(4)]


class Feed:
    """One feed file that is taken in again and again, each time an hour later, unless told otherwise."""

    def __init__(self, store: Store, folder: Path, unit_size: int = 500) -> None:
        self.store = store
        self.engine = Engine(store, RULES, POLICY, FrozenClock(START + timedelta(days=30)), unit_size)
        self.library = SeenBefore(store, RULES, POLICY, FrozenClock(START + timedelta(days=30)))
        self.path = folder / "feed.xml"
        self.hour = 0

    def write(self, *entries: str) -> None:
        built = f"<lastBuildDate>{START + timedelta(hours=self.hour)}</lastBuildDate>"
        self.path.write_text(f"<rss><channel>{built}{''.join(entries)}</channel></rss>", encoding="utf-8")

    def take(self, *entries: str, hour: int | None = None) -> list[Decision]:
        """Write the file and take it in; the answers in the order of the entries."""
        self.hour = self.hour + 1 if hour is None else hour
        if entries:
            self.write(*entries)
        options = JobOptions(SOURCE, START + timedelta(hours=self.hour), two_processes=False)
        steps = list(run_job(self.engine, [str(self.path)], options))
        assert all(isinstance(step, Committed) for step in steps)
        return [answer.decision for step in steps if isinstance(step, Committed) for answer in step.answers]

    def take_alone(self, *entries: str, hour: int) -> list[Decision]:
        """Take a fetch in without a run around it: only what the engine asks of the store is asked."""
        self.write(*entries)
        at = START + timedelta(hours=hour)
        found = read_feed(self.path.read_bytes(), source=SOURCE, observed_at=at, default_name="feed")
        items = found.items
        places = range(len(items))
        group = Group(
            found.fetch_id, items, places, whole=True, digests=items.digests, source_name=SOURCE, at=found.observed_at
        )
        answers = dict(answer for unit in self.engine.ingest([group]) for answer in unit)
        return [answers[place] for place in places]

    def sightings(self) -> dict[str, Sighting]:
        with self.store.reading() as unit:
            found = unit.records.get_sightings(record.id for record in unit.records.find_records())
        return {f"{s.guid} {s.original_url} {s.clean_title}": s for s in found}

    def of(self, number: int) -> Sighting:
        (found,) = [s for s in self.sightings().values() if s.original_url.endswith(f"/{number}")]
        return found

    def counts(self) -> dict[str, int]:
        """What the days count in all."""
        with self.store.reading() as unit:
            days = unit.counts.find_days()
        return {name: sum(getattr(day, name) for day in days) for name in ("new", "update", "duplicate", "review")}

    def journal(self) -> int:
        with self.store.reading() as unit:
            return unit.journal.last_seq()


def note_reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that gets the guid of each entry that is read."""
    seen: list[str] = []
    original = EntryReader.read

    def noted(self: EntryReader, *args: Any) -> Item | None:
        item = original(self, *args)
        seen.append(item.guid if item else "")
        return item

    monkeypatch.setattr(EntryReader, "read", noted)
    return seen


def told(answers: Sequence[Decision]) -> list[tuple[str, str]]:
    return [(a.outcome.value, a.reason) for a in answers]
