"""A server on loopback that plays several hosts, and a plain fetcher that reaches them all there."""

from __future__ import annotations

import http.client
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit, urlunsplit

from seenbefore.errors import FetchFailed
from seenbefore.fetch.base import FetchKind, Hop, Response

Page = tuple[int, dict[str, str], bytes]

HANG, RESET = -1, -2
"""In place of a status: no answer until the end, and a connection that is reset."""


@dataclass
class Site:
    """What is served, by ``host/path``; who asked for what; how many requests one host had at once."""

    pages: dict[str, Page] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)
    overlaps: Counter[str] = field(default_factory=Counter)
    most_at_once: int = 0
    seconds: float = 0.0
    port: int = 0
    release: threading.Event = field(default_factory=threading.Event)
    _inside: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def enter(self, host: str) -> Iterator[None]:
        """Count a request while it goes on."""
        with self._lock:
            self.overlaps[host] += self._inside[host] > 0
            self._inside[host] += 1
            self.most_at_once = max(self.most_at_once, self._inside.total())
        time.sleep(self.seconds)
        try:
            yield
        finally:
            with self._lock:
                self._inside[host] -= 1

    def feed(self, place: str, *titles: str, **headers: str) -> None:
        """Serve a feed with an ETag that names its titles."""
        items = "".join(f"<item><guid>{t}</guid><title>{t}</title></item>" for t in titles)
        body = f"<rss><channel><title>{place}</title>{items}</channel></rss>".encode()
        self.pages[place] = (200, {"ETag": f'"{len(titles)}"', "Content-Type": "application/rss+xml", **headers}, body)


@contextmanager
def serving(site: Site) -> Iterator[Site]:
    """Serve the site until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            host = self.headers["Host"].partition(":")[0]
            place = f"{host}{self.path}"
            with site.enter(host):
                site.asked.append((place, self.headers.get("If-None-Match", "")))
                status, headers, body = site.pages.get(place, (404, {}, b"nothing here"))
            # What follows is not counted: the other side may have all it wants before this thread has ended.
            if status in (HANG, RESET):
                self.misbehave(status)
            else:
                self.answer(status, headers, body)

        def answer(self, status: int, headers: dict[str, str], body: bytes) -> None:
            if status == 200 and headers.get("ETag") == self.headers.get("If-None-Match", ""):
                status, body = 304, b""
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def misbehave(self, how: int) -> None:
            self.close_connection = True
            if how == HANG:
                site.release.wait(30)
                return
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        site.release.set()
        server.shutdown()
        thread.join()
        server.server_close()


class LoopbackFetcher:
    """Fetches every host from one port of this machine."""

    def __init__(self, port: int) -> None:
        self._port = port

    def fetch(self, url: str, kind: FetchKind, *, etag: str = "", last_modified: str = "") -> Response:
        hops: list[Hop] = []
        at = url
        while len(hops) < 5:
            status, headers, body = self._ask(at, etag)
            if status in (301, 302, 307, 308):
                hops.append(Hop(at, status, headers["location"]))
                at = headers["location"]
                continue
            if status >= 400:
                retry = headers.get("retry-after")
                message = f"the server answered {status}"
                raise FetchFailed("status", message, url, status=status, retry_after=float(retry) if retry else None)
            return Response(url, at, status, body, headers.get("content-type", ""), "", headers, tuple(hops))
        raise FetchFailed("redirects", "redirects in a circle", url)

    def _ask(self, url: str, etag: str) -> tuple[int, dict[str, str], bytes]:
        parts = urlsplit(url)
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=10)
        headers = {"Host": parts.netloc} | ({"If-None-Match": etag} if etag else {})
        try:
            connection.request("GET", urlunsplit(("", "", parts.path or "/", parts.query, "")), headers=headers)
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        except OSError as error:
            raise FetchFailed("connect", str(error), url, retryable=True) from error
        finally:
            connection.close()

    def close(self) -> None:
        pass
