"""Which request may start now, when each host is asked one thing at a time with a pause in between."""

from __future__ import annotations

import heapq
from collections import deque
from typing import Final, Generic, TypeVar
from urllib.parse import urlsplit

JobT = TypeVar("JobT")

HOST_DELAY_S: Final = 1.0
"""Seconds between the end of a request and the next one to the same host: what crawlers of good manners keep."""


class HostLanes(Generic[JobT]):
    """Jobs in one lane per host: a lane gives out one job at a time and rests after each.

    >>> lanes = HostLanes[str](delay_s=1.0)
    >>> for host, job in (("a", "a1"), ("a", "a2"), ("b", "b1")):
    ...     lanes.add(host, job)
    >>> lanes.take(0.0), lanes.take(0.0)
    (('a', 'a1'), ('b', 'b1'))

    The second job of ``a`` waits for the first one and one second more:

    >>> lanes.take(0.5), lanes.wait_s(0.5)
    (None, None)
    >>> lanes.finish("a", now=2.0)
    >>> lanes.take(2.5), lanes.wait_s(2.5), lanes.take(3.0)
    (None, 0.5, ('a', 'a2'))

    Times are seconds of any clock that never goes back. Free lanes take turns, the one that waits longest first.
    """

    def __init__(self, delay_s: float = HOST_DELAY_S) -> None:
        self._delay_s = delay_s
        self._jobs: dict[str, deque[JobT]] = {}
        self._free_at: dict[str, float] = {}
        self._busy: set[str] = set()
        self._waiting: list[tuple[float, int, str]] = []
        self._turn = 0
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, host: str, job: JobT) -> None:
        """Put a job at the end of its host's lane."""
        lane = self._jobs.setdefault(host, deque())
        lane.append(job)
        self._count += 1
        if len(lane) == 1 and host not in self._busy:
            self._line_up(host)

    def take(self, now: float) -> tuple[str, JobT] | None:
        """Return a job that may start now, with its host, which is busy until ``finish``; None if there is none."""
        if not self._waiting or self._waiting[0][0] > now:
            return None
        _, _, host = heapq.heappop(self._waiting)
        self._busy.add(host)
        self._count -= 1
        return host, self._jobs[host].popleft()

    def wait_s(self, now: float) -> float | None:
        """Return the seconds until a job may start; None when that depends on the end of another one."""
        return max(0.0, self._waiting[0][0] - now) if self._waiting else None

    def finish(self, host: str, now: float, hold_s: float = 0.0) -> None:
        """Set the host free after the usual pause, or after ``hold_s`` seconds if that is longer."""
        self._busy.discard(host)
        self._free_at[host] = now + max(self._delay_s, hold_s)
        if self._jobs.get(host):
            self._line_up(host)

    def drop(self, host: str) -> list[JobT]:
        """Take all jobs of a busy host out of its lane and return them."""
        lane = self._jobs.pop(host, deque())
        self._count -= len(lane)
        return list(lane)

    def _line_up(self, host: str) -> None:
        self._turn += 1
        heapq.heappush(self._waiting, (self._free_at.get(host, float("-inf")), self._turn, host))


def lane_of(url: str) -> str:
    """Return the host whose turn an address has to wait for; ``www.`` and the port are the same machine.

    >>> lane_of("https://www.Example.com/feed") == lane_of("http://example.com:8080/other")
    True
    >>> lane_of("https://shop.example.com/") == lane_of("https://example.com/")
    False
    """
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return url
    return host.removeprefix("www.").rstrip(".")
