"""Commands in pages exist; those of the tutorial and the guides do what their pages say, run in order."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import click
import pytest

from seenbefore.cli.app import app

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", *(ROOT / "examples").glob("*.md")])
RUN = [ROOT / "README.md", *sorted((ROOT / "docs" / "tutorial").glob("*.md"))]
RUN += sorted((ROOT / "docs" / "how-to").glob("*.md"))

FENCE = re.compile(
    r"^```(?:console|\{code-block\} \w+\n:caption: (?P<name>\S+))\n(?P<body>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
LINE_WITH_COMMAND = re.compile(r"^(?:\$ )?(?:.*\| )?(?:\.venv/bin/)?seenbefore (?P<arguments>[a-z-].*)$", re.MULTILINE)
BLOCK = re.compile(r"^```(?:console|sh)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass
class Command:
    """A command as a page shows it, and the output under it."""

    line: str
    output: list[str] = field(default_factory=list)


@dataclass
class File:
    """A file whose content a page shows."""

    name: str
    content: str


def steps(page: str) -> Iterator[Command | File]:
    """Yield the commands of all ``console`` blocks and the files of all blocks with a caption, in order."""
    for fence in FENCE.finditer(page):
        if fence["name"]:
            yield File(fence["name"], fence["body"].lstrip("\n"))
        else:
            yield from commands(fence["body"])


def commands(block: str) -> Iterator[Command]:
    """Yield the commands of one block; a line that ends in a backslash goes on in the next one."""
    current: Command | None = None
    for line in block.splitlines():
        if current is not None and current.line.endswith("\\"):
            current.line = current.line[:-1].rstrip() + " " + line.strip()
        elif line.startswith("$ "):
            if current is not None:
                yield current
            current = Command(line[2:])
        elif current is not None:
            current.output.append(line)
    if current is not None:
        yield current


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder with the examples in it, as a checkout has them."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    return tmp_path


@pytest.mark.parametrize(
    "page",
    [page for page in RUN if list(steps(page.read_text(encoding="utf-8")))],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_page_does_what_it_says(page: Path, folder: Path) -> None:
    found = list(steps(page.read_text(encoding="utf-8")))
    for tool in {shlex.split(step.line)[0] for step in found if isinstance(step, Command)} & {"node"}:
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    for step in found:
        if isinstance(step, File):
            (folder / step.name).write_text(step.content, encoding="utf-8")
        else:
            run(step, folder)


def run(command: Command, folder: Path) -> None:
    """Run a command and compare what it prints; ``...`` stands for anything."""
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "100",
        "LC_ALL": "C.UTF-8",
        "PYTHONWARNINGS": "default",
    }
    for name in ("SEENBEFORE_DB", "FORCE_COLOR"):
        environment.pop(name, None)
    done = subprocess.run(
        ["bash", "-c", command.line],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        check=False,
    )
    printed = done.stdout.decode("utf-8")
    wanted = "\n".join(command.output).strip() + "\n"
    failed = done.returncode != 0 and "error:" not in wanted
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    same = doctest.OutputChecker().check_output(wanted, printed.strip() + "\n", flags)
    assert same, f"$ {command.line}\n--- the page says\n{wanted}--- it prints\n{printed}"
    assert not failed, f"$ {command.line}\nends with {done.returncode}\n{printed}"


# --- every command in a page --------------------------------------------------------------------


def written_commands() -> Iterator[tuple[str, list[str]]]:
    """Yield every call of seenbefore in a block of a page, with the page's name."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block in BLOCK.finditer(text):
            body = block["body"].replace("\\\n", " ")
            for found in LINE_WITH_COMMAND.finditer(body):
                arguments = re.split(r"\s(?:>|\||&&|#)\s|\s{4,}", found["arguments"])[0]
                yield str(page.relative_to(ROOT)), shlex.split(arguments)


@pytest.mark.parametrize(("page", "arguments"), list(written_commands()))
def test_commands_and_options_exist(page: str, arguments: list[str]) -> None:
    context = click.Context(app, info_name="seenbefore")
    command: click.Command = app
    options: set[str] = {"--help", "-h"}
    for argument in arguments:
        if isinstance(command, click.Group) and not argument.startswith("-"):
            found = command.get_command(context, argument)
            assert found is not None, f"{page}: no command {argument}"
            command = found
        options |= {name for p in command.params for name in p.opts}
        if argument.startswith("-") and argument != "-":
            assert argument.partition("=")[0] in options, f"{page}: {command.name} has no {argument}"
