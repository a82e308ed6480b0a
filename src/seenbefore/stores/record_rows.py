"""Rows of records, sightings and versions ↔ model values: one list of columns, both directions. Pure."""

from __future__ import annotations

from ..model import (
    Fingerprint,
    Kind,
    Record,
    Representation,
    Sighting,
    Status,
    Version,
    VersionState,
)
from .base import Seen, Touch
from .rows import (
    date_from_json,
    date_json,
    keys_from_json,
    keys_json,
    optional_text_time,
    optional_time_text,
    pairs_from_json,
    text_time,
    texts_from_json,
    time_text,
    to_json,
)
from .session import Row

RECORD_COLUMNS = (
    "kind, status, survivor_id, title, url, external_id, primary_source_id, current_version_id,"
    " first_seen_at, first_published_at, content_updated_at"
)
SIGHTING_COLUMNS = (
    "record_id, source_id, kind, guid, original_url, clean_title, slot, keys, earlier_runs, run_start,"
    " run_end, first_seen_at, last_seen_at, last_fetch_no, times, external_id, digest"
)
VERSION_COLUMNS = (
    "title, text, text_hash, paragraph_hashes, length, decisive, representation, extractor_version,"
    " published, modified, captured_at, fetch_no, state"
)


def touch_values(touch: Touch) -> dict[str, object]:
    """Return the parameters of a touch."""
    return {
        "id": touch.sighting_id,
        "no": touch.fetch_no,
        "order_no": touch.order_no,
        "seen_at": time_text(touch.seen_at),
    }


def seen_from_row(row: Row) -> Seen:
    """Return a stored sighting in short; without a good version its text and date are empty."""
    (
        sighting_id,
        record_id,
        slot,
        last_fetch_no,
        last_seen_at,
        text_hash,
        published_at,
        published_raw,
        version_id,
        current_version_id,
        is_alone,
        digest,
    ) = row
    return Seen(
        sighting_id,
        record_id,
        slot,
        last_fetch_no,
        text_time(last_seen_at),
        text_hash,
        optional_text_time(published_at),
        published_raw,
        version_id or 0,
        version_id is not None and version_id == current_version_id,
        bool(is_alone),
        digest,
    )


def good_version_values(sighting_id: int, version_id: int, version: Version) -> dict[str, object]:
    """Return what a sighting repeats of its newest good version."""
    published = version.published
    return {
        "id": sighting_id,
        "version_id": version_id,
        "text_hash": version.fingerprint.text_hash,
        "published_at": optional_time_text(published.at) if published else None,
        "published_raw": published.raw if published else "",
        "captured_at": time_text(version.captured_at),
    }


def runs_from_row(earlier_runs: str, run_start: int, run_end: int) -> tuple[tuple[int, int], ...]:
    """Return the runs of a sighting, the last one included."""
    last = ((run_start, run_end),) if run_end else ()
    return pairs_from_json(earlier_runs) + last


def sighting_values(sighting: Sighting) -> tuple[object, ...]:
    """Return SIGHTING_COLUMNS of a sighting."""
    *earlier, (run_start, run_end) = sighting.runs or ((0, 0),)
    return (
        sighting.record_id,
        sighting.source_id,
        sighting.kind,
        sighting.guid,
        sighting.original_url,
        sighting.clean_title,
        sighting.slot,
        keys_json(sighting.keys),
        to_json(earlier),
        run_start,
        run_end,
        time_text(sighting.first_seen_at),
        time_text(sighting.last_seen_at),
        sighting.last_fetch_no,
        sighting.times,
        sighting.external_id,
        sighting.digest,
    )


def sighting_from_row(row: Row, versions: tuple[Version, ...]) -> Sighting:
    """Return the sighting of (id, identity of the source, *SIGHTING_COLUMNS) with these versions."""
    return Sighting(
        id=row[0],
        source=row[1],
        record_id=row[2],
        source_id=row[3],
        kind=Kind(row[4]),
        guid=row[5],
        original_url=row[6],
        clean_title=row[7],
        slot=row[8],
        keys=keys_from_json(row[9]),
        versions=versions,
        runs=runs_from_row(*row[10:13]),
        first_seen_at=text_time(row[13]),
        last_seen_at=text_time(row[14]),
        last_fetch_no=row[15],
        times=row[16],
        external_id=row[17],
        digest=row[18],
    )


def version_values(version: Version) -> tuple[object, ...]:
    """Return VERSION_COLUMNS of a version."""
    fingerprint = version.fingerprint
    return (
        version.title,
        fingerprint.text,
        fingerprint.text_hash,
        to_json(fingerprint.paragraph_hashes),
        fingerprint.length,
        fingerprint.decisive,
        fingerprint.representation,
        fingerprint.extractor_version,
        date_json(version.published),
        date_json(version.modified),
        time_text(version.captured_at),
        version.fetch_no,
        version.state,
    )


def version_from_row(row: Row) -> Version:
    """Return the version of (sighting id, id, *VERSION_COLUMNS)."""
    return Version(
        id=row[1],
        title=row[2],
        fingerprint=Fingerprint(
            text=row[3],
            text_hash=row[4],
            paragraph_hashes=texts_from_json(row[5]),
            length=row[6],
            decisive=bool(row[7]),
            representation=Representation(row[8]),
            extractor_version=row[9],
        ),
        published=date_from_json(row[10]),
        modified=date_from_json(row[11]),
        captured_at=text_time(row[12]),
        fetch_no=row[13],
        state=VersionState(row[14]),
    )


def record_values(record: Record) -> tuple[object, ...]:
    """Return RECORD_COLUMNS of a record; 0 as current version means none yet."""
    return (
        record.kind,
        record.status,
        record.survivor_id,
        record.title,
        record.url,
        record.external_id,
        record.primary_source_id,
        record.current_version_id or None,
        time_text(record.first_seen_at),
        optional_time_text(record.first_published_at),
        optional_time_text(record.content_updated_at),
    )


def record_from_row(row: Row) -> Record:
    """Return the record of (id, *RECORD_COLUMNS, last_seen_at of its newest sighting or None)."""
    first_seen_at = text_time(row[9])
    return Record(
        id=row[0],
        kind=Kind(row[1]),
        status=Status(row[2]),
        survivor_id=row[3],
        title=row[4],
        url=row[5],
        external_id=row[6],
        primary_source_id=row[7],
        current_version_id=row[8] or 0,
        first_seen_at=first_seen_at,
        last_seen_at=optional_text_time(row[12]) or first_seen_at,
        first_published_at=optional_text_time(row[10]),
        content_updated_at=optional_text_time(row[11]),
    )
