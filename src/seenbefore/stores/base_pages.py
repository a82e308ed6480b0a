"""The role of a unit for pages that were opened; see ``base`` for the rest."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

from ..model import Capture, PageHost


class Pages(Protocol):
    """Every attempt to open a page, the pages that are kept, and what is known of their hosts."""

    def add_capture(self, capture: Capture) -> Capture:
        """Stores an attempt (its id is ignored); returns it with its id, 1 and up, never reused.

        Raises StoreError for a version or a kept page that is not stored.
        """

    def find_captures(self, addresses: Iterable[str]) -> dict[str, Capture]:
        """The newest attempt at each of these addresses; those without any are absent."""

    def list_captures(self, address: str) -> list[Capture]:
        """All attempts at one address, the oldest first."""

    def list_kept(self, after: int, limit: int) -> list[Capture]:
        """Attempts whose page is kept, by ascending id, after the one with this id."""

    def set_version(self, capture_id: int, version_id: int) -> None:
        """Notes which version the text of an attempt became. Raises StoreError when either is not stored."""

    def count_captures(self) -> dict[tuple[str, str], int]:
        """How many addresses stand at each (outcome, representation), by their newest attempt; '' for none."""

    def keep_body(self, body_hash: str, body: bytes, size: int, at: datetime) -> bool:
        """Keeps the bytes of a page, compressed by the caller; ``size`` is their length before.

        Returns False when they are kept already.
        """

    def get_body(self, body_hash: str) -> bytes:
        """The compressed bytes as they were given. Raises NotFound."""

    def kept_bytes(self) -> int:
        """How much all kept pages take, compressed."""

    def find_hosts(self, hosts: Iterable[str]) -> dict[str, PageHost]:
        """What is known of each of these hosts; unknown ones are absent."""

    def put_host(self, host: PageHost) -> None:
        """Stores what is known of a host, in place of what was."""
