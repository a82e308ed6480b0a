"""Whether an event can be undone, and what stands in the way. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..model import Event

_STEPS = ("merged", "split")
"""Events that moved rows. They are undone newest first, because each rests on the ones before it."""

_BY_VERDICT = "mass_change"
"""Joined by verdicts alone, so it can be undone at any time."""


@dataclass(frozen=True, slots=True)
class Undoability:
    """``state`` is one of undoable, undone, blocked, not_kept and no_move; ``by`` the event that says so."""

    state: str
    by: Event | None = None

    @property
    def reason(self) -> str:
        """Why not, and what to do about it, for people; '' for what can be undone."""
        name = self.by.event_id if self.by else ""
        return {
            "undone": f"it is undone already ({name})",
            "blocked": f"{name} came later and touches the same records; undo {name} first",
            "not_kept": "it was written before undo was possible, so nothing tells what it changed",
            "no_move": "it moved nothing; a verdict is changed by another one (seenbefore label)",
        }.get(self.state, "")


def judge_undo(event: Event, others: Iterable[Event], *, kept: bool) -> Undoability:
    """Return whether an event can be undone. ``others`` are all events that name one of its records.

    >>> from ..testing.builders import an_event
    >>> from dataclasses import replace
    >>> first, second = (replace(an_event(1, n), number=n) for n in (2, 3))
    >>> judge_undo(second, [first, second], kept=True).state
    'undoable'

    Newest first: what came later rests on it.

    >>> judge_undo(first, [first, second], kept=True).reason
    'm3 came later and touches the same records; undo m3 first'
    """
    if event.event not in (*_STEPS, _BY_VERDICT):
        return Undoability("no_move")
    others = list(others)
    undone = {str(other.detail.get("undoes")): other for other in others if other.event == "undone"}
    if event.event_id in undone:
        return Undoability("undone", undone[event.event_id])
    if event.event == _BY_VERDICT:
        return Undoability("undoable")
    later = [e for e in others if e.event in _STEPS and e.event_id not in undone and _is_later(e, event)]
    if later:
        return Undoability("blocked", max(later, key=lambda e: e.number or 0))
    return Undoability("undoable" if kept else "not_kept")


def _is_later(one: Event, other: Event) -> bool:
    return (one.number or 0) > (other.number or 0)
