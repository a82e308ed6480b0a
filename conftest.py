"""For every test and doctest: no network, and doctests leave no files behind."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterator
from typing import Any

import pytest


class NetworkUsed(BaseException):
    """A test reached for the network. Not an Exception, so that no ``except Exception`` hides it."""


LOCAL_NAMES = (None, "", "localhost", b"localhost")


def _ip(host: object) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(str(host).partition("%")[0])
    except ValueError:
        return None


def _is_local(host: object) -> bool:
    ip = _ip(host)
    return ip.is_loopback if ip else host in LOCAL_NAMES


@pytest.fixture(scope="session", autouse=True)
def no_network() -> Iterator[None]:
    """Let sockets reach this machine only, and resolve no names."""

    def guarded(original: Any) -> Any:
        def connect(self: socket.socket, address: Any) -> Any:
            if self.family in (socket.AF_INET, socket.AF_INET6) and not _is_local(address[0]):
                raise NetworkUsed(f"a test connects to {address!r}")
            return original(self, address)

        return connect

    def getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host not in LOCAL_NAMES and _ip(host) is None:
            raise NetworkUsed(f"a test looks up {host!r}")
        return original_getaddrinfo(host, *args, **kwargs)

    original_getaddrinfo = socket.getaddrinfo
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded(socket.socket.connect))
        patch.setattr(socket.socket, "connect_ex", guarded(socket.socket.connect_ex))
        patch.setattr(socket, "getaddrinfo", getaddrinfo)
        yield


@pytest.fixture(autouse=True)
def doctest_in_empty_folder(request: pytest.FixtureRequest) -> None:
    """Run doctests in a folder of their own: the examples open ``news.db`` as a reader would."""
    if isinstance(request.node, pytest.DoctestItem):
        request.getfixturevalue("monkeypatch").chdir(request.getfixturevalue("tmp_path"))
