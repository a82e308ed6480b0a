"""`check`: exit codes, tables, JSON, and what a terminal is shown of a damaged store."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from io import StringIO
from pathlib import Path

import pytest

from seenbefore.cli.options import Settings
from seenbefore.cli.output import Screen
from seenbefore.cli.progress import progress_bar
from seenbefore.codes import CHECK_ADVICE

from .conftest import ARTICLE, OTHER, Run, Start, write_items

EVIL = "Bridge \x1b[31mred\u202e of https://ann:pw@news.example/?api_key=k3y9x"


@pytest.fixture
def stored(run: Run, tmp_path: Path) -> Run:
    """A database with two articles, one of which changed."""
    run("ingest", write_items(tmp_path / "a.jsonl", ARTICLE, OTHER, {**ARTICLE, "title": "The pier is repaired"}))
    return run


def damage(folder: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(folder / "news.db")) as connection:
        assert connection.execute(sql, values).rowcount
        connection.commit()


def test_a_sound_database(stored: Run) -> None:
    assert stored("check").stdout == "2 records and 3 journal entries hold together\n"
    report = json.loads(stored("check", "--json").stdout)
    assert report == {
        "clean": True, "records": 2, "entries": 3, "under_other_policy": 0, "counts": {}, "problems": [],
    }  # fmt: skip


def test_a_broken_database_is_exit_code_4(stored: Run, tmp_path: Path) -> None:
    damage(tmp_path, "UPDATE records SET title = 'Another one'")
    shown = stored("check", code=4)
    assert shown.stderr == ""
    assert "record_fields" in shown.stdout
    assert "r2" in shown.stdout
    assert "'Another one'" in shown.stdout
    assert CHECK_ADVICE["record_fields"].split(";")[0] in " ".join(shown.stdout.split())
    assert "found broken: 2" in shown.stdout
    report = json.loads(stored("check", "--json", code=4).stdout)
    assert report["clean"] is False
    assert report["counts"] == {"record_fields": 2}
    assert [problem["where"] for problem in report["problems"]] == ["r1", "r2"]


def test_the_number_of_places_shown(stored: Run, tmp_path: Path) -> None:
    damage(tmp_path, "UPDATE records SET title = 'x'")
    assert "--limit 0 shows all" in stored("check", "--limit", "1", code=4).stdout
    assert "--limit 0" not in stored("check", "--limit", "0", code=4).stdout
    report = json.loads(stored("check", "--json", "--limit", "1", code=4).stdout)
    assert (len(report["problems"]), report["counts"]) == (1, {"record_fields": 2})
    stored("check", "--limit", "-1", code=2)


def test_records_made_under_another_policy_are_mentioned(run: Run, tmp_path: Path) -> None:
    long = "The council voted nine to four to replace the old bridge over the harbor before the ice comes. " * 3
    other = "Divers found a crack in its third pier while they were looking for a lost anchor, said an engineer. " * 3
    dated = [
        {**ARTICLE, "content": long + other, "observed_at": "2026-03-01T00:00:00Z", "fetch_id": "1"},
        {**ARTICLE, "content": other, "observed_at": "2026-03-02T00:00:00Z", "fetch_id": "2"},
    ]
    for name, ratio in (("strict", 1.0), ("loose", 0.0)):
        (tmp_path / f"{name}.toml").write_text(
            f'version = "{name}"\n[text]\nshrink_ratio = {ratio}\nmin_chars = 50\n', encoding="utf-8"
        )
    run("ingest", write_items(tmp_path / "a.jsonl", *dated), "--policy", "strict.toml")
    assert "another policy" not in run("check", "--policy", "strict.toml").stdout
    shown = run("check", "--policy", "loose.toml").stdout
    assert "Made under another policy, so that right and wrong cannot be told: 1" in shown


def test_what_is_stored_is_shown_without_steering_characters_and_secrets(stored: Run, tmp_path: Path) -> None:
    damage(tmp_path, "UPDATE records SET title = ? WHERE id = 1", EVIL)
    damage(tmp_path, "UPDATE sources SET newest_observed_at = '2000-01-01T00:00:00.000000Z'")
    shown = stored("check", code=4).stdout
    assert not {"\x1b", "\u202e"} & set(shown)
    assert "pw@" not in shown
    assert "k3y9x" not in shown
    assert "k3y9x" in "".join(stored("check", "--unmasked", code=4).stdout.split())
    raw = stored("check", "--json", code=4).stdout
    assert not {"\x1b", "\u202e"} & set(raw)


def test_a_missing_database_is_not_made(run: Run, tmp_path: Path) -> None:
    assert "no such database" in run("check", code=3).stderr
    assert list(tmp_path.iterdir()) == []


def test_beside_a_process_that_writes(stored: Run, start: Start) -> None:
    """The writer holds its lock; the check does not wait for it."""
    writer = start(
        code="import sys\n"
        "from seenbefore.stores.sqlite import SqliteStore\n"
        "with SqliteStore('news.db').unit() as unit:\n"
        "    unit.sources.add_source('half', 'half')\n"
        "    print('writing', flush=True)\n"
        "    sys.stdin.read()\n"
    )
    assert writer.stdout is not None
    assert writer.stdout.readline() == b"writing\n"
    assert "hold together" in stored("check").stdout
    writer.communicate(timeout=60)
    assert writer.returncode == 0
    assert "hold together" in stored("check").stdout


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_is_shown_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with progress_bar(Screen(Settings())) as progress:
        assert progress is not None
        progress(1500, 3000)
    assert "1,500 of 3,000" in terminal.getvalue()
    monkeypatch.setattr("sys.stderr", StringIO())
    with progress_bar(Screen(Settings())) as progress:
        assert progress is None
