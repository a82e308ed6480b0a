"""``seenbefore list`` and ``seenbefore stats``: many things at once."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

import click

from ..decisionjson import decision_to_json
from .moment import Moment
from .opening import open_store
from .options import EXIT_CODES, get_settings, json_option, shared_options
from .output import Screen
from .tables import decision_heading, decision_line, fit, plain_table, show_table, time_text

_SHOWN = 50


@click.command("list", epilog=EXIT_CODES)
@click.option("--outcome", type=click.Choice(["new", "update", "duplicate", "review"]), help="Only these.")
@click.option("--source", metavar="NAME", help="Only this source: its name, its address, or s3.")
@click.option("--since", type=Moment(relative=True), help="Only decided since: 2026-01-31, 12h, 7d.")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    metavar="N",
    help=f"The newest N; 0 for all.  [default: {_SHOWN}, with --json all]",
)
@json_option
@shared_options
@click.pass_context
def list_command(
    ctx: click.Context,
    outcome: str | None,
    source: str | None,
    since: datetime | None,
    limit: int | None,
    as_json: bool,
) -> None:
    """List stored decisions, newest last. Unchanged repeats are counted, not stored.

    \b
    Examples:
      seenbefore list --outcome review
      seenbefore list --source example.com --since 7d
    """
    settings = get_settings(ctx)
    screen = Screen(settings)
    wanted = (None if as_json else _SHOWN) if limit is None else limit
    with open_store(settings) as db:
        # one more than wanted tells whether there are more
        found = db.decisions(outcome=outcome, source=source, since=since, limit=wanted + 1 if wanted else None)
    shown = found[-wanted:] if wanted else found
    if as_json:
        for decision in shown:
            screen.json(decision_to_json(decision))
        return

    if not shown:
        screen.line("no decision fits")
        return
    screen.line(f"{'id':7} {'decided':16} {decision_heading()}")
    for decision in shown:
        head = f"{fit(decision.decision_id or '-', 7)} {time_text(decision.decided_at)}"
        screen.line(f"{head} {decision_line(screen, decision)}")
    if len(found) > len(shown):
        screen.line(f"The newest {len(shown)} are shown; --limit 0 shows all.")


@click.command("stats", epilog=EXIT_CODES)
@json_option
@shared_options
@click.pass_context
def stats_command(ctx: click.Context, as_json: bool) -> None:
    """Count what is stored: sources, decisions by outcome and reason, records, sightings, reviews.

    \b
    Example:
      seenbefore stats --json
    """
    settings = get_settings(ctx)
    screen = Screen(settings)
    with open_store(settings) as db:
        stats = db.stats()
    if as_json:
        screen.json(stats.to_json())
        return

    outcomes = ["new", "update", "duplicate", "review"]
    per_source: dict[str, Counter[str]] = {}
    per_reason: Counter[tuple[str, str]] = Counter()
    for (source, outcome, reason), count in stats.decisions.items():
        per_source.setdefault(source, Counter())[outcome] += count
        per_reason[outcome, reason] += count
    rows = [[screen.safe(name), *(str(c[o]) for o in outcomes)] for name, c in sorted(per_source.items())]
    show_table(screen, plain_table("Decisions by source", ["source", *outcomes], rows, numbers=4))
    reasons = [[o, r, str(n)] for (o, r), n in sorted(per_reason.items(), key=lambda x: (x[0][0], -x[1]))]
    show_table(screen, plain_table("Decisions by reason", ["outcome", "reason", "count"], reasons, numbers=1))
    records = ", ".join(f"{count} {state}" for state, count in stats.records.items())
    screen.line(f"sources          {len(stats.sources)}")
    screen.line(f"records          {records}")
    screen.line(f"sightings        {stats.sightings}, seen {stats.times_seen} times in all")
    screen.line(f"reviews waiting  {stats.reviews_waiting}")
