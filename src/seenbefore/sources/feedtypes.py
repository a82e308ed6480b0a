"""What a feed reader hands on: one reading of one feed, with everything that had to be repaired."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from .entries import Entries


@dataclass(frozen=True, slots=True)
class ReadWarning:
    """Something that is wrong with an input but did not stop its reading. ``code`` is stable."""

    code: str
    message: str


@dataclass(frozen=True, slots=True)
class FeedFetch:
    """One reading of one feed. ``address`` is the feed's own claim about where it lives, '' if none."""

    source: str
    address: str
    title: str
    fetch_id: str
    observed_at: datetime
    items: Entries
    warnings: tuple[ReadWarning, ...] = ()


@dataclass(frozen=True, slots=True)
class Stamp:
    """What every item of one fetch carries: where it was read, in which fetch and when."""

    source: str
    fetch_id: str
    observed_at: datetime


class FeedDocument(Protocol):
    """A parsed feed of any format, before its items are built."""

    @property
    def address(self) -> str:
        """The feed's own address, or ''."""

    @property
    def title(self) -> str:
        """The feed's title, or ''."""

    def items(self, stamp: Stamp) -> tuple[Entries, tuple[ReadWarning, ...]]:
        """Return the entries as items, and what had to be repaired or left out."""


def empty_entries_warning(count: int) -> tuple[ReadWarning, ...]:
    """Return the warning for ``count`` entries that hold nothing, or no warning for none.

    >>> [warning.code for warning in empty_entries_warning(2)], empty_entries_warning(0)
    (['empty_entries'], ())
    """
    if not count:
        return ()
    noun = "entry holds" if count == 1 else "entries hold"
    return (ReadWarning("empty_entries", f"{count} {noun} no guid, address, title, text or enclosure"),)
