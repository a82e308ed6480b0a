"""One broken rule."""

from __future__ import annotations

from dataclasses import dataclass

_LONGEST = 80


@dataclass(frozen=True, slots=True)
class Problem:
    """One broken rule: ``code`` is one of ``codes.CHECKS``, ``where`` names the thing, ``message`` the facts."""

    code: str
    where: str
    message: str


def shown(value: object) -> str:
    """Return a stored value as a message repeats it.

    >>> shown("Bridge to be replaced"), shown(None)
    ("'Bridge to be replaced'", 'nothing')

    Nobody reads a whole page in a message:

    >>> len(shown("x" * 1000)) < 90
    True
    """
    if value is None:
        return "nothing"
    text = str(value)
    short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return repr(short) if isinstance(value, str) else short
