"""A web server on loopback that behaves as badly as the real ones: for tests and benchmarks of fetching.

Every host name leads to it; what an address does stands in its path, so a run can be repeated:

=================  ===========================================================================
``/feed/<n>``      an Atom feed with ``entries`` entries, with an ETag (304 when it is sent back)
``/page/<n>``      an article of its own
``/404`` ``/500``  that status; ``/500once`` answers 500 the first time and then the page
``/429``           "too many requests" with ``Retry-After: 1`` the first time, then the page
``/reset``         the connection is reset after the request
``/hang``          no answer at all
``/slow``          one byte after the other
``/garbage``       bytes that are no HTTP
``/circle``        redirects to itself by way of a second address
``/moved``         a permanent redirect to ``/page/<n>``
``/cut``           a body shorter than was promised
``/bomb``          a small body that unpacks to 1 GiB
=================  ===========================================================================
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

_WORDS: Final = (
    "harbour bridge council engineers steel weight winter market tuna dawn traders restaurant coast price opera stage"
    " roof director students whales herring bay microphones ice ships river school library museum garden station"
).split()

_STEPS: Final = ("/robots.txt", "/moved", "/circle")
_HANG_S: Final = 30.0
_GIB: Final = 1 << 30


@dataclass
class Visit:
    """One request: which host and path were asked for, and from when to when (seconds of the server's clock)."""

    host: str
    path: str
    start: float
    end: float = 0.0


@dataclass
class FaultyWeb:
    """The server; a context manager. ``visits`` is what was asked, ``port`` where it listens.

    >>> with FaultyWeb() as web:
    ...     web.url("a.example", "/page/7") == f"http://a.example:{web.port}/page/7"
    True
    """

    entries: int = 7
    hang_s: float = _HANG_S
    visits: list[Visit] = field(default_factory=list)
    port: int = 0
    links: Callable[[str, int], str] | None = None
    """(number of a feed, number of an entry) → the path that the entry leads to; articles if absent."""
    _seen: Counter[tuple[str, str]] = field(default_factory=Counter)
    _loop: asyncio.AbstractEventLoop | None = None
    _thread: threading.Thread | None = None

    def __enter__(self) -> FaultyWeb:
        ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._loop is not None
        assert self._thread is not None
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def url(self, host: str, path: str) -> str:
        """Return the address of a path on a host."""
        return f"http://{host}:{self.port}{path}"

    def most_at_once(self) -> int:
        """Return how many requests to one host ran at the same time, at most."""
        most = 0
        for host in {visit.host for visit in self.visits}:
            events = [(v.start, 1) for v in self.visits if v.host == host]
            events += [(v.end, -1) for v in self.visits if v.host == host]
            running = 0
            for _, step in sorted(events):
                running += step
                most = max(most, running)
        return most

    def shortest_pause(self) -> float:
        """Return the shortest time between the end of a request and the start of the next one to its host.

        What belongs to one request does not count: robots.txt before a page, and the steps of a redirect.
        """
        pauses = [float("inf")]
        for host in {visit.host for visit in self.visits}:
            own = sorted((v for v in self.visits if v.host == host), key=lambda v: v.start)
            pauses += [b.start - a.end for a, b in pairwise(own) if not a.path.startswith(_STEPS)]
        return min(pauses)

    # --- the server -----------------------------------------------------------------------------

    def _run(self, ready: threading.Event) -> None:
        self._loop = asyncio.new_event_loop()
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while await self._answer(reader, writer):
                pass
        with contextlib.suppress(Exception):
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; whether the connection stays open."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        path = head.split(" ", 2)[1]
        headers = {k.strip().lower(): v.strip() for k, _, v in (line.partition(":") for line in head.splitlines()[1:])}
        host = headers.get("host", "").partition(":")[0]
        assert self._loop is not None
        visit = Visit(host, path, self._loop.time())
        self.visits.append(visit)
        self._seen[host, path] += 1
        try:
            return await self._act(reader, writer, host, path, headers)
        finally:
            visit.end = self._loop.time()

    async def _act(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        host: str,
        path: str,
        headers: dict[str, str],
    ) -> bool:
        first, _, rest = path.lstrip("/").partition("/")
        again = self._seen[host, path] > 1
        if first == "feed":
            return await self._feed(writer, host, rest, headers)
        if first == "hang":
            await _is_left(reader, self.hang_s)
            return False
        if first == "reset":
            writer.transport.abort()
            return False
        if first == "garbage":
            writer.write(b"\x00\xff\x13 this is no web server\r\n\r\n")
        elif first == "slow":
            await self._slowly(reader, writer)
        elif first == "circle":
            other = "back" if rest.endswith("on") else "on"
            return await _send(writer, 302, b"", f"Location: /circle/{rest.partition('/')[0]}/{other}")
        elif first == "moved":
            return await _send(writer, 301, b"", f"Location: /page/{rest}")
        elif first == "cut":
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9000\r\n\r\n<p>short")
        elif first == "bomb":
            return await _send(writer, 200, _bomb(), "Content-Type: text/html", "Content-Encoding: gzip")
        elif refusal := _refusal(first, again=again):
            return await _send(writer, refusal, b"", "Retry-After: 1" if refusal == 429 else "Content-Type: text/html")
        else:
            return await _send(writer, 200, article(host, path).encode(), "Content-Type: text/html; charset=utf-8")
        await writer.drain()
        return False

    async def _feed(self, writer: asyncio.StreamWriter, host: str, rest: str, headers: dict[str, str]) -> bool:
        body = self.feed(host, rest)
        etag = f'"{len(body)}-{rest}"'
        if headers.get("if-none-match") == etag:
            return await _send(writer, 304, b"", f"ETag: {etag}")
        return await _send(writer, 200, body.encode(), f"ETag: {etag}", "Content-Type: application/atom+xml")

    async def _slowly(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
        for _ in range(int(self.hang_s * 5)):
            writer.write(b"x")
            await writer.drain()
            if await _is_left(reader, 0.2):
                return

    def feed(self, host: str, number: str) -> str:
        """Return an Atom feed."""
        links = self.links or (lambda number, n: f"/page/{number}-{n}")
        entries = "".join(
            f"<entry><id>{host}/{number}/{n}</id><title>{_title(host, f'{number}-{n}')}</title>"
            f'<link href="{self.url(host, links(number, n))}"/>'
            f"<updated>2026-03-01T0{n % 10}:00:00Z</updated></entry>"
            for n in range(self.entries)
        )
        return f'<feed xmlns="http://www.w3.org/2005/Atom"><title>{host}</title><id>{host}</id>{entries}</feed>'


async def _is_left(reader: asyncio.StreamReader, seconds: float) -> bool:
    """Wait; whether the other side went away meanwhile."""
    try:
        return await asyncio.wait_for(reader.read(1), seconds) == b""
    except TimeoutError:
        return False


def _refusal(first: str, *, again: bool) -> int:
    """The status with which a path is refused, 0 when it is not."""
    if first in ("404", "500", "robots.txt"):
        return 404 if first == "robots.txt" else int(first)
    return {"500once": 500, "429": 429}.get(first, 0) if not again else 0


async def _send(writer: asyncio.StreamWriter, status: int, body: bytes, *headers: str) -> bool:
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(body)}", *headers, "", ""]
    writer.write("\r\n".join(lines).encode() + body)
    await writer.drain()
    return True


def _title(host: str, name: str) -> str:
    seed = sum(map(ord, host + name)) * 7919 + len(name)
    words = " ".join(_WORDS[(seed * (n + 3) + n * n) % len(_WORDS)] for n in range(6))
    return f"{words} {name} {host.partition('.')[0]}"


def article(host: str, path: str) -> str:
    """Return the HTML of an article; two addresses never tell the same story."""
    name = path.rpartition("/")[2]
    seed = sum((n + 1) * ord(c) for n, c in enumerate(host + path))
    sentences = [
        " ".join(_WORDS[(seed * (n + 7) + k * (n + 11) + k * k) % len(_WORDS)] for k in range(14)).capitalize()
        + f" {seed + n}."
        for n in range(12)
    ]
    paragraphs = "".join(f"<p>{' '.join(sentences[n : n + 3])}</p>" for n in range(0, 12, 3))
    title = _title(host, name)
    return (
        f"<!doctype html><html lang=en><head><title>{title}</title>"
        f'<meta property="article:published_time" content="2026-03-01T08:00:00Z"></head>'
        f"<body><main><article><h1>{title}</h1>{paragraphs}</article></main></body></html>"
    )


def _bomb() -> bytes:
    """1 GiB of zeros in about 1 MB; made once."""
    global _packed  # noqa: PLW0603 - a constant that takes seconds to make
    if not _packed:
        block = bytes(1 << 20)
        _packed = gzip.compress(block) * (_GIB // len(block))
    return _packed


_packed = b""
