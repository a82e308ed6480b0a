"""Lists of redirects → from, to, status: CSV, TSV or JSON lines, as crawlers and sites write them down."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..urls.keys import resolve_guid_url
from .fields import storable
from .itemfields import PERMANENT
from .items import LineError

_START = ("from", "start", "source", "old", "url", "address")
_TARGET = ("to", "target", "new", "location", "redirect url", "redirect_url", "final_url")
_STATUS = ("status code", "status_code", "code", "status")


@dataclass(frozen=True, slots=True)
class GivenRedirect:
    """One redirect as it was given; without a status it is taken as permanent."""

    start: str
    target: str
    status: int = 301

    @property
    def is_permanent(self) -> bool:
        """Whether it holds for good (301, 308)."""
        return self.status in PERMANENT


def read_redirects(lines: Iterable[str]) -> Iterator[GivenRedirect | LineError]:
    """Yield a redirect or a complaint for each line that is not blank.

    >>> list(read_redirects(["from,to,status", "http://a.example/1,https://a.example/1,301"]))
    [GivenRedirect(start='http://a.example/1', target='https://a.example/1', status=301)]
    >>> [hop.is_permanent for hop in read_redirects(['{"from": "http://a.example/", "to": "/b", "status": 302}'])]
    [False]
    >>> list(read_redirects(["http://a.example/1"]))[0].message
    'needs two addresses: from and to'
    """
    numbered = ((number, line.lstrip("\ufeff").rstrip("\r\n")) for number, line in enumerate(lines, 1))
    filled = ((number, line) for number, line in numbered if line.strip())
    first = next(filled, None)
    if first is None:
        return
    rest = (pair for part in ([first], filled) for pair in part)
    yield from (
        _read_json(rest) if first[1].lstrip()[0] in "{[" else _read_table(rest, "\t" if "\t" in first[1] else ",")
    )


def _read_json(lines: Iterable[tuple[int, str]]) -> Iterator[GivenRedirect | LineError]:
    for number, line in lines:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield LineError(number, "invalid_json", f"is no JSON: {error}")
            continue
        if isinstance(row, Mapping):
            yield _read_row(number, _cells([_named(row, names) for names in (_START, _TARGET, _STATUS)]))
        elif isinstance(row, list):
            yield _read_row(number, _cells(row))
        else:
            yield LineError(number, "invalid_redirect", "must be an object with from and to, or a list of both")


def _cells(row: Sequence[object]) -> list[str]:
    """The texts of from, to and status; what is no text is no address."""
    addresses = [value if isinstance(value, str) else "" for value in row[:2]]
    return [*addresses, *("" if value is None else str(value) for value in row[2:3])]


def _named(row: Mapping[str, object], names: Sequence[str]) -> object:
    lower = {str(name).strip().lower(): value for name, value in row.items()}
    return next((lower[name] for name in names if name in lower), None)


def _read_table(lines: Iterable[tuple[int, str]], delimiter: str) -> Iterator[GivenRedirect | LineError]:
    places: list[int] | None = None
    for position, (number, line) in enumerate(lines):
        try:
            cells = next(csv.reader([line], delimiter=delimiter))
        except csv.Error as error:
            yield LineError(number, "invalid_redirect", f"cannot be read: {error}")
            continue
        if position == 0:
            places = _columns(cells)
            if places is not None:
                continue
        yield _read_row(number, [cells[p] if 0 <= p < len(cells) else "" for p in places] if places else cells)


def _columns(cells: Sequence[str]) -> list[int] | None:
    """The places of from, to and status in a heading; None when the first line is none."""
    lower = [cell.strip().lower() for cell in cells]
    found = [next((lower.index(name) for name in names if name in lower), -1) for names in (_START, _TARGET, _STATUS)]
    return found if min(found[:2]) >= 0 else None


def _read_row(number: int, cells: Sequence[str]) -> GivenRedirect | LineError:
    start, target, status = (*(storable(cell.strip()) for cell in cells[:3]), "", "", "")[:3]
    if not start or not target:
        return LineError(number, "invalid_redirect", "needs two addresses: from and to")
    if target.startswith("/"):  # as servers may write it: from the root of the host that answered
        target = resolve_guid_url(target, start) or target
    if not status:
        return GivenRedirect(start, target)
    if not status.isdecimal() or not 300 <= int(status) <= 399:
        return LineError(number, "invalid_redirect", f"{status!r} is no status of a redirect (301, 302, 303, 307, 308)")
    return GivenRedirect(start, target, int(status))
