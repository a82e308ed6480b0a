"""Sightings and what they amount to pairwise → clusters, each of which is one record.

Joining is a pure function of the facts: the same sightings end in the same clusters whatever order
they arrived in, which is what makes a run repeatable, splittable and free to interleave its sources.

1. A cannot-link stands between two sightings that a person called different, that carry conflicting
   strong ids, or that stood in one fetch under different titles.
2. Joins are made from the most certain to the least, ties by a hash of what the sightings are; a join
   that would put a cannot-link inside one cluster is refused.
3. A key is disputed while a pair that shares it waits for review or is kept apart. Joins that rest on
   disputed keys alone are made only if the pair turned out to be one cluster without them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .blocking import sighting_hash
from .model import Comparison, Relation, Sighting, Verdict

Pairs = Mapping[tuple[int, int], Comparison]
"""Comparisons by (smaller position, greater position) of the sightings in the given sequence."""


@dataclass(frozen=True, slots=True)
class Clustering:
    """``clusters`` are sets of positions; ``waiting`` the review pairs that stay apart."""

    clusters: tuple[frozenset[int], ...]
    waiting: tuple[tuple[int, int], ...]
    refused: tuple[tuple[int, int], ...]


def cluster_sightings(
    sightings: Sequence[Sighting],
    pairs: Pairs,
    verdicts: Mapping[tuple[int, int], Verdict] | None = None,
) -> Clustering:
    """Return the clusters of these sightings.

    >>> from .testing.builders import a_sighting
    >>> a, b = a_sighting(record_id=1, source_id=1, number=1), a_sighting(record_id=2, source_id=1, number=2)
    >>> same = Comparison(Relation.SAME, "url", 5, ())
    >>> [sorted(c) for c in cluster_sightings([a, b], {(0, 1): same}).clusters]
    [[0, 1]]

    A person's verdict outranks it:

    >>> [sorted(c) for c in cluster_sightings([a, b], {(0, 1): same}, {(0, 1): Verdict.DIFFERENT}).clusters]
    [[0], [1]]
    """
    verdicts = verdicts or {}
    hashes = [sighting_hash(s) for s in sightings]
    joins = _joins(pairs, verdicts, hashes)
    apart = {pair for pair, c in pairs.items() if c.relation is Relation.DIFFERENT}
    apart |= {pair for pair, verdict in verdicts.items() if verdict is Verdict.DIFFERENT}
    apart -= {pair for pair, verdict in verdicts.items() if verdict is Verdict.SAME}
    reviews = [p for p, c in pairs.items() if c.relation is Relation.REVIEW and p not in verdicts]
    kept_apart = _keys_of(pairs, apart)
    forest = _Forest(len(sightings), apart)
    disputed = kept_apart | _keys_of(pairs, reviews)
    for join in joins:
        if join in verdicts or not pairs[join].via or pairs[join].via - disputed:
            forest.join(*join)
    disputed = kept_apart | _keys_of(pairs, [pair for pair in reviews if not forest.same(*pair)])
    for join in joins:
        if join in verdicts or not pairs[join].via or pairs[join].via - disputed:
            forest.join(*join)
    return Clustering(
        clusters=tuple(forest.clusters()),
        waiting=tuple(sorted(pair for pair in reviews if not forest.same(*pair))),
        refused=tuple(sorted(join for join in joins if not forest.same(*join))),
    )


def _keys_of(pairs: Pairs, chosen: Iterable[tuple[int, int]]) -> frozenset[tuple[str, str, str]]:
    """The keys that the given pairs share."""
    return frozenset(address for pair in chosen if pair in pairs for address in pairs[pair].via)


def _joins(pairs: Pairs, verdicts: Mapping[tuple[int, int], Verdict], hashes: Sequence[str]) -> list[tuple[int, int]]:
    def order(pair: tuple[int, int]) -> tuple[int, str, str]:
        rank = 0 if pair in verdicts else pairs[pair].rank
        first, second = sorted((hashes[pair[0]], hashes[pair[1]]))
        return (rank, first, second)

    joins = {pair for pair, c in pairs.items() if c.relation is Relation.SAME}
    joins -= {pair for pair, verdict in verdicts.items() if verdict is not Verdict.SAME}
    joins |= {pair for pair, verdict in verdicts.items() if verdict is Verdict.SAME}
    return sorted(joins, key=order)


class _Forest:
    """Union-find that refuses a union which would put a cannot-link inside one cluster."""

    def __init__(self, size: int, apart: Iterable[tuple[int, int]]) -> None:
        self._members = [{i} for i in range(size)]
        self._root = list(range(size))
        self._apart: list[set[int]] = [set() for _ in range(size)]
        for a, b in apart:
            self._apart[a].add(b)
            self._apart[b].add(a)

    def same(self, a: int, b: int) -> bool:
        return self._root[a] == self._root[b]

    def join(self, a: int, b: int) -> bool:
        root_a, root_b = self._root[a], self._root[b]
        if root_a == root_b:
            return True
        if len(self._members[root_a]) < len(self._members[root_b]):
            root_a, root_b = root_b, root_a
        if any(self._apart[m] & self._members[root_a] for m in self._members[root_b]):
            return False
        for member in self._members[root_b]:
            self._root[member] = root_a
        self._members[root_a] |= self._members[root_b]
        return True

    def clusters(self) -> list[frozenset[int]]:
        roots = sorted(set(self._root))
        return [frozenset(self._members[root]) for root in roots]
