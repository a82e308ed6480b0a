"""The table of polled addresses that ``stats`` shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ..polling.state import PollState
from .output import Screen
from .tables import plain_table, show_table, time_text

_MOST_ROWS = 100


def show_polls(screen: Screen, polls: Sequence[PollState]) -> None:
    """Show what became of the last attempt at each address, failures first; nothing where none is polled."""
    if not polls:
        return
    ordered = sorted(polls, key=lambda state: (state.last.is_good, -state.failures, state.identity))
    columns = ["address", "last outcome", "at", "due", "in a row", "new", "update", "duplicate", "review"]
    rows = [_row(screen, state) for state in ordered[:_MOST_ROWS]]
    show_table(screen, plain_table("Polled addresses", columns, rows, numbers=5))
    counts = Counter(state.last.outcome for state in polls)
    parts = ", ".join(f"{count} {screen.safe(outcome)}" for outcome, count in sorted(counts.items()))
    screen.line(f"{len(polls)} addresses are polled: {parts}\n")
    if len(polls) > _MOST_ROWS:
        screen.line(f"{len(polls) - _MOST_ROWS} more rows are not shown; --json shows all.\n")


def _row(screen: Screen, state: PollState) -> list[str]:
    last = state.last
    why = f"{last.outcome}: {last.reason}" if last.reason else last.outcome
    due = "only with --force" if state.next_at is None else time_text(state.next_at)
    counts = (last.new, last.update, last.duplicate, last.review)
    return [
        screen.safe(state.address),
        screen.safe(why),
        time_text(last.at),
        due,
        str(state.failures or ""),
        *(str(count) for count in counts),
    ]
