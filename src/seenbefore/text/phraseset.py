"""Many phrases looked for in one text, without looking for each of them.

Texts hold hardly ever one of the phrases, so the common case is answered by a few short pieces that
every phrase holds one of: where no piece stands, no phrase does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

_PIECE, _CJK_PIECE = 4, 3  # the fastest lengths for the phrases of this package


class PhraseSet:
    """Phrases to be found in texts.

    >>> walls = PhraseSet(["enablejavascript", "requiresjavascript", "verifyyouarehuman"])
    >>> walls.count("pleaseenablejavascripttoread"), walls.is_in("thejavascriptlanguage")
    (1, False)
    """

    def __init__(self, phrases: Iterable[str]) -> None:
        self._groups = _group(tuple(dict.fromkeys(phrases)))

    def count(self, text: str) -> int:
        """Return how many of the phrases stand in the text."""
        return sum(phrase in text for piece, phrases in self._groups if piece in text for phrase in phrases)

    def is_in(self, text: str) -> bool:
        """Return whether one of the phrases stands in the text."""
        return any(phrase in text for piece, phrases in self._groups if piece in text for phrase in phrases)


def _group(phrases: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Each phrase under a piece of it, with as few pieces as a greedy choice finds."""
    left = list(phrases)
    groups: list[tuple[str, tuple[str, ...]]] = []
    while left:
        counted = Counter(piece for phrase in left for piece in _pieces(phrase))
        piece = min(counted, key=lambda p: (-counted[p], p))
        groups.append((piece, tuple(phrase for phrase in left if piece in phrase)))
        left = [phrase for phrase in left if piece not in phrase]
    return tuple(groups)


def _pieces(phrase: str) -> set[str]:
    size = _PIECE if phrase.isascii() else _CJK_PIECE
    return {phrase[i : i + size] for i in range(len(phrase) - size + 1)} or {phrase}
