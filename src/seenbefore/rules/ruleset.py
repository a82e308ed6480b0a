"""Rules compiled for look-up: one dictionary access per host, one per parameter name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .patterns import compile_path_pattern
from .schema import Rule, RuleKind, RulePack

MAX_IDENTITY_PATH = 1000
"""Longer paths are not looked at: no site names an article with so many characters."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A value that a site's own rule read from a path, and the rule that read it."""

    value: str
    rule: Rule


@dataclass(frozen=True, slots=True)
class HostRules:
    """The rules that apply on one host, those for every host included."""

    names: Mapping[str, Rule]
    prefixes: tuple[str, ...]
    prefix_rules: tuple[tuple[str, Rule], ...]
    paths: tuple[tuple[re.Pattern[str], Rule], ...]

    def dropping(self, name: str) -> Rule | None:
        """The rule that drops the parameter ``name`` (lower case), or None: it stays."""
        rule = self.names.get(name)
        if rule is None and name.startswith(self.prefixes):
            rule = next(rule for prefix, rule in self.prefix_rules if name.startswith(prefix))
        return rule

    def identities(self, path: str) -> tuple[Identity, ...]:
        """What the site's rules read from a path (without final slash); nothing if no pattern fits."""
        if not self.paths or len(path) > MAX_IDENTITY_PATH:
            return ()
        found = ((pattern.fullmatch(path), rule) for pattern, rule in self.paths)
        return tuple(Identity(_fill(rule, match), rule) for match, rule in found if match)


@dataclass(frozen=True, slots=True)
class Rules:
    """All loaded packs. ``version`` names each with its version: ``generic@1,techcrunch@1``."""

    version: str
    packs: tuple[RulePack, ...]
    everywhere: HostRules
    hosts: Mapping[str, HostRules]

    def for_host(self, host: str) -> HostRules:
        """The rules for a host, written in lower case and without ``www.``."""
        return self.hosts.get(host, self.everywhere)


def compile_rules(packs: Iterable[RulePack]) -> Rules:
    """Return the packs ready for look-up; their order plays no part.

    >>> rule = Rule("x", RuleKind.DROP_PARAM, "p", 1, "why", (), (), hosts=("a.example",), names=("ref",))
    >>> rules = compile_rules([RulePack("p", 1, (rule,))])
    >>> rules.version, rules.for_host("a.example").dropping("ref") is rule
    ('p@1', True)
    >>> rules.for_host("b.example").dropping("ref") is None
    True
    """
    ordered = tuple(sorted(packs, key=lambda pack: pack.name))
    rules = [rule for pack in ordered for rule in pack.rules]
    hosts = sorted({host for rule in rules for host in rule.hosts})
    return Rules(
        version=",".join(f"{pack.name}@{pack.version}" for pack in ordered),
        packs=ordered,
        everywhere=_host_rules(rule for rule in rules if not rule.hosts),
        hosts={host: _host_rules(r for r in rules if not r.hosts or host in r.hosts) for host in hosts},
    )


def _host_rules(rules: Iterable[Rule]) -> HostRules:
    applying = tuple(rules)
    prefix_rules = tuple((prefix, rule) for rule in applying for prefix in rule.prefixes)
    return HostRules(
        names={name: rule for rule in applying for name in rule.names},
        prefixes=tuple(prefix for prefix, _ in prefix_rules),
        prefix_rules=prefix_rules,
        paths=tuple((compile_path_pattern(rule.path), rule) for rule in applying if rule.kind is RuleKind.IDENTITY),
    )


def _fill(rule: Rule, match: re.Match[str]) -> str:
    groups = {name: found or "" for name, found in match.groupdict().items()}
    if rule.lowercase:
        groups = {name: found.lower() for name, found in groups.items()}
    return rule.value.format_map(groups)
