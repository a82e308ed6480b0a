"""Two sightings side by side: every fact the comparison may need, computed once and only when asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cached_property, lru_cache

from .blocking import FINAL, GUID, REDIRECT, sighting_hash
from .model import DateEvidence, Key, Precision, Sighting, Strength, Version, VersionState
from .policy import Policy
from .text.folding import is_mostly_cjk
from .text.overlap import Overlap, overlap
from .text.titles import numbers_conflict, same_title, title_identifies, title_key, title_similarity
from .urls.page import Page, page_of

_TRAILING_NUMBER = re.compile(r"^(.*?)(\d+)$", re.DOTALL)
_VERSIONS_COMPARED = 6

Distrust = Mapping[str, frozenset[tuple[str, str]]]
"""Source identity → the (kind, value) pairs that identify nothing there."""


class Pair:
    """Facts about two sightings. Symmetric: ``Pair(a, b)`` and ``Pair(b, a)`` say the same."""

    def __init__(self, a: Sighting, b: Sighting, policy: Policy, distrust: Distrust) -> None:
        self.a, self.b = a, b
        self.policy = policy
        self._distrust = distrust
        self.same_source = a.source_id == b.source_id

    # --- keys -----------------------------------------------------------------------------------

    def distrusted(self, sighting: Sighting, kind: str, value: str) -> bool:
        """Whether this key identifies nothing in the sighting's source."""
        return (kind, value) in self._distrust.get(sighting.source, frozenset())

    @cached_property
    def shared_keys(self) -> tuple[Key, ...]:
        """Identity keys both have and both sources trust, in the order of the first sighting."""
        others = {key.address: key for key in self.b.keys if key.strength is not Strength.DISTRUSTED}
        return tuple(
            key if key.rule_id in (REDIRECT, FINAL) or key.strength is Strength.NEAR else others[key.address]
            for key in self.a.keys
            if key.address in others
            and key.strength not in (Strength.DISTRUSTED, Strength.CANDIDATE)
            and not self.distrusted(self.a, key.kind, key.value)
            and not self.distrusted(self.b, key.kind, key.value)
        )

    def shared(self, kind: str) -> tuple[Key, ...]:
        """Shared trusted keys of one kind."""
        return tuple(key for key in self.shared_keys if key.kind == kind)

    @cached_property
    def claimed(self) -> tuple[Key, ...]:
        """Addresses that both pages give as their own, or were opened at."""
        theirs = {key.value for key in self.b.keys if key.kind == "claim"}
        return tuple(key for key in self.a.keys if key.kind == "claim" and key.value in theirs)

    @cached_property
    def shared_page(self) -> tuple[Key, ...]:
        """Shared keys that name one page by themselves: its address, or the id that its site gave it."""
        site = (key for key in self.shared("site") if key.strength is Strength.STRONG)
        return (*self.shared("url"), *site)

    @cached_property
    def shared_site(self) -> tuple[Key, ...]:
        """What its site calls the page; an id under one address says no more than the address does."""
        one_address = bool(self.shared("url"))
        return tuple(k for k in self.shared("site") if k.strength is Strength.NEAR or not one_address)

    @cached_property
    def links_differ(self) -> bool:
        """Whether both carry a link, other than a guid that looks like one, and these lead to two pages."""
        a, b = ({k.value for k in s.keys if k.kind == "url_near" and k.rule_id != GUID} for s in (self.a, self.b))
        return bool(a and b) and not (a & b)

    @cached_property
    def pages(self) -> tuple[tuple[Page, Page], ...]:
        """The places of both on one host, as far as their addresses say: directory and slug."""
        return tuple((x, y) for x in self._pages(self.a) for y in self._pages(self.b) if x.host == y.host)

    def _pages(self, sighting: Sighting) -> list[Page]:
        """Its places; an address that names nothing in its source is none."""
        return [
            page
            for key in sighting.keys
            if key.kind == "url_near"
            and key.strength is not Strength.DISTRUSTED
            and not self.distrusted(sighting, key.kind, key.value)
            and (page := page_of(key.value))
        ]

    @cached_property
    def anchors_differ(self) -> bool:
        """Whether links or guids lead to two places on a page, as the entries of a change log do."""
        pairs = ((self.a.original_url, self.b.original_url), (self.a.guid, self.b.guid))
        anchors = [(x.partition("#")[2], y.partition("#")[2]) for x, y in pairs]
        return any(x and y and x != y for x, y in anchors)

    @cached_property
    def only_led_to_one_page(self) -> bool:
        """Whether both share an address that neither carries itself: redirects led both there.

        That may be one article behind two short links, or one consent page before two articles.
        """
        theirs = {key.address: key for key in self.b.keys}
        urls = [(key, theirs[key.address]) for key in self.a.keys if key.kind == "url" and key.address in theirs]
        targets = (REDIRECT, FINAL)
        return bool(urls) and all(x.rule_id in targets and y.rule_id in targets for x, y in urls)

    def _ids(self, sighting: Sighting) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for key in sighting.keys:
            if key.kind == "id":
                name, _, value = key.value.partition(":")
                found.setdefault(name, set()).add(value)
        return found

    @cached_property
    def shared_ids(self) -> tuple[Key, ...]:
        """Ids that both carry, enclosures aside; those that name one article everywhere first."""
        ids = [key for key in self.shared("id") if not key.value.startswith("enclosure:")]
        return tuple(sorted(ids, key=lambda key: (key.strength is not Strength.STRONG, key.value)))

    @cached_property
    def shares_identity(self) -> bool:
        """Whether any trusted guid, address or publisher's id is shared."""
        return any(key.kind in ("guid", "url", "url_near", "site") for key in self.shared_keys)

    @cached_property
    def conflicting_ids(self) -> tuple[str, ...]:
        """Names of ids that both carry with different values, enclosures aside."""
        a, b = self._ids(self.a), self._ids(self.b)
        return tuple(name for name in sorted(a.keys() & b.keys()) if name != "enclosure" and not (a[name] & b[name]))

    @cached_property
    def enclosures(self) -> str:
        """``equal``, ``conflict`` or ``unknown``."""
        a = self._ids(self.a).get("enclosure", set())
        b = self._ids(self.b).get("enclosure", set())
        if not a or not b:
            return "unknown"
        return "equal" if a & b else "conflict"

    @property
    def guids_differ(self) -> bool:
        """Whether both carry a guid and these are two."""
        return bool(self.a.guid and self.b.guid) and self.a.guid != self.b.guid

    @cached_property
    def guids_count(self) -> bool:
        """Whether the guids are equal but for a trailing number, as ``…#0`` and ``…#3`` are."""
        if not self.same_source or not self.a.guid or self.a.guid == self.b.guid:
            return False
        a, b = _TRAILING_NUMBER.match(self.a.guid), _TRAILING_NUMBER.match(self.b.guid)
        return bool(a and b and a.group(1) == b.group(1) and a.group(1))

    @cached_property
    def fragments_count(self) -> bool:
        """Whether the counting number stands alone in the guid's fragment, where it can hardly be an id."""
        return self.guids_count and all("#" in g and g.rpartition("#")[2].isdigit() for g in (self.a.guid, self.b.guid))

    # --- time -----------------------------------------------------------------------------------

    @cached_property
    def co_present(self) -> bool:
        """Whether both stood in one fetch of their common source."""
        if not self.same_source:
            return False
        return any(x[0] <= y[1] and y[0] <= x[1] for x in self.a.runs for y in self.b.runs)

    @cached_property
    def took_its_place(self) -> bool:
        """Whether one left their source in the very fetch in which the other one came, and never stood beside it."""
        if not self.same_source or not self.a.runs or not self.b.runs or self.co_present:
            return False
        return any(
            later.runs[0][0] not in _late_fetches(later)
            and later.runs[0][0] - 1 in {end for _, end in earlier.runs} - _late_fetches(earlier)
            for earlier, later in ((self.a, self.b), (self.b, self.a))
        )

    @cached_property
    def published_equal(self) -> bool:
        """Whether both gave the same publication second at some time; midnight is a day, not a second."""
        return bool(_seconds(self.a) & _seconds(self.b))

    @cached_property
    def published_same_day(self) -> bool:
        """Whether the publication dates may be one: equal instants, or equal days where only days are given."""
        return any(
            x.at
            and y.at
            and (x.at == y.at or (x.at.date() == y.at.date() and Precision.DAY in (x.precision, y.precision)))
            for x in (v.published for v in self.a.versions)
            for y in (v.published for v in self.b.versions)
            if x and y
        )

    @cached_property
    def published_one_day(self) -> bool:
        """Whether both were published on one day and at least one of them gives no time: midnight is a day."""
        dates = [[v.published for v in s.versions if v.published and v.published.at] for s in (self.a, self.b)]
        return any(
            _local(x).date() == _local(y).date() and (_is_midnight(x) or _is_midnight(y))
            for x in dates[0]
            for y in dates[1]
        )

    @cached_property
    def hours_apart(self) -> float | None:
        """Smallest distance of the publication dates in hours; None when one is unknown."""
        gaps = [
            abs((x - y).total_seconds())
            for x in (v.published_at for v in self.a.versions)
            for y in (v.published_at for v in self.b.versions)
            if x and y
        ]
        return min(gaps) / 3600 if gaps else None

    @cached_property
    def hours_newer(self) -> float | None:
        """By how many hours the dates of the one that came later are newer; None when one is unknown."""
        earlier, later = sorted((self.a, self.b), key=lambda s: (s.first_seen_at, s.runs, sighting_hash(s)))
        before = [v.published_at for v in earlier.versions if v.published_at]
        after = [v.published_at for v in later.versions if v.published_at]
        return (min(after) - max(before)).total_seconds() / 3600 if before and after else None

    # --- titles ---------------------------------------------------------------------------------

    @cached_property
    def titles_equal(self) -> bool:
        """Whether the cleaned titles are equal, but for spaces and punctuation, and not empty."""
        return same_title(self.a.clean_title, self.b.clean_title)

    @cached_property
    def titles_differ(self) -> bool:
        """Whether the cleaned titles differ; an empty title differs from any other."""
        return self.a.clean_title != self.b.clean_title and not self.titles_equal

    @cached_property
    def title_similarity(self) -> float:
        """Jaccard of the character bigrams."""
        return title_similarity(self.a.clean_title, self.b.clean_title)

    @cached_property
    def title_numbers_conflict(self) -> bool:
        """Whether the numbers in the titles differ."""
        return numbers_conflict(self.a.clean_title, self.b.clean_title)

    @cached_property
    def title_identifies(self) -> bool:
        """Whether the titles are equal, long enough, and not known to return in a source of the pair."""
        limits = self.policy.title
        return (
            self.titles_equal
            and title_identifies(self.a.clean_title, limits.min_chars, limits.min_cjk_chars)
            and not self.title_recurs
        )

    @cached_property
    def title_recurs(self) -> bool:
        """Whether the common title is known to stand over different articles in a source of the pair."""
        return self.titles_equal and any(
            self.distrusted(s, "title", title_key(s.clean_title)) for s in (self.a, self.b)
        )

    # --- texts ----------------------------------------------------------------------------------

    @cached_property
    def equal_text(self) -> str:
        """The hash of a deciding text both had, '' if none or if it is boilerplate in a source."""
        for value in sorted(_decisive_hashes(self.a) & _decisive_hashes(self.b)):
            if not any(self.distrusted(s, "text", value) for s in (self.a, self.b)):
                return value
        return ""

    @cached_property
    def same_short_text(self) -> bool:
        """Whether both carry one text, however short; supports other facts, decides nothing."""
        a, b = ({v.fingerprint.text_hash for v in s.versions} for s in (self.a, self.b))
        return bool(a & b)

    @cached_property
    def overlap(self) -> Overlap | None:
        """The best overlap of deciding texts; None when one side has none."""
        best: Overlap | None = None
        for x in self._deciding(self.a):
            for y in self._deciding(self.b):
                found = _overlap(x.fingerprint.text, y.fingerprint.text)
                if best is None or found.containment > best.containment:
                    best = found
        return best

    def _trusted_texts(self, sighting: Sighting) -> list[Version]:
        """Its versions whose text is no boilerplate in its source."""
        versions = sighting.versions
        return [v for v in versions if not self.distrusted(sighting, "text", v.fingerprint.text_hash)]

    def _deciding(self, sighting: Sighting) -> list[Version]:
        """The deciding versions that are compared: the oldest and the newest few."""
        deciding = [v for v in self._trusted_texts(sighting) if v.fingerprint.decisive]
        if len(deciding) <= _VERSIONS_COMPARED:
            return deciding
        return [deciding[0], *deciding[1 - _VERSIONS_COMPARED :]]

    def _supporting(self, sighting: Sighting) -> list[Version]:
        """The newest versions whose text is long enough to support other facts."""
        limits = self.policy.text
        long_enough = [
            v
            for v in self._trusted_texts(sighting)
            if v.fingerprint.length
            >= (limits.support_cjk_chars if is_mostly_cjk(v.fingerprint.text) else limits.support_chars)
        ]
        return long_enough[-_VERSIONS_COMPARED:]

    @cached_property
    def texts_near(self) -> bool:
        """Whether the texts are equal, or overlap enough in n-grams and in numbers."""
        if self.equal_text:
            return True
        limits, found = self.policy.text, self.overlap
        return found is not None and found.containment >= limits.near_containment and self.numbers_agree(found)

    def numbers_shared(self, found: Overlap) -> float:
        """The share of figures that two texts have in common; an excerpt is held against its own only."""
        is_excerpt = found.length_ratio < self.policy.text.near_length_ratio
        return found.numbers_containment if is_excerpt else found.numbers_jaccard

    def numbers_agree(self, found: Overlap) -> bool:
        """Whether the figures of two texts agree."""
        return self.numbers_shared(found) >= self.policy.text.near_numbers

    @cached_property
    def texts_support(self) -> bool:
        """Whether texts too short to decide still agree: one is (nearly) contained in the other."""
        limits = self.policy.text
        for x in self._supporting(self.a):
            for y in self._supporting(self.b):
                found = _overlap(x.fingerprint.text, y.fingerprint.text)
                if found.containment >= limits.near_containment and self.numbers_agree(found):
                    return True
        return False

    @cached_property
    def shares_text(self) -> bool:
        """Whether both carry one text that is not empty, however short."""
        a, b = ({v.fingerprint.text_hash for v in s.versions if v.fingerprint.length} for s in (self.a, self.b))
        return bool(a & b)

    @property
    def texts_differ(self) -> bool:
        """Whether both carry texts, however short, and none of them is shared."""
        both = all(any(v.fingerprint.length for v in s.versions) for s in (self.a, self.b))
        return both and not self.shares_text

    @cached_property
    def texts_unlike(self) -> bool:
        """Whether both have deciding texts and these are about different things."""
        found = self.overlap
        return not self.equal_text and found is not None and found.containment < self.policy.text.unlike_containment


@lru_cache(maxsize=4096)
def _overlap(a: str, b: str) -> Overlap:
    """A cache of a pure function: results do not depend on what is in it."""
    return overlap(a, b) if a <= b else overlap(b, a)


def _late_fetches(sighting: Sighting) -> set[int]:
    """Fetches it was first seen in after newer ones: their numbers say nothing about what left when it came."""
    return {v.fetch_no for v in sighting.versions if v.state is VersionState.LATE}


def _seconds(sighting: Sighting) -> set[datetime]:
    dates = [v.published for v in sighting.versions if v.published]
    return {d.at for d in dates if d.at and d.precision is Precision.SECOND and not _is_midnight(d)}


def _is_midnight(date: DateEvidence) -> bool:
    """Whether the time of day is midnight where it was written: such a date gives a day only."""
    local = _local(date)
    return (local.hour, local.minute, local.second) == (0, 0, 0)


def _local(date: DateEvidence) -> datetime:
    """The time where it was written."""
    assert date.at is not None
    return date.at + timedelta(minutes=date.offset_minutes or 0)


def _decisive_hashes(sighting: Sighting) -> set[str]:
    return {v.fingerprint.text_hash for v in sighting.versions if v.fingerprint.decisive}
