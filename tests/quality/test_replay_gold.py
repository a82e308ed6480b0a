"""Accuracy on real feed histories: all snapshots, 453 labeled pairs, against the floors of floors.toml."""

from __future__ import annotations

import hashlib
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from .conftest import Replayed

FLOORS: dict[str, Any] = tomllib.loads((Path(__file__).parent / "floors.toml").read_text(encoding="utf-8"))["replay"]
MORE_IS_BETTER = ("found", "found_or_reviewed", "reviewed")
LESS_IS_BETTER = ("wrong_merges", "silent_merges", "reviews")

pytestmark = pytest.mark.timeout(300)


def figure(replayed: Replayed, name: str) -> int:
    found = {**replayed.figures, **replayed.figures["review_rows"]}[name]
    assert isinstance(found, int)
    return found


def test_the_labeled_file_is_the_pinned_one(shared: Path) -> None:
    found = hashlib.sha256((shared / FLOORS["file"]).read_bytes()).hexdigest()
    assert found == FLOORS["sha256"], "the labeled file changed: measure again, pin figures and digest together"


@pytest.mark.parametrize("name", MORE_IS_BETTER)
def test_no_figure_is_lower_than_its_floor(replayed: Replayed, name: str) -> None:
    assert figure(replayed, name) >= FLOORS[name]["floor"], replayed.figures["rows"]["missed"]


@pytest.mark.parametrize("name", LESS_IS_BETTER)
def test_no_figure_is_higher_than_its_floor(replayed: Replayed, name: str) -> None:
    assert figure(replayed, name) <= FLOORS[name]["floor"], replayed.figures["rows"]


def test_every_labeled_pair_is_scored_once(replayed: Replayed, shared: Path) -> None:
    figures = replayed.figures
    rows = [json.loads(line) for line in (shared / FLOORS["file"]).read_text(encoding="utf-8").splitlines()]
    expected = [row["expect"] for row in rows]
    assert figures["not_found_rows"] == 0
    assert (figures["pairs"], figures["different"]) == (len(rows), expected.count("new"))
    assert figures["same"] == expected.count("update") + expected.count("duplicate")
    assert sum(figures["review_rows"].values()) == expected.count("review")
    assert figures["same"] - figures["found_or_reviewed"] == len(figures["rows"]["missed"])
    assert sum(kind["pairs"] for kind in figures["by_kind"].values()) == len(rows)


def test_every_entry_of_every_snapshot_is_counted(replayed: Replayed, histories: Path) -> None:
    listed = json.loads((histories / "feeds.json").read_text(encoding="utf-8"))
    for name, feed in listed.items():
        found = replayed.figures["by_feed"][name]
        told = found["new"] + found["reviews"] + sum(found["updates"].values()) + sum(found["duplicates"].values())
        assert found["versions"] == len(feed["versions"])
        assert found["entries"] == told == sum(version["entries"] for version in feed["versions"])
    assert replayed.figures["by_feed"].keys() == listed.keys()
    assert replayed.figures["not_read"] == []
    assert replayed.figures["reviews"] == sum(f["reviews"] for f in replayed.figures["by_feed"].values())


def test_a_person_is_asked_about_few_records(replayed: Replayed) -> None:
    assert replayed.figures["review_share"] <= 0.015


def test_keys_that_flap_are_no_news(replayed: Replayed) -> None:
    """The planet switches guids and links between http and https 227 times in these snapshots."""
    planet = replayed.figures["by_feed"]["planet-sympy"]
    assert set(planet["updates"]) <= {"text_changed", "title_changed", "title_and_text_changed"}
    changed_texts = 119 + 19  # texts and titles that really changed, counted over all versions that were read
    assert sum(planet["updates"].values()) <= changed_texts
