"""``seenbefore list``: many decisions at once."""

from __future__ import annotations

from datetime import datetime

import click

from ..decisionjson import decision_to_json
from ..engine.stats import find_asked
from .moment import Moment
from .opening import open_store
from .options import EXIT_CODES, get_settings, json_option, shared_options
from .output import Screen
from .tables import decision_heading, decision_line, fit, time_text

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
        asked = find_asked(db.store) if outcome == "review" and not source and not since else []
    shown = found[-wanted:] if wanted else found
    if as_json:
        for decision in shown:
            screen.json(decision_to_json(decision))
        return

    for one, other in asked:
        screen.line(f"{one} and {other} wait, too; no item opened that: seenbefore explain {one} {other}")
    if not shown:
        screen.line("no decision fits" if not asked else "no decision besides")
        return
    screen.line(f"{'id':7} {'decided':16} {decision_heading()}")
    for decision in shown:
        head = f"{fit(decision.decision_id or '-', 7)} {time_text(decision.decided_at)}"
        screen.line(f"{head} {decision_line(screen, decision)}")
    if len(found) > len(shown):
        screen.line(f"The newest {len(shown)} are shown; --limit 0 shows all.")
