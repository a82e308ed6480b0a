"""What the engine knows while a unit is open: what sources trust, and which entries a fetch lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import NamedTuple

from ..blocking import text_limits
from ..model import Current, Fetch, Fingerprint, Representation, Sighting, Source, Trust
from ..pair import Distrust
from ..policy import Policy
from ..stores.base import Identity, Unit
from ..text.fingerprint import is_poor_replacement, is_wall_over_text
from .daily import DayTally
from .rulebook import RuleSource, rules_at

MASS_CHANGE = "mass_change"
"""Who says so, where a verdict or an event has no person behind it."""

_WHOLE = Representation.FULL_TEXT
_PARTS = (Representation.ABSTRACT, Representation.PAYWALLED)


def _is_part_of_page(print_: Fingerprint) -> bool:
    """Whether a page shows less than an article: an abstract, a teaser, or (read by an extractor) hardly a text."""
    return print_.representation in _PARTS or (";" in print_.extractor_version and print_.representation is not _WHOLE)


Moves = Mapping[Identity, Sighting]
"""Entries that a feed brought back under new names, with the stored sighting each of them was."""


class Moved(NamedTuple):
    """An entry that was joined because its whole feed came back under new names."""

    sighting_id: int
    was_id: int
    record_id: int


Slots = Mapping[Identity, frozenset[int]]
"""Stored sightings that a fetch lists again, by identity."""


@dataclass(frozen=True, slots=True)
class Observation:
    """When and in which fetch an item was seen. ``fetch_no`` 0: the item is a fetch of its own.

    ``listed`` are stored sightings that the fetch lists again, as far as it is known. ``partial`` says
    that the fetch was begun by an earlier call, which could not know them all.
    """

    observed_at: datetime
    fetch_no: int
    order_no: int
    late: bool
    partial: bool = False
    listed: Slots = field(default_factory=dict)

    @classmethod
    def unknown(cls) -> Observation:
        """The observation of an item of which only the identity is asked."""
        return cls(datetime.min.replace(tzinfo=UTC), 0, 0, False)

    @classmethod
    def of_fetch(cls, fetch: Fetch, listed: Slots, *, partial: bool = False) -> Observation:
        """The observation of every item of a fetch, ``partial`` when other items of it came before."""
        return cls(fetch.observed_at, fetch.no, fetch.no, fetch.late, partial, listed)


class Context:
    """Rules, policy, and the trust of each source as it stands inside the open unit."""

    def __init__(self, unit: Unit, rules: RuleSource, policy: Policy) -> None:
        self.unit = unit
        self.rules = rules_at(rules, unit)
        self.policy = policy
        self._sources: dict[int, Source] = {}
        self._distrust: dict[str, frozenset[tuple[str, str]]] = {}
        self._traits: dict[str, frozenset[str]] = {}
        self._limits = text_limits(policy)
        self.tally = DayTally()
        self.moves: Moves = {}
        self.moved: list[Moved] = []
        self.new_trust: list[Trust] = []
        self.new_traits: list[tuple[int, str]] = []

    def know(self, source_id: int) -> Source:
        """Loads what a source trusts, once per unit."""
        if source_id not in self._sources:
            source = self.unit.sources.get_source(source_id)
            self._sources[source_id] = source
            trust = self.unit.sources.find_trust(source_id)
            self._distrust[source.identity] = frozenset((t.kind, t.value) for t in trust)
            self._traits[source.identity] = source.traits
        return self._sources[source_id]

    def assume(self, source: Source) -> None:
        """Stands in for a source that is not stored: nothing is known about it."""
        self._sources[source.id] = source
        self._distrust[source.identity] = frozenset()
        self._traits[source.identity] = frozenset()

    @property
    def distrust(self) -> Distrust:
        """What identifies nothing, by source identity."""
        return self._distrust

    @property
    def traits(self) -> Mapping[str, frozenset[str]]:
        """What was learnt about whole sources, by source identity."""
        return self._traits

    def is_poor(self, old: Current, new: Current) -> bool:
        """Whether the newer capture is too poor to stand in for the older one.

        A new title over little text is news ("more follows"), unless the text is a wall. An abstract, or what a
        paywall lets through, never stands in for the article.
        """
        texts = old.version.fingerprint, new.version.fingerprint
        if _is_part_of_page(new.version.fingerprint) and old.version.fingerprint.representation is _WHOLE:
            return True
        if new.sighting.clean_title not in ("", old.sighting.clean_title):
            return is_wall_over_text(*texts, self._limits)
        return is_poor_replacement(*texts, self._limits)

    def switch(self, trust: Trust) -> None:
        """Switches trust off inside this unit; it is written when the item is applied."""
        identity = self.know(trust.source_id).identity
        self._distrust[identity] |= {(trust.kind, trust.value)}
        self.new_trust.append(trust)

    def learn(self, source_id: int, trait: str) -> None:
        """Notes something about a whole source."""
        identity = self.know(source_id).identity
        self._traits[identity] |= {trait}
        self.new_traits.append((source_id, trait))


def present_now(sighting: Sighting, source_id: int, observation: Observation) -> Sighting:
    """Return the sighting with the open fetch among its runs when that fetch lists it.

    The whole fetch counts at once, however its items are cut into units.
    """
    if not observation.fetch_no or sighting.source_id != source_id:
        return sighting
    identity = Identity(source_id, sighting.guid, sighting.original_url, sighting.clean_title, sighting.kind)
    if sighting.slot not in observation.listed.get(identity, frozenset()):
        return sighting
    if observation.late:
        return add_run(sighting, observation.fetch_no)
    seen = replace(
        sighting,
        last_seen_at=max(sighting.last_seen_at, observation.observed_at),
        last_fetch_no=max(sighting.last_fetch_no, observation.fetch_no),
    )
    return add_run(seen, observation.fetch_no)


def add_run(sighting: Sighting, fetch_no: int) -> Sighting:
    """Return the sighting as present in this fetch too."""
    if any(first <= fetch_no <= last for first, last in sighting.runs):
        return sighting
    if sighting.runs and sighting.runs[-1][1] == fetch_no - 1:
        runs = (*sighting.runs[:-1], (sighting.runs[-1][0], fetch_no))
    else:
        runs = (*sighting.runs, (fetch_no, fetch_no))
    return replace(sighting, runs=runs)
