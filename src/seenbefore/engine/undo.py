"""Takes a merge or a split back, and writes down what keeps it so.

The rows are put back as they were when nothing came to them since. Otherwise the sightings that were there
go home, what came later goes where the rules lead it (else it stays where it is), and rows and keys follow
from that. Either way nothing is lost, and the next item does not bring the merge back (``merging.holding``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from ..cluster import cluster_sightings
from ..errors import CannotUndo
from ..log import log_event
from ..merging.holding import Verdicts, hold
from ..merging.images import count_later, put_back, records_of, stands
from ..merging.own_store import carry_out
from ..merging.plan import Derived, MergePlan, rearrange
from ..merging.undoing import Undoability, judge_undo
from ..model import Event, Label, Review, ReviewState, Sighting, Status, Verdict
from ..policy import Policy
from ..stores.base import Store, Unit
from ..stores.base_merges import Pair, Snapshot
from .announce import announce_unheard
from .context import MASS_CHANGE, Context
from .gather import Gatherer, Neighborhood
from .layout import Layout
from .resolve import find_verdicts
from .rulebook import RuleSource
from .undo_moves import find_joined, take_back


@dataclass(frozen=True, slots=True)
class Kept:
    """What came after the step and stands in this record now: new sightings, and new versions of known ones."""

    record_id: str
    sightings: int
    versions: int


@dataclass(frozen=True, slots=True)
class Undone:
    """What was taken back (or, in a dry run, would be: ``undone`` is None then).

    ``exact``: the rows stand again as they stood, down to the last byte. ``record_ids`` are those of the event
    that are live now. ``labels`` counts the pairs of sightings that are kept apart, or together, from now on;
    ``reviews`` the pairs of records that wait for a person again.
    """

    event: Event
    undone: Event | None
    exact: bool
    record_ids: tuple[str, ...]
    kept: tuple[Kept, ...]
    labels: int
    reviews: int


def undo_event(
    store: Store,
    rules: RuleSource,
    policy: Policy,
    now: datetime,
    number: int,
    author: str = "",
    *,
    dry_run: bool = False,
) -> Undone:
    """Take event ``m<number>`` back and return what that did; with ``dry_run`` what it would do.

    Raises:
        NotFound: there is no such event.
        CannotUndo: it moved nothing, is undone already, or a later one stands in the way.
    """
    with store.reading() if dry_run else store.unit() as unit:
        context = Context(unit, rules, policy)
        undone = unit.journal.get_event(number)
        _check(unit, undone)
        if undone.event == MASS_CHANGE:
            return _undo_moves(context, undone, now, author, dry_run=dry_run)
        if dry_run:
            return _plan(context, undone).told(None)
        return undo_step(context, undone, now, author=author)


def undo_step(
    context: Context,
    undone: Event,
    now: datetime,
    *,
    author: str = "",
    cause: str = "person",
    about: Mapping[str, object] | None = None,
    keep_apart: bool = True,
) -> Undone:
    """Take a merge or a split that can be undone back, inside an open unit.

    With ``keep_apart`` verdicts are written that keep it so; without them the caller removes what had led to it.
    """
    unit, undo = context.unit, _plan(context, undone)
    event = _event(undone, undone.record_numbers, undo.survivor_id, now, author, exact=undo.exact)
    event = replace(event, cause=cause, detail={**event.detail, **(about or {})})
    event = carry_out(unit, undo.plan, event, undoable=False)
    if keep_apart:
        for (a, b), verdict in undo.verdicts.items():
            unit.reviews.add_label(Label(undo.members[a].id, undo.members[b].id, verdict, author, now))
    announce_unheard(context, now, undone.record_numbers, history="history" in event.detail)
    return undo.told(event)


def _check(unit: Unit, event: Event) -> None:
    answer = find_undoability(unit, event)
    if answer.state != "undoable":
        raise CannotUndo(event.event_id or "", answer.reason, answer.by.event_id if answer.by else None)


def _event(
    undone: Event, records: tuple[int, ...], survivor_id: int | None, now: datetime, author: str, *, exact: bool
) -> Event:
    detail: dict[str, object] = {"undoes": undone.event_id, "author": author, "exact": exact}
    if undone.detail.get("history"):
        detail["history"] = True
    return Event(None, None, "undone", records, survivor_id, "person", now, detail)


def _undo_moves(context: Context, undone: Event, now: datetime, author: str, *, dry_run: bool) -> Undone:
    """Take a whole mass change back."""
    unit = context.unit
    joined = find_joined(unit, undone)
    if not joined:
        raise CannotUndo(undone.event_id or "", "none of its entries is joined with what it was any more")
    if dry_run:
        return Undone(
            undone, None, False, tuple(f"r{r}" for r in sorted(joined)), (), sum(map(len, joined.values())), 0
        )
    history = bool(undone.detail.get("history"))
    taken = take_back(unit, context, undone, now, author, history=history)
    event = unit.journal.add_event(_event(undone, taken.record_ids, None, now, author, exact=False))
    log_event("records_undone", id=event.event_id, records=len(taken.record_ids))
    return Undone(undone, event, False, event.record_ids, (), taken.labels, 0)


def find_undoability(unit: Unit, event: Event) -> Undoability:
    """Return whether an event can be undone now, and what stands in the way."""
    others = {e.number: e for record_id in event.record_numbers for e in unit.journal.find_events(record_id)}
    kept = unit.merges.find_images(event.number or 0) is not None
    return judge_undo(event, others.values(), kept=kept)


@dataclass(frozen=True, slots=True)
class _Undo:
    """An undo that is planned and not written yet."""

    event: Event
    plan: MergePlan
    exact: bool
    later: Mapping[int, str]
    members: Sequence[Sighting]
    verdicts: Verdicts

    @property
    def survivor_id(self) -> int | None:
        """The record that what was split is part of again."""
        rows = self.plan.after.records
        merged = [rows[r].survivor_id for r in self.plan.record_ids if rows[r].status is Status.MERGED]
        return merged[0] if merged else None

    def told(self, event: Event | None) -> Undone:
        before, after = self.plan.before, self.plan.after
        live = [r for r in self.plan.record_ids if after.records[r].status is not Status.MERGED]
        places = Counter((after.sightings[s].record_id, what) for s, what in self.later.items())
        kept = [Kept(f"r{r}", places[r, "sighting"], places[r, "version"]) for r in sorted({r for r, _ in places})]
        waiting = {pair for pair, review in after.reviews.items() if review.state is ReviewState.WAITING}
        waited = {pair for pair, review in before.reviews.items() if review.state is ReviewState.WAITING}
        return Undone(
            event=self.event,
            undone=event,
            exact=self.exact,
            record_ids=tuple(f"r{r}" for r in sorted(live)),
            kept=tuple(kept),
            labels=len(self.verdicts),
            reviews=len(waiting - waited),
        )


def _plan(context: Context, event: Event) -> _Undo:
    images = context.unit.merges.find_images(event.number or 0)
    assert images is not None  # or it would not be undoable
    return _Planner(context.unit, context, event, *images).plan()


class _Planner:
    """Plans the undo of one event whose images are known; reads only."""

    def __init__(self, unit: Unit, context: Context, event: Event, before: Snapshot, after: Snapshot) -> None:
        self._unit = unit
        self._context = context
        self._event = event
        self._before = before
        self._after = after
        self._records = tuple(sorted({*event.record_numbers}))
        self._found = self._gather()
        self._position = {s.id: i for i, s in enumerate(self._found.members)}

    def plan(self) -> _Undo:
        """Return the planned undo."""
        verdicts = self._hold()
        layout = Layout.load(self._context, self._found.members, self._found.outside)
        after = layout.moved(self._homes(verdicts))
        verdicts |= self._lift(verdicts, after)
        keys, keys_after = layout.keys(), after.keys()
        changed = {r for r, several in keys_after.items() if r not in keys or set(several) != set(keys[r])}
        current = self._unit.merges.snapshot({*self._records, *changed, *self._touched()})
        target = self._derive(current, after, changed)
        exact = False
        if stands(current, self._before, self._after):
            restored = put_back(current, self._before, self._after)
            exact = restored.keys == target.keys  # else another record came to share a key, or no longer does
            target = restored if exact else target
        plan = MergePlan(self._records, current, target)
        later = count_later(current, self._after, self._records)
        return _Undo(self._event, plan, exact, later, self._found.members, verdicts)

    def _touched(self) -> frozenset[int]:
        """Records whose keys the event changed, besides those that it is about."""
        return records_of(Snapshot(keys=self._before.keys), Snapshot(keys=self._after.keys))

    def _gather(self) -> Neighborhood:
        """The neighborhood of everything that stands in the event's records now."""
        sightings = self._unit.records.get_sightings(self._records)
        for sighting in sightings:
            self._context.know(sighting.source_id)
        return Gatherer(self._context, lambda sighting: sighting).gather(sightings[0], self._records)

    def _sides(self) -> dict[int, set[int]]:
        """The sightings of each record before the event, by their positions."""
        sides: dict[int, set[int]] = {}
        for sighting_id, placed in self._before.sightings.items():
            sides.setdefault(placed.record_id, set()).add(self._position[sighting_id])
        return sides

    def _hold(self) -> Verdicts:
        members, pairs = self._found.members, self._found.pairs
        return hold(members, pairs, find_verdicts(self._unit, members), list(self._sides().values()))

    def _lift(self, said: Verdicts, after: Layout) -> Verdicts:
        """Cannot-links inside a record that is joined again do not outlive that, whatever came to it since."""
        verdicts = {**find_verdicts(self._unit, self._found.members), **said}
        homes = [after.home(sighting.id) for sighting in self._found.members]
        lifted = [(i, j) for (i, j), v in verdicts.items() if v is Verdict.DIFFERENT and homes[i] == homes[j]]
        return dict.fromkeys((pair for pair in lifted if homes[pair[0]] in self._records), Verdict.SAME)

    def _homes(self, said: Verdicts) -> dict[int, int]:
        """Where the sightings of the event's records belong: home, or as the rules have it, or where they are."""
        members = self._found.members
        verdicts = {**find_verdicts(self._unit, members), **said}
        sides = self._sides()
        homes = {s: placed.record_id for s, placed in self._before.sightings.items()}
        for cluster in cluster_sightings(members, self._found.pairs, verdicts).clusters:
            drawn = [record_id for record_id, side in sides.items() if side & cluster]
            for member in (members[position] for position in sorted(cluster)):
                if member.id not in homes and len(drawn) == 1 and member.record_id in self._records:
                    homes[member.id] = drawn[0]
        return homes

    def _derive(self, current: Snapshot, after: Layout, changed: Collection[int]) -> Snapshot:
        """The rows as they follow from where the sightings belong."""
        redirects = self._redirects(current, after)
        rows = {r: after.row(r, self._status(current, r)) for r in self._records if r not in redirects}
        keys = after.keys()
        derived = {r: keys.get(r, ()) for r in {*self._records, *changed}}
        homes = {s.id: r for r, several in after.members.items() for s in several if r in self._records}
        return rearrange(replace(current, reviews=self._reviews(current)), homes, redirects, Derived(rows, derived))

    def _redirects(self, current: Snapshot, after: Layout) -> dict[int, int]:
        """Pointers as they were, unless something else moved them since, or is left in the record."""
        found = {}
        for record_id, row in self._before.records.items():
            now, then = current.records.get(record_id), self._after.records[record_id]
            moved = now is None or now.survivor_id != then.survivor_id
            if row.survivor_id and not moved and record_id not in after.members:
                found[record_id] = row.survivor_id
        return found

    def _status(self, current: Snapshot, record_id: int) -> Status:
        """A live record keeps what a person made of it since; a merged one is what it was."""
        status = current.records[record_id].status
        return self._before.records[record_id].status if status is Status.MERGED else status

    def _reviews(self, current: Snapshot) -> dict[Pair, Review]:
        """Pairs that the event closed wait again, those it opened go; what somebody decided since stays.

        A pair that went on with the survivor and was decided there is decided.
        """
        reviews = dict(current.reviews)
        for pair in self._before.reviews.keys() | self._after.reviews.keys():
            if reviews.get(pair) != self._after.reviews.get(pair):
                continue
            reviews.pop(pair, None)
            if pair in self._before.reviews:
                reviews[pair] = self._before.reviews[pair]
                decided = current.reviews.get(self._went_on(pair), reviews[pair])
                if decided.state is not ReviewState.WAITING:
                    reviews[pair] = replace(reviews[pair], state=decided.state)
        return reviews

    def _went_on(self, pair: Pair) -> Pair:
        """The pair that a pair became by the event; one and the same record twice when it was merged itself."""
        rows = [(record_id, self._after.records.get(record_id)) for record_id in pair]
        one, other = sorted((row.survivor_id if row else None) or record_id for record_id, row in rows)
        return (one, other)
