"""What two places of one site, or one entry in another one's place, say about a pair under one title."""

from __future__ import annotations

import re
import unicodedata

from .case import Case, note_texts, note_titles, text_is_vetoed
from .model import Comparison, Relation, Supports
from .pair import Pair
from .text.folding import fold
from .urls.page import Page, are_desks, is_in_other_section, is_in_sister_section, is_shortened

_BREAKS = re.compile(r"[\W_]+")


def same_slug(case: Case) -> Comparison | None:
    """One slug and title in two sections of a site: one article when dates and texts allow it, else a person looks."""
    pair = case.pair
    if not _may_be_one_article(case):
        return None
    found = [places for places in pair.pages if is_in_other_section(*places)]
    if not found:
        return None
    case.note("slug_equal", "-".join(found[0][0].words), Supports.YES)
    note_titles(case)
    case.note("hours_apart", pair.hours_apart, Supports.UNKNOWN, pair.policy.dates.repeat_hours_home)
    apart = any(not is_in_sister_section(*places) for places in found)
    desks = all(are_desks(*places) for places in found)
    if pair.texts_near or (apart and _is_told_twice(case, desks=desks)):
        return case.end(Relation.SAME, "same_slug")
    return case.end(Relation.REVIEW, "same_slug")


def _is_told_twice(case: Case, *, desks: bool) -> bool:
    """Whether two sections list one article, where no text is long enough to say so.

    A feed that lists both at once lists two entries. Else a text that supports it or, where one of them
    has none, the same day has to stand beside title and slug, in sections (``desks``) that only sort articles:
    columns, forecasts and job offers repeat the rest for every place.
    """
    pair = case.pair
    gap, limit = pair.hours_apart, pair.policy.dates.repeat_hours_home
    if gap is None or gap > limit or pair.co_present or (pair.same_source and not pair.published_equal):
        return False
    if pair.texts_support:
        case.note("text_support", True, Supports.YES)
        return True
    if not desks or pair.same_source or pair.texts_differ:
        return False
    return pair.published_equal or pair.published_one_day


def corrected_slug(case: Case) -> Comparison | None:
    """One entry took another one's place, under one title from which both slugs take their words."""
    pair = case.pair
    if not pair.took_its_place or not _may_be_one_article(case):
        return None
    found = [(x, y) for x, y in pair.pages if is_shortened(x, y) and _are_words_of_the_title(pair, x, y)]
    if not found:
        return None
    longer, shorter = sorted(("-".join(page.words) for page in found[0]), key=len, reverse=True)
    case.note("took_its_place", True, Supports.YES)
    case.note("slug_corrected", shorter, Supports.YES, detail=longer)
    note_titles(case)
    if _is_no_next_issue(case):
        return case.end(Relation.SAME, "corrected_slug")
    return case.end(Relation.REVIEW, "same_slug")


def _is_no_next_issue(case: Case) -> bool:
    """Whether dates and texts allow that the later entry is the earlier one under a corrected slug.

    A newer date speaks for the next issue of a series, whatever text is printed under all of them. An older one
    does not: dates that a feed makes up go back when the true one is entered.
    """
    pair = case.pair
    newer, limit = pair.hours_newer, pair.policy.dates.repeat_hours_home
    case.note("hours_apart", pair.hours_apart, Supports.UNKNOWN, limit)
    if newer is not None and newer > limit:
        return False
    return pair.texts_near or pair.texts_support or pair.shares_text or (newer is not None and not pair.texts_differ)


def _are_words_of_the_title(pair: Pair, x: Page, y: Page) -> bool:
    """Whether the slugs say nothing that the title does not say: monday, not, norway would tell two apart."""
    titles = [_without_accents(s.clean_title) for s in (pair.a, pair.b)]
    said = {fold(word) for title in titles for word in (*title.split(), *_BREAKS.split(title))}
    whole = "\n".join(map(fold, titles))
    words = [fold(_without_accents(word)) for word in (*x.words, *y.words)]
    return all(word in said or (not word.isascii() and word in whole) for word in words)


def _without_accents(text: str) -> str:
    """``café`` as slugs write it; other scripts stay as they are."""
    return "".join(
        letter if (base := unicodedata.normalize("NFD", letter)[0]) == letter or not base.isascii() else base
        for letter in text
    )


def claimed_address(case: Case) -> Comparison | None:
    """Two pages name one canonical address: a person looks when title or text say so too; by itself it is a claim."""
    pair = case.pair
    if not pair.claimed:
        return None
    case.note("canonical_equal", min(key.value for key in pair.claimed), Supports.UNKNOWN)
    if pair.texts_unlike or text_is_vetoed(case):
        return None
    note_titles(case)
    found = pair.overlap
    alike = found is not None and found.containment >= pair.policy.text.similar_containment
    if pair.title_identifies or alike:
        note_texts(case)
        return case.end(Relation.REVIEW, "claimed_address")
    return None


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
