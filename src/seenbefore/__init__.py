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

from .decisionjson import decision_to_json
from .errors import IngestError, InvalidInput, InvalidItem, NotFound, SeenBeforeError, StoreError
from .model import Decision, Evidence, Event, Item, Kind, Outcome, Record, Verdict
from .wiring import SeenBefore
from .wiring import open_db as open  # noqa: A004

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
