"""Carries plans out in our own store: check, write, look again, journal. Any doubt raises and rolls back."""

from __future__ import annotations

from ..errors import StoreError
from ..log import log_event
from ..model import Event
from ..stores.base import Unit
from .images import difference
from .plan import MergePlan, find_losses


def carry_out(unit: Unit, plan: MergePlan, event: Event, *, undoable: bool = True) -> Event:
    """Write a plan and journal it; return the event with its id.

    An undoable event is kept with images of what it changed.

    Raises:
        StoreError: the plan would lose something, or the rows read back are not those of the plan.
    """
    losses = list(find_losses(plan.before, plan.after))
    if losses:
        raise StoreError(f"{event.event} of {', '.join(event.record_ids)} would lose {', '.join(losses)}")
    unit.merges.replace(plan.before, plan.after)
    if unit.merges.snapshot(plan.before.of) != plan.after:
        raise StoreError(f"{event.event} of {', '.join(event.record_ids)} did not end as planned")
    stored = unit.journal.add_event(event)
    if undoable and stored.number is not None:
        unit.merges.add_images(stored.number, *difference(plan.before, plan.after, plan.record_ids))
    names = ",".join(stored.record_ids)
    log_event(f"records_{stored.event}", id=stored.event_id, records=names, survivor=stored.survivor_id)
    return stored
