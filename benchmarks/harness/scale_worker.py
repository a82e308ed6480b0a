"""Worker: reads feeds that a large database knows, then feeds that it does not; the last line has the figures.

A first folder is read without a clock, so that imports, statements and the index pages that every look-up
needs are there, as in a process that has been running for a while.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from datetime import datetime
from pathlib import Path

import seenbefore
from seenbefore.engine.job import Committed
from seenbefore.wiring import SeenBefore

from .measure import peak_mib


def main(database: str, folder: str, observed_at: str) -> None:
    at = datetime.fromisoformat(observed_at)
    with seenbefore.open(database, create=False) as db:
        _take_in(db, Path(folder, "warm"), at, "duplicate/seen_again")
        again, items = _take_in(db, Path(folder, "again"), at, "duplicate/seen_again")
        peak = peak_mib()
        new, new_items = _take_in(db, Path(folder, "new"), at, "new/first_seen")
    figures = {"unchanged_us": again / items * 1e6, "new_us": new / new_items * 1e6, "peak_mib": peak}
    print(json.dumps(figures))


def _take_in(db: SeenBefore, folder: Path, at: datetime, expected: str) -> tuple[float, int]:
    """Return seconds and items; ends the program when anything else than expected was said of them."""
    told: Counter[str] = Counter()
    started = time.perf_counter()
    for step in db.ingest([folder], observed_at=at):
        if isinstance(step, Committed):
            told.update(f"{answer.decision.outcome}/{answer.decision.reason}" for answer in step.answers)
    seconds = time.perf_counter() - started
    if set(told) != {expected}:
        raise SystemExit(f"{folder.name}: expected {expected} of every item, was told {dict(told)}")
    return seconds, told.total()


if __name__ == "__main__":
    main(*sys.argv[1:])
