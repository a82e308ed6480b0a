"""Decisions, records and evidence as lines and tables for people."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from datetime import datetime
from io import StringIO
from typing import IO

from rich import box
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..model import Decision, Evidence, Outcome, Supports
from .output import Screen, table_width

_COLORS = {
    Outcome.NEW: "green",
    Outcome.UPDATE: "cyan",
    Outcome.DUPLICATE: "bright_black",
    Outcome.REVIEW: "yellow",
}
_SIGNS = {Supports.YES: "+", Supports.NO: "-", Supports.UNKNOWN: "?"}
_OUTCOME, _REASON, _RECORD, _SOURCE = 9, 22, 7, 24


def fit(text: str, width: int) -> str:
    """Return the text in exactly so many terminal columns; Chinese and Japanese characters take two.

    >>> fit("橋の補修", 6), fit("bridge", 4), fit("ab", 4)
    ('橋の… ', 'bri…', 'ab  ')
    """

    if cell_len(text) <= width:
        return set_cell_size(text, width)
    kept = set_cell_size(text, width - 1).rstrip()
    return set_cell_size(f"{kept}…", width)


def decision_line(screen: Screen, decision: Decision) -> str:
    """Return one line on a decision: outcome, reason, record, source, title."""
    outcome = screen.paint(fit(decision.outcome.value, _OUTCOME), _COLORS[decision.outcome])
    record = decision.record_id or "-"
    head = f"{fit(decision.reason, _REASON)} {fit(record, _RECORD)}"
    source = fit(screen.safe(decision.item.source), _SOURCE)
    room = max(20, table_width() - _OUTCOME - _REASON - _RECORD - _SOURCE - 4)
    title = fit(screen.safe(_name(decision)), room).rstrip()
    return f"{outcome} {head} {source} {title}"


def decision_heading() -> str:
    """Return the names of the columns of :func:`decision_line`."""
    return f"{'outcome':{_OUTCOME}} {'reason':{_REASON}} {'record':{_RECORD}} {'source':{_SOURCE}} title"


def evidence_lines(screen: Screen, evidence: Iterable[Evidence]) -> list[str]:
    """Return one line per measured fact: for (+), against (-) or neither (?), value and limit."""
    lines = []
    for fact in evidence:
        limit = f"  (limit {fact.limit:g})" if fact.limit is not None else ""
        about = f"  [{fact.record_id}]" if fact.record_id else ""
        detail = f"  {screen.safe(fact.detail)}" if fact.detail else ""
        measured = f"{_SIGNS[fact.supports]} {fact.kind} = {screen.safe(fact.value)}"
        lines.append(f"  {measured}{limit}{about}{detail}")
    return lines


def plain_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: int = 0) -> Table:
    """Return a table of texts that are safe already; the last ``numbers`` columns stand to the right."""

    table = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for place, column in enumerate(columns):
        right = place >= len(columns) - numbers
        table.add_column(column, justify="right" if right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table


def console(screen: Screen, *, err: bool = False, file: IO[str] | None = None) -> Console:
    """Return a rich console that writes as the screen does, to ``file`` where one is given."""
    stream = sys.stderr if err else sys.stdout
    return Console(
        file=file or stream,
        force_terminal=stream.isatty(),
        width=None if stream.isatty() else table_width(),
        color_system=None if screen.no_color else "auto",
        highlight=False,
        markup=False,
        emoji=False,
    )


def show_table(screen: Screen, table: Table) -> None:
    """Write a table to standard output, by the way that all lines take."""
    written = StringIO()
    console(screen, file=written).print(table)
    screen.line(written.getvalue().removesuffix("\n"))


def time_text(at: datetime | None) -> str:
    """Return a time for people, in UTC to the minute."""
    return "unknown" if at is None else at.strftime("%Y-%m-%d %H:%M")


def _name(decision: Decision) -> str:
    item = decision.item
    return item.title.strip() or item.original_url or item.guid
