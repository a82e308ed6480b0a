"""One item inside an open unit: the quick answer when nothing happened, else resolve and apply."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from ..decide import Answer
from ..model import (
    Decision,
    Fetch,
    Item,
    ItemRef,
    Key,
    Label,
    Match,
    Outcome,
    Record,
    Sighting,
    Source,
    Verdict,
    Version,
    VersionState,
)
from ..stores.base import Listed, Seen, Touch
from ..text.clean import EXTRACTOR_VERSION
from .apply import Applier, Delivery, draft_decision, make_decision
from .arrival import Arrival, new_sighting, new_version
from .context import MASS_CHANGE, Context, Moved, Observation, add_run
from .fresh import FreshWriter
from .resolve import Resolution, Resolver
from .slots import find_repeated


class Observer:
    """Takes items of one source in, one after the other, inside one open unit."""

    def __init__(self, context: Context, source: Source, now: datetime, delivery: Delivery) -> None:
        self._context = context
        self._source = source
        self._now = now
        self._resolver = Resolver(context, now)
        self._applier = Applier(context, now, delivery)
        self._fresh = FreshWriter(context, now, delivery)
        self._looked_ahead = False
        self._touches: list[Touch] = []
        context.know(source.id)

    def look_ahead(self, unknown: Sequence[Arrival]) -> None:
        """Look up what the keys of items that were never seen lead to."""
        if len(unknown) > 1:
            self._fresh.look_ahead({key.address for each in unknown for key in each.features.keys})
            self._looked_ahead = True

    def take_fresh(self, incoming: Arrival) -> bool:
        """Return whether the item is new by itself; it is written with the next flush then.

        Only for items whose identity was never seen, after ``look_ahead``.
        """
        if not self._looked_ahead or not self._fresh.meets_nothing(incoming):
            return False
        self._fresh.take(new_sighting(incoming, 0), incoming, self._flags(incoming))
        return True

    @property
    def fresh_decisions(self) -> list[Decision]:
        """The decisions on the items that were taken as fresh, in order, as far as they are written."""
        return self._fresh.decisions

    def observe(self, incoming: Arrival, rows: Sequence[Seen]) -> Decision | Seen:
        """Return the decision, or the stored row when the item is an unchanged repeat of it.

        ``rows`` are the stored sightings of the item's identity.
        """
        seen, slot = choose_slot(rows, incoming, self._context)
        if seen is not None and _is_plain_repeat(seen, incoming):
            self._repeat(seen, incoming)
            return seen
        self.flush()
        if rows:
            rows = self._context.unit.records.find_seen([incoming.identity])[incoming.identity]
            seen, slot = choose_slot(rows, incoming, self._context)
        resolution, observation = self._resolve(incoming, seen, slot)
        if isinstance(resolution, Seen):
            self._repeat(resolution, incoming)
            return resolution
        self._fresh.note(incoming.identity, resolution.sighting.keys)
        decision = self._applier.apply(resolution, observation)
        if resolution.moved_from is not None:
            self._remember_move(incoming, resolution, resolution.moved_from)
        if decision.number is not None:
            self._context.tally.decided(self._source.id, observation.observed_at, decision)
        else:
            self._context.tally.repeated(self._source.id, observation.observed_at, late=observation.late)
        return decision

    def _remember_move(self, incoming: Arrival, resolution: Resolution, was_id: int) -> None:
        """Keep the move as a fact: what joined them once is not there to be seen again."""
        unit = self._context.unit
        rows = unit.records.find_seen([incoming.identity])[incoming.identity]
        row = next(row for row in rows if row.slot == resolution.sighting.slot)
        unit.reviews.add_label(Label(row.sighting_id, was_id, Verdict.SAME, MASS_CHANGE, self._now))
        self._context.moved.append(Moved(row.sighting_id, was_id, row.record_id))

    def plan(self, incoming: Arrival, rows: Sequence[Seen]) -> Decision | Seen:
        """Return what ``observe`` would answer, and write nothing; ids of unwritten things are None."""
        seen, slot = choose_slot(rows, incoming, self._context)
        if seen is not None and _is_plain_repeat(seen, incoming):
            return seen
        resolution, _ = self._resolve(incoming, seen, slot)
        if isinstance(resolution, Seen):
            return resolution
        return draft_decision(resolution, resolution.own_group.record_id, self._context, self._now)

    def flush(self) -> None:
        """Write the repeats that were only noted so far."""
        if self._touches:
            self._context.unit.records.touch(self._touches)
            self._touches = []
        self._fresh.flush()

    def _repeat(self, seen: Seen, incoming: Arrival) -> None:
        observation = incoming.observation
        if not observation.fetch_no and observation.observed_at == seen.last_seen_at:
            return  # this very observation
        if not _already_seen(seen, observation):
            self._context.tally.repeated(self._source.id, observation.observed_at, late=observation.late)
        if observation.late or _already_seen(seen, observation):
            return
        digest = incoming.digest if self._may_stand_for(seen, incoming) else None
        touch = Touch(
            seen.sighting_id, observation.fetch_no, observation.order_no, observation.observed_at, digest=digest
        )
        self._touches.append(touch)

    def _may_stand_for(self, seen: Seen, incoming: Arrival) -> bool:
        """Whether an entry with this digest may be answered from what is stored, down to its title as written."""
        if not seen.version_id or not incoming.digest or incoming.digest == seen.digest:
            return False
        if not _says_the_same(seen, incoming):
            return False
        return self._context.unit.records.get_item(seen.version_id).title == incoming.item.title

    def _resolve(self, incoming: Arrival, seen: Seen | None, slot: int) -> tuple[Resolution | Seen, Observation]:
        observation = incoming.observation
        if seen is None:
            focus = new_sighting(incoming, slot)
            return self._ask(incoming, None, focus, focus.versions[-1]), observation
        stored = self._load(seen)
        keys = _merged_keys(stored.keys, incoming.features.keys)
        known = {v.fingerprint.text_hash for v in stored.versions}
        text_hash = incoming.fingerprint.text_hash
        same_instant = not observation.fetch_no and observation.observed_at == seen.last_seen_at
        if same_instant and text_hash in known and keys == stored.keys and not _is_read_anew(stored, incoming):
            return seen, observation
        if _already_seen(seen, observation) or observation.late:
            if text_hash in known and keys == stored.keys:
                return seen, observation
            return self._set_aside(incoming, stored, keys), replace(observation, late=True)
        version = None
        changed = text_hash != seen.text_hash or _raw_date(incoming.item) != seen.published_raw
        if changed or _is_read_anew(stored, incoming):
            version = new_version(incoming, VersionState.GOOD)
        focus = replace(
            stored,
            keys=keys,
            versions=(*stored.versions, version) if version else stored.versions,
            last_seen_at=max(stored.last_seen_at, observation.observed_at),
            last_fetch_no=max(stored.last_fetch_no, observation.order_no),
            external_id=stored.external_id or incoming.item.external_id,
            digest=incoming.digest if version or _shown_title(stored) == incoming.item.title else stored.digest,
        )
        if observation.fetch_no:
            focus = add_run(focus, observation.fetch_no)
        return self._ask(incoming, stored, focus, version), observation

    def _ask(
        self,
        incoming: Arrival,
        before: Sighting | None,
        focus: Sighting,
        version: Version | None,
        observation: Observation | None = None,
    ) -> Resolution:
        item, flags = incoming.item, self._flags(incoming)
        return self._resolver.resolve(item, before, focus, version, observation or incoming.observation, flags)

    def _set_aside(self, incoming: Arrival, stored: Sighting, keys: tuple[Key, ...]) -> Resolution:
        """A text that came after something newer: kept, never current.

        The record does not change, so nothing is compared; only a version is added.
        """
        known = {v.fingerprint.text_hash for v in stored.versions}
        version = None
        if incoming.fingerprint.text_hash not in known:
            state = VersionState.LATE if incoming.observation.late else VersionState.ASIDE
            version = new_version(incoming, state)
        focus = replace(stored, keys=keys, versions=(*stored.versions, version) if version else stored.versions)
        observation = replace(incoming.observation, late=True)
        resolution = self._ask(incoming, stored, focus, version, observation)
        reason = "late" if incoming.observation.late else "listed_twice"
        answer = Answer(Outcome.DUPLICATE, reason, flags=("late",) if reason == "late" else ())
        flags = tuple(flag for flag in resolution.flags if flag != "late" or reason == "late")
        return replace(resolution, answer=answer, flags=flags)

    def _load(self, seen: Seen) -> Sighting:
        sightings = self._context.unit.records.get_sightings([seen.record_id])
        return next(s for s in sightings if s.id == seen.sighting_id)

    def _flags(self, incoming: Arrival) -> tuple[str, ...]:
        item = incoming.item
        return (*incoming.features.flags, *_date_conflict(item), *_old_news(item, self._context))


def choose_slot(rows: Sequence[Seen], incoming: Arrival, context: Context) -> tuple[Seen | None, int]:
    """Return the stored sighting that an item repeats, or None and the slot of a new one.

    A guid names one thing, unless a strong id says otherwise. Without a guid the same title at the
    same address is the same thing only as long as date and text do not speak against it: a status
    page repeats itself. Depends on what is stored of this identity alone, so a fetch that is read
    again finds everything where it was.
    """
    if not rows:
        return None, 0
    if incoming.item.guid and not incoming.item.ids:
        return rows[0], rows[0].slot
    if len(rows) == 1 and not incoming.item.ids and _says_the_same(rows[0], incoming):
        return rows[0], rows[0].slot
    choice = find_repeated(_load_rows(rows, context), incoming, context)
    if choice is None:
        return None, max(row.slot for row in rows) + 1
    row = next(row for row in rows if row.sighting_id == choice.id)
    return row, row.slot


def _load_rows(rows: Sequence[Seen], context: Context) -> list[Sighting]:
    ids = {row.sighting_id for row in rows}
    loaded = context.unit.records.get_sightings({row.record_id for row in rows})
    return sorted((s for s in loaded if s.id in ids), key=lambda s: s.slot)


def _says_the_same(seen: Seen, incoming: Arrival) -> bool:
    """Whether text and date are those that were stored last."""
    if seen.digest and seen.digest == incoming.digest:
        return True
    return incoming.fingerprint.text_hash == seen.text_hash and _raw_date(incoming.item) == seen.published_raw


def _is_plain_repeat(seen: Seen, incoming: Arrival) -> bool:
    """Whether nothing can have changed: same text and date, seen last time too, no new evidence."""
    item, observation = incoming.item, incoming.observation
    if not _says_the_same(seen, incoming):
        return False
    if item.final_url or item.redirects or item.ids:
        return False
    if _already_seen(seen, observation) or observation.late:
        return True
    if not observation.fetch_no and observation.observed_at == seen.last_seen_at:
        return True
    if observation.partial or (observation.fetch_no and seen.last_fetch_no < observation.fetch_no - 1):
        return False
    return seen.is_current or seen.is_alone


def is_already_listed(seen: Seen, fetch_no: int) -> bool:
    """Whether a fetch with this number, or a later one, is stored for the sighting."""
    return seen.last_fetch_no >= fetch_no


def is_listed_as_before(seen: Seen, fetch: Fetch, *, partial: bool) -> bool:
    """Return whether an entry with the digest of a stored sighting is a plain repeat of it.

    It is when the fetch is stored already or late, and else when the sighting stood in the fetch just
    before this one and nothing of its source stands before it in its record: currency stays what it was.
    """
    if is_already_listed(seen, fetch.no) or fetch.late:
        return True
    if fetch.completed or partial or seen.last_fetch_no != fetch.no - 1:
        return False
    return seen.is_current or seen.is_alone


def _already_seen(seen: Seen, observation: Observation) -> bool:
    """Whether this very observation, or a later one, is stored."""
    if observation.fetch_no:
        return is_already_listed(seen, observation.fetch_no)
    return observation.observed_at < seen.last_seen_at


def _is_read_anew(stored: Sighting, incoming: Arrival) -> bool:
    """Whether a page was read by an extractor that has no version yet; later captures are compared with that."""
    mine = incoming.fingerprint.extractor_version
    return bool(incoming.item.extractor) and all(v.fingerprint.extractor_version != mine for v in stored.versions)


def _shown_title(stored: Sighting) -> str | None:
    """The title that an answer by digest would repeat: that of the newest good version."""
    return next((v.title for v in reversed(stored.versions) if v.state is VersionState.GOOD), None)


def _raw_date(item: Item) -> str:
    return item.published.raw if item.published else ""


def _merged_keys(stored: tuple[Key, ...], fresh: Iterable[Key]) -> tuple[Key, ...]:
    """The stored keys, and what is new."""
    merged = {key.address: key for key in stored}
    for key in fresh:
        known = merged.get(key.address)
        if known is None:
            merged[key.address] = key
    return tuple(merged.values())


def _date_conflict(item: Item) -> tuple[str, ...]:
    if item.published and item.published.conflicts:
        return ("date_conflict",)
    return ()


def _old_news(item: Item, context: Context) -> tuple[str, ...]:
    if item.posted_at and item.published_at:
        limit = timedelta(days=context.policy.dates.old_news_days)
        if item.posted_at - item.published_at > limit:
            return ("old_news",)
    return ()


def answer_listed(ref: ItemRef, listed: Listed, context: Context, now: datetime) -> Decision:
    """Return the answer for an entry that was known by its digest; like ``repeat_decision``."""
    number = listed.seen.record_id
    return Decision(
        seq=None,
        number=None,
        item=ref,
        outcome=Outcome.DUPLICATE,
        reason="seen_again",
        record_number=number,
        matched=Match(number, listed.record_external_id, listed.record_url, listed.record_title),
        changed=(),
        flags=(),
        evidence=(),
        rules_version=context.rules.version,
        policy_version=context.policy.version,
        extractor_version=EXTRACTOR_VERSION,
        decided_at=now,
    )


def repeat_decision(item: Item, record: Record, context: Context, now: datetime) -> Decision:
    """Return the answer for an unchanged repeat; it is not stored and has neither id nor seq."""
    decision = make_decision(item, Answer(Outcome.DUPLICATE, "seen_again"), record.id, context, now)
    return replace(decision, matched=Match(record.id, record.external_id, record.url, record.title))
