"""What two places of one site, or one entry in another one's place, say about a pair under one title."""

from __future__ import annotations

from .case import Case, note_texts, note_titles
from .model import Comparison, Relation, Supports
from .urls.page import is_in_other_section, is_shortened


def same_slug(case: Case) -> Comparison | None:
    """One slug and title in two sections of a site: one article, when the dates agree, else a person looks."""
    pair = case.pair
    if not _may_be_one_article(case):
        return None
    found = next((x for x, y in pair.pages if is_in_other_section(x, y)), None)
    if found is None:
        return None
    case.note("slug_equal", "-".join(found.words), Supports.YES)
    note_titles(case)
    gap, limit = pair.hours_apart, pair.policy.dates.repeat_hours_home
    case.note("hours_apart", gap, Supports.UNKNOWN, limit)
    if pair.texts_near or (gap is not None and gap <= limit):
        return case.end(Relation.SAME, "same_slug")
    return case.end(Relation.REVIEW, "same_slug")


def corrected_slug(case: Case) -> Comparison | None:
    """One entry took another one's place, under the same title and a slug with a word more or less."""
    pair = case.pair
    if not pair.took_its_place or not _may_be_one_article(case):
        return None
    found = next(((x, y) for x, y in pair.pages if is_shortened(x, y)), None)
    if found is None:
        return None
    case.note("took_its_place", True, Supports.YES)
    case.note("slug_corrected", "-".join(found[1].words), Supports.YES, detail="-".join(found[0].words))
    note_titles(case)
    if pair.hours_newer is not None and pair.hours_newer > pair.policy.dates.repeat_hours_home:
        return case.end(Relation.REVIEW, "same_slug")
    return case.end(Relation.SAME, "corrected_slug")


def same_short_text(case: Case) -> Comparison | None:
    """The same title over the same text that is too short to decide, at the same time: a person looks."""
    pair = case.pair
    if not pair.same_source or not pair.title_identifies or not pair.shares_text or pair.enclosures == "conflict":
        return None
    gap = pair.hours_apart
    if gap is None or gap > pair.policy.dates.flash_hours:
        return None
    note_titles(case)
    note_texts(case)
    case.note("hours_apart", gap, Supports.YES, pair.policy.dates.flash_hours)
    return case.end(Relation.REVIEW, "title_and_text")


def _may_be_one_article(case: Case) -> bool:
    """Whether title, media and texts allow it; a text that is about something else does not."""
    pair = case.pair
    return pair.title_identifies and not pair.texts_unlike and pair.enclosures != "conflict"
