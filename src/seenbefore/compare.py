"""Two sightings → Comparison: ordered evidence, and what it amounts to.

The rules run from the most certain to the least; the first one that has something to say ends the
comparison. Their order is the precedence of DESIGN: conflict of strong ids, common fetch, strong id,
permanent redirect, exact text, guid, address, publisher's id, near address, slug, near text, title and date.
People's verdicts stand above all of them and are applied where sightings are joined (``cluster``).

Pure and symmetric: ``compare(a, b)`` and ``compare(b, a)`` amount to the same.
"""

from __future__ import annotations

from collections.abc import Callable

from . import compare_keys, compare_pages, compare_texts
from .blocking import FINAL, GUID, REDIRECT
from .case import GUID_COUNTER, RANKS, Address, Case, Traits, note_texts, note_titles
from .model import Comparison, Relation, Sighting, Strength, Supports
from .pair import Distrust, Pair
from .policy import Policy

__all__ = ["GUID_COUNTER", "RANKS", "RULES", "Address", "Traits", "compare_sightings"]

_UNRELATED = Comparison(Relation.UNRELATED, "", 99, ())

RULES: tuple[Callable[[Case], Comparison | None], ...] = (
    compare_keys.picture,
    compare_keys.conflicting_ids,
    compare_keys.common_fetch,
    compare_keys.same_id,
    compare_keys.led_to_one_page,
    compare_keys.redirect,
    compare_texts.equal_text,
    compare_keys.same_guid,
    compare_keys.same_url,
    compare_keys.same_site_id,
    compare_keys.near_url,
    compare_pages.same_slug,
    compare_pages.corrected_slug,
    compare_texts.near_text,
    compare_pages.claimed_address,
    compare_texts.title_and_date,
    compare_pages.same_short_text,
)
"""In order of precedence; the first rule that answers ends the comparison."""


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
    case = Case(Pair(a, b, policy, distrust or {}), traits or {})
    for rule in RULES:
        found = rule(case)
        if found is not None:
            return _unless_ids_differ(case, found)
    if case.pair.titles_equal:
        note_titles(case)
        note_texts(case)
    return case.end(Relation.UNRELATED, "")


_LIKENESS = ("text_equal", "text_near", "flash_then_full", "site", "near_url", "same_slug", "corrected_slug")
"""Reasons that join two addresses because titles or texts are alike."""


def _unless_ids_differ(case: Case, found: Comparison) -> Comparison:
    """What was found, or a question where likeness joins two pages to which their site gave different ids.

    Sites publish an article a second time under another number, and repeat a description under every video.
    """
    if found.relation is not Relation.SAME or found.reason not in _LIKENESS:
        return found
    a, b = _page_ids(case.pair.a), _page_ids(case.pair.b)
    site = min((site for site in a.keys() & b.keys() if not a[site] & b[site]), default="")
    if not site:
        return found
    case.note("id_conflict", site, Supports.NO)
    return case.end(Relation.REVIEW, "other_site_id", found.via)


def _page_ids(sighting: Sighting) -> dict[str, set[str]]:
    """The ids that sites gave the page an item links to; its guid may be the address of a discussion of it."""
    found: dict[str, set[str]] = {}
    for key in sighting.keys:
        if key.kind == "site" and key.strength is Strength.STRONG and key.rule_id not in (GUID, REDIRECT, FINAL):
            found.setdefault(key.value.partition(":")[0], set()).add(key.value)
    return found
