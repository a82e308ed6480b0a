"""What differs between two sets of rules, field by field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields

from .schema import Rule, RulePack

_BESIDE = ("pack_version", "own", "where")
"""Fields that say where a rule stands, not what it does."""


@dataclass(frozen=True, slots=True)
class RuleChange:
    """A rule that was added (``before`` is None), removed (``after`` is None) or changed in some fields."""

    rule_id: str
    before: Rule | None
    after: Rule | None
    fields: tuple[str, ...]

    @property
    def what(self) -> str:
        """``added``, ``removed`` or ``changed``."""
        if self.before is None:
            return "added"
        return "removed" if self.after is None else "changed"


def compare_packs(before: Iterable[RulePack], after: Iterable[RulePack]) -> list[RuleChange]:
    """Return what changes from some packs to others, by the ids of the rules.

    >>> from dataclasses import replace
    >>> from .schema import RuleKind
    >>> rule = Rule("x", RuleKind.DROP, "p", 1, "why", (), (), hosts=("a.example",), names=("ref",))
    >>> old, new = RulePack("p", 1, (rule,)), RulePack("p", 2, (replace(rule, names=("via",), pack_version=2),))
    >>> [(change.what, change.fields) for change in compare_packs([old], [new])]
    [('changed', ('names',))]
    >>> compare_packs([old], [replace(old, version=2)])
    []
    """
    old, new = _by_id(before), _by_id(after)
    changes = []
    for rule_id in sorted(old.keys() | new.keys()):
        one, other = old.get(rule_id), new.get(rule_id)
        differing = _differing(one, other) if one and other else ()
        if one is None or other is None or differing:
            changes.append(RuleChange(rule_id, one, other, differing))
    return changes


def rule_to_json(rule: Rule) -> dict[str, object]:
    """Return the mapping of a rule: the fields of its TOML form that say something."""
    told: dict[str, object] = {"id": rule.id, "kind": rule.kind.value, "pack": rule.pack, "version": rule.pack_version}
    for name, value in _said(rule).items():
        told[name] = value
    return told


def _said(rule: Rule) -> dict[str, object]:
    """The fields that differ from what an empty rule has, in the words of a pack."""
    named: dict[str, object] = {}
    for each in fields(rule):
        value = getattr(rule, each.name)
        if each.name in ("id", "kind", "pack", *_BESIDE) or value in ("", (), False):
            continue
        named[each.name] = (
            [list(v) if isinstance(v, tuple) else v for v in value] if isinstance(value, tuple) else value
        )
    named["strength"] = "strong" if named.pop("strong", False) else "near"
    if rule.kind != "identity":
        named.pop("reads", None)
    if rule.kind != "unwrap":
        named.pop("decode", None)
    if rule.kind not in ("identity", "drop"):
        named.pop("strength", None)
    return named


def _differing(one: Rule, other: Rule) -> tuple[str, ...]:
    names = [each.name for each in fields(one) if each.name not in _BESIDE]
    return tuple("strength" if n == "strong" else n for n in names if getattr(one, n) != getattr(other, n))


def _by_id(packs: Iterable[RulePack]) -> Mapping[str, Rule]:
    return {rule.id: rule for pack in packs for rule in pack.rules}
