"""Which parameters of a host never change what is shown, judged path by path and beside which others.

Names that always change together are judged together. What was found to be neutral is left out of sight when the
others are judged, round after round, until nothing changes.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...redact import has_secret
from ...rules.schema import Pair
from ...rules.values import VALUE_TYPES
from .facts import SAME, LearningLimits, Tally, Why
from .groups import Group, compare_group, public_pairs, surest_pairs, unlike_pairs
from .places import Segments, collapse, template
from .sample import Address, HostSample

Names = frozenset[str]
Neutral = Mapping[Segments, set[str]]
"""Names that change nothing, by the kind of path."""

_MOST_ROUNDS = 5
_MOST_TOGETHER = 4
_MOST_SETS = 20
_PARAMETER = re.compile(r"[a-z0-9._~%$!:*@|\[\]-]+")
_LEAST_VALUE = 2
"""Pages that a value must have stood on to be named."""


@dataclass(slots=True)
class _Cell:
    """What was counted on one kind of path, beside one set of other names."""

    tally: Tally = field(default_factory=Tally)
    groups: list[Group] = field(default_factory=list)


Cells = dict[tuple[Segments, Names], _Cell]


@dataclass(slots=True)
class Judged:
    """What became of one parameter, or of several that change together."""

    names: Names
    why: Why
    tally: Tally
    paths: frozenset[Segments] = frozenset()
    match: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    value_types: tuple[str, ...] = ()
    distinct_values: int = 0
    must_match: tuple[Pair, ...] = ()
    must_not_match: tuple[Pair, ...] = ()


def judge_parameters(host: HostSample, known: Collection[str], limits: LearningLimits) -> list[Judged]:
    """Return what became of every parameter of a host that was seen with several values on one page.

    ``known`` are names that select content by what is known of them; they are judged, and never proposed.
    """
    judge = _Judge(host, known, limits)
    neutral: dict[Segments, set[str]] = {}
    found: list[Judged] = []
    for _ in range(_MOST_ROUNDS):
        found = judge.round(neutral)
        grown: dict[Segments, set[str]] = {}
        for each in found:
            if each.why is Why.PROPOSED:
                for path in each.paths:
                    grown.setdefault(path, set()).update(each.names)
        if grown == neutral:
            break
        neutral = grown
    return found


class _Judge:
    """One host. ``by_path`` holds its addresses, those of one path together."""

    def __init__(self, host: HostSample, known: Collection[str], limits: LearningLimits) -> None:
        self._host = host
        self._known = known
        self._limits = limits
        by_path: dict[str, list[Address]] = {}
        for address in host.addresses:
            by_path.setdefault(address.place.path, []).append(address)
        self._paths = [several for several in by_path.values() if len(several) > 1]
        self._with_name: dict[str, list[list[Address]]] = {}
        for several in self._paths:
            for name in sorted({name for address in several for name in address.place.params}):
                self._with_name.setdefault(name, []).append(several)

    def round(self, neutral: Neutral) -> list[Judged]:
        """Judge every name alone, then those that change together only."""
        alone = {name: self._judge(frozenset((name,)), neutral) for name in self._with_name}
        settled = {name for name, each in alone.items() if each.why in (Why.PROPOSED, Why.MATTERS, Why.KNOWN)}
        found = [each for each in alone.values() if each.tally.total]
        for names in self._together(settled | set(self._known), neutral):
            each = self._judge(names, neutral)
            if each.why is Why.PROPOSED and not names & settled:
                settled |= names
                found = [other for other in found if not other.names <= names]
            if each.tally.total and not any(names & other.names for other in found):
                found.append(each)
        return found

    def _together(self, settled: set[str], neutral: Neutral) -> list[Names]:
        """Names that differ together where two addresses of a path showed the same text, the most frequent first."""
        counts: Counter[Names] = Counter()
        for several in self._paths:
            first: dict[str, Address] = {}
            for address in several:
                hidden = neutral.get(address.place.segments, set())
                for text in sorted(address.texts.keys() - self._host.boilerplate):
                    other = first.setdefault(text, address)
                    names = _differing(address, other) - hidden
                    if 1 < len(names) <= _MOST_TOGETHER and not names & settled:
                        counts[names] += 1
        usual = [names for names, count in counts.items() if 2 * count >= self._limits.min_pages]
        return sorted(usual, key=lambda names: (-counts[names], sorted(names)))[:_MOST_SETS]

    # --- one parameter --------------------------------------------------------------------------

    def _judge(self, names: Names, neutral: Neutral) -> Judged:
        limits = self._limits
        cells = self._count(names, neutral)
        whole = _sum(cells.values())
        beside = self._beside(cells)
        paths, forms = self._reach(cells, beside)
        kept = {at: cell for at, cell in cells.items() if forms.get(at[0]) in paths and beside <= at[1]}
        tally = _sum(kept.values())
        if not names.isdisjoint(self._known):
            return Judged(names, Why.KNOWN, whole, distinct_values=len(_values(cells.values())))
        if not all(map(_PARAMETER.fullmatch, names | beside)):
            return Judged(names, Why.NO_EXAMPLES, whole)
        why = tally.why_not(limits, limits.min_pages)
        if why is not Why.PROPOSED:
            shown = whole if why is Why.FEW else tally
            return Judged(names, Why.MATTERS if why is Why.FEW and whole.is_bad(limits) else why, shown)
        judged = Judged(names, why, tally, frozenset(at for at, form in forms.items() if form in paths))
        judged.match = tuple(sorted(map(template, paths)))
        judged.beside = tuple(sorted(beside))
        judged.distinct_values = len(_values(kept.values()))
        return self._with_examples(judged, kept, neutral)

    def _count(self, names: Names, neutral: Neutral) -> Cells:
        """Compare the addresses that are equal but for these names and what is neutral."""
        cells: Cells = {}
        for key, by_value in self._groups(names, neutral):
            group = compare_group(self._host, by_value)
            cell = cells.setdefault(key, _Cell())
            cell.tally.count(group.likeness, group.seen_at, drifts=group.drifts)
            cell.groups.append(group)
        return cells

    def _groups(
        self, names: Names, neutral: Neutral
    ) -> Iterator[tuple[tuple[Segments, Names], dict[tuple[str | None, ...], list[Address]]]]:
        ordered = sorted(names)
        for several in self._with_name.get(ordered[0], ()):
            groups: dict[tuple[tuple[str, str], ...], dict[tuple[str | None, ...], list[Address]]] = {}
            segments = several[0].place.segments
            hidden = names | neutral.get(segments, set())
            for address in several:
                params = address.place.params
                others = tuple(sorted((name, value) for name, value in params.items() if name not in hidden))
                value = tuple(params.get(name) for name in ordered)
                groups.setdefault(others, {}).setdefault(value, []).append(address)
            for others, by_value in groups.items():
                if len(by_value) > 1:
                    yield (segments, frozenset(name for name, _ in others)), by_value

    def _beside(self, cells: Cells) -> Names:
        """The names that stood beside these wherever they changed nothing."""
        good = [others for (_, others), cell in cells.items() if cell.tally.equal and not self._is_bad(cell)]
        return frozenset.intersection(*good) if good else frozenset()

    def _is_bad(self, cell: _Cell) -> bool:
        return cell.tally.is_bad_part(self._limits)

    def _reach(self, cells: Cells, beside: Names) -> tuple[set[Segments], dict[Segments, Segments]]:
        """The kinds of paths that a rule may name, and the one that each path would be named by.

        A path on which something else was shown stays out, and so does one with too few pages.
        """
        tallies: dict[Segments, Tally] = {}
        bad: set[Segments] = set()
        for (segments, others), cell in cells.items():
            if beside <= others:
                tallies.setdefault(segments, Tally()).add(cell.tally)
                if self._is_bad(cell):
                    bad.add(segments)
        forms = collapse(tallies.keys() - bad, bad, self._limits.most_literals)
        pooled: dict[Segments, Tally] = {}
        for segments, tally in tallies.items():
            if segments not in bad:
                pooled.setdefault(forms[segments], Tally()).add(tally)
        return {form for form, tally in pooled.items() if tally.equal >= self._limits.min_pages_each}, {
            segments: form for segments, form in forms.items() if segments not in bad
        }

    # --- what a rule shows ----------------------------------------------------------------------

    def _with_examples(self, judged: Judged, cells: Cells, neutral: Neutral) -> Judged:
        """Add the values that the rule is limited to, and stored pairs; without them nothing is proposed."""
        values = _values(cells.values())
        if len(values) <= self._limits.most_values:
            judged.values = tuple(sorted(value for value, count in values.items() if count >= _LEAST_VALUE))
            if not judged.values or any(has_secret(f"?{n}={v}") for n in judged.names for v in judged.values):
                judged.why = Why.NO_EXAMPLES
                return judged
        else:
            judged.value_types = _type_of(values)
        names = sorted(judged.names)
        equal = surest_pairs(group for cell in cells.values() for group in cell.groups)
        allowed = [pair for pair in equal if all(_is_reached(judged, address) for address in pair)]
        allowed.sort(key=lambda pair: not _differing(*pair) <= judged.names)
        judged.must_match = public_pairs(allowed, names)
        judged.must_not_match = public_pairs(self._unlike(judged, neutral), names)
        if min(len(judged.must_match), len(judged.must_not_match)) < 2:
            judged.why = Why.NO_EXAMPLES
        return judged

    def _unlike(self, judged: Judged, neutral: Neutral) -> Iterator[tuple[Address, Address]]:
        """Pages that must stay two: those that the rule is about, else any of the host."""
        every = self._host.addresses
        mine = [a for a in every if a.place.segments in judged.paths and judged.names & a.place.params.keys()]

        def page(address: Address) -> object:
            hidden = judged.names | neutral.get(address.place.segments, set())
            return address.place.path, frozenset((n, v) for n, v in address.place.params.items() if n not in hidden)

        yield from unlike_pairs(self._host, mine, page)
        yield from unlike_pairs(self._host, every, page)


def _differing(a: Address, b: Address) -> Names:
    mine, theirs = a.place.params, b.place.params
    return frozenset(name for name in mine.keys() | theirs.keys() if mine.get(name) != theirs.get(name))


def _sum(cells: Iterable[_Cell]) -> Tally:
    total = Tally()
    for cell in cells:
        total.add(cell.tally)
    return total


def _values(cells: Iterable[_Cell]) -> Counter[str]:
    """The values that stood on pages which were equal, in lower case, and on how many."""
    found: Counter[str] = Counter()
    for cell in cells:
        for group in cell.groups:
            if group.likeness in SAME:
                found.update({str(v).lower() for value in group.values for v in _parts(value) if v is not None})
    return found


def _parts(value: object) -> Sequence[object]:
    return value if isinstance(value, tuple) else (value,)


def _type_of(values: Collection[str]) -> tuple[str, ...]:
    """The narrowest type that all values have, of those that no id of a page has."""
    return next(((name,) for name in ("session", "host", "hex") if all(map(VALUE_TYPES[name], values))), ())


def _is_reached(judged: Judged, address: Address) -> bool:
    """Whether a rule with these values takes the names off an address, if it has them."""
    found = [address.place.params[name].lower() for name in judged.names if name in address.place.params]
    return not judged.values or all(value in judged.values for value in found)
