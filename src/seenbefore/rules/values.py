"""What the value of a parameter looks like, for names that mean content in one place and tracking in another."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

_HOST_NAME = re.compile(
    r"(?:www\.)?[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,5}\.([a-z]{2,24}|xn--[a-z0-9-]{2,59})/?", re.IGNORECASE
)
_FILE_ENDINGS = frozenset(
    {
        *("md", "py", "js", "ts", "css", "html", "htm", "php", "asp", "aspx", "jsp", "cgi"),
        *("txt", "pdf", "xml", "json", "toml", "yaml", "yml", "rst", "png", "jpg", "jpeg", "gif", "zip"),
    }
)
_SESSION = re.compile(r"[0-9a-f]{26,40}", re.IGNORECASE)
_ADDRESS = re.compile(r"https?(?::|%3A)(?://|%2F%2F)[a-z0-9-]+\.", re.IGNORECASE)
_DIGITS = re.compile(r"[0-9]+")
_HEX = re.compile(r"[0-9a-f]{8,}", re.IGNORECASE)


def is_host_name(value: str) -> bool:
    """Return whether a value names a host, as the links that Ghost sends out do (``ref=weekly.example``).

    >>> is_host_name("weekly-robotics.com"), is_host_name("v15.0"), is_host_name("README.md"), is_host_name("main")
    (True, False, False, False)
    """
    found = _HOST_NAME.fullmatch(value)
    return found is not None and found[1].lower() not in _FILE_ENDINGS


def is_address(value: str) -> bool:
    """Return whether a value is a whole web address, as it is or percent-encoded.

    >>> is_address("https%3A%2F%2Fnews.example%2F"), is_address("https://news.example/"), is_address("news")
    (True, True, False)
    """
    return _ADDRESS.match(value) is not None


SECOND_LEVEL = frozenset("ac co com edu gen go gob gov gr id ind info lg mil ne net nic nom or org res sch".split())
"""Labels under which a country gives out names: example.co.jp."""


VALUE_TYPES: Mapping[str, Callable[[str], bool]] = {
    "host": is_host_name,
    "address": is_address,
    "session": lambda value: _SESSION.fullmatch(value) is not None,
    "digits": lambda value: _DIGITS.fullmatch(value) is not None,
    "hex": lambda value: _HEX.fullmatch(value) is not None,
}
"""Name → test: ``host`` a host name, ``address`` a web address, ``session`` 26 to 40 hex digits, ``digits``, and
``hex`` 8 hex digits or more."""


_FOLDS: Mapping[str, Callable[[str], str]] = {
    "lower": str.lower,
    "underscore": lambda text: re.sub(r"(?:[ _]|%20)+", "_", text),
    "capital": lambda text: text[:1].upper() + text[1:],
    "dash": lambda text: re.sub(r"[-_.]+", "-", text).lower(),
}
FOLDS = tuple(_FOLDS)
"""Names of foldings: ``lower`` case, spaces as ``underscore``, first letter ``capital``, - _ . as one ``dash``."""


def fold_value(text: str, folds: Iterable[str]) -> str:
    """Return what a placeholder found, in the one spelling that its site uses.

    >>> fold_value("coffee%20grinder", ["underscore", "capital"]), fold_value("Flask_SQLAlchemy", ["dash"])
    ('Coffee_grinder', 'flask-sqlalchemy')
    >>> fold_value("Tea", [])
    'Tea'
    """
    for name in folds:
        text = _FOLDS[name](text)
    return text
