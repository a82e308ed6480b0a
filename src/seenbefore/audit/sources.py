"""What must hold of a source and of its fetches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..model import Fetch, Source
from .problem import Problem

Runs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """What checks of sightings need to know of their source.

    ``fetches`` are the numbers of its fetches as inclusive ranges; numbers between them were taken by
    items that are fetches of their own. ``distrust`` are the (kind, value) pairs that identify nothing here.
    """

    source: Source
    fetches: Runs
    distrust: frozenset[tuple[str, str]]


def number_runs(numbers: Sequence[int]) -> Runs:
    """Return ascending numbers as inclusive ranges.

    >>> number_runs([1, 2, 3, 5, 5])
    ((1, 3), (5, 5))
    """
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number <= runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return tuple(runs)


def check_source(source: Source, found_id: int | None, fetches: Sequence[Fetch]) -> Iterator[Problem]:
    """Yield what is wrong with a source.

    ``found_id`` is the source that its identity leads to; ``fetches`` are its fetches by number.
    """
    where = f"s{source.id}"
    if found_id != source.id:
        other = "nothing" if found_id is None else f"s{found_id}"
        yield Problem("source_alias", where, f"its own address leads to {other}")
    for number, count in Counter(fetch.no for fetch in fetches).items():
        if count > 1:
            yield Problem("fetch_number", where, f"{count} fetches have the number {number}")
    for fetch in fetches:
        if fetch.no > source.last_fetch_no:
            yield Problem("fetch_number", where, f"fetch {fetch.no} is behind the last one, {source.last_fetch_no}")
        if source.newest_observed_at is None or fetch.observed_at > source.newest_observed_at:
            yield Problem("source_newest", where, f"fetch {fetch.no} was read after what counts as its newest time")
