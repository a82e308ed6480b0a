"""``seenbefore undo``, ``history`` and ``consolidate``: what was joined or taken apart, and how to take it back."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from types import TracebackType

import click
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from ..codes import TRUST_REASONS
from ..decisionjson import event_to_json
from ..engine.consolidate import Consolidated
from ..engine.history import Happened, History, Said, Shown, happened_to_json
from ..engine.undo import Undone
from ..model import Decision, Event, Review, Verdict
from .opening import open_store
from .options import EXIT_CODES, get_settings, json_option, shared_options
from .output import Screen
from .tables import console, decision_line, time_text

_SHOWN = 50
_NAMED = 6
_LINKS = {Verdict.SAME: "as", Verdict.DIFFERENT: "from", Verdict.RELATED: "to"}


@click.command("undo", epilog=EXIT_CODES)
@click.argument("event", metavar="m5")
@click.option("--author", default="", metavar="NAME", help="Who says so.")
@click.option("--dry-run", is_flag=True, help="Say what would happen, but write nothing.")
@json_option
@shared_options
@click.pass_context
def undo_command(ctx: click.Context, event: str, author: str, dry_run: bool, as_json: bool) -> None:
    """Take a merge or a split back, and keep it so.

    Records, addresses and keys stand again as they stood before. What came later is kept: it goes to the
    record that it belongs to without the merge. What a merge had joined is not joined again, and what a
    split had taken apart stays one record, until you say otherwise with "seenbefore label".

    \b
    Examples:
      seenbefore history               what can be undone
      seenbefore undo m5 --dry-run
      seenbefore undo m5 --author ann
    """
    settings = get_settings(ctx)
    screen = Screen(settings)
    with open_store(settings) as db:
        undone = db.undo(event, author=author, dry_run=dry_run)
    if as_json:
        screen.json(_undone_to_json(undone))
        return
    _show_undone(screen, undone)


def _undone_to_json(undone: Undone) -> dict[str, object]:
    return {
        "event": event_to_json(undone.event),
        "undone": event_to_json(undone.undone) if undone.undone else None,
        "exact": undone.exact,
        "record_ids": list(undone.record_ids),
        "kept": [{"record_id": k.record_id, "sightings": k.sightings, "versions": k.versions} for k in undone.kept],
        "labels": undone.labels,
        "reviews": undone.reviews,
    }


def _show_undone(screen: Screen, undone: Undone) -> None:
    event = undone.event
    count = len(undone.record_ids)
    names = " and ".join(undone.record_ids) if count <= _NAMED else f"{count} records"
    several = "are records of their own" if count > 1 else "is one record"
    if undone.undone is None:
        verb = "would be records of their own" if count > 1 else "would be one record"
        screen.line(f"Dry run: {event.event_id} ({event.event}) can be undone; {names} {verb} again.")
    else:
        screen.line(f"{event.event_id} ({event.event}) is undone by {undone.undone.event_id}; {names} {several} again.")
    if undone.exact:
        screen.line("  nothing came since: every row is as it was")
    for kept in undone.kept:
        parts = [_count(kept.sightings, "sighting")] * bool(kept.sightings)
        parts += [_count(kept.versions, "changed text or title", "changed texts or titles")] * bool(kept.versions)
        screen.line(f"  kept in {kept.record_id}: {' and '.join(parts)} that came later")
    if undone.reviews:
        screen.line(f"  {_count(undone.reviews, 'pair')} of records waits for a person again")
    if undone.labels:
        screen.line(f"  noted on {_count(undone.labels, 'pair')} of sightings, so that it stays like this")


def _count(number: int, one: str, several: str = "") -> str:
    return f"{number} {one if number == 1 else several or f'{one}s'}"


@click.command("history", epilog=EXIT_CODES)
@click.argument("what", required=False, metavar="[r7|m5|s3]")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    metavar="N",
    help=f"The newest N; 0 for all.  [default: {_SHOWN}, with --json all]",
)
@json_option
@shared_options
@click.pass_context
def history_command(ctx: click.Context, what: str | None, limit: int | None, as_json: bool) -> None:
    """Show what happened, newest last: to a record (r7), since an event (m5), at a source (s3), or at all.

    Without an id these are the merges, splits, verdicts and undos of the whole store. Each says whether
    it can be undone, and what stands in the way.

    \b
    Examples:
      seenbefore history
      seenbefore history r7 --json
    """
    settings = get_settings(ctx)
    screen = Screen(settings)
    wanted = (None if as_json else _SHOWN) if limit is None else limit or None
    with open_store(settings) as db:
        history = db.history(what, limit=wanted)
    if as_json:
        for entry in history.entries:
            screen.json(happened_to_json(entry))
        return
    _show_history(screen, history)


def _show_history(screen: Screen, history: History) -> None:
    if history.moved_to:
        screen.line(f"{history.about} was merged and is now part of {history.moved_to}.")
    for entry in history.entries:
        screen.line(f"{time_text(entry.at)}  {_entry_text(screen, entry)}")
    if not history.entries:
        screen.line("nothing was merged, split or judged so far" if not history.about else "nothing happened yet")
    if history.more:
        screen.line(f"The newest {len(history.entries)} are shown; --limit 0 shows all.")


def _entry_text(screen: Screen, entry: Happened) -> str:
    what = entry.what
    if isinstance(what, Decision):
        return f"{what.decision_id or '-':6} {decision_line(screen, what)}"
    if isinstance(what, Event):
        return f"{what.event_id:6} {_event_text(screen, what)}{_undo_text(entry)}"
    if isinstance(what, Review):
        return f"{'':6} review    r{what.record_id} and r{what.other_id}: {what.state.value}"
    if isinstance(what, Said):
        others = f" {_LINKS[what.verdict]} {', '.join(what.other_ids)}" if what.other_ids else ""
        author = f" by {screen.safe(what.author)}" if what.author else ""
        return f"{'':6} verdict   {what.verdict.value}{others}{author}, on {_count(what.pairs, 'pair')} of sightings"
    if isinstance(what, Shown):
        title = screen.safe(what.version.title)
        return f"{'':6} version   {what.source_id} {screen.safe(what.source)}: {title or '(no title)'}"
    why = TRUST_REASONS.get(what.reason, what.reason)
    return f"{'':6} trust     {what.kind} {screen.safe_key(what.value)}: {why}"


def _event_text(screen: Screen, event: Event) -> str:
    count = len(event.record_ids)
    records = ", ".join(event.record_ids) if count <= _NAMED else f"{count} records"
    survivor = f" into {event.survivor_id}" if event.survivor_id else ""
    undoes = f" {screen.safe(event.detail['undoes'])}:" if "undoes" in event.detail else ""
    version = f" {screen.safe(event.detail['rules'])}" if "rules" in event.detail else ""
    return f"{event.event:9}{undoes} {records}{survivor} ({screen.safe(event.cause)}{version})"


def _undo_text(entry: Happened) -> str:
    undo = entry.undo
    if undo is None or undo.state == "no_move":
        return ""
    by = undo.by.event_id if undo.by else ""
    told = {"undoable": "can be undone", "undone": f"undone by {by}", "blocked": f"undo {by} first"}
    return f"  [{told.get(undo.state, 'cannot be undone')}]"


@click.command("consolidate", epilog=EXIT_CODES)
@click.option("--all", "everything", is_flag=True, help="Go over everything that is stored.")
@click.option("--dry-run", is_flag=True, help="Count what would be done, but write nothing.")
@json_option
@shared_options
@click.pass_context
def consolidate_command(ctx: click.Context, everything: bool, dry_run: bool, as_json: bool) -> None:
    """Compare what is stored once more, under the policy and the rules of now.

    New items find what they belong to by themselves, each in its own transaction. What was stored before a
    limit or a rule was changed does not meet again: this command does that. Each merge can be undone by
    itself. What is interrupted is done again by the next run; a second run changes nothing.

    \b
    Examples:
      seenbefore consolidate --all --dry-run
      seenbefore --policy mine.toml consolidate --all
    """
    if not everything:
        raise click.UsageError("say --all to go over everything stored; what new items bring about is done by ingest")
    settings = get_settings(ctx)
    screen = Screen(settings)
    with open_store(settings) as db:
        last = _watch(screen, db.consolidate(dry_run=dry_run))
    if as_json:
        screen.json(
            {"records": last.records, "merged": last.merged, "split": last.split, "reviews": last.reviews}
            | {"dry_run": dry_run}
        )
        return
    screen.line(
        f"{_count(last.records, 'record')} compared: {last.merged} merged into others, {last.split} taken apart, "
        f"{_count(last.reviews, 'new review')}"
    )
    if dry_run:
        screen.line("Dry run: nothing was written.")
    elif last.merged or last.split:
        screen.line("Next: seenbefore history    what was done, and how to take it back")


def _watch(screen: Screen, steps: Iterable[Consolidated]) -> Consolidated:
    """Show a bar while the run goes on; return how it ended."""
    last = Consolidated(0, 0)
    with _Watch(screen) as watch:
        for last in steps:
            watch.show(last)
    return last


class _Watch:
    """A bar on standard error; nothing where no terminal shows it."""

    def __init__(self, screen: Screen) -> None:
        shown = sys.stderr.isatty() and not screen.verbose
        columns = (BarColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
        self._bar = Progress(*columns, console=console(screen, err=True), transient=True) if shown else None
        self._task = self._bar.add_task("", total=None) if self._bar else None

    def __enter__(self) -> _Watch:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, step: Consolidated) -> None:
        """Move the bar on."""
        if self._bar is not None and self._task is not None:
            text = f"{step.records:,} records, {step.merged:,} merged, {step.split:,} split"
            self._bar.update(self._task, completed=step.done, total=step.total, description=text)
