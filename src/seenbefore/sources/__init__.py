"""What arrives: feeds, item lists and folders of them, read into items without loss."""

from __future__ import annotations

from .feed import FeedFetch, ReadWarning, read_feed
from .folder import FetchInput, Input, InputError, ItemsInput, iter_inputs
from .items import LineError, parse_item, read_items, read_numbered

__all__ = [
    "FeedFetch",
    "FetchInput",
    "Input",
    "InputError",
    "ItemsInput",
    "LineError",
    "ReadWarning",
    "iter_inputs",
    "parse_item",
    "read_feed",
    "read_items",
    "read_numbered",
]
