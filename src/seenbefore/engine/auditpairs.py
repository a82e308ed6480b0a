"""The part of the check that looks at two records at once: verdicts, and pairs that wait for one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from ..audit.problem import Problem
from ..compare import compare_sightings
from ..model import Decision, Label, Outcome, Relation, Review, ReviewState, Sighting, Verdict
from ..stores.base import Unit
from .context import Context
from .kinship import Kinship


def check_labels(unit: Unit, context: Context, sightings: Sequence[Sighting]) -> Iterator[Problem]:
    """Yield verdicts in force, on pairs that begin with one of the sightings, that are not followed.

    ``different`` is always followed; ``same`` unless something keeps the two apart.
    """
    first = {sighting.id for sighting in sightings}
    labels = [label for label in unit.reviews.find_labels(first) if label.sighting_a in first]
    homes = unit.audit.find_homes({s for label in labels for s in (label.sighting_a, label.sighting_b)})
    for label in labels:
        if label.sighting_a not in homes or label.sighting_b not in homes:
            continue  # a dangling reference, which the store reports
        a, b = homes[label.sighting_a].record_id, homes[label.sighting_b].record_id
        where = f"sightings {label.sighting_a} and {label.sighting_b}"
        if label.verdict is Verdict.DIFFERENT and a == b:
            yield Problem("verdict", where, f"a verdict calls them different, and both are in r{a}")
        elif label.verdict is Verdict.SAME and a != b and not _must_stay_apart(unit, context, a, b):
            yield Problem("verdict", where, f"a verdict calls them the same; they are in r{a} and r{b}")


def _must_stay_apart(unit: Unit, context: Context, a: int, b: int) -> bool:
    """Whether a verdict or a comparison keeps any sightings of the two records apart."""
    sightings = unit.records.get_sightings([a, b])
    home = {sighting.id: sighting.record_id for sighting in sightings}

    def between(label: Label) -> bool:
        return {home.get(label.sighting_a), home.get(label.sighting_b)} == {a, b}

    labels = unit.reviews.find_labels(home)
    if any(label.verdict is Verdict.DIFFERENT and between(label) for label in labels):
        return True
    pairs = product((s for s in sightings if s.record_id == a), [s for s in sightings if s.record_id == b])
    distrust, traits = context.distrust, context.traits
    return any(
        compare_sightings(x, y, context.policy, distrust, traits).relation is Relation.DIFFERENT for x, y in pairs
    )


def check_review(review: Review, kinship: Kinship) -> Iterator[Problem]:
    """Yield what is wrong with a pair that waits: both halves are live, and they are two."""
    if review.state is not ReviewState.WAITING:
        return
    pair = (review.record_id, review.other_id)
    where = f"review of r{pair[0]} and r{pair[1]}"
    if kinship.live(pair[0]) == kinship.live(pair[1]):
        yield Problem("review_pair", where, f"it waits, and both are r{kinship.live(pair[0])}")
        return
    for record_id in pair:
        if kinship.is_merged(record_id):
            yield Problem("review_stale", where, f"it waits, and r{record_id} is part of r{kinship.live(record_id)}")


def check_review_decision(unit: Unit, decision: Decision, kinship: Kinship) -> Iterator[Problem]:
    """Yield a decision ``review`` that left no pair."""
    matched = decision.matched.record_number if decision.matched else None
    if decision.outcome is not Outcome.REVIEW or matched is None or decision.record_number is None:
        return
    mine = decision.record_number
    for review in unit.reviews.find_reviews([mine]):
        other = review.other_id if review.record_id == mine else review.record_id
        if other == matched or kinship.are_kin(other, matched):
            return
    message = f"it waits for r{mine} and r{matched}, and no such pair is stored"
    yield Problem("review_pair", decision.decision_id or "", message)
