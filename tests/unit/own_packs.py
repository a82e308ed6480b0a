"""For the tests of rules in a store: packs of somebody's own, a store to put them into, and what it holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import seenbefore
from seenbefore.engine.activate import Activation
from seenbefore.engine.rulekeeper import RuleKeeper
from seenbefore.model import ReviewState, Status
from seenbefore.stores.base_merges import RecordRow
from seenbefore.testing.clock import FrozenClock
from seenbefore.wiring import SeenBefore

_FOR_READERS = """[[rule]]
reason = "a test needs it"
fact = "made up"
must_match = [["https://a.example/1", "https://a.example/1"], ["https://a.example/2", "https://a.example/2"]]
must_not_match = [["https://a.example/1", "https://a.example/2"], ["https://a.example/1", "https://a.example/3"]]
"""

SLUG = """
[[rule]]
id = "mine-slug"
kind = "identity"
hosts = ["news.example"]
match = ["/{year}/{month}/{day}/{slug}"]
value = "mine:{slug}"
reads = "slug"
"""
STORY = """
[[rule]]
id = "mine-story"
kind = "identity"
hosts = ["news.example"]
match = ["/story/{story:digits}[/{any}]"]
value = "mine:{story}"
"""
DROP = """
[[rule]]
id = "mine-drop"
kind = "drop"
hosts = ["news.example"]
names = ["cid"]
"""

ROBOTS, WHALES = "Robots that fold the laundry", "Whales return to the bay"
LAUNDRY_TEXT = (
    "Two engineers in Osaka have built a pair of arms that fold towels, shirts and fitted sheets without any help. "
    "The arms learn a new garment from three examples and then need about forty seconds for each piece. A hotel on "
    "the harbor will try them for one year before the makers decide on a price."
)
WHALES_TEXT = (
    "Researchers listening with sea-floor microphones have counted at least forty fin whales in a bay where none had "
    "been recorded for half a century. The animals arrive in late October and leave before the ice forms, following "
    "shoals of herring that have moved north. Shipping companies agreed to slow down inside the bay."
)


def pack_text(rules: str = SLUG, name: str = "mine", version: int = 1) -> str:
    """The TOML of a pack; what it owes to readers is filled in."""
    head = f'pack = "{name}"\nversion = {version}\nabout = "Made up."\n'
    return head + rules.replace("[[rule]]\n", _FOR_READERS)


def dated(day: int, **fields: Any) -> dict[str, Any]:
    """A story of news.example under the date it was posted at."""
    return {"source": "a", "guid": f"g{day}", "url": url(day), "title": ROBOTS, **fields}


def url(day: int, slug: str = "robots-that-fold-laundry") -> str:
    return f"https://news.example/2025/10/{day:02}/{slug}"


class OwnRules:
    """A store and a folder of packs."""

    def __init__(self, place: str, folder: Path) -> None:
        self.place = place
        self.folder = folder
        self.clock = FrozenClock()
        self.library = self.open()

    def open(self, *packs: str) -> SeenBefore:
        """The library on this store; another one when there is one already."""
        return seenbefore.open(self.place, rule_packs=packs, clock=self.clock)

    @property
    def rules(self) -> RuleKeeper:
        return self.library.rules

    def file(self, text: str, name: str = "mine.toml") -> str:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def see(self, *items: dict[str, Any]) -> list[str]:
        """Outcome, reason and record of each item, seen by itself."""
        decisions = [self.library.see(item) for item in items]
        return [f"{d.outcome.value}/{d.reason} {d.record_id}" for d in decisions]

    def activate(self, text: str, **how: str) -> Activation:
        *_, last = self.rules.activate(self.file(text), **how)
        return last

    def roll_back(self, version_id: str) -> Activation:
        *_, last = self.rules.roll_back(version_id)
        return last

    def guids(self) -> dict[str, set[str]]:
        """The guids of the sightings of each live record."""
        with self.library.store.reading() as unit:
            live = [r.id for r in unit.records.find_records() if r.status is not Status.MERGED]
            return {f"r{r}": {s.guid for s in unit.records.get_sightings([r])} for r in live}

    def together(self) -> set[frozenset[str]]:
        return set(map(frozenset, self.guids().values()))

    def keys(self, record_id: int) -> dict[str, str]:
        """The keys of a record that name a page, with their strength."""
        with self.library.store.reading() as unit:
            held = unit.merges.snapshot([record_id]).keys
        found = [key for (holder, _), key in held.items() if holder == record_id]
        return {key.value: key.strength.value for key in found if key.kind in ("url", "url_near", "site")}

    def waiting(self) -> set[tuple[int, int]]:
        with self.library.store.reading() as unit:
            reviews = unit.reviews.find_reviews()
        pairs = [(r.record_id, r.other_id) for r in reviews if r.state is ReviewState.WAITING]
        return {(min(pair), max(pair)) for pair in pairs}

    def rows(self) -> tuple[object, ...]:
        """Everything that a rollback restores."""
        with self.library.store.reading() as unit:
            records = unit.records.find_records()
            image = unit.merges.snapshot(record.id for record in records)
            sightings = unit.records.get_sightings(record.id for record in records)
        return {r.id: RecordRow.of(r) for r in records}, sightings, image.keys, image.reviews

    def everything(self) -> tuple[object, ...]:
        """All that is stored, the journal and the versions included."""
        with self.library.store.reading() as unit:
            journal = unit.journal.read(0, 10_000)
            kept = unit.packs.list_versions(), unit.packs.stamp(), unit.redirects.list_redirects()
        return self.rows(), journal, kept

    def events(self) -> list[str]:
        with self.library.store.reading() as unit:
            return [f"{e.event} {' '.join(e.record_ids)}" for e in unit.journal.find_events()]

    def labels(self) -> int:
        with self.library.store.reading() as unit:
            sightings = unit.records.get_sightings(record.id for record in unit.records.find_records())
            return len(unit.reviews.find_labels(sighting.id for sighting in sightings))

    def events_of(self, kind: str) -> list[str]:
        """The ids of events of one kind."""
        with self.library.store.reading() as unit:
            return [e.event_id or "" for e in unit.journal.find_events() if e.event == kind]
