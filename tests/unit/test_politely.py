from __future__ import annotations

import pickle
import threading
import time
from collections import Counter, defaultdict
from itertools import pairwise

import pytest

from seenbefore.engine.politely import Manners, OnHold, run_politely
from seenbefore.errors import FetchFailed
from seenbefore.polling.politeness import HostLanes, lane_of


class Server:
    """Counts who is inside at once, per host and in all."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds
        self.lock = threading.Lock()
        self.inside: Counter[str] = Counter()
        self.most_per_host = 0
        self.most = 0
        self.spans: dict[str, list[tuple[float, float]]] = defaultdict(list)
        self.asked: list[str] = []

    def __call__(self, url: str) -> str:
        host = lane_of(url)
        started = time.monotonic()
        with self.lock:
            self.asked.append(url)
            self.inside[host] += 1
            self.most_per_host = max(self.most_per_host, self.inside[host])
            self.most = max(self.most, self.inside.total())
        time.sleep(self.seconds)
        with self.lock:
            self.inside[host] -= 1
            self.spans[host].append((started, time.monotonic()))
        return f"body of {url}"


def test_two_thousand_jobs_on_fifty_hosts() -> None:
    server = Server()
    jobs = [f"http://h{n % 50}.example/{n}" for n in range(2000)]
    got = dict(run_politely(jobs, server, lane_of, Manners(delay_s=0)))
    assert got == {job: f"body of {job}" for job in jobs}
    assert len(server.asked) == len(set(server.asked)) == 2000
    assert server.most_per_host == 1


def test_hosts_run_side_by_side_and_each_keeps_its_pause() -> None:
    server = Server(seconds=0.02)
    jobs = [f"http://h{n % 4}.example/{n}" for n in range(12)]
    assert len(list(run_politely(jobs, server, lane_of, Manners(4, 0.05)))) == 12
    assert server.most_per_host == 1
    assert 1 < server.most <= 4
    for spans in server.spans.values():
        assert all(later[0] - earlier[1] >= 0.049 for earlier, later in pairwise(spans))


def test_a_failing_job_is_a_result_and_stops_nothing() -> None:
    def fetch(url: str) -> str:
        if url.endswith("1"):
            raise ValueError(url)
        return url

    got = dict(run_politely([f"http://a.example/{n}" for n in range(3)], fetch, lane_of, Manners(delay_s=0)))
    assert isinstance(got["http://a.example/1"], ValueError)
    assert got["http://a.example/2"] == "http://a.example/2"


def test_a_host_that_asks_for_more_time_gets_no_further_request() -> None:
    asked: list[str] = []

    def fetch(url: str) -> str:
        asked.append(url)
        if "busy" in url:
            raise FetchFailed("status", "too many requests", url, status=429, retry_after=3600)
        return url

    jobs = [f"http://{host}.example/{n}" for n in range(3) for host in ("busy", "free")]
    got = dict(run_politely(jobs, fetch, lane_of, Manners(delay_s=0)))
    assert sum("busy" in url for url in asked) == 1
    first, *others = [got[job] for job in jobs if "busy" in job]
    assert isinstance(first, FetchFailed)
    assert first.status == 429
    assert all(isinstance(result, OnHold) and result.retry_after == 3600 for result in others)
    assert [got[job] for job in jobs if "free" in job] == [job for job in jobs if "free" in job]


def test_a_short_hold_is_waited_for() -> None:
    times: list[float] = []

    def fetch(url: str) -> str:
        times.append(time.monotonic())
        if len(times) == 1:
            raise FetchFailed("status", "later", url, status=503, retry_after=0.1)
        return url

    got = list(run_politely(["http://a.example/1", "http://a.example/2"], fetch, lane_of, Manners(delay_s=0)))
    assert got[1] == ("http://a.example/2", "http://a.example/2")
    assert times[1] - times[0] >= 0.1


def test_pauses_follow_the_given_clock() -> None:
    class Clock:
        now = 0.0

        def __call__(self) -> float:
            return self.now

        def wait(self, _: threading.Condition, seconds: float | None) -> None:
            self.now += seconds or 0.0

    clock = Clock()
    manners = Manners(1, 10, clock=clock, wait=clock.wait)
    at: list[float] = []
    jobs = [f"http://a.example/{n}" for n in range(5)]
    list(run_politely(jobs, lambda _: at.append(clock.now), lane_of, manners))
    assert at == [0, 10, 20, 30, 40]


def test_leaving_early_starts_no_further_job() -> None:
    server = Server(seconds=0.01)
    results = run_politely([f"http://h{n}.example/" for n in range(500)], server, lane_of, Manners(2, 0))
    next(results)
    results.close()  # type: ignore[attr-defined]
    begun = len(server.asked)
    time.sleep(0.05)
    assert len(server.asked) == begun < 30


def test_stop_ends_the_run_even_while_a_request_hangs() -> None:
    release = threading.Event()
    stopped = threading.Event()

    def fetch(url: str) -> str:
        if "hangs" in url:
            stopped.set()
            release.wait(5)
        return url

    try:
        jobs = ["http://hangs.example/"]
        threading.Timer(0.4, release.set).start()
        assert list(run_politely(jobs, fetch, lane_of, stop=stopped.is_set)) == [(jobs[0], jobs[0])], (
            "not asked for twice"
        )
    finally:
        release.set()


def test_a_slow_caller_holds_the_workers_up() -> None:
    server = Server()
    results = run_politely([f"http://h{n}.example/" for n in range(500)], server, lane_of, Manners(2, 0))
    next(results)
    time.sleep(0.1)
    assert len(server.asked) <= 2 + 2 * 4 + 2
    assert len(list(results)) == 499


def test_no_jobs_no_results() -> None:
    assert list(run_politely([], str, lane_of)) == []


def test_on_hold_survives_pickling() -> None:
    again = pickle.loads(pickle.dumps(OnHold(5.0, "http://a.example/")))
    assert (again.retry_after, again.url, again.code, again.retryable) == (5.0, "http://a.example/", "on-hold", True)


def test_lanes_take_turns() -> None:
    lanes = HostLanes[int](delay_s=0)
    for n in range(6):
        lanes.add("ab"[n % 2], n)
    order = []
    while len(lanes):
        taken = lanes.take(0)
        assert taken is not None
        order.append(taken[1])
        lanes.finish(taken[0], 0)
    assert order == [0, 1, 2, 3, 4, 5]


def test_a_hold_counts_for_jobs_that_come_later() -> None:
    lanes = HostLanes[int](delay_s=1)
    lanes.add("a", 1)
    lanes.take(0)
    lanes.finish("a", now=0, hold_s=100)
    lanes.add("a", 2)
    assert lanes.take(99) is None
    assert lanes.wait_s(99) == pytest.approx(1)
    assert lanes.take(100) == ("a", 2)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("http://a.example/", "https://a.example:8443/x", True),
        ("http://a.example./", "http://www.a.example/", True),
        ("http://例え.example/", "http://例え.example/b", True),
        ("http://a.example/", "http://b.example/", False),
        ("http://[bad/", "http://[bad/", True),
    ],
)
def test_lane_of(one: str, other: str, same: bool) -> None:
    assert (lane_of(one) == lane_of(other)) is same
