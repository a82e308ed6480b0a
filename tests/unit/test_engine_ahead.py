"""A second process that reads ahead changes the time and nothing else, and may be lost at any moment."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import seenbefore
from seenbefore.engine import ahead
from seenbefore.engine.ahead import ReadAhead
from seenbefore.engine.job import Committed
from seenbefore.testing.streams import picture

AT = datetime(2026, 3, 1, tzinfo=UTC)
FEEDS = 8
ENTRIES = 12

pytestmark = pytest.mark.skipif(not ahead._is_possible(), reason="there is one core only")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    feeds = tmp_path / "feeds"
    feeds.mkdir()
    for feed in range(FEEDS):
        items = "".join(
            f"<item><guid>{feed}-{n}</guid><link>https://s{feed}.example/{n}</link>"
            f"<title>Notice {n} of town {feed}: 橋の架け替え</title><description>Text {n} {feed}</description></item>"
            for n in range(ENTRIES)
        )
        (feeds / f"feed{feed}.xml").write_text(f"<rss><channel>{items}</channel></rss>", encoding="utf-8")
    return feeds


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """The second process starts at once and is waited for; the list says which feeds came back from it."""
    took: list[bool] = []
    monkeypatch.setattr(ahead, "START_AFTER", 0)
    monkeypatch.setattr(ahead, "LEAST_ENTRIES", 1)
    take = ReadAhead.take

    def noted(self: ReadAhead) -> Any:
        prepared = take(self)
        took.append(prepared is not None)
        return prepared

    monkeypatch.setattr(ReadAhead, "take", noted)
    monkeypatch.setattr(ReadAhead, "_is_ready", _wait_until_ready)
    return took


def _wait_until_ready(self: ReadAhead) -> bool:
    if not self._ready:
        self._ready = ahead._receive(self._stdout) == b"ready"
    return self._ready


def run(folder: Path, *, two: bool, after_each: Callable[[], None] = lambda: None) -> tuple[Any, list[Any]]:
    answers = []
    with closing(seenbefore.open(":memory:")) as db:
        for step in db.ingest([folder], observed_at=AT, two_processes=two):
            assert isinstance(step, Committed), step
            answers += [(a.where, a.decision.outcome, a.decision.reason, a.decision.item) for a in step.answers]
            after_each()
        return picture(db.store), answers


def test_both_ways_give_the_same(folder: Path, eager: list[bool]) -> None:
    alone = run(folder, two=False)
    assert eager == []
    assert run(folder, two=True) == alone
    assert eager.count(True) >= FEEDS - 2


def test_a_second_process_that_dies_is_done_without(
    folder: Path, eager: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Any] = []
    launch = ReadAhead._launch

    def noted(self: ReadAhead) -> None:
        launch(self)
        started.append(self._process)

    monkeypatch.setattr(ReadAhead, "_launch", noted)
    alone = run(folder, two=False)
    found = run(folder, two=True, after_each=lambda: [p.kill() for p in started[:1] if eager.count(True) == 2])
    assert found == alone
    assert eager.count(True) < FEEDS - 2  # the rest was read here
    assert len(started) == 1
    assert started[0].poll() is not None


def test_a_file_that_changes_in_between_is_taken_as_it_was_read(
    folder: Path, eager: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = run(folder, two=False)
    ask = ReadAhead.ask

    def changed(self: ReadAhead, found: Any, identity: str) -> bool:
        path = Path(found.path)
        path.write_text(path.read_text(encoding="utf-8").replace("Notice", "Other"), encoding="utf-8")
        return ask(self, found, identity)

    monkeypatch.setattr(ReadAhead, "ask", changed)
    assert run(folder, two=True) == alone


def test_small_imports_start_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: ReadAhead) -> None:
        raise AssertionError("started")

    monkeypatch.setattr(ReadAhead, "_launch", fail)
    run(folder, two=True)


def test_feeds_of_known_sources_are_read_here(folder: Path, eager: list[bool]) -> None:
    with closing(seenbefore.open(":memory:")) as db:
        list(db.ingest([folder], observed_at=AT))
        before = len(eager)
        list(db.ingest([folder], observed_at=AT.replace(hour=1)))
    assert len(eager) == before
