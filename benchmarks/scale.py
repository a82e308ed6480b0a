"""Does a store stay fast as it grows? Time, memory and file size at 10,000, 100,000 and 1,000,000 records.

One store is grown through the library from generated feeds of 50 entries, and copied at each size. Then the
copies are read in turns, so that a machine that is busy for a while cannot favor one of them: a fresh process
reads feeds again that are picked at random among all (with a new build date, so that no file is skipped), then a
few that nobody has seen. Medians of five rounds are shown. Growing to 1,000,000 takes a quarter of an hour.
"""

from __future__ import annotations

import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path

from harness.make_feeds import START, plan_feed, write_feeds
from harness.measure import run_worker
from harness.page import PAGE, figure, fill_section, machine_line, markdown_table, medians_of
from harness.report import CONSOLE, finish, options, progress_bar, show_floors, show_table

import seenbefore

SIZES = (10_000, 100_000, 1_000_000)
QUICK_SIZES = (1_000, 5_000, 20_000)
ENTRIES = 50
CHUNK = 100
NEW_FEEDS = 10
FIRST_NEW = 10_000_000
MEASURED = ("unchanged_us", "new_us", "peak_mib")
COLUMNS = ("records", "µs per unchanged item", "from–to", "µs per new item", "from–to", "peak MiB", "file MiB")
PLOT = "performance-scale.svg"
GREATEST_SLOWDOWN = 2.0
GREATEST_MEMORY = 1.25
Size = dict[str, float]


def main() -> None:
    parser = options(__doc__ or "")
    parser.add_argument("--words", type=int, default=100, help="words per entry on average (%(default)s)")
    parser.add_argument("--repeats", type=int, default=5, help="(%(default)s)")
    parser.add_argument("--sizes", type=int, nargs="+", help="numbers of records, ascending, instead of the usual ones")
    parser.add_argument("--keep", help="keep the grown database in this new file instead of throwing it away")
    args = parser.parse_args()
    sizes = args.sizes or (QUICK_SIZES if args.quick else SIZES)
    with tempfile.TemporaryDirectory(prefix="scale-") as scratch:
        found = measure_sizes(Path(scratch), sizes, args.words, args.repeats)
        if args.keep:
            shutil.move(Path(scratch, f"store{sizes[-1]}.db"), args.keep)
    figures: dict[str, object] = {
        "entries_per_feed": ENTRIES,
        "words_per_entry": args.words,
        "feeds_read_again": sample_size(sizes)[1],
        "repeats": args.repeats,
        "sizes": found,
        "slowdown": round(found[-1]["unchanged_us"] / found[0]["unchanged_us"], 2),
        "memory": round(found[-1]["peak_mib"] / found[0]["peak_mib"], 2),
    }
    title = f"{figures['feeds_read_again']} feeds of {ENTRIES} entries read again, median of {args.repeats} processes"
    show_table(title, COLUMNS, rows(found))
    if tuple(sizes) == SIZES:
        show_floors(floors(figures))
        if args.save:
            fill_section("scale", page_section(figures))
            draw(figures)
    else:
        CONSOLE.print(
            f"From the first size to the last: {figures['slowdown']} times the time per unchanged item, "
            f"{figures['memory']} times the memory. The limits are for the usual sizes: a smaller store does not fill "
            "the page cache (64 MiB)."
        )
    finish("scale" if tuple(sizes) == SIZES else "scale_quick", figures, args)


# --- growing and measuring ----------------------------------------------------------------------


def measure_sizes(folder: Path, sizes: Sequence[int], words: int, repeats: int) -> list[Size]:
    """Grow one store, keep a copy at each size, and then read all of them in turns."""
    stores = [folder / f"store{size}.db" for size in sizes]
    grown, found = 0, []
    with progress_bar("records", sizes[-1]) as advance, ProcessPoolExecutor(1) as pool:
        for number, (size, store) in enumerate(zip(sizes, stores, strict=True)):
            if number:
                shutil.copyfile(stores[number - 1], store)
            seconds = grow(store, folder, range(grown, size // ENTRIES), words, pool, advance)
            grown = size // ENTRIES
            found.append({"records": size, "file_mib": file_mib(store), "grown_in_seconds": round(seconds, 1)})
    measured: list[list[Size]] = [[] for _ in sizes]
    with progress_bar("processes", repeats * len(sizes)) as advance:
        for repeat in range(repeats):
            at = START + timedelta(hours=repeat + 1)
            for size, store, figures in zip(sizes, stores, measured, strict=True):
                write_sample(folder / "sample", size // ENTRIES, sample_size(sizes), words, at, repeat)
                figures.append(run_worker("harness.scale_worker", [str(store), str(folder / "sample"), at.isoformat()]))
                shutil.rmtree(folder / "sample")
                advance()
    return [{**size, **summarize(figures)} for size, figures in zip(found, measured, strict=True)]


def grow(
    database: Path,
    folder: Path,
    numbers: range,
    words: int,
    pool: ProcessPoolExecutor,
    advance: Callable[..., None],
) -> float:
    """Take feeds into the store; returns how long that took. The next chunk is made while one is stored."""
    chunks = [numbers[start : start + CHUNK] for start in range(0, len(numbers), CHUNK)]
    seconds = 0.0
    with seenbefore.open(database) as db:
        for ready in one_ahead(pool, [(folder / f"chunk{chunk[0]}", chunk, words) for chunk in chunks]):
            started = time.perf_counter()
            for _ in db.ingest([ready], observed_at=START):
                pass
            seconds += time.perf_counter() - started
            advance(len(list(ready.iterdir())) * ENTRIES)
            shutil.rmtree(ready)
    return seconds


def one_ahead(pool: ProcessPoolExecutor, jobs: Sequence[tuple[Path, range, int]]) -> Iterator[Path]:
    """Yield folders of feeds; while one is in use, the next is made in another process."""
    waiting: Future[Path] | None = None
    for job in jobs:
        ready, waiting = waiting, pool.submit(make_chunk, *job)
        if ready:
            yield ready.result()
    if waiting:
        yield waiting.result()


def make_chunk(folder: Path, numbers: range, words: int) -> Path:
    write_feeds({folder: START}, (plan_feed(number, ENTRIES, words) for number in numbers))
    return folder


def sample_size(sizes: Sequence[int]) -> tuple[int, int]:
    """Return how many feeds are read to warm up, and how many are measured; the smallest store has both."""
    feeds = sizes[0] // ENTRIES
    return feeds // 5, feeds * 3 // 4


def write_sample(folder: Path, feeds: int, counts: tuple[int, int], words: int, at: datetime, repeat: int) -> None:
    """Write the feeds that one process reads: to warm up, again, and new ones."""
    chosen = random.Random(f"{feeds} {repeat}").sample(range(feeds), sum(counts))
    first_new = FIRST_NEW + repeat * NEW_FEEDS
    parts = {
        "warm": chosen[: counts[0]],
        "again": chosen[counts[0] :],
        "new": range(first_new, first_new + NEW_FEEDS),
    }
    for name, numbers in parts.items():
        write_feeds({folder / name: at}, (plan_feed(number, ENTRIES, words) for number in numbers))


def summarize(measured: Sequence[Size]) -> Size:
    """Return the medians at one size, and the least and greatest value."""
    found: Size = {}
    for name in MEASURED:
        values = [each[name] for each in measured]
        found[name] = round(statistics.median(values), 1)
        found[f"{name}_least"], found[f"{name}_most"] = round(min(values), 1), round(max(values), 1)
    return found


def file_mib(store: Path) -> float:
    return round(sum(path.stat().st_size for path in store.parent.glob(f"{store.name}*")) / 2**20, 1)


# --- what is shown ------------------------------------------------------------------------------


def rows(found: Sequence[Size]) -> list[tuple[object, ...]]:
    """Return the lines of the table."""

    def spread(size: Size, name: str) -> str:
        return f"{size[f'{name}_least']:,.0f}–{size[f'{name}_most']:,.0f}"

    return [
        (
            round(size["records"]),
            round(size["unchanged_us"]),
            spread(size, "unchanged_us"),
            round(size["new_us"]),
            spread(size, "new_us"),
            round(size["peak_mib"]),
            round(size["file_mib"]),
        )
        for size in found
    ]


def floors(figures: dict[str, object]) -> list[tuple[str, float, str, bool]]:
    """Return what must hold, the figure, the limit, and whether it is met."""
    slowdown, memory = figures["slowdown"], figures["memory"]
    assert isinstance(slowdown, float)
    assert isinstance(memory, float)
    span = f"at {SIZES[-1]:,} ÷ at {SIZES[0]:,} records"
    return [
        (f"time per unchanged item, {span}", slowdown, f"at most {GREATEST_SLOWDOWN}", slowdown <= GREATEST_SLOWDOWN),
        (f"peak memory, {span}", memory, f"at most {GREATEST_MEMORY}", memory <= GREATEST_MEMORY),
    ]


def page_section(figures: dict[str, object]) -> str:
    """Return what the page about speed says of this run."""
    found = figures["sizes"]
    assert isinstance(found, list)
    kept = [(n, f"{value:.2f}", limit, "met" if met else "not met") for n, value, limit, met in floors(figures)]
    first, last = found[0], found[-1]
    alt = (
        f"Four plots over the number of records, from {first['records']:,} to {last['records']:,}. "
        "Time per unchanged item goes from "
        f"{first['unchanged_us']:.0f} to {last['unchanged_us']:.0f} microseconds, time per new item from "
        f"{first['new_us']:.0f} to {last['new_us']:.0f} microseconds, the greatest memory from {first['peak_mib']:.0f} "
        f"to {last['peak_mib']:.0f} MiB, the file from {first['file_mib']:,.0f} to {last['file_mib']:,.0f} MiB."
    )
    return "\n\n".join(
        (
            figure(PLOT, alt),
            f"{figures['feeds_read_again']} feeds of {ENTRIES} entries, about {figures['words_per_entry']} words each, "
            f"{medians_of(figures['repeats'], 'process')}, {machine_line()}:",
            markdown_table(COLUMNS, rows(found)),
            markdown_table(("floor", "measured", "wanted", ""), kept),
        )
    )


def draw(figures: dict[str, object]) -> None:
    """Draw the plot of the page."""
    from harness.plot import draw_scale  # noqa: PLC0415 - needs matplotlib, which measuring does not

    draw_scale(figures, PAGE.with_name(PLOT))
    CONSOLE.print(f"drawn in {PLOT}")


if __name__ == "__main__":
    main()
