"""What must hold of a sighting: its versions, when it was seen, and what is repeated of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from ..model import Sighting, Version, VersionState
from .problem import Problem
from .sources import SourceFacts


@dataclass(frozen=True, slots=True)
class Repeated:
    """What a store repeats of a sighting's newest good version, so that repeats are found fast."""

    version_id: int
    text_hash: str
    published_at: datetime | None
    published_raw: str


def check_sighting(sighting: Sighting, facts: SourceFacts, repeated: Repeated | None) -> Iterator[Problem]:
    """Yield what is wrong with a sighting; ``repeated`` is None where its own identity does not find it."""
    where = f"r{sighting.record_id}, sighting {sighting.id}"
    for code, message in (
        *_check_runs(sighting, facts),
        *_check_times(sighting, facts),
        *_check_dates(sighting, facts),
        *_check_versions(sighting),
        *_check_repeated(sighting, repeated),
    ):
        yield Problem(code, where, message)


def check_slots(name: str, slots: Sequence[int]) -> Iterator[Problem]:
    """Yield what is wrong with the slots of one identity: they count from 0, each once.

    >>> list(check_slots("r1", [1, 0]))
    []
    >>> [problem.code for problem in check_slots("r1", [0, 2])]
    ['sighting_slot']
    """
    if sorted(slots) != list(range(len(slots))):
        yield Problem("sighting_slot", name, f"the slots of its identity are {sorted(slots)}")


Found = Iterator[tuple[str, str]]


def _check_runs(sighting: Sighting, facts: SourceFacts) -> Found:
    """Fetches it stood in: ascending ranges with gaps between, made of numbers that are fetches."""
    runs = sighting.runs
    if any(first > last for first, last in runs) or any(a[1] + 1 >= b[0] for a, b in pairwise(runs)):
        yield "sighting_runs", f"the fetches it stood in are no ascending ranges: {list(runs)[:5]}"
        return
    for first, last in runs:
        if not any(start <= first and last <= end for start, end in facts.fetches):
            yield "sighting_runs", f"it stood in fetches {first} to {last}, and not all of these are stored"
            return


def _check_times(sighting: Sighting, facts: SourceFacts) -> Found:
    """How often it was seen, and the number of the fetch that listed it last."""
    present = sum(last - first + 1 for first, last in sighting.runs)
    good = len({version.captured_at for version in sighting.versions if version.state is VersionState.GOOD})
    if not max(present, good, 1) <= sighting.times <= facts.source.last_fetch_no:
        reads = facts.source.last_fetch_no
        counts = f"{good} versions and {present} fetches, {reads} reads of its source"
        yield "sighting_times", f"seen {sighting.times} times, with {counts}"
    last, ends = sighting.last_fetch_no, sighting.runs[-1][1] if sighting.runs else 0
    is_fetch = any(start <= last <= end for start, end in facts.fetches)
    if not ends <= last <= facts.source.last_fetch_no or (is_fetch and last != ends):
        yield "sighting_times", f"last seen in fetch {last}, but its presence ends with fetch {ends}"


def _check_dates(sighting: Sighting, facts: SourceFacts) -> Found:
    """When it was seen, when its versions were captured, and the newest time of its source."""
    newest = facts.source.newest_observed_at
    if sighting.first_seen_at > sighting.last_seen_at:
        yield "sighting_dates", "it was first seen after it was last seen"
    elif newest is None or sighting.last_seen_at > newest:
        yield "sighting_dates", "it was seen after the newest time of its source"
    if not sighting.versions:
        return
    oldest = min(sighting.versions, key=lambda version: version.id)
    if oldest.captured_at != sighting.first_seen_at:
        yield "sighting_dates", f"its first version, {oldest.id}, was not captured when it was first seen"
    for version in sighting.versions:
        if version.state is VersionState.GOOD and version.captured_at > sighting.last_seen_at:
            yield "sighting_dates", f"version {version.id} was captured after it was last seen"


def _check_versions(sighting: Sighting) -> Found:
    """At least one, and none that says exactly what the one before it said."""
    if not sighting.versions:
        yield "sighting_without_version", "nothing is stored of what it said"
    good = [version for version in sighting.versions if version.state is VersionState.GOOD]
    for before, after in pairwise(good):
        if _said(before) == _said(after) and _read_by(before) == _read_by(after):
            yield "version_twice", f"version {after.id} says the same as version {before.id}"
    texts: set[str] = set()
    for version in sorted(sighting.versions, key=lambda version: version.id):
        if version.state is not VersionState.GOOD and version.fingerprint.text_hash in texts:
            yield "version_twice", f"version {version.id} was kept aside, but its text is an earlier one's"
        texts.add(version.fingerprint.text_hash)


def _read_by(version: Version) -> str:
    """A kept page that is read once more, by another extractor, may say the same."""
    return version.fingerprint.extractor_version


def _check_repeated(sighting: Sighting, repeated: Repeated | None) -> Found:
    """The copy of the newest good version by which a repeat is told."""
    good = [version for version in sighting.versions if version.state is VersionState.GOOD]
    expected = Repeated(good[-1].id, *_said(good[-1])) if good else Repeated(0, "", None, "")
    if repeated is None:
        yield "newest_version", "its own identity does not lead to it"
    elif repeated != expected:
        names = [n for n in Repeated.__slots__ if getattr(repeated, n) != getattr(expected, n)]
        yield "newest_version", f"what is repeated of version {expected.version_id} differs in {', '.join(names)}"


def _said(version: Version) -> tuple[str, datetime | None, str]:
    """What makes a version: its text and the date as its source wrote it."""
    raw = version.published.raw if version.published else ""
    return (version.fingerprint.text_hash, version.published_at, raw)
