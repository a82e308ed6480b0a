"""Options of every command that opens pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import click

from ..engine.pages.keeper import PageKeeper
from ..engine.pages.run import EXTRACTOR, KEPT_BYTES, PageOptions, PageVisitor
from ..fetch.base import Fetcher
from .fetching import get_fetching, open_robots

Command = TypeVar("Command", bound=Callable[..., Any])

_KEY = "seenbefore.pages"
_MIB = 1 << 20


def page_options(command: Command) -> Command:
    """Return the command with the options of pages; read them with :func:`get_page_options`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def get_page_options(ctx: click.Context) -> PageOptions:
    """Return how pages are opened in this call."""
    known: PageOptions = ctx.meta.get(_KEY, PageOptions())
    return replace(known, manners=get_fetching(ctx).manners)


def wants_robots(ctx: click.Context) -> bool:
    """Return whether robots.txt is asked."""
    return bool(ctx.meta.get(f"{_KEY}.robots", True))


def open_visitor(ctx: click.Context, fetcher: Fetcher, *, history: bool) -> PageVisitor:
    """Return what opens the pages behind items. Raises MissingExtra before anything is read."""
    PageKeeper.check()
    options = replace(get_page_options(ctx), history=history)
    return PageVisitor(fetcher, open_robots(fetcher, wanted=wants_robots(ctx)), options)


def _set(ctx: click.Context, **changes: Any) -> None:
    ctx.meta[_KEY] = replace(ctx.meta.get(_KEY, PageOptions()), **changes)


def _extractor(ctx: click.Context, parameter: click.Parameter, value: str) -> None:
    _set(ctx, extractor=value)


def _keep(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    _set(ctx, keep=value)


def _limit(ctx: click.Context, parameter: click.Parameter, value: int) -> None:
    _set(ctx, kept_bytes=value * _MIB)


def _robots(ctx: click.Context, parameter: click.Parameter, value: bool) -> None:
    ctx.meta[f"{_KEY}.robots"] = value


_OPTIONS = [
    click.option(
        "--extractor",
        type=click.Choice(["trafilatura-fast", "resiliparse"]),
        default=EXTRACTOR,
        show_default=True,
        expose_value=False,
        callback=_extractor,
        help="What reads the text: the exact one, or the one for very many pages.",
    ),
    click.option(
        "--keep-pages/--no-keep-pages",
        default=False,
        expose_value=False,
        callback=_keep,
        help="Keep the pages as they came, compressed, so that `reextract` can read them again.",
    ),
    click.option(
        "--keep-limit",
        metavar="MIB",
        type=click.IntRange(1),
        default=KEPT_BYTES // _MIB,
        show_default=True,
        expose_value=False,
        callback=_limit,
        help="How much kept pages may take.",
    ),
    click.option(
        "--robots/--no-robots",
        default=True,
        expose_value=False,
        callback=_robots,
        help="Ask robots.txt before a page is opened.  [default: robots]",
    ),
]
