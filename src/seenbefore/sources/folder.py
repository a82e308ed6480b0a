"""Files and folders → the inputs of one run, in time order, one file in memory at a time."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Final

from ..errors import InvalidFeed, InvalidInput
from ..model import Item
from .charset import decode
from .entries import Entries
from .feed import read_feed
from .feedtypes import FeedFetch, ReadWarning
from .fields import storable
from .items import LineError, read_numbered
from .jsonfeed import claims_json_feed, is_json_feed
from .localfile import AUTO, ReadAs, read_listing

STDIN: Final = "-"
_STAMPED: Final = re.compile(r"(?P<name>.*)_(?P<seconds>\d{9,11})\Z", re.DOTALL)
_PEEK: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class FetchInput:
    """One feed file: one fetch of one source. ``aliases`` hold the addresses it gives for itself.

    ``path``, ``named`` and ``default_name`` are what :func:`read_feed_file` needs to read it again; ``path``
    is empty for what is no file.
    """

    source: str
    aliases: tuple[str, ...]
    fetch_id: str
    observed_at: datetime
    items: Entries
    warnings: tuple[ReadWarning, ...]
    where: str
    path: str = ""
    named: str | None = None
    default_name: str = ""


@dataclass(frozen=True, slots=True)
class ItemsInput:
    """One item list. ``lines`` can be read once and gives each item, or its error, with its line number."""

    source: str
    observed_at: datetime
    lines: Iterator[tuple[int, Item | LineError]]
    where: str


@dataclass(frozen=True, slots=True)
class InputError:
    """A file or folder that gives nothing: ``code`` is ``unreadable`` or ``invalid_feed``."""

    path: str
    code: str
    message: str


Input = FetchInput | ItemsInput | InputError


@dataclass(frozen=True, slots=True)
class _Place:
    """A file to read, and what its name and folder say about it."""

    path: Path
    where: str
    source: str | None
    default_name: str
    observed_at: datetime
    read_as: ReadAs = AUTO


def iter_inputs(
    path: str,
    *,
    source: str | None,
    observed_at: datetime | None,
    run_started_at: datetime,
    stdin: BinaryIO | None = None,
    read_as: ReadAs = AUTO,
) -> Iterator[Input]:
    """Yield the inputs at ``path`` (a feed, a sitemap, an item list, a folder of them, or ``-``) in time order.

    >>> from datetime import UTC, datetime
    >>> started = datetime(2026, 1, 1, tzinfo=UTC)
    >>> piped = BytesIO(b'{"title": "One"}')
    >>> [found] = iter_inputs("-", source="mine", observed_at=None, run_started_at=started, stdin=piped)
    >>> [(line, item.title, item.observed_at == started) for line, item in found.lines]
    [(1, 'One', True)]

    A file that is neither feed nor list is told in the stream and stops nothing:

    >>> [missing] = iter_inputs("no/such.xml", source=None, observed_at=None, run_started_at=started)
    >>> missing.code
    'unreadable'

    The kind of a file is decided by its content, unless ``read_as`` says it. It was observed at the given
    time, else at the ``_<unix seconds>`` that end its name, else now; files are sorted by this time and
    then by path, so that the snapshots of a feed are read as they came. The source of a file is the given
    one, else in a folder its sub-folder, else the feed's own address, else its name without the time.

    Raises:
        InvalidInput: ``-`` without a source, since nothing else could name it.
    """
    if path == STDIN:
        if not source:
            raise InvalidInput("standard input has no name; say where it comes from with --source NAME", STDIN)
        place = _Place(Path(STDIN), STDIN, source, source, observed_at or run_started_at, read_as)
        yield _read_stream(stdin if stdin is not None else sys.stdin.buffer, place)
        return
    closed: list[InputError] = []
    places = _places(path, source, observed_at, run_started_at, closed)
    ordered = sorted(places, key=lambda place: (place.observed_at, place.where))
    yield from closed
    for place in ordered:
        yield _read_file(replace(place, read_as=read_as))


def _places(
    path: str, source: str | None, observed_at: datetime | None, now: datetime, closed: list[InputError]
) -> Iterator[_Place]:
    """Yield every file at ``path``; hidden ones are left alone, folders that cannot be listed go to ``closed``."""
    top = Path(path)
    if not os.path.isdir(top):  # Path.is_dir raises where a folder above may not be entered
        yield _place(top, source, observed_at, now)
        return

    def tell(error: OSError) -> None:
        where = storable(str(error.filename if error.filename is not None else top))
        closed.append(InputError(where, "unreadable", f"the folder cannot be listed: {error.strerror or error}"))

    for folder, subfolders, names in os.walk(top, onerror=tell):
        subfolders[:] = [name for name in subfolders if not name.startswith(".")]
        inside = Path(folder).relative_to(top)
        named = source or (inside.as_posix() if inside.parts else None)
        for name in names:
            if not name.startswith("."):
                yield _place(Path(folder) / name, named, observed_at, now)


def _place(path: Path, source: str | None, observed_at: datetime | None, now: datetime) -> _Place:
    stamped = _STAMPED.match(path.stem)
    name = stamped["name"] if stamped and stamped["name"] else path.stem
    at = observed_at
    if at is None and stamped:
        at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(stamped["seconds"]))
    return _Place(path, storable(str(path)), storable(source) if source else None, storable(name), at or now)


def _read_file(place: _Place) -> Input:
    try:
        if not place.path.is_file() and place.path.exists():
            return InputError(place.where, "unreadable", "not a regular file")
        with place.path.open("rb") as file:
            if _is_lines(file.read(_PEEK), place.path.suffix.lower()):
                return _list_input(_file_lines(place), place)
            file.seek(0)
            return _read_bytes(file.read(), place)
    except OSError as error:
        return InputError(place.where, "unreadable", error.strerror or str(error))


def read_feed_file(path: str, named: str | None, observed_at: datetime, default_name: str) -> FetchInput | None:
    """Return a feed file that was read before, read again; None when it is no feed (any more)."""
    found = _read_file(_Place(Path(path), path, named, default_name, observed_at))
    return found if isinstance(found, FetchInput) else None


def _read_stream(stream: BinaryIO, place: _Place) -> Input:
    """Read standard input: lists are passed on line by line, so that a pipe may stay open."""
    head = stream.readline()
    while head and not head.strip():
        head = stream.readline()
    if _is_lines(head, ""):
        return _list_input(read_numbered(_chained(head, stream), source=place.source, where=place.where), place)
    return _read_bytes(head + stream.read(), place)


def _chained(head: bytes, stream: BinaryIO) -> Iterator[bytes]:
    yield head
    yield from stream


def _file_lines(place: _Place) -> Iterator[tuple[int, Item | LineError]]:
    """Yield the lines of a list; a file that cannot be read any more is told as line 0."""
    try:
        with place.path.open("rb") as file:
            yield from read_numbered(file, source=place.source or place.default_name, where=place.where)
    except OSError as error:
        yield 0, LineError(0, "unreadable", error.strerror or str(error))


def _list_input(lines: Iterator[tuple[int, Item | LineError]], place: _Place) -> ItemsInput:
    return ItemsInput(
        place.source or place.default_name,
        place.observed_at,
        _observed(lines, place.observed_at),
        place.where,
    )


def _observed(lines: Iterator[tuple[int, Item | LineError]], at: datetime) -> Iterator[tuple[int, Item | LineError]]:
    """Yield the lines, with the input's time for items that bring none of their own."""
    for number, read in lines:
        if isinstance(read, Item) and read.observed_at is None:
            yield number, replace(read, observed_at=at)
        else:
            yield number, read


def _is_lines(head: bytes, suffix: str) -> bool:
    """Return whether content with this beginning is read line by line as items."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if suffix in (".jsonl", ".ndjson"):
        return True
    if not start.startswith(b"{"):
        return start.startswith(b"[")
    line, newline, _ = start.partition(b"\n")
    try:
        first = json.loads(line)
    except (ValueError, RecursionError):
        return suffix == "" and bool(newline) and line.strip() != b"{" and not claims_json_feed(_text(line))
    return isinstance(first, dict) and not is_json_feed(first)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _read_bytes(data: bytes, place: _Place) -> Input:
    """Read a whole file that is no list of lines: a feed, a sitemap, links, or one item in a JSON object."""
    try:
        name = place.source or place.default_name
        listing = read_listing(data, place.read_as, source=name, observed_at=place.observed_at)
    except InvalidFeed as error:
        return InputError(place.where, error.code, error.message)
    return _read_whole(data, place) if listing is None else _fetch_input(listing, place, "")


def _read_whole(data: bytes, place: _Place) -> Input:
    text = decode(data[:_PEEK])[0].lstrip("\ufeff \t\r\n")
    value = _json(data) if text.startswith("{") else None
    if text.startswith("{") and not claims_json_feed(text) and not is_json_feed(value):
        lines = BytesIO(data) if value is None else [data]
        name = place.source or place.default_name
        return _list_input(read_numbered(lines, source=name, where=place.where), place)
    try:
        fetch = read_feed(data, source=place.source, observed_at=place.observed_at, default_name=place.default_name)
    except InvalidFeed as error:
        return InputError(place.where, error.code, error.message)
    return _fetch_input(fetch, place, "" if place.where == STDIN else str(place.path))


def _fetch_input(fetch: FeedFetch, place: _Place, path: str) -> FetchInput:
    aliases = (fetch.address,) if fetch.address else ()
    return FetchInput(
        fetch.source,
        aliases,
        fetch.fetch_id,
        fetch.observed_at,
        fetch.items,
        fetch.warnings,
        place.where,
        path,
        place.source,
        place.default_name,
    )


def _json(data: bytes) -> object:
    """Return the decoded JSON document, or None when it is none as a whole."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
