"""Options that every command understands, before or after its name."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import click

EXIT_CODES = """\b
Exit codes:
  0  done
  1  some input could not be read, or nothing is stored under that name; the rest was done
  2  the command line, an option or a file named in it is wrong; nothing was done
  3  the database could not be read or written; what was reported as done stands
  4  check found something broken; nothing was changed
"""

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass
class Settings:
    """What the shared options said."""

    db: str = "news.db"
    policy: str | None = None
    rules: list[str] = field(default_factory=list)
    unmasked: bool = False
    no_color: bool = field(default_factory=lambda: bool(os.environ.get("NO_COLOR")))
    verbose: bool = False


def get_settings(ctx: click.Context) -> Settings:
    """Return the settings of this call, made when first asked for."""
    return ctx.ensure_object(Settings)


def shared_options(command: Command) -> Command:
    """Return the command with the options that mean the same everywhere."""
    for option in reversed(_SHARED):
        command = option(command)
    return command


def _keep(ctx: click.Context, parameter: click.Parameter, value: Any) -> None:
    settings = get_settings(ctx)
    if parameter.name == "rules" and value:
        settings.rules.extend(value)
    elif value is not None and value is not False and value != ():
        setattr(settings, str(parameter.name), value)
    if parameter.name == "verbose" and value:
        show_log(ctx)


_SHARED = [
    click.option(
        "--db",
        metavar="FILE",
        envvar="SEENBEFORE_DB",
        show_envvar=True,
        expose_value=False,
        callback=_keep,
        help="The database.  [default: news.db]",
    ),
    click.option(
        "--policy",
        metavar="FILE.toml",
        expose_value=False,
        callback=_keep,
        help="Limits of your own laid over the default policy; needs a `version` of its own.",
    ),
    click.option(
        "--rules",
        metavar="FILE.toml|DIR",
        multiple=True,
        expose_value=False,
        callback=_keep,
        help="A rule pack of your own, or a folder of them; may be given several times.",
    ),
    click.option(
        "--unmasked",
        is_flag=True,
        expose_value=False,
        callback=_keep,
        help="Show passwords and tokens in addresses.",
    ),
    click.option(
        "--no-color",
        is_flag=True,
        expose_value=False,
        callback=_keep,
        help="No colors; so does the environment variable NO_COLOR.",
    ),
    click.option(
        "-v",
        "--verbose",
        is_flag=True,
        expose_value=False,
        callback=_keep,
        help="Write the log to standard error.",
    ),
]

json_option = click.option("--json", "as_json", is_flag=True, help="JSON for programs, on standard output.")


class _LogHandler(logging.Handler):
    """Writes to the standard error of the moment."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        click.echo(f"{record.levelname} {record.getMessage()}", err=True)


def show_log(ctx: click.Context) -> None:
    """Write the package's log to standard error until the command ends."""
    logger = logging.getLogger("seenbefore")
    if any(isinstance(handler, _LogHandler) for handler in logger.handlers):
        return
    handler, level = _LogHandler(), logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)

    def stop() -> None:
        logger.removeHandler(handler)
        logger.setLevel(level)

    ctx.call_on_close(stop)
