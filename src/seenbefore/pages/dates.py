"""When a page was published and modified, with the evidence for it, or why nobody can say.

Tags for programs are asked first, from those meant for the date of publication (tier A) to those that are so by habit
(C). The visible text is a tier of its own, asked where A and B are silent. What a page says about its modification
never becomes its date of publication. The order in which tags stand never matters: of two values that differ the one
wins that more kinds of places repeat.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from ..model import DateEvidence
from .datecandidates import (
    EARLIEST,
    EARLIEST_ONLINE,
    MODIFIED,
    PUBLISHED,
    DateCandidate,
    can_be_one_day,
    problem_of,
)
from .datetags import Found, find_tags
from .document import PageDocument
from .headline import nearest_to_headline
from .visible_dates import find_visible

TIERS: Final = ("A", "B", "C", "visible")
NOTHING: Final = "no_date"
_SEVERAL: Final = "several"
_ONLINE_ONLY: Final = frozenset({"path", "time", "time-published", "time-pubdate", "visible"})
_WORST_FIRST: Final = (
    "impossible_year",
    "future",
    "placeholder",
    _SEVERAL,
    "ambiguous",
    "unreadable",
    "coarse",
    "relative",
)
_MOST_SHOWN: Final = 8


@dataclass(frozen=True, slots=True)
class PageDates:
    """The dates of a page. ``reason`` says why ``published`` is unknown; '' when it is known."""

    published: DateEvidence | None
    modified: DateEvidence | None
    candidates: tuple[DateCandidate, ...]
    reason: str = ""
    path: str = ""
    snippet: str = ""

    def facts(self) -> dict[str, object]:
        """Return everything as values that JSON knows."""
        return {
            "published": _as_json(self.published),
            "modified": _as_json(self.modified),
            "reason": self.reason,
            "path": self.path,
            "snippet": self.snippet,
            "candidates": [
                {
                    "role": one.role,
                    **(_as_json(one.evidence) or {}),
                    "problem": one.problem,
                    "path": one.path,
                    "snippet": one.snippet,
                }
                for one in self.candidates
            ],
        }


def find_dates(
    document: PageDocument,
    *,
    url: str = "",
    canonical: str = "",
    fetched_at: datetime | None = None,
    visible: bool = True,
) -> PageDates:
    """Return when a page was published and modified, with the evidence.

    >>> from seenbefore.pages.document import parse_page
    >>> page = parse_page('<meta property="article:published_time" content="2024-05-01T23:30:00-05:00">')
    >>> found = find_dates(page).published
    >>> found.tier, found.tag, found.offset_minutes
    ('A', 'article:published_time', -300)
    >>> find_dates(parse_page('<html lang="de"><h1>Brücke</h1><p>Veröffentlicht am 3.4.2023</p>')).published.tier
    'visible'

    A date of modification is none of publication, and what has two readings has none:

    >>> page = parse_page('<meta property="article:modified_time" content="2024-05-01"><p>Published 03/04/2023</p>')
    >>> find_dates(page).published is None, find_dates(page).modified.raw, find_dates(page).reason
    (True, '2024-05-01', 'ambiguous')

    ``fetched_at`` is when the page was read: days after it are refused. ``visible=False`` asks the tags alone.
    """
    canonical = canonical or _canonical(document)
    if fetched_at is not None and fetched_at.tzinfo is None:
        fetched_at = fetched_at.replace(tzinfo=UTC)
    candidates = _candidates(document, find_tags(document, url, canonical), fetched_at)
    published = _choose(candidates, PUBLISHED)
    if visible and (published is None or published.evidence.tier == "C"):
        candidates = (*candidates, *_seen(document, fetched_at))
        published = _of_habit_or_seen(published, candidates)
    modified = _choose(candidates, MODIFIED)
    return PageDates(
        _with_others(published, candidates),
        _with_others(modified, candidates),
        candidates,
        "" if published else _reason(candidates),
        published.path if published else "",
        published.snippet if published else "",
    )


def _canonical(document: PageDocument) -> str:
    return next(((given.get("href") or "").strip() for tag, given, _ in document.marked if tag == "link"), "")


def _as_json(evidence: DateEvidence | None) -> dict[str, object] | None:
    if evidence is None:
        return None
    return {
        "at": evidence.at.isoformat() if evidence.at else None,
        "tag": evidence.tag,
        "raw": evidence.raw,
        "precision": evidence.precision.value,
        "offset_minutes": evidence.offset_minutes,
        "zone_known": evidence.zone_known,
        "tier": evidence.tier,
        "agrees": list(evidence.agrees),
        "conflicts": list(evidence.conflicts),
    }


# --- candidates ---------------------------------------------------------------------------------


def _candidates(
    document: PageDocument, found: Sequence[Found], fetched_at: datetime | None
) -> tuple[DateCandidate, ...]:
    """The values of all places; of places that stand on a page several times the one that belongs to its headline."""
    kinds: dict[tuple[str, str, str], list[Found]] = {}
    for one in found:
        kinds.setdefault((one.role, one.evidence.tier, one.family), []).append(one)
    made = [each for values in kinds.values() for each in _of_kind(document, values, fetched_at)]
    return tuple(sorted(made, key=_order))


def _of_kind(document: PageDocument, values: list[Found], fetched_at: datetime | None) -> list[DateCandidate]:
    candidates: dict[tuple[str, str], DateCandidate] = {}
    for one in values:
        key = one.evidence.tag, one.evidence.raw
        if key not in candidates:
            candidates[key] = _candidate(one, fetched_at)
    usable = [one for one in candidates.values() if not one.problem]
    nodes = [one for one in values if one.node is not None]
    if not nodes or not _several(usable):
        return list(candidates.values())
    near = nearest_to_headline(document, [one.node for one in nodes if one.node is not None])
    kept = {(one.evidence.tag, one.evidence.raw) for one in values if one.node is None or one.node.mem_id in near}
    mine = [one for key, one in candidates.items() if key in kept and not one.problem]
    if not mine or _several(mine):
        return [replace(one, problem=_SEVERAL) for one in usable]
    return [replace(one, rank=one.rank + 1) for one in mine]


def _candidate(one: Found, fetched_at: datetime | None) -> DateCandidate:
    earliest = EARLIEST_ONLINE if one.family in _ONLINE_ONLY else EARLIEST
    problem = problem_of(one.evidence, earliest, fetched_at)
    return DateCandidate(one.role, one.evidence, one.rank, one.family, problem=problem)


def _several(candidates: Sequence[DateCandidate]) -> bool:
    """Whether these cannot all be one day."""
    return any(not can_be_one_day(candidates[0].evidence, other.evidence) for other in candidates[1:])


def _seen(document: PageDocument, fetched_at: datetime | None) -> tuple[DateCandidate, ...]:
    return tuple(
        replace(one, problem=one.problem or problem_of(one.evidence, EARLIEST_ONLINE, fetched_at))
        for one in find_visible(document)
    )


def _order(one: DateCandidate) -> tuple[object, ...]:
    """A fixed order that owes nothing to the order of the page."""
    evidence = one.evidence
    return (one.role != PUBLISHED, TIERS.index(evidence.tier), one.rank, evidence.tag, evidence.raw, one.problem)


# --- the choice ---------------------------------------------------------------------------------


def _usable(candidates: Iterable[DateCandidate], role: str) -> list[DateCandidate]:
    return [one for one in candidates if one.role == role and not one.problem]


def _choose(candidates: Sequence[DateCandidate], role: str) -> DateCandidate | None:
    """The best value of the best tier: what most families say, then the place that is right most often."""
    usable = _usable(candidates, role)
    best = [one for tier in TIERS for one in usable if one.evidence.tier == tier]
    if not best:
        return None
    tier = [one for one in best if one.evidence.tier == best[0].evidence.tier]
    return min(tier, key=lambda one: (-_support(one, usable), *_quality(one)))


def _of_habit_or_seen(habit: DateCandidate | None, candidates: Sequence[DateCandidate]) -> DateCandidate | None:
    """A date of tier C, unless readers see another one: such tags often hold the day of a change."""
    seen = [one for one in _usable(candidates, PUBLISHED) if one.evidence.tier == "visible"]
    if habit is None or (seen and not can_be_one_day(habit.evidence, seen[0].evidence)):
        return seen[0] if seen else None
    return habit


def _support(one: DateCandidate, usable: Sequence[DateCandidate]) -> int:
    return len({other.family for other in usable if can_be_one_day(one.evidence, other.evidence)} | {one.family})


def _quality(one: DateCandidate) -> tuple[object, ...]:
    """Values with the offset of their own place first: their day is the one that readers saw."""
    evidence = one.evidence
    return (not evidence.offset_minutes, one.rank, evidence.at, evidence.tag, evidence.raw)


def _with_others(chosen: DateCandidate | None, candidates: Sequence[DateCandidate]) -> DateEvidence | None:
    if chosen is None:
        return None
    others = [one for one in _usable(candidates, chosen.role) if one.family != chosen.family or one is not chosen]
    agrees, conflicts = (
        tuple(dict.fromkeys(one.shown for one in others if can_be_one_day(one.evidence, chosen.evidence) is same))
        for same in (True, False)
    )
    own = chosen.shown
    return replace(
        chosen.evidence,
        agrees=tuple(shown for shown in agrees if shown != own)[:_MOST_SHOWN],
        conflicts=conflicts[:_MOST_SHOWN],
    )


def _reason(candidates: Sequence[DateCandidate]) -> str:
    """Why there is no date of publication: the most telling problem of those that were seen."""
    problems = {one.problem for one in candidates if one.role == PUBLISHED}
    return next((problem for problem in _WORST_FIRST if problem in problems), NOTHING)
