"""The command ``seenbefore`` itself: its options, its commands, and how errors end it."""

from __future__ import annotations

import contextlib
import importlib
import sys
from typing import Any

import click

from .. import __version__
from ..errors import InvalidInput, MissingExtra, NotFound, SeenBeforeError
from .options import EXIT_CODES, Settings, get_settings, shared_options
from .output import OutputLost, Screen, drop_output

_HINTS = {
    "there is no such database": "name it with --db FILE, or make one: seenbefore ingest FEED --db FILE",
}


_COMMANDS = {
    "ingest": ("ingest", "Take in feeds and lists; decide on every item."),
    "list": ("listing", "List decisions, newest last."),
    "show": ("show", "Show what is stored of a record, source, decision or event."),
    "explain": ("show", "Say why something was decided, or why two are (not) the same."),
    "page": ("page", "Open a page: its dates, its text, and whether it was seen before."),
    "reextract": ("reextract", "Read kept pages once more, by a newer extractor."),
    "changes": ("changes", "Show what a consumer has not been told yet."),
    "label": ("label", "Say whether two records are the same."),
    "history": ("merging", "Show what was merged, split and judged, and what can be undone."),
    "undo": ("merging", "Take a merge or a split back."),
    "consolidate": ("merging", "Compare everything stored once more."),
    "rules": ("rules", "Look at the rules, test your own, see what they would do."),
    "urls": ("urls", "Say what an address stands for."),
    "stats": ("stats", "Count what came, warn where the mix jumps."),
    "check": ("check", "Check that everything stored holds together."),
    "export": ("export", "Write feeds, redirects and sitemaps."),
    "evaluate": ("evaluate", "Measure the decisions on labeled data."),
}
"""Name → module and summary: a command's module is imported when it runs, so that help comes at once."""


class _App(click.Group):
    """Ends with a message and a documented exit code where an error of this package comes up."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order of use, not of the alphabet."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and return it."""
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f".{_COMMANDS[cmd_name][0]}", __package__)
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the summaries."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in _COMMANDS.items()])

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        """Read the options before the command's name."""
        try:
            return super().make_context(*args, **more)
        except click.UsageError as error:
            raise _made_safe(error, Screen(Settings())) from None

    def invoke(self, ctx: click.Context) -> object:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            raise _made_safe(error, Screen(get_settings(ctx))) from None
        except SeenBeforeError as error:
            screen = Screen(get_settings(ctx))
            screen.complain(str(error), _hint(error))
            ctx.exit(_exit_code(error))


@click.group(
    "seenbefore",
    cls=_App,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EXIT_CODES,
)
@click.version_option(__version__, "--version", message="seenbefore %(version)s")
@shared_options
def app() -> None:
    """Have we seen this before? New, update, duplicate or review - with the evidence.

    \b
    Start here:
      seenbefore ingest feed.xml              a feed file, a folder of them, or items.jsonl
      seenbefore list --outcome review        what a person should look at
      seenbefore explain r12                  why it was decided like that
      seenbefore changes --consumer summaries --json
    """


def main() -> None:
    """Run the command line; ends the process with the exit code."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            with contextlib.suppress(ValueError, OSError):
                reconfigure(errors="backslashreplace")
    try:
        app(prog_name="seenbefore")
    except (OutputLost, OSError) as error:  # OSError: help and version are written by click itself
        drop_output()
        with contextlib.suppress(OSError):
            Screen(Settings()).complain(str(error))
        sys.exit(1 if isinstance(error, OutputLost) and error.reader_gone else 3)


def _made_safe(error: click.UsageError, screen: Screen) -> click.UsageError:
    """The error of a wrong command line, which repeats what was given."""
    if isinstance(error, (click.MissingParameter, click.exceptions.NoArgsIsHelpError)):
        return error  # these repeat nothing, and have lines of their own
    return click.UsageError(screen.safe(error.format_message()), error.ctx)


def _exit_code(error: SeenBeforeError) -> int:
    if isinstance(error, (InvalidInput, MissingExtra)):
        return 2
    return 1 if isinstance(error, NotFound) else 3


def _hint(error: SeenBeforeError) -> str:
    if isinstance(error, NotFound):
        return "`seenbefore list` shows what is stored; is --db the right file?"
    return next((hint for start, hint in _HINTS.items() if start in str(error)), "")
