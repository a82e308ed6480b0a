"""Made-up sites of which it is known what their parameters and paths mean, and what feeds list of them over time.

A site knows the one page behind each of its addresses, also behind those that no feed ever listed, so that a rule
can be held against addresses that it was not learned from.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import blake2b

from seenbefore.model import DateEvidence, Item, Precision

from .make_words import ENGLISH, language

START = datetime(2026, 1, 5, 6, tzinfo=UTC)
DAYS = 12
FEEDS = ("rss", "mail", "partner")
_WORDS = language(ENGLISH)

Key = tuple[object, ...]
"""What tells the pages of a site apart."""


def number_of(*parts: object) -> int:
    """Return a number that depends on these alone."""
    return int.from_bytes(blake2b("\0".join(map(str, parts)).encode(), digest_size=6).digest(), "big")


def token(*parts: object, length: int = 10) -> str:
    """Return letters and digits that depend on these alone."""
    return blake2b("\0".join(map(str, parts)).encode(), digest_size=16).hexdigest()[:length]


@dataclass(frozen=True, slots=True)
class Visit:
    """One look at a page: by which feed, on which day; ``nonce`` is another one each time."""

    page: int
    feed: str
    day: int
    nonce: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter. ``draw`` gives its value at a visit (None: it is not there); ``part`` what a value selects."""

    name: str
    role: str
    draw: Callable[[random.Random, Visit], str | None]
    part: Callable[[int, str | None], object] = lambda page, value: None
    shows: str = "nothing"
    """What changes with ``part``: ``text`` under the same title, a ``word`` of it, or ``all``."""

    @property
    def is_neutral(self) -> bool:
        """Whether no value ever selects anything."""
        return self.shows == "nothing"


Values = list[tuple[Parameter, str | None]]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of pages: how their paths look on a day, and their parameters; ``says`` gives what texts depend on.

    With ``is_one`` its paths name one page, and only parameters tell its pages apart.
    """

    name: str
    path: Callable[[int, int], str]
    parameters: tuple[Parameter, ...] = ()
    says: Callable[[int], object] = lambda page: page
    is_one: bool = False
    pages: int = 60
    moves: str = ""
    """What of the path moves though the page stays (``dates``, ``section``), if a rule should say so."""


@dataclass(slots=True)
class Site:
    """A host with its kinds of pages; ``scenario`` says what it is there for."""

    host: str
    scenario: str
    kinds: list[Kind]
    drift: str = "none"
    """What stands below every text: ``none``, another line every ``day``, or at every ``visit``."""
    texts: str = "full"
    """``full``, ``none`` (titles alone) or ``wall`` (one consent text everywhere)."""
    share_seen_twice: float = 0.7
    updated: float = 0.15
    lag: int = 0
    """By how many days the last feed is behind: it shows what a page said then."""
    learnable: bool = True
    """Whether a rule can be expected at all; where not, a right one is no fault."""
    seen: dict[tuple[str, int], dict[str, set[str | None]]] = field(default_factory=dict)

    def visits(self) -> Iterator[tuple[Visit, Kind]]:
        """Yield which feed looks at which page when, by day."""
        draw = random.Random(f"{self.host} visits")
        found: list[tuple[Visit, Kind]] = []
        for kind in self.kinds:
            for page in range(kind.pages):
                first = draw.randrange(DAYS - 5)
                feeds = [FEEDS[0], *(f for f in FEEDS[1:] if draw.random() < self.share_seen_twice)]
                for feed in feeds:
                    for day in sorted({first + draw.randrange(2), first + 2 + draw.randrange(3)}):
                        found.append((Visit(page, feed, day, f"{kind.name} {page} {feed} {day}"), kind))
        return iter(sorted(found, key=lambda each: each[0].day))

    def look(self, visit: Visit, kind: Kind) -> tuple[str, str, str]:
        """Return the address of a visit, and the title and the text that it shows."""
        path, values, parts = self._read(visit, kind)
        seen = self.seen.setdefault((kind.name, visit.page), {})
        for parameter, value in values:
            seen.setdefault(parameter.name, set()).add(value)
        seen.setdefault("", set()).add(path)
        return (self._url(path, values), *self._content(kind, visit, parts))

    def address(self, visit: Visit, kind: Kind) -> tuple[str, Key]:
        """Return the address of a visit and the page behind it."""
        path, values, parts = self._read(visit, kind)
        key = (kind.name, 0 if kind.is_one else visit.page, *((p.name, part) for p, part in parts))
        return self._url(path, values), key

    def _read(self, visit: Visit, kind: Kind) -> tuple[str, Values, list[tuple[Parameter, object]]]:
        """The path, the values of the parameters, and what these select."""
        draw = random.Random(f"{self.host} {visit.nonce}")
        values = [(p, p.draw(draw, visit)) for p in kind.parameters]
        parts = [(p, p.part(visit.page, value)) for p, value in values]
        return kind.path(visit.page, visit.day), values, [(p, part) for p, part in parts if part is not None]

    def _url(self, path: str, values: Values) -> str:
        given = [f"{p.name}={value}" for p, value in values if value is not None]
        return f"https://{self.host}{path}{'?' if given else ''}{'&'.join(given)}"

    def items(self) -> Iterator[list[Item]]:
        """Yield what the feeds list, fetch by fetch."""
        fetches: dict[tuple[int, str], list[Item]] = {}
        for visit, kind in self.visits():
            url, title, text = self.look(visit, kind)
            at = START + timedelta(days=visit.day, minutes=number_of(self.host, visit.feed) % 600)
            posted = START + timedelta(minutes=number_of(self.host, kind.name, visit.page) % 5000)
            fetches.setdefault((visit.day, visit.feed), []).append(
                Item(
                    source=f"https://{self.host}/{visit.feed}.xml",
                    fetch_id=f"{visit.feed} {visit.day}",
                    original_url=url,
                    title=title,
                    content=text,
                    published=DateEvidence("pubDate", posted.isoformat(), posted, Precision.SECOND, 0, True),
                    observed_at=at,
                )
            )
        for fetch in sorted(fetches):
            yield fetches[fetch]

    def addresses(self, seed: int, count: int) -> list[tuple[str, Key]]:
        """Return addresses of all kinds, most of which no feed has listed, with the pages behind them."""
        draw = random.Random(f"{self.host} addresses {seed}")
        found = []
        for number in range(count):
            kind = draw.choice(self.kinds)
            page = draw.randrange(max(4, kind.pages // 4))
            visit = Visit(page, draw.choice(FEEDS), draw.randrange(DAYS), f"other {seed} {number}")
            found.append(self.address(visit, kind))
        return found

    def _content(self, kind: Kind, visit: Visit, parts: Sequence[tuple[Parameter, object]]) -> tuple[str, str]:
        title_seed: list[object] = [self.host, kind.name, 0 if kind.is_one else kind.says(visit.page)]
        text_seed = list(title_seed)
        for parameter, part in parts:
            if parameter.shows == "all":
                title_seed.append(part)
            if parameter.shows in ("all", "text"):
                text_seed.append(part)
        title = _WORDS.title(random.Random(f"title {title_seed}"))
        if self.texts == "none":
            return title, ""
        if self.texts == "wall":
            return title, _WORDS.text(random.Random(f"wall {self.host}"), 70)
        text = self._text(text_seed, visit, kind)
        words = [str(part) for parameter, part in parts if parameter.shows == "word"]
        return title, f"{text} {' '.join(f'Comes in {word}.' for word in words)}".strip()

    def _text(self, seed: list[object], visit: Visit, kind: Kind) -> str:
        paragraphs = [_WORDS.text(random.Random(f"text {seed} {n}"), 45) for n in range(3)]
        fate = number_of(seed, "updated") % 1000 / 1000
        day = visit.day - (self.lag if visit.feed == FEEDS[-1] else 0)
        if fate < self.updated and day >= number_of(seed, "day") % DAYS:
            if fate < self.updated / 5:
                paragraphs = [_WORDS.text(random.Random(f"again {seed} {n}"), 45) for n in range(3)]
            else:
                paragraphs[1] += " " + _WORDS.text(random.Random(f"more {seed}"), 12)
        if self.drift != "none":
            when = day if self.drift == "day" else visit.nonce
            paragraphs.append("Most read: " + _WORDS.title(random.Random(f"{self.host} {when}")))
        return "\n".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)


# --- parameters ---------------------------------------------------------------------------------


def tracker(name: str) -> Parameter:
    """A mark that differs from feed to feed and from week to week."""
    return Parameter(name, "tracker", lambda draw, visit: f"{visit.feed}{draw.randrange(40)}")


def feed_mark(name: str) -> Parameter:
    """A mark that each feed adds, always the same one; the first feed has none."""
    return Parameter(name, "feed mark", lambda draw, visit: None if visit.feed == FEEDS[0] else visit.feed)


def session(name: str) -> Parameter:
    """Another value at every visit."""
    return Parameter(name, "session", lambda draw, visit: token(visit.nonce, length=32))


def order(name: str) -> Parameter:
    """One of a few ways to sort what is beside the article."""
    return Parameter(name, "order", lambda draw, visit: draw.choice((None, "asc", "desc", "votes")))


def twins(first: str, second: str) -> tuple[Parameter, Parameter]:
    """Two marks that never change alone."""
    return (
        Parameter(first, "twins", lambda draw, visit: f"{visit.feed}-{visit.day % 3}"),
        Parameter(second, "twins", lambda draw, visit: f"{visit.day % 3}{visit.feed}"),
    )


def page_id(name: str) -> Parameter:
    """The page itself."""
    return Parameter(name, "id", lambda draw, visit: str(1000 + visit.page), lambda page, value: value, "all")


def paging(name: str) -> Parameter:
    """Pages of one article: the first one also without a number."""
    return Parameter(
        name,
        "paging",
        lambda draw, visit: draw.choice((None, None, "1", "2", "3")),
        lambda page, value: None if value in (None, "1") else value,
        "text",
    )


def tongue(name: str) -> Parameter:
    """Languages."""
    return Parameter(
        name,
        "language",
        lambda draw, visit: draw.choice((None, "de", "fr")),
        lambda page, value: value,
        "all",
    )


def variant(name: str) -> Parameter:
    """The same thing in several colors: one word of the text differs."""
    return Parameter(
        name, "variant", lambda draw, visit: draw.choice(("red", "blue", "green")), lambda page, value: value, "word"
    )


def seldom(name: str, share: float, shows: str = "text") -> Parameter:
    """Selects something on this share of the pages: another text, or another word of it."""

    def part(page: int, value: str | None) -> object:
        return value if value and number_of(name, page) % 1000 < 1000 * share else None

    return Parameter(name, "seldom", lambda draw, visit: draw.choice((None, "x1", "x2")), part, shows)


def selecting(name: str) -> Parameter:
    """Selects everything, with values that look like those of a tracker."""
    return Parameter(
        name, "selecting", lambda draw, visit: f"{visit.feed}{draw.randrange(40)}", lambda page, value: value, "all"
    )


# --- paths --------------------------------------------------------------------------------------


def slug(host: str, page: object, words: int = 6) -> str:
    """Return the slug of a page."""
    return "-".join(_WORDS.rare_words(random.Random(f"slug {host} {page}"), words))


def moved_at(host: str, page: int) -> int | None:
    """Return the day from which on a page lies elsewhere, None if it stays."""
    return 3 + number_of(host, page) % 4 if number_of(host, page, "moves") % 100 < 45 else None


def dated(host: str, pattern: str, *, columns: str = "") -> Callable[[int, int], str]:
    """Return how dated paths look; ``columns`` says which pages return under one slug: ``all`` or ``some``."""

    def path(page: int, day: int) -> str:
        moved = moved_at(host, page)
        date = START + timedelta(days=number_of(host, page) % 20 - 40 + (30 + moved if moved and day >= moved else 0))
        name: object = page
        if is_column(page, columns):
            name, date = f"column {page % 3}", START + timedelta(days=7 * (page // 3))
        return date.strftime(pattern) + slug(host, name)

    return path


def is_column(page: int, columns: str) -> bool:
    """Return whether a page is an issue of a column."""
    return columns == "all" or (columns == "some" and page % 5 == 0)


def in_sections(host: str, sections: Sequence[str]) -> Callable[[int, int], str]:
    """Return paths in sections; a page that moves is put into another one."""

    def path(page: int, day: int) -> str:
        moved = moved_at(host, page)
        place = number_of(host, page) + (1 if moved and day >= moved else 0)
        return f"/{sections[place % len(sections)]}/{slug(host, page)}"

    return path
