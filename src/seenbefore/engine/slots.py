"""Which of several stored sightings of one identity an item repeats.

The identity (source, guid, address, title) usually names one thing. Where it does not, the sightings
are told apart by a slot: by their date, their text, or a strong id.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from ..model import Sighting, Strength, Version
from ..survive import newest_good
from ..text.overlap import overlap
from .arrival import Arrival
from .context import Context


def find_repeated(stored: Sequence[Sighting], incoming: Arrival, context: Context) -> Sighting | None:
    """Return the stored sighting that the item repeats, or None when it is another thing.

    ``stored`` are all sightings of the item's identity, by slot. Exactly the same date and text come
    first, then the same date, then what is near enough in date and text.
    """
    alike = [s for s in stored if not _ids_conflict(s, incoming)]
    if not alike:
        return None
    if incoming.item.guid:
        return alike[0]
    raw = incoming.item.published.raw if incoming.item.published else ""
    text_hash = incoming.fingerprint.text_hash
    for sighting in alike:
        if any(_raw(v) == raw and v.fingerprint.text_hash == text_hash for v in sighting.versions):
            return sighting
    near = [s for s in alike if _may_repeat(s, incoming, context)]
    return min(near, key=lambda s: (_distance(s, incoming.item.published_at), s.slot), default=None)


def _may_repeat(sighting: Sighting, incoming: Arrival, context: Context) -> bool:
    """Whether date and text allow that the item is this sighting, seen again or changed."""
    text_hash = incoming.fingerprint.text_hash
    has_text = any(v.fingerprint.text_hash == text_hash for v in sighting.versions)
    names_something = any(key.kind == "url" and key.strength is Strength.STRONG for key in incoming.features.keys)
    if not sighting.clean_title and not names_something:
        return has_text
    listed_beside = bool(incoming.observation.fetch_no) and sighting.last_fetch_no >= incoming.observation.fetch_no
    text_tells = listed_beside or not names_something or not sighting.clean_title
    if text_tells and not has_text and _is_unlike(sighting, incoming, context):
        return False
    if has_text and incoming.fingerprint.decisive:
        return True
    distance = _distance(sighting, incoming.item.published_at)
    if listed_beside and distance:
        return False
    dates = context.policy.dates
    if distance > timedelta(hours=dates.repeat_hours_home) and _is_unlike(sighting, incoming, context):
        return False
    limit = timedelta(days=dates.repeat_days) if names_something else timedelta(hours=dates.repeat_hours_home)
    return distance <= limit


def _is_unlike(sighting: Sighting, incoming: Arrival, context: Context) -> bool:
    """Whether the text is about something else than what the sighting says now."""
    mine, theirs = incoming.fingerprint, newest_good(sighting).fingerprint
    if not mine.text or not theirs.text:
        return False
    if not (mine.decisive and theirs.decisive):
        return not sighting.clean_title
    return overlap(mine.text, theirs.text).containment < context.policy.text.unlike_containment


def _ids_conflict(sighting: Sighting, incoming: Arrival) -> bool:
    """Whether both carry an id of one kind that names one article everywhere, with different values."""

    mine = {k.value.partition(":")[0]: k.value for k in incoming.features.keys if _is_strong_id(k.kind, k.strength)}
    theirs = {k.value.partition(":")[0]: k.value for k in sighting.keys if _is_strong_id(k.kind, k.strength)}
    return any(mine[name] != theirs[name] for name in mine.keys() & theirs.keys())


def _is_strong_id(kind: str, strength: Strength) -> bool:
    return kind == "id" and strength is Strength.STRONG


def _distance(sighting: Sighting, published: datetime | None) -> timedelta:
    """How far a date is from the ones the sighting gave; an unknown date may be any."""
    known = [v.published_at for v in sighting.versions if v.published_at]
    if published is None or not known:
        return timedelta(0)
    return min(abs(at - published) for at in known)


def _raw(version: Version) -> str:
    return version.published.raw if version.published else ""
