"""`stats`: what came of each source on each day, warnings, and what `show` says of related records."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from .conftest import ARTICLE, OTHER, Run, write_items

START = datetime(2026, 3, 1, 8, tzinfo=UTC)
DAYS = 10


def a_day(day: int, source: str, first: int, count: int) -> list[dict[str, Any]]:
    """The entries of a source's fetch on a day."""
    at = (START + timedelta(days=day)).isoformat()
    numbers = range(first, first + count)
    return [
        {
            "source": source,
            "fetch_id": f"{source} {day}",
            "observed_at": at,
            "url": f"https://{source}/{n}",
            "guid": f"{n}",
        }
        for n in numbers
    ]


@pytest.fixture
def stored(run: Run, tmp_path: Path) -> Run:
    """Ten days of two sources that bring one new entry a day; on the last day one of them is all new."""
    items = []
    for day in range(DAYS):
        moved = 1000 if day == DAYS - 1 else 0
        items += a_day(day, "moving.example", day + moved, 30)
        items += a_day(day, "calm.example", day, 30)
    run("ingest", write_items(tmp_path / "a.jsonl", *items), "--json")
    return run


def as_json(run: Run, *options: str) -> Any:
    return json.loads(run("stats", "--json", *options).stdout.splitlines()[-1])


def test_four_counts_per_source_and_day(stored: Run) -> None:
    stats = as_json(stored, "--days", "2")
    assert stats["days"] == [
        {"source_id": "s1", "day": "2026-03-09", "new": 1, "update": 0, "duplicate": 29, "review": 0},
        {"source_id": "s2", "day": "2026-03-09", "new": 1, "update": 0, "duplicate": 29, "review": 0},
        {"source_id": "s1", "day": "2026-03-10", "new": 30, "update": 0, "duplicate": 0, "review": 0},
        {"source_id": "s2", "day": "2026-03-10", "new": 1, "update": 0, "duplicate": 29, "review": 0},
    ]
    assert [(s["name"], s["new"], s["duplicate"]) for s in stats["sources"]] == [
        ("moving.example", 30 + 8 + 30, 8 * 29),
        ("calm.example", 30 + 9, 9 * 29),
    ]
    assert len(as_json(stored)["days"]) == 2 * 7
    assert len(as_json(stored, "--days", "99")["days"]) == 2 * DAYS


def test_a_jump_is_warned_about(stored: Run) -> None:
    (warning,) = as_json(stored)["warnings"]
    assert warning == {
        "code": "everything_new", "source_id": "s1", "source": "moving.example", "day": "2026-03-10",
        "message": "30 of 30 items were new (100%), usually 3%",
    }  # fmt: skip
    shown = stored("stats").stdout
    assert "everything new: moving.example on 2026-03-10: 30 of 30 items were new" in shown
    assert "the site moved, or its guids changed" in shown


def test_a_first_import_is_not_warned_about(run: Run, tmp_path: Path) -> None:
    run("ingest", write_items(tmp_path / "a.jsonl", *a_day(0, "new.example", 0, 50)), "--json")
    assert as_json(run)["warnings"] == []


def test_limits_of_the_warnings_are_policy(stored: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('version = "mine"\n[stats]\nmin_items = 40\n', encoding="utf-8")
    assert as_json(stored, "--policy", "mine.toml")["warnings"] == []


def test_one_source(stored: Run) -> None:
    for name in ("calm.example", "https://www.calm.example/", "s2"):
        stats = as_json(stored, "--source", name)
        assert [source["name"] for source in stats["sources"]] == ["calm.example"]
        assert {day["source_id"] for day in stats["days"]} == {"s2"}
        assert {line["source"] for line in stats["decisions"]} == {"calm.example"}
        assert stats["warnings"] == []
    shown = stored("stats", "--source", "calm.example").stdout
    assert "moving.example" not in shown
    assert "sightings" not in shown, "those of the whole store would look like those of the source"


def test_a_second_run_changes_no_count(stored: Run, tmp_path: Path) -> None:
    before = as_json(stored)
    stored("ingest", str(tmp_path / "a.jsonl"), "--json")
    assert as_json(stored) == before


def test_many_rows_are_cut_and_it_says_so(stored: Run) -> None:
    assert "more rows" not in stored("stats", "--days", "99").stdout


def test_many_sources_are_cut_and_it_says_so(run: Run, tmp_path: Path) -> None:
    items = [entry for n in range(110) for entry in a_day(0, f"{n}.example", 0, 1)]
    run("ingest", write_items(tmp_path / "a.jsonl", *items), "--json")
    shown = run("stats").stdout
    assert "10 more rows are not shown; --source NAME or --json shows all." in shown
    assert len(as_json(run)["days"]) == 110


def test_wrong_options(stored: Run) -> None:
    assert "nothing is stored under" in stored("stats", "--source", "nobody", code=1).stderr
    stored("stats", "--days", "0", code=2)
    stored("stats", "--days", "week", code=2)


def test_dry_runs_and_questions_count_nothing(stored: Run, tmp_path: Path) -> None:
    before = as_json(stored)
    more = write_items(tmp_path / "b.jsonl", *a_day(DAYS, "calm.example", 0, 5))
    stored("ingest", more, "--dry-run")
    assert as_json(stored) == before


# --- related ------------------------------------------------------------------------------------


def test_related_records_are_listed(run: Run, tmp_path: Path) -> None:
    third = {**OTHER, "guid": "the-ferry", "url": "https://news.example/ferry", "title": "A ferry instead of a bridge"}
    run("ingest", write_items(tmp_path / "a.jsonl", ARTICLE, OTHER, third))
    run("label", "r3", "r1", "related")
    run("label", "r1", "r2", "different")
    for one, other in (("r1", "r3"), ("r3", "r1")):
        (related,) = json.loads(run("show", one, "--json").stdout)["related"]
        assert (related["record_id"], related["kind"]) == (other, "person")
        assert f"related          to {other}, says a person on" in run("show", one).stdout
    assert json.loads(run("show", "r2", "--json").stdout)["related"] == []
    run("label", "r1", "r3", "same")
    assert json.loads(run("show", "r1", "--json").stdout)["related"] == []
