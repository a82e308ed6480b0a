"""One comparison under way: the pair, what was learnt about its sources, and the evidence so far."""

from __future__ import annotations

from collections.abc import Mapping

from .model import Comparison, Evidence, Relation, Supports
from .pair import Pair

Traits = Mapping[str, frozenset[str]]
"""Source identity → what was learnt about the source as a whole."""

Address = tuple[str, str, str]

GUID_COUNTER = "guid_counter"

RANKS = {
    "same_id": 1,
    "redirect": 2,
    "text_equal": 3,
    "guid": 4,
    "url": 5,
    "site": 6,
    "near_url": 7,
    "same_slug": 8,
    "corrected_slug": 9,
    "text_near": 10,
    "flash_then_full": 11,
    "mass_change": 12,
}
"""Order in which joins are made, from the most certain to the least."""


class Case:
    """One comparison under way: the pair, what was learnt about its sources, the evidence so far."""

    def __init__(self, pair: Pair, traits: Traits) -> None:
        self.pair = pair
        self.traits = traits
        self.evidence: list[Evidence] = []

    def note(
        self,
        kind: str,
        value: str | float | int | bool | None,
        supports: Supports,
        limit: float | int | None = None,
        detail: str = "",
    ) -> None:
        """Add one measured fact."""
        if isinstance(value, float):
            value = round(value, 4)
        self.evidence.append(Evidence(kind, value, supports, limit, detail))

    @property
    def guid_is_counter(self) -> bool:
        """Whether the guids differ in a number that was learnt to be a counter in this source."""
        return self.pair.guids_count and GUID_COUNTER in self.traits.get(self.pair.a.source, frozenset())

    def end(self, relation: Relation, reason: str, via: frozenset[Address] = frozenset()) -> Comparison:
        """Return what the evidence so far amounts to."""
        return Comparison(relation, reason, RANKS.get(reason, 50), tuple(self.evidence), via)


def numbers_speak_against(case: Case) -> bool:
    """Return whether the titles differ and so do their numbers, and note it."""
    if case.pair.titles_differ and case.pair.title_numbers_conflict:
        case.note("title_numbers", True, Supports.NO)
        return True
    return False


def text_is_vetoed(case: Case) -> bool:
    """Return whether numbers or media files speak against what the texts say, and note it."""
    if numbers_speak_against(case):
        return True
    if case.pair.enclosures == "conflict":
        case.note("enclosure_conflict", True, Supports.NO)
        return True
    return False


def address_keys(pair: Pair) -> frozenset[Address]:
    """The shared keys a relation by address rests on; while they are disputed it does not hold."""
    return frozenset(key.address for key in pair.shared_keys if key.kind in ("url", "url_near", "guid", "site"))


def same_identity_other_slot(pair: Pair) -> bool:
    """Whether both are one identity that the engine took apart by date."""
    a, b = pair.a, pair.b
    return (
        pair.same_source
        and a.slot != b.slot
        and (a.guid, a.original_url, a.clean_title) == (b.guid, b.original_url, b.clean_title)
    )


def note_titles(case: Case) -> None:
    """Add what the titles say."""
    pair = case.pair
    if pair.titles_equal:
        supports = Supports.YES if pair.title_identifies else Supports.UNKNOWN
        case.note("title_equal", True, supports, detail=pair.a.clean_title)
        if pair.title_recurs:
            case.note("title_recurs", True, Supports.UNKNOWN)
        return
    limit = pair.policy.title.similar
    supports = Supports.YES if pair.title_similarity >= limit else Supports.UNKNOWN
    case.note("title_similarity", pair.title_similarity, supports, limit)


def note_texts(case: Case) -> None:
    """Add what the texts say."""
    pair, limits = case.pair, case.pair.policy.text
    found = pair.overlap
    if pair.equal_text:
        case.note("text_equal", pair.equal_text, Supports.YES)
    elif found is None:
        case.note("text_too_short", True, Supports.UNKNOWN)
    else:
        if found.containment >= limits.near_containment:
            supports = Supports.YES
        elif found.containment < limits.unlike_containment:
            supports = Supports.NO
        else:
            supports = Supports.UNKNOWN
        case.note("text_containment", found.containment, supports, limits.near_containment)
        agree = Supports.YES if pair.numbers_agree(found) else Supports.NO
        case.note("text_numbers", pair.numbers_shared(found), agree, limits.near_numbers)
