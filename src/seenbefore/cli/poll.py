"""What ``ingest`` adds for addresses: options, the signals that end a service, how outcomes are shown."""

from __future__ import annotations

import re
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from ..engine.job import Polled
from ..engine.politely import Manners
from ..engine.poll import Polling, sort_places
from ..fetch.base import Fetcher
from ..polling.schedule import Limits
from ..polling.state import GONE
from ..sources.localfile import READ_AS
from .fetching import fetch_options
from .output import Screen
from .tables import time_text

Command = TypeVar("Command", bound=Callable[..., Any])

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_SHORTEST_EVERY_S = 60


class Duration(click.ParamType[float]):
    """A length of time such as 90s, 15m, 2h or 1d, as seconds."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the seconds."""
        if isinstance(value, int | float):
            return float(value)
        found = re.fullmatch(r"(\d{1,6})([smhd])", str(value).strip().lower())
        if found is None:
            self.fail(f"{value!r} is no length of time; write 90s, 15m, 2h or 1d", param, ctx)
        seconds = int(found[1]) * _UNITS[found[2]]
        if seconds < _SHORTEST_EVERY_S:
            self.fail("at least 60s, out of respect for the servers", param, ctx)
        return float(seconds)


_OPTIONS = [
    click.option("--every", type=Duration(), metavar="15m", help="Poll addresses as they are due, until stopped."),
    click.option("--due", "due_only", is_flag=True, help="Ask only addresses that are due."),
    click.option("--force", is_flag=True, help="Ask also what is on hold, and fetch it whole."),
    click.option(
        "--as",
        "read_as",
        type=click.Choice(READ_AS),
        default="auto",
        show_default=True,
        help="What addresses and files are read as.",
    ),
    click.option("--links", "selector", metavar="CSS", default="", help="With --as links: what finds the links."),
]


def poll_options(command: Command) -> Command:
    """Return the command with the options about addresses, those of every request included."""
    command = fetch_options(command)
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class PollArguments:
    """What the options about addresses said."""

    every: float | None
    due_only: bool
    force: bool
    read_as: str
    selector: str

    @classmethod
    def take(cls, given: dict[str, Any]) -> PollArguments:
        """Return them, taken out of everything that was given."""
        return cls(**{name: given.pop(name) for name in cls.__dataclass_fields__})

    def check(self, sources: Sequence[str], *, stream: bool, dry_run: bool) -> bool:
        """Return whether these options matter: there is an address, or files are read as something unusual.

        Raises UsageError for what does not go together.
        """
        found = sort_places([place for place in sources if place != "-"])
        if (self.read_as == "links") != bool(self.selector):
            raise click.UsageError("--as links and --links CSS go together")
        if stream and found.addresses:
            raise click.UsageError("--stream reads lines of JSON; leave addresses and OPML files out")
        if stream and self.read_as != "auto":
            raise click.UsageError("--stream reads lines of JSON; leave --as out")
        if self.every is None:
            return bool(found.addresses) or self.read_as != "auto"
        if stream or dry_run:
            raise click.UsageError("--every goes with neither --stream nor --dry-run")
        if found.files or "-" in sources or not (found.addresses or found.skipped):
            raise click.UsageError("--every polls addresses; give addresses and OPML files only")
        return True

    def polling(self, fetcher: Fetcher, manners: Manners) -> Polling:
        """Return what applies to every address."""
        limits = Limits() if self.every is None else Limits(self.every, max(self.every, Limits().longest_s))
        due_only = self.due_only or self.every is not None
        return Polling(fetcher, self.read_as, self.selector, due_only, self.force, limits, manners)


@contextmanager
def stop_on_signals() -> Iterator[threading.Event]:
    """Yield an event that SIGINT and SIGTERM set, so that a service ends after what it is storing."""
    stopped = threading.Event()

    def stop(*_: object) -> None:
        stopped.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class PollScreen:
    """Shows what became of addresses, and counts it."""

    def __init__(self, screen: Screen, *, as_json: bool) -> None:
        self._screen = screen
        self._as_json = as_json
        self._outcomes: Counter[str] = Counter()

    def show(self, step: Polled) -> bool:
        """Show one outcome; return whether it is a failure."""
        self._outcomes[step.result.outcome] += 1
        if self._as_json:
            self._screen.json(poll_to_json(step))
        if not step.result.is_good:
            again = "asked again only with --force" if step.result.outcome == GONE else f"due {time_text(step.next_at)}"
            why = f"{step.result.outcome}: {step.result.reason}" if step.result.reason else step.result.outcome
            self._screen.complain(f"{step.where}: {why}; {again}")
        return not step.result.is_good

    def summary(self) -> str:
        """Return one line on the addresses that were asked, '' if there were none."""
        if not self._outcomes:
            return ""
        parts = ", ".join(f"{count} {outcome}" for outcome, count in sorted(self._outcomes.items()))
        total = self._outcomes.total()
        return f"{total} {'address' if total == 1 else 'addresses'} asked: {parts}"


def poll_to_json(step: Polled) -> dict[str, object]:
    """Return an outcome as ``ingest --json`` writes it: an object under ``poll``, which no decision has."""
    result = step.result
    return {
        "schema": 1,
        "poll": {
            "url": step.where,
            "source": step.source,
            "outcome": result.outcome,
            "reason": result.reason,
            "status": result.status or None,
            "at": result.at.isoformat(),
            "seconds": round(result.seconds, 3),
            "new": result.new,
            "update": result.update,
            "duplicate": result.duplicate,
            "review": result.review,
            "next_at": step.next_at and step.next_at.isoformat(),
        },
    }
