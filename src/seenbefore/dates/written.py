"""Dates as people write them in running text, in many languages: every one that names a single day.

Days are found by their form, months by their names. What has two readings (``03/04/2023`` where nobody says which
comes first), no year, or a day that does not exist is not found at all.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date
from typing import Final, NamedTuple

from .months import MONTHS_OF, MONTHS_WRITTEN

DAY_FIRST: Final = "day"
MONTH_FIRST: Final = "month"

_MONTH_FIRST_LANGUAGES: Final = frozenset({"en-us", "en-ph", "es-us"})
_TWO_ORDERS: Final = frozenset({"en", "en-ca", "fr-ca", ""})
"""Languages in which both orders are usual: nothing is said by them."""

_PIVOT: Final = 69
"""Two digits up to this are a year of this century, as POSIX and most libraries read them."""

_YEAR_FIRST: Final = re.compile(
    r"(?<![\d.,:/-])(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})|\. ?(\d{1,2})\. ?(\d{1,2}))(?![\d-])"
)
_NUMBERS: Final = re.compile(r"(?<![\d.,:/€$£-])(\d{1,2})( ?)([./-])\2(\d{1,2})\2\3\2(\d{4}|\d{2})(?![\d]|[.:,/-]\d)")
_DAY_NAME_YEAR: Final = re.compile(
    r"(?<![\d.,:/-])(\d{1,2})(?:st|nd|rd|th|er|re|º|ª|°|\.ª)?\.?(?: |-|/|(?= ?[^\W\d]))"
    r"(?: ?(?:de|d'|d’|of|af|den|tháng) ?)?"
    r"([^\W\d][^\W\d_]*(?: (?:ال)?[^\W\d]+)??)\.?,?(?: |-|/|’|'|, )(?:(?:de|del|of|năm) )?(\d{4}|’\d\d|'\d\d)(?!\d)"
)
_DAY_COMMA_YEAR: Final = re.compile(r"(?<=[\s.])(\d{1,2})(?:st|nd|rd|th)?(?:, ?| |,\xa0)(?:de )?(\d{4})(?![\d:])")
_WORD_BEFORE: Final = re.compile(r"([^\W\d]+)\.?[ \xa0-]*\Z")
_YEAR_NAME_DAY: Final = re.compile(r"(?<![\d.,:/-])(\d{4})(?:\. ?| |, | m\. )([^\W\d]+)\.? (\d{1,2})(?![\d:])")
_EAST_ASIAN: Final = re.compile(
    r"(?:(?<!\d)(\d{4})|(令和|平成|昭和|大正|明治|民國|民国|中華民國)\s?(\d{1,3}|元))\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日号號일]"
)
_VIETNAMESE: Final = re.compile(r"(?<!\d)(\d{1,2}) tháng (\d{1,2}),? năm (\d{4})(?!\d)")
_ERA_BEGINS: Final = {
    "令和": 2019,
    "平成": 1989,
    "昭和": 1926,
    "大正": 1912,
    "明治": 1868,
    "民國": 1912,
    "民国": 1912,
    "中華民國": 1912,
}
_ERA_ENDS: Final = {
    "平成": date(2019, 4, 30),
    "昭和": date(1989, 1, 7),
    "大正": date(1926, 12, 24),
    "明治": date(1912, 7, 29),
}


class WrittenDate(NamedTuple):
    """A day and where in the text it stands."""

    start: int
    end: int
    day: date


def day_order(language: str) -> str:
    """Return which of two numbers a language writes first, the day or the month; '' if both are usual or unknown.

    >>> day_order("de-AT"), day_order("en-US"), day_order("en")
    ('day', 'month', '')
    """
    code = language.lower().replace("_", "-")
    if code in _MONTH_FIRST_LANGUAGES:
        return MONTH_FIRST
    return "" if code in _TWO_ORDERS else DAY_FIRST


def find_written_dates(text: str, language: str = "") -> tuple[WrittenDate, ...]:
    """Return the days that a text names, in its order. Full-width digits are read when the text is in NFKC.

    >>> [found.day.isoformat() for found in find_written_dates("Publicado el 5 de marzo de 2020, leído 12/25/2021")]
    ['2020-03-05', '2021-12-25']
    >>> find_written_dates("令和3年4月1日")[0].day
    datetime.date(2021, 4, 1)

    Two readings, no year, no such day:

    >>> find_written_dates("03/04/2023, 5 May, 31.02.2020")
    ()
    >>> find_written_dates("03/04/2023", "fr")[0].day
    datetime.date(2023, 4, 3)
    """
    found: list[WrittenDate] = []
    end = 0
    for each in sorted(_all(text, language), key=lambda one: (one.start, -one.end)):
        if each.start >= end:
            found.append(each)
            end = each.end
    return tuple(found)


def find_ambiguous_dates(text: str, language: str = "") -> tuple[str, ...]:
    """Return the dates of which nobody can say what is the day and what the month.

    >>> find_ambiguous_dates("03/04/2023 and 13/04/2023"), find_ambiguous_dates("03/04/2023", "fr")
    (('03/04/2023',), ())
    """
    if day_order(language):
        return ()
    return tuple(
        match[0]
        for match in _NUMBERS.finditer(text)
        if match[3] != "."
        and len(match[5]) == 4
        and match[1] != match[4]
        and int(match[1]) <= 12
        and int(match[4]) <= 12
    )


def _all(text: str, language: str) -> Iterator[WrittenDate]:
    yield from _numeric(text, language)
    yield from _named(text, language)
    for match in _EAST_ASIAN.finditer(text):
        yield from _made(match.start(), match.end(), _east_asian_year(match), match[4], match[5], match[2] or "")
    for match in _VIETNAMESE.finditer(text):
        yield from _made(match.start(), match.end(), match[3], match[2], match[1])


def _numeric(text: str, language: str) -> Iterator[WrittenDate]:
    for match in _YEAR_FIRST.finditer(text):
        yield from _made(match.start(), match.end(), match[1], match[3] or match[5], match[4] or match[6])
    order = day_order(language)
    for match in _NUMBERS.finditer(text):
        one, two, year = int(match[1]), int(match[4]), match[5]
        if len(year) == 2 and (match[3] == "-" or not order):
            continue
        first = DAY_FIRST if match[3] == "." or one > 12 or one == two else MONTH_FIRST if two > 12 else order
        if first:
            day, month = (one, two) if first == DAY_FIRST else (two, one)
            yield from _made(match.start(), match.end(), _full(year), month, day)


def _named(text: str, language: str) -> Iterator[WrittenDate]:
    for match in _DAY_NAME_YEAR.finditer(text):
        yield from _made(match.start(), match.end(), _full(match[3].lstrip("'’")), _month(match[2], language), match[1])
    for match in _DAY_COMMA_YEAR.finditer(text):
        before = _WORD_BEFORE.search(text, max(0, match.start() - 20), match.start())
        if before:
            yield from _made(before.start(), match.end(), match[2], _month(before[1], language), match[1])
    for match in _YEAR_NAME_DAY.finditer(text):
        yield from _made(match.start(), match.end(), match[1], _month(match[2], language), match[3])


def _month(name: str, language: str) -> int:
    """The number of a month, 0 if the word is none."""
    word = unicodedata.normalize("NFC", name.casefold().replace("i̇", "i"))
    own = MONTHS_OF.get(language[:2])
    if own and word in own:
        return own[word]
    return MONTHS_WRITTEN.get(word, 0)


def _full(year: str) -> int:
    number = int(year)
    return number + (2000 if number <= _PIVOT else 1900) if len(year) == 2 else number


def _east_asian_year(match: re.Match[str]) -> int:
    if match[1]:
        return int(match[1])
    return _ERA_BEGINS[match[2]] - 1 + (1 if match[3] == "元" else int(match[3]))


def _made(
    start: int, end: int, year: str | int, month: str | int, day: str | int, era: str = ""
) -> Iterator[WrittenDate]:
    """The day, unless there is no such day, or its era was over by then."""
    try:
        found = date(int(year), int(month), int(day))
    except ValueError:
        return
    if era not in _ERA_ENDS or found <= _ERA_ENDS[era]:
        yield WrittenDate(start, end, found)
