"""``seenbefore label``: a person's verdict on two records."""

from __future__ import annotations

import click

from .opening import open_store
from .options import EXIT_CODES, get_settings, shared_options
from .output import Screen


@click.command("label", epilog=EXIT_CODES)
@click.argument("a")
@click.argument("b")
@click.argument("verdict", type=click.Choice(["same", "different", "related"]))
@click.option("--author", default="", metavar="NAME", help="Who says so.")
@shared_options
@click.pass_context
def label_command(ctx: click.Context, a: str, b: str, verdict: str, author: str) -> None:
    """Say whether two records are the same. Your verdict outranks every rule.

    "same" joins them, "different" keeps them apart, "related" notes that they belong together
    without joining them.

    \b
    Example:
      seenbefore list --outcome review
      seenbefore explain r7 r4
      seenbefore label r7 r4 different --author ann
    """
    settings = get_settings(ctx)
    screen = Screen(settings)
    with open_store(settings) as db:
        first, second = db.label(a, b, verdict, author=author)
    if first == second:
        screen.line(f"{screen.safe(a)} and {screen.safe(b)} are one record now: {first}")
    else:
        screen.line(f"{first} and {second} stay two records ({verdict})")
