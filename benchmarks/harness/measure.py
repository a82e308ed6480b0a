"""Time and memory of one program, run in a process of its own so that nothing is shared."""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

BENCHMARKS = Path(__file__).resolve().parents[1]
_PEAK = re.compile(r"^VmHWM:\s+(\d+) kB$", re.MULTILINE)
_LOOK_EVERY = 0.05


def peak_mib() -> float:
    """Return the greatest resident memory of this process so far, in MiB.

    Linux gives a new program the peak of the one that started it as its ``ru_maxrss``, so it is not asked there.
    """
    found = _peak_of("self")
    if found is None:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / (2**20 if sys.platform == "darwin" else 2**10)
    return found


def cpu_seconds() -> float:
    """Return the processor time of this process so far, with that of the processes it has ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


class Stopwatch:
    """Measures what is done inside of it: wall time, processor time, and memory with that of processes it starts."""

    def __enter__(self) -> Stopwatch:
        self._done = threading.Event()
        self._children: dict[str, float] = {}
        self._watch = threading.Thread(target=self._look, daemon=True)
        self._watch.start()
        self._cpu, self._started = cpu_seconds(), time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = time.perf_counter() - self._started
        self._done.set()
        self._watch.join()

    @property
    def figures(self) -> dict[str, float]:
        """Return the figures; ask at the end, when processes that were started have ended."""
        memory = peak_mib() + sum(self._children.values())
        return {"seconds": self.seconds, "cpu_seconds": cpu_seconds() - self._cpu, "peak_mib": memory}

    def _look(self) -> None:
        """Note the peaks of child processes, which cannot be asked for once they have ended."""
        while not self._done.wait(_LOOK_EVERY):
            for children in Path("/proc/self/task").glob("*/children"):
                try:
                    processes = children.read_text(encoding="ascii").split()
                except OSError:
                    continue
                for process in processes:
                    self._children[process] = max(_peak_of(process) or 0.0, self._children.get(process, 0.0))


def _peak_of(process: str) -> float | None:
    """The greatest resident memory of a running process in MiB; None where the system does not tell."""
    try:
        found = _PEAK.search(Path("/proc", process, "status").read_text(encoding="utf-8"))
    except OSError:
        return None
    return int(found[1]) / 2**10 if found else None


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
