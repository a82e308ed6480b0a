"""What learning rules is given and what it says: observations, limits, counts, findings, proposals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from ...rules.schema import Pair, RuleKind


@dataclass(frozen=True, slots=True)
class Observation:
    """What one address showed at one time.

    ``text`` names the exact text ('' if it is too short to decide), ``alike`` a class of texts that nearly equal it
    ('' if there is none), ``title`` a title that identifies (else ''). Texts of one ``form`` (full text, summary)
    are held against each other. ``seen_at`` says when the text was captured, ``last_seen_at`` when the address was
    seen last. ``ref`` is the caller's own way back to the text.
    """

    url: str
    text: str = ""
    title: str = ""
    alike: str = ""
    form: str = ""
    seen_at: datetime | None = None
    last_seen_at: datetime | None = None
    ref: int = 0


@dataclass(frozen=True, slots=True)
class LearningLimits:
    """How much has to be seen before a rule is proposed. A page counts once, under however many addresses."""

    min_pages: int = 12
    """Pages that showed the same under several values of a parameter."""
    min_pages_each: int = 3
    """… on each path that the rule names."""
    min_moves: int = 5
    """Slugs that kept their text under several dates or sections."""
    min_moves_each: int = 2
    """… in each section that the rule names."""
    max_mismatch: float = 0.02
    """Share of pages that showed something else, above which a parameter matters."""
    max_mismatch_of_few: float = 0.1
    """The same where a single page of one path did."""
    max_unclear: float = 0.1
    """Share of pages of which neither can be said, above which nothing is proposed."""
    min_by_text: float = 0.5
    """Share of the equal pages whose texts say so; the others have equal titles only."""
    min_exact: float = 0.25
    """Share of these whose texts were equal to the letter; the others are near, as texts that change in place are."""
    max_flips: float = 0.34
    """Share of the parameters known to matter that look neutral, above which nothing of a host is believed."""
    most_values: int = 6
    """Up to so many values of a parameter the rule names them; with more it holds for any value."""
    most_literals: int = 8
    """Up to so many names at one place of a path the rule names them; with more it holds for any."""
    slug_words: int = 4
    """Words that a slug needs to name one article."""
    most_dates: int = 3
    """A slug under more dates than these is a column that returns."""
    boilerplate_titles: int = 3
    """A text under so many titles says nothing about a page."""
    most_pages: int = 4000
    """Pages that are kept of each kind of path of a host; which ones is a matter of their hash."""
    most_addresses: int = 64
    """Addresses that are kept of each page."""


class Likeness(StrEnum):
    """What two showings are to each other."""

    EXACT = "exact"
    ALIKE = "alike"
    NEAR = "near"
    """Near texts one after the other, where it is not known that texts change in place."""
    TITLE = "title"
    DIFFERENT = "different"
    UNCLEAR = "unclear"


SAME = (Likeness.EXACT, Likeness.ALIKE, Likeness.TITLE)
"""What counts as equal, the surest first."""


class Subject(StrEnum):
    """What a finding is about."""

    PARAMETER = "parameter"
    DATES = "dates"
    SECTION = "section"


class Why(StrEnum):
    """Why something is proposed, or why not."""

    PROPOSED = "proposed"
    MATTERS = "matters"
    FEW = "few"
    UNCLEAR = "unclear"
    TITLES = "titles"
    NEVER_EQUAL = "never_equal"
    KNOWN = "known"
    GUARDED = "guarded"
    RETURNS = "returns"
    NO_EXAMPLES = "no_examples"
    UNPROVEN = "unproven"


REASONS: Mapping[Why, str] = {
    Why.PROPOSED: "proposed",
    Why.MATTERS: "other values, other texts",
    Why.FEW: "too few pages were seen under several values",
    Why.UNCLEAR: "too many pages changed by themselves to tell",
    Why.TITLES: "mostly titles agree, too few texts",
    Why.NEVER_EQUAL: "texts are alike, hardly ever equal",
    Why.KNOWN: "known to select content",
    Why.GUARDED: "parameters known to matter look neutral on this host: its texts are not believed",
    Why.RETURNS: "slugs come back with other texts",
    Why.NO_EXAMPLES: "too few stored pairs to show",
    Why.UNPROVEN: "the rule does not hold beside the others",
}
"""Each :class:`Why` in words."""


@dataclass(slots=True)
class Tally:
    """Pages counted by what they showed, and when the newest of the equal ones was seen last.

    ``drifting`` of the ``exact`` ones showed several texts one after the other, the same ones under several values.
    """

    exact: int = 0
    alike: int = 0
    near: int = 0
    drifting: int = 0
    titles: int = 0
    different: int = 0
    unclear: int = 0
    last_seen_at: datetime | None = None

    def count(self, likeness: Likeness, seen_at: datetime | None = None, *, drifts: bool = False) -> None:
        """Count a page."""
        name = "titles" if likeness is Likeness.TITLE else likeness.value
        setattr(self, name, getattr(self, name) + 1)
        self.drifting += drifts
        if likeness in SAME and seen_at:
            self.last_seen_at = max(filter(None, (self.last_seen_at, seen_at)))

    def add(self, other: Tally) -> None:
        """Add what another one counted."""
        self.exact += other.exact
        self.alike += other.alike
        self.near += other.near
        self.drifting += other.drifting
        self.titles += other.titles
        self.different += other.different
        self.unclear += other.unclear
        if other.last_seen_at:
            self.last_seen_at = max(filter(None, (self.last_seen_at, other.last_seen_at)))

    @property
    def equal(self) -> int:
        """Pages that showed one thing."""
        return self.exact + self.alike + self.titles

    @property
    def total(self) -> int:
        """All pages."""
        return self.equal + self.near + self.different + self.unclear

    def is_bad(self, limits: LearningLimits) -> bool:
        """Whether too many pages showed something else."""
        return self.different > limits.max_mismatch * (self.equal + self.different)

    def is_bad_part(self, limits: LearningLimits) -> bool:
        """Whether this part of all pages must be left out: one in a dozen may be chance, two are none."""
        share = limits.max_mismatch if self.different > 1 else limits.max_mismatch_of_few
        return self.different > share * (self.equal + self.different)

    def why_not(self, limits: LearningLimits, least: int, *, over_time: bool = False) -> Why:
        """Return the first limit that these counts do not meet, or ``PROPOSED``.

        Near texts are explained where as many pages drift, and ``over_time``, where one address follows the other.
        """
        if self.is_bad(limits):
            return Why.MATTERS
        if self.equal < least:
            return Why.FEW
        unexplained = self.unclear + (0 if over_time or self.near <= self.drifting else self.near)
        if unexplained > limits.max_unclear * self.total:
            return Why.UNCLEAR
        by_text = self.exact + self.alike
        if by_text < limits.min_by_text * self.equal:
            return Why.TITLES
        return Why.NEVER_EQUAL if self.exact < limits.min_exact * by_text else Why.PROPOSED


@dataclass(frozen=True, slots=True)
class Proposal:
    """A rule that may be written into a pack; ``id`` names it there."""

    id: str
    kind: RuleKind
    host: str
    match: tuple[str, ...]
    reason: str
    must_match: tuple[Pair, ...]
    must_not_match: tuple[Pair, ...]
    names: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    value_types: tuple[str, ...] = ()
    equal: int = 0
    different: int = 0
    last_seen_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found out about one parameter (or several that move together), or about a part of paths."""

    host: str
    subject: Subject
    name: str
    why: Why
    tally: Tally = field(default_factory=Tally)
    proposal: Proposal | None = None
