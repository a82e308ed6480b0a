"""The real feed histories beside this checkout, unpacked for a run."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from seenbefore.evaluate.archive import unpack_archive
from seenbefore.evaluate.snapshots import Snapshot, find_histories

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT.parent / "shared" / "data" / "replay"
ARCHIVE = FOLDER / "replay-shared.tar.zst"
LABELS = FOLDER / "gold_shared.jsonl"


def require_archive() -> Path:
    """Return the archive of feed histories; ends the program with a clear message when it is not there."""
    if not ARCHIVE.is_file():
        sys.exit(
            f"{ARCHIVE} is not there. This benchmark replays real feed histories, which are kept beside the "
            "checkout because they belong to their publishers. Put them there, or run another benchmark."
        )
    return ARCHIVE


def unpack(target: Path, one_in: int = 1) -> None:
    """Write every ``one_in``-th snapshot of each feed below ``target``."""
    unpack_archive(require_archive(), target)
    for number, snapshot in _numbered(target):
        if number % one_in:
            snapshot.path.unlink()


def iter_snapshots(one_in: int = 1) -> Iterator[tuple[str, str, bytes]]:
    """Yield feed, file name and content of every ``one_in``-th snapshot of each feed, feed by feed."""
    with tempfile.TemporaryDirectory(prefix="replay-") as scratch:
        unpack_archive(require_archive(), Path(scratch))
        for number, snapshot in _numbered(Path(scratch)):
            if number % one_in == 0:
                yield snapshot.feed, snapshot.file, snapshot.path.read_bytes()


def _numbered(folder: Path) -> Iterator[tuple[int, Snapshot]]:
    """Yield the snapshots feed by feed, each with its number in its feed."""
    seen: dict[str, int] = {}
    for snapshot in sorted(find_histories(folder).snapshots, key=lambda snapshot: (snapshot.feed, snapshot.file)):
        number = seen[snapshot.feed] = seen.get(snapshot.feed, -1) + 1
        yield number, snapshot
