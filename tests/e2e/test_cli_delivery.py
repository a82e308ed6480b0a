"""`changes` and `ingest --emit`: everything once it matters, nothing lost."""

from __future__ import annotations

import json
import os
import sqlite3
from functools import partial
from pathlib import Path

import pytest

import seenbefore
from seenbefore.stores.sqlite import SqliteStore

from .conftest import ARTICLE, OTHER, Run, Start, lines_of, write_items

CRASH_BEFORE_OUTPUT = """
import os, sys
from seenbefore.engine.emit import EmitFile
calls = 0
real = EmitFile.drain
def drain(self):
    global calls
    calls += 1
    if calls == 2:          # the first call is the one at the start
        os._exit(9)
    return real(self)
EmitFile.drain = drain
from seenbefore.cli import main
main()
"""
CRASH_BEFORE_ACK = """
import os
import sqlite3
from functools import partial
from seenbefore.engine.changes import Changes
Changes.ack = lambda self, consumer, seq: os._exit(9)
from seenbefore.cli import main
main()
"""


def test_changes_come_again_until_they_are_acknowledged(run: Run, tmp_path: Path) -> None:
    run("ingest", write_items(tmp_path / "a.jsonl", ARTICLE, OTHER))
    first = lines_of(run("changes", "--consumer", "me", "--json").stdout)
    assert [(c["type"], c["seq"], c["outcome"]) for c in first] == [
        ("decision", 1, "new"),
        ("decision", 2, "new"),
    ]
    assert lines_of(run("changes", "--consumer", "me", "--json").stdout) == first
    acknowledged = run("changes", "--consumer", "me", "--ack", "1")
    assert acknowledged.stdout == ""
    assert acknowledged.stderr == ""
    assert lines_of(run("changes", "--consumer", "me", "--json").stdout) == first[1:]
    assert lines_of(run("changes", "--consumer", "another", "--json").stdout) == first
    assert "--ack 2" in run("changes", "--consumer", "me").stdout


def test_update_carries_old_and_new_version(run: Run, tmp_path: Path) -> None:
    run("ingest", write_items(tmp_path / "a.jsonl", ARTICLE))
    run("ingest", write_items(tmp_path / "b.jsonl", {**ARTICLE, "title": "Third pier of the bridge repaired"}))
    new, update = lines_of(run("changes", "--consumer", "me", "--json").stdout)
    assert new["old"] is None
    assert new["new"]["title"] == ARTICLE["title"]
    assert update["outcome"] == "update"
    assert update["old"]["title"] == ARTICLE["title"]
    assert update["new"]["title"] == "Third pier of the bridge repaired"
    fields = {"title", "text", "published", "captured_at", "representation", "text_hash"}
    assert set(update["new"]) == set(update["old"]) == fields


def test_from_now_skips_what_is_stored(run: Run, tmp_path: Path) -> None:
    run("ingest", write_items(tmp_path / "a.jsonl", ARTICLE))
    assert run("changes", "--consumer", "late", "--from-now", "--json").stdout == ""
    run("ingest", write_items(tmp_path / "b.jsonl", OTHER))
    [change] = lines_of(run("changes", "--consumer", "late", "--from-now", "--json").stdout)
    assert change["item"]["title"] == OTHER["title"]


def test_wrong_acknowledgments_are_refused(run: Run, tmp_path: Path) -> None:
    run("ingest", write_items(tmp_path / "a.jsonl", ARTICLE))
    assert "ends at 1" in run("changes", "--consumer", "me", "--ack", "7", code=2).stderr
    run("changes", "--consumer", "me", "--ack", "-1", code=2)
    run("changes", "--consumer", "me", "--ack", "1", "--from-now", code=2)
    run("changes", code=2)


def test_label_is_told_as_event_and_merges(run: Run, tmp_path: Path) -> None:
    run("ingest", write_items(tmp_path / "a.jsonl", ARTICLE, OTHER))
    retitled = [{**item, "title": f"Corrected: {item['title']}"} for item in (ARTICLE, OTHER)]
    run("ingest", write_items(tmp_path / "b.jsonl", *retitled))
    assert "one record now" in run("label", "r1", "r2", "same", "--author", "ann").stdout
    changes = lines_of(run("changes", "--consumer", "me", "--json").stdout)
    events = [c for c in changes if c["type"] == "event"]
    assert {"merged", "label"} == {e["event"] for e in events}
    assert all(set(e) >= {"seq", "event_id", "record_ids", "survivor_id", "cause"} for e in events)
    moved = [c for c in changes if c["type"] == "decision" and c["superseded_by"]]
    assert len(moved) == 2
    updates = [c for c in changes if c["type"] == "decision" and c["outcome"] == "update"]
    assert [bool(c["old"] and c["new"]) for c in updates] == [True, True]
    assert [c["seq"] for c in changes] == sorted(c["seq"] for c in changes)
    listed = lines_of(run("list", "--json").stdout)
    survivor = moved[0]["superseded_by"]
    assert {d["record_id"] for d in listed} == {survivor}
    assert [("moved" in d["flags"]) for d in listed].count(True) == 2
    gone = moved[0]["record_id"]
    shown = json.loads(run("show", gone, "--json").stdout)
    assert (shown["record_id"], shown["asked_id"], shown["moved"]) == (survivor, gone, True)
    event = json.loads(run("show", events[0]["event_id"], "--json").stdout)
    assert event["event_id"] == events[0]["event_id"]


# --- --emit -------------------------------------------------------------------------------------


def test_emit_appends_each_thing_once(run: Run, tmp_path: Path) -> None:
    emitted = tmp_path / "new.jsonl"
    items = write_items(tmp_path / "a.jsonl", ARTICLE)
    run("ingest", items, "--emit", "new.jsonl")
    run("ingest", items, "--emit", str(emitted))
    [line] = lines_of(emitted.read_text(encoding="utf-8"))
    assert line == lines_of(run("changes", "--consumer", "me", "--json").stdout)[0]
    with seenbefore.open(tmp_path / "news.db") as db:
        assert list(db.changes(f"emit:{emitted}")) == []


def test_emit_with_history_announces_nothing(run: Run, tmp_path: Path) -> None:
    run("ingest", write_items(tmp_path / "a.jsonl", ARTICLE), "--history", "--emit", "new.jsonl")
    assert (tmp_path / "new.jsonl").read_bytes() == b""


def test_crash_between_commit_and_output_loses_nothing(start: Start, run: Run, tmp_path: Path) -> None:
    items = write_items(tmp_path / "a.jsonl", ARTICLE, OTHER)
    process = start("ingest", items, "--emit", "new.jsonl", code=CRASH_BEFORE_OUTPUT)
    process.communicate(timeout=60)
    assert process.returncode == 9
    assert (tmp_path / "new.jsonl").read_bytes() == b""
    again = run("ingest", items, "--emit", "new.jsonl", "--json")
    assert {d["reason"] for d in lines_of(again.stdout)} == {"seen_again"}
    assert [c["seq"] for c in lines_of((tmp_path / "new.jsonl").read_text(encoding="utf-8"))] == [1, 2]


def test_crash_between_output_and_cursor_writes_nothing_twice(start: Start, run: Run, tmp_path: Path) -> None:
    items = write_items(tmp_path / "a.jsonl", ARTICLE, OTHER)
    process = start("ingest", items, "--emit", "new.jsonl", code=CRASH_BEFORE_ACK)
    process.communicate(timeout=60)
    assert process.returncode == 9
    emitted = tmp_path / "new.jsonl"
    assert len(lines_of(emitted.read_text(encoding="utf-8"))) == 2
    run("ingest", items, "--emit", "new.jsonl")
    assert [c["seq"] for c in lines_of(emitted.read_text(encoding="utf-8"))] == [1, 2]


def test_torn_last_line_is_cut_and_written_again(run: Run, tmp_path: Path) -> None:
    emitted = tmp_path / "new.jsonl"
    items = write_items(tmp_path / "a.jsonl", ARTICLE, OTHER)
    run("ingest", items, "--emit", "new.jsonl")
    whole = emitted.read_bytes()
    with seenbefore.open(tmp_path / "news.db") as db:
        db.ack(f"emit:{emitted}", 0)
    for kept in (len(whole) - 1, len(whole) - 300, 10, 0):
        os.truncate(emitted, kept)
        with seenbefore.open(tmp_path / "news.db") as db:
            db.ack(f"emit:{emitted}", 0)
        run("ingest", items, "--emit", "new.jsonl")
        assert emitted.read_bytes() == whole


def test_torn_line_that_the_cursor_had_passed_is_written_again(run: Run, tmp_path: Path) -> None:
    emitted = tmp_path / "new.jsonl"
    items = write_items(tmp_path / "a.jsonl", ARTICLE, OTHER)
    run("ingest", items, "--emit", "new.jsonl")
    whole = emitted.read_bytes()
    for kept in (len(whole) - 1, len(whole) - 300, whole.index(b"\n") + 5, whole.index(b"\n") - 1, 100):
        os.truncate(emitted, kept)
        run("ingest", items, "--emit", "new.jsonl")
        assert emitted.read_bytes() == whole
    emitted.write_bytes(whole[:-300] + b"\0" * 300)
    run("ingest", items, "--emit", "new.jsonl")
    assert emitted.read_bytes() == whole


def test_torn_only_line_goes_back_to_its_own_seq_and_no_further(run: Run, tmp_path: Path) -> None:
    emitted = tmp_path / "new.jsonl"
    items = write_items(tmp_path / "a.jsonl", ARTICLE)
    run("ingest", items, "--emit", "new.jsonl")
    emitted.write_bytes(b"")  # rotated away
    run("ingest", write_items(tmp_path / "b.jsonl", OTHER), "--emit", "new.jsonl")
    [line] = lines_of(emitted.read_text(encoding="utf-8"))
    assert line["seq"] == 2
    os.truncate(emitted, 200)
    run("ingest", items, "--emit", "new.jsonl")
    assert lines_of(emitted.read_text(encoding="utf-8")) == [line]
    os.truncate(emitted, 10)  # the seq is lost, too
    run("ingest", items, "--emit", "new.jsonl")
    assert emitted.read_bytes() == b""
    emitted.unlink()
    run("ingest", items, "--emit", "new.jsonl")
    assert emitted.read_bytes() == b""


def test_what_is_no_torn_delivery_is_not_cut(run: Run, tmp_path: Path) -> None:
    items = write_items(tmp_path / "a.jsonl", ARTICLE)
    for text in ("my notes", '{"seq": 1}\nmy notes'):
        notes = tmp_path / "notes.txt"
        notes.write_text(text, encoding="utf-8")
        run("ingest", items)
        assert "name another file" in run("ingest", items, "--emit", "notes.txt", code=2).stderr
        assert notes.read_text(encoding="utf-8") == text


def test_emit_refuses_a_file_of_something_else(run: Run, tmp_path: Path) -> None:
    items = write_items(tmp_path / "a.jsonl", ARTICLE)
    notes = tmp_path / "notes.txt"
    notes.write_text("my notes\n", encoding="utf-8")
    assert "name another file" in run("ingest", items, "--emit", "notes.txt", code=2).stderr
    assert notes.read_text(encoding="utf-8") == "my notes\n"
    foreign = tmp_path / "foreign.jsonl"
    foreign.write_text('{"seq": 900}\n', encoding="utf-8")
    assert "ends at seq 900" in run("ingest", items, "--emit", "foreign.jsonl", code=2).stderr
    run("ingest", items, "--emit", str(tmp_path), code=2)


def test_line_ends_of_unicode_do_not_break_lines(run: Run, tmp_path: Path) -> None:
    title = "One\u2028line\x85and one more story"
    run("ingest", write_items(tmp_path / "a.jsonl", {**ARTICLE, "title": title}), "--emit", "new.jsonl")
    text = (tmp_path / "new.jsonl").read_text(encoding="utf-8")
    assert len(text.splitlines()) == 1
    assert json.loads(text)["item"]["title"] == title


def test_held_review_is_released_as_new_by_a_verdict(run: Run, tmp_path: Path, sample_feeds: Path) -> None:
    (tmp_path / "hold.toml").write_text('version = "h1"\n[delivery]\nhold_review = true\n', encoding="utf-8")
    hold = ["--policy", "hold.toml"]
    run("ingest", str(sample_feeds / "coast-statistics"), *hold)
    [review] = lines_of(run("list", "--outcome", "review", "--json").stdout)
    before = lines_of(run("changes", "--consumer", "me", "--json", *hold).stdout)
    assert {c["outcome"] for c in before} == {"new"}
    assert review["record_id"] not in {c["record_id"] for c in before}
    run("changes", "--consumer", "me", "--ack", str(before[-1]["seq"]))
    run("label", review["record_id"], review["matched"]["record_id"], "different", *hold)
    [released] = lines_of(run("changes", "--consumer", "me", "--json", *hold).stdout)
    assert (released["type"], released["outcome"], released["matched"]) == ("decision", "new", None)
    assert (released["record_id"], released["decision_id"]) == (review["record_id"], review["decision_id"])
    assert released["seq"] > review["seq"]
    assert released["new"]["title"] == review["item"]["title"]
    run("changes", "--consumer", "me", "--ack", str(released["seq"]))
    assert run("changes", "--consumer", "me", "--json", *hold).stdout == ""


def test_failed_unit_ends_with_code_3_and_what_was_committed_is_delivered(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = [{"source": "news", "url": f"https://news.example/{n}", "title": f"Story {n}"} for n in range(510)]
    path = write_items(tmp_path / "a.jsonl", *items)
    inserted = 0

    def fail_late(sql: str) -> None:
        nonlocal inserted
        inserted += "INSERT INTO records" in sql
        if inserted > 505:
            raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr("seenbefore.wiring.SqliteStore", partial(SqliteStore, statement_hook=fail_late))
        failed = run("ingest", path, "--json", "--emit", "new.jsonl", code=3)
    assert len(lines_of(failed.stdout)) == 500
    assert "news.example/500" in failed.stderr
    assert "run it again" in failed.stderr
    assert len(lines_of((tmp_path / "new.jsonl").read_text(encoding="utf-8"))) == 500
    again = run("ingest", path, "--json", "--emit", "new.jsonl")
    assert [d["outcome"] for d in lines_of(again.stdout)].count("new") == 10
    assert len(lines_of((tmp_path / "new.jsonl").read_text(encoding="utf-8"))) == 510
