"""`seenbefore ingest` in all its modes but --stream and --emit."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import jsonschema
import pytest

import seenbefore
from seenbefore.decisionjson import decision_schema

from .conftest import ARTICLE, BAD, OTHER, Run, Start, lines_of, outcomes, write_items


def test_sample_feeds_twice_bring_nothing_new(run: Run, sample_feeds: Path) -> None:
    first = lines_of(run("ingest", str(sample_feeds), "--json").stdout)
    counts = Counter(decision["outcome"] for decision in first)
    assert counts["new"] > 20
    assert counts["update"] >= 3
    assert counts["review"] >= 1
    again = run("ingest", str(sample_feeds), "--json").stdout
    assert set(outcomes(again)) == {"duplicate/seen_again"}
    assert len(lines_of(again)) == len(first)


def test_every_decision_follows_the_schema(run: Run, sample_feeds: Path) -> None:
    validator = jsonschema.Draft202012Validator(decision_schema())
    for _ in range(2):
        for decision in lines_of(run("ingest", str(sample_feeds), "--json").stdout):
            validator.validate(decision)
    for decision in lines_of(run("list", "--json").stdout):
        validator.validate(decision)


def test_table_counts_repeats_and_prints_the_rest(run: Run, tmp_path: Path) -> None:
    items = write_items(tmp_path / "items.jsonl", ARTICLE, OTHER, ARTICLE)
    shown = run("ingest", items).stdout
    assert shown.count("first_seen") == 2
    assert "seen_again" not in shown
    assert "seen again" in shown
    assert "Next: seenbefore explain r1" in shown
    assert "\x1b" not in shown


def test_bad_line_is_told_with_its_number_and_the_rest_is_taken_in(run: Run, tmp_path: Path) -> None:
    items = write_items(tmp_path / "items.jsonl", ARTICLE, "", BAD, OTHER)
    result = run("ingest", items, "--json", code=1)
    assert outcomes(result.stdout) == ["new/first_seen"] * 2
    assert "items.jsonl:3: no JSON object" in result.stderr
    assert "1 could not be read" in result.stderr


def test_missing_file_is_told_and_the_rest_is_taken_in(run: Run, tmp_path: Path) -> None:
    items = write_items(tmp_path / "items.jsonl", ARTICLE)
    result = run("ingest", "gone.xml", items, code=1)
    assert "gone.xml: No such file" in result.stderr
    assert "hint: give a feed file" in result.stderr
    assert "first_seen" in result.stdout


def test_empty_folder_is_no_silent_success(run: Run, tmp_path: Path) -> None:
    (tmp_path / "feeds").mkdir()
    assert "holds no file" in run("ingest", "feeds", code=1).stderr


def test_damaged_feed_is_read_with_a_warning(run: Run, tmp_path: Path) -> None:
    feed = "<rss><channel><item><guid>1</guid><title>A bridge is closed</title></item><item></item>"
    (tmp_path / "feed.xml").write_text(feed, encoding="utf-8")
    result = run("ingest", "feed.xml", "--json")
    assert outcomes(result.stdout) == ["new/first_seen"]
    assert "warning: feed.xml:" in result.stderr


def test_standard_input_needs_a_source(run: Run) -> None:
    assert "--source NAME" in run("ingest", "-", code=2, input="{}").stderr
    line = json.dumps({"title": "Crack in the third pier", "url": "https://a.example/1"})
    [decision] = lines_of(run("ingest", "-", "--source", "pipe", "--json", input=line).stdout)
    assert decision["item"]["source"] == "pipe"


def test_feed_on_standard_input(run: Run, sample_feeds: Path) -> None:
    feed = next((sample_feeds / "techcrunch").glob("*.xml")).read_bytes()
    decisions = lines_of(run("ingest", "-", "--source", "tc", "--json", input=feed).stdout)
    assert {d["item"]["source"] for d in decisions} == {"tc"}


def test_observed_at_makes_an_older_reading_late(run: Run, tmp_path: Path) -> None:
    new = write_items(tmp_path / "new.jsonl", ARTICLE)
    old = write_items(tmp_path / "old.jsonl", {**ARTICLE, "title": "Crack in the second pier of the bridge"})
    run("ingest", new, "--observed-at", "2026-01-02")
    [decision] = lines_of(run("ingest", old, "--observed-at", "2026-01-01T00:00:00Z", "--json").stdout)
    assert "late" in (decision["reason"], *decision["flags"])
    assert "is no time" in run("ingest", old, "--observed-at", "Monday", code=2).stderr


def test_history_announces_nothing(run: Run, tmp_path: Path) -> None:
    run("ingest", write_items(tmp_path / "known.jsonl", ARTICLE), "--history")
    assert run("changes", "--consumer", "me", "--json").stdout == ""
    again = run("ingest", write_items(tmp_path / "new.jsonl", ARTICLE, OTHER), "--json").stdout
    assert outcomes(again) == ["duplicate/seen_again", "new/first_seen"]


def test_items_of_one_fetch_meet_wherever_they_stand(run: Run, tmp_path: Path) -> None:
    items = [
        {"source": "news", "fetch_id": "f1", "guid": "g", "title": "The first of many stories"},
        {"source": "other", "url": "https://other.example/1", "title": "Something else entirely"},
        {"source": "news", "fetch_id": "f1", "guid": "g", "title": "A harvest festival by the river"},
    ]
    decisions = lines_of(run("ingest", write_items(tmp_path / "i.jsonl", *items), "--json").stdout)
    assert {d["record_id"] for d in decisions} == {"r1", "r2", "r3"}


def test_two_processes_at_once_end_as_one_after_the_other(start: Start, run: Run, sample_feeds: Path) -> None:
    processes = [start("ingest", str(sample_feeds), "--json", "--db", "both.db") for _ in range(2)]
    results = [process.communicate() for process in processes]
    assert [process.returncode for process in processes] == [0, 0], results
    run("ingest", str(sample_feeds), "--db", "one.db")
    counted = [json.loads(run("stats", "--json", "--db", db).stdout) for db in ("both.db", "one.db")]
    assert counted[0]["records"] == counted[1]["records"]
    assert counted[0]["sightings"] == counted[1]["sightings"]


# --- dry runs -----------------------------------------------------------------------------------


def test_dry_run_makes_no_file(run: Run, tmp_path: Path) -> None:
    items = write_items(tmp_path / "items.jsonl", ARTICLE, ARTICLE)
    decisions = lines_of(run("ingest", items, "--dry-run", "--json", "--db", "not.db").stdout)
    assert [d["reason"] for d in decisions] == ["first_seen", "seen_again"]
    assert all(d["record_id"] is None and d["decision_id"] is None and d["seq"] is None for d in decisions)
    assert decisions[1]["matched"]["record_id"] is None
    assert not (tmp_path / "not.db").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["items.jsonl"]


def test_dry_run_writes_nothing_and_knows_what_is_stored(run: Run, tmp_path: Path) -> None:
    run("ingest", write_items(tmp_path / "a.jsonl", ARTICLE))
    before = (tmp_path / "news.db").read_bytes()
    changed = {**ARTICLE, "title": "Third pier of the bridge is repaired"}
    more = write_items(tmp_path / "b.jsonl", changed, OTHER)
    dry = lines_of(run("ingest", more, "--dry-run", "--json").stdout)
    assert (tmp_path / "news.db").read_bytes() == before
    assert [d["decision_id"] for d in dry] == [None, None]
    assert (dry[0]["outcome"], dry[0]["record_id"], dry[0]["matched"]["record_id"]) == ("update", "r1", "r1")
    assert (dry[1]["outcome"], dry[1]["record_id"]) == ("new", None)
    real = lines_of(run("ingest", more, "--json").stdout)
    assert [(d["outcome"], d["reason"]) for d in real] == [(d["outcome"], d["reason"]) for d in dry]


def test_dry_run_does_not_wait_for_a_writer(run: Run, tmp_path: Path) -> None:
    items = write_items(tmp_path / "a.jsonl", ARTICLE)
    run("ingest", items)
    with seenbefore.open(tmp_path / "news.db") as db, db.store.unit():
        assert "seen again" in run("ingest", items, "--dry-run").stdout


def test_dry_run_and_emit_exclude_each_other(run: Run, tmp_path: Path) -> None:
    run("ingest", "a.jsonl", "--dry-run", "--emit", "new.jsonl", code=2)


# --- policy, rules, exit codes ------------------------------------------------------------------


def test_policy_and_rules_of_ones_own(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('version = "mine-1"\n[delivery]\nhold_review = true\n', encoding="utf-8")
    (tmp_path / "pack.toml").write_text('pack = "mine"\nversion = 3\n', encoding="utf-8")
    items = write_items(tmp_path / "items.jsonl", ARTICLE)
    options = ["--policy", "mine.toml", "--rules", "pack.toml"]
    [decision] = lines_of(run("ingest", items, "--json", *options).stdout)
    assert decision["policy_version"] == "mine-1"
    assert "mine@3" in decision["rules_version"]


@pytest.mark.parametrize("option", ["--policy", "--rules"])
def test_missing_or_broken_policy_and_rules_are_usage_errors(run: Run, tmp_path: Path, option: str) -> None:
    (tmp_path / "broken.toml").write_text("= = =", encoding="utf-8")
    items = write_items(tmp_path / "items.jsonl", ARTICLE)
    for name in ("gone.toml", "broken.toml"):
        assert name in run("ingest", items, option, name, code=2).stderr


def test_database_that_is_none_is_exit_code_3(run: Run, tmp_path: Path) -> None:
    (tmp_path / "news.db").write_text("no database, but long enough to be looked at as one" * 20, encoding="utf-8")
    items = write_items(tmp_path / "items.jsonl", ARTICLE)
    assert "no database" in run("ingest", items, code=3).stderr
    assert "does not exist" in run("ingest", items, "--db", "no/such/folder.db", code=3).stderr


def test_unknown_options_and_missing_sources_are_exit_code_2(run: Run) -> None:
    run("ingest", code=2)
    run("ingest", "--nonsense", "a.xml", code=2)
    run("nonsense", code=2)


def test_database_from_the_environment(run: Run, tmp_path: Path) -> None:
    items = write_items(tmp_path / "items.jsonl", ARTICLE)
    run("ingest", items, env={"SEENBEFORE_DB": "other.db"})
    assert (tmp_path / "other.db").exists()
    assert not (tmp_path / "news.db").exists()


def test_verbose_writes_the_log_to_standard_error(run: Run, tmp_path: Path) -> None:
    items = write_items(tmp_path / "items.jsonl", ARTICLE, BAD)
    logged = run("-v", "ingest", items, code=1).stderr
    assert "decision id=d1 outcome=new" in logged
    assert "input_skipped" in logged
    assert "decision id=" not in run("ingest", items, "--db", "b.db", code=1).stderr


def test_closed_pipe_ends_without_a_traceback(start: Start, tmp_path: Path) -> None:
    items = [{"source": "news", "url": f"https://news.example/{n}", "title": f"Story number {n}"} for n in range(3000)]
    process = start("ingest", write_items(tmp_path / "many.jsonl", *items), "--json")
    assert process.stdout is not None
    process.stdout.readline()
    process.stdout.close()
    process.stdout = None
    _, errors = process.communicate(timeout=120)
    assert errors == b"error: standard output ended: its reader went away; what was stored stands\n"
    assert process.returncode == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(
    "arguments",
    [["ingest", "items.jsonl"], ["ingest", "items.jsonl", "--json"], ["ingest", "again.jsonl"], ["list"],
     ["list", "--json"], ["stats"], ["show", "r1"], ["changes", "--consumer", "me"]],
    ids=" ".join,
)  # fmt: skip
def test_full_standard_output_is_one_line_and_exit_code_3(run: Run, tmp_path: Path, arguments: list[str]) -> None:
    write_items(tmp_path / "again.jsonl", ARTICLE)
    run("ingest", "again.jsonl")
    write_items(tmp_path / "items.jsonl", OTHER)
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-W", "error", "-m", "seenbefore", *arguments]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    said = b"error: standard output ended: No space left on device; what was stored stands\n"
    assert (done.stderr, done.returncode) == (said, 3)
    assert len(lines_of(run("list", "--json").stdout)) == (2 if "items.jsonl" in arguments else 1)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("arguments", [["--help"], ["list", "--help"], ["--version"]], ids=" ".join)
def test_help_for_a_full_standard_output_is_no_traceback(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "seenbefore", *arguments]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.stderr.count(b"\n") == 1
    assert b"No space left" in done.stderr
    assert done.returncode == 3


def test_folder_that_cannot_be_listed_is_told_and_the_rest_is_taken_in(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("open", "locked"):
        (tmp_path / "feeds" / name).mkdir(parents=True)
        write_items(tmp_path / "feeds" / name / "items.jsonl", ARTICLE)
    real = os.scandir

    def scandir(folder: str) -> object:
        if os.fspath(folder).endswith("locked"):
            raise PermissionError(13, "Permission denied", os.fspath(folder))
        return real(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    result = run("ingest", "feeds", "--json", code=1)
    assert len(lines_of(result.stdout)) == 1
    assert "feeds/locked: the folder cannot be listed: Permission denied" in result.stderr
    alone = run("ingest", "feeds/locked", code=1).stderr
    assert "cannot be listed" in alone
    assert "holds no file" not in alone


def test_entry_point_is_installed(start: Start) -> None:
    process = start("--version")
    out, _ = process.communicate(timeout=60)
    assert out.decode().strip() == f"seenbefore {seenbefore.__version__}"
    assert process.returncode == 0
    assert isinstance(process, subprocess.Popen)


def test_folder_may_hold_the_database_and_the_output(run: Run, tmp_path: Path) -> None:
    write_items(tmp_path / "items.jsonl", ARTICLE)
    for _ in range(2):
        result = run("ingest", ".", "--emit", "new.jsonl")
        assert result.stderr == ""


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a Unix thing")
def test_progress_bar_is_on_standard_error_of_a_terminal_only(start: Start, tmp_path: Path, sample_feeds: Path) -> None:
    master, terminal = os.openpty()
    process = start("ingest", str(sample_feeds), "--json", stderr=terminal)
    os.close(terminal)
    shown = b""
    with contextlib.suppress(OSError):  # the end of a pseudo-terminal
        while block := os.read(master, 65536):
            shown += block
    os.close(master)
    assert process.stdout is not None
    assert len(lines_of(process.stdout.read().decode("utf-8"))) == 58
    assert b"58 items" in shown
    assert process.wait(timeout=60) == 0
