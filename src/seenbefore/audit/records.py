"""What must hold of a record: it is what its sightings make it, or a pointer to the one that took it over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..model import Record, Sighting, Status
from ..survive import PoorCheck, survive
from .problem import Problem, shown

_DERIVED = (
    "title",
    "url",
    "external_id",
    "primary_source_id",
    "current_version_id",
    "first_seen_at",
    "first_published_at",
    "content_updated_at",
)
"""Fields that only repeat what the sightings say. The time it was last seen is never stored."""


def check_merged(record: Record, survivor: Record | None, sightings: int, keys: int) -> Iterator[Problem]:
    """Yield what is wrong with a record that was merged: it holds nothing and points at a live one."""
    where = f"r{record.id}"
    if survivor is None or survivor.status is Status.MERGED or survivor.id == record.id:
        state = "is not there" if survivor is None else "was merged itself"
        yield Problem("redirect", where, f"it was merged into r{record.survivor_id}, which {state}")
    elif survivor.kind is not record.kind:
        yield Problem("record_kind", where, f"an {record.kind.value} was merged into an {survivor.kind.value}")
    if sightings:
        yield Problem("merged_record", where, f"it was merged and still holds {sightings} sightings")
    if keys:
        yield Problem("merged_record", where, f"it was merged and still holds {keys} keys")


def check_live(record: Record, sightings: Sequence[Sighting], is_poor: PoorCheck) -> Iterator[Problem]:
    """Yield what is wrong with a live record, given all its sightings."""
    where = f"r{record.id}"
    if record.survivor_id is not None:
        yield Problem("redirect", where, f"it is live and points at r{record.survivor_id}")
    if not sightings:
        yield Problem("record_without_sighting", where, "nothing that was seen belongs to it")
        return
    kinds = {sighting.kind.value for sighting in sightings} | {record.kind.value}
    if len(kinds) > 1:
        yield Problem("record_kind", where, f"it holds {' and '.join(sorted(kinds))}")
    if record.current_version_id not in {version.id for s in sightings for version in s.versions}:
        named = record.current_version_id or "none"
        yield Problem("current_version", where, f"its current version, {named}, is none of its sightings'")
    elif all(sighting.versions for sighting in sightings):
        yield from _check_fields(record, sightings, is_poor)


def _check_fields(record: Record, sightings: Sequence[Sighting], is_poor: PoorCheck) -> Iterator[Problem]:
    expected = survive(sightings, record.id, record.status, is_poor)
    for name in _DERIVED:
        stored, derived = getattr(record, name), getattr(expected, name)
        if stored != derived:
            message = f"{name} is {shown(stored)}, but its sightings give {shown(derived)}"
            yield Problem("record_fields", f"r{record.id}", message)
