"""A folder or an archive of feed histories → its snapshots in the order in which they were taken."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from ..errors import InvalidInput

_STAMPED: Final = re.compile(r".*_(?P<seconds>\d{9,11})\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One file of one feed, and when it was taken."""

    feed: str
    file: str
    path: Path
    taken_at: datetime


@dataclass(frozen=True, slots=True)
class Histories:
    """Snapshots by time, then feed, then file name; and the files beside them whose names give no time."""

    snapshots: tuple[Snapshot, ...]
    undated: tuple[str, ...]


def find_histories(folder: Path) -> Histories:
    """Return the snapshots below a folder: a sub-folder is a feed, ``0001_1700000000.xml`` a snapshot of it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as scratch:
    ...     for name in ("news/0000_1700000600.xml", "news-uk/0000_1700000000.xml", "news/about.txt", "list.json"):
    ...         Path(scratch, name).parent.mkdir(exist_ok=True)
    ...         Path(scratch, name).touch()
    ...     found = find_histories(Path(scratch))
    >>> [(snapshot.feed, snapshot.file) for snapshot in found.snapshots], found.undated
    ([('news-uk', '0000_1700000000.xml'), ('news', '0000_1700000600.xml')], ('news/about.txt',))

    A folder that holds nothing but one folder of feeds stands for that one. A folder without sub-folders is
    one feed under its own name. Hidden files, and files beside the feeds, are left alone.

    Raises:
        InvalidInput: the folder cannot be listed, or holds no snapshot.
    """
    top = _descend(folder)
    files = [(path, path.parent.relative_to(top)) for path in _files(top)]
    if not any(inside.parts for _, inside in files):
        files = [(path, Path(top.resolve().name)) for path, _ in files]
    snapshots, undated = [], []
    for path, inside in files:
        stamp = _STAMPED.match(path.stem)
        if stamp and inside.parts:
            at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(stamp["seconds"]))
            snapshots.append(Snapshot(inside.as_posix(), path.name, path, at))
        elif inside.parts:
            undated.append(f"{inside.as_posix()}/{path.name}")
    if not snapshots:
        raise InvalidInput(
            "holds no snapshots; expected a folder per feed, with files named by the Unix time when they were "
            "read, such as news/0001_1700000000.xml",
            str(folder),
        )
    return Histories(tuple(sorted(snapshots, key=lambda s: (s.taken_at, s.feed, s.file))), tuple(sorted(undated)))


def _descend(folder: Path) -> Path:
    """The folder of feeds inside folders that hold nothing else, as an archive has them."""
    while True:
        inside = [path for path in _listed(folder) if path.is_dir()]
        if len(inside) != 1:
            return folder
        found = _listed(inside[0])
        if not any(path.is_dir() for path in found) or any(_STAMPED.match(path.stem) for path in found):
            return folder
        folder = inside[0]


def _listed(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if not path.name.startswith(".")]
    except OSError as error:
        raise _unlisted(error, folder) from error


def _files(top: Path) -> Iterator[Path]:
    def stop(error: OSError) -> None:
        raise _unlisted(error, top) from error

    for folder, subfolders, names in os.walk(top, onerror=stop):
        subfolders[:] = [name for name in subfolders if not name.startswith(".")]
        yield from (Path(folder, name) for name in names if not name.startswith("."))


def _unlisted(error: OSError, folder: Path) -> InvalidInput:
    where = error.filename if isinstance(error.filename, str) else str(folder)
    return InvalidInput(f"cannot be listed: {error.strerror or error}", where)
