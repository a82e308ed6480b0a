"""What was read: an article, a part of one, or what stands in its place. In doubt it is an article.

A wall that is taken for an article is compared like one and, being short, decides nothing; an article that is taken
for a wall is lost to every comparison. So each rule here needs a short text *and* words, or the page's own word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ..model import Representation
from ..text.folding import count_cjk, fold
from ..text.phraseset import PhraseSet
from .document import PageDocument
from .metadata import PageMetadata
from .words import ABSTRACTS, CONSENT, ERROR_TITLES, PAYWALL, ROBOT, SCRIPT

SHORT: Final = 600
"""Folded characters up to which a text may be a wall or an error; Chinese, Japanese and Korean ones count double."""
TEASER: Final = 1800
"""Up to which a text may be what a paywall lets through."""
ABSTRACT: Final = 4000
"""Up to which a text on a page of a paper may be its abstract; they have 250 words, some 500."""
_END_OF_TEASER: Final = 300
"""Characters at the end of a text where a paywall says that it goes on for subscribers; elsewhere it is quoted."""
THIN: Final = 80
"""Up to which a text is hardly one."""

_WALLS: Final = tuple(
    (code, PhraseSet(map(fold, phrases)))
    for code, phrases in (("robot", ROBOT), ("script", SCRIPT), ("consent", CONSENT))
)
_PAYWALL: Final = PhraseSet(map(fold, PAYWALL))
_ERRORS: Final = PhraseSet(map(fold, ERROR_TITLES))
_ERROR_NUMBERS: Final = ("404", "403", "410", "500", "503")
_ABSTRACT_HEADS: Final = frozenset(map(fold, ABSTRACTS))


@dataclass(frozen=True, slots=True)
class Quality:
    """What was read, and why: codes, the first of which decided."""

    representation: Representation
    reasons: tuple[str, ...]


def weigh(text: str) -> int:
    """Return the length of a text in folded characters, Chinese, Japanese and Korean ones counted twice.

    >>> weigh("橋は閉鎖"), weigh("Bridge, closed!")
    (8, 12)
    """
    folded = fold(text)
    return len(folded) + count_cjk(folded)


def judge_page(document: PageDocument, metadata: PageMetadata, text: str) -> Quality:
    """Return what was read of a page; ``text`` is what the extractor took for the article.

    >>> from .document import parse_page
    >>> from .metadata import read_metadata
    >>> page = parse_page("<title>404 Not Found</title><h1>Not found</h1>")
    >>> judge_page(page, read_metadata(page, ""), "Sorry.").representation.value
    'error_page'

    A long text about such things is an article:

    >>> page = parse_page("<title>Why pages say 404 Not Found</title>")
    >>> judge_page(page, read_metadata(page, ""), "Servers answer with numbers. " * 50).representation.value
    'full_text'
    """
    weight = weigh(text)
    if weight <= SHORT and (error := _error(document, metadata)):
        return Quality(Representation.ERROR_PAGE, (error,))
    if weight <= SHORT and (wall := _wall(document, text)):
        return Quality(Representation.CONSENT_WALL, (wall,))
    if paywall := _paywall(metadata, text, weight):
        return Quality(Representation.PAYWALLED, (paywall,))
    if weight <= ABSTRACT and (abstract := _abstract(document, metadata, text)):
        return Quality(Representation.ABSTRACT, (abstract,))
    if weight > THIN:
        return Quality(Representation.FULL_TEXT, ("article_text",))
    if weigh(metadata.description) > max(weight, THIN):
        return Quality(Representation.SUMMARY, ("too_short", "description_only"))
    return Quality(Representation.SUMMARY if weight else Representation.TITLE_ONLY, ("too_short",))


def _error(document: PageDocument, metadata: PageMetadata) -> str:
    """Whether title or headline say that there is no such page; the one that is an article's title says nothing."""
    for title in (document.title, document.text_of("h1"), metadata.title):
        folded = fold(title)
        if not folded or len(folded) > 90:
            continue
        if folded.startswith(_ERROR_NUMBERS) and len(folded) < 60:
            return "error_number"
        if _ERRORS.is_in(folded) and _fills(folded):
            return "error_title"
    return ""


def _fills(folded: str) -> bool:
    """Whether what an error is called makes up most of a title, the name of a site aside."""
    longest = max((len(fold(phrase)) for phrase in ERROR_TITLES if fold(phrase) in folded), default=0)
    return 5 * longest >= 2 * len(folded)


def _wall(document: PageDocument, text: str) -> str:
    folded = fold(text)
    body = document.first("body")
    whole = fold(body.text(separator=" ")[:20000]) if body is not None and len(folded) <= THIN else ""
    for code, phrases in _WALLS:
        if folded and phrases.is_in(folded):
            return f"{code}_wall"
        if whole and len(whole) <= 2 * SHORT and phrases.is_in(whole):
            return f"{code}_wall"
    return ""


def _paywall(metadata: PageMetadata, text: str, weight: int) -> str:
    if weight > TEASER:
        return ""
    says_so = _PAYWALL.is_in(fold(text[-_END_OF_TEASER:]))
    if metadata.is_free is False and (says_so or weight <= TEASER // 2 or text.rstrip().endswith(("…", "..."))):
        return "not_free"
    return "subscribers_only" if says_so and weight <= TEASER // 2 else ""


def _abstract(document: PageDocument, metadata: PageMetadata, text: str) -> str:
    """Whether a page of a paper shows its abstract and not the paper."""
    if not metadata.is_scholarly:
        return ""
    if metadata.abstract and weigh(text) <= 2 * weigh(metadata.abstract) + SHORT:
        return "abstract_tag"
    marked = document.first("[class*=abstract], [id*=abstract], [class*=Abstract], [id*=Abstract]") is not None
    headed = any(fold(node.text()) in _ABSTRACT_HEADS for node in document.tree.css("h1, h2, h3, h4, strong")[:60])
    return "abstract_section" if marked or headed else "paper_without_text"
