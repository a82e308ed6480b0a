"""Where the labelled data is: beside the checkout, because it belongs to others."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from seenbefore.evaluate import ReplayReport, evaluate_replay
from seenbefore.evaluate.archive import unpack_archive

REPLAY = "data/replay/replay-shared.tar.zst"
GOLD = "data/replay/gold_shared.jsonl"


@pytest.fixture(scope="session")
def shared(repository: Path) -> Path:
    """The folder of labelled data. Without it these tests are skipped; on a server that is a failure."""
    folder = repository.parent / "shared"
    if folder.is_dir():
        return folder
    reason = "the labelled data is not there; it belongs into a folder 'shared' beside the checkout"
    if os.environ.get("CI", "").lower() in ("1", "true"):
        pytest.fail(f"{reason}. CI is set, so accuracy must be measured, not skipped")
    pytest.skip(reason)


@pytest.fixture(scope="session")
def histories(shared: Path) -> Iterator[Path]:
    """The real feed histories: a folder with a folder per feed, which is gone after the tests."""
    archive = shared / REPLAY
    if not archive.is_file():
        pytest.skip(f"shared/{REPLAY} is not there; it holds the real feed histories")
    with tempfile.TemporaryDirectory(prefix="histories-") as folder:
        unpack_archive(archive, Path(folder))
        yield Path(folder) / "replay"


class Replayed(NamedTuple):
    """A replay of all histories: what it reported, as a program gets it, too, and its database."""

    report: ReplayReport
    figures: dict[str, Any]
    database: Path


@pytest.fixture(scope="session")
def replayed(shared: Path, histories: Path, tmp_path_factory: pytest.TempPathFactory) -> Replayed:
    """All snapshots taken in once, in about a minute, and scored against the labeled pairs."""
    database = tmp_path_factory.mktemp("replay") / "replay.db"
    report = evaluate_replay(histories, gold=shared / GOLD, keep=database)
    return Replayed(report, report.to_json(), database)
