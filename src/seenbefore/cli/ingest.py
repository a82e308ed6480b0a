"""``seenbefore ingest``: the main job."""

from __future__ import annotations

import contextlib
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import click
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from ..decisionjson import SCHEMA, decision_to_json
from ..engine.dryrun import DryRun
from ..engine.emit import EmitFile
from ..engine.job import Answer, Committed, JobOptions, Polled, Repaired, Skipped, Step
from ..engine.pages.run import PageVisitor
from ..engine.pages.storing import StoredPage
from ..engine.poll import Poller, Polling
from ..engine.poll_run import run_service
from ..wiring import SeenBefore
from .fetching import get_fetching, open_fetcher
from .moment import Moment
from .opening import open_dry_run, open_store
from .options import EXIT_CODES, get_settings, json_option, shared_options
from .output import Screen
from .pageoptions import open_visitor, page_options
from .pagescreen import PagesScreen
from .poll import PollArguments, PollScreen, poll_options, stop_on_signals
from .tables import console, decision_heading, decision_line, plain_table, show_table


@click.command("ingest", epilog=EXIT_CODES)
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--source", metavar="NAME", help="The name of the source; needed for standard input.")
@click.option("--observed-at", type=Moment(), help="When this was read, for files that do not say so.")
@json_option
@click.option("--stream", is_flag=True, help="Answer each line of JSON before the next one is read.")
@click.option("--emit", metavar="FILE", help="Append what is new or changed to this file, each thing once.")
@click.option("--history", is_flag=True, help="Take in what you have already, and announce nothing.")
@click.option("--dry-run", is_flag=True, help="Decide and show, but write nothing.")
@click.option("--fetch", is_flag=True, help="Open the page behind each article: its text, dates and address.")
@page_options
@poll_options
@shared_options
@click.pass_context
def ingest_command(
    ctx: click.Context,
    /,
    sources: tuple[str, ...],
    as_json: bool,
    stream: bool,
    emit: str | None,
    dry_run: bool,
    fetch: bool,
    **given: Any,
) -> None:
    """Take in feeds and item lists, and say of each item: new, update, duplicate or review.

    SOURCE is an address (of a feed, a sitemap, an OPML list), a feed file (RSS, Atom, JSON Feed), a
    sitemap, an OPML file, a list (items.jsonl, or a JSON array), a folder, or - for standard input. A file name
    that ends in _<unix seconds> says when it was read; the files of a folder are taken in that order.

    \b
    Examples:
      seenbefore ingest feed.xml
      seenbefore ingest https://news.example/feed.xml my-feeds.opml
      seenbefore ingest my-feeds.opml --every 15m       as a service; Ctrl-C ends it
      seenbefore ingest https://news.example/all --as links --links "article h2 a"
      seenbefore ingest my-feeds.opml --fetch           and open the page behind each new article
      seenbefore ingest feeds/ --json > decisions.jsonl
      seenbefore ingest feeds/ --emit new.jsonl         for a step that must see everything once
      curl -s https://example.com/feed | seenbefore ingest - --source example
      my-crawler | seenbefore ingest - --source crawl --stream

    With --json each decision is one line on standard output, written after it is stored, and what
    became of an address is {"schema":1,"poll":{...}}; complaints and the summary go to standard error.
    With --stream a line that is no item is answered by {"schema":1,"line":7,"error":{...}}. In a list,
    keep the items of one fetch_id together: a fetch is taken as complete when 5,000 other items have
    followed.

    With --fetch the page of each article is opened once, and again when its feed announces a change. What
    came of it is {"schema":1,"page":{...},"decision":...,"unattached":...}, as in `page --json`; a page that
    could not be had is tried again by later runs, and fails none. A run that was stopped goes on.
    """
    if fetch and (stream or dry_run):
        raise click.UsageError("--fetch goes with neither --stream nor --dry-run")
    if emit and dry_run:
        raise click.UsageError("--emit writes and --dry-run does not; leave one of them out")
    if "-" in sources and not given["source"]:
        raise click.UsageError("standard input has no name; say where it comes from with --source NAME")
    asked = PollArguments.take(given)
    polls = asked.check(sources, stream=stream, dry_run=dry_run)
    settings = get_settings(ctx)
    run = _Run(Screen(settings), as_json=as_json or stream, dry_run=dry_run)
    with contextlib.ExitStack() as stack:
        db: SeenBefore | DryRun
        file: EmitFile | None = None
        if dry_run:
            db = stack.enter_context(open_dry_run(settings))
        else:
            real = open_store(settings, create=True)
            db = stack.enter_context(real)
            if emit:
                file = stack.enter_context(real.emit_to(emit))
                file.drain()
        if stream:
            run.stream(_stream_steps(db, sources, given), file)
        else:
            own = [settings.db, emit] if emit else [settings.db]
            polling, visitor = None, None
            if polls or fetch:
                fetching = get_fetching(ctx)
                fetcher = stack.enter_context(contextlib.closing(open_fetcher(fetching)))
                polling = asked.polling(fetcher, fetching.manners) if polls else None
                visitor = open_visitor(ctx, fetcher, history=given["history"]) if fetch else None
            if asked.every is not None and polling is not None and isinstance(db, SeenBefore):
                run.ingest(stack.enter_context(_service(db, polling, sources, given, visitor)), file)
            else:
                steps = db.ingest(sources, **given, ignore=own, stdin=_stdin(), polling=polling)
                run.ingest(_with_pages(db, steps, visitor), file)
    code = run.finish(settings.db)
    ctx.exit(code if asked.every is None else 0)  # a service that was told to stop did what it was asked


@contextlib.contextmanager
def _service(
    db: SeenBefore, polling: Polling, sources: Sequence[str], given: dict[str, Any], visitor: PageVisitor | None
) -> Iterator[Iterator[Step | StoredPage]]:
    """The steps of a service, which a signal ends after what is being stored."""
    with stop_on_signals() as stopped:
        poller = Poller(db.engine, polling, JobOptions(**given), stopped.is_set)
        steps = run_service(poller, sources, stopped.wait, stopped.is_set)
        if visitor is None:
            yield steps
        else:
            yield db.pages.follow(steps, replace(visitor, stop=stopped.is_set), at_once=True)


def _with_pages(
    db: SeenBefore | DryRun, steps: Iterable[Step], visitor: PageVisitor | None
) -> Iterable[Step | StoredPage]:
    """The steps, with those of the pages behind them where these are to be opened."""
    return db.pages.follow(steps, visitor) if visitor is not None and isinstance(db, SeenBefore) else steps


def _stdin() -> BinaryIO:
    return sys.stdin.buffer


def _stream_steps(db: SeenBefore | DryRun, sources: Iterable[str], given: dict[str, Any]) -> Iterator[Answer | Skipped]:
    for place in sources:
        if place == "-":
            yield from db.answer_lines(_stdin(), place, **given)
            continue
        with contextlib.ExitStack() as stack:
            try:
                lines = stack.enter_context(Path(place).open("rb"))
            except OSError as error:
                yield Skipped(place, None, "unreadable", error.strerror or str(error))
                continue
            yield from db.answer_lines(lines, place, **given)


class _Run:
    """What is shown while a run goes on, and counted for its end."""

    def __init__(self, screen: Screen, *, as_json: bool, dry_run: bool) -> None:
        self._screen = screen
        self._as_json = as_json
        self._dry_run = dry_run
        self._polls = PollScreen(screen, as_json=as_json)
        self._pages = PagesScreen(screen, as_json=as_json)
        self._counts: Counter[tuple[str, str, str]] = Counter()
        self._failed = 0
        self._announced = 0
        self._headed = False

    def ingest(self, steps: Iterable[Step | StoredPage], file: EmitFile | None) -> None:
        """Show the steps of a run as they come."""

        with _Progress(self._screen) as progress:
            for step in steps:
                if isinstance(step, Committed):
                    self._drain(file)
                    with progress.pause(needed=self._is_shown(step)):
                        self._show(step)
                    progress.advance(len(step.answers), step.answers[0].where if step.answers else "")
                    continue
                if isinstance(step, StoredPage):
                    self._drain(file)
                    with progress.pause(needed=self._pages.is_shown(step)):
                        self._pages.show(step)
                    progress.advance(0, step.capture.original_url)
                    continue
                if isinstance(step, Polled):
                    with progress.pause(needed=self._as_json or not step.result.is_good):
                        self._failed += self._polls.show(step)
                    progress.advance(0, step.where)
                    continue
                with progress.pause(needed=True):
                    self._complain(step)
                self._failed += isinstance(step, Skipped)

    def stream(self, steps: Iterable[Answer | Skipped], file: EmitFile | None) -> None:
        """Answer line by line."""

        for step in steps:
            if isinstance(step, Answer):
                self._drain(file)
                self._count(step)
                self._screen.json(decision_to_json(step.decision))
                continue
            self._failed += 1
            if step.line is None:
                self._complain(step)
            else:
                error = {"code": step.code, "message": self._screen.safe(step.message)}
                self._screen.json({"schema": SCHEMA, "line": step.line, "error": error})

    def finish(self, db: str) -> int:
        """Show the summary; return the exit code."""
        for line in filter(None, (self._polls.summary(), self._pages.summary())):
            self._screen.note(line)
        if self._as_json:
            self._screen.note(self._one_line_summary())
        else:
            self._show_summary(db)
        return 1 if self._failed else 0

    def _drain(self, file: EmitFile | None) -> None:
        if file is not None:
            self._announced += file.drain()

    def _is_shown(self, step: Committed) -> bool:
        return self._as_json or any(a.decision.reason != "seen_again" for a in step.answers)

    def _show(self, step: Committed) -> None:

        for answer in step.answers:
            self._count(answer)
            if self._as_json:
                self._screen.json(decision_to_json(answer.decision))
            elif answer.decision.reason != "seen_again":
                if not self._headed:
                    self._headed = True
                    self._screen.line(decision_heading())
                self._screen.line(decision_line(self._screen, answer.decision))

    def _count(self, answer: Answer) -> None:
        decision = answer.decision
        self._counts[decision.item.source, decision.outcome.value, decision.reason] += 1

    def _complain(self, step: Skipped | Repaired) -> None:

        if not isinstance(step, Skipped):
            self._screen.note(f"warning: {self._screen.safe(step.where)}: {self._screen.safe(step.message)}")
            return
        place = step.where if step.line is None else f"{step.where}:{step.line}"
        self._screen.complain(f"{place}: {step.message}; left out", _hint(step))

    def _one_line_summary(self) -> str:
        by_outcome: Counter[str] = Counter()
        for (_, outcome, _), count in self._counts.items():
            by_outcome[outcome] += count
        parts = [f"{by_outcome[name]} {name}" for name in ("new", "update", "duplicate", "review")]
        return f"{sum(by_outcome.values())} items: {', '.join(parts)}; {self._failed} could not be read"

    def _show_summary(self, db: str) -> None:

        by_source: dict[str, Counter[str]] = {}
        for (source, outcome, reason), count in self._counts.items():
            column = "seen again" if reason == "seen_again" else outcome
            by_source.setdefault(source, Counter())[column] += count
        columns = ["new", "update", "duplicate", "review", "seen again"]
        rows = [
            [self._screen.safe(source), *(str(counts[c]) for c in columns), str(counts.total())]
            for source, counts in sorted(by_source.items())
        ]
        if len(rows) > 1:
            total = sum(by_source.values(), Counter())
            rows.append(["all sources", *(str(total[c]) for c in columns), str(total.total())])
        if rows:
            self._screen.line()
            show_table(self._screen, plain_table("", ["source", *columns, "items"], rows, numbers=6))
        if self._failed:
            what = "line, file or address" if self._failed == 1 else "lines, files or addresses"
            self._screen.note(f"{self._failed} {what} could not be read; see above")
        for hint in self._hints(db):
            self._screen.line(hint)

    def _hints(self, db: str) -> list[str]:
        if self._dry_run:
            return ["Dry run: nothing was written."]
        if not self._counts:
            return []
        option = "" if db == "news.db" else f" --db {self._screen.safe(db)}"
        hints = [f"Next: seenbefore explain r1{option}    why something was decided"]
        if any(outcome == "review" for _, outcome, _ in self._counts):
            hints.append(f"      seenbefore list --outcome review{option}    what a person should look at")
        return hints


def _hint(step: Skipped) -> str:
    if step.code == "on_hold":
        return "--force asks all the same"
    if step.code == "unreadable" and not os.path.exists(step.where):
        return "give a feed file, a folder, a list such as items.jsonl, or - for standard input"
    return ""


class _Progress:
    """A bar on standard error while a run goes on; nothing where no terminal shows it."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> _Progress:
        if sys.stderr.isatty() and not self._screen.verbose:
            self._bar = Progress(
                BarColumn(bar_width=20),
                TextColumn("{task.completed:,} items", markup=False),
                TimeElapsedColumn(),
                TextColumn("{task.description}", markup=False),
                console=console(self._screen, err=True),
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._task = self._bar.add_task("", total=None)
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self, count: int, where: str) -> None:
        """Count items that are done."""
        if self._bar is not None:
            self._bar.update(self._task, advance=count, description=self._screen.safe(Path(where).name))

    @contextlib.contextmanager
    def pause(self, *, needed: bool) -> Iterator[None]:
        """Take the bar away while something else is written."""
        if self._bar is None or not needed:
            yield
            return
        self._bar.stop()
        try:
            yield
        finally:
            self._bar.start()
