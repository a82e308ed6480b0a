"""The one door to the network: a safe, bounded, explained fetch.

The way of a request: ``target`` parses the address, ``guard`` resolves, checks and connects, the HTTP library talks,
``content`` and ``decoding`` look at what comes. Redirects are followed by hand, so that each hop goes the same way.
"""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, Final

import httpcore2

from ..errors import FetchFailed, Refused
from .addresses import parse_networks
from .base import FetchKind, Hop, Response
from .content import check_type, read_content
from .decoding import decode_body
from .guard import Call, Connector, GuardedBackend, Resolver, connect, resolve
from .policy import FetchPolicy
from .retry import retry_after
from .target import Target, join_location, parse_target

__all__ = ["FetchPolicy", "SafeFetcher"]

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_RETRYABLE: Final = frozenset(
    {408, 425, 429, 500, 502, 503, 504, 507, 509, 520, 521, 522, 523, 524, 525, 527, 529, 530}
)
"""Statuses after which the same request may succeed; the 52x and 530 are those of content networks."""


class SafeFetcher:
    """Fetches pages, feeds and images from public addresses. Safe to use from several threads; close it at the end.

    >>> fetcher = SafeFetcher()
    >>> fetcher.fetch("http://127.0.0.1/", FetchKind.PAGE)
    Traceback (most recent call last):
    ...
    seenbefore.errors.Refused: http://127.0.0.1/: leads to an address that may not be asked
    >>> fetcher.close()

    Sends no cookies and no credentials, takes nothing from the environment, and keeps no connection: what one
    answer leaves behind never becomes part of the next one. ``resolver`` and ``connector`` are for tests.

    Raises:
        InvalidInput: the policy opens networks that must not be opened.
    """

    def __init__(
        self, policy: FetchPolicy | None = None, *, resolver: Resolver = resolve, connector: Connector = connect
    ) -> None:
        self.policy = policy or FetchPolicy()
        self._allowed = parse_networks(self.policy.private_networks)
        self._local = threading.local()
        self._lock = threading.Lock()
        self._hosts: dict[str, threading.Lock] = {}
        backend = GuardedBackend(self.policy, self._allowed, self._call, resolver, connector)
        self._pool = httpcore2.ConnectionPool(
            ssl_context=self._certificates(),
            proxy=httpcore2.Proxy(self.policy.proxy) if self.policy.proxy else None,
            max_connections=None,
            max_keepalive_connections=0,
            network_backend=backend,
        )
        self._headers = self._fixed_headers()

    def _certificates(self) -> ssl.SSLContext:
        if self.policy.verify:
            return ssl.create_default_context(cafile=self.policy.verify)
        return httpcore2.default_ssl_context()

    def _fixed_headers(self) -> list[tuple[bytes, bytes]]:
        contact = f" (+{self.policy.contact})" if self.policy.contact else ""
        agent = self.policy.user_agent or f"seenbefore/{version('seenbefore')}{contact}"
        packed = ", ".join(self.policy.encodings) or "identity"
        return [
            (b"User-Agent", agent.encode("ascii", "ignore")),
            (b"Accept-Encoding", packed.encode("ascii")),
            (b"Connection", b"close"),
        ]

    def close(self) -> None:
        """Close all connections."""
        self._pool.close()

    def fetch(self, url: str, kind: FetchKind, *, etag: str = "", last_modified: str = "") -> Response:
        """Return a whole answer within the limits of its kind; redirects are followed and kept as evidence.

        Raises:
            Refused: policy forbids it: address, scheme, port, size, content type …
            FetchFailed: the network or the server failed; ``code`` says how.
        """
        started = time.monotonic()
        hops: list[Hop] = []
        self._local.call = Call(started + self.policy.total_s, url)
        try:
            answer = self._follow(url, kind, hops, _validators(etag, last_modified))
        except FetchFailed as error:
            error.url = error.url or url
            error.hops = error.hops or tuple((hop.url, hop.status, hop.location) for hop in hops)
            raise
        except (ValueError, OverflowError) as error:  # what a library says of bytes that nobody foresaw
            raise FetchFailed("protocol", "sends something that cannot be read", url) from error
        finally:
            self._local.call = None
        return replace(answer, seconds=time.monotonic() - started)

    def _call(self) -> Call:
        call: Call = self._local.call
        return call

    def _follow(self, url: str, kind: FetchKind, hops: list[Hop], validators: Mapping[str, str]) -> Response:
        at, seen = url, {url}
        notes: list[str] = []
        while True:
            target = parse_target(at, self.policy.ports, self._allowed)
            self._call().url = at
            answer = self._ask(target, at, kind, validators)
            if isinstance(answer, Response):
                return replace(
                    answer,
                    requested_url=url,
                    hops=tuple(hops),
                    notes=tuple(dict.fromkeys((*notes, *answer.notes))),
                )
            hop = self._hop(at, answer)
            hops.append(hop)
            if at.lower().startswith("https:") and hop.location.lower().startswith("http:"):
                notes.append("downgrade")
            if hop.location in seen:
                raise FetchFailed("redirect-loop", "redirects in a circle", url)
            if len(hops) > self.policy.max_redirects:
                raise FetchFailed("too-many-redirects", f"redirects more than {self.policy.max_redirects} times", url)
            at = hop.location
            seen.add(at)

    def _hop(self, at: str, answer: tuple[int, bytes]) -> Hop:
        status, location = answer
        if not location.strip():
            raise FetchFailed("bad-redirect", "redirects to nowhere", at, status=status)
        return Hop(at, status, join_location(at, location.strip()))

    def _ask(
        self, target: Target, at: str, kind: FetchKind, validators: Mapping[str, str]
    ) -> Response | tuple[int, bytes]:
        """One request: the answer, or the status and place of a redirect, whose body is not read."""
        with self._turn(target.host), _translated(at), self._stream(target, kind, validators) as answer:
            self._call().head = None
            headers = _headers(answer.headers, self.policy.header_count, at)
            if answer.status in _REDIRECTS:
                return answer.status, next((v for k, v in answer.headers if k.lower() == b"location"), b"")
            if answer.status == 304 and validators:
                return Response(at, at, 304, b"", headers=headers)
            if answer.status == 101:
                raise FetchFailed("protocol", "wants to speak another protocol", at, status=101)
            if not 200 <= answer.status < 300 or answer.status in (204, 205, 206):
                raise self._refusal(answer.status, headers, at)
            return self._read(answer, headers, at, kind)

    @contextmanager
    def _turn(self, host: str) -> Iterator[None]:
        """Wait until no other thread asks the same host: a redirect may lead where somebody else is asking."""
        name = host.removeprefix("www.").rstrip(".")
        with self._lock:
            lock = self._hosts.setdefault(name, threading.Lock())
        if not lock.acquire(timeout=self._call().left(None)):
            raise FetchFailed("timeout", "took longer than it may in all", self._call().url, retryable=True)
        try:
            yield
        finally:
            lock.release()

    @contextmanager
    def _stream(self, target: Target, kind: FetchKind, validators: Mapping[str, str]) -> Iterator[httpcore2.Response]:
        self._call().head = bytearray()
        accept = ", ".join(self.policy.types[kind]) if kind is not FetchKind.IMAGE else "image/*"
        headers = [
            (b"Host", target.authority.encode("ascii")),
            *self._headers,
            (b"Accept", accept.encode("ascii")),
            *((name.encode(), value.encode("latin-1", "ignore")) for name, value in validators.items()),
        ]
        url = httpcore2.URL(
            scheme=target.scheme.encode(), host=target.host.encode(), port=target.port, target=target.target.encode()
        )
        with self._pool.stream("GET", url, headers=headers) as answer:
            yield answer

    def _refusal(self, status: int, headers: Mapping[str, str], at: str) -> FetchFailed:
        wait = retry_after(headers.get("retry-after", ""), datetime.now(UTC), self.policy.retry_after_s)
        message = f"the server answered {status}"
        return FetchFailed("status", message, at, status=status, retry_after=wait, retryable=status in _RETRYABLE)

    def _read(self, answer: httpcore2.Response, headers: Mapping[str, str], at: str, kind: FetchKind) -> Response:
        limit = self.policy.sizes[kind]
        declared = headers.get("content-type", "")
        check_type(declared, kind, self.policy.types[kind], at)
        if headers.get("content-length", "").isdigit() and int(headers["content-length"]) > limit:
            raise Refused("too-large", f"sends more than {limit:,} bytes", at)
        chunks = _whole(answer, limit, at)
        body = decode_body(chunks, headers.get("content-encoding", ""), self.policy.encodings, limit, at)
        content = read_content(declared, body, kind, at)
        return Response(at, at, answer.status, body, content.type, content.charset, headers, notes=content.notes)


def _whole(answer: httpcore2.Response, limit: int, at: str) -> Iterator[bytes]:
    """The chunks of a body as they were sent; one that breaks off is no body."""
    size = 0
    try:
        for chunk in answer.iter_stream():
            size += len(chunk)
            if size > limit:
                raise Refused("too-large", f"sends more than {limit:,} bytes", at)
            yield chunk
    except httpcore2.RemoteProtocolError as error:
        raise FetchFailed("truncated", "the answer broke off", at, retryable=True) from error


def _validators(etag: str, last_modified: str) -> dict[str, str]:
    return {
        name: value
        for name, value in (("If-None-Match", etag), ("If-Modified-Since", last_modified))
        if value and value.isprintable()
    }


def _headers(raw: list[tuple[bytes, bytes]], most: int, at: str) -> dict[str, str]:
    """Headers by lower-case name, the values of equal ones joined."""
    if len(raw) > most:
        raise Refused("headers-too-large", f"sends more than {most} headers", at)
    found: dict[str, str] = {}
    for name, value in raw:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        found[key] = f"{found[key]}, {text}" if key in found else text
    return found


@contextmanager
def _translated(at: str) -> Iterator[None]:
    """What the HTTP library raises, in our own words: no resolved address, and nothing about open ports."""
    try:
        yield
    except httpcore2.TimeoutException as error:
        raise FetchFailed("timeout", "the server did not answer in time", at, retryable=True) from error
    except httpcore2.ProtocolError as error:
        raise FetchFailed("protocol", "the server does not speak proper HTTP", at, retryable=True) from error
    except httpcore2.NetworkError as error:
        if _is_tls(error):
            raise FetchFailed("tls", "the certificate of the server is not to be trusted", at) from error
        raise FetchFailed("connection", "the server cannot be reached", at, retryable=True) from error
    except (httpcore2.ProxyError, httpcore2.UnsupportedProtocol) as error:
        raise FetchFailed("proxy", "the proxy refused", at, retryable=True) from error


def _is_tls(error: BaseException | None) -> bool:
    seen: Any = error
    while seen is not None:
        if isinstance(seen, ssl.SSLError) and not isinstance(seen, ssl.SSLEOFError):
            return True
        seen = seen.__cause__ or (seen.args[0] if seen.args and isinstance(seen.args[0], BaseException) else None)
    return False
