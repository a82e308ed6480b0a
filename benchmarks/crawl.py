"""Feeds and pages from a bad web: 300 feeds and 2,000 pages of a local server with faults, twice.

Prints how long it took, every outcome with its count, whether anything was asked twice on the second run, how many
requests ran at once to one host, and the shortest pause between two of them. What it does not show: real networks,
TLS, and pages as large as real ones.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from harness.report import finish, options, show_floors, show_table

import seenbefore
from seenbefore.engine.job import Polled
from seenbefore.engine.pages.run import PageOptions, PageVisitor
from seenbefore.engine.pages.storing import StoredPage
from seenbefore.engine.politely import Manners
from seenbefore.engine.poll import Polling
from seenbefore.fetch.client import FetchPolicy, SafeFetcher
from seenbefore.fetch.robots import RobotsRules
from seenbefore.testing.faultyweb import FaultyWeb

FEED_FAULTS = ("404", "500", "reset", "garbage", "circle", "hang", "429", "page", "cut", "500once")
PAGE_FAULTS = ("404", "500", "reset", "hang", "slow", "garbage", "circle", "moved", "cut", "bomb", "429", "500once")
WAIT_S = 1.0


def main() -> None:
    args = options(__doc__ or "").parse_args()
    report = crawl(*((30, 200, 12) if args.quick else (300, 2000, 60)))
    show(report)
    finish("crawl_quick" if args.quick else "crawl", report, args)
    wrong = [name for name in ("feeds_without_outcome", "pages_without_outcome", "asked_again") if report[name]]
    sys.exit(1 if wrong or report["most_at_once_to_one_host"] > 1 else 0)


def show(report: dict[str, Any]) -> None:
    """Print the outcomes, how long it took, and what must hold."""
    for what in ("feed", "page"):
        outcomes = sorted(report[f"{what}_outcomes"].items(), key=lambda one: (-one[1], one[0]))
        show_table(f"{report[f'{what}s']:,} {what}s", ("outcome", "count"), outcomes)
    names = ("seconds", "second_run_seconds", "second_run_pages", "broken", "peak_mib")
    show_table("both runs", ("", "measured"), [(name, report[name]) for name in names])
    at_once = report["most_at_once_to_one_host"]
    pause, delay = report["shortest_pause_s"], report["host_delay_s"]
    show_floors(
        [
            *(
                (name, report[name], "0", report[name] == 0)
                for name in ("feeds_without_outcome", "pages_without_outcome", "asked_again", "broken")
            ),
            ("most_at_once_to_one_host", at_once, "1", at_once == 1),
            ("shortest pause, x delay", pause / delay, ">= 1", pause >= delay),
        ]
    )


def crawl(feeds: int, pages: int, hosts: int, delay_s: float = 0.02) -> dict[str, Any]:
    """Return what came of a run over this many feeds and pages, and of a second one."""
    with (
        FaultyWeb(entries=-(-pages * 10 // (feeds * 9)), hang_s=4 * WAIT_S) as web,
        tempfile.TemporaryDirectory() as folder,
    ):
        web.links = _page_path
        addresses = [web.url(f"h{n % hosts}.example", _feed_path(n)) for n in range(feeds)]
        policy = FetchPolicy(
            ports=(web.port,), private_networks=("127.0.0.0/8",), first_byte_s=WAIT_S, idle_s=WAIT_S, total_s=2 * WAIT_S
        )
        with seenbefore.open(Path(folder, "news.db")) as db:
            first = _run(db, addresses, policy, delay_s)
            asked = Counter((visit.host, visit.path) for visit in web.visits)
            second = _run(db, addresses, policy, delay_s)
            again = Counter((visit.host, visit.path) for visit in web.visits) - asked
            broken = db.check().problems
        return {
            "feeds": feeds,
            "feed_outcomes": dict(first["feeds"]),
            "feeds_without_outcome": feeds - first["feeds"].total(),
            "pages": first["wanted"],
            "page_outcomes": dict(first["pages"]),
            "pages_without_outcome": first["wanted"] - first["pages"].total(),
            "seconds": round(first["seconds"], 1),
            "second_run_seconds": round(second["seconds"], 1),
            "second_run_pages": second["pages"].total(),
            "asked_again": sum(n for (_, path), n in again.items() if not path.startswith(("/feed/", *_feed_faults()))),
            "most_at_once_to_one_host": web.most_at_once(),
            "shortest_pause_s": round(web.shortest_pause(), 4),
            "host_delay_s": delay_s,
            "broken": len(broken),
            "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }


def _feed_path(n: int) -> str:
    return f"/{FEED_FAULTS[n // 10 % len(FEED_FAULTS)]}/f{n}" if n % 10 == 7 else f"/feed/{n}"


def _feed_faults() -> tuple[str, ...]:
    return tuple(f"/{fault}/f" for fault in FEED_FAULTS)


def _page_path(number: str, n: int) -> str:
    place = int(number) * 7 + n
    return f"/{PAGE_FAULTS[place // 10 % len(PAGE_FAULTS)]}/{number}-{n}" if place % 10 == 3 else f"/page/{number}-{n}"


def _run(db: seenbefore.SeenBefore, addresses: list[str], policy: FetchPolicy, delay_s: float) -> dict[str, Any]:
    fetcher = SafeFetcher(policy, resolver=lambda host, port, seconds: ["127.0.0.1"])
    manners = Manners(delay_s=delay_s)
    started = time.perf_counter()
    found: dict[str, Any] = {"feeds": Counter(), "pages": Counter(), "wanted": 0}
    robots = RobotsRules(fetcher).allows
    steps = db.ingest(addresses, polling=Polling(fetcher, manners=manners, force=True))
    for step in db.pages.follow(steps, PageVisitor(fetcher, robots, PageOptions(manners=manners))):
        if isinstance(step, Polled):
            found["feeds"][step.result.outcome] += 1
            found["wanted"] += step.result.new
        elif isinstance(step, StoredPage):
            capture = step.capture
            kind = capture.representation.value if capture.outcome == "read" and capture.representation else ""
            found["pages"][kind or f"{capture.outcome} {capture.status or ''}".strip()] += 1
    fetcher.close()
    found["seconds"] = time.perf_counter() - started
    return found


if __name__ == "__main__":
    main()
