"""Folding: what is left of a text when its look is taken away, namely letters and digits.

Width (``Ａ`` and ``A``), case, spaces and punctuation change between two copies of one text; letters
and digits do not. Hashes, lengths and overlaps are all taken from folded text.
"""

from __future__ import annotations

import re
import unicodedata

_ASCII_PUNCTUATION = bytes(i for i in range(128) if not chr(i).isalnum())

# Python counts vowel signs as "not a word character". Without them many words of the South and
# South-East Asian scripts (U+0900-U+109F, U+1700-U+17FF) would become equal, so those blocks stay whole.
_LETTERS = re.compile("[\\w\u0300-\u036f\u0900-\u109f\u1700-\u17ff]+")

# Han, kana, hangul: one of these says about as much as two or three Latin letters.
CJK_CLASS = (
    "\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_CJK = re.compile(f"[{CJK_CLASS}]")
_MOSTLY = 0.5


def fold_case(text: str) -> str:
    """Return ``text`` in one width and one case, spaces and punctuation kept.

    >>> fold_case("Ｓｅｅｎ BEFORE?")
    'seen before?'

    Letters that only look alike stay apart.

    >>> fold_case("Α") == fold_case("A")    # Greek alpha
    False
    """
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", text)
    while (folded := unicodedata.normalize("NFKC", text.casefold())) != text:  # each can undo the other
        text = folded
    return text


def fold(text: str) -> str:
    """Return the letters and digits of ``text`` in one width and one case.

    >>> fold("ＡＢＣ – 第3回「夏」") == fold("abc 第3回 夏")
    True

    Different letters and figures stay different.

    >>> fold("Version 1.2") == fold("Version 1.3")
    False
    """
    bare = fold_case(text).encode("utf-8", "surrogatepass").translate(None, _ASCII_PUNCTUATION)  # no part of others
    letters = bare.decode("utf-8", "surrogatepass")
    if letters.isascii():
        return letters
    return unicodedata.normalize("NFKC", "".join(_LETTERS.findall(letters)))  # what meets may combine


def count_cjk(text: str) -> int:
    """Return how many Chinese, Japanese or Korean characters ``text`` holds.

    >>> count_cjk("第3回 summer")
    2

    Full-width Latin letters are none.

    >>> count_cjk("ＡＢＣ")
    0
    """
    return 0 if text.isascii() else len(_CJK.findall(text))


def is_mostly_cjk(folded: str) -> bool:
    """Return whether at least half of a folded text is Chinese, Japanese or Korean.

    >>> is_mostly_cjk("港口大桥将重建2026")
    True
    >>> is_mostly_cjk("thejapanesewordis夏")
    False
    """
    return bool(folded) and count_cjk(folded) >= _MOSTLY * len(folded)
