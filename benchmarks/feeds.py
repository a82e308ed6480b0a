"""How fast are feed files read, and does any entry get lost? Beside feedparser and fastfeedparser.

Reads a sample of the real feed histories when they are there, else the sample feeds of this repository.
JSON Feeds are left out, since the other parsers do not read them. seenbefore reads an entry when it is asked
for, since most are known by their digest: "all read" asks for every one. The parsers take turns on the same bytes
in one process.
"""

from __future__ import annotations

import importlib
import importlib.util
import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime

from harness.replay_data import ARCHIVE, ROOT, iter_snapshots
from harness.report import CONSOLE, finish, options, show_table

from seenbefore.sources.feed import read_feed

AT = datetime(2026, 1, 1, tzinfo=UTC)
Parser = Callable[[bytes], int]
Samples = list[tuple[str, bytes]]


def main() -> None:
    parser = options(__doc__ or "")
    parser.add_argument("--repeats", type=int, default=3, help="(%(default)s)")
    args = parser.parse_args()
    samples, origin = read_samples(40 if args.quick else 10)
    parsers = find_parsers()
    seconds: dict[str, list[float]] = {name: [] for name in parsers}
    counts: dict[str, dict[str, int | None]] = {}
    for _ in range(args.repeats):
        for name, parse in parsers.items():
            taken, counts[name] = run(parse, samples)
            seconds[name].append(taken)
    figures: dict[str, object] = {
        "files": len(samples),
        "bytes": sum(len(d) for _, d in samples),
        "origin": origin,
    }
    figures["parsers"] = {name: summarize(seconds[name], counts[name], figures) for name in parsers}
    show(figures, counts)
    finish("feeds_quick" if args.quick else "feeds", figures, args)


def read_samples(one_in: int) -> tuple[Samples, str]:
    """Return XML feeds by name with their bytes, and where they come from."""
    if ARCHIVE.is_file():
        return [(feed, data) for feed, name, data in iter_snapshots(one_in) if not name.endswith(".json")], "replay"
    files = sorted(path for path in (ROOT / "examples" / "feeds").glob("*/*") if path.suffix != ".json")
    return [(path.parent.name, path.read_bytes()) for path in files], "examples"


def find_parsers() -> dict[str, Parser]:
    """Return the parsers that are installed; each says how many entries a feed has."""

    def ours(data: bytes) -> int:
        return len(read_feed(data, source="s", observed_at=AT, default_name="s").items)

    def ours_read(data: bytes) -> int:
        return len(list(read_feed(data, source="s", observed_at=AT, default_name="s").items))

    found: dict[str, Parser] = {"seenbefore": ours, "seenbefore, all read": ours_read}
    if importlib.util.find_spec("feedparser"):
        feedparser = importlib.import_module("feedparser")

        found["feedparser"] = lambda data: len(feedparser.parse(data).entries)
    if importlib.util.find_spec("fastfeedparser"):
        fastfeedparser = importlib.import_module("fastfeedparser")

        found["fastfeedparser"] = lambda data: len(fastfeedparser.parse(data).entries)
    return found


def run(parse: Parser, samples: Samples) -> tuple[float, dict[str, int | None]]:
    """Return the time for all files, and entries per feed (None: a file could not be read)."""
    counts: dict[str, int | None] = {}
    started = time.perf_counter()
    for name, data in samples:
        try:
            found: int | None = parse(data)
        except Exception:  # whatever a parser raises on a broken feed: it did not read it
            found = None
        known = counts.get(name, 0)
        counts[name] = None if found is None or known is None else known + found
    return time.perf_counter() - started, counts


def summarize(seconds: list[float], counts: dict[str, int | None], figures: dict[str, object]) -> dict[str, object]:
    """Return the figures of one parser."""
    median = statistics.median(seconds)
    entries = sum(count or 0 for count in counts.values())
    size, files = figures["bytes"], figures["files"]
    assert isinstance(size, int)
    assert isinstance(files, int)
    return {
        "seconds": round(median, 3),
        "mb_per_second": round(size / median / 1e6, 2),
        "entries": entries,
        "entries_per_second": round(entries / median),
        "feeds_per_second": round(files / median),
        "feeds_not_read": sorted(name for name, count in counts.items() if count is None),
    }


def show(figures: dict[str, object], counts: dict[str, dict[str, int | None]]) -> None:
    """Print speed, and entries per feed side by side."""
    parsers = figures["parsers"]
    assert isinstance(parsers, dict)
    rows = [
        (name, f["seconds"], f["mb_per_second"], f["entries"], f["entries_per_second"], f["feeds_per_second"])
        for name, f in parsers.items()
    ]
    show_table(
        f"{figures['files']} feed files ({figures['origin']})",
        ("parser", "seconds", "MB/s", "entries", "entries/s", "feeds/s"),
        rows,
    )
    names = sorted({name for found in counts.values() for name in found})
    by_feed = [(name, *(found[name] for found in counts.values())) for name in names]
    show_table("entries found per feed (–: a file was refused)", ("feed", *counts), by_feed)
    missing = [name for name in ("feedparser", "fastfeedparser") if name not in parsers]
    if missing:
        CONSOLE.print(f"Not installed here: {', '.join(missing)}.")


if __name__ == "__main__":
    main()
