"""A small internet for tests of fetching: names, addresses and raw servers on loopback that say what they are told.

Every address leads to a server on loopback, but to the fetcher it looks as if it had reached the address itself, so
that the policy of a test is the one that is shipped.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpcore2

from seenbefore.errors import FetchFailed, Refused
from seenbefore.fetch.base import FetchKind, Response
from seenbefore.fetch.client import FetchPolicy, SafeFetcher

PUBLIC = "93.184.215.14"
OTHER = "1.1.1.1"
PRIVATE = "127.0.0.1"
PAGE = b"<!doctype html><title>A page</title><p>Herring is back in the bay."

Answer = bytes | Callable[[socket.socket, bytes], None]
"""What is said to a request: bytes, or a function of the connection and the head of the request."""

Test = TypeVar("Test", bound=Callable[..., Any])


def row(name: str, expected: str) -> Callable[[Test], Test]:
    """Says which row of the table of cases a test is about, and what that row expects (see test_fetch_rows.py)."""
    assert name
    assert expected
    return lambda test: test


def reply(body: bytes = PAGE, status: str = "200 OK", *, length: int | None = None, **headers: str) -> bytes:
    """An answer with its length; ``content_type=""`` leaves the header out."""
    given = {"content_type": "text/html; charset=utf-8", **headers}
    given["content_length"] = str(len(body) if length is None else length)
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in given.items() if value]
    return "\r\n".join([f"HTTP/1.1 {status}", *lines, "", ""]).encode("latin-1") + body


def move(location: str | bytes, status: str = "302 Found", body: bytes = b"") -> bytes:
    """A redirect."""
    place = location.encode("latin-1") if isinstance(location, str) else location
    return b"HTTP/1.1 %b\r\nLocation: %b\r\nContent-Length: %d\r\n\r\n%b" % (status.encode(), place, len(body), body)


def drip(data: Iterable[bytes], pause: float = 0.02) -> Callable[[socket.socket, bytes], None]:
    """Sends one piece after the other until the other end is gone."""

    def send(connection: socket.socket, _head: bytes) -> None:
        for piece in data:
            connection.sendall(piece)
            time.sleep(pause)

    return send


def silence(connection: socket.socket, _head: bytes) -> None:
    """Says nothing until the other end goes."""
    connection.settimeout(10)
    connection.recv(1)


@dataclass
class World:
    """``names`` → addresses, ``pages`` (host + target) → answers; ``connected`` is where a connection was made."""

    names: dict[str, list[str]] = field(default_factory=dict)
    pages: dict[str, Answer] = field(default_factory=dict)
    connected: list[str] = field(default_factory=list)
    asked: list[bytes] = field(default_factory=list)
    lookups: list[str] = field(default_factory=list)
    accepted: int = 0
    peer: str = ""
    tls: ssl.SSLContext | None = None
    shakes_hands: bool = True
    _listener: socket.socket = field(default_factory=lambda: socket.create_server((PRIVATE, 0), backlog=64))

    def __enter__(self) -> World:
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    @property
    def port(self) -> int:
        return int(self._listener.getsockname()[1])

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.accepted += 1
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            if self.tls and self.shakes_hands:
                with self.tls.wrap_socket(connection, server_side=True) as secured:
                    self._answer(secured)
            else:
                self._answer(connection)

    def _answer(self, connection: socket.socket) -> None:
        connection.settimeout(10)
        head = b""
        while b"\r\n\r\n" not in head:
            more = connection.recv(65536)
            if not more:
                return
            head += more
            if not self.shakes_hands:
                silence(connection, head)
        self.asked.append(head)
        answer = self._find(head)
        if callable(answer):
            answer(connection, head)
        else:
            connection.sendall(answer)

    def _find(self, head: bytes) -> Answer:
        target = head.split(b" ", 2)[1].decode("latin-1")
        host = head.lower().split(b"\r\nhost: ", 1)[1].split(b"\r\n", 1)[0].decode("latin-1")
        return self.pages.get(host + target) or self.pages.get("*") or reply(b"", "404 Not Found")

    def resolve(self, host: str, _port: int, _seconds: float) -> Sequence[str]:
        self.lookups.append(host)
        if host not in self.names:
            raise FetchFailed("dns", "the host has no address")
        return self.names[host]

    def connect(self, address: str, port: int, seconds: float) -> httpcore2.NetworkStream:
        self.connected.append(address)
        stream = httpcore2.SyncBackend().connect_tcp(PRIVATE, self.port, timeout=seconds)
        return Disguised(stream, (self.peer or address, port))

    def fetcher(self, policy: FetchPolicy | None = None, **more: Any) -> SafeFetcher:
        return SafeFetcher(policy or quick(), **{"resolver": self.resolve, "connector": self.connect, **more})

    def fetch(self, url: str, kind: FetchKind = FetchKind.PAGE, policy: FetchPolicy | None = None) -> Response:
        with contextlib.closing(self.fetcher(policy)) as fetcher:
            return fetcher.fetch(url, kind)

    def fails(self, url: str, kind: FetchKind = FetchKind.PAGE, policy: FetchPolicy | None = None) -> FetchFailed:
        """The error of a fetch that must not succeed."""
        try:
            answer = self.fetch(url, kind, policy)
        except FetchFailed as error:
            return error
        raise AssertionError(f"answered: {answer}")

    def verdict(self, url: str, kind: FetchKind = FetchKind.PAGE, policy: FetchPolicy | None = None) -> str:
        """``allow``, or ``refuse:<code>``, or ``error:<code>``."""
        try:
            self.fetch(url, kind, policy)
        except Refused as error:
            return f"refuse:{error.code}"
        except FetchFailed as error:
            return f"error:{error.code}"
        return "allow"


def quick(**changes: Any) -> FetchPolicy:
    """The policy that is shipped, with less patience."""
    return FetchPolicy(**{"total_s": 1.5, "first_byte_s": 0.3, "idle_s": 0.3, "connect_s": 0.5, **changes})


class Disguised(httpcore2.NetworkStream):
    """A stream to loopback that says it ended elsewhere."""

    def __init__(self, inner: httpcore2.NetworkStream, peer: tuple[str, int]) -> None:
        self._inner = inner
        self._peer = peer

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._inner.read(max_bytes, timeout)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, timeout)

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        return Disguised(self._inner.start_tls(ssl_context, server_hostname, timeout), self._peer)

    def get_extra_info(self, info: str) -> Any:
        return self._peer if info == "server_addr" else self._inner.get_extra_info(info)


def make_certificate(folder: Path, *names: str) -> Path:
    """A certificate of its own for some names, with its key in the same file."""
    key, path = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=test", "-addext", "subjectAltName=" + ",".join(f"DNS:{name}" for name in names),
         "-keyout", str(key), "-out", str(path)],
        check=True, capture_output=True,
    )  # fmt: skip
    path.write_bytes(path.read_bytes() + key.read_bytes())
    return path


def speak_tls(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


def a_world() -> Iterator[World]:
    """For a fixture: two public names, one private one."""
    with World() as world:
        world.names = {"a.example": [PUBLIC], "b.example": [OTHER], "inside.example": [PRIVATE]}
        world.pages = {"*": reply()}
        yield world
