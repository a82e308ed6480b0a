"""Puts somebody's rules into force: a new version in the store, then its keys, page by page, resumably."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from ..errors import CannotActivate
from ..log import log_event
from ..model import RuleState, RuleVersion
from ..policy import Policy
from ..rules import RulePack, Rules, parse_pack
from ..stores.base import Store, Unit
from ..urls.proving import prove_pack
from .rederive import Change, Rederiver, Reformed, concerned_hosts, concerned_records, is_step
from .rulebook import RuleBook, in_force

PAGE = 100

_LATEST = 1000
"""So many events are read first to find those of a time."""

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Activation:
    """How far an activation or a rollback has come: ``done`` of ``total`` records, and what it did until now."""

    version: RuleVersion
    done: int = 0
    total: int = 0
    reformed: Reformed = field(default_factory=Reformed)


@dataclass(frozen=True, slots=True)
class Proposed:
    """A pack that may be activated, with the rules as they are without it and as they would be with it.

    ``begun`` is its activation that was cut off.
    """

    pack: RulePack
    text: str
    before: Rules
    after: Rules
    begun: RuleVersion | None = None

    @property
    def change(self) -> Change:
        """What its activation changes."""
        replaced = replaced_by(self.pack, self.before)
        return Change(self.before, self.after, concerned_hosts([self.pack, *replaced], replaced), "")


def propose(unit: Unit, book: RuleBook, text: str, where: str) -> Proposed:
    """Return a pack laid over the rules in force, proved by its own pairs.

    Raises:
        InvalidRule: it breaks the schema, or a pair does not hold under all rules together.
        CannotActivate: this pack is in force already, an older version of it would take its place, or something that
            was begun with it was cut off.
    """
    pack = parse_pack(where, text)
    versions = unit.packs.list_versions()
    begun = _begun(versions, pack, text, where)
    present = in_force(versions, but=[begun.number] if begun else [])
    _check_newer(pack, text, present, where)
    if any(own.name == pack.name for own in book.base.packs if own.own):
        raise CannotActivate("the caller passes this pack in by itself (--rules); leave that out", where)
    new = RuleVersion(0, pack.name, pack.version, text, RuleState.ACTIVATING, datetime.min)
    rules = book.with_versions([*(version for version in present if version.pack != pack.name), new])
    prove_pack(pack, rules, where)
    return Proposed(pack, text, book.with_versions(present), rules, begun)


def _begun(versions: Iterable[RuleVersion], pack: RulePack, text: str, where: str) -> RuleVersion | None:
    """The version of this very text whose activation was cut off."""
    for version in versions:
        if version.pack == pack.name and version.state is RuleState.ROLLING_BACK:
            raise CannotActivate(
                f"taking {version.version_id} back was cut off; end that first: "
                f"seenbefore rules rollback {version.version_id} --apply",
                where,
            )
        if version.pack == pack.name and version.state is RuleState.ACTIVATING:
            if version.text == text:
                return version
            raise CannotActivate(
                f"the activation of another text of this pack was cut off; activate that one again, "
                f"or take it back: seenbefore rules rollback {version.version_id} --apply",
                where,
            )
    return None


def _check_newer(pack: RulePack, text: str, versions: Iterable[RuleVersion], where: str) -> None:
    for present in versions:
        if present.pack == pack.name and present.text == text:
            raise CannotActivate(f"{pack.name} {pack.version} is in force already, as {present.version_id}", where)
        if present.pack == pack.name and pack.version <= present.pack_version:
            raise CannotActivate(
                f"{pack.name} {present.pack_version} is in force, as {present.version_id}; "
                f"a changed pack needs a greater 'version' than that",
                where,
            )


def replaced_by(pack: RulePack, rules: Rules) -> list[RulePack]:
    """Return what a pack takes the place of: the pack of its name, and single rules with the ids of its own."""
    ids = {rule.id for rule in pack.rules}
    single = [RulePack(p.name, p.version, tuple(r for r in p.rules if r.id in ids)) for p in rules.packs]
    return [other for other in rules.packs if other.name == pack.name] + [other for other in single if other.rules]


def activate(  # noqa: PLR0913 - the four parts of an engine, and what is said of the act
    store: Store,
    book: RuleBook,
    policy: Policy,
    clock: Clock,
    text: str,
    where: str,
    *,
    author: str = "",
    forced: str = "",
    collisions: int = 0,
    page: int = PAGE,
) -> Iterator[Activation]:
    """Yield how far the activation has come after each page is committed; once at least.

    An activation that was cut off is gone on with when the same pack is activated again.

    Raises:
        InvalidRule, CannotActivate: as ``propose``; nothing was written.
        StoreError: a page could not be written; those before it stand, and the same call goes on behind them.
    """
    with store.unit() as unit:
        proposed = propose(unit, book, text, where)
        version = proposed.begun or unit.packs.add_version(
            RuleVersion(
                0, proposed.pack.name, proposed.pack.version, text, RuleState.ACTIVATING, clock(),
                author=author, forced=forced, collisions=collisions,
            )
        )  # fmt: skip
        version_id = version.version_id
        change = replace(proposed.change, version_id=version_id)
        stamp = unit.packs.stamp()
    pending = set[int]() if proposed.begun is None else None
    yield from derive_pages(store, policy, clock, change, version, stamp, page=page, pending=pending)
    log_event("rules_activated", version=version.version_id, pack=f"{version.pack}@{version.pack_version}")


def derive_pages(
    store: Store,
    policy: Policy,
    clock: Clock,
    change: Change,
    version: RuleVersion,
    stamp: int,
    *,
    page: int = PAGE,
    pending: set[int] | None = None,
) -> Iterator[Activation]:
    """Yield how far the records that a change concerns have come, after each page; the last step ends the change.

    First all get their keys, then those that ``pending`` names and those that got others are formed again: a record
    would join the wrong one as long as a third has not got the keys that dispute it. Where it was cut off in between,
    ``pending`` is None, and all are formed again.

    ``stamp`` is that of the rules that the change was made of.

    Raises:
        CannotActivate: somebody changed the rules meanwhile; pages before that stand, and the same call goes on.
        StoreError: a page could not be written; those before it stand.
    """
    asked = (version.activated_at, version.rolled_back_at or version.activated_at) if change.back else None

    def rederiver(unit: Unit) -> Rederiver:
        check_unchanged(unit, stamp, version)
        return Rederiver(unit, change, policy, clock(), asked)

    with store.reading() as unit:
        record_ids = concerned_records(unit, change.hosts)
    waiting = set(record_ids) if pending is None else set(pending)
    total, todo = len(record_ids), [record_id for record_id in record_ids if record_id > version.done]
    for start in range(0, len(todo), page):
        part = todo[start : start + page]
        with store.unit() as unit:
            waiting |= rederiver(unit).rekey(part)
            version = replace(version, done=part[-1])
            unit.packs.update_version(version)
        yield Activation(version, total - len(todo) + start + len(part), total)
    reformed = Reformed()
    while waiting:
        with store.unit() as unit:
            reformed += rederiver(unit).form(waiting, most=page, ask=change.back)
        yield Activation(version, total, total, reformed)
    with store.unit() as unit:
        moved = _moved_meanwhile(unit, change, version)
        reformed += rederiver(unit).records(moved, ask=change.back)
        version = replace(version, state=RuleState.ROLLED_BACK if change.back else RuleState.ACTIVE)
        version = replace(version, rolled_back_at=clock()) if change.back else version
        unit.packs.update_version(version)
    yield Activation(version, total, total, reformed)


def check_unchanged(unit: Unit, stamp: int, version: RuleVersion) -> None:
    """Return when nobody changed the rules since; raises CannotActivate."""
    if unit.packs.stamp() != stamp:
        raise CannotActivate("other rules came into force meanwhile; give the same command again", version.version_id)


def _moved_meanwhile(unit: Unit, change: Change, version: RuleVersion) -> set[int]:
    """Records that something else merged or took apart since the change began: some may have come past the pages."""
    since = version.rolled_back_at if change.back and version.rolled_back_at else version.activated_at
    found: set[int] = set()
    window, events = _LATEST, unit.journal.find_events(limit=_LATEST)
    while len(events) == window and events[0].happened_at >= since:
        window *= 4
        events = unit.journal.find_events(limit=window)
    for event in events:
        if event.happened_at >= since and not is_step(event, change.version_id, back=change.back):
            found.update(event.record_numbers)
    return found
