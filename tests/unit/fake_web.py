"""A web that answers from a dictionary, for tests of polling."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from zlib import crc32

from seenbefore.errors import FetchFailed
from seenbefore.fetch.base import FetchKind, Hop, Response

Answer = Response | FetchFailed | bytes | Callable[[str], "Response | bytes"]


def feed(*titles: str) -> bytes:
    items = "".join(
        f"<item><guid>{t}</guid><link>https://news.example/{n}-{crc32(t.encode())}</link><title>{t}</title></item>"
        for n, t in enumerate(titles)
    )
    return f"<rss><channel><title>News</title>{items}</channel></rss>".encode()


def answer(url: str, body: bytes = b"", status: int = 200, hops: tuple[Hop, ...] = (), **headers: str) -> Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(url, hops[-1].location if hops else url, status, body, "text/xml", "", named, hops)


def failed(status: int, retry_after: float | None = None) -> FetchFailed:
    return FetchFailed("status", f"the server answered {status}", "", status=status, retry_after=retry_after)


@dataclass
class FakeWeb:
    """Serves ``pages``; with an ETag given there, ``If-None-Match`` is honored."""

    pages: dict[str, Answer] = field(default_factory=dict)
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    kinds: list[FetchKind] = field(default_factory=list)

    def fetch(self, url: str, kind: FetchKind, *, etag: str = "", last_modified: str = "") -> Response:
        self.asked.append((url, etag, last_modified))
        self.kinds.append(kind)
        found = self.pages.get(url, failed(404))
        if callable(found):
            found = found(url)
        if isinstance(found, FetchFailed):
            raise found
        if isinstance(found, bytes):
            return answer(url, found)
        if etag and found.etag == etag:
            return answer(url, status=304)
        return found

    def urls(self) -> list[str]:
        """What was asked since the last call."""
        urls = [url for url, _, _ in self.asked]
        self.asked.clear()
        return urls

    def close(self) -> None:
        pass
