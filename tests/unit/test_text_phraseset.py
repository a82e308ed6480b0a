"""Many phrases at once: the same answers as looking for each of them."""

from __future__ import annotations

import random
import time

import pytest

from seenbefore.text.folding import fold
from seenbefore.text.phrases import PROMOTION_PHRASES, WALL_PHRASES
from seenbefore.text.phraseset import PhraseSet

from .conftest import TEXTS

OURS = {"walls": tuple(map(fold, WALL_PHRASES)), "promotion": tuple(map(fold, PROMOTION_PHRASES))}


def counted(phrases: tuple[str, ...], text: str) -> int:
    """The plain way."""
    return sum(phrase in text for phrase in set(phrases))


@pytest.mark.parametrize(
    ("phrases", "text", "count"),
    [
        (("enablejavascript", "requiresjavascript"), "pleaseenablejavascript", 1),
        (("enablejavascript", "requiresjavascript"), "thejavascriptlanguage", 0),
        (("enablejavascript", "enablejavascripttoread"), "enablejavascripttoread", 2),
        (("abc", "b"), "abc", 2),
        (("abcd", "abcd"), "xabcdabcd", 1),
        (("登录后继续阅读", "登录后查看全文"), "请登录后继续阅读本文", 1),
        (("会員限定記事", "会員限定です"), "これは会員限定です。会員限定記事", 2),
        (("cookieを使用", "cookie"), "当サイトではcookieを使用", 2),
        (("ab",), "ab", 1),
        (("ab",), "a", 0),
        (("ab",), "", 0),
        ((), "anything", 0),
    ],
)
def test_phrases_in_a_text(phrases: tuple[str, ...], text: str, count: int) -> None:
    found = PhraseSet(phrases)
    assert found.count(text) == count == counted(phrases, text)
    assert found.is_in(text) is bool(count)


@pytest.mark.parametrize("name", OURS)
def test_every_phrase_of_the_package_is_found(name: str) -> None:
    found = PhraseSet(OURS[name])
    for phrase in OURS[name]:
        for text in (phrase, f"before{phrase}", f"{phrase}after", f"前{phrase}後"):
            assert found.is_in(text), phrase
            assert found.count(text) == counted(OURS[name], text), phrase
        assert found.count(phrase[:-1]) == counted(OURS[name], phrase[:-1]), phrase
        assert found.count(phrase[1:]) == counted(OURS[name], phrase[1:]), phrase
    assert found.count("".join(OURS[name])) == counted(OURS[name], "".join(OURS[name])) == len(set(OURS[name]))


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("text", vars(TEXTS).values(), ids=vars(TEXTS))
def test_ordinary_texts_hold_none(name: str, text: str) -> None:
    found = PhraseSet(OURS[name])
    assert not found.is_in(fold(text))
    assert found.count(fold(text)) == 0


def test_texts_made_of_pieces() -> None:
    """Pieces of phrases in any order: what nearly is a phrase is none."""
    chance = random.Random(7)
    phrases = (*OURS["walls"][:12], *OURS["walls"][-12:])
    found = PhraseSet(phrases)
    for _ in range(400):
        parts = []
        for _ in range(chance.randint(1, 6)):
            phrase = chance.choice(phrases)
            start = chance.randint(0, len(phrase) - 1)
            parts.append(phrase[start : chance.randint(start, len(phrase))])
        text = "".join(parts)
        assert found.count(text) == counted(phrases, text), text
        assert found.is_in(text) is bool(counted(phrases, text)), text


def test_the_phrases_may_come_from_anywhere_and_in_any_order() -> None:
    phrases = list(OURS["walls"])
    text = "".join(phrases[::3])
    expected = PhraseSet(phrases).count(text)
    assert PhraseSet(iter(phrases)).count(text) == expected
    assert PhraseSet(reversed(phrases)).count(text) == expected


def test_a_long_text_takes_one_look_per_piece() -> None:
    """Ten times the text, about ten times the time: nothing is looked for at each place."""
    found = PhraseSet(OURS["walls"])
    short, long = "javascriptcookie" * 2_000, "javascriptcookie" * 20_000

    def seconds(text: str) -> float:
        started = time.perf_counter()
        found.count(text)
        return time.perf_counter() - started

    assert min(seconds(long) for _ in range(5)) < 60 * min(seconds(short) for _ in range(5)) + 0.05
