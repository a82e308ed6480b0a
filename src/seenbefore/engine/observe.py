"""One item inside an open unit: the quick answer when nothing happened, else resolve and apply."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cached_property

from ..blocking import Features, derive_features, derive_text
from ..decide import Answer
from ..model import (
    Decision,
    Fingerprint,
    Item,
    Key,
    Match,
    Outcome,
    Record,
    Sighting,
    Source,
    Version,
    VersionState,
)
from ..stores.base import Identity, Seen, Touch
from ..text.titles import clean_title
from .apply import Applier, Delivery, draft_decision, make_decision
from .context import Context, Observation, add_run
from .resolve import Resolution, Resolver
from .slots import find_repeated


class Incoming:
    """An item, when it was seen, and what is derived from it, each part only when it is asked for.

    Most items are unchanged repeats: their title and text are enough to see that.
    """

    def __init__(self, item: Item, source: Source, context: Context, observation: Observation) -> None:
        self.item = item
        self.observation = observation
        self.clean_title = clean_title(item.title)
        self._source = source
        self._context = context

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """The fingerprint of its text."""
        return derive_text(self.item, self._context.policy)

    @cached_property
    def features(self) -> Features:
        """Its keys; the source's stored identity is their scope."""
        context = self._context
        return derive_features(self.item, self._source.identity, context.rules, context.policy, self.fingerprint)

    @property
    def identity(self) -> Identity:
        """What names its sighting."""
        item = self.item
        return Identity(self._source.id, item.guid, item.original_url, self.clean_title, item.kind)


class Observer:
    """Takes items of one source in, one after the other, inside one open unit."""

    def __init__(self, context: Context, source: Source, now: datetime, delivery: Delivery) -> None:
        self._context = context
        self._source = source
        self._now = now
        self._resolver = Resolver(context, now)
        self._applier = Applier(context, now, delivery)
        self._touches: list[Touch] = []
        context.know(source.id)

    def observe(self, incoming: Incoming, rows: Sequence[Seen]) -> Decision | Seen:
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
        return self._applier.apply(resolution, observation)

    def plan(self, incoming: Incoming, rows: Sequence[Seen]) -> Decision | Seen:
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

    def _repeat(self, seen: Seen, incoming: Incoming) -> None:
        observation = incoming.observation
        if observation.late or _already_seen(seen, observation):
            return
        touch = Touch(seen.sighting_id, observation.fetch_no, observation.order_no, observation.observed_at)
        self._touches.append(touch)

    def _resolve(self, incoming: Incoming, seen: Seen | None, slot: int) -> tuple[Resolution | Seen, Observation]:
        observation = incoming.observation
        if seen is None:
            focus = self._new_sighting(incoming, slot)
            return self._ask(incoming, None, focus, focus.versions[-1]), observation
        stored = self._load(seen)
        keys = _merged_keys(stored.keys, incoming.features.keys)
        known = {v.fingerprint.text_hash for v in stored.versions}
        text_hash = incoming.fingerprint.text_hash
        same_instant = not observation.fetch_no and observation.observed_at == seen.last_seen_at
        if same_instant and text_hash in known and keys == stored.keys:
            return seen, observation
        if _already_seen(seen, observation) or observation.late:
            if text_hash in known and keys == stored.keys:
                return seen, observation
            return self._set_aside(incoming, stored, keys), replace(observation, late=True)
        version = None
        if text_hash != seen.text_hash or _raw_date(incoming.item) != seen.published_raw:
            version = self._version(incoming, VersionState.GOOD)
        focus = replace(
            stored,
            keys=keys,
            versions=(*stored.versions, version) if version else stored.versions,
            last_seen_at=max(stored.last_seen_at, observation.observed_at),
            last_fetch_no=max(stored.last_fetch_no, observation.order_no),
            external_id=stored.external_id or incoming.item.external_id,
        )
        if observation.fetch_no:
            focus = add_run(focus, observation.fetch_no)
        return self._ask(incoming, stored, focus, version), observation

    def _ask(
        self,
        incoming: Incoming,
        before: Sighting | None,
        focus: Sighting,
        version: Version | None,
        observation: Observation | None = None,
    ) -> Resolution:
        item, flags = incoming.item, self._flags(incoming)
        return self._resolver.resolve(item, before, focus, version, observation or incoming.observation, flags)

    def _set_aside(self, incoming: Incoming, stored: Sighting, keys: tuple[Key, ...]) -> Resolution:
        """A text that came after something newer: kept, never current.

        The record does not change, so nothing is compared; only a version is added.
        """
        known = {v.fingerprint.text_hash for v in stored.versions}
        version = None
        if incoming.fingerprint.text_hash not in known:
            state = VersionState.LATE if incoming.observation.late else VersionState.ASIDE
            version = self._version(incoming, state)
        focus = replace(stored, keys=keys, versions=(*stored.versions, version) if version else stored.versions)
        observation = replace(incoming.observation, late=True)
        resolution = self._ask(incoming, stored, focus, version, observation)
        reason = "late" if incoming.observation.late else "listed_twice"
        answer = Answer(Outcome.DUPLICATE, reason, flags=("late",) if reason == "late" else ())
        flags = tuple(flag for flag in resolution.flags if flag != "late" or reason == "late")
        return replace(resolution, answer=answer, flags=flags)

    def _new_sighting(self, incoming: Incoming, slot: int) -> Sighting:
        observation, features = incoming.observation, incoming.features
        return Sighting(
            id=0,
            record_id=0,
            source_id=self._source.id,
            source=self._source.identity,
            kind=features.kind,
            guid=features.guid,
            original_url=features.original_url,
            clean_title=features.clean_title,
            slot=slot,
            keys=features.keys,
            versions=(self._version(incoming, VersionState.LATE if observation.late else VersionState.GOOD),),
            runs=((observation.fetch_no, observation.fetch_no),) if observation.fetch_no else (),
            first_seen_at=observation.observed_at,
            last_seen_at=observation.observed_at,
            last_fetch_no=observation.order_no,
            times=1,
            external_id=incoming.item.external_id,
        )

    def _version(self, incoming: Incoming, state: VersionState) -> Version:
        return Version(
            id=0,
            title=incoming.item.title,
            fingerprint=incoming.fingerprint,
            published=incoming.item.published,
            modified=incoming.item.modified,
            captured_at=incoming.observation.observed_at,
            fetch_no=incoming.observation.order_no,
            state=state,
        )

    def _load(self, seen: Seen) -> Sighting:
        sightings = self._context.unit.records.get_sightings([seen.record_id])
        return next(s for s in sightings if s.id == seen.sighting_id)

    def _flags(self, incoming: Incoming) -> tuple[str, ...]:
        return (*incoming.features.flags, *_old_news(incoming.item, self._context))


def choose_slot(rows: Sequence[Seen], incoming: Incoming, context: Context) -> tuple[Seen | None, int]:
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


def _says_the_same(seen: Seen, incoming: Incoming) -> bool:
    """Whether text and date are those that were stored last."""
    return incoming.fingerprint.text_hash == seen.text_hash and _raw_date(incoming.item) == seen.published_raw


def _is_plain_repeat(seen: Seen, incoming: Incoming) -> bool:
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


def _already_seen(seen: Seen, observation: Observation) -> bool:
    """Whether this very observation, or a later one, is stored."""
    if observation.fetch_no:
        return seen.last_fetch_no >= observation.fetch_no
    return observation.observed_at < seen.last_seen_at


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


def _old_news(item: Item, context: Context) -> tuple[str, ...]:
    if item.posted_at and item.published_at:
        limit = timedelta(days=context.policy.dates.old_news_days)
        if item.posted_at - item.published_at > limit:
            return ("old_news",)
    return ()


def repeat_decision(item: Item, record: Record, context: Context, now: datetime) -> Decision:
    """Return the answer for an unchanged repeat; it is not stored and has neither id nor seq."""
    decision = make_decision(item, Answer(Outcome.DUPLICATE, "seen_again"), record.id, context, now)
    return replace(decision, matched=Match(record.id, record.external_id, record.url, record.title))
