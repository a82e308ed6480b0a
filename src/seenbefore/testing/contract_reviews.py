"""Reviews and labels."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import NotFound, StoreError
from ..model import Label, Review, ReviewState, Verdict
from ..stores.base import Unit
from .builders import a_decision, at
from .contract_base import ContractBase, add_article, assert_raises, assert_refused


def _three(unit: Unit) -> tuple[list[int], list[int]]:
    articles = [add_article(unit, number) for number in (1, 2, 3)]
    return [record.id for record, _, _ in articles], [sighting_id for _, sighting_id, _ in articles]


def _review(review: Review) -> Callable[[Unit], object]:
    return lambda unit: unit.reviews.add_review(review)


def _label(label: Label) -> Callable[[Unit], object]:
    return lambda unit: unit.reviews.add_label(label)


class ReviewsContract(ContractBase):
    """The role ``reviews``."""

    def test_reviews_are_pairs(self) -> None:
        """A pair is there once, in whichever order; what is there first stays."""
        with self.unit() as unit:
            (a, b, c), _ = _three(unit)
            decision_id = unit.journal.add_decision(a_decision(a)).number
            assert decision_id is not None
            first = Review(b, a, decision_id, ReviewState.WAITING, at(2))
            older = Review(b, c, None, ReviewState.WAITING, at(1))
            unit.reviews.add_review(first)
            unit.reviews.add_review(Review(a, b, decision_id, ReviewState.SAME, at(3)))
            unit.reviews.add_review(older)
            assert unit.reviews.find_reviews() == [older, first]
            assert unit.reviews.find_reviews([a]) == [first]
            assert unit.reviews.find_reviews([a, c, 99]) == [older, first]
            assert unit.reviews.find_reviews([]) == []

    def test_close_review(self) -> None:
        """In either order; an unknown pair is not found."""
        with self.unit() as unit:
            (a, b, c), _ = _three(unit)
            unit.reviews.add_review(Review(b, a, None, ReviewState.WAITING, at()))
            unit.reviews.close_review(a, b, ReviewState.DIFFERENT)
            assert unit.reviews.find_reviews() == [Review(b, a, None, ReviewState.DIFFERENT, at())]
            unit.reviews.close_review(b, a, ReviewState.WAITING)
            assert unit.reviews.find_reviews()[0].state is ReviewState.WAITING
            assert_raises(NotFound, lambda: unit.reviews.close_review(a, c, ReviewState.SAME))

    def test_reviews_of_unknown_records(self) -> None:
        """Both records and the decision must be stored, and be two."""
        with self.store() as store:
            with store.unit() as unit:
                (a, b, _), _ = _three(unit)
            for one, other, decision_id in ((a, 99, None), (99, a, None), (a, b, 99), (a, a, None)):
                review = Review(one, other, decision_id, ReviewState.WAITING, at())
                assert_refused(store, StoreError, _review(review))

    def test_labels(self) -> None:
        """The last verdict on a pair is in force, in whichever order it was given."""
        with self.unit() as unit:
            _, (a, b, c) = _three(unit)
            unit.reviews.add_label(Label(a, b, Verdict.SAME, "Aiko", at(1)))
            other = Label(b, c, Verdict.RELATED, "Ben", at(2))
            unit.reviews.add_label(other)
            latest = Label(b, a, Verdict.DIFFERENT, "Chen", at(0))
            unit.reviews.add_label(latest)
            assert unit.reviews.find_labels([a]) == [latest]
            assert unit.reviews.find_labels([b]) == [other, latest]
            assert unit.reviews.find_labels([c, a, 99]) == [other, latest]
            assert unit.reviews.find_labels([]) == []

    def test_labels_of_unknown_sightings(self) -> None:
        """Both sightings must be stored, and be two."""
        with self.store() as store:
            with store.unit() as unit:
                _, (a, _, _) = _three(unit)
            for one, other in ((a, 99), (99, a), (a, a)):
                label = Label(one, other, Verdict.SAME, "Aiko", at())
                assert_refused(store, StoreError, _label(label))
