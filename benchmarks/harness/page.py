"""The page about speed in the documentation: its tables are written by the runs that made the figures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from .report import cell, machine

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "reference" / "performance.md"


def fill_section(name: str, text: str, page: Path = PAGE) -> None:
    """Replace what stands between the marks of a section; raises ValueError where the marks are missing."""
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    found = page.read_text(encoding="utf-8")
    before, mark, rest = found.partition(begin)
    _, second, after = rest.partition(end)
    if not (mark and second):
        raise ValueError(f"{page} has no section {name}: it must hold {begin} and {end}")
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a table; figures stand on the right."""
    lines = [columns, ["---", *["---:"] * (len(columns) - 1)], *([cell(value) for value in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def figure(file: str, alt: str) -> str:
    """Return a plot that lies beside the page; ``alt`` says what can be seen in it."""
    return f"```{{figure}} {file}\n:alt: {alt}\n```"


def machine_line() -> str:
    """Return what kind of machine this is, for people."""
    found = machine()
    cores, memory = str(found["machine"]).removesuffix("GiB").split("-cores-")
    versions = f"Python {found['python']}, seenbefore {found['seenbefore']}"
    return f"{cores} cores, {memory} GiB, {versions}, {found['date']}"


def medians_of(count: object, what: str) -> str:
    """Return of how many measurements the figures are."""
    return f"one {what} each" if count == 1 else f"medians of {count} {what}{'es' if what.endswith('s') else 's'} each"
