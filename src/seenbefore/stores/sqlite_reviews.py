"""Pairs that wait for a person, and what people said, in SQLite."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors import NotFound
from ..model import Label, Review, ReviewState, Verdict
from .rows import text_time, time_text, to_json
from .session import Row, Session

_REVIEW = "SELECT record_id, other_id, decision_id, state, opened_at FROM reviews"

# One half per column, so that each finds its rows by an index.
_LABELS_IN_FORCE = """
WITH wanted AS (SELECT value AS id FROM json_each(?)),
touching AS (
    SELECT min(sighting_a, sighting_b) AS low, max(sighting_a, sighting_b) AS high
    FROM labels WHERE sighting_a IN (SELECT id FROM wanted)
    UNION
    SELECT min(sighting_a, sighting_b), max(sighting_a, sighting_b)
    FROM labels WHERE sighting_b IN (SELECT id FROM wanted)
)
SELECT l.sighting_a, l.sighting_b, l.verdict, l.author, l.labeled_at
FROM touching AS t JOIN labels AS l ON l.id = (
    SELECT max(id) FROM labels
    WHERE min(sighting_a, sighting_b) = t.low AND max(sighting_a, sighting_b) = t.high
)
ORDER BY l.id
"""


class SqliteReviews:
    """See ``base.Reviews``."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add_review(self, review: Review) -> None:
        """Open a pair; a pair that is there already (in either order) is left as it is."""
        self._session.run(
            "INSERT INTO reviews (record_id, other_id, decision_id, state, opened_at) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT DO NOTHING",
            (
                review.record_id,
                review.other_id,
                review.decision_id,
                review.state,
                time_text(review.opened_at),
            ),
        )

    def find_reviews(self, record_ids: Iterable[int] | None = None) -> list[Review]:
        """Return all reviews, or those touching these records, oldest first."""
        if record_ids is None:
            rows = self._session.rows(f"{_REVIEW} ORDER BY opened_at, id")
        else:
            wanted = to_json(sorted(set(record_ids)))
            rows = self._session.rows(
                f"{_REVIEW} WHERE record_id IN (SELECT value FROM json_each(?))"
                " OR other_id IN (SELECT value FROM json_each(?)) ORDER BY opened_at, id",
                (wanted, wanted),
            )
        return [_review(row) for row in rows]

    def close_review(self, record_id: int, other_id: int, state: ReviewState) -> None:
        """Set the state of the pair (either order); raises NotFound."""
        pair = (min(record_id, other_id), max(record_id, other_id))
        changed = self._session.change(
            "UPDATE reviews SET state = ? WHERE min(record_id, other_id) = ? AND max(record_id, other_id) = ?",
            (state, *pair),
        )
        if not changed:
            raise NotFound(f"review of r{record_id} and r{other_id}")

    def add_label(self, label: Label) -> None:
        """Store a verdict; earlier ones on the pair stay stored and are no longer in force."""
        self._session.run(
            "INSERT INTO labels (sighting_a, sighting_b, verdict, author, labeled_at) VALUES (?, ?, ?, ?, ?)",
            (label.sighting_a, label.sighting_b, label.verdict, label.author, time_text(label.labeled_at)),
        )

    def find_labels(self, sighting_ids: Iterable[int]) -> list[Label]:
        """Return the verdicts in force that touch these sightings, in the order they were given."""
        rows = self._session.rows(_LABELS_IN_FORCE, (to_json(sorted(set(sighting_ids))),))
        return [Label(a, b, Verdict(verdict), author, text_time(at)) for a, b, verdict, author, at in rows]


def _review(row: Row) -> Review:
    record_id, other_id, decision_id, state, opened_at = row
    return Review(record_id, other_id, decision_id, ReviewState(state), text_time(opened_at))
