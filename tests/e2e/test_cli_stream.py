"""`ingest --stream`: a child process that answers questions."""

from __future__ import annotations

import json
import subprocess
import threading
from pathlib import Path
from typing import Any

from .conftest import ARTICLE, BAD, OTHER, Run, Start, lines_of, outcomes, write_items


def ask(process: subprocess.Popen[bytes], line: str) -> dict[str, Any]:
    """Write one line and return the answer, which must come without any further input."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line.encode("utf-8") + b"\n")
    process.stdin.flush()
    killer = threading.Timer(60, process.kill)
    killer.start()
    answer = process.stdout.readline()
    killer.cancel()
    assert answer, "no answer before the next line"
    value: dict[str, Any] = json.loads(answer)
    return value


def test_dialogue_with_a_process(start: Start) -> None:
    process = start("ingest", "-", "--source", "crawl", "--stream")
    assert ask(process, json.dumps(ARTICLE))["outcome"] == "new"
    assert ask(process, BAD)["error"]["code"] == "invalid_json"
    assert ask(process, "\n[" + json.dumps(OTHER) + "]")["line"] == 4
    assert ask(process, json.dumps({"summary": "names nothing"}))["error"]["code"] == "invalid_item"
    assert ask(process, json.dumps(ARTICLE))["reason"] == "seen_again"
    other = ask(process, json.dumps({"title": "城南老茶馆修缮后重新开门", "url": "https://a.example/茶"}))
    assert other["item"]["title"] == "城南老茶馆修缮后重新开门"
    assert other["item"]["source"] == "crawl"
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    assert b"3 could not be read" in errors


def test_first_line_may_be_a_bad_one(run: Run) -> None:
    text = f"garbage\n{json.dumps(ARTICLE)}\n\xff\n"
    answers = lines_of(run("ingest", "-", "--source", "x", "--stream", input=text.encode("latin-1"), code=1).stdout)
    assert [answer.get("line") for answer in answers] == [1, None, 3]


def test_answers_keep_the_input_order_and_exit_is_0_without_failures(run: Run) -> None:
    text = "\n".join(json.dumps(item) for item in (ARTICLE, OTHER, ARTICLE)) + "\n"
    result = run("ingest", "-", "--source", "x", "--stream", input=text)
    assert outcomes(result.stdout) == ["new/first_seen", "new/first_seen", "duplicate/seen_again"]


def test_files_are_streamed_too_and_each_line_is_stored(run: Run, tmp_path: Path) -> None:
    items = write_items(tmp_path / "list.jsonl", {"title": "Crack in the third pier", "guid": "7"}, OTHER)
    result = run("ingest", items, "gone.jsonl", "--stream", code=1)
    answers = lines_of(result.stdout)
    assert [answer["item"]["source"] for answer in answers] == ["list", "news"]
    assert "gone.jsonl" in result.stderr
    assert len(lines_of(run("list", "--json").stdout)) == 2


def test_dry_stream_sees_what_earlier_lines_would_have_written(run: Run, tmp_path: Path) -> None:
    text = f"{json.dumps(ARTICLE)}\n{json.dumps(ARTICLE)}\n"
    result = run("ingest", "-", "--source", "x", "--stream", "--dry-run", input=text)
    assert [a["reason"] for a in lines_of(result.stdout)] == ["first_seen", "seen_again"]
    assert not (tmp_path / "news.db").exists()


def test_stream_emits_before_it_answers(start: Start, tmp_path: Path) -> None:
    process = start("ingest", "-", "--source", "x", "--stream", "--emit", "new.jsonl")
    ask(process, json.dumps(ARTICLE))
    [line] = lines_of((tmp_path / "new.jsonl").read_text(encoding="utf-8"))
    assert line["item"]["original_url"] == ARTICLE["url"]
    ask(process, json.dumps(ARTICLE))
    ask(process, json.dumps(OTHER))
    process.communicate(timeout=60)
    assert len(lines_of((tmp_path / "new.jsonl").read_text(encoding="utf-8"))) == 2


def test_observed_at_holds_for_lines_without_a_time(run: Run) -> None:
    text = json.dumps(ARTICLE) + "\n"
    run("ingest", "-", "--source", "x", "--stream", "--observed-at", "2020-05-17T10:00:00Z", input=text)
    shown = json.loads(run("show", "r1", "--json").stdout)
    assert shown["first_seen_at"] == "2020-05-17T10:00:00Z"
