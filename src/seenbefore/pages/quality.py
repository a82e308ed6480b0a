"""What was read: an article, a part of one, or what stands in its place. In doubt it is an article.

A wall that is taken for an article is compared like one and, being short, decides nothing; an article that is taken
for a wall is lost to every comparison. So each rule here needs a short text *and* words, or the page's own word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ..model import Representation
from ..text.clean import SENTENCE
from ..text.folding import count_cjk, fold
from ..text.phraseset import PhraseSet
from .document import PageDocument
from .metadata import PageMetadata
from .words import ABSTRACTS, CONSENT, ERROR_TITLES, LOGIN, PAYWALL, ROBOT, SCRIPT

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
    for code, phrases in (("robot", ROBOT), ("script", SCRIPT), ("consent", CONSENT), ("login", LOGIN))
)
_QUOTED: Final = re.compile(
    r"“[^”]{1,200}”|„[^“”]{1,200}[“”]|«[^»]{1,200}»|「[^」]{1,200}」|『[^』]{1,200}』|\"[^\"\n]{1,200}\""
)
_TITLE: Final = 20
"""Folded characters up to which a first sentence may be a title, and the second one begins the text."""
_PAYWALL: Final = PhraseSet(map(fold, PAYWALL))
_ERROR_NAMES: Final = tuple(map(fold, ERROR_TITLES))
_ERRORS: Final = PhraseSet(_ERROR_NAMES)
_PARTS: Final = re.compile(r"\s+[|\u2013\u2014\u00b7-]\s+")
_SHARE: Final = 0.6
"""Of a title, from which an error makes it up."""
_SHARE_OF_NOTHING: Final = 0.4
"""The same over a page with hardly any text."""
_ERROR_NUMBER: Final = re.compile(r"\W*(?:40[34]|410|50[03])(?:\W*\Z|(?P<more>\s+[-|\u2013\u2014\u00b7]\s))")
"""A status as the whole of a title, or before the name of a site: "500 arrested" and "5,000 march" are headlines."""
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
    if weight <= SHORT and (error := _error(document, metadata, weight)):
        return Quality(Representation.ERROR_PAGE, (error,))
    if weight <= SHORT and (wall := _wall(document, text, weight)):
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


def _error(document: PageDocument, metadata: PageMetadata, weight: int) -> str:
    """Whether title or headline say that there is no such page; the one that is an article's title says nothing."""
    for title in (document.title, document.text_of("h1"), metadata.title):
        folded = fold(title)
        if not folded or len(folded) > 90:
            continue
        number = _ERROR_NUMBER.match(title)
        if number and (number["more"] is None or weight <= 2 * THIN):
            return "error_number"
        share = _SHARE_OF_NOTHING if weight <= 2 * THIN else _SHARE
        if _ERRORS.is_in(folded) and any(_error_share(part) >= share for part in _PARTS.split(title)):
            return "error_title"
    return ""


def _error_share(part: str) -> float:
    """How much of a title, or of a part beside the name of a site, is what an error is called."""
    folded = fold(part)
    longest = max((len(name) for name in _ERROR_NAMES if name in folded), default=0)
    return longest / max(1, len(folded))


def _wall(document: PageDocument, text: str, weight: int) -> str:
    sentences = _sentences(text)
    body = document.first("body") if weight <= THIN else None
    whole = "\n".join(_sentences(body.text(separator=" ")[:20000])) if body is not None else ""
    for code, phrases in _WALLS:
        if _is_said(sentences, phrases) or (len(whole) <= 2 * SHORT and phrases.is_in(whole)):
            return f"{code}_wall"
    return ""


def _sentences(text: str) -> list[str]:
    """The sentences of a text, folded; what stands in quotation marks is somebody else's."""
    folded = (fold(found[0]) for found in SENTENCE.finditer(_QUOTED.sub(" ", text)))
    return [sentence for sentence in folded if sentence]


def _is_said(sentences: list[str], phrases: PhraseSet) -> bool:
    """Whether a text says such a thing to its reader: it begins with it, is half of it, or says two such things."""
    said = [sentence for sentence in sentences if phrases.is_in(sentence)]
    if not said:
        return False
    begins = sentences[: 2 if len(sentences[0]) <= _TITLE else 1]
    halves = 2 * sum(map(len, said)) >= sum(map(len, sentences))
    return halves or said[0] in begins or phrases.count("\n".join(sentences)) > 1


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
