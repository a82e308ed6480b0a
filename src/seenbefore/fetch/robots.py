"""robots.txt (RFC 9309): whether a page may be opened. Asked once a host, through the same door as everything else."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from ..errors import FetchFailed, MissingExtra, Refused
from .base import Fetcher, FetchKind

AGENT: Final = "seenbefore"
KEPT_S: Final = 24 * 3600.0
"""RFC 9309, 2.4: a robots.txt is not used for more than a day."""
READ_BYTES: Final = 500 << 10
"""RFC 9309, 2.5: as much as every reader must read; what comes after it says nothing."""
_OF_THE_HOST: Final = ("address", "name", "host", "port", "scheme", "credentials", "url")
"""Why a whole host is refused; everything else that goes wrong is the file's fault."""
UNREACHABLE_S: Final = 600.0
"""How long a host whose robots.txt cannot be had is left alone (2.3.1.4: complete disallow)."""


@dataclass(frozen=True, slots=True)
class _Known:
    """The rules of one host until they are too old; ``rules`` None: everything is (dis)allowed."""

    until: float
    allowed: bool
    rules: Any = None


class RobotsRules:
    """What robots.txt of each host says, remembered for a day. Safe to use from several threads.

    A host without one (4xx) allows everything; one that cannot be reached allows nothing for ten minutes. Raises
    MissingExtra when ``seenbefore[pages]`` is not installed.
    """

    def __init__(self, fetcher: Fetcher, agent: str = AGENT, clock: Callable[[], float] = time.monotonic) -> None:
        try:
            from protego import Protego  # noqa: PLC0415
        except ImportError as error:
            raise MissingExtra("pages", "asking robots.txt") from error
        self._parse = Protego.parse
        self._fetcher = fetcher
        self._agent = agent
        self._clock = clock
        self._known: dict[str, _Known] = {}
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def allows(self, url: str) -> bool:
        """Return whether a page may be opened. Fetches robots.txt of its host when that is not known."""
        known = self._of(url)
        return bool(known.rules.can_fetch(url, self._agent)) if known.rules is not None else known.allowed

    def delay_s(self, url: str) -> float | None:
        """Return the pause between requests that the host asks for, None when it asks for none."""
        known = self._of(url)
        delay = known.rules.crawl_delay(self._agent) if known.rules is not None else None
        return float(delay) if delay is not None else None

    def _of(self, url: str) -> _Known:
        parts = urlsplit(url)
        place = f"{parts.scheme}://{parts.netloc}"
        with self._lock:
            lock = self._locks.setdefault(place, threading.Lock())
        with lock:
            known = self._known.get(place)
            if known is None or known.until <= self._clock():
                known = self._known[place] = self._ask(f"{place}/robots.txt")
            return known

    def _ask(self, url: str) -> _Known:
        now = self._clock()
        try:
            answer = self._fetcher.fetch(url, FetchKind.ROBOTS)
        except FetchFailed as failure:
            if isinstance(failure, Refused) and failure.code in _OF_THE_HOST and not failure.hops:
                return _Known(now + KEPT_S, allowed=True)  # its pages are refused as well, and say better why
            if failure.code == "content-type":
                return _Known(now + KEPT_S, allowed=True)  # a picture, or another file that holds no rules
            absent = failure.status is not None and 400 <= failure.status < 500 and failure.status != 429
            if absent:
                return _Known(now + KEPT_S, allowed=True)
            return _Known(now + UNREACHABLE_S, allowed=False)
        return _Known(
            now + KEPT_S, allowed=True, rules=self._parse(answer.body[:READ_BYTES].decode("utf-8", "replace"))
        )
