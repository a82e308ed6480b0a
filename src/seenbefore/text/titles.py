"""Titles: what is compared, what is shown, how alike two are, and which figures keep two apart.

A title alone decides nothing. Its figures are the best evidence that two items differ: release notes,
episodes and yearly lists share every word but a number.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache

from .clean import clean_text
from .folding import count_cjk, fold, fold_case
from .numerals import counts_series, title_figures
from .phrases import GENERIC_TITLES, TITLE_COUNTER_PATTERN

_COUNTER_AT_END = re.compile(rf"\s?{TITLE_COUNTER_PATTERN}$", re.IGNORECASE)
_COUNTER_AT_START = re.compile(rf"{TITLE_COUNTER_PATTERN}\s?", re.IGNORECASE)
_LONGEST_COUNTER = 80
_QUOTES = dict(zip("\"'“„‘«‹「『《", "\"'”“’»›」』》", strict=True))
_ROMAN = re.compile(r"(?=.)x{0,3}(?:ix|iv|v?i{0,3})")
_SEPARATORS = " -–—|·•:;,、"
_GENERIC = frozenset(map(fold, GENERIC_TITLES))
_QUESTION = re.compile(r"[!?؟]*[?؟][!?؟]*")
_SHARP = re.compile(r"(?<=[^\W\d_])#(?!\w)")
_MINUS = re.compile(r"(?:(?<=\s)[-–]|(?<![0-9a-z])−)(?=\d)")
_STYLE = str.maketrans("", "", "?&")
_BARS = "|~⁄−"
_ARROWS = ("\u2190", "\u21ff"), ("\u27f0", "\u27ff"), ("\u2900", "\u297f")


def display_title(raw: str) -> str:
    """Return a title for people: no markup, counters, outer quotes or separators; case kept.

    >>> display_title("<b>The Lift</b> &amp; the stairs (17 comments)")
    'The Lift & the stairs'

    Brackets that belong to the title stay.

    >>> display_title("The Lift (2026)")
    'The Lift (2026)'
    """
    title = clean_text(raw).replace("\n", " ")
    while (trimmed := _trim(title)) != title:
        title = trimmed
    return title


def _trim(title: str) -> str:
    """One round: a counter at either end, quotes around all of it, separators; never all there is."""
    trimmed = _COUNTER_AT_START.sub("", title, count=1) if _COUNTER_AT_START.match(title) else title
    found = _COUNTER_AT_END.search(trimmed, max(0, len(trimmed) - _LONGEST_COUNTER))
    if found:
        trimmed = trimmed[: found.start()]
    trimmed = trimmed.lstrip(_SEPARATORS).rstrip(_SEPARATORS + ".。")
    closing = _QUOTES.get(trimmed[:1])
    if closing and trimmed.endswith(closing):
        inner = trimmed[1:-1]
        if trimmed[0] not in inner and closing not in inner:
            trimmed = inner.strip()
    return trimmed or title


@lru_cache(maxsize=8192)
def clean_title(raw: str) -> str:
    """Return a title as it is compared: like :func:`display_title`, in one width and one case.

    >>> clean_title("“Ｔｈｅ Lift” (3 comments)") == clean_title("the lift (17 comments)")
    True
    >>> clean_title("The Lift 2") == clean_title("The Lift 3")
    False
    """
    title = display_title(raw)
    folded = fold_case(title)
    return folded if folded == title else display_title(folded)


@lru_cache(maxsize=8192)
def title_key(title: str) -> str:
    """Return what two spellings of one title share: its letters and digits, or all of it if it has none.

    >>> title_key("Week – 6 & 7: AI's role") == title_key("Week 6 & 7: AI’s role")
    True
    >>> title_key("Week 6"), title_key("👍")
    ('week6', '👍')
    """
    clean = clean_title(title)
    return fold(clean) or clean


def same_title(a: str, b: str) -> bool:
    """Return whether two titles are one but for spaces and punctuation; empty titles never are.

    >>> same_title("Week – 6 & 7", "Week: 6 & 7"), same_title("", "")
    (True, False)

    Points inside figures count, and so do signs that people read out: these are two releases, two languages.

    >>> same_title("Version 1.11", "Version 11.1"), same_title("Start with C", "Start with C++")
    (False, False)
    """
    clean_a, clean_b = clean_title(a), clean_title(b)
    if clean_a == clean_b or not clean_a or not clean_b:
        return bool(clean_a) and clean_a == clean_b
    if title_key(a) != title_key(b) or title_figures(clean_a) != title_figures(clean_b):
        return False
    said_a, pictures_a = _signs(clean_a)
    said_b, pictures_b = _signs(clean_b)
    return said_a == said_b and (not pictures_a or not pictures_b or pictures_a == pictures_b)


def _signs(clean: str) -> tuple[str, str]:
    """What is left when punctuation is dropped, signs kept in their places; and the pictures in it.

    Signs are read out: C++, C#, $100, 100%, -5, A & B, A > B; so is a question mark. Pictures (emoji, arrows,
    stars) may be mere ornament, so they count only where both titles have some.
    """
    marked = _MINUS.sub("¬", _SHARP.sub("♯", _QUESTION.sub("?", clean)))
    said, pictures = [], []
    for char in marked:
        category = unicodedata.category(char)
        if category == "So" or any(first <= char <= last for first, last in _ARROWS):
            pictures.append(char)
        elif char.isalnum() or char in "?%‰&" or (category in ("Sm", "Sc") and char not in _BARS):
            said.append(char)
    return "".join(said), "".join(pictures)


def title_similarity(a: str, b: str) -> float:
    """Return the Jaccard similarity of the character bigrams of two titles (letters and digits), 0 to 1.

    >>> title_similarity("Harbour bridge vote", "HARBOUR – bridge: vote!")
    1.0
    >>> title_similarity("Harbour bridge vote", "Open thread")
    0.0

    An empty title resembles nothing, not even another empty one. Titles of emoji alone must be equal.
    """
    clean_a, clean_b = clean_title(a), clean_title(b)
    grams_a, grams_b = _bigrams(fold(clean_a)), _bigrams(fold(clean_b))
    if not grams_a or not grams_b:
        return float(bool(clean_a) and clean_a == clean_b)
    return len(grams_a & grams_b) / len(grams_a | grams_b)


def _bigrams(folded: str) -> set[str]:
    return {folded[i : i + 2] for i in range(len(folded) - 1)} or ({folded} if folded else set())


def title_numbers(title: str) -> tuple[str, ...]:
    """Return the figures of a title in order: versions, years, episodes, parts of a series.

    >>> title_numbers("megatools 1.11.1"), title_numbers("１２月 第十二期"), title_numbers("Dune, Part II")
    (('1.11.1',), ('12', '12'), ('2',))

    A numeral that is only a word is none.

    >>> title_numbers("一番好きな本"), title_numbers("I, Robot")
    ((), ())
    """
    return title_figures(clean_title(title))


def numbers_conflict(a: str, b: str) -> bool:
    """Return whether the figures of two titles say that they name different things.

    >>> numbers_conflict("The 7 Best Tools", "The 10 Best Tools in 2020")
    True

    A figure on one side only is a conflict if it counts a series.

    >>> numbers_conflict("Harbour vote", "Harbour vote 2026")
    False
    >>> numbers_conflict("Harbour vote", "Harbour vote, part 2")
    True

    So is a Roman numeral at the end, and a sign in titles that are equal but for it.

    >>> numbers_conflict("Notes on bread II", "Notes on bread III"), numbers_conflict("Course in C", "Course in C++")
    (True, True)
    """
    clean_a, clean_b = clean_title(a), clean_title(b)
    if _final_roman_differs(clean_a, clean_b) or _only_signs_differ(clean_a, clean_b):
        return True
    figures_a, figures_b = title_figures(clean_a), title_figures(clean_b)
    if figures_a and figures_b:
        return Counter(figures_a) != Counter(figures_b)
    return bool(counts_series(clean_a) or counts_series(clean_b))


def _only_signs_differ(a: str, b: str) -> bool:
    """Whether two titles are equal but for signs that tell things apart; ``?`` and ``&`` may be a matter of style."""
    if a == b or title_key(a) != title_key(b):
        return False
    said_a, said_b = (_signs(title)[0].translate(_STYLE) for title in (a, b))
    return said_a != said_b


def _final_roman_differs(a: str, b: str) -> bool:
    """Whether two titles are equal but for a Roman numeral at the end, which may be missing on one side."""
    base_a, _, last_a = a.rpartition(" ")
    base_b, _, last_b = b.rpartition(" ")
    if base_a and base_a == base_b and last_a != last_b:
        return bool(_ROMAN.fullmatch(last_a) and _ROMAN.fullmatch(last_b))
    longer, shorter = (a, b) if len(a) > len(b) else (b, a)
    base, _, last = longer.rpartition(" ")
    return bool(base) and base == shorter and len(last) > 1 and bool(_ROMAN.fullmatch(last))


def title_identifies(title: str, min_chars: int = 12, min_cjk: int = 6) -> bool:
    """Return whether a title is long enough to name one thing and not one that every feed uses.

    >>> title_identifies("Harbour bridge vote"), title_identifies("港口大桥将重建")
    (True, True)
    >>> title_identifies("Week in review"), title_identifies("Launch"), title_identifies("公告")
    (False, False, False)
    """
    folded = fold(clean_title(title))
    return (len(folded) >= min_chars or count_cjk(folded) >= min_cjk) and folded not in _GENERIC
