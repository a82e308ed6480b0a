"""``seenbefore export``: what is stored, as files that other programs read."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

import click
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from ..engine.exportfile import LEFT_OUT, Export
from ..errors import InvalidInput
from ..wiring import SeenBefore
from .moment import Moment
from .opening import open_store
from .options import EXIT_CODES, Settings, get_settings, shared_options
from .output import OutputLost, Screen
from .tables import console

out_option = click.option(
    "--out", metavar="FILE", help="Write to this file, which is replaced in one step.  [default: standard output]"
)
secrets_option = click.option(
    "--with-secrets", is_flag=True, help="Send addresses with passwords and tokens, too; everybody can read them."
)


@click.group("export", epilog=EXIT_CODES)
def export_command() -> None:
    """Write feeds, redirects and sitemaps of what is stored.

    \b
    Examples:
      seenbefore export feed --out clean.xml
      seenbefore export redirects --format nginx --from '/articles/{external_id}' --to '/articles/{external_id}'
      seenbefore export sitemap --url 'https://me.example/articles/{external_id}' --out sitemap.xml

    Standard output holds nothing but the export. What is left out is counted on standard error.
    """


@export_command.command("feed", epilog=EXIT_CODES, short_help="A feed with one entry per record.")
@click.option("--format", type=click.Choice(["atom", "json", "rss"]), default="atom", help="Its form.  [default: atom]")
@click.option("--since", type=Moment(relative=True), help="Only what changed since: 2026-01-31, 12h, 7d.")
@click.option("--source", metavar="NAME", help="Only what was seen at this source: its name, its address, or s3.")
@click.option(
    "--limit", type=click.IntRange(min=0), default=100, metavar="N", help="The newest N; 0 for all.  [default: 100]"
)
@click.option("--title", default="", metavar="TEXT", help="The feed's title.  [default: the source, or seenbefore]")
@click.option("--url", default="", metavar="URL", help="Where readers will find the feed.")
@out_option
@secrets_option
@shared_options
@click.pass_context
def feed_command(ctx: click.Context, /, out: str | None, **given: Any) -> None:
    """Write a feed with one entry per record, what changed last first.

    Any feed reader can subscribe to it, from a file or from a web server. An entry keeps its id through
    updates and merges and names all sources. HTML is sanitized. Rejected and merged records are not in it.

    \b
    Examples:
      seenbefore export feed --out clean.xml --url https://me.example/clean.xml --title "Harbor news"
      seenbefore export feed --format json --source harbor-news --since 7d
    """
    _write(get_settings(ctx), out, lambda db, progress: db.export_feed(**given, progress=progress))


@export_command.command("redirects", epilog=EXIT_CODES, short_help="Where your pages of merged records went.")
@click.option("--format", type=click.Choice(["nginx", "apache", "json"]), required=True, help="Who will read it.")
@click.option("--from", "old", required=True, metavar="TEMPLATE", help="The path of your page about a record.")
@click.option("--to", "new", required=True, metavar="TEMPLATE", help="The path or address to send readers to.")
@out_option
@secrets_option
@shared_options
@click.pass_context
def redirects_command(ctx: click.Context, /, out: str | None, **given: Any) -> None:
    """Write where your pages of merged records went (301), and which of rejected ones are gone (410).

    Templates hold {external_id}, the id you gave an item, or {record_id}, as r12. Values are percent-encoded.
    Each address is matched exactly, and none leads to another redirect.

    \b
    Example:
      seenbefore export redirects --format nginx --from '/articles/{external_id}' --to '/articles/{external_id}'
    """
    _write(get_settings(ctx), out, lambda db, progress: db.export_redirects(**given, progress=progress))


@export_command.command("sitemap", epilog=EXIT_CODES, short_help="Your pages about live records.")
@click.option("--url", required=True, metavar="TEMPLATE", help="The address of your page about a record.")
@click.option("--base", default="", metavar="URL", help="Where the files will lie; needed if there are several.")
@out_option
@secrets_option
@shared_options
@click.pass_context
def sitemap_command(ctx: click.Context, /, out: str | None, **given: Any) -> None:
    """Write a sitemap of your pages about live records, with the time each one really changed.

    The template holds {external_id}, the id you gave an item, or {record_id}, as r12. More than 50,000
    addresses go into several files (FILE-1.xml and so on), and FILE becomes their index.

    \b
    Example:
      seenbefore export sitemap --url 'https://me.example/articles/{external_id}' --out sitemap.xml
    """
    _write(get_settings(ctx), out, lambda db, progress: db.export_sitemap(**given, progress=progress))


def _write(settings: Settings, out: str | None, start: Callable[[SeenBefore, Callable[[int], None]], Export]) -> None:
    """Write an export to a file or to standard output, and say what is not in it."""
    screen = Screen(settings)
    if out and os.path.realpath(out) == os.path.realpath(settings.db):
        raise InvalidInput("is the database; name another file", out)
    with open_store(settings) as db, _progress(screen, shown=bool(out) or not sys.stdout.isatty()) as advance:
        export = start(db, advance)
        if out:
            export.save(out)
        else:
            with contextlib.closing(iter(export)) as chunks:
                for chunk in chunks:
                    _send(chunk)
    for code, count in sorted(export.left_out.items()):
        screen.note(f"left out ({count:,}): {LEFT_OUT[code]}")


def _send(chunk: bytes) -> None:
    try:
        click.echo(chunk, nl=False)
    except OSError as error:
        raise OutputLost(error) from error


@contextlib.contextmanager
def _progress(screen: Screen, *, shown: bool) -> Iterator[Callable[[int], None]]:
    """A bar on standard error while records are read; nothing where no terminal shows it."""
    if not (shown and sys.stderr.isatty()) or screen.verbose:
        yield lambda _: None
        return
    columns = (BarColumn(bar_width=20), TextColumn("{task.completed:,} records", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=console(screen, err=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda records: bar.update(task, advance=records)
