"""Days of publication of real labeled pages, against the floors of floors.toml."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path
from typing import Any

import pytest

from seenbefore.evaluate.dates import DatesReport, evaluate_dates

pytest.importorskip("selectolax", reason="reading pages needs seenbefore[pages]")

FLOORS: dict[str, Any] = tomllib.loads((Path(__file__).parent / "floors.toml").read_text(encoding="utf-8"))
DATES: dict[str, Any] = FLOORS["page_dates"]


@pytest.fixture(scope="module")
def report(shared: Path) -> DatesReport:
    return evaluate_dates(shared / DATES["file"], shared / DATES["archive"])


def test_the_labeled_file_is_the_pinned_one(shared: Path) -> None:
    found = hashlib.sha256((shared / DATES["file"]).read_bytes()).hexdigest()
    assert found == DATES["sha256"], "the labeled file changed: measure again, pin figures and digest together"


@pytest.mark.parametrize("name", ["precision", "recall"])
def test_no_share_is_lower_than_its_floor(report: DatesReport, name: str) -> None:
    wrong = [str(row.to_json()) for row in report.wrong]
    assert report.to_json()[name] >= DATES[name]["floor"], "\n".join(wrong)


def test_no_more_days_are_invented(report: DatesReport) -> None:
    invented = [str(row.to_json()) for row in report.undated if row.day]
    assert len(invented) <= DATES["invented"]["floor"], "\n".join(invented)


def test_the_best_tiers_are_hardly_ever_wrong(report: DatesReport) -> None:
    tiers = report.by_tier()
    right, answers = (tiers["A"][place] + tiers["B"][place] for place in (0, 1))
    assert 1 - right / answers <= DATES["wrong_of_a_and_b"]["floor"]
