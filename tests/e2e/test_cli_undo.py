"""`seenbefore undo`, `history` and `consolidate`, as people and programs call them."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run, Start, lines_of, write_items

ONE = {
    "source": "a.example",
    "guid": "1",
    "url": "https://n.example/1",
    "title": "Crack in the third pier of the bridge",
    "observed_at": "2026-03-01T08:00:00Z",
}
TWO = {
    "source": "b.example",
    "guid": "2",
    "url": "https://n.example/2",
    "title": "The opera opens its doors on Friday \x1b[31m",
    "observed_at": "2026-03-01T09:00:00Z",
}
BRIDGE = {
    **ONE,
    "redirects": [["https://n.example/1", "https://n.example/2"]],
    "observed_at": "2026-03-02T08:00:00Z",
}
LATER = {**ONE, "title": "Third pier of the bridge is repaired", "observed_at": "2026-03-03T08:00:00Z"}


@pytest.fixture
def merged(run: Run, tmp_path: Path) -> Run:
    """A database in which m1 merged r2 and r1."""
    run("ingest", write_items(tmp_path / "a.jsonl", ONE, TWO, BRIDGE))
    return run


def shown(run: Run, *arguments: str) -> list[dict[str, Any]]:
    return lines_of(run(*arguments, "--json").stdout)


def events(run: Run, *arguments: str, field: str = "event") -> list[Any]:
    return [entry["event"][field] for entry in shown(run, "history", *arguments)]


# --- undo ---------------------------------------------------------------------------------------


def test_undo_and_what_it_says(merged: Run) -> None:
    told = merged("undo", "m1", "--author", "ann").stdout.splitlines()
    assert told[0] == "m1 (merged) is undone by m2; r1 and r2 are records of their own again."
    assert "every row is as it was" in told[1]
    assert "1 pair of sightings" in told[2]
    assert [r["status"] for r in (shown(merged, "show", f"r{n}")[0] for n in (1, 2))] == ["active", "active"]
    (event,) = [c for c in shown(merged, "changes", "--consumer", "me") if c["type"] == "event" and c["undoes"]]
    assert (event["event"], event["undoes"], event["record_ids"]) == ("undone", "m1", ["r1", "r2"])
    assert "undone m1: r1, r2" in merged("show", "m2").stdout


def test_undo_as_json(merged: Run, tmp_path: Path) -> None:
    merged("ingest", write_items(tmp_path / "b.jsonl", LATER))
    (told,) = shown(merged, "undo", "m1")
    assert (told["event"]["event_id"], told["undone"]["event_id"], told["exact"]) == ("m1", "m2", False)
    assert told["record_ids"] == ["r1", "r2"]
    assert [(k["sightings"], k["versions"]) for k in told["kept"]] == [(1, 0)]
    assert (told["labels"], told["reviews"]) == (1, 0)


def test_what_came_later_is_named(merged: Run, tmp_path: Path) -> None:
    merged("ingest", write_items(tmp_path / "b.jsonl", LATER))
    text = merged("undo", "m1").stdout
    assert "kept in r1: 1 sighting that came later" in text
    assert "as it was" not in text


def test_a_dry_run_of_an_undo(merged: Run, tmp_path: Path) -> None:
    text = merged("undo", "m1", "--dry-run").stdout
    assert text.startswith("Dry run: m1 (merged) can be undone; r1 and r2 would be records of their own again.")
    assert shown(merged, "undo", "m1", "--dry-run")[0]["undone"] is None
    assert events(merged) == ["merged"]


def test_undo_that_is_refused(merged: Run) -> None:
    assert "nothing is stored under 'm9'" in merged("undo", "m9", code=1).stderr
    assert "event ids look like m12" in merged("undo", "r1", code=2).stderr
    merged("undo", "m1")
    refused = merged("undo", "m1", code=2)
    assert "m1: it is undone already (m2)" in refused.stderr
    assert refused.stdout == ""


def test_undo_names_what_blocks_it(merged: Run, tmp_path: Path) -> None:
    three = {**TWO, "source": "c.example", "guid": "3", "url": "https://n.example/3", "title": "Three"}
    last = {**three, "redirects": [["https://n.example/3", "https://n.example/1"]], "observed_at": "2026-03-04"}
    merged("ingest", write_items(tmp_path / "b.jsonl", three, last))
    assert "undo m2 first" in merged("undo", "m1", code=2).stderr
    states = [(e["undo"], e["undo_by"]) for e in shown(merged, "history")]
    assert states == [("blocked", "m2"), ("undoable", None)]
    text = merged("history").stdout
    assert "[undo m2 first]" in text
    assert "[can be undone]" in text


def test_undone_and_joined_again_by_a_verdict(merged: Run) -> None:
    merged("undo", "m1")
    assert "one record now" in merged("label", "r1", "r2", "same").stdout
    assert events(merged) == ["merged", "undone", "merged", "label"]
    merged("undo", "m3")
    assert len({r["record_id"] for r in (shown(merged, "show", f"r{n}")[0] for n in (1, 2))}) == 2


# --- history ------------------------------------------------------------------------------------


def test_history_of_the_store(run: Run, merged: Run) -> None:
    merged("undo", "m1", "--author", "ann")
    lines = merged("history").stdout.splitlines()
    assert ["[undone by m2]" in lines[0], "undone    m1:" in lines[1]] == [True, True]
    assert merged("history", "--limit", "1").stdout.splitlines()[1].startswith("The newest 1 are shown")


def test_history_when_nothing_happened(run: Run, tmp_path: Path) -> None:
    run("ingest", write_items(tmp_path / "a.jsonl", ONE))
    assert run("history").stdout == "nothing was merged, split or judged so far\n"
    assert run("history", "--json").stdout == ""
    assert run("history", "s1", "--limit", "0").stdout


def test_history_of_a_record(merged: Run) -> None:
    merged("undo", "m1", "--author", "ann")
    entries = shown(merged, "history", "r2")
    assert [e["kind"] for e in entries] == ["version", "decision", "event", "event", "verdict"]
    assert [e["at"] for e in entries] == sorted(e["at"] for e in entries)
    assert entries[-1]["verdict"] == {"verdict": "different", "author": "ann", "other_ids": ["r1"], "pairs": 1}
    assert (entries[0]["version"]["source_id"], entries[1]["decision"]["reason"]) == ("s2", "first_seen")
    text = merged("history", "r2").stdout
    assert "verdict   different from r1 by ann, on 1 pair of sightings" in text
    assert "\x1b" not in text


def test_history_of_a_merged_record_is_that_of_its_survivor(merged: Run) -> None:
    gone = ({"r1", "r2"} - {shown(merged, "show", "m1")[0]["survivor_id"]}).pop()
    text = merged("history", gone).stdout
    assert text.startswith(f"{gone} was merged and is now part of r")
    kinds = [e["kind"] for e in shown(merged, "history", gone)]
    assert kinds == ["version", "version", "decision", "decision", "event"]
    told = shown(merged, "show", gone)[0]
    assert (told["asked_id"], told["moved"]) == (gone, True)
    assert [d["record_id"] for d in told["decisions"]] == ["r1", "r2"], "decisions are found by the survivor"


def test_history_of_an_event(merged: Run) -> None:
    merged("undo", "m1")
    assert events(merged, "m1", field="event_id") == ["m1", "m2"]
    assert events(merged, "m2", field="event_id") == ["m2"]


def test_history_of_a_source(run: Run, tmp_path: Path) -> None:
    hub = [{**ONE, "guid": str(n), "title": t, "fetch_id": "f"} for n, t in enumerate(("One bridge", "Two whales"))]
    run("ingest", write_items(tmp_path / "a.jsonl", *hub))
    entries = shown(run, "history", "s1")
    assert {e["kind"] for e in entries} == {"trust", "decision"}
    assert "one fetch listed several titles under this key" in run("history", "s1").stdout


def test_history_of_a_review(run: Run, tmp_path: Path) -> None:
    same = {"published": "2026-03-01T09:00:00Z", "title": "Harbour bridge to be replaced", "source": "a"}
    run("ingest", write_items(tmp_path / "a.jsonl", {**ONE, **same}, {**TWO, **same}))
    assert "review    r2 and r1: waiting" in run("history", "r1").stdout
    run("label", "r1", "r2", "related", "--author", "ann")
    assert "verdict   related to r2 by ann" in run("history", "r1").stdout


@pytest.mark.parametrize("what", ["d1", "bridge", "r"])
def test_history_of_something_else(merged: Run, what: str) -> None:
    assert "give a record (r12), an event (m5) or a source (s3)" in merged("history", what, code=2).stderr


@pytest.mark.parametrize("what", ["r9", "m9", "s9"])
def test_history_of_what_is_not_stored(merged: Run, what: str) -> None:
    assert "nothing is stored under" in merged("history", what, code=1).stderr


# --- consolidate --------------------------------------------------------------------------------

POLICY = """
version = "{name}"
[across_sources]
same_text = "{choice}"
"""
TEXT = (
    "The city council voted nine to four on Tuesday to replace the Harbour Road bridge, a steel span that has "
    "carried traffic since 1931. Engineers told the meeting that corrosion in the eastern bearings had doubled in "
    "two winters and that a weight limit would be needed by spring. Work is due to start in March."
)


@pytest.fixture
def waiting(run: Run, tmp_path: Path) -> Run:
    """Two copies of a text that a policy sent to review."""
    (tmp_path / "careful.toml").write_text(POLICY.format(name="careful", choice="review"), encoding="utf-8")
    items = [{**ONE, "content": TEXT}, {**TWO, "content": TEXT}]
    run("--policy", "careful.toml", "ingest", write_items(tmp_path / "a.jsonl", *items))
    assert lines_of(run("list", "--outcome", "review", "--json").stdout)
    return run


def test_consolidate_explains_itself(merged: Run) -> None:
    refused = merged("consolidate", code=2)
    assert "say --all" in refused.stderr
    assert "done by ingest" in refused.stderr


def test_consolidate_everything(waiting: Run) -> None:
    dry = waiting("consolidate", "--all", "--dry-run").stdout
    assert "2 records compared: 1 merged into others, 0 taken apart, 0 new reviews" in dry
    assert "nothing was written" in dry
    (told,) = shown(waiting, "consolidate", "--all")
    assert told == {"records": 2, "merged": 1, "split": 0, "reviews": 0, "dry_run": False}
    assert waiting("consolidate", "--all").stdout == (
        "1 record compared: 0 merged into others, 0 taken apart, 0 new reviews\n"
    )
    (entry,) = shown(waiting, "history")
    assert (entry["event"]["event"], entry["event"]["cause"], entry["undo"]) == ("merged", "consolidate", "undoable")
    waiting("undo", "m1")
    assert shown(waiting, "consolidate", "--all")[0]["merged"] == 0


def test_consolidate_says_how_to_take_it_back(waiting: Run) -> None:
    assert "seenbefore history" in waiting("consolidate", "--all").stdout


def test_the_bar_is_on_standard_error_of_a_terminal_only(waiting: Run, start: Start, tmp_path: Path) -> None:
    master, terminal = os.openpty()
    process = start("consolidate", "--all", "--json", stderr=terminal)
    os.close(terminal)
    output, _ = process.communicate(timeout=60)
    drawn = b""
    with contextlib.suppress(OSError):
        while part := os.read(master, 4096):
            drawn += part
    os.close(master)
    assert json.loads(output)["merged"] == 1
    assert b"records" in drawn
    assert waiting("consolidate", "--all", "--json").stderr == ""
