"""No row of the table of cases is without a test, and each test expects what its row says."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from .test_fetch_addresses import ABSENT, TABLE

PARAMETRIZED = ("url", "address")
"""Layers whose rows are read from the table by test_fetch_addresses.py."""


def test_every_row_has_a_test() -> None:
    if not TABLE.is_file():
        pytest.skip(ABSENT)
    lines = [line for line in TABLE.read_text("utf-8").splitlines() if not line.startswith("#")]
    table = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    tested = {
        found[1]: found[2]
        for path in Path(__file__).parent.glob("test_fetch_*.py")
        for found in re.finditer(r'@row\("([a-z]+-\d+)", "([^"]+)"\)', path.read_text("utf-8"))
    }
    missing = [r["id"] for r in table if r["layer"] not in PARAMETRIZED and r["id"] not in tested]
    assert missing == []
    expected = {r["id"]: r["expected"] for r in table}
    assert {name: said for name, said in tested.items() if expected[name] != said} == {}
    assert len(table) == 280
