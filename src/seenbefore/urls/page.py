"""An address as a place: host, directory and slug. Slugs are words that a person chose for one article."""

from __future__ import annotations

import re
from typing import NamedTuple

_SUFFIX = re.compile(r"\.(?:html?|php|aspx?|jsp)\Z", re.IGNORECASE)
_JOINTS = re.compile(r"[-_+.]+")
_DIGIT = re.compile(r"[0-9]")

MIN_WORDS = 3
"""A slug of fewer words may name many things: launch, open-thread."""


class Page(NamedTuple):
    """Where an article lies. ``words`` are those of its slug."""

    host: str
    directory: str
    words: tuple[str, ...]


def page_of(near: str) -> Page | None:
    """Return the place that a ``url_near`` key names, or None when its last part is no slug.

    >>> page_of("example.com/news/building-ai-defenders.html")
    Page(host='example.com', directory='/news', words=('building', 'ai', 'defenders'))
    >>> page_of("example.com/news/57505076"), page_of("example.com/open-thread"), page_of("example.com/a-b-c?id=7")
    (None, None, None)
    """
    if "?" in near or "#" in near:
        return None
    host, _, path = near.partition("/")
    directory, _, slug = f"/{path}".rpartition("/")
    words = tuple(word for word in _JOINTS.split(_SUFFIX.sub("", slug).lower()) if word)
    return Page(host, directory, words) if len(words) >= MIN_WORDS else None


def is_in_other_section(a: Page, b: Page) -> bool:
    """Return whether one slug lies in two sections of a site; years and numbers in a path are no sections.

    >>> a, b = page_of("example.com/news/building-ai-defenders"), page_of("example.com/research/building-ai-defenders")
    >>> is_in_other_section(a, b)
    True
    >>> weekly = [page_of(f"example.com/2024/05/{day}/week-in-review") for day in ("04", "11")]
    >>> is_in_other_section(*weekly)
    False
    """
    if a.words != b.words or a.directory == b.directory:
        return False
    return not _DIGIT.search(a.directory) and not _DIGIT.search(b.directory)


def is_shortened(a: Page, b: Page) -> bool:
    """Return whether the slugs differ only in words that one of them leaves out, and none of those is a number.

    >>> a, b = page_of("example.com/blog/improving-our-agent-harness"), page_of("example.com/blog/improving-agent-harness")
    >>> is_shortened(a, b)
    True

    A word in another one's place, or a number, tells two articles apart.

    >>> c, d = page_of("example.com/blog/jobs-report-june"), page_of("example.com/blog/jobs-report-july")
    >>> is_shortened(c, d), is_shortened(c, page_of("example.com/blog/jobs-report-june-2"))
    (False, False)
    """
    longer, shorter = (a.words, b.words) if len(a.words) >= len(b.words) else (b.words, a.words)
    if a.directory != b.directory or longer == shorter:
        return False
    rest = list(longer)
    for word in shorter:
        if word not in rest:
            return False
        rest.remove(word)
    return not any(_DIGIT.search(word) for word in rest) and 2 * len(rest) <= len(shorter)
