"""Worker: seenbefore takes a folder of feeds into a database; the last line says how long it took."""

from __future__ import annotations

import json
import sys
from collections import Counter
from datetime import datetime

import seenbefore
from seenbefore.engine.job import Committed

from .measure import Stopwatch


def main(folder: str, database: str, observed_at: str) -> None:
    at = datetime.fromisoformat(observed_at)
    outcomes: Counter[str] = Counter()
    with seenbefore.open(database) as db, Stopwatch() as watch:
        for step in db.ingest([folder], observed_at=at):
            if isinstance(step, Committed):
                outcomes.update(answer.decision.outcome.value for answer in step.answers)
    print(json.dumps({"items": outcomes.total(), "new": outcomes["new"], **watch.figures}))


if __name__ == "__main__":
    main(*sys.argv[1:])
