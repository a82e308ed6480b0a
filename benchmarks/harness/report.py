"""How a benchmark talks: options, tables for people, one last line of JSON for programs, kept results."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

import seenbefore

RESULTS = Path(__file__).resolve().parents[1] / "results"
WIDTH = 130
CONSOLE = Console(width=None if sys.stdout.isatty() else WIDTH)


def options(about: str) -> argparse.ArgumentParser:
    """Return the parser with the options that every benchmark has."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--quick", action="store_true", help="a small run for a first look")
    parser.add_argument("--json", action="store_true", help="end with one line of JSON that holds every figure")
    parser.add_argument("--save", action="store_true", help=f"keep the figures in {RESULTS.name}/<date>-<machine>.json")
    return parser


def show_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table; the first column is text, the others are figures."""
    table = Table(title=title, title_justify="left")
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number == 0 else "right", overflow="fold")
    for row in rows:
        table.add_row(*(cell(value) for value in row))
    CONSOLE.print(table)


def show_floors(floors: Sequence[tuple[str, float, str, bool]]) -> None:
    """Print what must hold: name, figure, what is wanted, and whether it is met."""
    rows = [(name, value, wanted, "met" if met else "NOT MET") for name, value, wanted, met in floors]
    show_table("floors", ("floor", "measured", "wanted", ""), rows)


def cell(value: object) -> str:
    """Return a figure as people read it."""
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


@contextlib.contextmanager
def progress_bar(what: str, total: int) -> Iterator[Callable[..., None]]:
    """Show a bar on standard error, where it is a terminal; yields the function that moves it on (by 1)."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(what, total=total)
        yield lambda steps=1: bar.advance(task, steps)


def finish(name: str, figures: Mapping[str, object], args: argparse.Namespace) -> None:
    """Print the last line of JSON when it was asked for, and keep the figures when that was."""
    found = {**machine(), name: dict(figures)}
    if args.save:
        print(f"kept in {_save(name, found)}")
    if args.json:
        print(json.dumps(found, ensure_ascii=False))


def machine() -> dict[str, object]:
    """Return what kind of machine this is, without naming it."""
    return {
        "machine": machine_name(),
        "processor": platform.machine(),
        "python": platform.python_version(),
        "seenbefore": seenbefore.__version__,
        "date": datetime.now(UTC).date().isoformat(),
    }


def machine_name() -> str:
    """Return cores and memory, such as ``2-cores-24GiB``."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return f"{cores}-cores-{round(memory / 2**30)}GiB"


def _save(name: str, found: Mapping[str, object]) -> Path:
    """One file per day and machine; a benchmark that is there already is not overwritten by another one."""
    path = RESULTS / f"{found['date']}-{found['machine']}.json"
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    path.parent.mkdir(exist_ok=True)
    text = json.dumps({**kept, **found}, ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8")
    return path
