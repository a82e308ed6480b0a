"""A web that exists in this process only: addresses with answers, and a count of what was asked."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from html import escape
from typing import Any

from seenbefore.errors import FetchFailed
from seenbefore.fetch.base import FetchKind, Hop, Response


def a_page(title: str, *paragraphs: str, head: str = "", language: str = "en") -> str:
    """The HTML of an article."""
    body = "".join(f"<p>{escape(text)}</p>" for text in paragraphs)
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title>{head}</head>"
        f"<body><main><article><h1>{escape(title)}</h1>{body}</article></main></body></html>"
    )


@dataclass
class MadeUpWeb:
    """A fetcher; ``pages`` holds HTML, an error, or a whole response by address, ``moved`` redirects."""

    pages: dict[str, Any] = field(default_factory=dict)
    moved: dict[str, tuple[int, str]] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    validators: list[tuple[str, str]] = field(default_factory=list)

    def fetch(self, url: str, kind: FetchKind, *, etag: str = "", last_modified: str = "") -> Response:
        """Follow redirects and answer."""
        self.asked[url] += 1
        self.validators.append((etag, last_modified))
        at, hops = url, []
        while at in self.moved:
            status, target = self.moved[at]
            hops.append(Hop(at, status, target))
            at = target
        answer = self.pages.get(at)
        if answer is None:
            raise FetchFailed("status", "the server says: not found", at, status=404)
        if isinstance(answer, Exception):
            raise answer
        headers = {"etag": f'"{hash(answer) & 0xFFFF}"'}
        if etag and etag == headers["etag"]:
            return Response(url, at, 304, b"", headers=headers, hops=tuple(hops))
        return Response(url, at, 200, answer.encode(), "text/html", "utf-8", headers, tuple(hops))

    def close(self) -> None:
        """Nothing to close."""
