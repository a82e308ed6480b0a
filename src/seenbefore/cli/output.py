"""What reaches the terminal: text from outside is made harmless here, once, for every command."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping

import click

from ..engine.emit import json_line
from ..redact import escape_control, mask_secrets
from .options import Settings

_PIPE_WIDTH = 160
"""Columns of a table that no terminal shows; a terminal's width is asked for."""


class OutputLost(Exception):
    """Standard output takes nothing any more: its reader went away, or the disk is full.

    No OSError, so that nothing on the way takes it for trouble with a file.
    """

    def __init__(self, error: OSError) -> None:
        super().__init__(error)
        self.reader_gone = isinstance(error, BrokenPipeError)
        self.why = "its reader went away" if self.reader_gone else (error.strerror or str(error))

    def __str__(self) -> str:
        return f"standard output ended: {self.why}; what was stored stands"


class Screen:
    """Standard output and standard error of one command."""

    def __init__(self, settings: Settings) -> None:
        self._unmasked = settings.unmasked
        self.no_color = settings.no_color
        self.verbose = settings.verbose

    def safe(self, text: object) -> str:
        """Return text from outside without steering characters and, unless told otherwise, secrets."""
        shown = str(text)
        return escape_control(shown if self._unmasked else mask_secrets(shown))

    def safe_key(self, value: str) -> str:
        """Return a key's value or scope like :meth:`safe`; an address in it may have lost its scheme."""
        return self.safe(value) if "://" in value else self.safe(f"//{value}")[2:]

    def line(self, text: str = "") -> None:
        """Write one line to standard output."""
        with _writing():
            click.echo(text, color=False if self.no_color else None)

    def json(self, value: Mapping[str, object]) -> None:
        """Write one line of JSON to standard output and flush it; nothing is masked or left out."""
        text = json_line(value)
        encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "")
        if encoding != "utf8":
            text = json.dumps(value)
        with _writing():
            click.echo(text, color=True)  # which flushes, too

    def note(self, text: str) -> None:
        """Write one line to standard error."""
        click.echo(text, err=True, color=False if self.no_color else None)

    def complain(self, message: str, hint: str = "") -> None:
        """Write an error, and what to do about it, to standard error."""
        self.note(f"{self.paint('error:', 'red')} {self.safe(message)}")
        if hint:
            self.note(f"{self.paint('hint:', 'cyan')} {hint}")

    def paint(self, text: str, color: str, *, bold: bool = False) -> str:
        """Return the text in a color; where no terminal shows it, the color is dropped again."""
        return click.style(text, fg=color, bold=bold or None)


@contextlib.contextmanager
def _writing() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OutputLost(error) from error


def drop_output() -> None:
    """Send what waits for standard output to nowhere, so that the end of the process does not try again."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def table_width() -> int:
    """Return the columns that lines may take."""
    if sys.stdout.isatty() or os.environ.get("COLUMNS", "").isdigit():
        return shutil.get_terminal_size().columns
    return _PIPE_WIDTH
