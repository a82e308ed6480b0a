"""What the value of a parameter looks like, for names that mean content in one place and tracking in another."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_HOST_NAME = re.compile(r"(?:www\.)?[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,3}\.([a-z]{2,24})/?", re.IGNORECASE)
_FILE_ENDINGS = frozenset(
    {
        *("md", "py", "js", "ts", "css", "html", "htm", "php", "asp", "aspx", "jsp", "cgi"),
        *("txt", "pdf", "xml", "json", "toml", "yaml", "yml", "rst", "png", "jpg", "jpeg", "gif", "zip"),
    }
)
_SESSION = re.compile(r"[0-9a-f]{26,40}", re.IGNORECASE)
_DIGITS = re.compile(r"[0-9]+")
_HEX = re.compile(r"[0-9a-f]{8,}", re.IGNORECASE)


def is_host_name(value: str) -> bool:
    """Return whether a value names a host, as the links that Ghost sends out do (``ref=weekly.example``).

    >>> is_host_name("weekly-robotics.com"), is_host_name("v15.0"), is_host_name("README.md"), is_host_name("main")
    (True, False, False, False)
    """
    found = _HOST_NAME.fullmatch(value)
    return found is not None and found[1].lower() not in _FILE_ENDINGS


VALUE_TYPES: Mapping[str, Callable[[str], bool]] = {
    "host": is_host_name,
    "session": lambda value: _SESSION.fullmatch(value) is not None,
    "digits": lambda value: _DIGITS.fullmatch(value) is not None,
    "hex": lambda value: _HEX.fullmatch(value) is not None,
}
"""Name → test: ``host`` a host name, ``session`` 26 to 40 hex digits, ``digits``, ``hex`` 8 hex digits or more."""
