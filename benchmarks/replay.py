"""Replay real feed histories in time order: what is said of each entry, how fast, and is it right?

The histories hold 1,930 snapshots of 21 feeds; 453 pairs of their entries were labelled by reading them.
A pair is *false* when two articles ended in one record, *missed* when one article ended in two records
that do not wait for review. `--quick` takes every tenth snapshot and leaves the labels out.
"""

from __future__ import annotations

import logging
import tempfile
import time
from collections import Counter
from pathlib import Path

from harness.measure import peak_mib
from harness.replay_data import read_labels, require_archive, unpack
from harness.replay_labels import judge
from harness.report import CONSOLE, finish, options, show_table

import seenbefore
from seenbefore.engine.job import Committed, Skipped

Counts = Counter[tuple[str, str, str]]


def main() -> None:
    parser = options(__doc__ or "")
    parser.add_argument("--db", help="keep the database here instead of throwing it away")
    args = parser.parse_args()
    require_archive()
    logging.disable(logging.INFO)
    with tempfile.TemporaryDirectory(prefix="replay-") as scratch:
        folder = Path(scratch) / "feeds"
        snapshots = unpack(folder, one_in=10 if args.quick else 1)
        with seenbefore.open(args.db or Path(scratch) / "replay.db") as db:
            started = time.perf_counter()
            counts, skipped = ingest(db, folder)
            seconds = time.perf_counter() - started
            figures = summary(counts, snapshots, skipped, seconds)
            if not args.quick and read_labels():
                figures["labels"] = judge(db)
    show(counts, figures)
    finish("replay_quick" if args.quick else "replay", figures, args)


def ingest(db: seenbefore.SeenBefore, folder: Path) -> tuple[Counts, int]:
    """Take the snapshots in; returns answers by feed, outcome and reason, and files not read."""
    counts: Counts = Counter()
    skipped = 0
    for step in db.ingest([str(folder)]):
        if isinstance(step, Committed):
            for answer in step.answers:
                decision = answer.decision
                counts[decision.item.source, decision.outcome.value, decision.reason] += 1
        elif isinstance(step, Skipped):
            CONSOLE.print(f"not read: {step.where}: {step.message}", markup=False)
            skipped += 1
    return counts, skipped


def summary(counts: Counts, snapshots: int, skipped: int, seconds: float) -> dict[str, object]:
    """Return the figures as one mapping."""
    items = counts.total()
    feeds: dict[str, dict[str, int]] = {}
    for (feed, outcome, reason), count in sorted(counts.items()):
        feeds.setdefault(feed, {})[f"{outcome}/{reason}"] = count
    return {
        "snapshots": snapshots,
        "not_read": skipped,
        "items": items,
        "seconds": round(seconds, 2),
        "items_per_second": round(items / seconds),
        "peak_mib": round(peak_mib()),
        "outcomes": by_outcome(counts),
        "feeds": feeds,
    }


def by_outcome(counts: Counts) -> dict[str, int]:
    """Return how often each outcome was given, over all feeds."""
    found: Counter[str] = Counter()
    for (_, outcome, _), count in counts.items():
        found[outcome] += count
    return dict(found)


def show(counts: Counts, figures: dict[str, object]) -> None:
    """Print the tables."""
    feeds = sorted({feed for feed, _, _ in counts})
    rows = []
    for feed in feeds:
        own = {(o, r): n for (f, o, r), n in counts.items() if f == feed}
        repeats = own.pop(("duplicate", "seen_again"), 0)
        rows.append(
            (
                feed,
                sum(n for (o, _), n in own.items() if o == "new"),
                _reasons(own, "update"),
                _reasons(own, "duplicate"),
                _reasons(own, "review"),
                repeats,
            )
        )
    show_table("answers per feed", ("feed", "new", "updates", "duplicates", "reviews", "seen again"), rows)
    CONSOLE.print(
        f"{figures['snapshots']} snapshots, {figures['items']:,} entries in {figures['seconds']} s: "
        f"{figures['items_per_second']:,} entries/s, at most {figures['peak_mib']} MiB"
    )
    labels = figures.get("labels")
    if isinstance(labels, dict):
        show_labels(labels)


def show_labels(labels: dict[str, object]) -> None:
    """Print what the labelled pairs say."""
    kinds = labels["kinds"]
    assert isinstance(kinds, dict)
    rows = [(kind, *counts.values()) for kind, counts in sorted(kinds.items())]
    columns = ("kind of pair", "pairs", "right", "false", "missed", "review", "not found")
    show_table("labelled pairs", columns, rows)
    CONSOLE.print(
        f"one article: {labels['same']} pairs, {labels['missed']} missed, "
        f"{labels['same_in_review']} in review\n"
        f"two articles: {labels['different']} pairs, {labels['false']} false (95 % interval of the rate: "
        f"{labels['false_interval']}), {labels['different_in_review']} in review\n"
        f"meant for review: {labels['review']} pairs, {labels['silent']} joined although no one accepts that"
    )


def _reasons(own: dict[tuple[str, str], int], outcome: str) -> str:
    found = sorted(((n, r) for (o, r), n in own.items() if o == outcome), reverse=True)
    return "\n".join(f"{reason} {count:,}" for count, reason in found)


if __name__ == "__main__":
    main()
