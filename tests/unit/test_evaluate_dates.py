"""``seenbefore evaluate dates``: what it counts, and what it says about data that does not fit."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from seenbefore.cli.app import app
from seenbefore.errors import InvalidInput
from seenbefore.evaluate.dates import evaluate_dates

PAGES: dict[str, tuple[str, dict[str, Any]]] = {
    "right": ("<meta property='article:published_time' content='2024-05-01T08:00:00Z'>", {"published": "2024-05-01"}),
    "other": (
        "<meta property='article:published_time' content='2024-05-03T08:00:00Z'>",
        {"published": "2024-05-02", "accept": ["2024-05-02", "2024-05-03"]},
    ),
    "wrong": ("<meta property='article:published_time' content='2023-01-09'>", {"published": "2024-05-02"}),
    "silent": ("<p>Nothing", {"published": "2024-05-02"}),
    "undated": ("<p>Nothing", {"published": None}),
    "made-up": ("<meta property='article:published_time' content='2023-01-09'>", {"published": None}),
    "text": ("<p>Only a text", {"title": "no label for a date"}),
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "html").mkdir()
    rows = []
    for name, (html, label) in PAGES.items():
        (tmp_path / "html" / f"{name}.html").write_text(html, encoding="utf-8")
        rows.append({"id": name, "url": f"https://n.example/{name}", **label})
    (tmp_path / "gold.json").write_text(json.dumps(rows), encoding="utf-8")
    return tmp_path


def test_counts_what_is_right_wrong_and_invented(data: Path) -> None:
    found = evaluate_dates(data / "gold.json", data).to_json()
    assert (found["precision"], found["recall"], found["invented"]) == (round(2 / 3, 4), 0.5, 1)
    assert found["strict"] == {"precision": round(1 / 3, 4), "recall": 0.25}
    assert (found["pages"], found["dated"], found["undated"], found["answers"], found["right"]) == (6, 4, 2, 3, 2)
    tiers: Any = found["tiers"]
    assert tiers["A"] == {"answers": 3, "right": 2, "precision": round(2 / 3, 4)}
    assert tiers["visible"]["precision"] is None
    intervals: Any = found["intervals"]
    assert set(intervals) == {"precision", "recall", "invented"}


def test_a_day_is_that_of_the_values_own_zone(data: Path) -> None:
    html = "<meta property='article:published_time' content='2024-05-01T23:30:00-05:00'>"
    (data / "html" / "right.html").write_text(html, encoding="utf-8")
    gold = [{"id": "right", "url": "https://n.example/", "published": "2024-05-01"}]
    (data / "gold.json").write_text(json.dumps(gold), encoding="utf-8")
    assert evaluate_dates(data / "gold.json", data).to_json()["precision"] == 1


def test_an_archive_says_the_same_as_its_folder(data: Path) -> None:
    with tarfile.open(data / "pages.tar.gz", "w:gz") as tar:
        tar.add(data / "html", "html")
    packed, plain = (evaluate_dates(data / "gold.json", place).to_json() for place in (data / "pages.tar.gz", data))
    assert {**packed, "pages_per_s": 0} == {**plain, "pages_per_s": 0}


@pytest.mark.parametrize(
    ("gold", "said"),
    [
        ("no json", "cannot be read as JSON"),
        ("{}", "must be a JSON list"),
        ("[]", "must be a JSON list"),
        ("[1]", "entry 1"),
        ('[{"id": "../a", "url": ""}]', "id must be"),
        ('[{"id": "a"}]', "url must be"),
        ('[{"id": "a", "url": ""}, {"id": "a", "url": ""}]', "twice"),
        ('[{"id": "a", "url": ""}]', "no page with a label"),
        ('[{"id": "a", "url": "", "published": "May"}]', "published must be a day"),
        ('[{"id": "a", "url": "", "published": "2024-05-01", "accept": [3]}]', "not 3"),
        ('[{"id": "gone", "url": "", "published": null}]', "gone.html cannot be read"),
    ],
)
def test_bad_labels_are_named(data: Path, gold: str, said: str) -> None:
    (data / "gold.json").write_text(gold, encoding="utf-8")
    with pytest.raises(InvalidInput, match=said):
        evaluate_dates(data / "gold.json", data)


def test_a_place_that_is_not_there_is_named(data: Path) -> None:
    with pytest.raises(InvalidInput, match="no such folder or archive"):
        evaluate_dates(data / "gold.json", data / "nowhere")


def test_the_command_prints_one_mapping_or_tables(data: Path) -> None:
    arguments = ["evaluate", "dates", str(data / "gold.json"), str(data)]
    told = CliRunner().invoke(app, [*arguments, "--json"])
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["invented"] == 1
    shown = CliRunner().invoke(app, arguments)
    assert shown.exit_code == 0, shown.output
    assert "tier A, right" in shown.stdout
    assert "https://n.example/made-up" in shown.stdout
