"""An item on its way in, with what is derived from it."""

from __future__ import annotations

from functools import cached_property

from ..blocking import Features, add_redirected, derive_features, derive_text
from ..model import Fingerprint, Item, Kind, Sighting, Source, Version, VersionState
from ..stores.base import Identity
from ..text.titles import clean_title
from .connected import find_connected
from .context import Context, Observation


def identity_of(source: Source, item: Item) -> Identity:
    """Return what names the sighting of an item, apart from its slot."""
    return Identity(source.id, item.guid, item.original_url, clean_title(item.title), item.kind)


def identity_of_sighting(sighting: Sighting) -> Identity:
    """Return what names a stored sighting, apart from its slot."""
    return Identity(sighting.source_id, sighting.guid, sighting.original_url, sighting.clean_title, sighting.kind)


class Arrival:
    """An item, when it was seen, and what is derived from it, each part only when it is asked for.

    Most items are unchanged repeats: their digest is enough to see that, else their title and text.
    """

    def __init__(
        self,
        item: Item,
        source: Source,
        context: Context,
        observation: Observation,
        digest: bytes = b"",
        prepared: Features | None = None,
    ) -> None:
        self.item = item
        self.observation = observation
        self.digest = digest
        self.clean_title = clean_title(item.title)
        self.identity = Identity(source.id, item.guid, item.original_url, self.clean_title, item.kind)
        self.source_identity = source.identity
        self._context = context
        self._prepared = prepared

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """The fingerprint of its text."""
        if self._prepared is not None:
            return self._prepared.fingerprint
        return derive_text(self.item, self._context.policy)

    @cached_property
    def features(self) -> Features:
        """Its keys; the source's stored identity is their scope. Recorded redirects count like the item's own."""
        context = self._context
        found = self._prepared or derive_features(
            self.item, self.source_identity, context.rules, context.policy, self.fingerprint
        )
        led_to = find_connected(context.unit, found.keys) if self.item.kind is Kind.ARTICLE else ()
        return add_redirected(found, led_to, context.rules) if led_to else found


def new_sighting(arrival: Arrival, slot: int) -> Sighting:
    """Return the sighting that an item is when its source never showed it before; not stored, so its ids are 0."""
    observation, features = arrival.observation, arrival.features
    return Sighting(
        id=0,
        record_id=0,
        source_id=arrival.identity.source_id,
        source=arrival.source_identity,
        kind=features.kind,
        guid=features.guid,
        original_url=features.original_url,
        clean_title=features.clean_title,
        slot=slot,
        keys=features.keys,
        versions=(new_version(arrival, VersionState.LATE if observation.late else VersionState.GOOD),),
        runs=((observation.fetch_no, observation.fetch_no),) if observation.fetch_no else (),
        first_seen_at=observation.observed_at,
        last_seen_at=observation.observed_at,
        last_fetch_no=observation.order_no,
        times=1,
        external_id=arrival.item.external_id,
        digest=b"" if observation.late else arrival.digest,
    )


def new_version(arrival: Arrival, state: VersionState) -> Version:
    """Return what an item says as a version; not stored, so its id is 0."""
    return Version(
        id=0,
        title=arrival.item.title,
        fingerprint=arrival.fingerprint,
        published=arrival.item.published,
        modified=arrival.item.modified,
        captured_at=arrival.observation.observed_at,
        fetch_no=arrival.observation.order_no,
        state=state,
    )
