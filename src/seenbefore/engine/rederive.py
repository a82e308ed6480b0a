"""Gives stored sightings the keys that other rules read from their addresses, and forms their records again.

The same functions derive them that derive those of an incoming item, from the item as it arrived. So a store
ends as if the rules had been there from the start, with every merge and split on the way journaled.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ..blocking import REDIRECT, derive_features
from ..case import GUID_COUNTER
from ..cluster import cluster_sightings
from ..log import log_event
from ..model import Event, Key, Kind, ReviewState, Sighting, Status, Strength, Trust
from ..policy import Policy
from ..rules import RuleKind, RulePack, Rules, rule_hosts
from ..stores.base import Address, Touch, Unit
from ..stores.base_merges import Snapshot, pair_of
from ..trust import find_switches
from ..urls import url_keys
from .apply import Applier, Delivery
from .connected import find_connected
from .context import Context
from .gather import Gatherer
from .layout import Layout
from .resolve import Group, find_verdicts, group_clusters
from .rulebook import in_force, read_version

RULES = "rules"
"""The cause of events that a change of rules set in motion, and where their detail names the version."""

BACK = "rollback"
"""Marks the events of a rollback among those of a version: they are not undone with it."""

_KINDS = ("url", "url_near", "site", "id")

Hosts = frozenset[str] | None
"""Hosts that a change concerns; None for every host."""


@dataclass(frozen=True, slots=True)
class Change:
    """From some rules to others, because of version ``v<number>``; ``hosts`` are those it concerns.

    ``back``: the version is taken back by it.
    """

    before: Rules
    after: Rules
    hosts: Hosts
    version_id: str
    back: bool = False

    @property
    def about(self) -> Mapping[str, object]:
        """What events say of it."""
        return {RULES: self.version_id, **({BACK: True} if self.back else {})}


@dataclass(frozen=True, slots=True)
class Reformed:
    """What became of some records: how many were taken over, taken apart; pairs that wait now."""

    merged: int = 0
    split: int = 0
    reviews: int = 0

    def __add__(self, other: Reformed) -> Reformed:
        return Reformed(self.merged + other.merged, self.split + other.split, self.reviews + other.reviews)


def is_step(event: Event, version_id: str, *, back: bool) -> bool:
    """Return whether an event is a step of the activation of a version, or with ``back`` of its rollback."""
    return event.detail.get(RULES) == version_id and bool(event.detail.get(BACK)) == back


def concerned_hosts(coming: Iterable[RulePack], going: Iterable[RulePack]) -> Hosts:
    """Return the hosts whose stored addresses may be read otherwise; None when that can be any host.

    So it is for a rule without hosts, for one that reads ids without an address (``doi:``), and for a wrapper that is
    no longer taken off: what it was taken off from is known by keys on the host it led to.
    """
    hosts: set[str] = set()
    packs = (*((pack, False) for pack in coming), *((pack, True) for pack in going))
    for rule, goes in ((rule, goes) for pack, goes in packs for rule in pack.rules):
        named = (*rule_hosts(rule), *((rule.to,) if rule.kind is RuleKind.ALIAS else ()))
        anywhere = not named or any(host.endswith(":") for host in named)
        if anywhere or (goes and rule.kind is RuleKind.UNWRAP):
            return None
        hosts.update(named)
    return frozenset(hosts)


def concerned_records(unit: Unit, hosts: Hosts, after: int = 0) -> list[int]:
    """Return the live records that a change may touch, by ascending id, behind ``after``."""
    if hosts is not None:
        return [record_id for record_id in unit.packs.find_records_on(hosts) if record_id > after]
    return [r.id for r in unit.records.find_records(after=after) if r.status is not Status.MERGED]


class Reformer:
    """Gives stored sightings other keys inside one open unit, and forms their records again."""

    def __init__(
        self,
        unit: Unit,
        rules: Rules,
        policy: Policy,
        now: datetime,
        cause: str,
        about: Mapping[str, object] | None = None,
    ) -> None:
        self.unit = unit
        self.policy = policy
        self.now = now
        self.context = Context(unit, rules, policy)
        self._cause = cause
        self._about = about

    def keys(self, sighting: Sighting) -> tuple[Key, ...]:
        """Return the keys that a sighting should have."""
        raise NotImplementedError

    def records(self, record_ids: Iterable[int], *, ask: bool = False) -> Reformed:
        """Derive the keys of all of them, then form again what that changed."""
        return self.form(self.rekey(record_ids), ask=ask)

    def rekey(self, record_ids: Iterable[int]) -> set[int]:
        """Derive the keys of these records; return which have to be formed again, these and others.

        That is what got or lost a key, and what shares a lost one: it is in dispute no more.
        """
        sightings = self.unit.records.get_sightings(record_ids)
        found = [replace(s, keys=self.keys(s)) for s in sightings]
        changed = [(s, before) for s, before in zip(found, sightings, strict=True) if set(s.keys) != set(before.keys)]
        if not changed:
            return set()
        lost = {key.address for s, before in changed for key in before.keys if key not in s.keys}
        beside = self._holders(lost)
        self.unit.records.touch([Touch(s.id, 0, 0, s.last_seen_at, s.keys) for s, _ in changed])
        self._store_keys(found, beside)
        switched: set[Address] = set()
        for sighting, before in changed:
            switched |= self._learn(sighting, {k.address for k in sighting.keys} - {k.address for k in before.keys})
        if switched:
            beside |= self._holders(switched)
            self._store_trust(beside | {sighting.record_id for sighting in sightings})
        return beside | {sighting.record_id for sighting, _ in changed}

    def form(self, pending: set[int], *, most: int = 0, ask: bool = False) -> Reformed:
        """Form records again and take them out of ``pending``, at most so many; 0 is all.

        With ``ask``, what falls apart waits for a person.
        """
        done, formed = Reformed(), 0
        for record_id in sorted(pending):
            if record_id in pending:  # else it was covered by one before
                pending.discard(record_id)
                done += self._form_again(record_id, pending, ask=ask)
                formed += 1
            if formed == most > 0:
                break
        return done

    def _holders(self, addresses: Iterable[Address]) -> set[int]:
        held = self.unit.records.find_record_ids(addresses)
        return {record_id for record_ids in held.values() for record_id in record_ids}

    def _store_keys(self, sightings: Sequence[Sighting], beside: Collection[int]) -> None:
        """Write the keys of these records, and mark what they share, or shared, with others."""
        here = {sighting.record_id for sighting in sightings}
        shared = self._holders({k.address for s in sightings for k in s.keys if k.strength is Strength.STRONG})
        outside = (shared | set(beside)) - here
        self.unit.records.set_keys(Layout.load(self.context, sightings, outside).keys())

    def _store_trust(self, record_ids: Iterable[int]) -> None:
        """Write what lost its trust, and mark the keys of these records again."""
        for trust in self.context.new_trust:
            self.unit.sources.add_trust(trust)
            source = f"s{trust.source_id}"
            log_event("trust_switched", source=source, kind=trust.kind, value=trust.value, reason=trust.reason)
        self.context.new_trust.clear()
        self._store_keys(self.unit.records.get_sightings(record_ids), ())

    def _learn(self, sighting: Sighting, gained: Collection[Address]) -> set[Address]:
        """Switch trust in new keys off where they prove to identify nothing, as if the item came now; return them."""
        switched = self._distrust_ids(sighting)
        names = {(kind, value): (kind, scope, value) for kind, scope, value in gained}
        others = [
            other
            for other in self.unit.records.get_sightings(self._holders(gained))
            if other.id != sighting.id and any(key.address in gained for key in other.keys)
        ]
        counts = GUID_COUNTER in self.context.traits[sighting.source]
        for switch in find_switches(sighting, others, self.policy, self.context.distrust, guids_count=counts):
            if (switch.kind, switch.value) in names:
                trust = Trust(sighting.source_id, switch.kind, switch.value, switch.reason, switch.detail, self.now)
                self.context.switch(trust)
                switched.add(names[switch.kind, switch.value])
        return switched

    def _distrust_ids(self, sighting: Sighting) -> set[Address]:
        """Switch trust in an id off that is read from an address which names nothing: it says no more than that."""
        told = {t.value: t for t in self.unit.sources.find_trust(sighting.source_id) if t.kind == "url"}
        here = {key.value for key in sighting.keys if key.kind == "url" and not key.scope}
        known, lost = self.context.distrust[sighting.source], dict[Address, Trust]()
        for address in sorted(here & told.keys()):
            lost |= {place: told[address] for place in self._ids_at(address) if (place[0], place[2]) not in known}
        for address in here - told.keys():
            for place in self._ids_at(address):
                lost.pop(place, None)
        for (kind, _, value), trust in lost.items():
            self.context.switch(replace(trust, kind=kind, value=value, since=self.now))
        return set(lost)

    def _ids_at(self, address: str) -> list[Address]:
        """What a site calls the page at an address, where that decides."""
        keys = url_keys(address, self.context.rules)
        return [key.address for key in keys if key.kind == "site" and key.strength is Strength.STRONG]

    def _form_again(self, record_id: int, pending: set[int], *, ask: bool) -> Reformed:
        """Form the clusters around a record again and store what came out; what was covered waits no more."""
        sightings = self.unit.records.get_sightings([record_id])
        if not sightings:
            return Reformed()  # it was taken over by one before
        found = Gatherer(self.context, lambda sighting: sighting).gather(sightings[0], [record_id])
        verdicts = find_verdicts(self.unit, found.members)
        clustering = cluster_sightings(found.members, found.pairs, verdicts)
        groups = group_clusters(found.members, clustering, self.now)
        waiting = [(found.members[i], found.members[j]) for i, j in clustering.waiting]
        if ask:
            waiting += _fallen_apart(groups)
        applier = Applier(self.context, self.now, Delivery(), about=self._occasion(groups))
        opened = applier.store_groups(groups, found.outside, self._cause, waiting=waiting)
        together = {sighting.record_id for sighting in found.members} | {record_id}
        self._form_questions(together, waiting)
        if not found.bound_hit:
            pending -= together
        return Reformed(
            merged=sum(len(group.absorbed) for group in groups),
            split=sum(bool(group.split_from) for group in groups),
            reviews=opened,
        )

    def _occasion(self, groups: Sequence[Group]) -> Mapping[str, object] | None:
        """What the events that are written say of their occasion."""
        return self._about

    def _form_questions(self, record_ids: Collection[int], waiting: Sequence[tuple[Sighting, Sighting]]) -> None:
        """Close what waits between these records and has no reason any more; here nothing does."""


class Rederiver(Reformer):
    """Gives stored sightings the keys that other rules read.

    ``asked`` is the time in which these rules were in force. Pairs that no item opened and that came to wait in that
    time wait no more, unless they still have a reason to.
    """

    def __init__(
        self,
        unit: Unit,
        change: Change,
        policy: Policy,
        now: datetime,
        asked: tuple[datetime, datetime] | None = None,
    ) -> None:
        super().__init__(unit, change.after, policy, now, RULES, change.about)
        self._change = change
        self._asked = asked
        self._redirected = unit.redirects.count_redirects() > 0

    def _occasion(self, groups: Sequence[Group]) -> Mapping[str, object] | None:
        """A rollback that joins anything does so for the rules that are left: theirs is the merge."""
        joining = [group for group in groups if group.absorbed]
        if self._asked is None or not joining:
            return self._about
        shared = {rule_id for group in joining for rule_id in _rules_between(group)}
        for version in sorted(in_force(self.unit.packs.list_versions()), key=lambda v: -v.number):
            if shared & {rule.id for rule in read_version(version).rules}:
                return {RULES: version.version_id}
        return None

    def _form_questions(self, record_ids: Collection[int], waiting: Sequence[tuple[Sighting, Sighting]]) -> None:
        if self._asked is None:
            return
        first, last = self._asked
        homes = self.unit.audit.find_homes(s.id for pair in waiting for s in pair)
        still = {frozenset(homes[s.id].record_id for s in pair if s.id in homes) for pair in waiting}
        gone = {
            pair_of(review): review
            for review in self.unit.reviews.find_reviews(record_ids)
            if review.state is ReviewState.WAITING
            and review.decision_id is None
            and first <= review.opened_at < last
            and frozenset(pair_of(review)) not in still
            and not self._is_asked(pair_of(review))
        }
        if gone:
            self.unit.merges.replace(Snapshot(reviews=gone), Snapshot())

    def _is_asked(self, pair: tuple[int, int]) -> bool:
        """Whether a rollback of other rules took these two apart: that question stays."""
        events = self.unit.journal.find_events(pair[0])
        apart = [event.record_numbers for event in events if event.event == "split" and event.detail.get(BACK)]
        return any(set(pair) <= set(record_ids) for record_ids in apart)

    def keys(self, sighting: Sighting) -> tuple[Key, ...]:
        """Return the keys of a sighting: what the new rules read, and what neither rules have to do with.

        In the order in which an item gets them, so that rules and their rollback leave a row as it was.
        """
        before = self._derive(sighting, self._change.before)
        after = self._derive(sighting, self._change.after)
        self._add_connected(sighting, before, after)
        if before == after:
            return sighting.keys
        stored = {key.address: key for key in sighting.keys}
        read = {
            address: stored[address] if address in stored and before.get(address) == key else key
            for address, key in after.items()
            if address in stored or key.kind in _KINDS
        }
        others = {address: key for address, key in stored.items() if address not in before and address not in read}
        return (*read.values(), *others.values())

    def _add_connected(self, sighting: Sighting, before: dict[Address, Key], after: dict[Address, Key]) -> None:
        """Add the keys of addresses that recorded redirects connect with those of the sighting."""
        if sighting.kind is not Kind.ARTICLE or not self._redirected:
            return
        for address in find_connected(self.unit, (*before.values(), *after.values())):
            for keys, rules in ((before, self._change.before), (after, self._change.after)):
                for key in url_keys(address, rules):
                    keys.setdefault(key.address, replace(key, rule_id=REDIRECT))

    def _derive(self, sighting: Sighting, rules: Rules) -> dict[Address, Key]:
        source = self.context.know(sighting.source_id)
        found: dict[Address, Key] = {}
        for version in sighting.versions:
            item = self.unit.records.get_item(version.id)
            derived = derive_features(item, source.identity, rules, self.policy, version.fingerprint)
            for key in derived.keys:
                found.setdefault(key.address, key)
        return found


def _rules_between(group: Group) -> set[str]:
    """The rules behind the keys that sightings of different records of a group share."""
    holders: dict[Address, set[int]] = {}
    rules: dict[Address, set[str]] = {}
    for member in group.members:
        for key in member.keys:
            holders.setdefault(key.address, set()).add(member.record_id)
            rules.setdefault(key.address, set()).add(key.rule_id)
    return {rule_id for address, ids in holders.items() if len(ids) > 1 for rule_id in rules[address] if rule_id}


def _fallen_apart(groups: Sequence[Group]) -> list[tuple[Sighting, Sighting]]:
    """One pair for each group that leaves a record: a sighting that goes, and one that stays."""
    stays: dict[int, Sighting] = {}
    for group in groups:
        for member in group.members:
            if member.record_id in (group.record_id, *group.absorbed):
                stays.setdefault(member.record_id, member)
    pairs = []
    for group in groups:
        for origin in group.split_from:
            gone = next(member for member in group.members if member.record_id == origin)
            if origin in stays:
                pairs.append((stays[origin], gone))
    return pairs
