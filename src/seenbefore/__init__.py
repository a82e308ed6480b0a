"""Have we seen this before? New, update, duplicate or review, with evidence, and reversibly.

>>> import seenbefore
>>> with seenbefore.open(":memory:") as db:
...     first = db.see({"source": "example.com", "url": "http://example.com/bridge", "title": "Bridge to be replaced"})
...     again = db.see({"source": "planet", "url": "https://www.example.com/bridge?utm_source=rss",
...                     "title": "Bridge to be replaced"})
...     other = db.see({"source": "planet", "url": "https://example.com/opera", "title": "Opera reopens on Friday"})
>>> [(d.outcome.value, d.reason) for d in (first, again, other)]
[('new', 'first_seen'), ('duplicate', 'other_source'), ('new', 'first_seen')]
"""

import importlib
from typing import TYPE_CHECKING

from .decisionjson import decision_to_json
from .errors import IngestError, InvalidInput, InvalidItem, NotFound, SeenBeforeError, StoreError
from .model import Decision, Event, Evidence, Item, Kind, Outcome, Record, Verdict

if TYPE_CHECKING:
    from .wiring import SeenBefore
    from .wiring import open_db as open

__version__ = "0.1.0"

__all__ = [
    "Decision",
    "Event",
    "Evidence",
    "IngestError",
    "InvalidInput",
    "InvalidItem",
    "Item",
    "Kind",
    "NotFound",
    "Outcome",
    "Record",
    "SeenBefore",
    "SeenBeforeError",
    "StoreError",
    "Verdict",
    "decision_to_json",
    "open",
]

_FROM_WIRING = {"SeenBefore": "SeenBefore", "open": "open_db"}


def __getattr__(name: str) -> object:
    """Import the engine when it is first asked for: the command line's help must come at once."""
    if name not in _FROM_WIRING:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.wiring"), _FROM_WIRING[name])
    globals()[name] = value
    return value
