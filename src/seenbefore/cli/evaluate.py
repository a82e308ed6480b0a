"""``seenbefore evaluate``: how good the decisions are on labeled data."""

from __future__ import annotations

import click

from ..evaluate import CasesReport, evaluate_cases
from .opening import in_memory_opener
from .options import EXIT_CODES, get_settings, json_option, shared_options
from .output import Screen
from .tables import plain_table, show_table


@click.group("evaluate")
def evaluate_command() -> None:
    """Measure the decisions on labeled data.

    \b
    Example:
      seenbefore evaluate cases cases.jsonl
    """


@evaluate_command.command("cases", epilog=EXIT_CODES)
@click.argument("file", metavar="FILE.jsonl")
@json_option
@shared_options
@click.pass_context
def cases_command(ctx: click.Context, file: str, as_json: bool) -> None:
    """Run labeled cases (a stored entry, an incoming one, the right answer) through the real engine.

    \b
    found          same work that was joined (duplicate or update)
    wrong merges   different articles that were joined
    silent merges  pairs for a person that were joined without asking

    \b
    Example:
      seenbefore evaluate cases cases.jsonl --json
    """

    settings = get_settings(ctx)
    screen = Screen(settings)
    report = evaluate_cases(file, in_memory_opener(settings))
    if as_json:
        screen.json(report.to_json())
        return
    _show_report(screen, report)


def _show_report(screen: Screen, report: CasesReport) -> None:

    missed = [row for row in report.rows if not row.exact]
    if missed:
        cells = [[screen.safe(r.id), r.expect, r.outcome, r.reason] for r in missed]
        columns = ["case", "expected", "answer", "reason"]
        show_table(screen, plain_table("Answered otherwise than expected", columns, cells))
    rows = [_counts(screen, tag, part) for tag, part in report.by_tag().items()]
    rows.append(_counts(screen, "all cases", report))
    columns = ["tag", "found", "wrong merges", "silent merges", "exact"]
    show_table(screen, plain_table("Per tag", columns, rows, numbers=4))


def _counts(screen: Screen, name: str, report: CasesReport) -> list[str]:
    counts = report.to_json()
    return [
        screen.safe(name),
        f"{counts['found']} of {counts['same_work']}",
        f"{counts['wrong_merges']} of {counts['separate']}",
        f"{counts['silent_merges']} of {counts['review_cases']}",
        f"{counts['exact']} of {len(report.rows)}",
    ]
