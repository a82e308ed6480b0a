"""The real feed histories beside this checkout: unpacked for a run, with their labelled pairs."""

from __future__ import annotations

import json
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import zstandard

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


def unpack(target: Path, one_in: int = 1) -> int:
    """Write every ``one_in``-th snapshot of each feed to ``target``/<feed>/<file>; returns how many."""
    count = 0
    for feed, name, data in iter_snapshots(one_in):
        folder = target / feed
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
        count += 1
    return count


def iter_snapshots(one_in: int = 1) -> Iterator[tuple[str, str, bytes]]:
    """Yield feed, file name and content of every ``one_in``-th snapshot of each feed, in archive order."""
    seen: dict[str, int] = {}
    unpacker = zstandard.ZstdDecompressor(max_window_size=1 << 31)
    with (
        require_archive().open("rb") as packed,
        unpacker.stream_reader(packed) as plain,
        tarfile.open(fileobj=plain, mode="r|") as tar,
    ):
        for member in tar:
            parts = member.name.split("/")
            if not member.isfile() or len(parts) != 3:
                continue
            number = seen[parts[1]] = seen.get(parts[1], -1) + 1
            file = tar.extractfile(member) if number % one_in == 0 else None
            if file is not None:
                yield parts[1], parts[2], file.read()


def read_labels() -> list[dict[str, object]]:
    """Return the labelled pairs of entries; none when the file is not there."""
    if not LABELS.is_file():
        return []
    return [json.loads(line) for line in LABELS.read_text(encoding="utf-8").splitlines() if line.strip()]
