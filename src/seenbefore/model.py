"""The nouns of seenbefore: frozen values without behaviour, shared by every layer.

Read in the order of an item's path: :class:`Item` (what arrived) → :class:`Key` and
:class:`Fingerprint` (what it can be found by) → :class:`Sighting` and :class:`Record` (what is kept)
→ :class:`Evidence` and :class:`Comparison` (what was measured) → :class:`Decision` (what was said).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from .bookkeeping import Capture as Capture
from .bookkeeping import DayCount as DayCount
from .bookkeeping import Fetch as Fetch
from .bookkeeping import Label as Label
from .bookkeeping import PageHost as PageHost
from .bookkeeping import Redirect as Redirect
from .bookkeeping import Related as Related
from .bookkeeping import Review as Review
from .bookkeeping import RuleVersion as RuleVersion
from .bookkeeping import Trust as Trust
from .ids import format_id
from .vocabulary import (
    Kind as Kind,
)
from .vocabulary import (
    Outcome as Outcome,
)
from .vocabulary import (
    Precision as Precision,
)
from .vocabulary import (
    Relation as Relation,
)
from .vocabulary import (
    Representation as Representation,
)
from .vocabulary import (
    ReviewState as ReviewState,
)
from .vocabulary import (
    RuleState as RuleState,
)
from .vocabulary import (
    Status as Status,
)
from .vocabulary import (
    Strength as Strength,
)
from .vocabulary import (
    Supports as Supports,
)
from .vocabulary import (
    Verdict as Verdict,
)
from .vocabulary import (
    VersionState as VersionState,
)

# --- what arrives -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DateEvidence:
    """A date as its source wrote it. ``at`` is aware UTC, or None when ``raw`` does not say one day.

    Dates of pages also say how good the place is they were read at (``tier``: A, B, C or visible, '' for a feed's own
    field), and which other places (``tag=raw``) say the same day or one that is more than a day away.
    """

    tag: str
    raw: str
    at: datetime | None = None
    precision: Precision = Precision.UNKNOWN
    offset_minutes: int | None = None
    zone_known: bool = False
    tier: str = ""
    agrees: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A media file that belongs to an item; ``length`` in bytes and ``duration`` in seconds, if known."""

    url: str
    type: str = ""
    length: int | None = None
    duration: int | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One thing as it arrived, untouched. Empty strings mean that the source gave nothing.

    ``external_id`` is the caller's own id. ``fetch_id`` names one reading of one source (None: the
    item is a fetch of its own). ``content`` and ``summary`` are kept raw, HTML included. ``redirects`` are
    permanent ones (from, to) and identify; ``temporary_redirects`` are kept and identify nothing.
    ``representation`` and ``extractor`` are for texts that were read from a page: what was read, and by what;
    None and '' for a feed's own words, which say it by the field they stand in.
    """

    source: str
    kind: Kind = Kind.ARTICLE
    external_id: str | None = None
    fetch_id: str | None = None
    guid: str = ""
    guid_is_permalink: bool | None = None
    original_url: str = ""
    final_url: str = ""
    canonical: str = ""
    title: str = ""
    summary: str = ""
    content: str = ""
    authors: tuple[str, ...] = ()
    language: str = ""
    ids: Mapping[str, str] = field(default_factory=dict)
    enclosures: tuple[Enclosure, ...] = ()
    images: tuple[str, ...] = ()
    redirects: tuple[tuple[str, str], ...] = ()
    temporary_redirects: tuple[tuple[str, str], ...] = ()
    published: DateEvidence | None = None
    modified: DateEvidence | None = None
    posted_at: datetime | None = None
    observed_at: datetime | None = None
    representation: Representation | None = None
    extractor: str = ""
    extra: Mapping[str, object] = field(default_factory=dict)

    @property
    def published_at(self) -> datetime | None:
        """The known publication instant (aware UTC) or None."""
        return self.published.at if self.published else None

    @property
    def modified_at(self) -> datetime | None:
        """The known modification instant (aware UTC) or None."""
        return self.modified.at if self.modified else None


# --- what it can be found by --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Key:
    """An exact ``kind:value`` under which an item can be found again.

    Identity kinds: ``guid`` (scope = source), ``url``, ``url_near``, ``site``, ``id``.
    Candidate kinds propose pairs and decide nothing: ``text``, ``title``, ``published``, ``claim``.
    """

    kind: str
    value: str
    scope: str = ""
    strength: Strength = Strength.STRONG
    rule_id: str = ""
    pack_version: int = 0

    @property
    def address(self) -> tuple[str, str, str]:
        """The (kind, scope, value) that a store looks a key up by."""
        return (self.kind, self.scope, self.value)


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What the text of an item looks like. ``length`` counts folded characters (letters and digits).

    ``decisive`` says that the text is long and varied enough to decide by itself.
    """

    text: str
    text_hash: str
    paragraph_hashes: tuple[str, ...]
    length: int
    decisive: bool
    representation: Representation
    extractor_version: str


# --- what is kept -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Version:
    """What a sighting said at one time. ``id`` is 0 until it is stored; old versions stay.

    The item as it arrived is kept beside it and read with ``records.get_item(version_id)``.
    """

    id: int
    title: str
    fingerprint: Fingerprint
    published: DateEvidence | None
    modified: DateEvidence | None
    captured_at: datetime
    fetch_no: int
    state: VersionState = VersionState.GOOD

    @property
    def published_at(self) -> datetime | None:
        """The known publication instant (aware UTC) or None."""
        return self.published.at if self.published else None


@dataclass(frozen=True, slots=True)
class Sighting:
    """One appearance of an article at a source: (source, guid, original_url, clean_title, slot).

    ``runs`` lists the fetches it stood in as inclusive ranges of the source's fetch numbers, which
    makes "both stood in one fetch" exact. ``slot`` is 0 unless the four other fields name several
    things (a status page that repeats its title). ``versions`` are oldest first. ``digest`` is that of the
    raw entry it was last read from, b"" if there is none.
    """

    id: int
    record_id: int
    source_id: int
    source: str
    kind: Kind
    guid: str
    original_url: str
    clean_title: str
    slot: int
    keys: tuple[Key, ...]
    versions: tuple[Version, ...]
    runs: tuple[tuple[int, int], ...]
    first_seen_at: datetime
    last_seen_at: datetime
    last_fetch_no: int
    times: int
    external_id: str | None = None
    digest: bytes = field(default=b"", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Current:
    """The version that is shown for a source (or a record), and the sighting it belongs to."""

    sighting: Sighting
    version: Version


@dataclass(frozen=True, slots=True)
class Record:
    """The kept thing. Its fields are a pure function of its sightings; ``survivor_id`` is flat."""

    id: int
    kind: Kind
    status: Status
    survivor_id: int | None
    title: str
    url: str
    external_id: str | None
    primary_source_id: int
    current_version_id: int
    first_seen_at: datetime
    last_seen_at: datetime
    first_published_at: datetime | None
    content_updated_at: datetime | None

    @property
    def record_id(self) -> str:
        """Its id, as ``r12``."""
        return f"r{self.id}"


@dataclass(frozen=True, slots=True)
class Source:
    """A stored feed or origin. ``name`` is as first given, ``identity`` the same for all its aliases."""

    id: int
    name: str
    identity: str
    newest_observed_at: datetime | None
    last_fetch_no: int
    traits: frozenset[str] = frozenset()


# --- what is measured and said ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Evidence:
    """One measured fact about a pair; ``limit`` is the policy value it was held against."""

    kind: str
    value: str | float | int | bool | None
    supports: Supports
    limit: float | int | None = None
    detail: str = ""
    bits: float | None = None
    record_number: int | None = None

    @property
    def record_id(self) -> str | None:
        """The record that was compared with, as ``r12``."""
        return format_id("r", self.record_number)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Ordered evidence for a pair of sightings and what it amounts to.

    ``rank`` orders joins (0 is the most certain); ``via`` names the keys the relation rests on alone.
    """

    relation: Relation
    reason: str
    rank: int
    evidence: tuple[Evidence, ...]
    via: frozenset[tuple[str, str, str]] = frozenset()


@dataclass(frozen=True, slots=True)
class ItemRef:
    """The part of an item that a decision repeats so that a reader knows what it is about."""

    external_id: str | None
    source: str
    guid: str
    original_url: str
    title: str


@dataclass(frozen=True, slots=True)
class Match:
    """The record a decision points at, as it stood before the item."""

    record_number: int | None
    external_id: str | None
    url: str
    title: str

    @property
    def record_id(self) -> str | None:
        """The record, as ``r12``; None when it is not written."""
        return format_id("r", self.record_number)


@dataclass(frozen=True, slots=True)
class Decision:
    """One explained answer. ``decision_id`` and ``seq`` are None for repeats and for dry runs."""

    seq: int | None
    number: int | None
    item: ItemRef
    outcome: Outcome
    reason: str
    record_number: int | None
    matched: Match | None
    changed: tuple[str, ...]
    flags: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    rules_version: str
    policy_version: str
    extractor_version: str
    decided_at: datetime

    @property
    def decision_id(self) -> str | None:
        """Its id, as ``d34``."""
        return format_id("d", self.number)

    @property
    def record_id(self) -> str | None:
        """The record it is about, as ``r12``."""
        return format_id("r", self.record_number)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened to records after they were announced; never announces an item again."""

    seq: int | None
    number: int | None
    event: str
    record_numbers: tuple[int, ...]
    survivor_number: int | None
    cause: str
    happened_at: datetime
    detail: Mapping[str, object] = field(default_factory=dict)

    @property
    def event_id(self) -> str | None:
        """Its id, as ``m5``."""
        return format_id("m", self.number)

    @property
    def record_ids(self) -> tuple[str, ...]:
        """The records it is about, as ``r12``."""
        return tuple(f"r{number}" for number in self.record_numbers)

    @property
    def survivor_id(self) -> str | None:
        """The record that stays, as ``r12``."""
        return format_id("r", self.survivor_number)
