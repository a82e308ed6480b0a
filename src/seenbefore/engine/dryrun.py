"""Ingest without writing: the real engine on a scratch copy of the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from types import TracebackType
from typing import BinaryIO

from ..model import Decision
from .engine import Engine
from .job import Answer, Committed, JobOptions, Skipped, Step, answer_lines
from .poll import Poller, Polling
from .poll_run import run_places
from .stats import last_record_id


class DryRun:
    """Ingest on a scratch copy: the same answers, with the ids of unwritten things None."""

    def __init__(self, engine: Engine) -> None:
        self._engine = Engine(engine.store.scratch_copy(), engine.rules, engine.policy, engine.clock)
        self._strip = as_unwritten(last_record_id(self._engine.store))

    def __enter__(self) -> DryRun:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._engine.store.close()

    def ingest(
        self,
        places: Sequence[str],
        *,
        source: str | None = None,
        observed_at: datetime | None = None,
        history: bool = False,
        ignore: Sequence[str] = (),
        stdin: BinaryIO | None = None,
        polling: Polling | None = None,
    ) -> Iterator[Step]:
        """Yield what the real ``ingest`` would yield."""
        options = JobOptions(source, observed_at, history, tuple(ignore))
        poller = Poller(self._engine, polling, options) if polling else None
        for step in run_places(self._engine, places, options, stdin, poller):
            if isinstance(step, Committed):
                yield Committed(tuple(replace(a, decision=self._strip(a.decision)) for a in step.answers))
            else:
                yield step

    def answer_lines(
        self,
        lines: Iterable[bytes],
        where: str,
        *,
        source: str | None = None,
        observed_at: datetime | None = None,
        history: bool = False,
    ) -> Iterator[Answer | Skipped]:
        """Yield what the real ``answer_lines`` would yield."""
        options = JobOptions(source, observed_at, history)
        for step in answer_lines(self._engine, lines, where, options):
            yield replace(step, decision=self._strip(step.decision)) if isinstance(step, Answer) else step


def as_unwritten(last_record_id: int) -> Callable[[Decision], Decision]:
    """Return a function that takes the ids out of decisions that only a scratch copy holds.

    ``last_record_id`` is the greatest record id of the real store. Greater ones exist in the copy
    alone, and so do the ids of decisions.
    """

    def known(record_id: int | None) -> int | None:
        return record_id if record_id is not None and record_id <= last_record_id else None

    def strip(decision: Decision) -> Decision:
        matched = decision.matched
        return replace(
            decision,
            seq=None,
            number=None,
            record_number=known(decision.record_number),
            matched=replace(matched, record_number=known(matched.record_number)) if matched else None,
            evidence=tuple(replace(e, record_number=known(e.record_number)) for e in decision.evidence),
        )

    return strip
