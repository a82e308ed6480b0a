"""Do the same feeds end in the same records, whatever the order they are read in? On real feed histories.

Must end as the usual order does (by time, in one go), to the current version and the dates of every record:
everything read twice, in two processes, in units of seven items, with the entries of each fetch shuffled, and
feed after feed. With all snapshots shuffled most of them are late, and records may differ by one percent at
most; of the labeled pairs, none may be merged wrongly. Ends with exit code 1 where one of these does not hold.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from harness.measure import run_worker
from harness.pictures import Difference, Picture, compare_pictures, describe
from harness.replay_data import LABELS, unpack
from harness.report import CONSOLE, finish, options, progress_bar, show_table

from seenbefore.evaluate.snapshots import Snapshot, find_histories

UNIT_SIZE = 7
SEEDS = (1, 2, 3)
GREATEST_SHARE = 0.01
USUAL, TWICE = "by time", "twice"


@dataclass(frozen=True, slots=True)
class Order:
    """One way to read all snapshots: parts, one process after the other; ``strict``: must end as the usual way."""

    name: str
    parts: tuple[Sequence[Snapshot], ...]
    strict: bool = True
    unit_size: int | None = None
    shuffle_entries: int | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """What became of an order."""

    order: Order
    picture: Picture
    difference: Difference
    seconds: float
    faults: tuple[str, ...]


def main() -> None:
    args = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="orders-") as scratch:
        folder = Path(scratch)
        unpack(folder / "histories", one_in=10 if args.quick else 1)
        snapshots = find_histories(folder / "histories").snapshots
        orders = [order for order in plan_orders(snapshots) if order.name == USUAL or wanted(order, args.only)]
        ended = run_orders(orders, folder, args.jobs)
    figures = summary(ended, len(snapshots))
    show(ended, len(snapshots))
    for end in (end for end in ended if end.faults):
        for line in describe(end.difference, ended[0].picture, end.picture, args.show):
            CONSOLE.print(f"{end.order.name}: {line}", markup=False, highlight=False)
    faults = [f"{end.order.name}: {fault}" for end in ended for fault in end.faults]
    for fault in faults:
        CONSOLE.print(f"NOT MET: {fault}", markup=False)
    if not faults:
        CONSOLE.print("Every order ends as it must.")
    finish("orders_quick" if args.quick else "orders", figures, args)
    sys.exit(1 if faults else 0)


def parse_arguments() -> argparse.Namespace:
    parser = options(__doc__ or "")
    parser.add_argument("--only", action="append", help="run this order only, beside the usual one (may be repeated)")
    parser.add_argument(
        "--show", type=int, default=3, help="records to show per kind of unwanted difference (%(default)s)"
    )
    cores = os.cpu_count() or 1
    parser.add_argument("--jobs", type=int, default=min(cores, 4), help="orders to run at the same time (%(default)s)")
    return parser.parse_args()


def wanted(order: Order, only: Sequence[str] | None) -> bool:
    return not only or any(name in order.name for name in only)


def plan_orders(snapshots: Sequence[Snapshot]) -> list[Order]:
    """Return the usual order, then the others."""
    half = len(snapshots) // 2
    by_feed = sorted(snapshots, key=lambda snapshot: snapshot.feed)  # stable: by time inside a feed
    backwards = sorted(snapshots, key=lambda snapshot: snapshot.feed, reverse=True)
    return [
        Order(USUAL, (snapshots,)),
        Order(TWICE, (snapshots, snapshots)),
        Order("two processes", (snapshots[:half], snapshots[half:])),
        Order(f"units of {UNIT_SIZE}", (snapshots,), unit_size=UNIT_SIZE),
        Order("entries shuffled", (snapshots,), shuffle_entries=1),
        Order("feed after feed", (by_feed,)),
        Order("feed after feed, last first", (backwards,)),
        *(Order(f"snapshots shuffled, seed {seed}", (shuffled(snapshots, seed),), strict=False) for seed in SEEDS),
    ]


def shuffled(snapshots: Sequence[Snapshot], seed: int) -> list[Snapshot]:
    mixed = list(snapshots)
    random.Random(seed).shuffle(mixed)
    return mixed


def run_orders(orders: Sequence[Order], folder: Path, jobs: int) -> list[Ended]:
    """Run all orders, some at the same time, and compare each with the first."""
    found: dict[str, tuple[list[Picture], float]] = {}
    with progress_bar("orders", len(orders)) as advance, ThreadPoolExecutor(jobs) as pool:
        running = {order.name: pool.submit(run_order, order, folder / str(n)) for n, order in enumerate(orders)}
        for name, future in running.items():
            found[name] = future.result()
            advance()
    usual = found[orders[0].name][0][-1]
    ended = []
    for order in orders:
        pictures, seconds = found[order.name]
        difference = compare_pictures(usual, pictures[-1])
        ended.append(Ended(order, pictures[-1], difference, seconds, tuple(faults(order, pictures, difference))))
    return ended


def run_order(order: Order, folder: Path) -> tuple[list[Picture], float]:
    """Return what the store looked like after each part, and how long all took."""
    folder.mkdir()
    pictures, seconds = [], 0.0
    for number, part in enumerate(order.parts):
        whole = len(part) == len(set(order.parts[0]).union(*order.parts))  # else the answers of a part are missing
        plan = {
            "gold": str(LABELS) if LABELS.is_file() and whole else None,
            "unit_size": order.unit_size,
            "shuffle_entries": order.shuffle_entries,
            "watch_late": not order.strict,
            "check": number == len(order.parts) - 1,
            "snapshots": [[str(s.path), s.feed, s.taken_at.isoformat()] for s in part],
        }
        (folder / "order.json").write_text(json.dumps(plan), encoding="utf-8")
        files = [str(folder / name) for name in ("order.json", "store.db", "result.json")]
        seconds += run_worker("harness.order_worker", files)["seconds"]
        pictures.append(Picture.read(folder / "result.json"))
    shutil.rmtree(folder)
    return pictures, seconds


def faults(order: Order, pictures: Sequence[Picture], difference: Difference) -> list[str]:
    """Return what does not hold of an order that must."""
    last = pictures[-1]
    found = []
    if order.strict and not difference.is_none:
        found.append(f"{_sizes(difference)} differ from the usual order")
    if not order.strict and difference.share > GREATEST_SHARE:
        found.append(f"{difference.share:.2%} of the records differ; at most {GREATEST_SHARE:.0%} may")
    if order.name == TWICE and last.last_seq != pictures[0].last_seq:
        found.append(f"the second reading stored {last.last_seq - pictures[0].last_seq} decisions or events")
    if order.name == TWICE and set(last.told) != {"duplicate/seen_again"}:
        found.append(f"the second reading answered {', '.join(sorted(last.told))}")
    if last.late_flips:
        found.append(
            f"late fetches changed the current version of {len(last.late_flips)} records: {last.late_flips[0]}"
        )
    if last.problems:
        found.append(f"check found {last.problems}")
    if last.gold and last.gold["wrong_merges"]:
        found.append(f"{last.gold['wrong_merges']} labeled pairs were merged wrongly: {last.gold['rows']['wrong']}")
    return found


def _sizes(difference: Difference) -> str:
    parts = {"partition": difference.parted, "current version": difference.flipped, "times": difference.dated}
    return ", ".join(f"{len(records)} records in their {name}" for name, records in parts.items() if records)


def summary(ended: Sequence[Ended], snapshots: int) -> dict[str, object]:
    """Return all figures."""
    return {
        "snapshots": snapshots,
        "records": ended[0].difference.records,
        "orders": {
            end.order.name: {
                "strict": end.order.strict,
                "parted": len(end.difference.parted),
                "share": round(end.difference.share, 5),
                "flipped": len(end.difference.flipped),
                "dated": len(end.difference.dated),
                "late_flips": None if end.picture.late_flips is None else len(end.picture.late_flips),
                "flips_among_late": end.picture.flips_among_late,
                "problems": end.picture.problems,
                "wrong_merges": end.picture.gold["wrong_merges"] if end.picture.gold else None,
                "found": end.picture.gold["found"] if end.picture.gold else None,
                "seconds": round(end.seconds, 1),
                "faults": list(end.faults),
            }
            for end in ended
        },
    }


def show(ended: Sequence[Ended], snapshots: int) -> None:
    """Print the table."""
    rows = []
    for end in ended:
        difference, gold = end.difference, end.picture.gold
        rows.append(
            (
                end.order.name,
                len(end.picture.records),
                len(difference.parted),
                f"{difference.share:.2%}",
                len(difference.flipped),
                len(difference.dated),
                None if end.picture.late_flips is None else len(end.picture.late_flips),
                sum((end.picture.problems or {}).values()),
                gold["wrong_merges"] if gold else None,
                gold["found"] if gold else None,
                "not met" if end.faults else "met",
            )
        )
    columns = ("order", "records", "parted", "of all", "flipped", "dated", "late", "problems", "wrong", "found", "")
    show_table(f"{snapshots} snapshots in {len(ended)} orders", columns, rows)
    CONSOLE.print(
        "parted: records of the usual order whose set of sightings is no record here; flipped: the same sightings, "
        "another current version; dated: other times only; late: current versions that gave way to a late fetch; "
        "problems: what `seenbefore check` finds; wrong and found: labeled pairs that were merged wrongly and rightly.",
        markup=False,
    )


if __name__ == "__main__":
    main()
