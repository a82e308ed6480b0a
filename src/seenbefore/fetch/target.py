"""An address → the parts that are requested. The only place that parses one; nothing re-parses a text later.

Parsers disagree about backslashes, credentials, encoded hosts and odd numbers, and each disagreement is a way around
a check. So whatever two parsers could read in two ways is refused, not repaired.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import Final, NamedTuple, Never
from urllib.parse import quote, urljoin

import idna

from ..errors import Refused
from .addresses import IpNetwork, why_refused

MAX_LENGTH: Final = 8192

_SHAPE: Final = re.compile(r"(https?)://([^/?#]*)([^#]*)(?:#.*)?\Z", re.IGNORECASE | re.DOTALL)
_UNSAFE: Final = re.compile(r"[\x00-\x20\x7f\\\ud800-\udfff]")
"""Blanks, controls, backslashes, and halves of characters, which no bytes stand for."""
_PORT: Final = re.compile(r"[0-9]{1,5}\Z")
_LABEL: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\Z")
_NUMBER: Final = re.compile(r"(?:[0-9]+|0x[0-9a-f]*)\Z")
_QUAD: Final = re.compile(r"(?:0|[1-9][0-9]{0,2})(?:\.(?:0|[1-9][0-9]{0,2})){3}\Z")
_SAFE: Final = "!#$%&'()*+,-./:;=?@[]_~"
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}

_LOCAL_NAMES: Final = frozenset(
    "localhost local localdomain lan internal intranet private corp home arpa onion svc i2p".split()
)
"""Last labels that no public server has: special names of RFC 6761, 6762 and 8375, and what networks use inside."""


class Target(NamedTuple):
    """Where a request goes: ``host`` as it is resolved, ``target`` the path with its query."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def url(self) -> str:
        """The address, in one form."""
        port = "" if self.port == _DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self.scheme}://{self._shown_host}{port}{self.target}"

    @property
    def _shown_host(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host

    @property
    def authority(self) -> str:
        """What stands in the Host header."""
        port = "" if self.port == _DEFAULT_PORTS[self.scheme] else f":{self.port}"
        return f"{self._shown_host}{port}"

    @property
    def literal(self) -> IPv4Address | IPv6Address | None:
        """The address that the host is, None for a name."""
        if ":" in self.host:
            return IPv6Address(self.host)
        return IPv4Address(self.host) if _QUAD.match(self.host) else None


def parse_target(url: str, ports: Sequence[int] = (80, 443), allowed: Sequence[IpNetwork] = ()) -> Target:
    """Return what to request for an address.

    >>> parse_target("HTTPS://Example.com/a?b=1#top")
    Target(scheme='https', host='example.com', port=443, target='/a?b=1')

    What any two parsers could read differently is refused:

    >>> parse_target("http://127.0.0.1:80\\\\@example.com/")
    Traceback (most recent call last):
    ...
    seenbefore.errors.Refused: http://127.0.0.1:80\\@example.com/: holds a blank, a backslash or a control character

    Raises:
        Refused: no plain http or https address of a public host on an allowed port.
    """
    if not url or len(url) > MAX_LENGTH:
        _refuse("url", "is empty" if not url else "is longer than 8,192 characters", url[:200])
    if _UNSAFE.search(url):
        _refuse("url", "holds a blank, a backslash or a control character", url)
    shape = _SHAPE.match(url)
    if shape is None:
        _refuse("scheme", "is no http or https address", url)
    scheme, authority, rest = shape[1].lower(), shape[2], shape[3]
    if "@" in authority:
        _refuse("credentials", "carries credentials, which are never sent", url)
    host, port = _split(authority, scheme, url)
    if port not in ports:
        _refuse("port", f"asks port {port}; name it among the allowed ports if that is meant", url)
    host = _host_6(host, url, allowed) if host.startswith("[") else _host_name(host, url, allowed)
    if not rest.startswith("/"):
        rest = f"/{rest}"
    return Target(scheme, host, port, quote(rest, safe=_SAFE))


def join_location(base: str, location: bytes) -> str:
    """Return the address that a redirect names; bytes that are no ASCII are percent-encoded as they are.

    >>> join_location("https://a.example/x/y", b"../z")
    'https://a.example/z'
    >>> join_location("https://a.example/", b"/caf\\xe9")
    'https://a.example/caf%E9'
    """
    text = "".join(chr(byte) if byte < 0x80 else f"%{byte:02X}" for byte in location)
    if _UNSAFE.search(text):
        return text  # refused when it is parsed
    if re.match(r"[a-z][a-z0-9+.-]*:", text, re.IGNORECASE):
        return text
    try:
        return urljoin(base, text)
    except ValueError:  # brackets that hold no address: urljoin parses the host, too
        return text  # refused when it is parsed


def _refuse(code: str, message: str, url: str) -> Never:
    raise Refused(code, message, url)


def _split(authority: str, scheme: str, url: str) -> tuple[str, int]:
    """The host as written and the port."""
    host, separator, port = authority, "", ""
    if authority.startswith("["):
        closing = authority.find("]")
        host, rest = authority[: closing + 1], authority[closing + 1 :]
        if closing < 0 or (rest and not rest.startswith(":")):
            _refuse("host", "has brackets in the wrong places", url)
        separator, port = rest[:1], rest[1:]
    elif ":" in authority:
        host, separator, port = authority.partition(":")
    if not host:
        _refuse("host", "has no host", url)
    if not separator or not port:
        return host, _DEFAULT_PORTS[scheme]
    if not _PORT.match(port) or not 0 < int(port) < 65536:
        _refuse("port", "has no port that exists", url)
    return host, int(port)


def _host_6(host: str, url: str, allowed: Sequence[IpNetwork]) -> str:
    try:
        address = IPv6Address(host[1:-1])
    except (AddressValueError, ValueError):
        _refuse("host", "has no IPv6 address between its brackets", url)
    if address.scope_id or why_refused(address, allowed):
        _refuse("address", "leads to an address that may not be asked", url)
    return address.compressed


def _host_name(host: str, url: str, allowed: Sequence[IpNetwork]) -> str:
    if "%" in host:
        _refuse("host", "has an encoded host", url)
    name = host.lower()
    if not name.isascii():
        name = _in_ascii(name, url)
    labels = name.removesuffix(".").split(".")
    if _NUMBER.match(labels[-1]):
        if not _QUAD.match(name) or any(int(label) > 255 for label in labels):
            _refuse("host", "has a number for a host that is no plain IPv4 address", url)
        if why_refused(name, allowed):
            _refuse("address", "leads to an address that may not be asked", url)
        return name
    if len(name) > 253 or not all(map(_LABEL.match, labels)):
        _refuse("host", "has a host that no name can be", url)
    for label in labels:
        if label.startswith("xn--"):
            _check_punycode(label, url)
    if (len(labels) == 1 or labels[-1] in _LOCAL_NAMES) and not allowed:
        _refuse("name", "has a name that means something inside a network only", url)
    return name


def _in_ascii(name: str, url: str) -> str:
    """An international name as DNS has it; one whose characters stand for others is refused."""
    if unicodedata.normalize("NFKC", name) != name:
        _refuse("host", "has a host with characters that stand for others", url)
    try:
        return idna.encode(name).decode("ascii")
    except (idna.IDNAError, UnicodeError):
        _refuse("host", "has a host that no international name can be", url)


def _check_punycode(label: str, url: str) -> None:
    try:
        idna.decode(label)
    except (idna.IDNAError, UnicodeError):
        _refuse("host", "has a host that no international name can be", url)
