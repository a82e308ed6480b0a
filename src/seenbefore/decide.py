"""Evidence and what stands → outcome and reason. Pure: no store, no clock, no settings of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .blocking import is_moved, own_addresses
from .model import Comparison, Current, Outcome, Sighting, Version

_TELLING = ("reused_guid", "id_conflict", "same_fetch")
"""Reasons that say why an item is new although it shares a key with something stored."""


@dataclass(frozen=True, slots=True)
class Situation:
    """Everything a decision depends on.

    ``repeats``: the sighting was stored before and says nothing else. ``joined`` are the sightings of
    the records that the item turned out to belong to, as they stood before it; empty when it starts a
    record. ``best`` is the most certain comparison that joined it, ``waiting`` the review pair it opens,
    ``apart`` comparisons that spoke against joining. ``title_before`` is the last title its source gave.
    ``before`` and ``before_any`` are what its source showed until now (in the same representation, in
    any); ``after`` is what it shows with the item.
    """

    sighting: Sighting
    version: Version
    is_new_sighting: bool
    repeats: bool
    late: bool
    joined: tuple[Sighting, ...]
    best: Comparison | None
    waiting: Comparison | None
    apart: tuple[Comparison, ...]
    shares_distrusted_key: bool
    title_before: str
    before: Current | None
    before_any: Current | None
    after: Current
    is_primary: bool
    is_rejected: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """Outcome, reason, the fields that changed, and flags."""

    outcome: Outcome
    reason: str
    changed: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()


def decide(situation: Situation) -> Answer:
    """Return the answer for one item.

    An item that joins nothing is new, or waits for review; one that joins a record is an update when
    its source now shows another title or text than before, else a duplicate.
    """
    if not situation.joined:
        return _decide_apart(situation)
    if situation.late:
        return Answer(Outcome.DUPLICATE, "late", flags=("late",))
    if situation.after.sighting is not situation.sighting or situation.after.version is not situation.version:
        return _decide_not_current(situation)
    changed = _changed_fields(situation)
    flags = () if situation.is_primary else ("secondary",)
    if changed and situation.is_rejected:
        return Answer(Outcome.DUPLICATE, "rejected_record", changed)
    if changed:
        return _decide_update(situation, changed, flags)
    if _is_reposted(situation) and not situation.is_rejected:
        return Answer(Outcome.UPDATE, "reposted", ("url", "published"), flags)
    return Answer(Outcome.DUPLICATE, _duplicate_reason(situation))


def _decide_apart(situation: Situation) -> Answer:
    flags = ("late",) if situation.late else ()
    if situation.waiting is not None:
        return Answer(Outcome.REVIEW, situation.waiting.reason, flags=flags)
    for comparison in situation.apart:
        if comparison.reason in _TELLING and comparison.via:
            return Answer(Outcome.NEW, comparison.reason, flags=flags)
    if situation.apart and not situation.shares_distrusted_key:
        return Answer(Outcome.NEW, "different", flags=flags)
    return replace(decide_alone(shares_distrusted_key=situation.shares_distrusted_key), flags=flags)


def decide_alone(*, shares_distrusted_key: bool) -> Answer:
    """Return the answer for an item that meets nothing."""
    return Answer(Outcome.NEW, "shared_key" if shares_distrusted_key else "first_seen")


def _decide_not_current(situation: Situation) -> Answer:
    """The item belongs to a record, but something else stays current at its source."""
    if situation.repeats:
        return Answer(Outcome.DUPLICATE, "seen_again")
    print_ = situation.version.fingerprint
    current = situation.after.version.fingerprint
    same = print_.text_hash == current.text_hash and (
        situation.sighting.clean_title == situation.after.sighting.clean_title
    )
    twin = situation.after.sighting is not situation.sighting
    if same or (twin and situation.after.sighting.last_fetch_no == situation.sighting.last_fetch_no):
        return Answer(Outcome.DUPLICATE, "listed_twice")
    return Answer(Outcome.DUPLICATE, "poor_capture")


def _decide_update(situation: Situation, changed: tuple[str, ...], flags: tuple[str, ...]) -> Answer:
    if _reverts(situation):
        flags = (*flags, "reverted")
    if situation.best is not None and situation.best.reason == "flash_then_full" and situation.is_new_sighting:
        return Answer(Outcome.UPDATE, "flash_then_full", changed, flags)
    if changed == ("representation",):
        return Answer(Outcome.UPDATE, "fuller_text", changed, flags)
    reason = {
        ("title",): "title_changed",
        ("text",): "text_changed",
        ("title", "text"): "title_and_text_changed",
    }[tuple(field for field in changed if field != "representation")]
    return Answer(Outcome.UPDATE, reason, changed, flags)


def _changed_fields(situation: Situation) -> tuple[str, ...]:
    """What its source says otherwise than before; a source that speaks for the first time changes nothing.

    Nor does a page that another extractor reads otherwise.
    """
    before = situation.before or situation.before_any
    if before is None:
        return ()
    changed = []
    if situation.title_before and situation.sighting.clean_title not in ("", situation.title_before):
        changed.append("title")
    mine, old = situation.version.fingerprint, before.version.fingerprint
    if situation.before is not None:
        if mine.text_hash != old.text_hash and mine.text_hash:
            changed.append("text")
    elif mine.extractor_version == old.extractor_version and (
        mine.representation.fullness > old.representation.fullness
    ):
        changed.append("representation")
    return tuple(changed)


def _reverts(situation: Situation) -> bool:
    """Whether this title and text stood at the same source before the ones that are current."""
    if not situation.is_new_sighting:
        hashes = [v.fingerprint.text_hash for v in situation.sighting.versions]
        if hashes.count(situation.version.fingerprint.text_hash) > 1 or len(hashes) == 1:
            return True
    return any(
        s.source_id == situation.sighting.source_id
        and s.clean_title == situation.sighting.clean_title
        and any(v.fingerprint.text_hash == situation.version.fingerprint.text_hash for v in s.versions)
        for s in situation.joined
        if s is not situation.sighting
    )


def _is_reposted(situation: Situation) -> bool:
    """The same page under an address of its own that was never seen, with a newer date: published again."""
    before = situation.before or situation.before_any
    if before is None or not situation.is_new_sighting:
        return False
    mine, old = situation.version.published_at, before.version.published_at
    known = {address for s in situation.joined for address in own_addresses(s)}
    if mine is None or old is None or mine <= old or own_addresses(situation.sighting) & known:
        return False
    return any(is_moved(earlier, situation.sighting) for earlier in situation.joined)


def _duplicate_reason(situation: Situation) -> str:
    if not situation.is_new_sighting or situation.best is None:
        return "seen_again"
    same_source = any(s.source_id == situation.sighting.source_id for s in situation.joined)
    by_kind = {"same_id": "same_id", "redirect": "redirected", "mass_change": "moved_with_feed"}
    if situation.best.reason in by_kind:
        return by_kind[situation.best.reason]
    if same_source:
        known = {s.original_url for s in situation.joined}
        if situation.sighting.original_url and situation.sighting.original_url not in known:
            return "new_address"
        guids = {s.guid for s in situation.joined if s.source_id == situation.sighting.source_id}
        return "new_guid" if situation.sighting.guid not in guids else "seen_again"
    by_rule = {"text_equal": "same_text", "text_near": "same_text", "site": "same_id"}
    return by_rule.get(situation.best.reason, "other_source")
