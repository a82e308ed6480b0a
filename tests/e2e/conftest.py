"""Runs the command line: inside this process, or as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from seenbefore.cli.app import app

Run = Callable[..., Result]
Start = Callable[..., "subprocess.Popen[bytes]"]

ARTICLE = {
    "source": "news",
    "guid": "the-bridge",
    "url": "https://news.example/bridge",
    "title": "Crack in the third pier of the bridge",
}
OTHER = {
    "source": "news",
    "guid": "the-opera",
    "url": "https://news.example/opera",
    "title": "The opera opens its doors on Friday",
}
BAD = "{oops"


def lines_of(text: str) -> list[dict[str, Any]]:
    """Return the JSON values of an output, one per line."""
    return [json.loads(line) for line in text.split("\n") if line]


def outcomes(text: str) -> list[str]:
    """Return outcome/reason of every decision line."""
    return [f"{d['outcome']}/{d['reason']}" for d in lines_of(text)]


def write_items(path: Path, *items: dict[str, Any] | str) -> str:
    """Write an item list and return its path."""
    lines = [item if isinstance(item, str) else json.dumps(item, ensure_ascii=False) for item in items]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Call the command line in an empty folder; its database is news.db there."""
    monkeypatch.chdir(tmp_path)
    for name in ("SEENBEFORE_DB", "NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: str, code: int = 0, **more: Any) -> Result:
        result = CliRunner().invoke(app, list(arguments), catch_exceptions=False, **more)
        assert result.exit_code == code, result.output
        return result

    return call


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start the command line as a process in the same folder."""
    processes: list[subprocess.Popen[bytes]] = []
    environment = {k: v for k, v in os.environ.items() if k not in ("SEENBEFORE_DB", "NO_COLOR")}

    def launch(*arguments: str, code: str | None = None, stderr: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
        what = ["-c", code] if code else ["-m", "seenbefore"]
        process = subprocess.Popen(
            [sys.executable, "-W", "error", *what, *arguments],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
        )
        processes.append(process)
        return process

    yield launch
    for process in processes:
        if process.poll() is None:
            process.kill()
        process.communicate()
