"""Names → checked connections: the address that was checked is the address that is used.

:class:`GuardedBackend` is the network backend of the HTTP library: every connection it makes, for whichever reason,
comes through here. It asks the resolver once, checks every answer, connects to a checked address and looks at the
other end before a byte is sent. It also holds each read and write to the deadline of the whole fetch.
"""

from __future__ import annotations

import queue
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Final

import httpcore2

from ..errors import FetchFailed, Refused
from ..log import log_event
from .addresses import IpNetwork, why_refused
from .policy import FetchPolicy

Resolver = Callable[[str, int, float], Sequence[str]]
"""(host, port, seconds) → its addresses as texts. Raises FetchFailed with code ``dns`` or ``timeout``."""

Connector = Callable[[str, int, float], httpcore2.NetworkStream]
"""(address, port, seconds) → an open stream, whose ``server_addr`` says where it really ended."""

_END: Final = re.compile(rb"\r?\n\r?\n")
"""An empty line; servers that send no carriage returns are read, too."""
_INTERIM: Final = re.compile(rb"HTTP/1\.[01] 1\d\d")
_BARE_CR: Final = re.compile(rb"\r(?!\n|\Z)")


@dataclass
class Call:
    """One fetch under way in one thread: when it must be over, and how much of a head it has read."""

    deadline: float
    url: str
    head: bytearray | None = None

    def left(self, most: float | None) -> float:
        """Return the seconds that one step may take. Raises FetchFailed when there are none."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise FetchFailed("timeout", "took longer than it may in all", self.url, retryable=True)
        return left if most is None else min(left, most)


def resolve(host: str, port: int, seconds: float) -> Sequence[str]:
    """Return the addresses of a name, as the system knows them, in time or not at all.

    Raises:
        FetchFailed: ``dns`` when there is no such name, ``timeout`` when nobody answers.
    """
    answers: queue.SimpleQueue[list[str] | OSError] = queue.SimpleQueue()

    def ask() -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answers.put([str(sockaddr[0]) for *_, sockaddr in found])
        except OSError as error:
            answers.put(error)
        except UnicodeError as error:
            answers.put(OSError(str(error)))

    threading.Thread(target=ask, daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except queue.Empty:
        raise FetchFailed("timeout", "no name server answered in time", retryable=True) from None
    if isinstance(answer, OSError):
        again = getattr(answer, "errno", None) == socket.EAI_AGAIN
        raise FetchFailed("dns", "the host has no address", retryable=again) from answer
    return list(dict.fromkeys(answer))


def connect(address: str, port: int, seconds: float) -> httpcore2.NetworkStream:
    """Return a stream to an address. Raises what the HTTP library raises."""
    return httpcore2.SyncBackend().connect_tcp(address, port, timeout=seconds)


class GuardedBackend(httpcore2.NetworkBackend):
    """Connects to checked addresses only; ``call()`` is the fetch under way in this thread."""

    def __init__(
        self,
        policy: FetchPolicy,
        allowed: Sequence[IpNetwork],
        call: Callable[[], Call],
        resolver: Resolver = resolve,
        connector: Connector = connect,
    ) -> None:
        self._policy = policy
        self._allowed = allowed
        self._call = call
        self._resolver = resolver
        self._connector = connector

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        """Return a guarded stream to a host. Raises Refused or FetchFailed."""
        call = self._call()
        if self._policy.proxy:
            return GuardedStream(
                self._connector(host, port, call.left(self._policy.connect_s)), self._call, self._policy
            )
        addresses = self.checked(host, port, call)
        last: Exception | None = None
        for address in addresses[: self._policy.max_addresses]:
            try:
                stream = self._connector(address, port, call.left(self._policy.connect_s))
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                last = error
                continue
            self._check_peer(stream, call)
            return GuardedStream(stream, self._call, self._policy)
        assert last is not None
        raise last

    def checked(self, host: str, port: int, call: Call) -> list[str]:
        """Return the addresses of a host, all of which may be asked. One that may not refuses them all."""
        try:
            ip_address(host)
            found: Sequence[str] = [host]
        except ValueError:
            found = self._resolver(host, port, call.left(self._policy.dns_s))
        if not found:
            raise FetchFailed("dns", "the host has no address", call.url)
        for address in found:
            self._check(address, call, "its name leads to an address that may not be asked")
        return list(found)

    def _check(self, address: str, call: Call, message: str) -> None:
        try:
            reason = why_refused(address, self._allowed)
        except ValueError:
            reason = "no address"
        if reason:
            log_event("address_refused", reason=reason, address=address)
            raise Refused("address", message, call.url)

    def _check_peer(self, stream: httpcore2.NetworkStream, call: Call) -> None:
        """Look where the connection really ended, before anything is sent."""
        peer = stream.get_extra_info("server_addr")
        try:
            self._check(str(peer[0]), call, "the connection ended at another place")
        except (Refused, TypeError, IndexError) as error:
            stream.close()
            if isinstance(error, Refused):
                raise
            raise Refused("address", "nobody knows where the connection ended", call.url) from None

    def sleep(self, seconds: float) -> None:
        """Wait between tries, which we never do."""
        raise FetchFailed("protocol", "the HTTP library wanted to wait", self._call().url)


class GuardedStream(httpcore2.NetworkStream):
    """A stream that keeps to the deadline of the fetch under way and to the limits of a head."""

    def __init__(self, inner: httpcore2.NetworkStream, call: Callable[[], Call], policy: FetchPolicy) -> None:
        self._inner = inner
        self._call = call
        self._policy = policy

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        """Return what came. Raises FetchFailed when a head is too large or is none."""
        call = self._call()
        head = call.head
        wait = self._policy.idle_s if head is None else self._policy.first_byte_s
        data = self._inner.read(max_bytes, call.left(wait))
        if head is not None:
            head += data
            self._check_head(bytes(head), call)
        return data

    def _check_head(self, head: bytes, call: Call) -> None:
        """Look at what came before the first byte of the body, interim answers included."""
        start = interim = 0
        end = _END.search(head)
        while end and _INTERIM.match(head, start):
            interim, start = interim + 1, end.end()
            end = _END.search(head, start)
        part = head[: end.start() if end else len(head)]
        limits = self._policy
        if len(part) > limits.header_bytes:
            raise Refused("headers-too-large", f"sends more than {limits.header_bytes:,} bytes of headers", call.url)
        if interim > limits.interim_answers:
            raise FetchFailed("protocol", "sends interim answers without end", call.url)
        if _BARE_CR.search(part):
            raise Refused("header", "sends a header with a line break inside", call.url)

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        """Send bytes."""
        self._inner.write(buffer, self._call().left(self._policy.idle_s))

    def close(self) -> None:
        """Close the connection."""
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        """Return the stream encrypted; the certificate is checked against the name, never the address."""
        name = server_hostname.removesuffix(".") if server_hostname else server_hostname
        inner = self._inner.start_tls(ssl_context, name, self._call().left(self._policy.connect_s))
        return GuardedStream(inner, self._call, self._policy)

    def get_extra_info(self, info: str) -> Any:
        """Return what the inner stream knows."""
        return self._inner.get_extra_info(info)
