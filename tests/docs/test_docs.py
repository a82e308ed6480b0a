"""Documented or red: what exists has a page, and pages promise nothing for later."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CHANGELOG.md"])
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|TBD)\b|lorem ipsum", re.IGNORECASE)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def names(requirements: list[str]) -> set[str]:
    """Return the package names of requirement lines, without versions."""
    return {re.split(r"[\[<>=!~;@ ]", line, maxsplit=1)[0] for line in requirements}


def documented(heading: str) -> set[str]:
    """Return the packages in the first column of the table under a heading of the dependencies page."""
    text = (ROOT / "docs/design/dependencies.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {heading}", 1)[1].split("\n## ", 1)[0]
    first_cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return {name for cell in first_cells for name in re.findall(r"`([^`]+)`", cell)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_page_is_finished(page: Path) -> None:
    assert not UNFINISHED.search(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_to_files_lead_somewhere(page: Path) -> None:
    links = (urlsplit(link) for link in LINK.findall(page.read_text(encoding="utf-8")))
    missing = [link.path for link in links if not link.scheme and not (page.parent / link.path).exists()]
    assert missing == []


@pytest.mark.parametrize(
    ("heading", "requirements"),
    [
        ("Installed with the package", PYPROJECT["project"]["dependencies"]),
        ("For development", PYPROJECT["dependency-groups"]["dev"]),
        ("For these pages", PYPROJECT["dependency-groups"]["docs"]),
        ("For benchmarks", PYPROJECT["dependency-groups"]["bench"]),
    ],
)
def test_every_dependency_has_a_reason(heading: str, requirements: list[str]) -> None:
    assert documented(heading) == names(requirements)


def test_every_dev_command_has_a_line_in_the_guide() -> None:
    script = (ROOT / "dev").read_text(encoding="utf-8")
    commands = set(re.findall(r"^    ([a-z]+)\)", script, re.MULTILINE))
    guide = (ROOT / "docs/how-to/work-on-the-code.md").read_text(encoding="utf-8")
    assert {"demo", "test", "lint", "types", "docs", "fix", "bench"} <= commands
    assert {name for name in commands if f"`./dev {name}" not in guide} == set()


def test_lock_names_public_addresses_only() -> None:
    lock = (ROOT / "uv.lock").read_text(encoding="utf-8")
    hosts = {urlsplit(address).netloc for address in re.findall(r'"([a-z]+://[^"]+)"', lock)}
    assert hosts <= {"pypi.org", "files.pythonhosted.org"}
    assert not re.search(r"\b(path|directory|url) = \"[./]", lock)
