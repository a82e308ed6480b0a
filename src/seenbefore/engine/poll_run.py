"""A run over files and addresses, once or as a service that sleeps until something is due."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import BinaryIO, Final

from ..sources.localfile import ReadAs
from .engine import Engine
from .job import JobOptions, Step, run_job
from .poll import Poller, sort_places

SHORTEST_SLEEP_S: Final = 1.0
"""Between two rounds of a service, so that many sources that are due one after the other are asked together."""


def run_places(
    engine: Engine, places: Sequence[str], options: JobOptions, stdin: BinaryIO | None, poller: Poller | None
) -> Iterator[Step]:
    """Yield what becomes of files, and then of addresses; without a poller addresses are complained about.

    Raises:
        InvalidInput: ``-`` without a source name.
        IngestError: a unit failed and was rolled back; what was yielded before stands.
    """
    if poller is None:
        yield from run_job(engine, places, options, stdin)
        return
    options = replace(options, read_as=ReadAs(poller.polling.read_as, poller.polling.selector))
    sorted_places = sort_places(places)
    yield from sorted_places.skipped
    if sorted_places.files:
        yield from run_job(engine, sorted_places.files, options, stdin)
    if sorted_places.addresses:
        yield from poller.poll(sorted_places.addresses)


def run_service(
    poller: Poller, places: Sequence[str], sleep: Callable[[float], object], stop: Callable[[], bool]
) -> Iterator[Step]:
    """Yield what becomes of addresses as they are due, round after round, until ``stop`` says so.

    OPML files are read again in each round, so that a list may be edited while the service runs. The poller should
    ask only what is due.
    """
    complained = False
    while not stop():
        found = sort_places(places)
        if not complained:
            complained = bool(found.skipped)
            yield from found.skipped
        yield from poller.poll(found.addresses)
        if not stop():
            sleep(sleep_s(poller))


def sleep_s(poller: Poller) -> float:
    """Return the seconds until one of the polled addresses is due, at most the shortest interval."""
    longest = poller.polling.limits.shortest_s
    with poller.engine.store.reading() as unit:
        states = [state for state in unit.polls.list_states() if state.identity in poller.asked]
    now = poller.engine.clock()
    waits = [(state.next_at - now).total_seconds() for state in states if state.next_at is not None]
    return max(min([longest, *waits]), min(SHORTEST_SLEEP_S, longest))
