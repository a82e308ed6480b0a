"""How fast are feeds taken in, first and again? Beside the library reader on the same files.

The second run reads the same entries from feeds whose build date changed, so that nothing but the
entries themselves says that nothing is new. Each run is a process of its own; the two libraries take
turns, and medians of the repeats are shown.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from datetime import timedelta
from pathlib import Path

from harness.make_feeds import START, plan_feeds, write_feeds
from harness.measure import can_import, run_worker
from harness.page import PAGE, figure, fill_section, machine_line, markdown_table, medians_of
from harness.report import CONSOLE, finish, options, progress_bar, show_floors, show_table

RUNS = ("first", "again")
PLOT = "performance-ingest.svg"
FLOORS = {"first": 1.2, "again": 4.0}
MEASURED = ("items", "new", "seconds", "cpu_seconds", "peak_mib")
READER_PYTHON = os.environ.get("BENCH_READER_PYTHON", sys.executable)
Measured = dict[tuple[str, str], list[dict[str, float]]]
Run = dict[str, float]


def main() -> None:
    parser = options(__doc__ or "")
    parser.add_argument("--feeds", type=int, help="how many feeds (500, with --quick 50)")
    parser.add_argument("--entries", type=int, default=100, help="entries per feed on average (%(default)s)")
    parser.add_argument("--repeats", type=int, default=3, help="(%(default)s)")
    args = parser.parse_args()
    feeds = args.feeds or (50 if args.quick else 500)
    # reader needs sgmllib3k and does not ask for it by itself
    with_reader = can_import(("reader", "sgmllib"), python=READER_PYTHON)
    libraries = ["seenbefore", *(["reader"] if with_reader else [])]
    with tempfile.TemporaryDirectory(prefix="ingest-") as scratch:
        folder = Path(scratch)
        plans = plan_feeds(feeds, args.entries)
        with progress_bar("making feeds", feeds) as advance:
            times = {folder / run: START + timedelta(hours=hours) for hours, run in enumerate(RUNS)}
            for plan in plans:
                write_feeds(times, [plan])
                advance()
        size = sum(path.stat().st_size for path in (folder / RUNS[0]).iterdir())
        measured = measure(folder, libraries, args.repeats)
    figures: dict[str, object] = {
        "feeds": feeds,
        "entries": sum(plan.entries for plan in plans),
        "mib": round(size / 2**20),
        "repeats": args.repeats,
        "runs": {library: {run: median(measured[library, run]) for run in RUNS} for library in libraries},
    }
    if with_reader:
        figures["ratios"] = ratios(figures["runs"])
    show(figures)
    if not args.quick and args.save:
        fill_section("ingest", page_section(figures))
        draw(figures)
    finish("ingest_quick" if args.quick else "ingest", figures, args)


def measure(folder: Path, libraries: list[str], repeats: int) -> Measured:
    """Run every library on both folders, taking turns; returns what each run measured."""
    measured: Measured = {}
    with progress_bar("runs", repeats * len(RUNS) * len(libraries)) as advance:
        for repeat in range(repeats):
            turns = libraries if repeat % 2 == 0 else libraries[::-1]
            for hours, run in enumerate(RUNS):
                for library in turns:
                    database = folder / f"{library}-{repeat}.db"
                    arguments = [str(folder / run), str(database), (START + timedelta(hours=hours)).isoformat()]
                    python = READER_PYTHON if library == "reader" else sys.executable
                    found = run_worker(f"harness.ingest_{library}", arguments, python=python)
                    measured.setdefault((library, run), []).append(found)
                    advance()
    return measured


def median(repeats: list[Run]) -> Run:
    """Return the medians of the repeats of one run, and the spread of its speed."""
    found = {name: round(statistics.median(run[name] for run in repeats), 2) for name in MEASURED}
    rates = [run["items"] / run["seconds"] for run in repeats]
    return {
        **found,
        "items_per_second": round(statistics.median(rates)),
        "slowest": round(min(rates)),
        "fastest": round(max(rates)),
    }


def ratios(runs: object) -> dict[str, float]:
    """Return how many times faster seenbefore is than reader, and how many times its memory it needs."""
    assert isinstance(runs, dict)
    own, other = runs["seenbefore"], runs["reader"]
    found = {}
    for run in RUNS:
        found[f"{run}_speed"] = round(own[run]["items_per_second"] / other[run]["items_per_second"], 2)
        found[f"{run}_memory"] = round(own[run]["peak_mib"] / other[run]["peak_mib"], 2)
    return found


def rows(figures: dict[str, object]) -> list[tuple[object, ...]]:
    """Return the lines of the table."""
    runs = figures["runs"]
    assert isinstance(runs, dict)
    return [
        (
            f"{library}, {run}",
            round(found["items"]),
            round(found["new"]),
            found["seconds"],
            found["items_per_second"],
            f"{found['slowest']:,}–{found['fastest']:,}",
            found["cpu_seconds"],
            round(found["peak_mib"]),
        )
        for run in RUNS
        for library in runs
        for found in (runs[library][run],)
    ]


COLUMNS = ("run", "items", "new", "seconds", "items/s", "from–to", "CPU s", "peak MiB")


def floors(figures: dict[str, object]) -> list[tuple[str, float, str, bool]]:
    """Return what must hold, the figure, the floor, and whether it is met."""
    found = figures.get("ratios")
    if not isinstance(found, dict):
        return []
    names = {"first": "first run, speed ÷ reader", "again": "again with nothing new, speed ÷ reader"}
    return [
        (names[run], found[f"{run}_speed"], f"at least {FLOORS[run]}", found[f"{run}_speed"] >= FLOORS[run])
        for run in RUNS
    ]


def show(figures: dict[str, object]) -> None:
    """Print the tables."""
    title = f"{figures['entries']:,} entries in {figures['feeds']} feeds, {figures['mib']} MiB, "
    show_table(title + f"median of {figures['repeats']}", COLUMNS, rows(figures))
    if "ratios" in figures:
        show_floors(floors(figures))
        CONSOLE.print("seenbefore ÷ reader:", figures["ratios"])
    else:
        CONSOLE.print("reader: not compared, because reader or sgmllib3k is not installed here.")


def page_section(figures: dict[str, object]) -> str:
    """Return what the page about speed says of this run."""
    kept = [(name, f"{value:.2f}", floor, "met" if met else "not met") for name, value, floor, met in floors(figures)]
    runs = figures["runs"]
    assert isinstance(runs, dict)
    rates = "; ".join(
        f"{name}: {found['first']['items_per_second']:,} entries per second first, "
        f"{found['again']['items_per_second']:,} again"
        for name, found in runs.items()
    )
    return "\n\n".join(
        (
            figure(PLOT, f"Two bar charts, the first run and the run with nothing new. {rates}."),
            f"{figures['entries']:,} entries in {figures['feeds']} feeds ({figures['mib']} MiB), "
            f"{medians_of(figures['repeats'], 'run')}, {machine_line()}:",
            markdown_table(COLUMNS, rows(figures)),
            markdown_table(("floor", "measured", "wanted", ""), kept),
        )
    )


def draw(figures: dict[str, object]) -> None:
    """Draw the plot of the page."""
    from harness.plot import draw_ingest  # noqa: PLC0415 - needs matplotlib, which measuring does not

    draw_ingest(figures, PAGE.with_name(PLOT))
    CONSOLE.print(f"drawn in {PLOT}")


if __name__ == "__main__":
    main()
