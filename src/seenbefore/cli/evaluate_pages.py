"""``seenbefore evaluate dates``: how good what is read from pages is, on labeled pages."""

from __future__ import annotations

import click

from ..evaluate.dates import DatesReport, evaluate_dates
from ..evaluate.interval import wilson_interval
from .options import EXIT_CODES, get_settings, json_option, shared_options
from .output import Screen
from .progress import progress_bar
from .tables import plain_table, show_table

_LISTED = 20
"""Pages with a wrong day are shown up to this number."""


@click.command("dates", epilog=EXIT_CODES)
@click.argument("gold", metavar="GOLD.json")
@click.argument("place", metavar="DIR|ARCHIVE.tar.zst")
@json_option
@shared_options
@click.pass_context
def dates_command(ctx: click.Context, gold: str, place: str, as_json: bool) -> None:
    """Read the day of publication of labeled pages, and count how often it is right.

    GOLD.json is a list with an object per page: id, url, published (the day, or null where nobody can know it) and,
    if you like, accept (every day that is no error). Pages without published are left out. DIR, or an archive of it,
    holds html/<id>.html for each. No database is used.

    \b
    precision   right answers of all answers, on pages that have a day
    recall      right answers of all pages that have a day
    invented    answers on pages of which nobody can know the day

    --json gives one mapping:

    \b
    precision, recall           by the days that the labels accept
    invented                    count
    strict                      precision and recall by the labeled day alone
    tiers                       per tier of evidence (A, B, C, visible): answers, right, precision
    intervals                   95 % intervals of precision, recall and the share of invented
    pages_per_s                 pages per second of processor time, parsing included
    pages, dated, undated, answers, right   counts

    \b
    Examples:
      seenbefore evaluate dates gold.json pages/
      seenbefore evaluate dates gold.json pages.tar.zst --json
    """
    screen = Screen(get_settings(ctx))
    with progress_bar(screen, "pages") as progress:
        report = evaluate_dates(gold, place, progress=progress)
    if as_json:
        screen.json(report.to_json())
    else:
        _show(screen, report)


def _show(screen: Screen, report: DatesReport) -> None:
    wrong = [
        [
            *map(
                screen.safe,
                (row.page.url, row.label.published or "none", row.day, row.tier, row.answer.tag, row.answer.raw),
            )
        ]
        for row in report.wrong
        if row.answer
    ]
    if wrong:
        columns = ["page", "label", "answer", "tier", "tag", "written"]
        show_table(screen, plain_table("Days that are wrong", columns, wrong[:_LISTED]))
    if len(wrong) > _LISTED:
        screen.line(f"and {len(wrong) - _LISTED} more")
    rows = [[name, f"{hits} of {of}", _interval(hits, of)] for name, (hits, of) in report.rates.items()]
    rows += [
        [f"{name}, strict", f"{hits} of {of}", _interval(hits, of)] for name, (hits, of) in report.strict_rates.items()
    ]
    rows += [
        [f"tier {name}, right", f"{hits} of {of}", _interval(hits, of)] for name, (hits, of) in report.by_tier().items()
    ]
    columns = [f"{len(report.rows)} labeled pages", "count", "95 % interval"]
    show_table(screen, plain_table("Day of publication", columns, rows, numbers=2))
    screen.line(f"{report.to_json()['pages_per_s']} pages per second")


def _interval(hits: int, of: int) -> str:
    return "{:.1%} to {:.1%}".format(*wilson_interval(hits, of))
