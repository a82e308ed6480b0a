"""Addresses that are equal but for something: what each group of them says about it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b
from itertools import combinations, pairwise
from typing import TypeVar

from ...redact import has_secret
from ...rules.schema import Pair
from .facts import SAME, Likeness
from .sample import Address, HostSample

_MOST_COMPARED = 12
"""Values of one group that are compared with each other."""

MOST_PAIRS = 3
"""Pairs of addresses that a proposal shows."""

Value = TypeVar("Value", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Group:
    """Addresses of one page, if what differs says nothing: what they are to each other, and two that say so most.

    ``drifts``: they showed several near texts one after the other, the same ones under several values.
    """

    likeness: Likeness
    pair: tuple[Address, Address]
    seen_at: datetime | None
    values: frozenset[Hashable]
    drifts: bool = False


def compare_group(host: HostSample, by_value: dict[Value, list[Address]]) -> Group:
    """Return what the addresses under several values are to each other.

    They are equal if each value has a partner that shows the same. One value that shows something else decides for
    all, unless time explains it and the values do not. Near texts at one time are something else, too.
    """
    values = sorted(by_value, key=repr)[:_MOST_COMPARED]
    shown = {value: host.shown(by_value[value]) for value in values}
    pairs: dict[Likeness, list[tuple[Value, Value]]] = {}
    for a, b in combinations(values, 2):
        pairs.setdefault(shown[a].compare(shown[b]), []).append((a, b))
    equal = {value for pair in pairs.get(Likeness.EXACT, ()) for value in pair}
    titled = {value for pair in pairs.get(Likeness.TITLE, ()) for value in pair}
    best = next((pairs[kind][0] for kind in (*SAME, Likeness.NEAR) if kind in pairs), (values[0], values[1]))
    if Likeness.DIFFERENT in pairs:
        likeness, best, drifts = Likeness.DIFFERENT, pairs[Likeness.DIFFERENT][0], False
        if _History.of(host, by_value, values).explains_all:
            likeness = Likeness.UNCLEAR
    elif len(equal) == len(values) or Likeness.NEAR not in pairs:
        whole = len(equal | titled) == len(values)
        likeness, drifts = (Likeness.EXACT if equal else Likeness.TITLE) if whole else Likeness.UNCLEAR, False
    else:
        drifts_in_place = any(each.drifts for each in shown.values())
        likeness, drifts = _History.of(host, by_value, values).compare_near(len(values), drifts_in_place)
    return _group(likeness, by_value, best, drifts=drifts)


@dataclass(frozen=True, slots=True)
class _History:
    """When a page showed which texts: from first to last, and under which values. None: times are not known."""

    spans: list[tuple[datetime, datetime]] | None
    values_of: dict[str, set[Hashable]]

    @staticmethod
    def of(host: HostSample, by_value: dict[Value, list[Address]], values: Sequence[Value]) -> _History:
        """Return the history of some values of a group; the newest text of an address stood until it was seen last."""
        values_of: dict[str, set[Hashable]] = {}
        spans: dict[str, tuple[datetime, datetime]] = {}
        for value in values:
            for address in by_value[value]:
                newest = max(address.captured.values(), default=None)
                for text in address.texts.keys() - host.boilerplate:
                    begin = address.captured.get(text)
                    if begin is None:
                        return _History(None, {})
                    end = max(begin, address.last_seen_at or begin) if begin == newest else begin
                    first, last = spans.get(text, (begin, end))
                    spans[text] = min(first, begin), max(last, end)
                    values_of.setdefault(text, set()).add(value)
        return _History(sorted(spans.values()), values_of)

    @property
    def is_one_after_the_other(self) -> bool:
        """Whether no two texts stood at one time."""
        return self.spans is not None and all(a[1] < b[0] for a, b in pairwise(self.spans))

    @property
    def shared(self) -> list[set[Hashable]]:
        """The values of each text that stood under several."""
        return [several for several in self.values_of.values() if len(several) > 1]

    @property
    def explains_all(self) -> bool:
        """Whether a page was written anew: each text stood under several values, one text after the other."""
        return self.is_one_after_the_other and len(self.shared) == len(self.values_of)

    def compare_near(self, values: int, drifts_in_place: bool) -> tuple[Likeness, bool]:
        """Return what near texts are to each other, and whether they drift from day to day, whatever the value is."""
        if self.spans is None:
            return Likeness.UNCLEAR, False
        if not self.is_one_after_the_other:
            return Likeness.DIFFERENT, False
        if self.shared and 2 * len(set[Hashable]().union(*self.shared)) >= values:
            return Likeness.EXACT, True
        return Likeness.ALIKE if drifts_in_place else Likeness.NEAR, False


def _group(
    likeness: Likeness, by_value: dict[Value, list[Address]], values: tuple[Value, Value], *, drifts: bool
) -> Group:
    every = [address for several in by_value.values() for address in several]
    seen_at = max((address.last_seen_at for address in every if address.last_seen_at), default=None)
    a, b = values
    pair = min(((x, y) for x in by_value[a] for y in by_value[b]), key=_preference)
    return Group(likeness, pair, seen_at, frozenset(by_value), drifts)


def _preference(pair: tuple[Address, Address]) -> tuple[bool, int]:
    """Two that show one text and differ in as little as possible say most."""
    a, b = pair
    return not a.texts.keys() & b.texts.keys(), len(a.place.params.items() ^ b.place.params.items())


def surest_pairs(groups: Iterable[Group]) -> list[tuple[Address, Address]]:
    """Return two addresses of each group that is equal, those with equal texts first."""
    equal = [group for group in groups if group.likeness in SAME]
    return [group.pair for group in sorted(equal, key=lambda group: SAME.index(group.likeness))]


def unlike_pairs(
    host: HostSample, addresses: Sequence[Address], page: Callable[[Address], Hashable]
) -> Iterator[tuple[Address, Address]]:
    """Yield two and two addresses of different pages that showed different things, nearest paths first."""
    for start in (1, 2, 5):
        for a, b in zip(addresses, addresses[start:], strict=False):
            if page(a) != page(b) and host.shown([a]).compare(host.shown([b])) is Likeness.DIFFERENT:
                yield a, b


def public_pairs(
    pairs: Iterable[tuple[Address, Address]], names: Sequence[str] = (), most: int = MOST_PAIRS
) -> tuple[Pair, ...]:
    """Return the first pairs as they were stored, those without secrets if there are enough.

    Where the parameters in question hold what looks like a secret, made-up values stand in their place.
    """
    plain: dict[Pair, None] = {}
    masked: dict[Pair, None] = {}
    for a, b in pairs:
        if len(plain) >= most:
            break
        if not (a.url.isprintable() and b.url.isprintable()):
            continue
        if not has_secret(a.url) and not has_secret(b.url):
            plain[a.url, b.url] = None
        elif len(masked) < most:
            pair = tuple(_masked(url, names, f"{len(masked)}{side}") for side, url in enumerate((a.url, b.url)))
            if all(pair):
                masked[pair[0], pair[1]] = None
    return (*plain, *masked)[:most]


def _masked(url: str, names: Sequence[str], seed: str) -> str:
    """The address with made-up values for these parameters; '' if it holds another secret."""
    before, _, query = url.partition("#")[0].partition("?")
    parts, rest = [], []
    for part in query.split("&"):
        name, equals, _ = part.partition("=")
        if name.lower() in names and equals:
            parts.append(f"{name}={blake2b(seed.encode(), digest_size=16).hexdigest()}")
        else:
            parts.append(part)
            rest.append(part)
    return "" if has_secret(f"{before}?{'&'.join(rest)}") else f"{before}?{'&'.join(parts)}"
