"""Which rules are in force: the shipped ones, those of the caller, and those that were activated in the store.

What is activated lives in the store, so that every process follows from its next unit on.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..model import RuleState, RuleVersion
from ..rules import RulePack, Rules, lay_over, parse_pack
from ..stores.base import Unit

_IN_FORCE = (RuleState.ACTIVATING, RuleState.ACTIVE)


class RuleBook:
    """The rules of one open store. ``base`` are the shipped ones with the caller's packs over them."""

    def __init__(self, base: Rules) -> None:
        self.base = base
        self._stamp: int | None = None
        self._rules = base

    def at(self, unit: Unit) -> Rules:
        """Return the rules in force inside a unit; they are read again only when somebody changed them.

        Raises:
            InvalidRule: a stored pack cannot be read by this version.
        """
        stamp = unit.packs.stamp()
        if stamp != self._stamp:
            self._rules = self.with_versions(in_force(unit.packs.list_versions()))
            self._stamp = stamp
        return self._rules

    def with_versions(self, versions: Iterable[RuleVersion]) -> Rules:
        """Return the rules with these versions over the shipped ones, and the caller's packs over them."""
        mine = [pack for pack in self.base.packs if pack.own]
        names = {pack.name for pack in mine}
        stored = [pack for pack in map(read_version, versions) if pack.name not in names]
        return lay_over([*stored, *mine]) if stored else self.base


RuleSource = Rules | RuleBook
"""Rules as they are, or as a store has them."""


def rules_at(rules: RuleSource, unit: Unit) -> Rules:
    """Return the rules to use inside a unit."""
    return rules.at(unit) if isinstance(rules, RuleBook) else rules


def in_force(versions: Iterable[RuleVersion], *, but: Collection[int] = ()) -> list[RuleVersion]:
    """Return the newest version of each pack that was not taken back, without those named in ``but``."""
    newest: dict[str, RuleVersion] = {}
    for version in sorted(versions, key=lambda version: version.number):
        if version.state in _IN_FORCE and version.number not in but:
            newest[version.pack] = version
    return list(newest.values())


def read_version(version: RuleVersion) -> RulePack:
    """Return the pack of a stored version. Raises InvalidRule."""
    return parse_pack(f"rules {version.version_id}", version.text)
