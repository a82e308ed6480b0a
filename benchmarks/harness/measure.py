"""Time and memory of one program, run in a process of its own so that nothing is shared."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[1]


def peak_mib() -> float:
    """Return the greatest resident memory of this process so far in MiB, with that of a process it has ended."""
    peak = sum(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def cpu_seconds() -> float:
    """Return the processor time of this process so far, with that of the processes it has ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


class Stopwatch:
    """Measures what is done inside of it: wall time and processor time."""

    def __enter__(self) -> Stopwatch:
        self._cpu, self._started = cpu_seconds(), time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.perf_counter() - self._started

    @property
    def figures(self) -> dict[str, float]:
        """Return the figures so far; ask at the end, when processes that were started have ended."""
        return {"seconds": self.seconds, "cpu_seconds": cpu_seconds() - self._cpu, "peak_mib": peak_mib()}


def run_worker(module: str, arguments: Sequence[str], *, python: str = sys.executable) -> dict[str, float]:
    """Return the figures that a worker prints as its last line; ends with its errors when it fails."""
    command = [python, "-m", module, *arguments]
    done = subprocess.run(command, cwd=BENCHMARKS, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{module} {' '.join(arguments)} failed:\n{done.stderr[-2000:]}")
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def can_import(modules: Sequence[str], *, python: str = sys.executable) -> bool:
    """Whether an interpreter has all of these modules."""
    command = [python, "-c", f"import {', '.join(modules)}"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
