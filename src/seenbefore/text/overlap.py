"""How much two texts share, computed exactly over all their character n-grams."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .folding import fold, fold_case
from .numerals import find_figures

Grams = NDArray[np.uint64]

_WIDTH = 9
_CJK_WIDTH = 5
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_CJK_SALT = np.uint64(0xD6E8FEB86659FD93)
_CJK_FROM = np.uint32(0x3005)


@dataclass(frozen=True, slots=True)
class Overlap:
    """What two texts share, each value 0 to 1. ``shorter`` is the folded length of the shorter text.

    ``jaccard`` and ``containment`` are over n-grams, containment relative to the text with fewer;
    ``numbers_jaccard`` is over the distinct figures (1.0 if neither text has any), and
    ``numbers_containment`` relative to the shorter text's own (1.0 if that one has none).
    """

    jaccard: float
    containment: float
    length_ratio: float
    numbers_jaccard: float
    numbers_containment: float
    shorter: int


@dataclass(frozen=True, slots=True, eq=False)
class TextProfile:
    """What :func:`compare_profiles` needs of one text; worth keeping when a text is compared often."""

    grams: Grams
    figures: frozenset[str]
    length: int


def overlap(a: str, b: str) -> Overlap:
    """Return how much two cleaned texts share; the order of the two does not matter.

    >>> text = "The council voted nine to four on Tuesday to replace the Harbour Road bridge."
    >>> shared = overlap(text, "AMENDED. " + text)
    >>> shared.containment, round(shared.jaccard, 2), shared.numbers_jaccard
    (1.0, 0.89, 1.0)
    >>> overlap(text, "The opera house will reopen on Friday after three seasons.").containment
    0.0

    Without any letters there is nothing to share: 0.0.
    """
    return compare_profiles(profile_text(a), profile_text(b))


def profile_text(text: str) -> TextProfile:
    """Return grams, figures and folded length of a cleaned text.

    >>> profile_text("4,000 cells!").length, sorted(profile_text("4,000 cells").figures)
    (9, ['4000'])
    >>> profile_text("...").grams.size
    0
    """
    folded = fold(text)
    return TextProfile(_grams_of(folded), find_figures(fold_case(text)), len(folded))


def compare_profiles(a: TextProfile, b: TextProfile) -> Overlap:
    """Return the overlap of two profiled texts, see :func:`overlap`.

    >>> one, other = profile_text("Moon turns copper on Sunday"), profile_text("Open thread")
    >>> compare_profiles(one, one).jaccard, compare_profiles(one, other).jaccard
    (1.0, 0.0)
    """
    fewer, more = sorted((a.grams.size, b.grams.size))
    shared = _count_shared(a.grams, b.grams)
    shorter, longer = sorted((a.length, b.length))
    figures = len(a.figures | b.figures)
    own = (a if a.length <= b.length else b).figures
    if a.length == b.length:
        own = min(a.figures, b.figures, key=len)
    return Overlap(
        jaccard=shared / (fewer + more - shared) if shared else 0.0,
        containment=shared / fewer if shared else 0.0,
        length_ratio=shorter / longer if longer else 1.0,
        numbers_jaccard=len(a.figures & b.figures) / figures if figures else 1.0,
        numbers_containment=len(a.figures & b.figures) / len(own) if own else 1.0,
        shorter=shorter,
    )


def grams(text: str) -> Grams:
    """Return the sorted distinct hashes of the n-grams of a text's letters and digits.

    >>> grams("Seen before?").size, grams("Seen before?").tolist() == grams("ＳＥＥＮ Before").tolist()
    (2, True)
    >>> bool(np.isin(grams("Seen before"), grams("Never before")).any())
    False

    A gram is 9 characters long, 5 where it begins with a Chinese, Japanese or Korean character. The
    choice is made per gram, so that a text that is half English cannot flip as a whole by one edit.
    A text shorter than one gram is a gram of its own.
    """
    return _grams_of(fold(text))


def _grams_of(folded: str) -> Grams:
    if folded.isascii():
        codes = np.frombuffer(folded.encode(), dtype=np.uint8).astype(np.uint64)
        found = _window_hashes(codes, _WIDTH)
    else:
        points = np.frombuffer(folded.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        codes = points.astype(np.uint64)
        is_cjk = points >= _CJK_FROM
        narrow, wide = _window_hashes(codes, _CJK_WIDTH), _window_hashes(codes, _WIDTH)
        found = np.concatenate((narrow[is_cjk[: narrow.size]] ^ _CJK_SALT, wide[~is_cjk[: wide.size]]))
    return _sorted_distinct(found if found.size else _window_hashes(codes, max(1, codes.size)))


def _window_hashes(codes: Grams, width: int) -> Grams:
    """The polynomial hash of every window; nothing for a text shorter than ``width``."""
    count = max(0, codes.size - width + 1)
    hashes = codes[:count].copy()
    if count:
        for offset in range(1, width):
            hashes *= _MULTIPLIER
            hashes += codes[offset : offset + count]
    return hashes


def _sorted_distinct(values: Grams) -> Grams:
    values.sort()
    is_first = np.ones(values.size, dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=is_first[1:])
    distinct: Grams = values[is_first]
    return distinct


def _count_shared(a: Grams, b: Grams) -> int:
    """How many values two sorted arrays of distinct values have in common."""
    if not a.size or not b.size:
        return 0
    both = np.concatenate((a, b))
    both.sort(kind="stable")  # merges two sorted runs
    return int(np.count_nonzero(both[1:] == both[:-1]))
