"""One item against the store: what it is, what that changes, and why. Reads only; ``apply`` writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ..cluster import Clustering, cluster_sightings
from ..decide import Answer, Situation, decide
from ..log import log_event
from ..model import (
    Comparison,
    Current,
    Evidence,
    Item,
    Match,
    Outcome,
    Record,
    Relation,
    Sighting,
    Status,
    Supports,
    Verdict,
    Version,
)
from ..stores.base import Unit
from ..survive import PoorCheck, choose_survivor, find_current, last_title, newest_good, primary_source
from ..text.overlap import overlap
from ..text.titles import title_similarity
from .context import Context, Observation, present_now
from .gather import Gatherer, Neighborhood
from .learn import learn

_MAX_ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Group:
    """One cluster to be stored: its record (None: a new one) and the records it takes over."""

    members: tuple[Sighting, ...]
    record_id: int | None
    absorbed: tuple[int, ...] = ()
    split_from: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Resolution:
    """The answer for one item, and the groups that differ from what is stored."""

    item: Item
    sighting: Sighting
    version: Version | None
    answer: Answer
    matched: Match | None
    evidence: tuple[Evidence, ...]
    groups: tuple[Group, ...]
    own_group: Group
    waiting: tuple[tuple[Sighting, Sighting], ...]
    outside: frozenset[int]
    old_version_id: int | None
    flags: tuple[str, ...]


class Resolver:
    """Resolves items inside one open unit."""

    def __init__(self, context: Context, now: datetime) -> None:
        self._context = context
        self._now = now
        self._is_poor: PoorCheck = context.is_poor

    def resolve(
        self,
        item: Item,
        before: Sighting | None,
        focus: Sighting,
        version: Version | None,
        observation: Observation,
        flags: tuple[str, ...],
    ) -> Resolution:
        """Return what the item is and changes.

        ``before`` is the stored sighting of the same identity, if any; ``focus`` the sighting with
        this observation included; ``version`` the version that would be stored, if any.
        """

        def adjust(sighting: Sighting) -> Sighting:
            return present_now(sighting, focus.source_id, observation)

        found = self._neighborhood(focus, adjust, learning=not observation.late)
        verdicts = find_verdicts(self._context.unit, found.members)
        clustering = cluster_sightings(found.members, found.pairs, verdicts)
        records = {r.id: r for r in self._context.unit.records.find_records(_record_ids(found))}
        groups = group_clusters(found.members, clustering, self._now)
        own_group = next(g for g in groups if any(m is focus for m in g.members))
        joined = _joined(found, own_group, focus, before)
        best = _best(found, own_group)
        waiting = _waiting(found, clustering, own_group, verdicts) if not joined else None
        current = version or newest_good(focus)
        rejected = bool(joined) and records[_stored_id(own_group, joined, records)].status is Status.REJECTED
        situation = self._situation(
            focus, current, before, observation, joined, own_group, found, best, waiting, rejected
        )
        answer = decide(situation)
        matched = self._match(answer, own_group, waiting, found, records, joined)
        bound = ("bound_hit",) if found.bound_hit else ()
        return Resolution(
            item=item,
            sighting=focus,
            version=version,
            answer=answer,
            matched=matched,
            evidence=_evidence(found, own_group, situation, answer, waiting),
            groups=tuple(groups),
            own_group=own_group,
            waiting=tuple((found.members[i], found.members[j]) for i, j in clustering.waiting),
            outside=found.outside,
            old_version_id=situation.before.version.id if situation.before else None,
            flags=tuple(dict.fromkeys((*answer.flags, *flags, *bound, *_rejected(matched, records)))),
        )

    def _neighborhood(self, focus: Sighting, adjust: Callable[[Sighting], Sighting], *, learning: bool) -> Neighborhood:
        """Gather, learn, and gather again until nothing more is learnt."""
        concerned: set[int] = set()
        found = Gatherer(self._context, adjust).gather(focus)
        for _ in range(_MAX_ROUNDS if learning else 0):
            learnt = learn(self._context, focus, found, self._now)
            if not learnt:
                break
            concerned |= learnt
            found = Gatherer(self._context, adjust).gather(focus, concerned)
        return found

    def _situation(
        self,
        focus: Sighting,
        version: Version,
        before: Sighting | None,
        observation: Observation,
        joined: tuple[Sighting, ...],
        own: Group,
        found: Neighborhood,
        best: Comparison | None,
        waiting: tuple[int, Comparison] | None,
        rejected: bool,
    ) -> Situation:
        representation = version.fingerprint.representation
        after = find_current(own.members, focus.source_id, self._is_poor, representation)
        after = after or find_current(own.members, focus.source_id, self._is_poor)
        assert after is not None
        kept = find_current(joined, focus.source_id, self._is_poor, representation)
        primary = _is_primary(own.members, focus.source_id)
        return Situation(
            sighting=focus,
            version=version,
            is_new_sighting=before is None,
            repeats=before is not None and version is before.versions[-1],
            late=observation.late,
            joined=joined,
            best=best,
            waiting=waiting[1] if waiting else None,
            apart=tuple(_apart(found, own, focus)),
            shares_distrusted_key=found.shares_distrusted_key,
            title_before=last_title(joined, focus.source_id),
            before=kept,
            before_any=find_current(joined, focus.source_id, self._is_poor),
            after=after,
            is_primary=primary,
            is_rejected=rejected,
        )

    def _match(
        self,
        answer: Answer,
        own: Group,
        waiting: tuple[int, Comparison] | None,
        found: Neighborhood,
        records: dict[int, Record],
        joined: tuple[Sighting, ...],
    ) -> Match | None:
        if answer.outcome is Outcome.NEW:
            return None
        if answer.outcome is Outcome.REVIEW and waiting is not None:
            return _as_match(records[found.members[waiting[0]].record_id])
        return _as_match(records[_stored_id(own, joined, records)])


def find_verdicts(unit: Unit, members: Sequence[Sighting]) -> dict[tuple[int, int], Verdict]:
    """Return what people said of pairs of these sightings, by their positions."""
    position = {s.id: i for i, s in enumerate(members) if s.id}
    labels = unit.reviews.find_labels(position) if position else []
    verdicts: dict[tuple[int, int], Verdict] = {}
    for label in labels:
        if label.sighting_a in position and label.sighting_b in position:
            a, b = sorted((position[label.sighting_a], position[label.sighting_b]))
            verdicts[a, b] = label.verdict
    return verdicts


def group_clusters(members: Sequence[Sighting], clustering: Clustering, now: datetime) -> list[Group]:
    """Return which record each cluster is stored under.

    A record stays with the cluster of its oldest sighting; a cluster that holds several records keeps
    the survivor and absorbs the rest; a cluster that holds none becomes a record of its own.
    """
    home: dict[int, int] = {}
    for sighting in members:
        if sighting.id and sighting.record_id:
            home[sighting.record_id] = min(home.get(sighting.record_id, sighting.id), sighting.id)
    groups = []
    for cluster in clustering.clusters:
        inside = tuple(members[i] for i in sorted(cluster))
        owned = sorted({s.record_id for s in inside if s.id and home[s.record_id] == s.id})
        foreign = tuple(sorted({s.record_id for s in inside if s.id} - set(owned)))
        if not owned:
            groups.append(Group(inside, None, (), foreign))
            continue
        candidates = [(r, [s for s in inside if s.id and s.record_id == r]) for r in owned]
        survivor = choose_survivor(candidates, now)
        groups.append(Group(inside, survivor, tuple(r for r in owned if r != survivor), foreign))
    return groups


def _joined(found: Neighborhood, own: Group, focus: Sighting, before: Sighting | None) -> tuple[Sighting, ...]:
    """The sightings of the item's group as they stood before it."""
    stored = [found.stored[m.id] for m in own.members if m is not focus]
    return (*stored, before) if before is not None else tuple(stored)


def _record_ids(found: Neighborhood) -> set[int]:
    return {s.record_id for s in found.members if s.id}


def _best(found: Neighborhood, own: Group) -> Comparison | None:
    """The most certain comparison that joins the item to its group."""
    inside = {id(m) for m in own.members}
    candidates = [
        comparison
        for (i, j), comparison in found.pairs.items()
        if i == 0 and id(found.members[j]) in inside and comparison.relation is Relation.SAME
    ]
    if candidates:
        return min(candidates, key=lambda c: c.rank)
    others = [c for c in found.pairs.values() if c.relation is Relation.SAME]
    return min(others, key=lambda c: c.rank, default=None) if len(own.members) > 1 else None


def _waiting(
    found: Neighborhood, clustering: Clustering, own: Group, verdicts: dict[tuple[int, int], Verdict]
) -> tuple[int, Comparison] | None:
    """The review pair that the item opens: the other's position and the comparison."""
    if len(own.members) > 1:
        return None
    options = [(j, found.pairs[i, j]) for i, j in clustering.waiting if i == 0 and (i, j) not in verdicts]
    return min(options, key=lambda option: (option[1].rank, option[1].reason, option[0]), default=None)


def _apart(found: Neighborhood, own: Group, focus: Sighting) -> list[Comparison]:
    """Comparisons of the item with what it was kept apart from, the most telling first."""
    inside = {id(m) for m in own.members}
    apart = [c for (i, j), c in found.pairs.items() if i == 0 and id(found.members[j]) not in inside]
    apart += [c for _, c in found.beside if c.evidence]
    return sorted(apart, key=lambda c: (c.reason not in ("id_conflict", "same_fetch", "reused_guid"), c.rank))


def _is_primary(members: Sequence[Sighting], source_id: int) -> bool:
    return primary_source(members) == source_id


def _stored_id(own: Group, joined: Sequence[Sighting], records: dict[int, Record]) -> int:
    """The stored record that the item's group goes on with."""
    return own.record_id if own.record_id in records else joined[0].record_id


def _as_match(record: Record) -> Match:
    return Match(record.id, record.external_id, record.url, record.title)


def _rejected(matched: Match | None, records: dict[int, Record]) -> tuple[str, ...]:
    if matched and matched.record_id in records and records[matched.record_id].status is Status.REJECTED:
        return ("rejected",)
    return ()


def _evidence(
    found: Neighborhood,
    own: Group,
    situation: Situation,
    answer: Answer,
    waiting: tuple[int, Comparison] | None,
) -> tuple[Evidence, ...]:
    """The evidence of the comparison that settled it; for new items that of the closest ones."""
    inside = {id(m) for m in own.members}
    mine = [(found.members[j], c) for (i, j), c in found.pairs.items() if i == 0]
    evidence: list[Evidence] = []
    if answer.outcome is Outcome.REVIEW and waiting is not None:
        chosen = [(found.members[waiting[0]], waiting[1])]
    elif situation.joined:
        same = [(s, c) for s, c in mine if id(s) in inside and c.relation is Relation.SAME]
        chosen = sorted(same, key=lambda x: (x[1].rank, x[0].id))[:1]
        if not situation.is_new_sighting:
            chosen = []
            evidence.append(Evidence("sighting_equal", True, Supports.YES, record_id=own.record_id))
        evidence += _changes(situation, own)
    else:
        apart = [(s, c) for s, c in [*mine, *found.beside] if c.evidence]
        chosen = sorted(apart, key=lambda x: (x[1].rank, x[0].id))[:3]
        if situation.shares_distrusted_key:
            evidence.append(Evidence("shared_key", True, Supports.UNKNOWN))
    for sighting, comparison in chosen:
        evidence += [replace(e, record_id=sighting.record_id) for e in comparison.evidence]
    if found.bound_hit:
        log_event("bound_hit", source=situation.sighting.source, members=len(found.members))
        evidence.append(Evidence("bound_hit", True, Supports.UNKNOWN))
    return tuple(evidence)


def _changes(situation: Situation, own: Group) -> list[Evidence]:
    """How far an update moved away from what its source showed before."""
    before: Current | None = situation.before
    if before is None or (before.sighting is situation.sighting and before.version is situation.version):
        return []
    found = []
    old, new = before.sighting.clean_title, situation.sighting.clean_title
    if old != new:
        found.append(Evidence("title_similarity", round(title_similarity(old, new), 4), Supports.UNKNOWN))
    texts = before.version.fingerprint, situation.version.fingerprint
    if texts[0].text_hash != texts[1].text_hash and texts[0].text and texts[1].text:
        share = round(overlap(texts[0].text, texts[1].text).containment, 4)
        found.append(Evidence("text_containment", share, Supports.UNKNOWN))
    return [replace(e, record_id=own.record_id) for e in found]
