"""Two processes on one SQLite file at once end with the same records as one after the other."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import seenbefore
from seenbefore.testing.streams import Picture, picture

pytestmark = pytest.mark.timeout(120)

WORKER = """
import json, sys, time
from pathlib import Path
import seenbefore

database, work, ready, go = sys.argv[1:]
fetches = json.loads(Path(work).read_text(encoding="utf-8"))
with seenbefore.open(database) as db:
    Path(ready).touch()
    while not Path(go).exists():
        time.sleep(0.001)
    for items in fetches:
        answers = db.see_many(items)
        assert len(answers) == len(items)
"""
FEEDS = ("https://news.example/feed", "https://planet.example/feed")
Fetches = list[list[dict[str, Any]]]


def article(source: str, number: int, hour: int, fetch: str = "", **fields: str) -> dict[str, Any]:
    item = {
        "source": source,
        "guid": f"{number}-{source[8:12]}",
        "url": f"https://news.example/{number}",
        "title": f"Report {number} on the harbour and its bridges",
        "summary": f"What report {number} says about bridge {number % 7}.",
        "published": f"2026-03-01T{number % 24:02}:00:00Z",
        "observed_at": f"2026-03-02T{hour:02}:00:00Z",
        **fields,
    }
    return {**item, "fetch_id": f"{fetch}@{source}"} if fetch else item


def fetches_of(source: str) -> Fetches:
    """A long fetch, a second one with retitled, moved and new entries, and single items."""
    long = [article(source, n, 1, "one") for n in range(620)]
    later = [article(source, n, 2, "two") for n in range(300, 640)]
    for n, item in enumerate(later):
        if n % 5 == 0:
            item["title"] += ", corrected"
        if n % 7 == 0:
            item["url"] = item["url"].replace("https://", "http://www.") + "?utm_source=rss"
        if n % 11 == 0:
            item["guid"] += "-moved"
    singles = [article(source, n, 3, title=f"Single note {n} about the tram lines") for n in range(1000, 1040)]
    hub = [
        article(source, n, 4, url="https://news.example/live", title=f"Live {n}: what {n} people say")
        for n in (1, 2, 3)
    ]
    return [long, later, singles, *([item] for item in hub)]


@pytest.fixture(scope="module")
def by_source() -> dict[str, Fetches]:
    return {source: fetches_of(source) for source in FEEDS}


@pytest.fixture(scope="module")
def expected(by_source: dict[str, Fetches]) -> Picture:
    """What is kept when everything comes one after the other."""
    return one_after_the_other([*by_source[FEEDS[0]], *by_source[FEEDS[1]]])


def one_after_the_other(fetches: Fetches) -> Picture:
    with seenbefore.open(":memory:") as db:
        for items in fetches:
            db.see_many(items)
        return picture(db.store)


def at_once(folder: Path, works: Sequence[Fetches]) -> Path:
    """Start one process per list of fetches on one new database and let them go at the same moment."""
    database, go = folder / "news.db", folder / "go"
    processes = []
    for number, fetches in enumerate(works):
        work, ready = folder / f"work-{number}.json", folder / f"ready-{number}"
        work.write_text(json.dumps(fetches), encoding="utf-8")
        command = [sys.executable, "-W", "error", "-c", WORKER, str(database), str(work), str(ready), str(go)]
        processes.append((ready, subprocess.Popen(command, stderr=subprocess.PIPE, text=True)))
    while not all(ready.exists() or process.poll() is not None for ready, process in processes):
        time.sleep(0.005)
    go.touch()
    for _, process in processes:
        errors = process.communicate()[1]
        assert process.returncode == 0, errors
    return database


def kept(database: Path) -> Picture:
    with seenbefore.open(database, create=False) as db:
        return picture(db.store)


def test_the_same_input_twice_at_once(tmp_path: Path, by_source: dict[str, Fetches], expected: Picture) -> None:
    fetches = [*by_source[FEEDS[0]], *by_source[FEEDS[1]]]
    database = at_once(tmp_path, [fetches, fetches])
    assert kept(database) == expected
    with seenbefore.open(database) as db:
        for items in fetches:
            assert {answer.reason for answer in db.see_many(items)} == {"seen_again"}


def test_different_sources_at_once(tmp_path: Path, by_source: dict[str, Fetches], expected: Picture) -> None:
    database = at_once(tmp_path, [by_source[source] for source in FEEDS])
    assert kept(database) == expected


def test_nothing_is_announced_twice(tmp_path: Path, by_source: dict[str, Fetches]) -> None:
    fetches = by_source[FEEDS[0]]
    database = at_once(tmp_path, [fetches, fetches])
    with seenbefore.open(database) as db:
        announced = [change.decision for change in db.changes("reader") if change.decision]
        seen = [(d.outcome, d.record_id, d.item.guid, d.item.original_url, d.item.title) for d in announced]
    assert len(seen) == len(set(seen))


def test_the_command_line_on_the_sample_feeds(tmp_path: Path, sample_feeds: Path) -> None:
    command = [sys.executable, "-m", "seenbefore", "ingest", str(sample_feeds), "--json", "--db"]
    alone, both = tmp_path / "alone.db", tmp_path / "both.db"
    subprocess.run([*command, str(alone)], check=True, capture_output=True)
    processes = [
        subprocess.Popen([*command, str(both)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(2)
    ]
    outputs = [process.communicate() for process in processes]
    for process, (output, errors) in zip(processes, outputs, strict=True):
        assert process.returncode == 0, errors
        assert all(json.loads(line) for line in output.splitlines())
    assert kept(both) == kept(alone)
