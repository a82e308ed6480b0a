"""Many requests at once, but never two to one host: the threads behind polling and page fetching."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from ..errors import FetchFailed
from ..polling.politeness import HOST_DELAY_S, HostLanes

JobT = TypeVar("JobT")
ResultT = TypeVar("ResultT")
Clock = Callable[[], float]
Wait = Callable[[threading.Condition, "float | None"], object]

WORKERS: Final = 8
"""Requests in flight at once: most of a request is waiting, and eight fill the time of one writer."""

PATIENCE_S: Final = 30.0
"""The longest hold that a run waits for. A host that asks for more gets no further request in this run."""

TOO_MANY_S: Final = 60.0
"""The hold after 429 or 503 without Retry-After."""

_TOO_BUSY: Final = frozenset({429, 503})
_READY: Final = 4
"""Results per worker that may wait for the caller, so that bodies do not pile up behind a slow writer."""
_JOIN_S: Final = 5.0
"""Seconds that a stopped run waits for requests in flight; their threads end with the process at the latest."""
_LOOK_S: Final = 0.2
"""Seconds between two looks at ``stop`` while nothing arrives: not noticed by a person, nearly free."""


class OnHold(FetchFailed):
    """Not requested, because the host asked for more time than this run waits; ``retry_after`` says how much."""

    def __init__(self, seconds: float, url: str = "") -> None:
        super().__init__("on-hold", "the host asked to be left alone for a while", url, retry_after=seconds)
        self.args = (seconds, url)
        self.retryable = True


def hold_after(result: object) -> float:
    """Return for how many seconds a result puts its whole host on hold.

    >>> hold_after(FetchFailed("status", "too many requests", status=429, retry_after=5.0))
    5.0
    >>> hold_after(FetchFailed("status", "not found", status=404))
    0.0
    """
    if isinstance(result, FetchFailed) and result.status in _TOO_BUSY:
        return TOO_MANY_S if result.retry_after is None else result.retry_after
    return 0.0


@dataclass(frozen=True, slots=True)
class Manners:
    """How many requests at once, how long a host rests, how long a run waits for one that asked for time.

    ``clock`` and ``wait`` are for tests: seconds that never go back, and what passes the time at a condition.
    """

    workers: int = WORKERS
    delay_s: float = HOST_DELAY_S
    patience_s: float = PATIENCE_S
    hold: Callable[[object], float] = hold_after
    clock: Clock = time.monotonic
    wait: Wait = threading.Condition.wait


def run_politely(
    jobs: Iterable[JobT],
    worker: Callable[[JobT], ResultT],
    host_of: Callable[[JobT], str],
    manners: Manners = Manners(),
    *,
    stop: Callable[[], bool] = bool,
) -> Iterator[tuple[JobT, ResultT | Exception]]:
    """Yield each job with what its worker returned, or with the exception it raised, as they end.

    >>> from seenbefore.polling.politeness import lane_of
    >>> def fetch(url: str) -> str:
    ...     if url.endswith("/bad"):
    ...         raise FetchFailed("status", "gone", url, status=410)
    ...     return "body"
    >>> got = dict(run_politely(["http://a.example/", "http://b.example/bad"], fetch, lane_of))
    >>> got["http://a.example/"], got["http://b.example/bad"].status
    ('body', 410)

    Jobs of one host never run at once and keep a pause; a result for which ``hold`` returns seconds puts the
    whole host on hold. When that is more than ``patience_s``, its other jobs end as :class:`OnHold` at once.
    Workers run in threads; everything else, so what the caller does with a result, runs in the caller's. Closing
    the iterator (or an exception where it is used) starts no further job; so does ``stop`` when it turns true. What
    is under way then is waited for, for some seconds, so that nothing is asked for twice.
    """
    lanes = HostLanes[JobT](manners.delay_s)
    for job in jobs:
        lanes.add(host_of(job), job)
    run = _Run(lanes, worker, manners)
    yield from run.results(min(manners.workers, len(lanes)), stop)


class _Run(Generic[JobT, ResultT]):
    """The state that the threads of one run share."""

    def __init__(
        self,
        lanes: HostLanes[JobT],
        worker: Callable[[JobT], ResultT],
        manners: Manners,
    ) -> None:
        self._lanes = lanes
        self._worker = worker
        self._manners = manners
        self._changed = threading.Condition()
        self._room = threading.Semaphore(manners.workers * _READY)
        self._stopped = False
        self._done: queue.SimpleQueue[list[tuple[JobT, Any]]] = queue.SimpleQueue()

    def results(self, threads: int, stop: Callable[[], bool]) -> Iterator[tuple[JobT, ResultT | Exception]]:
        """Start the threads and yield until every job has its result."""
        left = len(self._lanes)
        started = [threading.Thread(target=self._work, daemon=True) for _ in range(threads)]
        for thread in started:
            thread.start()
        try:
            while left and not stop():
                try:
                    ended = self._done.get(timeout=_LOOK_S)
                except queue.Empty:
                    continue
                self._room.release()
                left -= len(ended)
                yield from ended
            self._stop(started)
            while not self._done.empty():  # what was under way when it was stopped
                yield from self._done.get()
        finally:
            self._stop(started)

    def _stop(self, threads: list[threading.Thread]) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        self._room.release(len(threads) or 1)
        give_up_at = time.monotonic() + _JOIN_S
        for thread in threads:
            thread.join(max(0.0, give_up_at - time.monotonic()))

    def _work(self) -> None:
        while True:
            self._room.acquire()
            taken = self._take()
            if taken is None:
                return
            host, job = taken
            result: object
            try:
                result = self._worker(job)
            except Exception as error:
                result = error
            self._done.put([(job, result), *self._free(host, result)])

    def _take(self) -> tuple[str, JobT] | None:
        """Wait for a job that may start; None when there will be none for this thread."""
        with self._changed:
            while not self._stopped and len(self._lanes):
                taken = self._lanes.take(self._manners.clock())
                if taken is not None:
                    return taken
                self._manners.wait(self._changed, self._lanes.wait_s(self._manners.clock()))
            return None

    def _free(self, host: str, result: object) -> list[tuple[JobT, Any]]:
        """Set the host free; return what is given back because of a hold that is too long to wait for."""
        hold_s = self._manners.hold(result)
        with self._changed:
            dropped = self._lanes.drop(host) if hold_s > self._manners.patience_s else []
            self._lanes.finish(host, self._manners.clock(), hold_s)
            self._changed.notify_all()
        return [(job, OnHold(hold_s)) for job in dropped]
