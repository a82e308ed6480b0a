"""Short values that feeds write in a fixed form: languages, media types, times."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Final

_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
_MEDIA_TYPE: Final = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*")

UNKNOWN_TYPE: Final = "application/octet-stream"


def language_tag(text: str) -> str:
    """Return a language as BCP 47 writes it, '' for anything else.

    >>> language_tag("en_US"), language_tag("English (US)")
    ('en-US', '')
    """
    tag = text.strip().replace("_", "-")
    return tag if _LANGUAGE.fullmatch(tag) else ""


def media_type(text: str) -> str:
    """Return a media type without its parameters, '' for anything else.

    >>> media_type("Audio/MPEG; charset=x"), media_type("mp3")
    ('audio/mpeg', '')
    """
    kind = text.partition(";")[0].strip().lower()
    return kind if _MEDIA_TYPE.fullmatch(kind) else ""


def w3c_time(at: datetime) -> str:
    """Return the time to the second, as Atom, JSON Feed and sitemaps write it.

    >>> w3c_time(datetime(2026, 1, 31, 8, 0, 0, 999, tzinfo=UTC))
    '2026-01-31T08:00:00Z'
    """
    return at.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def rss_time(at: datetime) -> str:
    """Return the time to the second, as RSS writes it.

    >>> rss_time(datetime(2026, 1, 31, 8, tzinfo=UTC))
    'Sat, 31 Jan 2026 08:00:00 GMT'
    """
    return format_datetime(at.astimezone(UTC), usegmt=True)
