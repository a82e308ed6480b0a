"""What is kept of many observations: whole pages, chosen by a hash, so that memory stays bounded per host.

A page is kept with all its addresses or not at all, whatever they showed. A sample that favored equal showings
would see neutral parameters everywhere.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from hashlib import blake2b

from ...rules.ruleset import Rules
from .facts import LearningLimits, Likeness, Observation
from .places import Place, is_literal, place_of

_MOST_KINDS = 200
"""Kinds of paths that are kept of a host; a host that has more mints them by the thousand."""

_CROWDED = 4
"""So many times more addresses than are kept of a page must lie on one path to ask what names its pages."""

_MOST_TEXTS = 8
"""Texts that are kept of an address."""


@dataclass(slots=True, eq=False)
class Address:
    """One address of a host: its place and everything it ever showed. ``url`` is how it was stored first."""

    url: str
    place: Place
    texts: dict[str, str] = field(default_factory=dict)
    titles: set[str] = field(default_factory=set)
    alike: dict[str, str] = field(default_factory=dict)
    refs: dict[str, int] = field(default_factory=dict)
    titles_of: dict[str, str] = field(default_factory=dict)
    captured: dict[str, datetime] = field(default_factory=dict)
    last_seen_at: datetime | None = None

    def take(self, shown: Observation) -> None:
        """Add what was shown."""
        if shown.title:
            self.titles.add(shown.title)
        if shown.text and (shown.text in self.texts or len(self.texts) < _MOST_TEXTS):
            self.texts.setdefault(shown.text, shown.form)
            self.titles_of.setdefault(shown.text, shown.title)
            self.refs.setdefault(shown.text, shown.ref)
            if shown.alike:
                self.alike[shown.text] = shown.alike
            if shown.seen_at:
                self.captured[shown.text] = min(shown.seen_at, self.captured.get(shown.text, shown.seen_at))
        last = shown.last_seen_at or shown.seen_at
        if last:
            self.last_seen_at = max(filter(None, (self.last_seen_at, last)))


@dataclass(frozen=True, slots=True)
class Shown:
    """What one or several addresses showed. ``drifts``: texts in place changed a little; ``moved``: altogether."""

    texts: frozenset[str]
    classes: frozenset[str]
    titles: frozenset[str]
    forms: frozenset[str]
    drifts: bool
    moved: bool

    def compare(self, other: Shown) -> Likeness:
        """Return what two showings are to each other, by texts first.

        A text that changed by itself proves no difference. Near texts are none of both: the word in which they
        differ (red, blue) may be what the address chose.
        """
        titles_agree = bool(self.titles & other.titles)
        both_titled = bool(self.titles and other.titles)
        if self.texts & other.texts:
            return Likeness.EXACT if titles_agree or not both_titled else Likeness.UNCLEAR
        if self.classes & other.classes:
            return Likeness.NEAR if titles_agree else Likeness.UNCLEAR
        comparable = bool(self.forms & other.forms)
        if titles_agree and not comparable:
            return Likeness.TITLE
        if self.moved or other.moved:
            return Likeness.UNCLEAR
        return Likeness.DIFFERENT if comparable or both_titled else Likeness.UNCLEAR


def _union(found: Sequence[Shown]) -> Shown:
    return Shown(
        frozenset().union(*(each.texts for each in found)),
        frozenset().union(*(each.classes for each in found)),
        frozenset().union(*(each.titles for each in found)),
        frozenset().union(*(each.forms for each in found)),
        any(each.drifts for each in found),
        any(each.moved for each in found),
    )


def _shown(address: Address, boilerplate: frozenset[str]) -> Shown:
    texts = {text: form for text, form in address.texts.items() if text not in boilerplate}
    classes = {text: address.alike.get(text, text) for text in texts}
    by_form: dict[str, set[str]] = {}
    for text, form in texts.items():
        by_form.setdefault(form, set()).add(classes[text])
    moved = any(len(several) > 1 for several in by_form.values()) or (not texts and len(address.titles) > 1)
    return Shown(
        frozenset(texts),
        frozenset(classes.values()),
        frozenset(address.titles),
        frozenset(by_form),
        len(set(classes.values())) < len(classes),
        moved,
    )


@dataclass(frozen=True, slots=True)
class Cluster:
    """Texts of one page under one title that are not equal; ``refs`` say where each can be found."""

    refs: Mapping[str, int]
    addresses: tuple[Address, ...]

    def settle(self, classes: Mapping[str, str]) -> None:
        """Note which texts are near: the name of its class by text."""
        for address in self.addresses:
            address.alike.update((text, name) for text, name in classes.items() if text in address.texts)


class _Kind:
    """The pages of one kind of path: those with the lowest hashes, each with its addresses by near key."""

    def __init__(self, limits: LearningLimits) -> None:
        self._limits = limits
        self._pages: dict[int, dict[str, Address]] = {}
        self._highest: list[int] = []
        self._named_by: dict[str, str] = {}

    @property
    def addresses(self) -> Iterator[Address]:
        """All that are kept."""
        for page in self._pages.values():
            yield from page.values()

    def find(self, name: str, key: str) -> Address | None:
        """The kept address of this key on the page of that name."""
        return self._pages.get(_hash(name), {}).get(key)

    def page_name(self, place: Place) -> str:
        """The name of the page that an address is kept with."""
        if len(place.last.split("-")) >= self._limits.slug_words:
            return place.last
        naming = self._named_by.get(place.path)
        if naming is None:
            return place.path
        return f"{place.path}?{naming}={place.params.get(naming, '')}" if naming else f"{place.path}?{place.params}"

    def add(self, address: Address, key: str) -> None:
        """Keep an address if its page is kept."""
        name = self.page_name(address.place)
        number = _hash(name)
        page = self._pages.get(number)
        if page is None:
            if len(self._pages) >= self._limits.most_pages:
                if number >= -self._highest[0]:
                    return
                del self._pages[-heapq.heappop(self._highest)]
            heapq.heappush(self._highest, -number)
            page = self._pages[number] = {}
        page[key] = address
        if name == address.place.path and name not in self._named_by:
            if len(page) > _CROWDED * self._limits.most_addresses:
                self._part(name, number)
        elif len(page) > self._limits.most_addresses:
            del page[max(page, key=_hash)]

    def _part(self, path: str, number: int) -> None:
        """Take a path apart that holds many pages: by the parameter that names them."""
        page = self._pages.pop(number)
        self._highest.remove(-number)
        heapq.heapify(self._highest)
        self._named_by[path] = _naming_parameter(page.values())
        for key, address in page.items():
            self.add(address, key)


class HostSample:
    """What is kept of one host."""

    def __init__(self, host: str, limits: LearningLimits) -> None:
        self.host = host
        self._limits = limits
        self._kinds: dict[tuple[str, ...], _Kind] = {}
        self._shown: dict[Address, Shown] = {}

    def take(self, place: Place, shown: Observation) -> None:
        """Add an observation."""
        form = tuple("w" if is_literal(segment) else segment for segment in place.segments)
        kind = self._kinds.get(form)
        if kind is None:
            if len(self._kinds) >= _MOST_KINDS:
                return
            kind = self._kinds[form] = _Kind(self._limits)
        key = f"{place.path}?{sorted(place.params.items())}" if place.params else place.path
        address = kind.find(kind.page_name(place), key)
        if address is not None:
            address.take(shown)
            return
        address = Address(shown.url, place)
        address.take(shown)
        kind.add(address, key)

    @cached_property
    def addresses(self) -> tuple[Address, ...]:
        """All addresses, in an order that does not depend on the one they came in. Ask when all have come."""
        every = (address for kind in self._kinds.values() for address in kind.addresses)
        return tuple(sorted(every, key=lambda address: (address.place.path, sorted(address.place.params.items()))))

    @cached_property
    def boilerplate(self) -> frozenset[str]:
        """Texts that stand under so many titles, or on so many paths, that they say nothing about a page."""
        titles: dict[str, set[str]] = {}
        paths: dict[str, set[str]] = {}
        for address in self.addresses:
            for text in address.texts:
                titles.setdefault(text, set()).add(address.titles_of[text])
                paths.setdefault(text, set()).add(address.place.path)
        limits = self._limits
        return frozenset(
            text
            for text, several in titles.items()
            if len(several) >= limits.boilerplate_titles or len(paths[text]) > limits.most_dates + 1
        )

    def shown(self, addresses: Sequence[Address]) -> Shown:
        """Return what these addresses showed, without boilerplate. Ask when near texts are settled."""
        found = []
        for address in addresses:
            shown = self._shown.get(address)
            if shown is None:
                shown = self._shown[address] = _shown(address, self.boilerplate)
            found.append(shown)
        return found[0] if len(found) == 1 else _union(found)

    def clusters(self) -> Iterator[Cluster]:
        """Yield the texts that may be near: of one page or one slug, of one form, under one title."""
        found: dict[tuple[str, ...], list[Address]] = {}
        for address in self.addresses:
            place = address.place
            page = place.last if len(place.last.split("-")) >= self._limits.slug_words else place.path
            for text, form in address.texts.items():
                title = address.titles_of[text]
                key = (page, form, title) if title else (page, form, "", str(id(address)))
                several = found.setdefault(key, [])
                if not several or several[-1] is not address:
                    several.append(address)
        for (_, form, title, *_), several in found.items():
            refs = {
                text: address.refs[text]
                for address in several
                for text, its_form in address.texts.items()
                if its_form == form and address.titles_of[text] == title
            }
            if len(refs) > 1:
                yield Cluster(refs, tuple(several))


class Sample:
    """What is kept of all hosts. ``seen`` counts the observations that something can be learned from."""

    def __init__(self, rules: Rules, limits: LearningLimits) -> None:
        self.rules = rules
        self.limits = limits
        self.seen = 0
        self._hosts: dict[str, HostSample] = {}

    def take(self, shown: Observation) -> None:
        """Add an observation."""
        place = place_of(shown.url, self.rules)
        if place is None:
            return
        self.seen += 1
        host = self._hosts.get(place.host)
        if host is None:
            host = self._hosts[place.host] = HostSample(place.host, self.limits)
        host.take(place, shown)

    def take_redirect(self, start: str, target: str) -> None:
        """Add a permanent redirect, if it says that a slug moved to another place of its host.

        What else redirects is left out: pages that are gone lead to a front page, and visitors to a consent form.
        """
        a, b = place_of(start, self.rules), place_of(target, self.rules)
        if a is None or b is None or a.host != b.host or a.path == b.path or a.last != b.last:
            return
        if not a.params and not b.params:
            text = f"redirect {b.path}"  # a form of its own: two redirects are nothing to compare
            for url in (start, target):
                self.take(Observation(url, text, form=text))

    @property
    def hosts(self) -> list[HostSample]:
        """All hosts, by name."""
        return [self._hosts[name] for name in sorted(self._hosts)]


def _naming_parameter(addresses: Iterable[Address]) -> str:
    """The parameter whose values each stand for one page, as titles say: of those the one with the fewest; or ''."""
    every = list(addresses)
    titles: dict[str, dict[str, set[str]]] = {}
    for address in every:
        for name, value in address.place.params.items():
            titles.setdefault(name, {}).setdefault(value, set()).update(address.titles)
    naming = [
        (len(values), name)
        for name, values in sorted(titles.items())
        if len(values) >= len(every) // 16 and sum(len(t) > 1 for t in values.values()) <= len(values) // 20
    ]
    return min(naming)[1] if naming else ""


def _hash(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big")
