"""The words that may stand in a field: outcomes, strengths, states. Their values are what is stored and shown."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What an item is; kinds are never compared with each other."""

    ARTICLE = "article"
    IMAGE = "image"


class Precision(StrEnum):
    """How exact a date is; anything coarser than a day never takes part in a comparison of times."""

    SECOND = "second"
    MINUTE = "minute"
    DAY = "day"
    MONTH = "month"
    YEAR = "year"
    UNKNOWN = "unknown"


class Strength(StrEnum):
    """What a key may do: decide, decide with one corroborating fact, propose, or nothing."""

    STRONG = "strong"
    NEAR = "near"
    CANDIDATE = "candidate"
    DISTRUSTED = "distrusted"


class Representation(StrEnum):
    """Which part of an article an item carries; only equal representations are compared for change."""

    FULL_TEXT = "full_text"
    SUMMARY = "summary"
    TITLE_ONLY = "title_only"

    @property
    def fullness(self) -> int:
        """Return 2 for a full text, 1 for a summary, 0 for a title alone."""
        return {"full_text": 2, "summary": 1, "title_only": 0}[self.value]


class VersionState(StrEnum):
    """Whether a version may become current: late arrivals and what is kept aside may not.

    Aside is the second text of an entry that one fetch lists twice.
    """

    GOOD = "good"
    ASIDE = "aside"
    LATE = "late"


class Status(StrEnum):
    """A record's state; merged records point at their survivor, rejected ones stay comparable."""

    ACTIVE = "active"
    MERGED = "merged"
    REJECTED = "rejected"


class Verdict(StrEnum):
    """What a person says of two records; ``different`` is a cannot-link, ``same`` a must-link."""

    SAME = "same"
    DIFFERENT = "different"
    RELATED = "related"


class ReviewState(StrEnum):
    """Where a review pair stands."""

    WAITING = "waiting"
    MERGED = "merged"
    SAME = "same"
    DIFFERENT = "different"
    RELATED = "related"


class RuleState(StrEnum):
    """Where an activation of somebody's own rules stands; keys are derived again on the way in and on the way out."""

    ACTIVATING = "activating"
    ACTIVE = "active"
    ROLLING_BACK = "rolling_back"
    ROLLED_BACK = "rolled_back"


class Supports(StrEnum):
    """Whether a measured fact speaks for one article, against it, or says nothing."""

    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


class Relation(StrEnum):
    """What the evidence on a pair amounts to."""

    SAME = "same"
    REVIEW = "review"
    UNRELATED = "unrelated"
    DIFFERENT = "different"


class Outcome(StrEnum):
    """The four answers."""

    NEW = "new"
    UPDATE = "update"
    DUPLICATE = "duplicate"
    REVIEW = "review"
