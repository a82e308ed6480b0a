"""Feeds as they are met in reality, the same on every machine: lengths, formats and texts are drawn from seeds.

A feed has between a tenth and three times the mean number of entries. A third of the feeds have teasers, the
others whole articles; a text has 300 words on average over all entries, the longest more than 2,000. One feed in
ten is Japanese or Chinese. What a feed says depends on its number alone, so feeds can be made one by one, in any
order, and a later reading differs only in its build date.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from .feed_formats import FORMATS, Entry, Feed, Format
from .make_words import CHINESE, ENGLISH, JAPANESE, Language, language

START: Final = datetime(2026, 1, 5, 6, tzinfo=UTC)
MEAN_WORDS: Final = 300

_SPREAD: Final = 1.0
_TEASERS: Final = 0.35
_TEASER_WORDS: Final = 45
_ARTICLE_WORDS: Final = (MEAN_WORDS - _TEASERS * _TEASER_WORDS) / (1 - _TEASERS)
_TAGS: Final = 40


@dataclass(frozen=True, slots=True)
class Plan:
    """What a feed is like: its number, its format, how many entries it has, their language and mean length."""

    number: int
    format: Format
    entries: int
    language: str
    words: float

    @property
    def file_name(self) -> str:
        """Return the name of its file."""
        return f"feed{self.number:06}.{'json' if self.format.name == 'json' else 'xml'}"


def draw_lengths(feeds: int, mean: int, seed: int = 0) -> list[int]:
    """Return how many entries each of some feeds has: most are short, few are long, the sum is exact."""
    random_ = random.Random(f"lengths {seed}")
    least, most = max(1, mean // 10), 3 * mean
    drawn = [random_.lognormvariate(0, _SPREAD) for _ in range(feeds)]

    def stretched(factor: float) -> list[int]:
        return [min(max(round(factor * length), least), most) for length in drawn]

    low, high = 0.0, float(most)
    for _ in range(40):  # both ends are cut off, so the factor has to be searched
        middle = (low + high) / 2
        low, high = (middle, high) if sum(stretched(middle)) < feeds * mean else (low, middle)
    lengths = stretched(high)
    while missing := feeds * mean - sum(lengths):
        step = 1 if missing > 0 else -1
        free = [n for n, length in enumerate(lengths) if least <= length + step <= most]
        for n in random_.sample(free, min(abs(missing), len(free))):
            lengths[n] += step
    return lengths


def plan_feed(number: int, entries: int, words_per_entry: float = MEAN_WORDS) -> Plan:
    """Return what the feed with this number is like."""
    random_ = random.Random(f"plan {number}")
    [format_] = random_.choices(FORMATS, [f.weight for f in FORMATS])
    spoken = JAPANESE if format_.name == "rdf" else ENGLISH
    if random_.random() < 0.07:
        spoken = random_.choice((JAPANESE, CHINESE))
    mean = _TEASER_WORDS if random_.random() < _TEASERS else _ARTICLE_WORDS
    return Plan(number, format_, entries, spoken, mean * words_per_entry / MEAN_WORDS)


def plan_feeds(feeds: int, entries: int) -> list[Plan]:
    """Return feeds with ``entries`` entries on average."""
    return [plan_feed(number, length) for number, length in enumerate(draw_lengths(feeds, entries))]


def make_feed(plan: Plan, *built_at: datetime) -> list[bytes]:
    """Return one feed as it was at these times; nothing but its build date differs."""
    random_ = random.Random(f"feed {plan.number}")
    spoken = language(plan.language)
    title = spoken.title(random_)
    entries = list(_entries(random_, spoken, plan))
    feeds = (Feed(f"site{plan.number}.example", title, plan.language, at) for at in built_at)
    return [plan.format.write(feed, entries).encode("utf-8") for feed in feeds]


def write_feeds(folders: Mapping[Path, datetime], plans: Iterable[Plan]) -> None:
    """Write the feeds into each folder, as they were at its time."""
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
    for plan in plans:
        for folder, data in zip(folders, make_feed(plan, *folders.values()), strict=True):
            (folder / plan.file_name).write_bytes(data)


def _entries(random_: random.Random, spoken: Language, plan: Plan) -> Iterator[Entry]:
    rate = random_.choice((1, 3, 12, 48))  # hours between two entries
    tags = spoken.words(random_, _TAGS)
    authors = [f"{a.title()} {b.title()}" for a, b in zip(*[iter(spoken.words(random_, 8))] * 2, strict=False)]
    for number in range(plan.entries):
        # The mean of a log-normal distribution is exp(mu + sigma² / 2).
        length = random_.lognormvariate(math.log(plan.words) - 0.5**2 / 2, 0.5)
        yield Entry(
            number=number,
            title=spoken.title(random_),
            paragraphs=tuple(_paragraphs(random_, spoken, max(8, round(length)))),
            published_at=START - timedelta(hours=rate * number, minutes=random_.randrange(60)),
            author=random_.choice(authors),
            tags=tuple(dict.fromkeys(random_.choices(tags, k=random_.randint(1, 5)))),
            seed=random_.getrandbits(32),
        )


def _paragraphs(random_: random.Random, spoken: Language, words: int) -> Iterator[str]:
    while words > 0:
        size = min(words, random_.randint(25, 110))
        yield spoken.text(random_, size)
        words -= size
