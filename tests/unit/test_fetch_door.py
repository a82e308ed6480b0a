"""There is one door to the network: no module but those of ``fetch`` imports an HTTP client."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

CLIENTS = {
    "httpx2", "httpcore2", "httpx", "httpcore", "requests", "urllib3", "aiohttp", "niquests", "pycurl",
    "urllib.request", "http.client", "socket", "ftplib", "smtplib", "telnetlib",
}  # fmt: skip


def imported(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def clients(source: str) -> set[str]:
    return {client for name in imported(source) for client in CLIENTS if f"{name}.".startswith(f"{client}.")}


def test_only_fetch_imports_a_client(repository: Path) -> None:
    package = repository / "src" / "seenbefore"
    found = {
        path.relative_to(package).as_posix(): used
        for path in sorted(package.rglob("*.py"))
        if (used := clients(path.read_text("utf-8")))
    }
    assert found.keys() == {"fetch/client.py", "fetch/guard.py"}, found


def test_the_search_finds_every_way_to_import() -> None:
    assert clients("from urllib import request") == clients("def f():\n    import urllib.request") == {"urllib.request"}
    assert clients("from urllib.parse import urlsplit") == set()
