"""What a fetch asks for and what comes back: frozen values, and the protocol that everything else asks through.

Nothing here opens a socket. :class:`Fetcher` is what polling and pages are given; the real one is in ``client.py``,
tests pass one of their own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol

PERMANENT: Final = frozenset({301, 308})
"""Statuses that say that an address has moved for good."""


class FetchKind(StrEnum):
    """What is asked for; each kind has its own content types and size limit."""

    PAGE = "page"
    FEED = "feed"
    SITEMAP = "sitemap"
    IMAGE = "image"
    ROBOTS = "robots"


@dataclass(frozen=True, slots=True)
class Hop:
    """One answered request that led elsewhere: where it went, its status, and the resolved address it named."""

    url: str
    status: int
    location: str


@dataclass(frozen=True, slots=True)
class Response:
    """A whole answer: status 200 to 299, or 304 with an empty body when validators were sent.

    ``requested_url`` is what was asked, ``url`` where the body came from, ``hops`` the way between them.
    ``body`` is decoded (no content encoding left) and complete. ``headers`` has lower-case names.
    ``notes`` are codes of what was odd but harmless (``downgrade``, ``content_type_sniffed`` …).
    """

    requested_url: str
    url: str
    status: int
    body: bytes
    content_type: str = ""
    charset: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    hops: tuple[Hop, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def not_modified(self) -> bool:
        """Whether the server says that nothing changed since the validators were given out."""
        return self.status == 304

    @property
    def etag(self) -> str:
        """The validator for ``If-None-Match``, '' if none was given."""
        return self.headers.get("etag", "")

    @property
    def last_modified(self) -> str:
        """The validator for ``If-Modified-Since``, '' if none was given."""
        return self.headers.get("last-modified", "")

    @property
    def permanent_url(self) -> str:
        """Where permanent redirects alone lead from the requested address: up to the first temporary one."""
        return permanent_target(self.requested_url, self.hops)


def permanent_target(requested_url: str, hops: tuple[Hop, ...]) -> str:
    """Return the address that the leading permanent redirects of a chain end at.

    >>> chain = (Hop("http://a.example/", 301, "https://a.example/"), Hop("https://a.example/", 302, "https://b.example/"))
    >>> permanent_target("http://a.example/", chain)
    'https://a.example/'
    >>> permanent_target("http://a.example/", chain[1:])
    'http://a.example/'
    """
    at = requested_url
    for hop in hops:
        if hop.status not in PERMANENT:
            break
        at = hop.location
    return at


class Fetcher(Protocol):
    """Anything that can fetch. Safe to call from several threads at once."""

    def fetch(self, url: str, kind: FetchKind, *, etag: str = "", last_modified: str = "") -> Response:
        """Returns a whole answer within the limits of its kind.

        Raises:
            Refused: policy forbids it (address, scheme, port, content type …); never retryable.
            FetchFailed: the network or the server failed; ``status``, ``retry_after`` (seconds) and ``hops`` say
                how far it came.
        """

    def close(self) -> None:
        """Closes all connections."""
