"""Texts of real labeled pages, against the floors of floors.toml."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path
from typing import Any

import pytest

from seenbefore.evaluate.page_texts import TextsReport, evaluate_texts

pytest.importorskip("trafilatura", reason="reading pages needs seenbefore[pages]")

FLOORS: dict[str, Any] = tomllib.loads((Path(__file__).parent / "floors.toml").read_text(encoding="utf-8"))
TEXTS: dict[str, Any] = FLOORS["page_texts"]


@pytest.fixture(scope="module")
def report(shared: Path) -> TextsReport:
    return evaluate_texts(shared / TEXTS["file"], shared / TEXTS["archive"])


def test_the_labeled_file_is_the_pinned_one(shared: Path) -> None:
    found = hashlib.sha256((shared / TEXTS["file"]).read_bytes()).hexdigest()
    assert found == TEXTS["sha256"], "the labeled file changed: measure again, pin figures and digest together"


@pytest.mark.parametrize("name", ["hand_made", "news"])
def test_no_f1_is_lower_than_its_floor(report: TextsReport, name: str) -> None:
    scores = report.by_origin()[TEXTS[name]["origin"]]
    assert sum(score.f1 for score in scores) / len(scores) >= TEXTS[name]["floor"]


@pytest.mark.parametrize("name", ["must_contain", "must_not_contain"])
def test_snippets(report: TextsReport, name: str) -> None:
    found, of = report.snippets[name]
    share = found / of
    assert share >= TEXTS[name]["floor"] if name == "must_contain" else share <= TEXTS[name]["floor"]
