"""``seenbefore page``: open one page, say what it says about itself, and whether it was seen before."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

import click

from ..engine.pages.storing import OpenedPage, StoredPage
from ..errors import InvalidInput
from ..model import Capture
from ..wiring import SeenBefore, open_db
from .fetching import fetch_options, get_fetching, open_fetcher, open_robots
from .opening import open_store
from .options import EXIT_CODES, get_settings, json_option, shared_options
from .output import Screen
from .pageoptions import get_page_options, page_options, wants_robots
from .pagescreen import OPENED, page_to_json
from .tables import decision_heading, decision_line, time_text


@click.command("page", epilog=EXIT_CODES)
@click.argument("places", nargs=-1, required=True, metavar="URL|FILE...")
@click.option("--url", metavar="URL", help="Where a file is from.")
@click.option("--dry-run", is_flag=True, help="Read and show a file, but store nothing; no database is needed.")
@json_option
@page_options
@fetch_options
@shared_options
@click.pass_context
def page_command(ctx: click.Context, places: tuple[str, ...], url: str | None, dry_run: bool, as_json: bool) -> None:
    """Open pages: when each was published, by which evidence, what its text is, and whether it was seen before.

    \b
    Examples:
      seenbefore page https://example.com/2026/03/bridge
      seenbefore page saved.html --url https://example.com/2026/03/bridge
      seenbefore page saved.html --dry-run               only read it

    What was read is one of full_text, abstract, summary, paywalled, title_only, consent_wall, error_page, pdf; the
    last three are recorded and never compared. A date keeps the tag it stood in, the text of that tag and what
    other tags say. A page is asked for again only when you name it here.

    \b
    --json gives one line per page: page (address, original_url, fetch_url, final_url, hops, status, outcome,
    reason, representation, extractor, facts, ...), decision (as in `ingest --json`, or null) and unattached.
    """
    screen = Screen(get_settings(ctx))
    if url and len(places) > 1:
        raise click.UsageError("--url says where one file is from; name one file")
    failed = 0
    with contextlib.ExitStack() as stack:
        db = stack.enter_context(open_db(":memory:") if dry_run else open_store(get_settings(ctx), create=True))
        for place in places:
            stored = _open(ctx, db, place, url or "", dry_run=dry_run)
            failed += stored.capture.outcome not in OPENED
            if as_json:
                screen.json(page_to_json(stored))
            else:
                _show(screen, stored)
    ctx.exit(1 if failed else 0)


def _open(ctx: click.Context, db: SeenBefore, place: str, url: str, *, dry_run: bool) -> StoredPage:
    options = get_page_options(ctx)
    if "://" in place and not Path(place).exists():
        with contextlib.closing(open_fetcher(get_fetching(ctx))) as fetcher:
            return db.pages.open_url(place, fetcher, open_robots(fetcher, wanted=wants_robots(ctx)), options)
    page = db.pages.read(_read_file(place), url, options)
    if dry_run:
        return StoredPage(page.capture)
    if not url:
        _ask_for_address(page, place)
    return db.pages.take(page, options)


def _read_file(place: str) -> bytes:
    try:
        return Path(place).read_bytes()
    except OSError as error:
        raise InvalidInput(f"cannot be read: {error.strerror or error}; give a file or an address", place) from error


def _ask_for_address(page: OpenedPage, place: str) -> NoReturn:
    """A saved page is compared only under an address that a person gave: what it claims itself is evidence, no more."""
    claimed = page.reading.canonical if page.reading else ""
    advice = f"; it claims to be {claimed}" if claimed else ""
    raise InvalidInput(f"say where this file is from with --url URL{advice}, or only read it with --dry-run", place)


def _show(screen: Screen, stored: StoredPage) -> None:
    capture = stored.capture
    for name, value in _lines(capture):
        if value:
            screen.line(f"{name:15} {screen.safe(value)}")
    if stored.decision is not None:
        screen.line()
        screen.line(decision_heading())
        screen.line(decision_line(screen, stored.decision))
    elif capture.representation is not None and not capture.representation.is_text:
        screen.line("no article      recorded, and compared with nothing")
    screen.line()


def _lines(capture: Capture) -> list[tuple[str, str]]:
    facts = capture.facts
    return [
        ("page", capture.original_url),
        ("asked for", capture.fetch_url if capture.fetch_url != capture.original_url else ""),
        ("came from", capture.final_url if capture.final_url not in (capture.original_url, capture.fetch_url) else ""),
        *(("redirect", f"{status}  {start} -> {target}") for start, status, target in capture.hops),
        ("outcome", " ".join(filter(None, (capture.outcome, str(capture.status or ""))))),
        ("what was read", capture.representation.value if capture.representation else ""),
        ("because", capture.reason),
        ("read by", capture.extractor),
        ("title", str(facts.get("title", ""))),
        *((name, _date(facts, name)) for name in ("published", "modified")),
        ("ask again", time_text(capture.retry_at) if capture.retry_at else ""),
    ]


def _date(facts: Mapping[str, Any], name: str) -> str:
    """A date with its evidence: where it stood, what stood there, and what else the page says; or why there is none."""
    dates: Mapping[str, Any] = facts.get("dates") or {}
    found: Mapping[str, Any] | None = dates.get(name)
    if not found:
        reason = str(dates.get("reason") or "") if name == "published" else ""
        return f"unknown ({reason})" if reason else ""
    text = f"{found.get('at')}  {found.get('tag')} (tier {found.get('tier')}): {found.get('raw')}"
    if found.get("conflicts"):
        text += f"; conflict: {', '.join(found['conflicts'])}"
    return text
