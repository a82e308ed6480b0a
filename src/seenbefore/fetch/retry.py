"""``Retry-After``: how long a server asks to be left alone."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final

_SECONDS: Final = re.compile(r"[0-9]{1,12}\Z")


def retry_after(value: str, now: datetime, most_s: float) -> float | None:
    """Return the seconds a header asks for, at most ``most_s``; None when it says nothing that can be read.

    >>> now = datetime(2026, 3, 1, 12, tzinfo=UTC)
    >>> retry_after("120", now, 3600), retry_after("999999", now, 3600)
    (120.0, 3600)
    >>> retry_after("Sun, 01 Mar 2026 12:01:00 GMT", now, 3600), retry_after("soon", now, 3600)
    (60.0, None)
    """
    text = value.strip()
    if _SECONDS.match(text):
        return min(float(text), most_s)
    try:
        at = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    at = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
    return min(max(0.0, (at - now).total_seconds()), most_s)
