"""What must be written down so that records stay as an undo leaves them. Pure.

Records are clusters of facts, formed again whenever something of them arrives. So rows that were put back
would fall into each other, or apart, with the next item, unless a person's word stands against it:

- Every sighting of one side is kept apart from every one of the other. One pair alone would not do: the
  remaining sightings could still be joined across, one by one, by whatever joins them best.
- Keys that both sides share are in dispute from then on and join nothing. A side that only they had held
  together is held by a verdict ``same`` instead, on as few pairs as it takes: a wrong join is worse than a
  missed one, and what is learnt later may still take the rest apart.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations, pairwise, product

from ..cluster import Pairs, cluster_sightings
from ..model import Relation, Sighting, Verdict

MAX_CANNOT_LINKS = 5000
"""So many pairs are kept apart at most. Beyond, those that share a key come first: only they are compared."""

Verdicts = dict[tuple[int, int], Verdict]
"""What is said of pairs of sightings, by their positions, the smaller one first."""


def hold(
    members: Sequence[Sighting],
    pairs: Pairs,
    verdicts: Mapping[tuple[int, int], Verdict],
    sides: Sequence[Collection[int]],
    limit: int = MAX_CANNOT_LINKS,
) -> Verdicts:
    """Return the verdicts that keep each side (positions of members) one record, and no two sides one.

    >>> from ..model import Comparison
    >>> from ..testing.builders import a_sighting
    >>> members = [a_sighting(record_id=5, source_id=1, number=number) for number in (1, 2, 3)]
    >>> address = ("url", "", "https://news.example/1")
    >>> same = Comparison(Relation.SAME, "url", 5, (), frozenset({address}))
    >>> pairs = {(0, 1): same, (0, 2): same, (1, 2): same}

    Two on one side, one on the other; the address that joined all three joins nothing any more:

    >>> {pair: verdict.value for pair, verdict in hold(members, pairs, {}, [{0, 1}, {2}]).items()}
    {(0, 2): 'different', (1, 2): 'different', (0, 1): 'same'}

    Had something else joined the first two, nothing would have to be said of them:

    >>> guid = Comparison(Relation.SAME, "guid", 4, ())
    >>> {pair: verdict.value for pair, verdict in hold(members, {**pairs, (0, 1): guid}, {}, [{0, 1}, {2}]).items()}
    {(0, 2): 'different', (1, 2): 'different'}
    """
    apart = keep_apart(pairs, verdicts, sides, limit)
    return apart | keep_together(members, pairs, {**verdicts, **apart}, sides)


def keep_apart(
    pairs: Pairs,
    verdicts: Mapping[tuple[int, int], Verdict],
    sides: Sequence[Collection[int]],
    limit: int = MAX_CANNOT_LINKS,
) -> Verdicts:
    """Return cannot-links between all sightings of different sides, as far as there are none yet."""
    across = {
        (min(a, b), max(a, b)) for one, other in combinations(sides, 2) for a, b in product(sorted(one), sorted(other))
    }
    wanted = [pair for pair in across if verdicts.get(pair) is not Verdict.DIFFERENT]
    wanted.sort(key=lambda pair: (pair not in verdicts, pair not in pairs, pair))
    return dict.fromkeys(wanted[:limit], Verdict.DIFFERENT)


def keep_together(
    members: Sequence[Sighting],
    pairs: Pairs,
    verdicts: Mapping[tuple[int, int], Verdict],
    sides: Sequence[Collection[int]],
) -> Verdicts:
    """Return the fewest verdicts ``same`` by which each side is one cluster, whatever speaks against it."""
    said: Verdicts = {}
    for side in sides:
        for pair in combinations(sorted(side), 2):
            different = pair in pairs and pairs[pair].relation is Relation.DIFFERENT
            if verdicts.get(pair, Verdict.DIFFERENT if different else None) is Verdict.DIFFERENT:
                said[pair] = Verdict.SAME
    for _ in members:
        clusters = cluster_sightings(members, pairs, {**verdicts, **said}).clusters
        links = [link for side in sides for link in _links(clusters, side) if link not in said]
        if not links:
            break
        said |= dict.fromkeys(links, Verdict.SAME)
    return said


def _links(clusters: Sequence[frozenset[int]], side: Collection[int]) -> list[tuple[int, int]]:
    """Pairs that tie the parts of a side into one chain."""
    parts = sorted(min(cluster & set(side)) for cluster in clusters if cluster & set(side))
    return list(pairwise(parts))
