"""A second process that reads the next feed while this one stores the last: for large first imports.

Reading entries, cleaning their texts and deriving their keys is half of the work on new items, needs no
store and always gives the same, so a second core can do it. Nothing depends on it: where the second
process is missing, late or lost, the same is done here.

It is a program of its own that is started with pipes (``aheadworker``), not a fork: programs that use this
library may have threads, and need no guard around their main module.
"""

from __future__ import annotations

import os
import pickle
import select
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO, Final

from ..blocking import Features
from ..log import log_event
from ..model import Item
from ..policy import Policy
from ..sources.folder import FetchInput
from .rulebook import RuleBook, RuleSource

START_AFTER: Final = 2000
"""New entries of a run before a second process pays for its start."""

LEAST_ENTRIES: Final = 10
"""Smaller feeds are read here: handing them over costs more."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """The entries of one feed, read, with what is derived from them, by their places in the feed.

    They hold for one identity of their source, under the rules of one version.
    """

    digests: tuple[bytes, ...]
    source_identity: str
    items: tuple[Item, ...]
    features: tuple[Features, ...]
    rules_version: str


class ReadAhead:
    """Hands feeds to the second process, one ahead. Close it when the run is over."""

    def __init__(self, rules: RuleSource, policy: Policy, *, wanted: bool = True) -> None:
        base = rules.base if isinstance(rules, RuleBook) else rules
        self._start = pickle.dumps((base, policy)) if wanted and _is_possible() else b""
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = False
        self._asked = 0
        self._seen = 0

    def is_worth_it(self, found: FetchInput) -> bool:
        """Whether the second process is there and free, and the feed large enough; starts it when it is time."""
        self._seen += len(found.items)
        if not self._start or self._asked or len(found.items) < LEAST_ENTRIES or not found.path:
            return False
        if self._process is None:
            if self._seen >= START_AFTER:
                self._launch()
            return False
        return self._is_ready()

    def ask(self, found: FetchInput, source_identity: str) -> bool:
        """Hand a feed of a new source over; returns whether ``take`` must be called for it."""
        request = (found.path, found.named, found.observed_at, found.default_name, source_identity)
        try:
            _send(self._stdin, pickle.dumps(request))
        except OSError:
            self._lose()
            return False
        self._asked += 1
        return True

    def take(self) -> Prepared | None:
        """Return the feed that was handed over last; None when it could not be read or the process is gone."""
        self._asked -= 1
        try:
            prepared: Prepared | None = pickle.loads(_receive(self._stdout))
        except (OSError, EOFError, pickle.UnpicklingError):
            self._lose()
            return None
        return prepared

    def close(self) -> None:
        """End the second process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):  # what was still to be sent to it
                    if pipe is not None:
                        pipe.close()

    def _launch(self) -> None:
        command = [sys.executable, "-m", "seenbefore.engine.aheadworker"]
        try:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            _send(self._stdin, self._start)
        except OSError:
            self._lose()

    def _is_ready(self) -> bool:
        """Whether the second process has started; never waits for it."""
        if not self._ready and select.select([self._stdout], [], [], 0)[0]:
            try:
                self._ready = _receive(self._stdout) == b"ready"
            except (OSError, EOFError):
                self._lose()
        return self._ready

    def _lose(self) -> None:
        """Go on without it."""
        log_event("reader_lost")
        self._start = b""
        self._ready = False
        self.close()

    @property
    def _stdin(self) -> BinaryIO:
        return _pipe(self._process.stdin if self._process else None)

    @property
    def _stdout(self) -> BinaryIO:
        return _pipe(self._process.stdout if self._process else None)


def _pipe(pipe: object) -> BinaryIO:
    if pipe is None:
        raise EOFError
    return pipe  # type: ignore[return-value]


def _is_possible() -> bool:
    """Whether there is a second core, an interpreter to start, and pipes that can be asked."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores > 1 and bool(sys.executable) and os.name == "posix"


def _send(pipe: BinaryIO, message: bytes) -> None:
    pipe.write(len(message).to_bytes(8, "big") + message)
    pipe.flush()


def _receive(pipe: BinaryIO) -> bytes:
    size = pipe.read(8)
    if len(size) < 8:
        raise EOFError
    message = pipe.read(int.from_bytes(size, "big"))
    if len(message) < int.from_bytes(size, "big"):
        raise EOFError
    return message
