"""What texts, titles and dates say about a pair. Each rule answers, or leaves it to the next one."""

from __future__ import annotations

from .case import Case, note_texts, note_titles, same_identity_other_slot, text_is_vetoed
from .model import Comparison, Relation, Supports
from .pair import Pair
from .text.overlap import Overlap
from .text.titles import title_identifies


def equal_text(case: Case) -> Comparison | None:
    """The same text is one article, unless numbers, media or (inside a source) everything else differs."""
    pair = case.pair
    if not pair.equal_text:
        return None
    case.note("text_equal", pair.equal_text, Supports.YES)
    if text_is_vetoed(case):
        return None
    if not pair.same_source or pair.shares_identity or pair.titles_equal:
        return _same_text(case, "text_equal")
    note_titles(case)
    if pair.title_similarity >= pair.policy.title.nearly_equal or pair.published_equal:
        return _same_text(case, "text_equal")
    return case.end(Relation.REVIEW, "same_text_other_title")


def near_text(case: Case) -> Comparison | None:
    """Verified overlap, held against the numbers: the same template with other data is another article."""
    pair, limits = case.pair, case.pair.policy.text
    found = pair.overlap
    if found is None or pair.equal_text or found.containment < limits.similar_containment:
        return None
    gap = pair.hours_apart
    if gap is not None and gap > pair.policy.dates.window_days * 24:
        return None
    note_texts(case)
    if text_is_vetoed(case) or not pair.numbers_agree(found):
        return None
    note_titles(case)
    titles_agree = pair.titles_equal or pair.title_similarity >= pair.policy.title.similar
    if not pair.texts_near:
        return case.end(Relation.REVIEW, "similar_text") if titles_agree else None
    if found.length_ratio < limits.near_length_ratio and pair.same_source and pair.titles_equal:
        return _flash(case)
    if _near_text_is_enough(case, found):
        return case.end(Relation.SAME, "text_near")
    if not pair.same_source and pair.policy.across_sources.same_text == "related":
        return None
    return case.end(Relation.REVIEW, "similar_text")


def _near_text_is_enough(case: Case, found: Overlap) -> bool:
    """Whether a near text joins by itself: a template differs from itself in a name, as a copy does in a typo.

    So it does inside a source only, when one took the other's place: published in one second, never
    listed together. Else a person looks.
    """
    pair = case.pair
    certain = found.containment >= pair.policy.text.certain_containment
    return pair.same_source and pair.published_equal and certain and not pair.co_present


def title_and_date(case: Case) -> Comparison | None:
    """Titles never decide: with the same date and nothing else to go by, a person should look."""
    pair = case.pair
    if not pair.same_source or not pair.titles_equal or pair.title_recurs or pair.texts_unlike:
        return None
    if pair.enclosures == "conflict":
        case.note("enclosure_conflict", True, Supports.NO)
        return case.end(Relation.UNRELATED, "different")
    if same_identity_other_slot(pair):
        note_titles(case)
        case.note("hours_apart", pair.hours_apart, Supports.NO)
        return case.end(Relation.REVIEW, "repeated_title")
    if pair.overlap is not None:
        return None
    gap = pair.hours_apart
    if pair.published_same_day or (gap is not None and gap * 60 <= 1):
        note_titles(case)
        case.note("published_equal", True, Supports.YES)
        case.note("text_too_short", True, Supports.UNKNOWN)
        return case.end(Relation.REVIEW, "title_and_date")
    if gap is not None and gap <= pair.policy.dates.flash_hours and _one_contains_the_other(pair):
        return _flash(case)
    if _long_title_within_days(pair):
        note_titles(case)
        case.note("hours_apart", gap, Supports.UNKNOWN, pair.policy.dates.repeat_days * 24)
        case.note("text_too_short", True, Supports.UNKNOWN)
        return case.end(Relation.REVIEW, "title_and_date")
    return None


def _long_title_within_days(pair: Pair) -> bool:
    """Whether a title too long to be chosen twice stands over dates that are a few days apart."""
    gap, limits = pair.hours_apart, pair.policy.title
    if gap is None or gap > pair.policy.dates.repeat_days * 24:
        return False
    return title_identifies(pair.a.clean_title, 2 * limits.min_chars, 2 * limits.min_cjk_chars)


def _flash(case: Case) -> Comparison:
    case.note("hours_apart", case.pair.hours_apart, Supports.YES, case.pair.policy.dates.flash_hours)
    if case.pair.policy.across_sources.flash_then_full == "update":
        return case.end(Relation.SAME, "flash_then_full")
    return case.end(Relation.REVIEW, "flash_then_full")


def _same_text(case: Case, reason: str) -> Comparison | None:
    """The same text: one article inside a source, and elsewhere whatever the policy says."""
    if not case.pair.same_source:
        choice = case.pair.policy.across_sources.same_text
        if choice == "review":
            return case.end(Relation.REVIEW, "same_text_elsewhere")
        if choice == "related":
            return None
    return case.end(Relation.SAME, reason)


def _one_contains_the_other(pair: Pair) -> bool:
    texts = [(v.fingerprint.text, w.fingerprint.text) for v in pair.a.versions for w in pair.b.versions]
    return any(x and y and x != y and (x in y or y in x) for x, y in texts)
