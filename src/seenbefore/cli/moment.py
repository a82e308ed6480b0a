"""Points in time on the command line."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from ..dates import parse_instant

_AGO = re.compile(r"(?P<count>[0-9]{1,5})(?P<unit>[mhdw])\Z")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


class Moment(click.ParamType[datetime]):
    """A point in time: ISO 8601, Unix seconds, or (``relative``) a time ago such as 12h or 7d."""

    name = "TIME"

    def __init__(self, *, relative: bool = False) -> None:
        self._relative = relative

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Return the aware UTC time."""
        if isinstance(value, datetime):
            return value
        ago = _AGO.match(value) if self._relative else None
        if ago:
            return datetime.now(UTC) - timedelta(**{_UNITS[ago["unit"]]: int(ago["count"])})
        at = parse_instant(value)
        if at is None:
            forms = "2026-01-31, 2026-01-31T12:00:00Z" + (", 12h or 7d" if self._relative else "")
            self.fail(f"{value!r} is no time; write it like {forms}", param, ctx)
        return at
