"""What ids, guids and addresses say about a pair. Each rule answers, or leaves it to the next one."""

from __future__ import annotations

from .blocking import FINAL, REDIRECT
from .case import (
    Address,
    Case,
    address_keys,
    note_texts,
    note_titles,
    numbers_speak_against,
    same_identity_other_slot,
    text_is_vetoed,
)
from .model import Comparison, Kind, Relation, Strength, Supports
from .pair import Pair


def picture(case: Case) -> Comparison | None:
    """Pictures meet by address alone until their pixels are compared."""
    if case.pair.a.kind is not Kind.IMAGE:
        return None
    for kind in ("guid", "url", "url_near"):
        for key in case.pair.shared(kind):
            case.note("near_equal" if kind == "url_near" else f"{kind}_equal", key.value, Supports.YES)
            return case.end(Relation.SAME, "near_url" if kind == "url_near" else kind)
    return case.end(Relation.UNRELATED, "")


def conflicting_ids(case: Case) -> Comparison | None:
    """Ids of one kind that differ name two articles, whatever else agrees."""
    names = case.pair.conflicting_ids
    if not names:
        return None
    case.note("id_conflict", ",".join(names), Supports.NO)
    return case.end(Relation.DIFFERENT, "id_conflict", address_keys(case.pair))


def common_fetch(case: Case) -> Comparison | None:
    """Different titles in one fetch are different articles; a publisher's id or a learnt counter outranks it."""
    pair = case.pair
    if not (pair.co_present and pair.titles_differ):
        return None
    case.note("co_present", True, Supports.NO, detail="one fetch lists both, under different titles")
    site = pair.shared_site
    if site:
        case.note("site_equal", site[0].value, Supports.YES)
        if pair.texts_near:
            note_texts(case)
            return case.end(Relation.SAME, "site")
        return case.end(Relation.REVIEW, "site_id_other_text")
    if case.guid_is_counter and pair.shared("url") and not pair.texts_unlike:
        case.note("guid_counter", pair.b.guid, Supports.YES, detail="learnt for this source")
        case.note("url_equal", pair.shared("url")[0].value, Supports.YES)
        return case.end(Relation.SAME, "guid")
    return case.end(Relation.DIFFERENT, "same_fetch", address_keys(case.pair))


def same_id(case: Case) -> Comparison | None:
    """An id that names one article everywhere decides; one that its source gives out needs a fact beside it."""
    pair = case.pair
    if not pair.shared_ids:
        return None
    key = pair.shared_ids[0]
    case.note("id_equal", key.value, Supports.YES)
    note_titles(case)
    if key.strength is Strength.STRONG:
        unlike = pair.texts_unlike and not (pair.title_identifies or _alike_and_long(pair))
        return case.end(Relation.REVIEW if unlike else Relation.SAME, "same_id")
    if pair.texts_near or (pair.title_similarity >= pair.policy.title.similar and not pair.title_numbers_conflict):
        return case.end(Relation.SAME if not pair.texts_unlike else Relation.REVIEW, "same_id")
    return None


def _alike_and_long(pair: Pair) -> bool:
    """Whether the titles are alike and say more than "Editorial"."""
    shortest = min(len(pair.a.clean_title), len(pair.b.clean_title))
    return pair.title_similarity >= pair.policy.title.similar and shortest >= pair.policy.title.min_chars


def led_to_one_page(case: Case) -> Comparison | None:
    """Redirects led both to one page: an article behind two links, or a consent page before two articles."""
    pair = case.pair
    if not pair.only_led_to_one_page or not pair.shared("url"):
        return None
    case.note("redirect_equal", pair.shared("url")[0].value, Supports.UNKNOWN)
    note_titles(case)
    if pair.title_similarity >= pair.policy.title.similar or pair.texts_near:
        return case.end(Relation.SAME, "redirect", address_keys(pair))
    note_texts(case)
    if pair.texts_unlike:
        return case.end(Relation.UNRELATED, "different", address_keys(pair))
    return case.end(Relation.REVIEW, "same_link_other_title", address_keys(pair))


def redirect(case: Case) -> Comparison | None:
    """A recorded redirect leads from the address of one to that of the other."""
    for key in case.pair.shared("url"):
        if key.rule_id in (REDIRECT, FINAL):
            case.note("redirect_equal", key.value, Supports.YES)
            return case.end(Relation.SAME, "redirect", address_keys(case.pair))
    return None


def same_guid(case: Case) -> Comparison | None:
    """A guid decides inside its source, unless it was given to another article under another address."""
    pair = case.pair
    guid = pair.shared("guid")
    if not guid:
        return None
    via = frozenset(key.address for key in guid)
    limits = pair.policy.title
    case.note("guid_equal", guid[0].value, Supports.YES)
    if pair.texts_near:
        return case.end(Relation.SAME, "guid")
    note_titles(case)
    if pair.texts_unlike:
        note_texts(case)
        if pair.links_differ and pair.title_similarity < limits.similar:
            return case.end(Relation.UNRELATED, "reused_guid", via)
        if pair.links_differ or pair.title_similarity < limits.related:
            return case.end(Relation.REVIEW, "page_reused", via)
    if not pair.links_differ:
        return case.end(Relation.SAME, "guid")
    if pair.titles_equal or (pair.title_similarity >= limits.nearly_equal and not numbers_speak_against(case)):
        return case.end(Relation.SAME, "guid")
    case.note("text_too_short", True, Supports.UNKNOWN)
    return case.end(Relation.REVIEW, "page_reused", via)


def same_url(case: Case) -> Comparison | None:
    """An address, or the id its site gave a page, decides across sources; inside one, a link may serve several
    entries, so more must agree."""
    pair = case.pair
    page = pair.shared_page
    if not page or same_identity_other_slot(pair):
        return None
    case.note("url_equal" if page[0].kind == "url" else "site_equal", page[0].value, Supports.YES)
    corroborated = pair.title_identifies or pair.texts_near
    via = frozenset[Address]() if corroborated else address_keys(pair)
    note_titles(case)
    if not pair.same_source:
        return _same_url_elsewhere(case, via)
    if pair.texts_unlike and (pair.co_present or pair.guids_differ):
        note_texts(case)
        if pair.co_present:
            return case.end(Relation.UNRELATED, "different", via)
        return case.end(Relation.REVIEW, "page_reused", via)
    if _same_url_same_thing(case):
        return case.end(Relation.SAME, "url", via)
    if text_is_vetoed(case):
        if pair.texts_near:
            return case.end(Relation.REVIEW, "same_link_other_title", via)
        return case.end(Relation.UNRELATED, "different", via)
    if _is_next_announcement(pair):
        return case.end(Relation.UNRELATED, "different", via)
    reason = "repeated_title" if pair.titles_equal else "same_link_other_title"
    return case.end(Relation.REVIEW, reason, via)


def _same_url_elsewhere(case: Case, via: frozenset[Address]) -> Comparison:
    """One address at two sources is one page, unless both title and text say that it is a list of many."""
    pair = case.pair
    if pair.texts_unlike and pair.title_similarity < pair.policy.title.similar:
        note_texts(case)
        return case.end(Relation.REVIEW, "page_reused", via)
    return case.end(Relation.SAME, "url", via)


def _same_url_same_thing(case: Case) -> bool:
    """Whether two entries of one source with one link are one article: what else must agree."""
    pair, limits = case.pair, case.pair.policy.title
    if not pair.a.clean_title or not pair.b.clean_title:
        titled = pair.a.clean_title or pair.b.clean_title
        return bool(titled) or pair.same_short_text or pair.texts_support
    if case.guid_is_counter:
        case.note("guid_counter", pair.b.guid, Supports.YES, detail="learnt for this source")
        return True
    if pair.enclosures == "conflict" or pair.title_numbers_conflict:
        return False
    if _anchors_speak_against(pair):
        return False
    if pair.titles_equal and pair.guids_differ:
        return _regenerated_guid(case)
    if pair.titles_equal or pair.texts_near:
        return True
    if pair.enclosures == "equal":
        case.note("enclosure_equal", True, Supports.YES)
        return True
    if pair.title_similarity >= limits.related and pair.texts_support:
        case.note("text_support", True, Supports.YES)
        return True
    gap, limit = pair.hours_apart, pair.policy.dates.repeat_days * 24
    case.note("hours_apart", gap, Supports.UNKNOWN, limit)
    nearly = pair.title_similarity >= limits.nearly_equal
    return nearly and not pair.guids_differ and (gap or 0) <= limit


def _is_next_announcement(pair: Pair) -> bool:
    """Whether a page was announced again for something else: another title, and a date that is no correction.

    A headline that is rewritten keeps its date, or moves it by hours.
    """
    gap, dates, limits = pair.hours_apart, pair.policy.dates, pair.policy.title
    if gap is None or pair.titles_equal or pair.texts_near or pair.texts_support or pair.shared("guid"):
        return False
    if pair.title_similarity < limits.related:
        return gap > dates.repeat_hours_home
    return pair.title_similarity < limits.similar and gap > dates.repeat_days * 24


def _anchors_speak_against(pair: Pair) -> bool:
    """Whether two places on one page are two entries; a bare number in a guid may be a mere counter."""
    if not pair.anchors_differ or pair.texts_near or pair.texts_support or pair.shares_text:
        return False
    return pair.texts_differ or not pair.fragments_count


def _regenerated_guid(case: Case) -> bool:
    """Whether one link and title under two guids is one entry whose guid was made anew.

    It is when the texts agree. Otherwise it may be the next issue of a series under a fixed title and
    link: texts that differ, dates that are days apart, or both entries in one fetch speak for that.
    """
    pair, dates = case.pair, case.pair.policy.dates
    gap = pair.hours_apart
    if pair.texts_near:
        return True
    if pair.enclosures == "equal" or pair.texts_support or pair.shares_text:
        return (gap or 0) <= dates.repeat_days * 24
    case.note("hours_apart", gap, Supports.UNKNOWN, dates.repeat_hours_home)
    if pair.texts_differ and (pair.co_present or gap is None):
        return False
    if pair.co_present and gap:
        return False
    return (gap or 0) <= dates.repeat_hours_home


def same_site_id(case: Case) -> Comparison | None:
    """The words by which a publisher names a page need a text or a title beside them: slugs of columns return."""
    pair = case.pair
    site = pair.shared("site")
    if not site:
        return None
    via = frozenset(key.address for key in site)
    case.note("site_equal", site[0].value, Supports.YES)
    note_texts(case)
    if pair.texts_near:
        return case.end(Relation.SAME, "site", via)
    if pair.texts_unlike:
        return case.end(Relation.UNRELATED, "different", via)
    if pair.title_identifies and not pair.co_present and not _is_next_of_column(case):
        note_titles(case)
        return case.end(Relation.SAME, "site", via)
    return case.end(Relation.REVIEW, "site_id_other_text", via)


def _is_next_of_column(case: Case) -> bool:
    """Whether two dates are too far apart for one article that was posted again."""
    gap, limit = case.pair.hours_apart, case.pair.policy.dates.repeat_days * 24
    if gap is not None:
        case.note("hours_apart", gap, Supports.UNKNOWN, limit)
    return gap is not None and gap > limit


def near_url(case: Case) -> Comparison | None:
    """A near key needs one corroborating fact; without one a similar title goes to review."""
    pair = case.pair
    near = pair.shared("url_near")
    if not near or same_identity_other_slot(pair):
        return None
    via = frozenset(key.address for key in near)
    case.note("near_equal", near[0].value, Supports.YES)
    note_titles(case)
    if pair.texts_unlike:
        note_texts(case)
        return case.end(Relation.REVIEW, "near_address", via) if pair.titles_equal else None
    if pair.title_identifies:
        return case.end(Relation.SAME, "near_url", via)
    if pair.texts_near:
        note_texts(case)
        return case.end(Relation.SAME, "near_url", via)
    if pair.same_source and pair.published_equal and not pair.title_numbers_conflict:
        case.note("published_equal", True, Supports.YES)
        return case.end(Relation.SAME, "near_url", via)
    if pair.enclosures == "equal":
        case.note("enclosure_equal", True, Supports.YES)
        return case.end(Relation.SAME, "near_url", via)
    if pair.title_similarity >= pair.policy.title.similar and not pair.texts_unlike:
        return case.end(Relation.REVIEW, "near_address", via)
    return None
