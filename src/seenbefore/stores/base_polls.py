"""The role of a unit for polled addresses; see ``base`` for the rest."""

from __future__ import annotations

from typing import Protocol

from ..polling.state import PollResult, PollState


class Polls(Protocol):
    """The newest state of each polled address, and what became of the last attempts."""

    def save(self, state: PollState, keep: int) -> None:
        """Stores the state in place of the one before, and its last result behind the earlier ones.

        Of the results of this address the newest ``keep`` stay, at least one.
        """

    def find_state(self, identity: str) -> PollState | None:
        """The newest state of the address."""

    def list_states(self) -> list[PollState]:
        """All, by identity."""

    def list_results(self, identity: str) -> list[PollResult]:
        """What became of the last attempts, the oldest first; the last one is that of the state."""
