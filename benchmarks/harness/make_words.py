"""Words that no dictionary has, in the mixture of a real language: a few short ones everywhere, long ones rarely.

Frequencies fall with the rank of a word as Zipf found; English words are 4.7 letters long on average, and so are
these. Japanese and Chinese words are made of real characters, most of them one or two long.
"""

from __future__ import annotations

import random
from functools import cache
from itertools import accumulate
from typing import Final

_ONSETS: Final = "b bl br c ch cl cr d dr f fl fr g gr h j k l m n p pl pr qu r s sh sl sp st t th tr v w y".split()
_VOWELS: Final = "a a a e e e e i i i o o o u ai ea ee ie oa ou".split()
_CODAS: Final = ["", "", "", "", *"n n r r s t t l d m ck ng nd st rt lk mp ss".split()]
_VOCABULARY: Final = 12_000
_HIRAGANA: Final = "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをん"
_KATAKANA: Final = "アイウエオカキクケコサシスセソタチツテトナニネノハヒフヘホマミムメモヤラリルレロワンー"
_PARTICLES: Final = "の に は を が と で も から まで など".split()
_CHINESE_PARTICLES: Final = "的 了 在 是 和 不 有 为 对 将".split()

ENGLISH, JAPANESE, CHINESE = "en", "ja", "zh"


class Language:
    """Words with their frequencies, and how they make sentences."""

    def __init__(self, words: list[str], *, spaced: bool) -> None:
        self._words = words
        self._weights = list(accumulate(1 / (rank + 2.7) for rank in range(len(words))))
        self._space = " " if spaced else ""
        self._stop = ". " if spaced else "。"
        self._comma = ", " if spaced else "、"

    def words(self, random_: random.Random, count: int) -> list[str]:
        """Return words as they come."""
        return random_.choices(self._words, cum_weights=self._weights, k=count)

    def rare_words(self, random_: random.Random, count: int) -> list[str]:
        """Return words as headlines have them: the commonest hundred hardly occur."""
        return [random_.choice(self._words[100:]) for _ in range(count)]

    def title(self, random_: random.Random) -> str:
        """Return a headline; two equal ones do not occur."""
        count = random_.randint(5, 11)
        chosen = self.rare_words(random_, count // 2) + self.words(random_, count - count // 2)
        random_.shuffle(chosen)
        return self._sentence(chosen)

    def text(self, random_: random.Random, words: int) -> str:
        """Return sentences of about so many words in all, in one paragraph."""
        parts = []
        chosen = self.words(random_, words)
        while chosen:
            size = random_.randint(6, 26)
            sentence = self._sentence(chosen[:size])
            if size > 14 and len(sentence) > 40:
                middle = sentence.find(self._space, 30) if self._space else 14
                sentence = sentence[:middle] + self._comma + sentence[middle:].lstrip()
            parts.append(sentence + self._stop)
            chosen = chosen[size:]
        return "".join(parts).rstrip()

    def _sentence(self, words: list[str]) -> str:
        text = self._space.join(words)
        return text[:1].upper() + text[1:]


@cache
def language(name: str) -> Language:
    """Return a language; the same words every time."""
    random_ = random.Random(f"vocabulary {name}")
    if name == ENGLISH:
        return Language(_english(random_), spaced=True)
    return Language(_cjk(random_, japanese=name == JAPANESE), spaced=False)


def _english(random_: random.Random) -> list[str]:
    """Words of one syllable first; the rarer, the longer."""
    found: dict[str, None] = {}
    while len(found) < _VOCABULARY:
        rank = len(found)
        found.setdefault(_english_word(random_, rank))
    return list(found)


def _english_word(random_: random.Random, rank: int) -> str:
    if rank < 20:
        begin, end = (
            ("", random_.choice("nrst")) if rank % 2 else (random_.choice("bdhmst"), random_.choice(["", "t", "n"]))
        )
        return begin + random_.choice("aeio") + end
    syllables = 1 if rank < 150 else random_.choice((1, 1, 2)) if rank < 800 else random_.choice((1, 2, 2, 3))
    parts = [random_.choice(_ONSETS) + random_.choice(_VOWELS) for _ in range(syllables)]
    return "".join(parts) + random_.choice(_CODAS)


def _common_ideographs(charset: str, last_row: int) -> list[str]:
    """The first plane of a national charset holds the characters that are in daily use."""
    rows = range(16, last_row)
    return [bytes((0xA0 + row, 0xA0 + column)).decode(charset) for row in rows for column in range(1, 95)]


def _cjk(random_: random.Random, *, japanese: bool) -> list[str]:
    ideographs = random_.sample(
        _common_ideographs("euc_jp", 47) if japanese else _common_ideographs("gb2312", 54), 1500
    )
    particles = _PARTICLES if japanese else _CHINESE_PARTICLES
    found: dict[str, None] = dict.fromkeys(particles)
    while len(found) < _VOCABULARY // 2:
        kind = random_.random()
        if japanese and kind < 0.25:
            word = "".join(random_.choices(_HIRAGANA, k=random_.randint(2, 4)))
        elif japanese and kind < 0.4:
            word = "".join(random_.choices(_KATAKANA, k=random_.randint(3, 5)))
        else:
            word = "".join(random_.choices(ideographs, k=random_.choice((1, 2, 2, 2, 3))))
        found.setdefault(word)
    return list(found)
