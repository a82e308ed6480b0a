"""How inputs become groups, and what a run reports."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

import seenbefore
from seenbefore.engine.ingest import UNIT_SIZE
from seenbefore.engine.job import (
    Answer,
    Committed,
    JobOptions,
    Repaired,
    Skipped,
    Step,
    answer_lines,
    run_job,
)
from seenbefore.engine.stats import last_record_id
from seenbefore.errors import IngestError, StoreBusy
from seenbefore.stores.sqlite import SqliteStore
from seenbefore.wiring import SeenBefore


def item(number: int, **more: object) -> str:
    return json.dumps({"guid": f"g{number}", "title": f"Story {number} of a long list", **more})


def write(path: Path, lines: list[str]) -> str:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


@pytest.fixture
def db() -> Iterator[SeenBefore]:
    with seenbefore.open(":memory:") as opened:
        yield opened


def units(steps: list[Step]) -> list[list[int | None]]:
    """The line numbers of every unit."""
    return [[answer.line for answer in step.answers] for step in steps if isinstance(step, Committed)]


def test_single_items_are_packed_to_units_in_input_order(db: SeenBefore, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [item(n) for n in range(2 * UNIT_SIZE + 1)])
    found = units(list(db.ingest([path])))
    assert [len(unit) for unit in found] == [UNIT_SIZE, UNIT_SIZE, 1]
    assert [line for unit in found for line in unit] == list(range(1, 2 * UNIT_SIZE + 2))


def test_lists_are_read_no_further_than_the_unit_needs(db: SeenBefore, tmp_path: Path) -> None:
    read = 0

    class Counting:
        """A pipe that counts the lines taken from it."""

        def readline(self) -> bytes:
            return next(self)

        def __iter__(self) -> Counting:
            return self

        def __next__(self) -> bytes:
            nonlocal read
            read += 1
            return item(read).encode() + b"\n"

    steps = db.ingest(["-"], source="pipe", stdin=Counting())  # type: ignore[arg-type]
    next(steps)
    assert read == UNIT_SIZE
    steps.close()  # type: ignore[attr-defined]


def test_fetch_in_a_list_is_taken_whole_and_by_first_appearance(db: SeenBefore, tmp_path: Path) -> None:
    lines = [
        item(1, fetch_id="f1"), item(2), item(3, fetch_id="f2"), item(4, fetch_id="f1"), item(5), item(6),
        item(7, fetch_id="f1", source="other"),
    ]  # fmt: skip
    found = units(list(db.ingest([write(tmp_path / "a.jsonl", lines)])))
    assert found == [[1, 4], [2], [3], [5, 6], [7]]


def test_fetch_ends_after_the_window(db: SeenBefore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seenbefore.engine.job.FETCH_WINDOW", 20)
    near = [item(0, fetch_id="f"), *(item(n) for n in range(1, 20)), item(20, fetch_id="f")]
    assert units(list(db.ingest([write(tmp_path / "near.jsonl", near)])))[0] == [1, 21]
    far = [item(0, fetch_id="g"), *(item(n) for n in range(1, 22)), item(22, fetch_id="g")]
    assert units(list(db.ingest([write(tmp_path / "far.jsonl", far)])))[0] == [1]


def test_long_fetch_is_cut_into_units(db: SeenBefore, tmp_path: Path) -> None:
    lines = [item(n, fetch_id="f") for n in range(UNIT_SIZE + 50)]
    found = units(list(db.ingest([write(tmp_path / "a.jsonl", lines)])))
    assert [len(unit) for unit in found] == [UNIT_SIZE, 50]
    assert sorted(line or 0 for unit in found for line in unit) == list(range(1, UNIT_SIZE + 51))


def test_complaints_come_with_place_and_code(db: SeenBefore, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    bad = write(tmp_path / "bad.jsonl", ["[", item(1)])
    feed = tmp_path / "cut.xml"
    feed.write_text("<rss><channel><item><title>A story that was cut</title>", encoding="utf-8")
    places = [str(tmp_path / "gone"), str(tmp_path / "empty"), "ftp://x.example/", bad, str(feed)]
    steps = list(db.ingest(places))
    assert [s.code for s in steps if isinstance(s, Skipped)][:3] == ["unreadable", "empty_folder", "address"]
    assert any(isinstance(s, Skipped) and s.line is not None for s in steps)
    assert any(isinstance(s, Repaired) for s in steps)


def test_failed_unit_stands_alone_and_a_second_run_completes(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [item(n) for n in range(UNIT_SIZE + 10)])
    broken = False

    def fail(sql: str) -> None:
        if broken:
            raise sqlite3.OperationalError("disk I/O error")

    store = SqliteStore(tmp_path / "news.db", statement_hook=fail)
    with seenbefore.open(":memory:") as other:
        engine = type(other.engine)(store, other.engine.rules, other.engine.policy)
        steps = run_job(engine, [path], JobOptions())
        first = next(steps)
        assert isinstance(first, Committed)
        broken = True
        with pytest.raises(IngestError, match=f"g{UNIT_SIZE}"):
            next(steps)
        broken = False
        again = [a.decision.reason for s in run_job(engine, [path], JobOptions()) for a in s.answers]  # type: ignore[union-attr]
    assert again.count("seen_again") == UNIT_SIZE
    assert len(again) == UNIT_SIZE + 10
    store.close()


def test_line_that_cannot_be_stored_is_told_and_the_next_one_is_tried(db: SeenBefore) -> None:
    real = db.engine.see
    calls = 0

    def flaky(*arguments: object, **more: object) -> object:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise IngestError("news: g1", "busy") from StoreBusy("busy")
        return real(*arguments, **more)  # type: ignore[arg-type]

    db.engine.see = flaky  # type: ignore[assignment, method-assign]
    lines = [item(1).encode(), b"  ", item(1).encode()]
    first, second = answer_lines(db.engine, lines, "pipe.jsonl", JobOptions())
    assert isinstance(first, Skipped)
    assert (first.line, first.code) == (1, "not_stored")
    assert isinstance(second, Answer)
    assert (second.line, second.decision.reason, second.decision.item.source) == (3, "first_seen", "pipe")


@pytest.mark.parametrize("count", [0, 1, 2, 3, 7, 8, 9])
def test_last_record_id(db: SeenBefore, count: int) -> None:
    for number in range(count):
        db.see({"source": "news", "guid": f"g{number}", "title": f"Story {number * 7919} of a long list"})
    assert last_record_id(db.store) == len(list(db.records())) == count


def test_decisions_of_the_library(db: SeenBefore) -> None:
    db.see({"source": "https://news.example/feed", "url": "https://news.example/1", "title": "Bridge is closed"})
    db.see({"source": "http://www.news.example/feed/", "url": "https://news.example/2", "title": "Opera opens"})
    assert [d.decision_id for d in db.decisions(source="news.example/feed", limit=1)] == ["d2"]
    assert [d.decision_id for d in db.decisions(source="s1", outcome="new")] == ["d1", "d2"]
    with pytest.raises(seenbefore.InvalidInput):
        db.decisions(outcome="good")
    with pytest.raises(seenbefore.NotFound):
        db.decisions(source="nobody")
