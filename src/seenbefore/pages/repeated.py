"""Paragraphs that many articles of one host share: no part of any of them. Learned from stored pages, pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from hashlib import sha256

from ..text.folding import fold


@dataclass(frozen=True, slots=True)
class RepeatLimits:
    """From when on a paragraph belongs to the host: seen on ``articles`` articles at least, and on ``share`` of them.

    Fewer than ``least`` articles of a host teach nothing.
    """

    least: int = 8
    articles: int = 4
    share: float = 0.25


DEFAULT_REPEATS = RepeatLimits()


def paragraph_hash(paragraph: str) -> str:
    """Return 16 hex digits that two spellings of a paragraph share; '' for one without letters and digits.

    >>> paragraph_hash("Sign up now!") == paragraph_hash("SIGN UP, now"), paragraph_hash("***")
    (True, '')
    """
    folded = fold(paragraph)
    return sha256(folded.encode("utf-8", "surrogatepass")).hexdigest()[:16] if folded else ""


def learn_repeated(texts: Iterable[tuple[str, str]], limits: RepeatLimits = DEFAULT_REPEATS) -> tuple[str, ...]:
    """Return the hashes of the paragraphs that the articles of a host share, in order.

    >>> pages = [(f"/{n}", f"Story {n} begins.\\nSign up for our newsletter.") for n in range(10)]
    >>> learn_repeated(pages) == (paragraph_hash("Sign up for our newsletter."),)
    True

    One article that was read many times teaches nothing, and neither does the order of the articles:

    >>> learn_repeated([("/1", "Story 1 begins.\\nSign up for our newsletter.")] * 10)
    ()

    ``texts`` are (article, text) with one paragraph a line.
    """
    by_article: dict[str, set[str]] = {}
    for article, text in texts:
        by_article.setdefault(article, set()).update(filter(None, map(paragraph_hash, text.splitlines())))
    if len(by_article) < limits.least:
        return ()
    counts = Counter(each for hashes in by_article.values() for each in hashes)
    needed = max(limits.articles, limits.share * len(by_article))
    return tuple(sorted(each for each, count in counts.items() if count >= needed))


def remove_repeated(text: str, repeated: Collection[str]) -> str:
    """Return a text without the paragraphs that belong to its host; the whole text when nothing would be left.

    >>> known = {paragraph_hash("Sign up now.")}
    >>> remove_repeated("The bridge is closed.\\nSign up now.", known), remove_repeated("Sign up now.", known)
    ('The bridge is closed.', 'Sign up now.')
    """
    if not repeated:
        return text
    kept = [line for line in text.splitlines() if paragraph_hash(line) not in repeated]
    return "\n".join(kept) or text
