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
    """What was read of an article; only equal representations are compared for change.

    The last three are what was found in an article's place: they are recorded and never become a version.
    """

    FULL_TEXT = "full_text"
    ABSTRACT = "abstract"
    SUMMARY = "summary"
    PAYWALLED = "paywalled"
    TITLE_ONLY = "title_only"
    CONSENT_WALL = "consent_wall"
    ERROR_PAGE = "error_page"
    PDF = "pdf"

    @property
    def fullness(self) -> int:
        """Return 2 for a full text, 1 for a part of it, 0 for none of its text.

        >>> from seenbefore.vocabulary import Representation
        >>> Representation.FULL_TEXT.fullness > Representation.ABSTRACT.fullness == Representation.SUMMARY.fullness
        True
        """
        return {"full_text": 2, "abstract": 1, "summary": 1, "paywalled": 1}.get(self.value, 0)

    @property
    def is_text(self) -> bool:
        """Whether it may be compared; a wall, an error or a file in the place of an article may not."""
        return self not in (Representation.CONSENT_WALL, Representation.ERROR_PAGE, Representation.PDF)


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
