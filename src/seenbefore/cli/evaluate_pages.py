"""``seenbefore evaluate dates`` and ``evaluate pages``: how good what is read from pages is, on labeled pages."""

from __future__ import annotations

from collections.abc import Sequence

import click

from ..evaluate.dates import DatesReport, evaluate_dates
from ..evaluate.interval import wilson_interval
from ..evaluate.page_texts import TextScore, TextsReport, evaluate_texts
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


@click.command("pages", epilog=EXIT_CODES)
@click.argument("gold", metavar="GOLD.json")
@click.argument("place", metavar="DIR|ARCHIVE.tar.zst")
@click.option("--extractor", default="", metavar="NAME", help="What reads the text.  [default: trafilatura-fast]")
@json_option
@shared_options
@click.pass_context
def pages_command(ctx: click.Context, gold: str, place: str, extractor: str, as_json: bool) -> None:
    """Read the text of labeled pages, and measure how much of each article is there, and how much else.

    GOLD.json is a list with an object per page: id, url, and text_file (such as text/<id>.txt, the whole text of the
    article) or must_contain and must_not_contain (lists of snippets); text_origin says where a text is from. DIR, or
    an archive of it, holds html/<id>.html and the text files. No database is used.

    \b
    precision   share of the words read that belong to the article, mean over pages
    recall      share of the article's words that were read, mean over pages
    f1          their harmonic mean, mean over pages

    Chinese, Japanese, Korean and Thai count by character. --json gives one mapping:

    \b
    precision, recall, f1, interval    over all pages with a text; interval is the 95 % one of f1
    texts                              the same by text_origin
    snippets                           must_contain and must_not_contain: found, of
    empty, pages, with_text            counts
    extractor, pages_per_s             what read, and how many pages per second of processor time

    \b
    Examples:
      seenbefore evaluate pages gold.json pages/
      seenbefore evaluate pages gold.json pages.tar.zst --extractor resiliparse --json
    """
    screen = Screen(get_settings(ctx))
    with progress_bar(screen, "pages") as progress:
        report = evaluate_texts(gold, place, extractor=extractor, progress=progress)
    if as_json:
        screen.json(report.to_json())
    else:
        _show_texts(screen, report)


def _show_texts(screen: Screen, report: TextsReport) -> None:
    worst_columns = ["page", "precision", "recall", "f1"]
    worst = sorted((row for row in report.rows if row.score), key=lambda row: row.score.f1 if row.score else 0.0)
    rows = [
        [screen.safe(row.page.url), f"{row.score.precision:.3f}", f"{row.score.recall:.3f}", f"{row.score.f1:.3f}"]
        for row in worst[:_LISTED]
        if row.score
    ]
    if rows:
        show_table(screen, plain_table("Texts that agree least", worst_columns, rows, numbers=3))
    rows = [
        [screen.safe(name), str(len(scores)), *(f"{sum(values) / len(values):.4f}" for values in _columns(scores))]
        for name, scores in report.by_origin().items()
    ]
    columns = [f"Texts, read by {report.extractor}", "pages", "precision", "recall", "f1"]
    if rows:
        show_table(screen, plain_table("", columns, rows, numbers=4))
    for name, (hits, of) in report.snippets.items():
        screen.line(f"{name}: {hits} of {of} snippets found")
    screen.line(f"{report.to_json()['pages_per_s']} pages per second")


def _columns(scores: Sequence[TextScore]) -> tuple[list[float], ...]:
    return [s.precision for s in scores], [s.recall for s in scores], [s.f1 for s in scores]
