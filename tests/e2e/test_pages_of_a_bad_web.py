"""Pages behind entries, over real connections to a server that behaves badly."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import seenbefore
from seenbefore.engine.pages.run import PageOptions, PageVisitor
from seenbefore.engine.pages.storing import StoredPage
from seenbefore.engine.politely import Manners
from seenbefore.engine.poll import Polling
from seenbefore.fetch.client import FetchPolicy, SafeFetcher
from seenbefore.testing.faultyweb import FaultyWeb

pytest.importorskip("trafilatura", reason="reading pages needs seenbefore[pages]")

FAULTS = ("404", "500", "reset", "hang", "garbage", "circle", "moved", "cut", "bomb", "429")
MANNERS = Manners(delay_s=0)


@pytest.fixture
def web() -> Iterator[FaultyWeb]:
    with FaultyWeb(entries=10, hang_s=3) as made:
        made.links = lambda number, n: f"/{FAULTS[int(number) % 10]}/{number}-{n}" if n == 3 else f"/page/{number}-{n}"
        yield made


@pytest.fixture
def fetcher(web: FaultyWeb) -> Iterator[SafeFetcher]:
    policy = FetchPolicy(
        ports=(web.port,), private_networks=("127.0.0.0/8",), first_byte_s=0.5, idle_s=0.5, total_s=1.5
    )
    made = SafeFetcher(policy, resolver=lambda host, port, seconds: ["127.0.0.1"])
    yield made
    made.close()


def run(db: Any, web: FaultyWeb, fetcher: SafeFetcher, *, pages: int = 1000) -> list[StoredPage]:
    """Poll ten feeds and open their pages, at most so many."""
    opened: list[StoredPage] = []
    visitor = PageVisitor(fetcher, None, PageOptions(manners=MANNERS), stop=lambda: len(opened) >= pages)
    addresses = [web.url(f"h{n % 5}.example", f"/feed/{n}") for n in range(10)]
    steps = db.ingest(addresses, polling=Polling(fetcher, manners=MANNERS, force=True))
    for step in db.pages.follow(steps, visitor):
        if isinstance(step, StoredPage):
            opened.append(step)
    return opened


def test_every_page_has_an_outcome_and_none_is_asked_twice(
    web: FaultyWeb, fetcher: SafeFetcher, tmp_path: Path
) -> None:
    with seenbefore.open(tmp_path / "news.db") as db:
        first = run(db, web, fetcher, pages=30)
        rest = run(db, web, fetcher)
        assert len(first) + len(rest) == 100
        outcomes = Counter(page.capture.outcome for page in (*first, *rest))
        assert outcomes["read"] == 91, outcomes
        assert {"status", "protocol", "timeout", "redirect-loop", "truncated", "too-large"} <= outcomes.keys()
        assert all(page.capture.reason for page in (*first, *rest) if page.capture.outcome != "read")
        assert run(db, web, fetcher) == []
        assert db.check().is_clean
        delivered = [change.decision.reason for change in db.changes("all") if change.decision]
        assert delivered == ["first_seen"] * 100, "pages announce nothing"
    asked = Counter((visit.host, visit.path) for visit in web.visits if visit.path.startswith("/page"))
    assert max(asked.values()) == 1
    assert web.most_at_once() == 1


def test_the_command_line_opens_pages_and_says_what_came_of_it(web: FaultyWeb, tmp_path: Path) -> None:
    allowed = ["--allow-private", "127.0.0.0/8", "--allow-port", str(web.port), "--host-delay", "0"]
    feed = web.url("127.0.0.1", "/feed/0")  # entry 3 leads to 404

    def seen(*arguments: str) -> tuple[int, list[dict[str, Any]], str]:
        command = [sys.executable, "-m", "seenbefore", *arguments, "--db", str(tmp_path / "news.db")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr

    code, lines, errors = seen("ingest", feed, "--fetch", "--keep-pages", "--json", *allowed)
    pages = [line for line in lines if "page" in line]
    assert (code, len(pages)) == (0, 10), errors
    assert Counter(page["page"]["outcome"] for page in pages) == {"read": 9, "status": 1}
    assert all(page["decision"]["outcome"] == "duplicate" for page in pages if page["page"]["outcome"] == "read")
    assert "10 pages opened" in errors
    code, lines, errors = seen("ingest", feed, "--fetch", "--json", *allowed)
    assert [line for line in lines if "page" in line] == []
    code, (page,), _ = seen("page", web.url("127.0.0.1", "/page/0-1"), "--json", *allowed)
    published = page["page"]["facts"]["dates"]["published"]
    assert (code, published["tier"], published["raw"]) == (0, "A", "2026-03-01T08:00:00Z")
    code, (page,), _ = seen("page", web.url("127.0.0.1", "/404/x"), "--json", *allowed)
    assert (code, page["page"]["representation"]) == (1, "error_page")
    assert seen("reextract", "--json")[1] == [{"schema": 1, "pages": 9, "read": 0, "changed": 0}]
    assert seen("stats", "--json")[1][0]["pages"][0]["count"] == 9
    assert seen("check", "--json")[0] == 0


def test_a_saved_page_needs_its_address(tmp_path: Path) -> None:
    file = tmp_path / "saved.html"
    file.write_text("<html lang=de><title>Brücke</title><p>Veröffentlicht am 3.4.2023</p></html>", encoding="utf-8")
    command = [sys.executable, "-m", "seenbefore", "page", str(file), "--db", str(tmp_path / "news.db")]
    asked = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (asked.returncode, "--url" in asked.stderr) == (2, True)
    only_read = subprocess.run([*command, "--dry-run"], capture_output=True, text=True, timeout=60, check=False)
    assert (only_read.returncode, "2023-04-03" in only_read.stdout) == (0, True)
    refused = subprocess.run(
        [*command[:4], "http://127.0.0.1/x", *command[5:]], capture_output=True, text=True, timeout=60, check=False
    )
    assert (refused.returncode, "may not be asked" in refused.stdout) == (1, True)
