"""Ids as people and programs see them: a letter and a number, never reused."""

from __future__ import annotations

from .errors import InvalidInput


def format_id(letter: str, number: int | None) -> str | None:
    """Return ``r12`` for (``r``, 12) and None for None.

    >>> format_id("r", 12)
    'r12'
    """
    return None if not number else f"{letter}{number}"


def parse_id(text: str) -> tuple[str, int] | None:
    """Return ``("r", 12)`` for ``r12``, and None for anything that is no id.

    >>> parse_id("d34")
    ('d', 34)
    >>> parse_id("https://example.com/r12") is None
    True

    Raises:
        InvalidInput: a number too large to be an id.
    """
    letter, digits = text[:1], text[1:]
    if letter not in ("r", "d", "m", "s", "v") or not digits.isascii() or not digits.isdigit():
        return None
    if len(digits) > 18:
        raise InvalidInput("this number is too large to be an id", text)
    return letter, int(digits)


def number_of(text: str, letter: str, what: str) -> int:
    """Return the number of an id of one kind.

    >>> number_of("r12", "r", "record")
    12

    Raises:
        InvalidInput: no id of this kind.
    """
    known = parse_id(text)
    if known is None or known[0] != letter:
        raise InvalidInput(f"this is no {what} id; {what} ids look like {letter}12", text)
    return known[1]
