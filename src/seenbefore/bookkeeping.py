"""What a store notes beside records.

Fetches, what lost its trust, what people said, what waits, daily counts, activated rules, permanent redirects and
what became of opening pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime

from .vocabulary import Representation, ReviewState, RuleState, Verdict


@dataclass(frozen=True, slots=True)
class Fetch:
    """One reading of one source. ``no`` counts the fetches of the source from 1."""

    source_id: int
    fetch_id: str
    no: int
    observed_at: datetime
    late: bool
    completed: bool


@dataclass(frozen=True, slots=True)
class Label:
    """A person's verdict on a pair, kept on two sightings so that it survives merges and splits."""

    sighting_a: int
    sighting_b: int
    verdict: Verdict
    author: str
    labeled_at: datetime


@dataclass(frozen=True, slots=True)
class Review:
    """A pair of records that waits for a person, or what became of it.

    ``decision_id`` is that of the item that opened it; None when records were compared again without one.
    """

    record_id: int
    other_id: int
    decision_id: int | None
    state: ReviewState
    opened_at: datetime


@dataclass(frozen=True, slots=True)
class Trust:
    """One recorded switch of trust: what no longer identifies in a source, why, and the numbers."""

    source_id: int
    kind: str
    value: str
    reason: str
    detail: str
    since: datetime


@dataclass(frozen=True, slots=True)
class Related:
    """Two records that belong together and stay two; ``kind`` says who holds that, so far always ``person``."""

    record_id: int
    other_id: int
    kind: str
    since: datetime


@dataclass(frozen=True, slots=True)
class DayCount:
    """What came of one source on one day (UTC, by the time of observation). Unchanged repeats are duplicates."""

    source_id: int
    day: date
    new: int = 0
    update: int = 0
    duplicate: int = 0
    review: int = 0

    @property
    def total(self) -> int:
        """All items of the day."""
        return self.new + self.update + self.duplicate + self.review

    def plus(self, more: DayCount) -> DayCount:
        """Return both counts together, under the later day."""
        return DayCount(
            self.source_id,
            max(self.day, more.day),
            self.new + more.new,
            self.update + more.update,
            self.duplicate + more.duplicate,
            self.review + more.review,
        )


@dataclass(frozen=True, slots=True)
class RuleVersion:
    """One activation of somebody's own rule pack. ``number`` is 0 until it is stored; ``text`` is the TOML.

    ``forced`` is the reason somebody gave for activating it although stored records collide, ``collisions`` how
    many did. ``done`` is the last record whose keys were derived again.
    """

    number: int
    pack: str
    pack_version: int
    text: str
    state: RuleState
    activated_at: datetime
    author: str = ""
    forced: str = ""
    collisions: int = 0
    done: int = 0
    rolled_back_at: datetime | None = None

    @property
    def version_id(self) -> str:
        """Its id, as ``v3``."""
        return f"v{self.number}"


@dataclass(frozen=True, slots=True)
class Redirect:
    """A permanent redirect that somebody saw or imported; ``start`` and ``target`` are the addresses as given.

    ``start_key`` and ``target_key`` are their ``url`` keys; ``origin`` says where it is known from.
    """

    start: str
    target: str
    status: int
    seen_at: datetime
    origin: str = ""
    start_key: str = field(kw_only=True)
    target_key: str = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Capture:
    """One attempt to open a page, and what was read there. ``id`` is 0 until it is stored; nothing is overwritten.

    ``address`` is the ``url`` key of ``original_url`` (as received) and finds it again; ``fetch_url`` is what was
    requested, ``final_url`` where the answer came from, ``hops`` the way there as (from, status, to). ``status`` is 0
    without an answer. ``outcome`` is ``read``, ``unchanged``, or why nothing could be had; ``reason`` says it in words.
    ``attempts`` counts from 1; ``retry_at`` is None when asking again is of no use. ``body_hash`` names the kept
    page, '' when none is kept. ``version_id`` is the version that the text became, 0 if none. ``facts`` are what
    the page says about itself, as JSON values: dates with their evidence, claimed addresses, notes.
    """

    address: str
    original_url: str
    fetch_url: str
    fetched_at: datetime
    outcome: str
    final_url: str = ""
    hops: tuple[tuple[str, int, str], ...] = ()
    status: int = 0
    reason: str = ""
    representation: Representation | None = None
    attempts: int = 1
    retry_at: datetime | None = None
    content_type: str = ""
    charset: str = ""
    etag: str = ""
    last_modified: str = ""
    body_hash: str = ""
    extractor: str = ""
    version_id: int = 0
    facts: Mapping[str, object] = field(default_factory=dict)
    id: int = 0


@dataclass(frozen=True, slots=True)
class PageHost:
    """What is known of the pages of one host.

    ``secure``: it has answered over https. ``repeated`` are hashes of paragraphs that stand on many of its
    articles, as of ``snapshot`` (0: nothing was learned yet), from ``articles`` articles. A snapshot never changes;
    learning again makes the next one.
    """

    host: str
    secure: bool = False
    snapshot: int = 0
    articles: int = 0
    repeated: tuple[str, ...] = ()
