"""Events as ``event key=value`` lines over the standard library's logging.

Values are escaped and masked here, once, so that no call site can forget it: text from outside may
carry terminal control sequences, and addresses may carry credentials.
"""

from __future__ import annotations

import logging
import re

from .redact import escape_control, mask_secrets

_PLAIN = re.compile(r"[^\s\"'=\\]+")

logger = logging.getLogger("seenbefore")


def log_event(event: str, *, level: int = logging.INFO, **values: object) -> None:
    """Write one line ``event key=value …``; values with blanks are quoted.

    >>> _format("decision", {"record": "r1", "title": "two words"})
    "decision record=r1 title='two words'"
    """
    if logger.isEnabledFor(level):
        logger.log(level, "%s", _format(event, values))


def _format(event: str, values: dict[str, object]) -> str:
    parts = [event]
    for name, value in values.items():
        text = escape_control(mask_secrets(str(value)))
        parts.append(f"{name}={text}" if _PLAIN.fullmatch(text) else f"{name}={text!r}")
    return " ".join(parts)
