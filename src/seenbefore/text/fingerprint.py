"""What the text of an item looks like, and whether one capture of it may replace another."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from ..model import Fingerprint, Representation
from .clean import EXTRACTOR_VERSION, SENTENCE, clean_text
from .folding import count_cjk, fold, is_mostly_cjk
from .media import media_markers
from .phrases import (
    COUNTER_PATTERN,
    FIRST_APPEARED_PATTERN,
    INVITATION_PATTERN,
    PROMOTION_PHRASES,
    RELATIVE_TIME_PATTERN,
    WALL_PHRASES,
)
from .phraseset import PhraseSet
from .titles import clean_title


@dataclass(frozen=True, slots=True)
class TextLimits:
    """From where on a text is long enough to decide by itself, in folded characters; policy owns the values.

    ``min_cjk`` counts instead of ``min_chars`` where at least ``cjk_share`` of the text is Chinese,
    Japanese or Korean. ``wall_chars`` is the length up to which one wall phrase ("enable JavaScript")
    spoils a text; longer texts may well be about such a phrase. A new capture shorter than
    ``shrink_ratio`` of a decisive old one is a poor replacement.
    """

    min_chars: int = 200
    min_cjk: int = 80
    cjk_share: float = 0.3
    wall_chars: int = 1000
    shrink_ratio: float = 0.3


DEFAULT_LIMITS = TextLimits()
_MAX_PARAGRAPHS = 200
_MIN_PARAGRAPH = 40
_MIN_CJK_PARAGRAPH = 20

_COUNTER = rf"(?:{COUNTER_PATTERN}|{RELATIVE_TIME_PATTERN})"
_NOISE = rf"(?:{_COUNTER}|{INVITATION_PATTERN})"
_MARK = r"\s?[|·•#/,.:()\[\]–—-]?\s?"
_NOISE_LINE = re.compile(rf"{_MARK}{_NOISE}(?:{_MARK}{_NOISE}){{0,6}}{_MARK}|{FIRST_APPEARED_PATTERN}", re.IGNORECASE)
_NOISE_AT_START = re.compile(rf"{_COUNTER}(?:\s?[|·•–—]\s?{_COUNTER}){{0,4}}\s?[|·•:–—-]\s?", re.IGNORECASE)
_NOISE_AT_END = re.compile(rf"(?<=[.!?。…|·•–—])\s?{_COUNTER}(?:{_MARK}{_COUNTER}){{0,4}}$", re.IGNORECASE)
_LONGEST_NOISE = 500
_EDGE = 120

_WALLS = PhraseSet(map(fold, WALL_PHRASES))
_PROMOTIONS = PhraseSet(map(fold, PROMOTION_PHRASES))


def fingerprint(title: str, summary: str, content: str, limits: TextLimits = DEFAULT_LIMITS) -> Fingerprint:
    """Return what can be compared of an item's raw texts: the content, else the summary, else nothing.

    >>> a = fingerprint("Bridge", "", "<p>The bridge is <b>closed</b>.</p><p>12 comments</p>")
    >>> b = fingerprint("Bridge", "", "The bridge is closed.")
    >>> a.text_hash == b.text_hash, a.representation.value
    (True, 'full_text')

    Short texts never decide, and a text that only repeats the title is none.

    >>> a.decisive, fingerprint("Bridge", "Comments", "<h1>Bridge</h1>").representation.value
    (False, 'title_only')

    Without words, the addresses of pictures and players stand in for them and decide nothing.
    """
    folded_title = fold(clean_title(title))
    for raw, representation in ((content, Representation.FULL_TEXT), (summary, Representation.SUMMARY)):
        text = trim_noise(clean_text(raw)) if raw else ""
        paragraphs = [fold(line) for line in text.split("\n")]
        folded = "".join(paragraphs)
        folded = folded if folded.isascii() else fold(folded)  # what meets may combine
        if folded and folded != folded_title:
            decisive = _is_decisive(text, folded, limits)
            return _fingerprint(text, folded, _paragraph_hashes(paragraphs), decisive, representation)
        if raw and (markers := media_markers(raw)):
            text = "\n".join(markers)
            return _fingerprint(text, fold(text), (), False, representation)
    return _fingerprint("", "", (), False, Representation.TITLE_ONLY)


def _fingerprint(
    text: str, folded: str, paragraph_hashes: tuple[str, ...], decisive: bool, representation: Representation
) -> Fingerprint:
    return Fingerprint(
        text=text,
        text_hash=_digest(folded)[:32] if folded else "",
        paragraph_hashes=paragraph_hashes,
        length=len(folded),
        decisive=decisive,
        representation=representation,
        extractor_version=EXTRACTOR_VERSION,
    )


def _digest(folded: str) -> str:
    return sha256(folded.encode()).hexdigest()


def _paragraph_hashes(paragraphs: Iterable[str]) -> tuple[str, ...]:
    long_ones = (p for p in paragraphs if len(p) >= _MIN_CJK_PARAGRAPH)
    kept = [p for p in long_ones if len(p) >= _MIN_PARAGRAPH or is_mostly_cjk(p)]
    return tuple(_digest(p)[:16] for p in kept[:_MAX_PARAGRAPHS])


# --- template noise -----------------------------------------------------------------------------


def trim_noise(text: str) -> str:
    r"""Return cleaned text without comment counters, relative times and the like at its edges.

    >>> trim_noise("3 hours ago\nThe bridge is closed. 12 comments\nRead more")
    'The bridge is closed.'

    Sentences about such things stay, and so does everything inside the text.

    >>> trim_noise("Two days ago, the bridge got 12 comments.")
    'Two days ago, the bridge got 12 comments.'
    """
    lines = text.split("\n")
    first, last = 0, len(lines)
    while last > first and _is_noise(lines[last - 1]):
        last -= 1
    while first < last and _is_noise(lines[first]):
        first += 1
    kept = lines[first:last]
    if kept:
        kept[0] = _NOISE_AT_START.sub("", kept[0], count=1) if _NOISE_AT_START.match(kept[0]) else kept[0]
        end = kept[-1]
        if found := _NOISE_AT_END.search(end, max(0, len(end) - _EDGE)):
            kept[-1] = end[: found.start()].rstrip(" |·•–—")
    return "\n".join(kept)


def _is_noise(line: str) -> bool:
    return len(line) <= _LONGEST_NOISE and (not fold(line) or _NOISE_LINE.fullmatch(line) is not None)


# --- quality ------------------------------------------------------------------------------------


def _is_decisive(text: str, folded: str, limits: TextLimits) -> bool:
    """Whether enough is left when walls, promotion and repeated sentences are not counted."""
    if not _is_long_enough(folded, limits) or _is_wall(folded, limits):
        return False
    plain = _distinct(text, limits)
    if not _PROMOTIONS.is_in(plain):
        return _is_long_enough(plain, limits)
    return _is_long_enough(_distinct(text, limits, without_promotion=True), limits)


def _distinct(text: str, limits: TextLimits, *, without_promotion: bool = False) -> str:
    """The sentences of a text, folded and each once, up to where they are long enough."""
    seen: set[str] = set()
    counted = ""
    for found in SENTENCE.finditer(text):
        sentence = fold(found[0])
        if sentence in seen or (without_promotion and _PROMOTIONS.is_in(sentence)):
            continue
        seen.add(sentence)
        counted += sentence
        if _is_long_enough(counted, limits):
            break
    return counted


def _is_long_enough(folded: str, limits: TextLimits) -> bool:
    if len(folded) >= limits.min_chars:
        return True
    cjk = count_cjk(folded)
    return cjk >= limits.min_cjk and cjk >= limits.cjk_share * len(folded)


def _is_wall(folded: str, limits: TextLimits) -> bool:
    """One wall phrase in a short text, or three different ones in a text three times as long."""
    cjk = count_cjk(folded)
    length = len(folded)
    if cjk >= limits.cjk_share * length:
        length += cjk  # Chinese and Japanese say it in half the length
    if length > 3 * limits.wall_chars:
        return False
    needed = 1 if length <= limits.wall_chars else 3
    return _WALLS.count(folded) >= needed


def is_wall_over_text(old: Fingerprint, new: Fingerprint, limits: TextLimits = DEFAULT_LIMITS) -> bool:
    """Return whether a wall ("enable JavaScript", a consent form) stands where a text was.

    >>> old = fingerprint("", "", "The council voted on Tuesday to replace the bridge. " * 2)
    >>> is_wall_over_text(old, fingerprint("", "", "Please enable JavaScript to read this page."))
    True

    A short text is none:

    >>> is_wall_over_text(old, fingerprint("", "", "The bridge is closed. More follows."))
    False
    """
    if not old.length or not new.length:
        return False
    return _is_wall(fold(new.text), limits) and not _is_wall(fold(old.text), limits)


def is_poor_replacement(old: Fingerprint, new: Fingerprint, limits: TextLimits = DEFAULT_LIMITS) -> bool:
    """Return whether a new capture must not take the place of the old one: empty, a wall, or a mere rest.

    >>> old = fingerprint("", "", "The council voted on Tuesday to replace the bridge. " * 2)
    >>> is_poor_replacement(old, fingerprint("", "", "Please enable JavaScript to read this page."))
    True

    A correction is none, and over an empty or equally poor old text anything may be written.

    >>> is_poor_replacement(old, fingerprint("", "", "The council votes next week on the bridge."))
    False
    """
    if not old.length:
        return False
    if not new.length:
        return True
    if _is_wall(fold(new.text), limits):
        return not _is_wall(fold(old.text), limits)
    return old.decisive and new.length < limits.shrink_ratio * old.length
