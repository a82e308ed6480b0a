"""The roles of a unit for rules of one's own and for recorded redirects; see ``base`` for the rest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from ..model import Redirect, RuleVersion


class Packs(Protocol):
    """The activations of somebody's own rule packs, and which records such rules can be about."""

    def add_version(self, version: RuleVersion) -> RuleVersion:
        """Stores an activation (its number is ignored); returns it with its number, 1 and up, never reused."""

    def list_versions(self) -> list[RuleVersion]:
        """All, by number."""

    def get_version(self, number: int) -> RuleVersion:
        """Raises NotFound."""

    def update_version(self, version: RuleVersion) -> None:
        """Replaces ``state``, ``done``, ``collisions``, ``forced`` and ``rolled_back_at`` of a stored activation.

        Raises StoreError for an unknown number.
        """

    def stamp(self) -> int:
        """A number that is another one after every ``add_version`` and every change of a state; cheap to ask.

        0 while no activation is stored. What a unit reads after its own writes counts only when it is committed:
        the number of a unit that failed comes again.
        """

    def find_records_on(self, hosts: Iterable[str]) -> list[int]:
        """Live records, ascending, that have a ``url`` or ``url_near`` key on one of these hosts.

        Keys of any scope and strength. Hosts are lower case. ``example.com`` is also found behind labels that
        only say how a page is shown (``www``, ``www2`` …, ``m``, ``mobile``, ``amp``, ``sp``, ``wap``) and with
        any port or credentials; ``*.example.com`` is every host below it, and not itself.
        """


class Redirects(Protocol):
    """Permanent redirects, found by the ``url`` key of either end."""

    def add_redirects(self, redirects: Iterable[Redirect]) -> int:
        """Returns how many are new; of the same (start_key, target_key) the first one stays."""

    def find_redirects(self, keys: Iterable[str]) -> dict[str, tuple[Redirect, ...]]:
        """The redirects that start or end at each of these keys, as they arrived; keys without any are absent."""

    def count_redirects(self) -> int:
        """How many are stored."""

    def list_redirects(self) -> list[Redirect]:
        """All, as they arrived."""
