"""Packs and rules looked at by themselves, without a store: lists, differences, and whether their pairs hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..rules import Rule, RulePack, Rules, lay_over, load_rules, shipped_packs
from ..rules.differences import RuleChange, compare_packs, rule_to_json
from ..urls.proving import Failure, iter_failures

__all__ = [
    "PackTest",
    "Rule",
    "RuleChange",
    "RulePack",
    "Rules",
    "change_to_json",
    "compare_packs",
    "concerning",
    "find_rules",
    "pack_to_json",
    "prove_packs",
    "rule_to_json",
    "shipped_packs",
]


@dataclass(frozen=True, slots=True)
class PackTest:
    """How many packs and pairs were asked, and which pairs do not hold."""

    packs: int
    pairs: int
    failures: tuple[tuple[RulePack, Failure], ...]

    def to_json(self) -> dict[str, object]:
        """Return the mapping for programs."""
        rows = [
            {"pack": pack.name, "rule": f.rule.id, "field": f.field, "pair": list(f.pair), "message": f.message}
            for pack, f in self.failures
        ]
        return {"packs": self.packs, "pairs": self.pairs, "failures": rows}


def prove_packs(own: Sequence[RulePack] = ()) -> PackTest:
    """Return whether the pairs of somebody's own packs hold over the shipped rules; without any, those of the shipped.

    Raises:
        InvalidRule: two of them carry one name, or one rule id.
    """
    packs = own or shipped_packs()
    rules = lay_over(own) if own else load_rules()
    failures = tuple((pack, failure) for pack in packs for failure in iter_failures(pack, rules))
    pairs = sum(len(rule.must_match) + len(rule.must_not_match) for pack in packs for rule in pack.rules)
    return PackTest(len(packs), pairs, failures)


def find_rules(rules: Rules, what: str) -> list[Rule]:
    """Return the rules of a pack, or the one rule with this id, with their pairs; none when there is neither."""
    full = {rule.id: rule for pack in shipped_packs() for rule in pack.rules}
    found = [rule for pack in rules.packs for rule in pack.rules if what in (pack.name, rule.id)]
    return [rule if rule.own else full[rule.id] for rule in found]


def concerning(packs: Sequence[RulePack], named: Sequence[RulePack]) -> list[RulePack]:
    """Return what of some packs others take the place of: packs of the same names, and rules of the same ids."""
    names, ids = {pack.name for pack in named}, {rule.id for pack in named for rule in pack.rules}
    kept = [(pack, tuple(rule for rule in pack.rules if pack.name in names or rule.id in ids)) for pack in packs]
    return [replace(pack, rules=rules) for pack, rules in kept if rules]


def pack_to_json(pack: RulePack) -> dict[str, object]:
    """Return the mapping of a pack with the ids of its rules."""
    return {
        "pack": pack.name,
        "version": pack.version,
        "own": pack.own,
        "about": pack.about,
        "rules": [rule.id for rule in pack.rules],
    }


def change_to_json(change: RuleChange) -> dict[str, object]:
    """Return the mapping of what changed about a rule."""
    return {
        "rule": change.rule_id,
        "what": change.what,
        "fields": list(change.fields),
        "before": rule_to_json(change.before) if change.before else None,
        "after": rule_to_json(change.after) if change.after else None,
    }
