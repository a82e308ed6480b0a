"""What the tests of this folder read from pages: commands with their output, files, and markers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

_FENCE = re.compile(
    r"^```(?:console|\{code-block\} \w+\n:caption: (?P<name>\S+)\n)\n?(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE
)


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
    for fence in _FENCE.finditer(page):
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
