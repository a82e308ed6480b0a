"""``seenbefore reextract``: read kept pages once more."""

from __future__ import annotations

import click

from .opening import open_store
from .options import EXIT_CODES, get_settings, json_option, shared_options
from .output import Screen
from .pageoptions import get_page_options, page_options
from .progress import progress_bar


@click.command("reextract", epilog=EXIT_CODES)
@click.option("--learn", is_flag=True, help="First look for paragraphs that many articles of a host share.")
@json_option
@page_options
@shared_options
@click.pass_context
def reextract_command(ctx: click.Context, learn: bool, as_json: bool) -> None:
    """Read the pages that were kept once more, by the extractor of today.

    Nothing changed at the sources, so nothing is announced: each new text stands beside the old one, and captures
    are only ever compared with texts that were read in the same way. Pages that were read like this already stay.
    With --learn, paragraphs that stand on many articles of one host (a newsletter form, a list of topics) are
    found and left out from now on, until you learn again.

    \b
    Examples:
      seenbefore ingest feed.xml --fetch --keep-pages
      seenbefore reextract
      seenbefore reextract --learn --json

    --json gives one mapping: pages, read (anew), changed (another text than before).
    """
    screen = Screen(get_settings(ctx))
    with open_store(get_settings(ctx)) as db, progress_bar(screen, "pages") as move:
        for done in db.pages.reextract(get_page_options(ctx), learn=learn):
            if move is not None:
                move(done.seen, done.total)
    if as_json:
        screen.json({"schema": 1, "pages": done.total, "read": done.read, "changed": done.changed})
    elif not done.total:
        screen.line("No page is kept; open pages with --keep-pages.")
    else:
        screen.line(f"{done.total} kept pages, {done.read} read anew, {done.changed} with another text than before.")
