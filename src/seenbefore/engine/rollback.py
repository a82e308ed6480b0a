"""Takes rules out of force again: their keys go, the merges journaled under them are undone, the rest is asked.

A merge that nothing rests on is put back byte for byte. Where a later event stands in the way, and where an item
was joined on arrival by a key of these rules, the records fall apart by themselves once the key is gone; each
such pair waits for a person. No cannot-link is written: the rules were wrong, not the pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime

from ..errors import CannotActivate
from ..log import log_event
from ..model import Event, RuleState, RuleVersion
from ..policy import Policy
from ..stores.base import Store, Unit
from .activate import PAGE, Activation, Clock, check_unchanged, derive_pages, replaced_by
from .context import Context
from .rederive import RULES, Change, Rederiver, Reformed, concerned_hosts, concerned_records, is_step
from .rulebook import RuleBook, in_force, read_version
from .undo import find_undoability, undo_step


@dataclass(frozen=True, slots=True)
class Blocked:
    """A merge that cannot be put back as it was, and why; its records fall apart all the same."""

    event: Event
    reason: str


@dataclass(frozen=True, slots=True)
class RollbackPlan:
    """What a rollback would do: steps to undo, newest first, those that cannot be, and the records concerned.

    ``would`` says what else becomes of records, once it was tried on a copy.
    """

    version: RuleVersion
    steps: tuple[Event, ...]
    blocked: tuple[Blocked, ...]
    record_ids: tuple[int, ...]
    would: Reformed = field(default_factory=Reformed)


def plan_rollback(store: Store, book: RuleBook, number: int) -> RollbackPlan:
    """Return what taking version ``v<number>`` back would do; writes nothing.

    Raises:
        NotFound: there is no such version.
        CannotActivate: it is taken back already, or a later version of the same pack is in force.
    """
    with store.reading() as unit:
        version = _check(unit, number)
        change = _change(unit, book, version)
        steps, blocked = _find_steps(unit, version)
        record_ids = concerned_records(unit, change.hosts)
        return RollbackPlan(version, tuple(steps), tuple(blocked), tuple(record_ids))


def rehearse_rollback(store: Store, book: RuleBook, policy: Policy, clock: Clock, plan: RollbackPlan) -> RollbackPlan:
    """Return the plan with what it leads to, tried on a scratch copy."""
    with closing(store.scratch_copy()) as copy:
        *_, done = roll_back(copy, RuleBook(book.base), policy, clock, plan.version.number)
        return replace(plan, would=done.reformed)


def roll_back(
    store: Store, book: RuleBook, policy: Policy, clock: Clock, number: int, *, author: str = "", page: int = PAGE
) -> Iterator[Activation]:
    """Yield how far the rollback has come after each step is committed; once at least. Resumable.

    Raises:
        NotFound, CannotActivate: as ``plan_rollback``; nothing was written.
        StoreError: a step could not be written; those before it stand, and the same call goes on behind them.
    """
    with store.unit() as unit:
        version = _check(unit, number)
        pending = None if version.state is RuleState.ROLLING_BACK else set[int]()
        if pending is not None:
            version = replace(version, state=RuleState.ROLLING_BACK, done=0, rolled_back_at=clock())
            unit.packs.update_version(version)
        change = _change(unit, book, version)
        steps, _ = _find_steps(unit, version)
        stamp = unit.packs.stamp()
    for together in _group(steps):
        with store.unit() as unit:
            check_unchanged(unit, stamp, version)
            changed = _undo(unit, change, policy, clock(), together, author)
        pending = None if pending is None else pending | changed
    yield from derive_pages(store, policy, clock, change, version, stamp, page=page, pending=pending)
    log_event("rules_rolled_back", version=version.version_id, pack=f"{version.pack}@{version.pack_version}")


def _check(unit: Unit, number: int) -> RuleVersion:
    version = unit.packs.get_version(number)
    if version.state is RuleState.ROLLED_BACK:
        raise CannotActivate("it is taken back already", version.version_id)
    later = [v for v in in_force(unit.packs.list_versions()) if v.pack == version.pack and v.number > number]
    if later:
        newer = later[0].version_id
        raise CannotActivate(f"{newer} came later and holds the same pack; take {newer} back first", version.version_id)
    return version


def _change(unit: Unit, book: RuleBook, version: RuleVersion) -> Change:
    """From the rules with the version to those without it."""
    others = in_force(unit.packs.list_versions(), but=(version.number,))
    same_pack = [other for other in others if other.pack == version.pack]
    rest = [other for other in others if other.pack != version.pack]
    after = book.with_versions([*rest, *same_pack])
    before = book.with_versions([*rest, version])
    pack = read_version(version)
    coming = replaced_by(pack, after)
    return Change(before, after, concerned_hosts(coming, [pack]), version.version_id, back=True)


def _find_steps(unit: Unit, version: RuleVersion) -> tuple[list[Event], list[Blocked]]:
    """Merges and splits journaled under a version, newest first, as far as only each other stand in the way."""
    mine = [
        event
        for event in unit.journal.find_events()
        if event.event in ("merged", "split") and is_step(event, version.version_id, back=False)
    ]
    numbers = {event.number for event in mine}
    steps, blocked = [], []
    stuck: set[int] = set()
    for event in sorted(mine, key=lambda event: event.number or 0, reverse=True):
        found = find_undoability(unit, event)
        if found.state == "undone":
            continue
        by_mine = found.by is not None and found.by.number in numbers and found.by.number not in stuck
        if found.state == "undoable" or (found.state == "blocked" and by_mine):
            steps.append(event)
        else:
            stuck.add(event.number or 0)
            blocked.append(Blocked(event, found.reason))
    return steps, blocked


def _group(steps: Sequence[Event]) -> list[list[Event]]:
    """The steps that touch common records together, each group newest first."""
    groups: dict[int, list[Event]] = {}  # of each record: the group it is in
    for event in steps:
        touched = {id(group): group for record in event.record_numbers if (group := groups.get(record))}
        together, *others = sorted(touched.values(), key=len, reverse=True) or [[]]
        for joining in ([event], *others):  # the smaller ones move
            together.extend(joining)
            groups.update((record, together) for each in joining for record in each.record_numbers)
    found = {id(group): group for group in groups.values()}
    return [sorted(group, key=lambda event: event.number or 0, reverse=True) for group in found.values()]


def _undo(unit: Unit, change: Change, policy: Policy, now: datetime, steps: Sequence[Event], author: str) -> set[int]:
    """Undo steps that hang together, and in the same unit take the keys away that would bring them back.

    Returns the records that have to be formed again.
    """
    records: set[int] = set()
    for event in steps:
        if find_undoability(unit, event).state == "undoable":
            context = Context(unit, change.after, policy)
            undo_step(context, event, now, author=author, cause=RULES, about=change.about, keep_apart=False)
            records.update(event.record_numbers)
    return Rederiver(unit, change, policy, now).rekey(records)
