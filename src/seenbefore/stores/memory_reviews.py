"""Pairs that wait for a person, and what people said, in memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..errors import NotFound
from ..model import Label, Review, ReviewState
from .memory_tables import Transaction, a_pair


class MemoryReviews:
    """See ``base.Reviews``."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction

    def add_review(self, review: Review) -> None:
        """Open a pair; a pair that is there already (in either order) is left as it is."""
        transaction, tables = self._transaction, self._transaction.tables
        transaction.need(tables.records, review.record_id, "record")
        transaction.need(tables.records, review.other_id, "record")
        transaction.need(tables.decision_seqs, review.decision_id, "decision")
        transaction.check(review.record_id != review.other_id, "a review needs two records")
        transaction.check_times(review.opened_at)
        pair = a_pair(review.record_id, review.other_id)
        if pair not in tables.reviews:
            transaction.put(tables.reviews, pair, review)

    def find_reviews(self, record_ids: Iterable[int] | None = None) -> list[Review]:
        """Return all reviews, or those touching these records, oldest first."""
        reviews = self._transaction.tables.reviews
        wanted = None if record_ids is None else set(record_ids)
        found = [review for pair, review in reviews.items() if wanted is None or not wanted.isdisjoint(pair)]
        return sorted(found, key=lambda review: review.opened_at)

    def close_review(self, record_id: int, other_id: int, state: ReviewState) -> None:
        """Set the state of the pair (either order); raises NotFound."""
        reviews = self._transaction.tables.reviews
        pair = a_pair(record_id, other_id)
        if pair not in reviews:
            raise NotFound(f"review of r{record_id} and r{other_id}")
        self._transaction.put(reviews, pair, replace(reviews[pair], state=state))

    def add_label(self, label: Label) -> None:
        """Store a verdict; earlier ones on the pair stay stored and are no longer in force."""
        transaction, tables = self._transaction, self._transaction.tables
        transaction.need(tables.sightings, label.sighting_a, "sighting")
        transaction.need(tables.sightings, label.sighting_b, "sighting")
        transaction.check(label.sighting_a != label.sighting_b, "a label needs two sightings")
        transaction.check_times(label.labeled_at)
        pair = a_pair(label.sighting_a, label.sighting_b)
        earlier = tables.labels.get(pair, ())
        transaction.put(tables.labels, pair, (*earlier, (transaction.next_id("label"), label)))

    def find_labels(self, sighting_ids: Iterable[int]) -> list[Label]:
        """Return the verdicts in force that touch these sightings, in the order they were given."""
        wanted = set(sighting_ids)
        labels = self._transaction.tables.labels
        in_force = sorted(
            (several[-1] for pair, several in labels.items() if not wanted.isdisjoint(pair)),
            key=lambda numbered: numbered[0],
        )
        return [label for _, label in in_force]
