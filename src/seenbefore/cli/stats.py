"""``seenbefore stats``: what is stored in numbers, what came each day, and where the mix jumps."""

from __future__ import annotations

from collections import Counter

import click

from ..codes import MIX_WARNINGS
from ..engine.stats import Stats
from ..model import DayCount
from .opening import open_store
from .options import EXIT_CODES, get_settings, json_option, shared_options
from .output import Screen
from .poll_table import show_polls
from .tables import plain_table, show_table

_OUTCOMES = ["new", "update", "duplicate", "review", "items"]
_MOST_ROWS = 100


@click.command("stats", epilog=EXIT_CODES)
@click.option(
    "--days",
    type=click.IntRange(min=1, max=36_500),
    default=7,
    show_default=True,
    metavar="N",
    help="The last N days, counted back from the newest one stored.",
)
@click.option("--source", metavar="NAME", help="Only this source: its name, its address, or s3.")
@json_option
@shared_options
@click.pass_context
def stats_command(ctx: click.Context, days: int, source: str | None, as_json: bool) -> None:
    """Count what came of each source on each day, warn where its mix jumps, and count what is stored.

    Days are those of the time of observation, in UTC. Unchanged repeats count as duplicates; a fetch that
    is read again counts once.

    \b
    Warnings, each source held against its own past four weeks:
      everything new       the site moved, or its guids changed
      everything seen      the feed is dead, or a filter is broken
      reviews exploding    far more than usual waits for a person
      gone silent          the source is not read any more

    Of addresses that are polled, those that fail come first: what became of the last attempt, how many
    in a row failed, and when they are due again. Pages that were opened are counted by what was read.

    \b
    Examples:
      seenbefore stats
      seenbefore stats --source example.com --days 30
      seenbefore stats --json
    """
    settings = get_settings(ctx)
    screen = Screen(settings)
    with open_store(settings) as db:
        stats = db.stats(days=days, source=source)
    if as_json:
        screen.json(stats.to_json())
        return
    _show_sources(screen, stats)
    _show_days(screen, stats)
    _show_warnings(screen, stats)
    show_polls(screen, stats.polls)
    _show_reasons(screen, stats)
    if source is None:
        _show_pages(screen, stats)
        _show_store(screen, stats)


def _show_sources(screen: Screen, stats: Stats) -> None:
    rows = [[screen.safe(s.name), *_cells(stats.totals[s.id])] for s in stats.sources if s.id in stats.totals]
    rows.sort()
    show_table(screen, plain_table("Items by source", ["source", *_OUTCOMES], rows, numbers=5))


def _show_days(screen: Screen, stats: Stats) -> None:
    days = sorted(stats.days, key=lambda count: (stats.name(count.source_id), count.source_id, count.day))
    rows = [[screen.safe(stats.name(c.source_id)), c.day.isoformat(), *_cells(c)] for c in days[:_MOST_ROWS]]
    show_table(screen, plain_table("Items by source and day", ["source", "day", *_OUTCOMES], rows, numbers=5))
    if len(days) > _MOST_ROWS:
        screen.line(f"{len(days) - _MOST_ROWS} more rows are not shown; --source NAME or --json shows all.\n")


def _show_warnings(screen: Screen, stats: Stats) -> None:
    for warning in stats.warnings:
        name = screen.paint(warning.code.replace("_", " "), "yellow")
        source = screen.safe(stats.name(warning.source_id))
        screen.line(f"{name}: {source} on {warning.day.isoformat()}: {warning.message}")
        screen.line(f"  {MIX_WARNINGS[warning.code]}")
    if stats.warnings:
        screen.line()


def _show_reasons(screen: Screen, stats: Stats) -> None:
    per_reason: Counter[tuple[str, str]] = Counter()
    for (_, outcome, reason), count in stats.decisions.items():
        per_reason[outcome, reason] += count
    reasons = [[o, r, str(n)] for (o, r), n in sorted(per_reason.items(), key=lambda x: (x[0][0], -x[1]))]
    show_table(screen, plain_table("Decisions by reason", ["outcome", "reason", "count"], reasons, numbers=1))


def _show_pages(screen: Screen, stats: Stats) -> None:
    """What became of opening pages, by the newest attempt at each; nothing where none was opened."""
    rows = [[screen.safe(outcome), what, str(n)] for (outcome, what), n in sorted(stats.pages.items())]
    if rows:
        show_table(screen, plain_table("Opened pages", ["outcome", "what was read", "pages"], rows, numbers=1))


def _show_store(screen: Screen, stats: Stats) -> None:
    records = ", ".join(f"{count} {state}" for state, count in stats.records.items())
    screen.line(f"sources          {len(stats.sources)}")
    screen.line(f"records          {records}")
    screen.line(f"sightings        {stats.sightings}, seen {stats.times_seen} times in all")
    screen.line(f"reviews waiting  {stats.reviews_waiting}")


def _cells(count: DayCount) -> list[str]:
    return [str(n) for n in (count.new, count.update, count.duplicate, count.review, count.total)]
