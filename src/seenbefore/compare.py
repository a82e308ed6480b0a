"""Two sightings → Comparison: ordered evidence, and what it amounts to.

The rules run from the most certain to the least; the first one that has something to say ends the
comparison. Their order is the precedence of DESIGN: conflict of strong ids, common fetch, strong id,
permanent redirect, exact text, guid, address, publisher's id, near address, near text, title and date.
People's verdicts stand above all of them and are applied where sightings are joined (``cluster``).

Pure and symmetric: ``compare(a, b)`` and ``compare(b, a)`` amount to the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .blocking import FINAL, REDIRECT
from .model import Comparison, Evidence, Kind, Relation, Sighting, Strength, Supports
from .pair import Distrust, Pair
from .policy import Policy
from .text.overlap import Overlap

Traits = Mapping[str, frozenset[str]]
"""Source identity → what was learnt about the source as a whole."""

Address = tuple[str, str, str]

GUID_COUNTER = "guid_counter"

RANKS = {
    "label": 0,
    "same_id": 1,
    "redirect": 2,
    "text_equal": 3,
    "guid": 4,
    "url": 5,
    "site": 6,
    "near_url": 7,
    "text_near": 8,
    "flash_then_full": 9,
}
"""Order in which joins are made, from the most certain to the least."""

_UNRELATED = Comparison(Relation.UNRELATED, "", 99, ())


class _Case:
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
        if isinstance(value, float):
            value = round(value, 4)
        self.evidence.append(Evidence(kind, value, supports, limit, detail))

    @property
    def guid_is_counter(self) -> bool:
        """Whether the guids differ in a number that was learnt to be a counter in this source."""
        return self.pair.guids_count and GUID_COUNTER in self.traits.get(self.pair.a.source, frozenset())

    def end(self, relation: Relation, reason: str, via: frozenset[Address] = frozenset()) -> Comparison:
        return Comparison(relation, reason, RANKS.get(reason, 50), tuple(self.evidence), via)


def compare_sightings(
    a: Sighting, b: Sighting, policy: Policy, distrust: Distrust | None = None, traits: Traits | None = None
) -> Comparison:
    """Return what the facts about two sightings amount to.

    >>> from .policy import load_policy
    >>> from .testing.builders import a_key, a_sighting
    >>> link = (a_key("https://news.example/bridge"),)
    >>> known = a_sighting(record_id=1, source_id=1, keys=link, clean_title="harbour bridge to be replaced")
    >>> planet = a_sighting(record_id=2, source_id=2, keys=link, clean_title="city: harbour bridge to be replaced")
    >>> compare_sightings(known, planet, load_policy()).relation.value
    'same'

    An equal title alone says nothing:

    >>> other = a_sighting(record_id=3, source_id=3, number=7, clean_title="harbour bridge to be replaced")
    >>> compare_sightings(known, other, load_policy()).relation.value
    'unrelated'
    """
    if a.kind is not b.kind:
        return _UNRELATED
    case = _Case(Pair(a, b, policy, distrust or {}), traits or {})
    for rule in _RULES:
        found = rule(case)
        if found is not None:
            return found
    if case.pair.titles_equal:
        _note_titles(case)
        _note_texts(case)
    return case.end(Relation.UNRELATED, "")


def _conflicting_ids(case: _Case) -> Comparison | None:
    names = case.pair.conflicting_ids
    if not names:
        return None
    case.note("id_conflict", ",".join(names), Supports.NO)
    return case.end(Relation.DIFFERENT, "id_conflict", _address_keys(case.pair))


def _common_fetch(case: _Case) -> Comparison | None:
    """Different titles in one fetch are different articles; a publisher's id or a learnt counter outranks it."""
    pair = case.pair
    if not (pair.co_present and pair.titles_differ):
        return None
    case.note("co_present", True, Supports.NO, detail="one fetch lists both, under different titles")
    site = pair.shared("site")
    if site:
        case.note("site_equal", site[0].value, Supports.YES)
        if pair.texts_near:
            _note_texts(case)
            return case.end(Relation.SAME, "site")
        return case.end(Relation.REVIEW, "site_id_other_text")
    if case.guid_is_counter and pair.shared("url") and not pair.texts_unlike:
        case.note("guid_counter", pair.b.guid, Supports.YES, detail="learnt for this source")
        case.note("url_equal", pair.shared("url")[0].value, Supports.YES)
        return case.end(Relation.SAME, "guid")
    return case.end(Relation.DIFFERENT, "same_fetch", _address_keys(case.pair))


def _same_id(case: _Case) -> Comparison | None:
    """An id that names one article everywhere decides; one that its source gives out needs a fact beside it."""
    pair = case.pair
    if not pair.shared_ids:
        return None
    key = pair.shared_ids[0]
    case.note("id_equal", key.value, Supports.YES)
    if key.strength is Strength.STRONG:
        return case.end(Relation.SAME, "same_id")
    _note_titles(case)
    if pair.texts_near or (pair.title_similarity >= pair.policy.title.similar and not pair.title_numbers_conflict):
        return case.end(Relation.SAME if not pair.texts_unlike else Relation.REVIEW, "same_id")
    return None


def _picture(case: _Case) -> Comparison | None:
    """Pictures meet by address alone until their pixels are compared."""
    if case.pair.a.kind is not Kind.IMAGE:
        return None
    for kind in ("guid", "url", "url_near"):
        for key in case.pair.shared(kind):
            case.note("near_equal" if kind == "url_near" else f"{kind}_equal", key.value, Supports.YES)
            return case.end(Relation.SAME, "near_url" if kind == "url_near" else kind)
    return case.end(Relation.UNRELATED, "")


def _led_to_one_page(case: _Case) -> Comparison | None:
    """Redirects led both to one page: an article behind two links, or a consent page before two articles."""
    pair = case.pair
    if not pair.only_led_to_one_page or not pair.shared("url"):
        return None
    case.note("redirect_equal", pair.shared("url")[0].value, Supports.UNKNOWN)
    _note_titles(case)
    if pair.title_similarity >= pair.policy.title.similar or pair.texts_near:
        return case.end(Relation.SAME, "redirect", _address_keys(pair))
    _note_texts(case)
    if pair.texts_unlike:
        return case.end(Relation.UNRELATED, "different", _address_keys(pair))
    return case.end(Relation.REVIEW, "same_link_other_title", _address_keys(pair))


def _redirect(case: _Case) -> Comparison | None:
    for key in case.pair.shared("url"):
        if key.rule_id in (REDIRECT, FINAL):
            case.note("redirect_equal", key.value, Supports.YES)
            return case.end(Relation.SAME, "redirect", _address_keys(case.pair))
    return None


def _equal_text(case: _Case) -> Comparison | None:
    pair = case.pair
    if not pair.equal_text:
        return None
    case.note("text_equal", pair.equal_text, Supports.YES)
    if _text_is_vetoed(case):
        return None
    if not pair.same_source or pair.shares_identity or pair.titles_equal:
        return _same_text(case, "text_equal")
    _note_titles(case)
    if pair.title_similarity >= pair.policy.title.nearly_equal or pair.published_equal:
        return _same_text(case, "text_equal")
    return case.end(Relation.REVIEW, "same_text_other_title")


def _same_guid(case: _Case) -> Comparison | None:
    pair = case.pair
    guid = pair.shared("guid")
    if not guid:
        return None
    if _same_identity_other_slot(pair):
        return None
    case.note("guid_equal", guid[0].value, Supports.YES)
    if pair.shared("url") or pair.shared("url_near"):
        case.note("url_equal", (pair.shared("url") or pair.shared("url_near"))[0].value, Supports.YES)
        return case.end(Relation.SAME, "guid")
    _note_titles(case)
    via = frozenset(key.address for key in guid)
    alike = pair.titles_equal or pair.title_similarity >= pair.policy.title.similar
    if pair.texts_near:
        return case.end(Relation.SAME, "guid")
    if pair.texts_unlike:
        _note_texts(case)
        if alike:
            return case.end(Relation.REVIEW, "page_reused", via)
        return case.end(Relation.UNRELATED, "reused_guid", via)
    if pair.titles_equal or (pair.title_similarity >= pair.policy.title.nearly_equal and not _numbers_speak_against(case)):
        return case.end(Relation.SAME, "guid")
    case.note("text_too_short", True, Supports.UNKNOWN)
    return case.end(Relation.REVIEW, "page_reused", via)


def _same_url(case: _Case) -> Comparison | None:
    pair = case.pair
    urls = pair.shared("url")
    if not urls or _same_identity_other_slot(pair):
        return None
    case.note("url_equal", urls[0].value, Supports.YES)
    corroborated = pair.title_identifies or pair.texts_near
    via = frozenset[Address]() if corroborated else _address_keys(pair)
    _note_titles(case)
    if not pair.same_source:
        return _same_url_elsewhere(case, via)
    if pair.texts_unlike and (pair.co_present or pair.guids_differ):
        _note_texts(case)
        if pair.co_present:
            return case.end(Relation.UNRELATED, "different", via)
        return case.end(Relation.REVIEW, "page_reused", via)
    if _same_url_same_thing(case):
        return case.end(Relation.SAME, "url", via)
    if pair.title_numbers_conflict:
        case.note("title_numbers", True, Supports.NO)
        return case.end(Relation.UNRELATED, "different", via)
    return case.end(Relation.REVIEW, "same_link_other_title", via)


def _same_url_elsewhere(case: _Case, via: frozenset[Address]) -> Comparison:
    """One address at two sources is one page, unless both title and text say that it is a list of many."""
    pair = case.pair
    if pair.texts_unlike and pair.title_similarity < pair.policy.title.similar:
        _note_texts(case)
        return case.end(Relation.REVIEW, "page_reused", via)
    return case.end(Relation.SAME, "url", via)


def _same_url_same_thing(case: _Case) -> bool:
    """Whether two entries of one source with one link are one article: what else must agree."""
    pair, limits = case.pair, case.pair.policy.title
    if not pair.a.clean_title or not pair.b.clean_title:
        titled = pair.a.clean_title or pair.b.clean_title
        return bool(titled) or pair.same_short_text or pair.texts_support
    if pair.titles_equal or pair.texts_near:
        return True
    if case.guid_is_counter:
        case.note("guid_counter", pair.b.guid, Supports.YES, detail="learnt for this source")
        return True
    if pair.enclosures == "equal":
        case.note("enclosure_equal", True, Supports.YES)
        return True
    if pair.title_numbers_conflict:
        return False
    if pair.title_similarity >= limits.related and pair.texts_support:
        case.note("text_support", True, Supports.YES)
        return True
    gap, limit = pair.hours_apart, pair.policy.dates.repeat_days * 24
    case.note("hours_apart", gap, Supports.UNKNOWN, limit)
    nearly = pair.title_similarity >= limits.nearly_equal
    return nearly and not pair.guids_differ and (gap or 0) <= limit


def _same_site_id(case: _Case) -> Comparison | None:
    pair = case.pair
    site = pair.shared("site")
    if not site:
        return None
    via = frozenset(key.address for key in site)
    case.note("site_equal", site[0].value, Supports.YES)
    _note_texts(case)
    if pair.texts_near:
        return case.end(Relation.SAME, "site", via)
    if pair.texts_unlike:
        return case.end(Relation.UNRELATED, "different", via)
    return case.end(Relation.REVIEW, "site_id_other_text", via)


def _near_url(case: _Case) -> Comparison | None:
    """A near key needs one corroborating fact; without one a similar title goes to review."""
    pair = case.pair
    near = pair.shared("url_near")
    if not near or _same_identity_other_slot(pair):
        return None
    via = frozenset(key.address for key in near)
    case.note("near_equal", near[0].value, Supports.YES)
    _note_titles(case)
    if pair.title_identifies:
        return case.end(Relation.SAME, "near_url", via)
    if pair.texts_near:
        _note_texts(case)
        return case.end(Relation.SAME, "near_url", via)
    if pair.texts_unlike:
        _note_texts(case)
        return None
    if pair.same_source and pair.published_equal and not pair.title_numbers_conflict:
        case.note("published_equal", True, Supports.YES)
        return case.end(Relation.SAME, "near_url", via)
    if pair.enclosures == "equal":
        case.note("enclosure_equal", True, Supports.YES)
        return case.end(Relation.SAME, "near_url", via)
    if pair.title_similarity >= pair.policy.title.similar and not pair.texts_unlike:
        return case.end(Relation.REVIEW, "near_address", via)
    return None


def _near_text(case: _Case) -> Comparison | None:
    """Verified overlap, held against the numbers: the same template with other data is another article."""
    pair, limits = case.pair, case.pair.policy.text
    found = pair.overlap
    if found is None or pair.equal_text or found.containment < limits.similar_containment:
        return None
    gap = pair.hours_apart
    if gap is not None and gap > pair.policy.dates.window_days * 24:
        return None
    _note_texts(case)
    if _text_is_vetoed(case) or found.numbers_jaccard < limits.near_numbers:
        return None
    _note_titles(case)
    titles_agree = pair.titles_equal or pair.title_similarity >= pair.policy.title.similar
    if not pair.texts_near:
        return case.end(Relation.REVIEW, "similar_text") if titles_agree else None
    if not _near_text_is_enough(case, found, titles_agree):
        return case.end(Relation.REVIEW, "similar_text")
    if found.length_ratio >= limits.near_length_ratio:
        return _same_text(case, "text_near")
    if pair.same_source and pair.titles_equal:
        return _flash(case)
    if pair.title_identifies:
        return _same_text(case, "text_near")
    return case.end(Relation.REVIEW, "similar_text")


def _near_text_is_enough(case: _Case, found: Overlap, titles_agree: bool) -> bool:
    """Whether a near text joins by itself: templates differ in a few words only, so more must agree."""
    pair = case.pair
    certain = found.containment >= pair.policy.text.certain_containment
    if not pair.same_source:
        return titles_agree or certain
    if pair.post_ids_conflict and not certain:
        return False
    return certain and (pair.titles_equal or pair.published_equal)


def _title_and_date(case: _Case) -> Comparison | None:
    """Titles never decide: with the same date and nothing else to go by, a person should look."""
    pair = case.pair
    if not pair.same_source or not pair.titles_equal or pair.title_recurs or pair.texts_unlike:
        return None
    if pair.enclosures == "conflict":
        case.note("enclosure_conflict", True, Supports.NO)
        return case.end(Relation.UNRELATED, "different")
    if _same_identity_other_slot(pair):
        _note_titles(case)
        case.note("hours_apart", pair.hours_apart, Supports.NO)
        return case.end(Relation.REVIEW, "repeated_title")
    if pair.overlap is not None:
        return None
    gap = pair.hours_apart
    if pair.published_same_day or (gap is not None and gap * 60 <= 1):
        _note_titles(case)
        case.note("published_equal", True, Supports.YES)
        case.note("text_too_short", True, Supports.UNKNOWN)
        return case.end(Relation.REVIEW, "title_and_date")
    if gap is not None and gap <= pair.policy.dates.flash_hours and _one_contains_the_other(pair):
        return _flash(case)
    return None


def _flash(case: _Case) -> Comparison:
    case.note("hours_apart", case.pair.hours_apart, Supports.YES, case.pair.policy.dates.flash_hours)
    if case.pair.policy.across_sources.flash_then_full == "update":
        return case.end(Relation.SAME, "flash_then_full")
    return case.end(Relation.REVIEW, "flash_then_full")


def _same_text(case: _Case, reason: str) -> Comparison | None:
    """The same text: one article inside a source, and elsewhere whatever the policy says."""
    if not case.pair.same_source:
        choice = case.pair.policy.across_sources.same_text
        if choice == "review":
            return case.end(Relation.REVIEW, "same_text_elsewhere")
        if choice == "related":
            return None
    return case.end(Relation.SAME, reason)


def _numbers_speak_against(case: _Case) -> bool:
    if case.pair.titles_differ and case.pair.title_numbers_conflict:
        case.note("title_numbers", True, Supports.NO)
        return True
    return False


def _text_is_vetoed(case: _Case) -> bool:
    if _numbers_speak_against(case):
        return True
    if case.pair.enclosures == "conflict":
        case.note("enclosure_conflict", True, Supports.NO)
        return True
    return False


def _address_keys(pair: Pair) -> frozenset[Address]:
    """The shared keys a relation by address rests on; while they are disputed it does not hold."""
    return frozenset(key.address for key in pair.shared_keys if key.kind in ("url", "url_near", "guid"))


def _same_identity_other_slot(pair: Pair) -> bool:
    """Whether both are one identity that the engine took apart by date."""
    a, b = pair.a, pair.b
    return (
        pair.same_source
        and a.slot != b.slot
        and (a.guid, a.original_url, a.clean_title) == (b.guid, b.original_url, b.clean_title)
    )


def _one_contains_the_other(pair: Pair) -> bool:
    texts = [(v.fingerprint.text, w.fingerprint.text) for v in pair.a.versions for w in pair.b.versions]
    return any(x and y and x != y and (x in y or y in x) for x, y in texts)


def _note_titles(case: _Case) -> None:
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


def _note_texts(case: _Case) -> None:
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
        agree = Supports.YES if found.numbers_jaccard >= limits.near_numbers else Supports.NO
        case.note("text_numbers", found.numbers_jaccard, agree, limits.near_numbers)


_RULES: tuple[Callable[[_Case], Comparison | None], ...] = (
    _picture,
    _conflicting_ids,
    _common_fetch,
    _same_id,
    _led_to_one_page,
    _redirect,
    _equal_text,
    _same_guid,
    _same_url,
    _same_site_id,
    _near_url,
    _near_text,
    _title_and_date,
)
