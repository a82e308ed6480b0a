"""A bar that shows how far long work has come."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from .output import Screen
from .tables import console


@contextlib.contextmanager
def progress_bar(screen: Screen, counted: str = "") -> Iterator[Callable[[int, int], None] | None]:
    """Yield what moves a bar on standard error: a call with what is done and the total; None where no terminal is.

    ``counted`` names the things counted, such as "records".
    """
    if not sys.stderr.isatty() or screen.verbose:
        yield None
        return
    numbers = f"{{task.completed:,}} of {{task.total:,}} {counted}".rstrip()
    columns = (BarColumn(bar_width=20), TextColumn(numbers), TimeElapsedColumn())
    with Progress(*columns, console=console(screen, err=True), transient=True) as bar:
        task = bar.add_task("", total=0)
        yield lambda done, total: bar.update(task, completed=done, total=total)
