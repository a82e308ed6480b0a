"""The reference names everything that exists: settings, commands, options, fields and files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest

import seenbefore
from seenbefore.cli.app import app
from seenbefore.decisionjson import decision_schema
from seenbefore.policy import policy_fields
from seenbefore.rules import load_rules
from seenbefore.sources.itemfields import _OWN_FIELDS

CODE = re.compile(r"`([^`]+)`")


@pytest.fixture(scope="session")
def reference(repository: Path, reference_pages: ModuleType) -> dict[str, str]:
    """The pages of the reference by name, with their tables filled in."""
    folder = repository / "docs" / "reference"
    return {page.stem: reference_pages.fill(page.read_text(encoding="utf-8")) for page in folder.glob("*.md")}


def first_column(page: str, heading: str = "") -> list[str]:
    """Return the codes in the first column of the first table under a heading (or of the page)."""
    part = page.split(f"\n## {heading}\n", 1)[1] if heading else page
    rows: list[str] = []
    for line in part.splitlines():
        if line.startswith("|"):
            rows.append(line.split("|")[1])
        elif rows:
            break
    return [name for cell in rows for name in CODE.findall(cell)]


# --- generated pages ----------------------------------------------------------------------------


def test_every_marker_is_known_and_used(repository: Path, reference_pages: ModuleType) -> None:
    pages = [page.read_text(encoding="utf-8") for page in (repository / "docs").rglob("*.md")]
    used = [name for page in pages for name in reference_pages.MARKER.findall(page)]
    assert sorted(used) == sorted(reference_pages.GENERATED)


def test_every_page_of_the_reference_is_in_its_index(repository: Path) -> None:
    for name in ("reference", "concepts"):
        folder = repository / "docs" / name
        listed = (folder / "index.md").read_text(encoding="utf-8").split("```{toctree}")[1].split()
        assert {page.stem for page in folder.glob("*.md")} - {"index"} <= set(listed)


@pytest.mark.parametrize("setting", policy_fields())
def test_every_setting_has_a_comment(setting: str, reference_pages: ModuleType) -> None:
    assert reference_pages.policy_comments()[setting]


def test_every_rule_is_listed(reference: dict[str, str]) -> None:
    ids = [rule.id for pack in load_rules().packs for rule in pack.rules]
    assert [rule_id for rule_id in ids if f"`{rule_id}`" not in reference["rules"]] == []


# --- command line -------------------------------------------------------------------------------


def every_command(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None
            yield from every_command(found, f"{path} {name}")


COMMANDS = dict(every_command(app, "seenbefore"))


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_and_option_is_documented(path: str, reference: dict[str, str]) -> None:
    command, page = COMMANDS[path], reference["command-line"]
    if isinstance(command, click.Group):
        section = page.split("\n## seenbefore ", 1)[0]
    else:
        assert f"\n## {path}\n" in page
        section = page.split(f"\n## {path}\n", 1)[1].split("\n## ", 1)[0]
        section += page.split("\n## seenbefore ", 1)[0]  # the options of every command
    assert command.help
    for option in command.params:
        if isinstance(option, click.Option):
            assert option.help, f"{path}: {option.opts} has no help"
            assert [name for name in option.opts if f"`{name}`" not in section] == []


def test_readme_and_reference_agree_on_exit_codes(repository: Path, reference_pages: ModuleType) -> None:
    readme = (repository / "README.md").read_text(encoding="utf-8")
    assert reference_pages.exit_codes().replace("`", "") in readme


def test_readme_names_every_command_in_ten_lines(repository: Path) -> None:
    block = (repository / "README.md").read_text(encoding="utf-8").split("## Command line")[1].split("```")[1]
    lines = block.splitlines()[1:]
    assert len(lines) == 10
    assert all(line.startswith("seenbefore ") for line in lines)


# --- forms --------------------------------------------------------------------------------------


def test_every_field_of_an_item_is_documented(reference: dict[str, str]) -> None:
    assert set(first_column(reference["items-jsonl"])) == _OWN_FIELDS


def test_every_field_of_a_decision_is_documented(reference: dict[str, str]) -> None:
    schema: Any = decision_schema()
    page = reference["decision-json"]
    assert first_column(page) == list(schema["properties"])
    named = set(CODE.findall(page.split("## Schema")[0]))
    for name in ("item", "matched"):
        assert schema["properties"][name]["properties"].keys() <= named
    assert schema["properties"]["evidence"]["items"]["properties"].keys() <= named
    assert set(schema["properties"]["changed"]["items"]["enum"]) <= named


def test_every_field_of_a_delivery_is_documented(reference: dict[str, str]) -> None:
    page = reference["changes-json"]
    item = {"source": "s", "title": "Visitors in May", "published": "2026-06-01T07:00:00Z"}
    with seenbefore.open(":memory:") as db:
        first = db.see(item | {"url": "https://stats.example/1"})
        second = db.see(item | {"url": "https://stats.example/2"})
        db.label(first.record_id, second.record_id, "same")
        lines = [json.loads(json.dumps(db.change_to_json(change))) for change in db.changes("reader")]
        own = seenbefore.decision_to_json(first).keys()
    decisions = [line for line in lines if line["type"] == "decision"]
    events = [line for line in lines if line["type"] == "event"]
    assert {line["event"] for line in events} == {"merged", "label"}
    assert set(first_column(page, "A decision")) == decisions[0].keys() - own
    assert set(first_column(page, "An event")) == events[0].keys()
    version = page.split("`old` and `new` are versions:")[1]
    assert set(first_column(version)) == decisions[0]["new"].keys()
    assert {line["cause"] for line in events} <= set(CODE.findall(page)) | {"same", "different", "related"}


def test_reading_order_names_files_that_exist(repository: Path) -> None:
    page = (repository / "docs/design/reading-order.md").read_text(encoding="utf-8")
    paths = {name for name in first_column(page) if name.endswith((".py", "/"))}
    root = repository / "src" / "seenbefore"
    assert paths
    assert [path for path in sorted(paths) if not (root / path).exists()] == []
