"""Feeds of realistic size, the same on every machine: made from a seed, with words that no dictionary has."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Final

START: Final = datetime(2026, 1, 5, 6, tzinfo=UTC)
_SYLLABLES = "ba de fi go hu ka le mi no pu ra se ti vo wu za ber dan fel gor han kir lom mar nes por".split()
_WORDS_PER_ENTRY = 300


def write_feeds(folder: Path, feeds: int, entries: int, built_at: datetime) -> None:
    """Write RSS files; only their build date depends on ``built_at``."""
    folder.mkdir(parents=True)
    for number in range(feeds):
        text = _feed(random.Random(number), number, entries, built_at)
        (folder / f"feed{number:04}.xml").write_text(text, encoding="utf-8")


def _feed(random_: random.Random, number: int, entries: int, built_at: datetime) -> str:
    site = f"https://site{number}.example"
    items = "".join(_item(random_, site, n) for n in range(entries))
    return (
        '<?xml version="1.0" encoding="utf-8"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>'
        f"<title>Site {number}</title><link>{site}/</link><description>News of site {number}</description>"
        f'<atom:link rel="self" type="application/rss+xml" href="{site}/feed.xml"/>'
        f"<lastBuildDate>{format_datetime(built_at)}</lastBuildDate>{items}</channel></rss>"
    )


def _item(random_: random.Random, site: str, number: int) -> str:
    title = " ".join(_words(random_, random_.randint(5, 11))).capitalize()
    slug = title.lower().replace(" ", "-")
    published = START - timedelta(hours=3 * number, minutes=random_.randrange(60))
    paragraphs = []
    left = round(random_.gauss(_WORDS_PER_ENTRY, 60))
    while left > 0:
        size = random_.randint(30, 90)
        paragraphs.append(f"&lt;p&gt;{' '.join(_sentences(random_, size))}&lt;/p&gt;")
        left -= size
    return (
        f"<item><title>{title}</title><link>{site}/{published:%Y/%m/%d}/{slug}/</link>"
        f'<guid isPermaLink="false">{site}/?p={1000 + number}</guid>'
        f"<pubDate>{format_datetime(published)}</pubDate><description>{''.join(paragraphs)}</description></item>"
    )


def _sentences(random_: random.Random, words: int) -> Iterator[str]:
    while words > 0:
        size = min(words, random_.randint(6, 18))
        yield " ".join(_words(random_, size)).capitalize() + "."
        words -= size


def _words(random_: random.Random, count: int) -> list[str]:
    return ["".join(random_.choices(_SYLLABLES, k=random_.choice((1, 1, 2, 2, 3)))) for _ in range(count)]
