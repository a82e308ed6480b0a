"""Accuracy on labeled pairs of addresses, judged by the addresses alone, against the floors of floors.toml."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path
from typing import Any

import pytest

from seenbefore.evaluate import UrlPairsReport, evaluate_urls
from seenbefore.evaluate.urls import read_url_pairs
from seenbefore.rules import load_rules
from seenbefore.urls import identify, same_page
from seenbefore.urls.explain import explain_pair, explain_url

FLOORS: dict[str, Any] = tomllib.loads((Path(__file__).parent / "floors.toml").read_text(encoding="utf-8"))
PAIRS: dict[str, Any] = FLOORS["url_pairs"]


@pytest.fixture(scope="module")
def report(shared: Path) -> UrlPairsReport:
    return evaluate_urls(shared / PAIRS["file"])


def test_the_labeled_file_is_the_pinned_one(shared: Path) -> None:
    found = hashlib.sha256((shared / PAIRS["file"]).read_bytes()).hexdigest()
    assert found == PAIRS["sha256"], "the labeled file changed: measure again, pin figures and digest together"


@pytest.mark.parametrize("name", ["false_merges", "missed"])
def test_no_figure_is_higher_than_its_floor(report: UrlPairsReport, name: str) -> None:
    rows = [row.to_json() for row in report.wrong]
    wrong = [
        f"{row['category']}: {row['url_a']} {row['url_b']}" for row in rows if row["error"] == name.removesuffix("s")
    ]
    assert report.counts()[name] <= PAIRS[name]["floor"], "\n".join(wrong)


def test_every_labeled_pair_is_scored_once(report: UrlPairsReport, shared: Path) -> None:
    lines = (shared / PAIRS["file"]).read_text(encoding="utf-8").split("\n")[1:]
    labels = [line.split("\t")[2] for line in lines if line]
    counts = report.counts()
    assert (counts["same"], counts["different"]) == (labels.count("same"), labels.count("different"))
    assert counts["pairs"] == len(labels) == counts["right"] + counts["false_merges"] + counts["missed"]
    parts = report.by_category().values()
    assert all(sum(part.counts()[name] for part in parts) == count for name, count in counts.items())


def test_every_answer_is_explained(shared: Path) -> None:
    """The explanation gives the answer that was scored, says why, and leaves no step without words."""
    rules = load_rules()
    for pair in read_url_pairs(shared / PAIRS["file"]):
        a, b = identify(pair.url_a, rules), identify(pair.url_b, rules)
        told = explain_pair(a, b)
        assert told.same == same_page(pair.url_a, pair.url_b, rules)
        assert told.why
        for found in (a, b):
            words = {step.text for step in explain_url(found, rules).steps}
            assert not words & set(found.trace)
