"""Did labelled entries of the histories end in one record, in two, or in a pair that waits for review?"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from seenbefore.model import ReviewState, Status
from seenbefore.wiring import SeenBefore

from .replay_data import read_labels

Place = tuple[str, str, str]
"""Feed, guid and link of an entry; the link is empty where entries are looked up by guid alone."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One title or text of an entry as the store has it."""

    record_id: int
    title: str
    published: int | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a labelled pair: ``one``, ``two``, ``review``; ``lost`` when an entry was not found."""

    id: str
    kind: str
    expect: str
    accept: tuple[str, ...]
    became: str

    @property
    def is_silent_merge(self) -> bool:
        """Whether a pair that a person should have seen was joined, and nobody would call that right."""
        return self.expect == "review" and self.became == "one" and not {"duplicate", "update"} & set(self.accept)


def judge(db: SeenBefore) -> dict[str, object]:
    """Return counts over all labelled pairs and by their kind, and the ids of the false and missed ones."""
    kept, waiting = _read_store(db)
    verdicts = [_verdict(row, kept, waiting) for row in read_labels()]
    same = [v for v in verdicts if v.expect in ("duplicate", "update")]
    different = [v for v in verdicts if v.expect == "new"]
    review = [v for v in verdicts if v.expect == "review"]
    false = [v.id for v in different if v.became == "one"]
    missed = [v.id for v in same if v.became == "two"]
    silent = [v.id for v in review if v.is_silent_merge]
    return {
        "same": len(same),
        "missed": len(missed),
        "same_in_review": sum(v.became == "review" for v in same),
        "different": len(different),
        "false": len(false),
        "false_interval": wilson(len(false), len(different)),
        "different_in_review": sum(v.became == "review" for v in different),
        "review": len(review),
        "silent": len(silent),
        "not_found": sum(v.became == "lost" for v in verdicts),
        "false_ids": false,
        "missed_ids": missed,
        "silent_ids": silent,
        "not_found_ids": [v.id for v in verdicts if v.became == "lost"],
        "kinds": {kind: _count(verdicts, kind) for kind in sorted({v.kind for v in verdicts})},
    }


def wilson(hits: int, of: int) -> list[float]:
    """Return the 95 % interval of a rate; [0, 1] when nothing was tried."""
    if not of:
        return [0.0, 1.0]
    z = 1.96
    middle = (hits + z * z / 2) / (of + z * z)
    half = z * math.sqrt(hits * (of - hits) / of + z * z / 4) / (of + z * z)
    return [round(max(0.0, middle - half), 4), round(min(1.0, middle + half), 4)]


def _count(verdicts: list[Verdict], kind: str) -> dict[str, int]:
    own = [v for v in verdicts if v.kind == kind]
    right = {"duplicate": "one", "update": "one", "new": "two", "review": "review"}
    return {
        "pairs": len(own),
        "right": sum(v.became == right[v.expect] for v in own),
        "false": sum(v.expect == "new" and v.became == "one" for v in own),
        "missed": sum(v.expect in ("duplicate", "update") and v.became == "two" for v in own),
        "review": sum(v.became == "review" for v in own),
        "not_found": sum(v.became == "lost" for v in own),
    }


def _read_store(db: SeenBefore) -> tuple[dict[Place, list[Kept]], set[frozenset[int]]]:
    """Everything that was kept, by where it stood, and the pairs of records that wait for review."""
    kept: dict[Place, list[Kept]] = defaultdict(list)
    with db.store.reading() as unit:
        names = {source.id: source.name for source in unit.sources.list_sources()}
        records = [r.id for r in unit.records.find_records() if r.status is not Status.MERGED]
        for start in range(0, len(records), 500):
            for sighting in unit.records.get_sightings(records[start : start + 500]):
                name = names[sighting.source_id]
                for version in sighting.versions:
                    at = version.published_at
                    published = int(at.timestamp()) if at else None
                    entry = Kept(sighting.record_id, " ".join(version.title.split()), published)
                    kept[name, sighting.guid, sighting.original_url].append(entry)
                    if sighting.guid:
                        kept[name, sighting.guid, ""].append(entry)
        waiting = {
            frozenset((review.record_id, review.other_id))
            for review in unit.reviews.find_reviews()
            if review.state is ReviewState.WAITING
        }
    return kept, waiting


def _verdict(row: dict[str, object], kept: Mapping[Place, list[Kept]], waiting: set[frozenset[int]]) -> Verdict:
    a, b = row["a"], row["b"]
    assert isinstance(a, dict)
    assert isinstance(b, dict)
    found = _find(str(row["feed"]), a, kept), _find(str(row.get("feed_b") or row["feed"]), b, kept)
    if None in found:
        became = "lost"
    elif found[0] == found[1]:
        became = "one"
    else:
        became = "review" if frozenset(i for i in found if i) in waiting else "two"
    accept = row["accept"]
    assert isinstance(accept, list)
    return Verdict(str(row["id"]), str(row["kind"]), str(row["expect"]), tuple(accept), became)


def _find(feed: str, entry: Mapping[str, object], kept: Mapping[Place, list[Kept]]) -> int | None:
    """The record that holds an entry: same place and title, and the date when that is not enough.

    Labels keep relative links as they stood, so where the link is not found the guid has to do.
    """
    guid, link = str(entry.get("guid") or ""), str(entry.get("link") or "")
    place = (feed, guid, link) if (feed, guid, link) in kept else (feed, guid, "")
    title = " ".join(str(entry.get("title") or "").split())
    rows = [k for k in kept.get(place, ()) if k.title == title] or list(kept.get(place, ()))
    dated = [k for k in rows if k.published == entry.get("published")]
    return (dated or rows)[0].record_id if rows else None
