"""Worker: seenbefore takes a folder of feeds into a database; the last line says how long it took."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from datetime import datetime

import seenbefore
from seenbefore.engine.job import Committed

from .measure import peak_mib


def main(folder: str, database: str, observed_at: str) -> None:
    at = datetime.fromisoformat(observed_at)
    outcomes: Counter[str] = Counter()
    with seenbefore.open(database) as db:
        started = time.perf_counter()
        for step in db.ingest([folder], observed_at=at):
            if isinstance(step, Committed):
                outcomes.update(answer.decision.outcome.value for answer in step.answers)
        seconds = time.perf_counter() - started
    figures = {"seconds": seconds, "items": outcomes.total(), "new": outcomes["new"], "peak_mib": peak_mib()}
    print(json.dumps(figures))


if __name__ == "__main__":
    main(*sys.argv[1:])
