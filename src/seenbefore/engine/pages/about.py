"""Whether a page is about the entry it was opened for.

A link may lead to a list, a login form or the front page, and two links to one such page. Then the page would join its
entry by the address alone, and a second entry to the first one by the page. So a page must agree with its entry in
title or text, and it may join several records only if their entries can be one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from typing import Final

from ...model import Sighting, Strength
from ...pair import Pair
from ...rules import Rules
from ...stores.base import Unit
from ...urls import identify
from ...urls.source import is_page_source
from ..arrival import Arrival, new_sighting
from ..context import Context

_LANGUAGE: Final = re.compile(r"/[a-z]{2}(?:[-_][a-z]{2,4})?", re.IGNORECASE)
"""The path of the front page of a language."""


def is_about(unit: Unit, context: Context, page: Arrival, record_number: int) -> bool:
    """Return whether a page may be stored as a sighting of a record."""
    here = _sightings(unit, context, [record_number])
    mine = new_sighting(page, 0)
    if here and not any(_agree(Pair(mine, known, context.policy, context.distrust)) for known in here):
        return False
    entries = [sighting for sighting in here if not is_page_source(sighting.source)]
    others = _others(unit, page, record_number)
    there = _sightings(unit, context, others) if others else []
    return all(_may_be_one(Pair(a, b, context.policy, context.distrust)) for a, b in product(entries or here, there))


def leads_home(final_url: str, rules: Rules) -> bool:
    """Return whether a request ended on the front page of a host or of one of its languages, where no article stands.

    >>> from seenbefore.rules import load_rules
    >>> leads_home("https://n.example/", load_rules()), leads_home("https://n.example/a", load_rules())
    (True, False)
    >>> leads_home("https://n.example/en-GB/", load_rules()), leads_home("https://n.example/en/a", load_rules())
    (True, False)
    """
    if not final_url:
        return False
    found = identify(final_url, rules)
    return found.near_is_home or bool(_LANGUAGE.fullmatch(found.path))


def _sightings(unit: Unit, context: Context, record_numbers: Sequence[int]) -> list[Sighting]:
    found = unit.records.get_sightings(record_numbers)
    for sighting in found:
        context.know(sighting.source_id)
    return found


def _others(unit: Unit, page: Arrival, record_number: int) -> list[int]:
    """The other live records that the page would meet by what decides: addresses, ids, its text."""
    keys = [k.address for k in page.features.keys if k.strength is Strength.STRONG or k.kind == "text"]
    found = {number for numbers in unit.records.find_record_ids(keys).values() for number in numbers}
    return sorted(found - {record_number})


def _agree(pair: Pair) -> bool:
    """Whether title or text of an entry say what the page says; an entry without either says nothing against it."""
    entry = pair.b
    if not entry.clean_title and not any(version.fingerprint.length for version in entry.versions):
        return True
    if pair.titles_equal or pair.title_similarity >= pair.policy.title.related:
        return True
    return pair.equal_text != "" or pair.texts_near or pair.texts_support


def _may_be_one(pair: Pair) -> bool:
    """Whether nothing speaks against two records that a page would join: titles, texts, one fetch that lists both."""
    if pair.co_present or pair.texts_unlike or pair.conflicting_ids:
        return False
    limits = pair.policy.title
    says_something = min(len(pair.a.clean_title), len(pair.b.clean_title)) >= limits.min_chars and not pair.title_recurs
    alike = pair.title_similarity >= limits.similar and not pair.title_numbers_conflict
    return pair.title_identifies or pair.texts_near or (alike and says_something)
