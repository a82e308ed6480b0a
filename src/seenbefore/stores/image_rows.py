"""Snapshots ↔ JSON, as kept beside an event, and records ↔ the columns that a merge writes. Pure."""

from __future__ import annotations

import json
from typing import Any

from ..model import Key, Review, ReviewState, Status, Strength
from .base_merges import Placed, RecordRow, Snapshot, pair_of
from .rows import optional_text_time, optional_time_text, text_time, time_text, to_json

ROW_COLUMNS = (
    "status, survivor_id, title, url, external_id, primary_source_id, current_version_id,"
    " first_seen_at, first_published_at, content_updated_at"
)


def row_values(row: RecordRow) -> tuple[Any, ...]:
    """Return ROW_COLUMNS of a record; 0 as current version means none yet."""
    return (
        *row[:6],
        row.current_version_id or None,
        time_text(row.first_seen_at),
        optional_time_text(row.first_published_at),
        optional_time_text(row.content_updated_at),
    )


def row_from_values(values: Any) -> RecordRow:
    """Return the record of ROW_COLUMNS."""
    status, survivor_id, title, url, external_id, source_id, version_id, first_seen, published, updated = values
    return RecordRow(
        Status(status),
        survivor_id,
        title,
        url,
        external_id,
        source_id,
        version_id or 0,
        text_time(first_seen),
        optional_text_time(published),
        optional_text_time(updated),
    )


def snapshot_json(snapshot: Snapshot) -> str:
    """Return a snapshot as JSON.

    >>> snapshot_json(Snapshot(sightings={7: Placed(1, 2, 3, 4, 5)}))
    '{"records":[],"sightings":[[7,1,2,3,4,5]],"keys":[],"reviews":[]}'
    """
    return to_json(
        {
            "records": [[record_id, *row_values(row)] for record_id, row in snapshot.records.items()],
            "sightings": [[sighting_id, *placed] for sighting_id, placed in snapshot.sightings.items()],
            "keys": [
                [record_id, key.kind, key.scope, key.value, key.strength.value, key.rule_id, key.pack_version]
                for (record_id, _), key in snapshot.keys.items()
            ],
            "reviews": [
                [r.record_id, r.other_id, r.decision_id, r.state.value, time_text(r.opened_at)]
                for r in snapshot.reviews.values()
            ],
        }
    )


def snapshot_from_json(text: str) -> Snapshot:
    """Return the snapshot that ``snapshot_json`` wrote.

    >>> given = Snapshot(sightings={7: Placed(1, 2, 3, 4, 5)})
    >>> snapshot_from_json(snapshot_json(given)) == given
    True
    """
    data = json.loads(text)
    keys = [
        (record_id, Key(kind, value, scope, Strength(strength), rule_id, pack_version))
        for record_id, kind, scope, value, strength, rule_id, pack_version in data["keys"]
    ]
    reviews = [
        Review(one, other, decision_id, ReviewState(state), text_time(opened_at))
        for one, other, decision_id, state, opened_at in data["reviews"]
    ]
    return Snapshot(
        records={record_id: row_from_values(values) for record_id, *values in data["records"]},
        sightings={sighting_id: Placed(*values) for sighting_id, *values in data["sightings"]},
        keys={(record_id, key.address): key for record_id, key in keys},
        reviews={pair_of(review): review for review in reviews},
    )
