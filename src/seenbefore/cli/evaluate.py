"""``seenbefore evaluate``: how good the decisions are on labeled data."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ..evaluate import (
    CasesReport,
    FeedReport,
    GoldReport,
    ReplayReport,
    UrlPairsReport,
    evaluate_cases,
    evaluate_replay,
    evaluate_urls,
)
from ..model import Outcome
from ..settings import read_rules
from .evaluate_pages import dates_command, pages_command
from .opening import file_opener, in_memory_opener
from .options import EXIT_CODES, get_settings, json_option, shared_options
from .output import Screen
from .tables import console, plain_table, show_table

_LISTED = 20
"""Pairs that went wrong are shown up to this number; --json has them all."""


@click.group("evaluate")
def evaluate_command() -> None:
    """Measure the decisions on labeled data.

    \b
    Examples:
      seenbefore evaluate cases cases.jsonl
      seenbefore evaluate replay histories/ --gold pairs.jsonl
      seenbefore evaluate urls pairs.tsv
      seenbefore evaluate dates gold.json pages/
    """


evaluate_command.add_command(dates_command)
evaluate_command.add_command(pages_command)


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


@evaluate_command.command("replay", epilog=EXIT_CODES)
@click.argument("place", metavar="DIR|ARCHIVE.tar.zst")
@click.option("--gold", metavar="FILE.jsonl", help="Labeled pairs of entries to score against.")
@click.option("--keep", metavar="FILE", help="Keep the database in this file, which must not be there yet.")
@json_option
@shared_options
@click.pass_context
def replay_command(ctx: click.Context, place: str, gold: str | None, keep: str | None, as_json: bool) -> None:
    """Take in saved feeds, snapshot after snapshot, and count what is said; with --gold, how often it is right.

    DIR holds a folder per feed, with files named by the Unix time when they were read, such as
    news/0001_1700000000.xml; an archive is a tar of such a folder (plain, or packed with zstd, gzip, xz or
    bzip2). All feeds go into one database, which is thrown away; --db is not used. The name of a folder is
    the name of the source.

    \b
    found          pairs of one article that ended in one record
    wrong merges   pairs of two articles that ended in one record
    silent merges  pairs for a person that were joined without asking

    \b
    Examples:
      seenbefore evaluate replay histories/
      seenbefore evaluate replay histories.tar.zst --gold pairs.jsonl --json
      seenbefore evaluate replay histories/ --gold pairs.jsonl --keep replay.db
    """
    settings = get_settings(ctx)
    screen = Screen(settings)
    with _progress(screen) as progress:
        report = evaluate_replay(place, gold=gold, keep=keep, open_store=file_opener(settings), progress=progress)
    for left in report.not_read:
        screen.complain(f"{left.where}: {left.message}; left out")
    lost = report.gold.failures()["not_found"] if report.gold else []
    if lost:
        entries = "/".join(lost[0].a.place), "/".join(lost[0].b.place)
        screen.complain(
            f"{len(lost)} of the pairs name an entry that the snapshots do not hold; they count neither way",
            f"the first is {screen.safe(lost[0].id)}, of {screen.safe(entries[0])} and {screen.safe(entries[1])}",
        )
    if as_json:
        screen.json(report.to_json())
    else:
        _show_replay(screen, report)
    ctx.exit(1 if report.not_read or lost else 0)


@evaluate_command.command("urls", epilog=EXIT_CODES)
@click.argument("file", metavar="FILE.tsv")
@json_option
@shared_options
@click.pass_context
def urls_command(ctx: click.Context, file: str, as_json: bool) -> None:
    """Ask of labeled pairs of addresses whether they are one page, by the addresses and the rules alone.

    The first line of the file names the columns, separated by tabs: url_a, url_b, label (same or different),
    and if you like category and note. Nothing is quoted; blank lines are skipped. No database is used.

    \b
    false merges   pairs labeled different that are called one page
    missed         pairs labeled same that are called two

    --json gives one mapping; nothing in it is masked.

    \b
    pairs, right, false_merges, missed   counts; same and different: how many are labeled so
    intervals                            95 % intervals of right, false_merges and missed
    by_category                          the counts per category
    wrong                                every pair answered wrongly: error (false_merge, missed), line,
                                         url_a, url_b, label, category, note

    \b
    Examples:
      seenbefore evaluate urls pairs.tsv
      seenbefore evaluate urls pairs.tsv --rules mine.toml --json
    """
    settings = get_settings(ctx)
    screen = Screen(settings)
    report = evaluate_urls(file, read_rules(settings.rules))
    if as_json:
        screen.json(report.to_json())
    else:
        _show_pairs(screen, report)


@contextlib.contextmanager
def _progress(screen: Screen) -> Iterator[Callable[[int, int], None] | None]:
    """Yield what moves a bar on standard error; None where no terminal shows it."""
    if not sys.stderr.isatty() or screen.verbose:
        yield None
        return
    columns = (BarColumn(bar_width=20), MofNCompleteColumn(" of "), TextColumn("snapshots"), TimeElapsedColumn())
    with Progress(
        *columns, console=console(screen, err=True), transient=True, redirect_stdout=False, redirect_stderr=False
    ) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _show_replay(screen: Screen, report: ReplayReport) -> None:
    for feed in report.feeds:
        _show_feed(screen, feed)
    if report.gold:
        _show_gold(screen, report.gold)
    share = "" if report.review_share is None else f" ({report.review_share:.1%})"
    screen.line(
        f"{report.versions:,} snapshots with {report.entries:,} entries in {report.seconds:,} s: "
        f"{report.records:,} records, of which {report.reviews:,} went to review{share}"
    )


def _show_feed(screen: Screen, feed: FeedReport) -> None:
    rows = []
    for outcome in (Outcome.NEW, Outcome.UPDATE, Outcome.DUPLICATE, Outcome.REVIEW):
        reasons = feed.reasons(outcome)
        told = ", ".join(f"{reason} {count:,}" for reason, count in reasons.items())
        rows.append([outcome.value, f"{sum(reasons.values()):>9,}", told])
    events = {"merged": feed.consolidations, "split": feed.splits, "trust lost": feed.trust_switches}
    meanings = ("records found to be one", "records taken apart", "guids, links, titles or texts that name nothing")
    for (name, count), meaning in zip(events.items(), meanings, strict=True):
        rows.append([name, f"{count:>9,}", meaning if count else ""])
    title = f"{screen.safe(feed.feed)}: {feed.versions:,} snapshots, {feed.entries:,} entries"
    show_table(screen, plain_table(title, ["answer", "    count", "reasons"], rows))


def _show_gold(screen: Screen, gold: GoldReport) -> None:
    for_a_person = gold.review_rows
    rows = _rate_rows(gold)
    rows += [[f"for a person: {name}", f"{n} of {sum(for_a_person.values())}", ""] for name, n in for_a_person.items()]
    columns = [f"{len(gold.results) - gold.not_found} labeled pairs", "count", "95 % interval"]
    show_table(screen, plain_table("Against the labels", columns, rows, numbers=2))
    cells = [
        [name, *map(screen.safe, (row.id, row.kind, row.a.title, row.b.title))]
        for name, failed in gold.failures().items()
        if name != "not_found"
        for row in failed
    ]
    if cells:
        columns = ["what", "pair", "kind", "stored", "incoming"]
        show_table(screen, plain_table("Pairs that went wrong", columns, cells[:_LISTED]))
    if len(cells) > _LISTED:
        screen.line(f"and {len(cells) - _LISTED} more; --json lists them all")


def _show_pairs(screen: Screen, report: UrlPairsReport) -> None:
    rows = [
        [screen.safe(name) or "(none)", *(f"{hits} of {of}" for hits, of in part.rates.values())]
        for name, part in report.by_category().items()
    ]
    show_table(screen, plain_table("Per category", ["category", "right", "false merges", "missed"], rows, numbers=3))
    wrong = [
        [
            "missed" if row.missed else "false merge",
            str(row.pair.line),
            *map(screen.safe, (row.pair.category, row.pair.url_a, row.pair.url_b, row.pair.note)),
        ]
        for row in report.wrong
    ]
    if wrong:
        columns = ["what", "line", "category", "url_a", "url_b", "note"]
        show_table(screen, plain_table("Pairs that went wrong", columns, wrong[:_LISTED]))
    if len(wrong) > _LISTED:
        screen.line(f"and {len(wrong) - _LISTED} more; --json lists them all")
    columns = [f"{len(report.rows)} labeled pairs", "count", "95 % interval"]
    show_table(screen, plain_table("Against the labels", columns, _rate_rows(report), numbers=2))


def _rate_rows(report: GoldReport | UrlPairsReport) -> list[list[str]]:
    return [
        [name.replace("_", " "), f"{hits} of {of}", "{:.1%} to {:.1%}".format(*report.intervals[name])]
        for name, (hits, of) in report.rates.items()
    ]


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
