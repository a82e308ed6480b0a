"""One item against the store: what it is, what that changes, and why. Reads only; ``apply`` writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ..case import RANKS
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
from .arrival import identity_of_sighting
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
    moved_from: int | None = None


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

        moved = self._context.moves.get(identity_of_sighting(focus)) if before is None else None
        found = self._neighborhood(focus, adjust, learning=not observation.late, moved=moved)
        moved_id = _join_moved(found, moved) if moved else None
        standing = self._stand(found, focus, before)
        situation = self._situation(standing, focus, before, version, late=observation.late)
        answer = decide(situation)
        matched = _match(answer, standing)
        bound = ("bound_hit",) if found.bound_hit else ()
        rejected = ("rejected",) if standing.is_rejected else ()
        return Resolution(
            item=item,
            sighting=focus,
            version=version,
            answer=answer,
            matched=matched,
            evidence=_evidence(standing, situation, answer),
            groups=standing.groups,
            own_group=standing.own,
            waiting=standing.waiting_pairs,
            outside=found.outside,
            old_version_id=_replaced_version_id(situation),
            flags=tuple(dict.fromkeys((*answer.flags, *flags, *bound, *rejected))),
            moved_from=moved_id if standing.joined else None,
        )

    def _stand(self, found: Neighborhood, focus: Sighting, before: Sighting | None) -> _Standing:
        """Cluster the neighborhood and say where the item stands in it."""
        unit = self._context.unit
        verdicts = find_verdicts(unit, found.members)
        clustering = cluster_sightings(found.members, found.pairs, verdicts)
        groups = tuple(group_clusters(found.members, clustering, self._now))
        own = next(g for g in groups if any(m is focus for m in g.members))
        joined = _joined(found, own, focus, before)
        return _Standing(
            found=found,
            groups=groups,
            own=own,
            joined=joined,
            records={r.id: r for r in unit.records.find_records(_record_ids(found))},
            best=_best(found, own),
            waiting=None if joined else _waiting(found, clustering, own, verdicts),
            waiting_pairs=tuple((found.members[i], found.members[j]) for i, j in clustering.waiting),
        )

    def _neighborhood(
        self, focus: Sighting, adjust: Callable[[Sighting], Sighting], *, learning: bool, moved: Sighting | None
    ) -> Neighborhood:
        """Gather, learn, and gather again until nothing more is learnt."""
        concerned: set[int] = {self._home(moved)} if moved else set()
        found = Gatherer(self._context, adjust).gather(focus, concerned)
        for _ in range(_MAX_ROUNDS if learning else 0):
            learnt = learn(self._context, focus, found, self._now)
            if not learnt:
                break
            concerned |= learnt
            found = Gatherer(self._context, adjust).gather(focus, concerned)
        return found

    def _home(self, sighting: Sighting) -> int:
        """The record that holds a stored sighting now."""
        rows = self._context.unit.records.find_seen([identity_of_sighting(sighting)])
        return next(row.record_id for found in rows.values() for row in found if row.sighting_id == sighting.id)

    def _situation(
        self, standing: _Standing, focus: Sighting, before: Sighting | None, new: Version | None, *, late: bool
    ) -> Situation:
        version = new or newest_good(focus)
        members, joined, source_id = standing.own.members, standing.joined, focus.source_id
        print_ = version.fingerprint
        after = find_current(members, source_id, self._is_poor, print_)
        after = after or find_current(members, source_id, self._is_poor)
        assert after is not None
        return Situation(
            sighting=focus,
            version=version,
            is_new_sighting=before is None,
            repeats=before is not None and new is None,
            late=late,
            joined=joined,
            best=standing.best,
            waiting=standing.waiting[1] if standing.waiting else None,
            apart=tuple(_apart(standing)),
            shares_distrusted_key=standing.found.shares_distrusted_key,
            title_before=last_title(joined, source_id),
            before=find_current(joined, source_id, self._is_poor, print_),
            before_any=find_current(joined, source_id, self._is_poor),
            after=after,
            is_primary=primary_source(members) == source_id,
            is_rejected=standing.is_rejected,
        )


@dataclass(frozen=True, slots=True)
class _Standing:
    """Where an item stands: its neighborhood in clusters, the records these are, and what it meets there.

    ``joined`` are the other sightings of its group as stored; ``best`` is the comparison that joined it,
    ``waiting`` the position of the other half of a review pair and their comparison.
    """

    found: Neighborhood
    groups: tuple[Group, ...]
    own: Group
    joined: tuple[Sighting, ...]
    records: dict[int, Record]
    best: Comparison | None
    waiting: tuple[int, Comparison] | None
    waiting_pairs: tuple[tuple[Sighting, Sighting], ...]

    @property
    def record(self) -> Record | None:
        """The stored record that the item's group goes on with; None when it starts one."""
        if not self.joined:
            return None
        known = self.own.record_id if self.own.record_id in self.records else self.joined[0].record_id
        return self.records[known]

    @property
    def is_rejected(self) -> bool:
        """Whether a person rejected that record."""
        return self.record is not None and self.record.status is Status.REJECTED


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


def _join_moved(found: Neighborhood, moved: Sighting) -> int | None:
    """Join an entry with what it was before its feed moved, unless it joins by itself or is kept apart.

    Returns the id of the stored sighting when only the move joins them.
    """
    position = next((i for i, member in enumerate(found.members) if member.id == moved.id), None)
    if position is None:
        return None
    known = found.pairs.get((0, position))
    if known is not None and known.relation in (Relation.SAME, Relation.DIFFERENT):
        return None
    evidence = (Evidence("mass_change", True, Supports.YES), *(known.evidence if known else ()))
    found.pairs[0, position] = Comparison(Relation.SAME, "mass_change", RANKS["mass_change"], evidence)
    return moved.id


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


def _match(answer: Answer, standing: _Standing) -> Match | None:
    """The record that the answer points at, as it stood before the item."""
    if answer.outcome is Outcome.REVIEW and standing.waiting is not None:
        other = standing.found.members[standing.waiting[0]]
        return _as_match(standing.records[other.record_id])
    if standing.record is None:
        return None
    return _as_match(standing.record)


def _apart(standing: _Standing) -> list[Comparison]:
    """Comparisons of the item with what it was kept apart from, the most telling first."""
    found = standing.found
    inside = {id(m) for m in standing.own.members}
    apart = [c for (i, j), c in found.pairs.items() if i == 0 and id(found.members[j]) not in inside]
    apart += [c for _, c in found.beside if c.evidence]
    return sorted(apart, key=lambda c: (c.reason not in ("id_conflict", "same_fetch", "reused_guid"), c.rank))


def _as_match(record: Record) -> Match:
    return Match(record.id, record.external_id, record.url, record.title)


def _evidence(standing: _Standing, situation: Situation, answer: Answer) -> tuple[Evidence, ...]:
    """The evidence of the comparison that settled it; for new items that of the closest ones."""
    found, own, waiting = standing.found, standing.own, standing.waiting
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
            evidence.append(Evidence("sighting_equal", True, Supports.YES, record_number=own.record_id))
        evidence += _changes(situation, own)
    else:
        apart = [(s, c) for s, c in [*mine, *found.beside] if c.evidence]
        chosen = sorted(apart, key=lambda x: (x[1].rank, x[0].id))[:3]
        if situation.shares_distrusted_key:
            evidence.append(Evidence("shared_key", True, Supports.UNKNOWN))
    for sighting, comparison in chosen:
        evidence += [replace(e, record_number=sighting.record_id) for e in comparison.evidence]
    if found.bound_hit:
        log_event("bound_hit", source=situation.sighting.source, members=len(found.members))
        evidence.append(Evidence("bound_hit", True, Supports.UNKNOWN))
    return tuple(evidence)


def _replaced_version_id(situation: Situation) -> int | None:
    """The version that its source showed before: in the same representation, unless that is the same version."""
    shown = [c.version.id for c in (situation.before, situation.before_any) if c is not None]
    return next((version_id for version_id in shown if version_id != situation.version.id), None)


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
    return [replace(e, record_number=own.record_id) for e in found]
