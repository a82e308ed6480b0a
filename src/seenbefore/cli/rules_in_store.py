"""``seenbefore rules check``, ``activate`` and ``rollback``: what rules do to what is stored."""

from __future__ import annotations

from collections.abc import Iterable

import click

from ..engine.activate import Activation
from ..engine.checkpack import Flip, Meeting, PackCheck
from ..engine.rollback import RollbackPlan
from ..engine.rulesjson import activation_to_json, check_to_json, rollback_to_json
from .opening import open_store
from .options import EXIT_CODES, get_settings, json_option, shared_options
from .output import Screen
from .progress import progress_bar
from .tables import plain_table, show_table

_SHOWN = 30
_NAMED = 5


@click.command("check", epilog=EXIT_CODES)
@click.argument("file", metavar="FILE.toml")
@json_option
@shared_options
@click.pass_context
def check_command(ctx: click.Context, file: str, as_json: bool) -> None:
    """Show what a pack would do to what is stored, and write nothing.

    Which stored records would meet, which of those are two articles by title or text (collisions), and which
    decisions would have been others. What would happen is tried on a copy. Ends with 1 if records collide.

    \b
    Example:
      seenbefore rules check mine.toml --db news.db
    """
    settings = get_settings(ctx)
    screen = Screen(settings)
    with open_store(settings) as db, progress_bar(screen, "records") as progress:
        check = db.rules.check(file, progress=progress)
    if as_json:
        screen.json(check_to_json(check))
    else:
        _show_check(screen, check)
    ctx.exit(1 if check.collisions else 0)


def _show_check(screen: Screen, check: PackCheck) -> None:
    apart = sorted(check.meetings, key=lambda meeting: not meeting.collision)
    if apart:
        rows = [_meeting_row(screen, meeting) for meeting in apart[:_SHOWN]]
        columns = ["record", "title", "other", "title", "by", "collision"]
        show_table(screen, plain_table("Stored records that would meet", columns, rows))
    if check.flips:
        rows = [_flip_row(screen, flip) for flip in check.flips[:_SHOWN]]
        columns = ["decision", "title", "was", "would be", "record"]
        show_table(screen, plain_table("Decisions that would be others", columns, rows))
    if max(len(apart), len(check.flips)) > _SHOWN:
        screen.line(f"The first {_SHOWN} are shown; --json has all.")
    hosts = "every host" if check.hosts is None else ", ".join(check.hosts[:_NAMED])
    hosts += f" and {len(check.hosts) - _NAMED} more" if check.hosts and len(check.hosts) > _NAMED else ""
    screen.line(
        f"{check.pack} {check.pack_version} on {hosts}: {count(check.records, 'record')} looked at, "
        f"{count(len(check.meetings), 'pair')} would meet, {len(check.collisions)} of them collide; "
        f"{check.merged} would be merged into others, {check.split} taken apart, {check.reviews} wait for a person"
    )


def _meeting_row(screen: Screen, meeting: Meeting) -> list[str]:
    by = f"{meeting.key.kind} {screen.safe_key(meeting.key.value)}"
    titles = [screen.safe(record.title or record.url) for record in (meeting.a, meeting.b)]
    return [meeting.a.record_id, titles[0], meeting.b.record_id, titles[1], by, meeting.collision]


def _flip_row(screen: Screen, flip: Flip) -> list[str]:
    decision = flip.decision
    title = screen.safe(decision.item.title or decision.item.original_url)
    return [decision.decision_id or "", title, decision.outcome.value, flip.becomes.value, flip.of]


@click.command("activate", epilog=EXIT_CODES)
@click.argument("file", metavar="FILE.toml")
@click.option("--author", default="", metavar="NAME", help="Who says so.")
@click.option("--force", default="", metavar="REASON", help="Why to do it although records collide; is kept.")
@json_option
@shared_options
@click.pass_context
def activate_command(ctx: click.Context, file: str, author: str, force: str, as_json: bool) -> None:
    """Put a pack of your own into force, for this database and every process that uses it.

    Stored addresses on its hosts are read again, and records that are one by the new rules are merged; each
    merge can be undone. What is cut off goes on with the same command. Refused if records collide ("rules check"
    shows them) unless --force says why.

    \b
    Examples:
      seenbefore rules activate mine.toml --db news.db --author ann
      seenbefore rules activate mine.toml --db news.db --force "r7 is a test page"
    """
    settings = get_settings(ctx)
    screen = Screen(settings)
    with open_store(settings) as db:
        done = _watch(screen, db.rules.activate(file, author=author, force=force))
    if as_json:
        screen.json(activation_to_json(done))
        return
    version = done.version
    screen.line(f"{version.pack} {version.pack_version} is in force as {version.version_id}: {_told(done)}")
    screen.line(f"Next: seenbefore history    and, to take it back: seenbefore rules rollback {version.version_id}")


@click.command("rollback", epilog=EXIT_CODES)
@click.argument("version", metavar="v3")
@click.option("--apply", "do_it", is_flag=True, help="Do it; without this only what would be done is shown.")
@click.option("--author", default="", metavar="NAME", help="Who says so.")
@json_option
@shared_options
@click.pass_context
def rollback_command(ctx: click.Context, version: str, do_it: bool, author: str, as_json: bool) -> None:
    """Take an activation back: its keys go, its merges are undone, what else rested on it waits for a person.

    Without --apply nothing is written. A merge that something later rests on is not put back as it was, but its
    records are taken apart all the same.

    \b
    Examples:
      seenbefore rules rollback v3 --db news.db
      seenbefore rules rollback v3 --db news.db --apply
    """
    settings = get_settings(ctx)
    screen = Screen(settings)
    with open_store(settings) as db:
        if not do_it:
            plan = db.rules.plan_rollback(version)
            screen.json(rollback_to_json(plan)) if as_json else _show_plan(screen, plan)
            return
        done = _watch(screen, db.rules.roll_back(version, author=author))
    if as_json:
        screen.json(activation_to_json(done))
        return
    screen.line(f"{done.version.version_id} ({done.version.pack}) is taken back: {_told(done)}")


def _show_plan(screen: Screen, plan: RollbackPlan) -> None:
    for event in plan.steps:
        screen.line(f"{event.event_id:6} {event.event:9} {' and '.join(event.record_ids)}: would be undone")
    for blocked in plan.blocked:
        screen.line(f"{blocked.event.event_id:6} cannot be put back as it was: {screen.safe(blocked.reason)}")
    version, waiting = f"{plan.version.version_id} ({plan.version.pack})", count(plan.would.reviews, "pair")
    screen.line(
        f"Dry run: {version} would be taken back: {count(len(plan.steps), 'step')} undone, "
        f"the keys of {count(len(plan.record_ids), 'record')} read again, {plan.would.merged} merged into others, "
        f"{plan.would.split} taken apart, {waiting} would wait for a person. Do it with --apply."
    )


def count(number: int, one: str) -> str:
    """Return a number with its noun, in the plural where it must be."""
    return f"{number} {one if number == 1 else f'{one}s'}"


def _told(done: Activation) -> str:
    reformed = done.reformed
    read, waiting = count(done.total, "record"), count(reformed.reviews, "pair")
    moved = f"{reformed.merged} merged into others, {reformed.split} taken apart"
    verb = "waits" if reformed.reviews == 1 else "wait"
    return f"{read} read again, {moved}, {waiting} {verb} for a person"


def _watch(screen: Screen, steps: Iterable[Activation]) -> Activation:
    """Show a bar while the run goes on; return how it ended."""
    last: Activation | None = None
    with progress_bar(screen, "records") as progress:
        for last in steps:
            if progress:
                progress(last.done, last.total)
    assert last is not None  # the last step is always told
    return last
