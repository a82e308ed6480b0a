"""Items that meet nothing: no stored key, no key of another item of the unit. They are new by themselves.

For such an item there is nothing to gather, compare, learn or join, so its record, sighting, version,
keys and decision are made here and written together, with the same result as on the long path.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from ..decide import decide_alone
from ..model import Decision, Evidence, Key, Sighting, Status, Strength, Supports
from ..stores.base import Address, Fresh, Identity
from ..survive import survive
from .announce import log_decision
from .apply import Delivery, make_decision, observation_key, record_keys
from .arrival import Arrival
from .context import Context


class FreshWriter:
    """Collects the items of a unit that meet nothing, and writes them in few statements."""

    def __init__(self, context: Context, now: datetime, delivery: Delivery) -> None:
        self._context = context
        self._now = now
        self._delivery = delivery
        self._held: set[Address] = set()
        self._names: set[Identity] = set()
        self._waiting: list[Fresh] = []
        self.decisions: list[Decision] = []

    def look_ahead(self, addresses: Iterable[Address]) -> None:
        """Look up which of these key addresses a stored record has."""
        self._held |= self._context.unit.bulk.find_held(addresses)

    def note(self, identity: Identity, keys: Iterable[Key]) -> None:
        """Remember what an item of the unit is known by; what shares any of it later meets something."""
        self._names.add(identity)
        self._held |= {key.address for key in keys}

    def meets_nothing(self, arrival: Arrival) -> bool:
        """Return whether nothing stored and nothing in this unit shares a usable key with the item."""
        if arrival.observation.late or arrival.identity in self._names:
            return False
        distrusted = self._context.distrust[arrival.source_identity]
        return not any(
            key.address in self._held
            for key in arrival.features.keys
            if key.strength is not Strength.DISTRUSTED and (key.kind, key.value) not in distrusted
        )

    def take(self, sighting: Sighting, arrival: Arrival, flags: tuple[str, ...]) -> None:
        """Note the item to be written with the next flush."""
        version = sighting.versions[-1]
        distrusted = self._context.distrust[sighting.source]
        shares = any(
            key.strength is Strength.DISTRUSTED or (key.kind, key.value) in distrusted for key in sighting.keys
        )
        answer = decide_alone(shares_distrusted_key=shares)
        decision = make_decision(arrival.item, answer, None, self._context, self._now)
        if shares:
            decision = replace(decision, evidence=(Evidence("shared_key", True, Supports.UNKNOWN),))
        history = ("history",) if self._delivery.history else ()
        self._waiting.append(
            Fresh(
                record=survive([sighting], 0, Status.ACTIVE, self._context.is_poor),
                sighting=sighting,
                version=version,
                item=arrival.item,
                observation_key=observation_key(sighting, version, 0),
                keys=tuple(record_keys([sighting], set(), self._context)),
                decision=replace(decision, flags=(*flags, *history)),
                deliver=not self._delivery.history,
            )
        )
        self.note(arrival.identity, sighting.keys)

    def flush(self) -> None:
        """Write what waits."""
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        stored = self._context.unit.bulk.add_fresh(waiting)
        self.decisions += stored
        for fresh, decision in zip(waiting, stored, strict=True):
            self._context.tally.decided(fresh.sighting.source_id, fresh.sighting.first_seen_at, decision)
            log_decision(decision)
