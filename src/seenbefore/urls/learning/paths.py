"""Which parts of a host's paths move while the slug and the text stay: dates, and sections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from ...rules.schema import Pair
from ..page import Page, is_in_other_section, page_of
from .facts import LearningLimits, Likeness, Subject, Tally, Why
from .groups import Group, compare_group, public_pairs, surest_pairs, unlike_pairs
from .places import DATE_PARTS, is_literal, template
from .sample import Address, HostSample

_DATED = (
    ("{year}", "{month}", "{day}"),
    ("{year}", "{month}"),
    ("{date:digits:8}",),
    ("{year}-{month}-{day}",),
)
"""What may stand for the date of an article in its path."""


@dataclass(slots=True)
class Moving:
    """What became of the dates or the sections before the slugs of one kind of path."""

    subject: Subject
    name: str
    why: Why
    tally: Tally
    match: tuple[str, ...] = ()
    must_match: tuple[Pair, ...] = ()
    must_not_match: tuple[Pair, ...] = ()


@dataclass(slots=True)
class _Frame:
    """The paths that are equal but for what may move: by slug, then by what stands there."""

    slugs: dict[str, dict[str, list[Address]]] = field(default_factory=dict)

    def add(self, slug: str, value: str, address: Address) -> None:
        self.slugs.setdefault(slug, {}).setdefault(value, []).append(address)

    def groups(self) -> Iterator[dict[str, list[Address]]]:
        return (by_value for by_value in self.slugs.values() if len(by_value) > 1)


def judge_paths(host: HostSample, limits: LearningLimits) -> list[Moving]:
    """Return what became of every kind of path of a host under which a slug was seen at several places.

    Only slugs of several words are looked at, and no page that a rule of the site names already.
    """
    dated: dict[str, _Frame] = {}
    sections: dict[str, _Frame] = {}
    for address in host.addresses:
        page = _page(address, limits)
        if page is None:
            continue
        parts = address.place.path.strip("/").split("/")
        directory, slug = address.place.segments[:-1], parts[-1]
        ending = slug[len(address.place.last) :]
        date = next((d for d in _DATED if "\0".join(d) in "\0".join(directory)), None)
        if date is not None and sum(part in DATE_PARTS for part in directory) == len(date):
            form = template((*directory, f"{{story:slug:{limits.slug_words}}}{ending}"))
            value = "/".join(p for p, kind in zip(parts, directory, strict=False) if kind in DATE_PARTS)
            dated.setdefault(form, _Frame()).add(slug, value, address)
        elif directory and all(map(is_literal, directory)):
            for place, section in enumerate(directory):
                form = template((*directory[:place], "{section}", *directory[place + 1 :], f"*{ending}"))
                sections.setdefault(form, _Frame()).add(slug, section, address)
    found = [_judge_dates(host, form, frame, limits) for form, frame in sorted(dated.items())]
    found += [_judge_sections(host, form, frame, limits) for form, frame in sorted(sections.items())]
    return [each for each in found if each is not None]


def _page(address: Address, limits: LearningLimits) -> Page | None:
    place = address.place
    if place.params or place.is_named or not place.segments or not place.segments[-1].startswith("{slug}"):
        return None
    page = page_of(f"{place.host}{place.path}")
    return page if page is not None and len(page.words) >= limits.slug_words else None


# --- dates --------------------------------------------------------------------------------------


def _judge_dates(host: HostSample, form: str, frame: _Frame, limits: LearningLimits) -> Moving | None:
    tally, groups = Tally(), []
    for by_date in frame.groups():
        group = compare_group(host, by_date)
        returns = len(by_date) > limits.most_dates  # an open thread says the same every week
        tally.count(Likeness.DIFFERENT if returns else group.likeness, group.seen_at, drifts=group.drifts)
        groups.append(group)
    if not tally.total:
        return None
    moving = Moving(Subject.DATES, form, _why(tally, limits), tally, (form,))
    return _with_examples(host, moving, groups, [a for several in frame.slugs.values() for a in _first(several)])


def _why(tally: Tally, limits: LearningLimits) -> Why:
    """One slug that returns with another text is enough: a rule could not leave it out."""
    if tally.different:
        return Why.RETURNS
    return tally.why_not(limits, limits.min_moves, over_time=True)


def _with_examples(host: HostSample, moving: Moving, groups: list[Group], addresses: list[Address]) -> Moving:
    if moving.why is Why.PROPOSED:
        moving.must_match = public_pairs(surest_pairs(groups))
        moving.must_not_match = public_pairs(unlike_pairs(host, addresses, lambda a: a.place.last))
        if min(len(moving.must_match), len(moving.must_not_match)) < 2:
            moving.why = Why.NO_EXAMPLES
    return moving


def _first(by_value: dict[str, list[Address]]) -> list[Address]:
    return next(iter(by_value.values()))[:1]


# --- sections -----------------------------------------------------------------------------------


def _judge_sections(host: HostSample, form: str, frame: _Frame, limits: LearningLimits) -> Moving | None:
    """Only sections between which slugs were seen to move are named in the rule."""
    tally, groups = Tally(), []
    moves: dict[str, int] = {}
    for by_section in frame.groups():
        if not _are_sections(by_section):
            continue
        group = compare_group(host, by_section)
        tally.count(group.likeness, group.seen_at, drifts=group.drifts)
        groups.append(group)
        for section in by_section if group.likeness is Likeness.EXACT else ():
            moves[section] = moves.get(section, 0) + 1
    if not tally.total:
        return None
    named = sorted(section for section, count in moves.items() if count >= limits.min_moves_each)
    start, _, end = form.partition("{section}")
    story = f"{{story:slug:{limits.slug_words}}}"
    match = tuple(f"{start}{section}{end.replace('*', story)}" for section in named)
    moving = Moving(Subject.SECTION, form.replace("*", "{slug}"), _why(tally, limits), tally, match)
    if moving.why is Why.PROPOSED and len(match) < 2:
        moving.why = Why.FEW
    reached = [g for g in groups if all(a.place.path.startswith(tuple(f"{start}{s}/" for s in named)) for a in g.pair)]
    addresses = [a for several in frame.slugs.values() for name in named for a in several.get(name, ())[:1]]
    return _with_examples(host, moving, reached, addresses)


def _are_sections(by_section: dict[str, list[Address]]) -> bool:
    """Whether what differs are sections, by what they are called: no languages, people, or other kinds of things."""
    pages = [page_of(f"{a.place.host}{a.place.path}") for several in by_section.values() for a in several[:1]]
    return all(a and b and is_in_other_section(a, b) for a, b in combinations(pages, 2))
