"""``seenbefore changes``: what a consumer has not been told yet."""

from __future__ import annotations

import click

from ..engine.changes import Change
from .opening import open_store
from .options import EXIT_CODES, get_settings, json_option, shared_options
from .output import Screen
from .tables import decision_line


@click.command("changes", epilog=EXIT_CODES)
@click.option("--consumer", required=True, metavar="NAME", help="Who asks; each name has its own position.")
@click.option("--from-now", is_flag=True, help="A new name starts behind what is stored.")
@click.option("--ack", type=click.IntRange(min=0), metavar="SEQ", help="Everything up to SEQ is dealt with.")
@json_option
@shared_options
@click.pass_context
def changes_command(ctx: click.Context, consumer: str, from_now: bool, ack: int | None, as_json: bool) -> None:
    """Show what is new or changed since the consumer's last acknowledgment, in order.

    Nothing is forgotten until it is acknowledged: asking twice shows the same twice. A new consumer
    starts at the beginning, or with --from-now behind everything that is stored.

    \b
    Example, for a step that pays per item:
      seenbefore changes --consumer summaries --json > todo.jsonl
      ... deal with the lines; the last one has "seq": 41 ...
      seenbefore changes --consumer summaries --ack 41
    """
    if ack is not None and from_now:
        raise click.UsageError("--ack sets the position and so does --from-now; leave one of them out")
    settings = get_settings(ctx)
    screen = Screen(settings)
    with open_store(settings) as db:
        if ack is not None:
            db.ack(consumer, ack)
            return
        last = 0
        for change in db.changes(consumer, from_now=from_now):
            last = change.seq
            if as_json:
                screen.json(db.change_to_json(change))
            else:
                screen.line(_change_line(screen, change))
    if as_json:
        return
    if last:
        command = f"seenbefore changes --consumer {screen.safe(consumer)} --ack {last}"
        screen.line(f"When all of this is dealt with: {command}")
    else:
        screen.line("nothing new")


def _change_line(screen: Screen, change: Change) -> str:

    seq = f"{change.seq:>6}"
    if change.decision is not None:
        released = "  (released)" if change.released else ""
        merged = f"  -> {change.superseded_by}" if change.superseded_by else ""
        return f"{seq} {decision_line(screen, change.decision)}{released}{merged}"
    assert change.event is not None
    event = change.event
    records = ", ".join(event.record_ids)
    survivor = f" -> {event.survivor_id}" if event.survivor_id else ""
    return f"{seq} {event.event:9} {records}{survivor}  ({screen.safe(event.cause)})"
