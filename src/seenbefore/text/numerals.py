"""Figures in texts and titles, whatever they are written in, as plain decimal strings."""

from __future__ import annotations

import re

_FIGURE = r"[0-9]+(?:[.,][0-9]+)*"
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_HAN_GROUPS = ("〇零", "一壱", "二两兩弐", "三参", *"四五六七八九")
_HAN_DIGITS = {han: value for value, group in enumerate(_HAN_GROUPS) for han in group}
_HAN_UNITS = {"十": 10, "百": 100, "千": 1000}
_HAN = "".join([*_HAN_DIGITS, *_HAN_UNITS])
_HAN_COUNTED = "期回話话集章部季届屆卷巻弾弹讲講课課節节号號次夜幕番条條版篇編编辑輯週周日天轮輪場场彈"
_PART_WORD = (
    r"(?:parts?|pt|vol(?:ume)?|chapter|ch|episodes?|ep|book|season|act|phase|teil|folge|kapitel|partie|parte|épisode"
    r"|episodio|capítulo)"
)
_COUNTED_WORD = r"(?:week|day|round|issue|lesson|lecture|number)"
_NUMBER_WORDS = "one two three four five six seven eight nine ten eleven twelve"
_WORDS = {word: value for value, word in enumerate(_NUMBER_WORDS.split(), 1)}
_ROMAN_DIGITS = {"i": 1, "v": 5, "x": 10}
_HALVES = {"前": "上", "後": "下", "后": "下"}
_HALF = (
    r"[(\[【](?P<half>[上中下前後后])[)\]】]"
    r"|(?P<half_part>[上中下前後后])[编編篇集巻卷](?!者|成|辑|輯|集|団|团|合)"
)
_NAMED = "|".join(_WORDS)
# "the best part I liked" and "took part a year ago" count nothing: a lone letter must end its phrase.
_PART = (
    rf"\b(?:{_PART_WORD}|{_COUNTED_WORD})\b\.?\s?(?P<word>{_NAMED})\b"
    rf"|\b{_PART_WORD}\b\.?\s?(?:(?P<letter>[a-i])(?=\s?(?:$|[^\w\s]))|(?P<roman>[ivx]{{2,7}}|[vx])\b)"
)
_TOKEN = re.compile(
    rf"第\s?(?P<han>[{_HAN}]{{1,9}})(?=[{_HAN_COUNTED}]|$|\W)"
    rf"|(?P<han_year>[〇零一二三四五六七八九]{{4}})(?=年)|{_PART}|{_HALF}|(?P<figure>{_FIGURE})"
)
_SERIAL = re.compile(
    rf"第\s?(?:[0-9]|[{_HAN}]{{1,9}}(?:[{_HAN_COUNTED}]|$|\W))|{_PART}|{_HALF}|#\s?[0-9]|\bno\.\s?[0-9]"
    rf"|\b(?:{_PART_WORD}|{_COUNTED_WORD})\b\.?\s?#?[0-9]|\bs[0-9]{{1,2}}e[0-9]{{1,3}}\b"
)


def title_figures(clean: str) -> tuple[str, ...]:
    """Return the figures of a clean title (see :func:`~seenbefore.text.titles.title_numbers`).

    >>> title_figures("第百二回 v1.10, 4,000 cells, episode iv (下)")
    ('102', '1.10', '4000', '4', '下')
    >>> title_figures("the best part i liked")
    ()
    """
    return tuple(_figure_of(token) for token in _TOKEN.finditer(clean))


def _figure_of(token: re.Match[str]) -> str:
    if han := token["han"] or token["han_year"]:
        return str(_parse_han(han))
    if word := token["word"]:
        return str(_WORDS[word])
    if roman := token["roman"]:
        return str(_parse_roman(roman))
    if letter := token["letter"]:
        return "1" if letter == "i" else letter
    if half := token["half"] or token["half_part"]:
        return _HALVES.get(half, half)
    return normalize_figure(token["figure"])


def counts_series(clean: str) -> bool:
    """Return whether a clean title counts a series: part 2, #12, 第3回, (下), S01E02.

    >>> counts_series("daily build, part 12"), counts_series("第三回")
    (True, True)
    >>> counts_series("the 7 best tools of 2020")
    False
    """
    return _SERIAL.search(clean) is not None


def normalize_figure(figure: str) -> str:
    """Return one spelling of a figure: no thousands separators, no leading zeros in whole numbers.

    >>> normalize_figure("4,000"), normalize_figure("03")
    ('4000', '3')

    Versions stay as they are.

    >>> normalize_figure("3.20") == normalize_figure("3.2")
    False
    """
    if "," in figure and _THOUSANDS.fullmatch(figure):
        figure = figure.replace(",", "")
    if "." in figure or "," in figure:
        return figure
    return figure.lstrip("0") or "0"


def find_figures(text: str) -> frozenset[str]:
    """Return the distinct figures of a text in one spelling each.

    >>> sorted(find_figures("4,000 of 4000 cells, 12.5 percent"))
    ['12.5', '4000']
    >>> find_figures("none at all")
    frozenset()
    """
    return frozenset(map(normalize_figure, re.findall(_FIGURE, text)))


def _parse_han(numeral: str) -> int:
    """Read 百二十三 (with units) or 二〇二六 (digit by digit)."""
    if not any(unit in numeral for unit in _HAN_UNITS):
        return int("".join(str(_HAN_DIGITS[han]) for han in numeral))
    total, digit = 0, None
    for han in numeral:
        if han in _HAN_UNITS:
            total += _HAN_UNITS[han] * (1 if digit is None else digit)
            digit = None
        else:
            digit = _HAN_DIGITS[han]
    return total + (digit or 0)


def _parse_roman(numeral: str) -> int:
    values = [_ROMAN_DIGITS[letter] for letter in numeral]
    return sum(-v if v < max(values[i + 1 :], default=0) else v for i, v in enumerate(values))
