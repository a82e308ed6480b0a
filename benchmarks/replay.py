"""Replay real feed histories in time order: what is said of each entry, how fast, and is it right?

The histories hold 1,930 snapshots of 21 feeds; 453 pairs of their entries were labelled by reading them.
What is counted, and how the pairs are scored, is `seenbefore evaluate replay`; this adds speed, memory and
the kinds of pairs. `--quick` takes every tenth snapshot and leaves the labels out.
"""

from __future__ import annotations

import logging
import tempfile
from collections import Counter
from pathlib import Path

from harness.measure import peak_mib
from harness.replay_data import LABELS, unpack
from harness.report import CONSOLE, finish, options, show_table

from seenbefore.evaluate import FeedReport, GoldReport, ReplayReport, evaluate_replay
from seenbefore.evaluate.replay_gold import Became
from seenbefore.model import Outcome


def main() -> None:
    parser = options(__doc__ or "")
    parser.add_argument("--keep", help="keep the database in this new file instead of throwing it away")
    args = parser.parse_args()
    logging.disable(logging.INFO)
    with tempfile.TemporaryDirectory(prefix="replay-") as scratch:
        unpack(Path(scratch), one_in=10 if args.quick else 1)
        gold = None if args.quick or not LABELS.is_file() else LABELS
        report = evaluate_replay(scratch, gold=gold, keep=args.keep)
    figures = summary(report)
    show(report, figures)
    if report.gold is not None:
        show_labels(report.gold)
    finish("replay_quick" if args.quick else "replay", figures, args)


def summary(report: ReplayReport) -> dict[str, object]:
    """Return the figures as one mapping: those of the command, with speed and memory."""
    outcomes: Counter[str] = Counter()
    for feed in report.feeds:
        for (outcome, _), count in feed.answers.items():
            outcomes[outcome.value] += count
    return {
        **report.to_json(),
        "entries_per_second": round(report.entries / report.seconds),
        "peak_mib": round(peak_mib()),
        "outcomes": dict(outcomes),
    }


def show(report: ReplayReport, figures: dict[str, object]) -> None:
    """Print what was said of each feed."""
    rows = []
    for feed in report.feeds:
        again = feed.reasons(Outcome.DUPLICATE).get("seen_again", 0)
        new = sum(feed.reasons(Outcome.NEW).values())
        told = (_told(feed, outcome) for outcome in (Outcome.UPDATE, Outcome.DUPLICATE, Outcome.REVIEW))
        rows.append((feed.feed, new, *told, again))
    show_table("answers per feed", ("feed", "new", "updates", "duplicates", "reviews", "seen again"), rows)
    for left in report.not_read:
        CONSOLE.print(f"not read: {left.where}: {left.message}", markup=False)
    CONSOLE.print(
        f"{report.versions} snapshots, {report.entries:,} entries in {report.seconds} s: "
        f"{figures['entries_per_second']:,} entries/s, at most {figures['peak_mib']} MiB; "
        f"{report.reviews} reviews on {report.records:,} records"
    )


def show_labels(gold: GoldReport) -> None:
    """Print what became of the labelled pairs."""
    rows = [
        (
            kind,
            len(part.results),
            sum(result.right for result in part.results),
            sum(result.wrong for result in part.results),
            sum(result.missed for result in part.results),
            sum(result.became is Became.REVIEW for result in part.results),
            part.not_found,
        )
        for kind, part in gold.by_kind().items()
    ]
    show_table("labelled pairs", ("kind of pair", "pairs", "right", "wrong", "missed", "review", "not found"), rows)
    for name, (hits, of) in gold.rates.items():
        low, high = gold.intervals[name]
        CONSOLE.print(f"{name.replace('_', ' ')}: {hits} of {of} (95 % interval {low:.1%} to {high:.1%})")
    CONSOLE.print("pairs for a person:", ", ".join(f"{count} {name}" for name, count in gold.review_rows.items()))


def _told(feed: FeedReport, outcome: Outcome) -> str:
    reasons = feed.reasons(outcome).items()
    return "\n".join(f"{reason} {count:,}" for reason, count in reasons if reason != "seen_again")


if __name__ == "__main__":
    main()
