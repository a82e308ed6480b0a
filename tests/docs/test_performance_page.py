"""The page about performance shows what was measured: tables of a kept result, and its plots."""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "reference" / "performance.md"
BENCHMARKS = ROOT / "benchmarks"


@pytest.fixture(autouse=True)
def scripts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the benchmark scripts importable; they are part of no wheel."""
    if not BENCHMARKS.is_dir():
        pytest.skip("this checkout has no benchmarks")
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield
    for name in ("ingest", "scale", "urls"):
        sys.modules.pop(name, None)


def newest(name: str) -> dict[str, Any]:
    """The figures of a benchmark in the newest result that has them."""
    for path in sorted((BENCHMARKS / "results").glob("*.json"), reverse=True):
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        if name in found:
            return dict(found[name])
    pytest.fail(f"no kept result has {name}; run ./dev bench {name} --save")


@pytest.mark.parametrize("name", ["ingest", "scale", "urls"])
def test_tables_are_those_of_the_newest_result(name: str) -> None:
    script, page = importlib.import_module(name), importlib.import_module("harness.page")
    figures = newest(name)
    lines = script.rows(figures["sizes"] if name == "scale" else figures)
    assert page.markdown_table(script.COLUMNS, lines) in PAGE.read_text(encoding="utf-8")


def test_plots_are_there_and_say_what_they_show() -> None:
    figures = re.findall(r"```\{figure\} (\S+)\n:alt: (.+)\n```", PAGE.read_text(encoding="utf-8"))
    assert {file for file, _ in figures} == {"performance-ingest.svg", "performance-scale.svg"}
    for file, alt in figures:
        assert "<svg" in PAGE.with_name(file).read_text(encoding="utf-8")
        assert len(alt) > 80


def test_every_benchmark_has_a_line_in_the_readme() -> None:
    listed = re.findall(r"^\| `(\w+)` \|", (BENCHMARKS / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(path.stem for path in BENCHMARKS.glob("*.py"))
