"""``seenbefore check``: does everything that is stored hold together?"""

from __future__ import annotations

import click

from ..codes import CHECK_ADVICE, CHECKS
from ..engine.audit import Report
from .opening import open_store
from .options import EXIT_CODES, get_settings, json_option, shared_options
from .output import Screen
from .progress import progress_bar
from .tables import plain_table, show_table

_BROKEN = 4
_SHOWN = 20


@click.command("check", epilog=EXIT_CODES)
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    metavar="N",
    help=f"The first N places of each kind; 0 for all.  [default: {_SHOWN}, with --json all]",
)
@json_option
@shared_options
@click.pass_context
def check_command(ctx: click.Context, limit: int | None, as_json: bool) -> None:
    """Check that everything stored holds together: the file, keys, records, sightings, journal.

    Nothing is written, and other processes may go on writing; they are not waited for, and what they
    write after the start is not looked at. Ends with 0 when all is well and with 4 when something is
    broken.

    \b
    Examples:
      seenbefore check
      seenbefore check --json > report.json
    """
    settings = get_settings(ctx)
    screen = Screen(settings)
    wanted = (None if as_json else _SHOWN) if limit is None else (limit or None)
    with open_store(settings) as db, progress_bar(screen) as progress:
        report = db.check(limit=wanted, progress=progress)
    if as_json:
        screen.json(report.to_json())
    else:
        _show(screen, report)
    ctx.exit(0 if report.is_clean else _BROKEN)


def _show(screen: Screen, report: Report) -> None:
    if not report.is_clean:
        rows = [[p.code, screen.safe(p.where), screen.safe(p.message)] for p in report.problems]
        show_table(screen, plain_table("Broken", ["code", "where", "what is wrong"], rows))
        kinds = [[code, CHECKS[code], CHECK_ADVICE[code], str(count)] for code, count in sorted(report.counts.items())]
        show_table(screen, plain_table("What to do", ["code", "meaning", "what to do", "found"], kinds, numbers=1))
        if len(report.problems) < report.counts.total():
            screen.line("Not every place is shown; --limit 0 shows all.")
    if report.under_other_policy:
        screen.line(f"Made under another policy, so that right and wrong cannot be told: {report.under_other_policy}")
    looked = f"{report.records} records and {report.entries} journal entries"
    verdict = "hold together" if report.is_clean else f"looked at; found broken: {report.counts.total()}"
    screen.line(f"{looked} {verdict}")
