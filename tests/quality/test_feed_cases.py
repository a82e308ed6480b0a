"""Accuracy is gated like code: 62 situations from public bug reports against the floors of floors.toml."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path
from typing import Any

import pytest

from seenbefore.evaluate import CasesReport, evaluate_cases

FLOORS: dict[str, Any] = tomllib.loads((Path(__file__).parent / "floors.toml").read_text(encoding="utf-8"))
CASES: dict[str, Any] = FLOORS["feed_cases"]
MORE_IS_BETTER = ("found", "exact")
LESS_IS_BETTER = ("wrong_merges", "silent_merges")
AND_ELSEWHERE = ("reviews", "false_merges", "missed")


@pytest.fixture(scope="module")
def report(shared: Path) -> CasesReport:
    return evaluate_cases(shared / CASES["file"])


def test_the_labelled_file_is_the_pinned_one(shared: Path) -> None:
    found = hashlib.sha256((shared / CASES["file"]).read_bytes()).hexdigest()
    assert found == CASES["sha256"], "the labelled file changed: measure again, pin figures and digest together"


@pytest.mark.parametrize("name", [*MORE_IS_BETTER, *LESS_IS_BETTER])
def test_no_figure_is_worse_than_its_floor(report: CasesReport, name: str) -> None:
    found, floor = report.to_json()[name], CASES[name]["floor"]
    assert isinstance(found, int)
    wrong = [f"{row.id}: expected {row.expect}, got {row.outcome}/{row.reason}" for row in report.rows if not row.exact]
    assert found >= floor if name in MORE_IS_BETTER else found <= floor, "\n".join(wrong)


@pytest.mark.parametrize(
    ("section", "name"), [(s, n) for s, part in FLOORS.items() for n, pin in part.items() if isinstance(pin, dict)]
)
def test_a_lowered_floor_is_explained_in_the_changelog(repository: Path, section: str, name: str) -> None:
    pin = FLOORS[section][name]
    is_lowered = pin["floor"] > pin["best"] if name in (*LESS_IS_BETTER, *AND_ELSEWHERE) else pin["floor"] < pin["best"]
    reason = pin.get("lowered", "")
    assert bool(reason) == is_lowered, "say why in `lowered`; remove it when the floor is back at `best`"
    assert reason in decisions(repository / "CHANGELOG.md")


def decisions(changelog: Path) -> str:
    """Everything that stands under a heading Decisions, with lines joined."""
    parts = changelog.read_text(encoding="utf-8").split("\n### ")
    found = [part.partition("\n## ")[0] for part in parts if part.startswith("Decisions\n")]
    assert found, "CHANGELOG.md has no heading Decisions"
    return " ".join(" ".join(found).split())
