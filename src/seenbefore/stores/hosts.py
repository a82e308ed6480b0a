"""The host in the value of a key, and whether it is one of those that a rule names."""

from __future__ import annotations

import re
from collections.abc import Iterable

KEY_STARTS = (("url", "http://"), ("url", "https://"), ("url_near", ""))
"""The kinds of key that hold a web address, and what stands there before the host with its port and credentials."""

_SHOWN_AS = re.compile(r"www[0-9]*|m|mobile|amp|sp|wap")
"""Labels that say how a site shows its pages, and no more."""

_AFTER_AUTHORITY = re.compile(r"[/?#]")


class Hosts:
    """Some hosts, asked whether another one is among them.

    >>> hosts = Hosts(["example.com", "*.blogs.example"])
    >>> [host in hosts for host in ("example.com", "www2.m.example.com", "anns.blogs.example")]
    [True, True, True]

    A name that ends alike is another host, and so is the one that others stand below:

    >>> [host in hosts for host in ("notexample.com", "shop.example.com", "blogs.example")]
    [False, False, False]
    """

    def __init__(self, hosts: Iterable[str]) -> None:
        named = set(hosts)
        self._above = tuple(host[1:] for host in named if host.startswith("*."))
        self._named = {host for host in named if host and not host.startswith("*.")}

    def __bool__(self) -> bool:
        """Whether there is any."""
        return bool(self._above or self._named)

    def __contains__(self, host: str) -> bool:
        """Whether this host is one of them, lies below one, or shows one."""
        if host.endswith(self._above):
            return True
        while host not in self._named:
            label, _, host = host.partition(".")
            if not host or not _SHOWN_AS.fullmatch(label):
                return False
        return True


def host_in(address: str) -> str:
    """Return the host of an address without scheme, in lower case.

    >>> host_in("ann:secret@example.com:8080/b@c"), host_in("[::1]:80/"), host_in("example.com?to=a.example/")
    ('example.com', '[::1]', 'example.com')
    """
    host = _AFTER_AUTHORITY.split(address, maxsplit=1)[0].rpartition("@")[2].lower()
    return host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]


def key_host(kind: str, value: str) -> str:
    """Return the host in the value of a key; empty if it holds no web address.

    >>> key_host("url", "https://example.com/a"), key_host("url_near", "example.com/a")
    ('example.com', 'example.com')
    >>> key_host("url", "mailto:ann@example.com"), key_host("guid", "https://example.com/a")
    ('', '')
    """
    for known, start in KEY_STARTS:
        if kind == known and value.startswith(start):
            return host_in(value[len(start) :])
    return ""
