"""How fast are feeds taken in, first and again? Beside the library reader on the same files.

The second run reads the same entries from feeds whose build date changed, so that nothing but the
entries themselves says that nothing is new. Each run is a process of its own; the two libraries take
turns, and medians of the repeats are shown.
"""

from __future__ import annotations

import importlib.util
import statistics
import tempfile
from datetime import timedelta
from pathlib import Path

from harness.make_feeds import START, write_feeds
from harness.measure import run_worker
from harness.report import CONSOLE, finish, options, show_table

RUNS = ("first", "again")
Measured = dict[tuple[str, str], list[dict[str, float]]]


def main() -> None:
    parser = options(__doc__ or "")
    parser.add_argument("--feeds", type=int, help="how many feeds (500, with --quick 50)")
    parser.add_argument("--entries", type=int, default=100, help="entries per feed (%(default)s)")
    parser.add_argument("--repeats", type=int, default=3, help="(%(default)s)")
    args = parser.parse_args()
    feeds = args.feeds or (50 if args.quick else 500)
    libraries = ["seenbefore", *(["reader"] if has_reader() else [])]
    with tempfile.TemporaryDirectory(prefix="ingest-") as scratch:
        folder = Path(scratch)
        for hours, run in enumerate(RUNS):
            write_feeds(folder / run, feeds, args.entries, START + timedelta(hours=hours))
        measured = measure(folder, libraries, args.repeats)
    figures: dict[str, object] = {"feeds": feeds, "entries_per_feed": args.entries, "repeats": args.repeats}
    figures |= {library: summarize(measured, library) for library in libraries}
    figures["reader_installed"] = "reader" in libraries
    if "reader" in libraries:
        figures["ratios"] = ratios(figures)
    show(figures, libraries)
    finish("ingest_quick" if args.quick else "ingest", figures, args)


def has_reader() -> bool:
    """Whether the library reader can be used; it needs sgmllib3k, which it does not ask for by itself."""
    return all(importlib.util.find_spec(name) for name in ("reader", "sgmllib"))


def measure(folder: Path, libraries: list[str], repeats: int) -> Measured:
    """Run every library on both folders, taking turns; returns what each run measured."""
    measured: Measured = {}
    for repeat in range(repeats):
        for hours, run in enumerate(RUNS):
            for library in libraries:
                database = folder / f"{library}-{repeat}.db"
                arguments = [str(folder / run), str(database), (START + timedelta(hours=hours)).isoformat()]
                found = run_worker(f"harness.ingest_{library}", arguments)
                measured.setdefault((library, run), []).append(found)
    return measured


def summarize(measured: Measured, library: str) -> dict[str, dict[str, float]]:
    """Return the medians of a library's runs."""
    return {
        run: {
            "items": statistics.median(m["items"] for m in measured[library, run]),
            "new": statistics.median(m["new"] for m in measured[library, run]),
            "seconds": round(statistics.median(m["seconds"] for m in measured[library, run]), 3),
            "items_per_second": round(statistics.median(m["items"] / m["seconds"] for m in measured[library, run])),
            "peak_mib": round(statistics.median(m["peak_mib"] for m in measured[library, run])),
        }
        for run in RUNS
    }


def ratios(figures: dict[str, object]) -> dict[str, float]:
    """Return how many times faster seenbefore is than reader, and how many times its memory it needs."""
    own, other = figures["seenbefore"], figures["reader"]
    assert isinstance(own, dict)
    assert isinstance(other, dict)
    found = {}
    for run in RUNS:
        found[f"{run}_speed"] = round(own[run]["items_per_second"] / other[run]["items_per_second"], 2)
        found[f"{run}_memory"] = round(own[run]["peak_mib"] / other[run]["peak_mib"], 2)
    return found


def show(figures: dict[str, object], libraries: list[str]) -> None:
    """Print the table."""
    rows = []
    for run in RUNS:
        for library in libraries:
            found = figures[library]
            assert isinstance(found, dict)
            values = found[run]
            rate = values["items_per_second"]
            rows.append(
                (
                    f"{library}, {run}",
                    values["items"],
                    values["new"],
                    values["seconds"],
                    rate,
                    values["peak_mib"],
                )
            )
    title = f"{figures['feeds']} feeds with {figures['entries_per_feed']} entries, median of {figures['repeats']}"
    show_table(title, ("run", "items", "new", "seconds", "items/s", "peak MiB"), rows)
    if "ratios" in figures:
        CONSOLE.print("seenbefore ÷ reader:", figures["ratios"])
    else:
        CONSOLE.print("reader: not compared, because reader or sgmllib3k is not installed here.")


if __name__ == "__main__":
    main()
