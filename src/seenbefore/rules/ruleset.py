"""Rules compiled for look-up: one dictionary access per host, one per parameter name.

What a host pays does not depend on how many packs there are: the rules that apply to it are picked once, when
it is met first, and kept for the next address.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .schema import Reads, Rule, RuleKind, RulePack
from .templates import Template, compile_template, template_host
from .values import VALUE_TYPES, fold_value

SELECTS_NEARLY_EVERYWHERE = frozenset(
    "page p pg pn paged pagenum offset start cpage lang language hl locale l format output action oldid diff rev "
    "revision version ver print printable comments comment feed replytocom".split()
)
"""Parameters that page, translate or format a page: an identity rule that ignores all others stops at these."""

RETURNS = re.compile(
    r"(?:^|[-_])(?:daily|weekly|monthly|roundup|round-up|recap|digest|newsletter|briefing|podcast|horoscope|crossword"
    r"|wordle|deals|links|this-week|week-in-review|of-the-(?:day|week|month)|open-thread)(?:[-_]|$)"
)
"""Words in the slugs of columns, which return under another date."""

_REMEMBERED, _REMEMBERED_NAMES = 20_000, 500
"""Hosts, and parameter names of each, that are kept; then the memory starts anew."""

Params = Mapping[str, str | None]
"""Values by lower-case name; None for a name that stands twice."""


class Claim(NamedTuple):
    """What a site calls a page, read from its address: ``value`` is ``site:id``.

    A ``strong`` one holds by itself, one that is not is a hint. ``reads`` says whether it is an id or a slug.
    """

    value: str
    rule_id: str
    pack: str
    pack_version: int
    strong: bool = True
    reads: Reads = Reads.ID

    @property
    def namespace(self) -> str:
        """The name before ``:``; two ids of one namespace are two pages."""
        return self.value.partition(":")[0]


class HostRules:
    """The rules that apply on one host, those for every host included. ``host`` is the folded name."""

    def __init__(self, host: str, own: Sequence[Rule], everywhere: Mapping[str, tuple[Rule, ...]], prefixes: _Prefixes):
        self.host = host
        self.alias = next((rule for rule in own if rule.kind is RuleKind.ALIAS), None)
        self.of_users = any(rule.kind is RuleKind.USERS for rule in own)
        self.identities = _ByFirst(host, (rule for rule in own if rule.kind is RuleKind.IDENTITY))
        self.unwraps = _ByFirst(host, (rule for rule in own if rule.kind is RuleKind.UNWRAP))
        self._own = [rule for rule in own if rule.kind in (RuleKind.DROP, RuleKind.KEEP)]
        self._everywhere = everywhere
        self._prefixes = prefixes
        self._known: dict[str, tuple[Rule, ...]] = {}

    def dropping(self, name: str) -> tuple[Rule, ...]:
        """The rules that may drop a parameter (any case of its name); the first that applies does. () keeps it."""
        found = self._known.get(name)
        if found is None:
            found = self._find(name.lower())
            if len(self._known) >= _REMEMBERED_NAMES:
                self._known.clear()
            self._known[name] = found
        return found

    def _find(self, name: str) -> tuple[Rule, ...]:
        found: list[Rule] = []
        mine = [r for r in self._own if name in r.names or name.startswith(r.prefixes)]
        general = (*self._everywhere.get(name, ()), *self._prefixes.find(name))
        for rule in (*mine, *general):
            if rule.kind is RuleKind.KEEP:
                break
            found.append(rule)
        return tuple(found)

    def claims(self, path: str, params: Params) -> tuple[tuple[Claim, str], ...]:
        """What the site's rules read from a path (without final slash) and parameters, with the address to fetch."""
        found: dict[str, tuple[Claim, str]] = {}
        for rule, templates in self.identities.at(path):
            groups = next((g for t in templates if (g := _read(rule, t, self.host, path, params)) is not None), None)
            if groups is not None:
                if _is_column(rule, groups):
                    continue
                groups["host"] = self.host
                value = rule.value.format_map(groups)
                if value not in found or (rule.strong and not found[value][0].strong):
                    claim = Claim(value, rule.id, rule.pack, rule.pack_version, rule.strong, rule.reads)
                    found[value] = (claim, rule.fetch.format_map(groups) if rule.fetch else "")
        return tuple(found.values())


def _is_column(rule: Rule, groups: Mapping[str, str]) -> bool:
    """Whether a slug under a date names something that returns: its date is what tells one from the next."""
    if rule.reads is not Reads.SLUG or not any("{year}" in text for text in rule.match):
        return False
    return any(RETURNS.search(value.lower()) for value in groups.values())


def _read(rule: Rule, template: Template, host: str, path: str, params: Params) -> dict[str, str] | None:
    groups = template.read(host, path, params)
    if groups is None or (params and not _is_alone(rule, template, params)):
        return None
    decoded = {name: _decode(value) if "%" in value else value for name, value in groups.items()}
    if rule.fold:
        decoded = {name: fold_value(value, rule.fold) for name, value in decoded.items()}
    return {name: value.lower() for name, value in decoded.items()} if rule.lowercase else decoded


def _is_alone(rule: Rule, template: Template, params: Params) -> bool:
    """Whether no parameter beside those of the template may select another page."""
    others = params.keys() - {name for name, _ in template.params} - set(rule.ignore)
    return not (others & SELECTS_NEARLY_EVERYWHERE if "*" in rule.ignore else others)


def _decode(value: str) -> str:
    """The text with percent-encoded ASCII characters decoded once; other bytes stay as they are."""
    parts = value.split("%")
    decoded = parts[0]
    for part in parts[1:]:
        code = part[:2]
        is_ascii = len(code) == 2 and code[0] in "234567" and code[1] in "0123456789ABCDEFabcdef"
        decoded += chr(int(code, 16)) + part[2:] if is_ascii else f"%{part}"
    return decoded


def applies(
    rule: Rule, value: str, path: str, names: Collection[str], paths: Mapping[str, tuple[Template, ...]]
) -> bool:
    """Return whether a drop rule that names a parameter applies to it here."""
    if rule.values or rule.value_types:
        fits = value.lower() in rule.values or any(VALUE_TYPES[kind](value) for kind in rule.value_types)
        if not fits:
            return False
    if rule.beside and not all(name in names for name in rule.beside):
        return False
    return not rule.match or any(t.read("", path, {}) is not None for t in paths[rule.id])


class _ByFirst:
    """Rules with templates, found by the first part of a path."""

    def __init__(self, host: str, rules: Iterable[Rule]) -> None:
        self._first: dict[str, list[tuple[Rule, list[Template]]]] = {}
        self._any: list[tuple[Rule, list[Template]]] = []
        for rule in rules:
            by_first: dict[str, list[Template]] = {}
            for template in map(compile_template, rule.match):
                if template.host or _covers(rule.hosts, host):
                    by_first.setdefault(template.first, []).append(template)
            for first, templates in by_first.items():
                (self._first.setdefault(first, []) if first else self._any).append((rule, templates))

    def __bool__(self) -> bool:
        return bool(self._first or self._any)

    def at(self, path: str) -> Iterable[tuple[Rule, list[Template]]]:
        """The rules that may fit a path."""
        named = self._first.get(path[1:].partition("/")[0])
        return (*named, *self._any) if named else self._any


def _covers(hosts: Sequence[str], host: str) -> bool:
    """Whether a host is one of these, or below one that begins with ``*.``."""
    return any(host == name or (name[:2] == "*." and host.endswith(name[1:])) for name in hosts)


class _Prefixes:
    """Rules for every host that drop by how a name begins."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = [(prefix, rule) for rule in rules for prefix in rule.prefixes]
        self._all = tuple(prefix for prefix, _ in self._rules)

    def find(self, name: str) -> list[Rule]:
        """The rules for a name."""
        return [rule for prefix, rule in self._rules if name.startswith(prefix)] if name.startswith(self._all) else []


@dataclass(frozen=True, slots=True)
class Rules:
    """All loaded packs. ``version`` names them: ``builtin@1f2e3d4c`` and each further pack, ``mine@3``."""

    version: str
    packs: tuple[RulePack, ...]
    _hosts: Mapping[str, tuple[Rule, ...]] = field(repr=False)
    _names: Mapping[str, tuple[Rule, ...]] = field(repr=False)
    _prefixes: _Prefixes = field(compare=False, repr=False)
    paths: Mapping[str, tuple[Template, ...]] = field(compare=False, repr=False)
    _known: dict[str, HostRules] = field(default_factory=dict, compare=False, repr=False)
    memory: dict[str, object] = field(default_factory=dict, compare=False, repr=False)
    """For those who derive something from a host and these rules: it goes with them."""

    def __reduce__(self) -> tuple[object, ...]:
        shipped = self.version.partition(",")[0]
        return compile_rules, (self.packs, shipped if shipped.startswith("builtin@") else "")

    def for_host(self, host: str) -> HostRules:
        """The rules for a host, written in lower case and without ``www.``."""
        found = self._known.get(host)
        if found is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            found = self._known[host] = HostRules(host, self._pick(host), self._names, self._prefixes)
        return found

    def get(self, rule_id: str) -> Rule | None:
        """The rule of this id."""
        return next((rule for pack in self.packs for rule in pack.rules if rule.id == rule_id), None)

    def _pick(self, host: str) -> list[Rule]:
        """The rules of a host and of those above it, somebody's own ones first, then the more special ones."""
        names, rest = [host], host
        while "." in rest:
            rest = rest.partition(".")[2]
            names.append(f"*.{rest}")
        found = [rule for name in names for rule in self._hosts.get(name, ())]
        found.sort(key=lambda rule: not rule.own)
        keeps = [r for r in found if r.kind is RuleKind.KEEP]
        in_order = [*(r for r in keeps if r.own), *(r for r in found if r.own), *keeps, *found]
        return list({rule.id: rule for rule in in_order}.values())


def compile_rules(packs: Iterable[RulePack], shipped: str = "") -> Rules:
    """Return the packs ready for look-up; their order plays no part. ``shipped`` names those that are shipped.

    >>> rule = Rule("x", RuleKind.DROP, "p", 1, "why", (), (), hosts=("a.example",), names=("ref",))
    >>> rules = compile_rules([RulePack("p", 1, (rule,), own=True)])
    >>> rules.version, rules.for_host("a.example").dropping("ref") == (rule,)
    ('p@1', True)
    >>> rules.for_host("b.example").dropping("ref")
    ()
    """
    ordered = tuple(sorted(packs, key=lambda pack: pack.name))
    rules = sorted((rule for pack in ordered for rule in pack.rules), key=lambda rule: rule.id)
    hosts: dict[str, list[Rule]] = {}
    names: dict[str, list[Rule]] = {}
    general = sorted((r for r in rules if not rule_hosts(r)), key=lambda r: (not r.own, r.kind is not RuleKind.KEEP))
    for rule in rules:
        for host in rule_hosts(rule):
            hosts.setdefault(host, []).append(rule)
    for rule in general:
        for name in rule.names:
            names.setdefault(name, []).append(rule)
    limited = [rule for rule in rules if rule.kind is RuleKind.DROP and rule.match]
    return Rules(
        version=",".join([*([shipped] if shipped else []), *(f"{p.name}@{p.version}" for p in ordered if p.own)]),
        packs=ordered,
        _hosts={host: tuple(several) for host, several in hosts.items()},
        _names={name: tuple(several) for name, several in names.items()},
        _prefixes=_Prefixes(general),
        paths={rule.id: tuple(map(compile_template, rule.match)) for rule in limited},
    )


def rule_hosts(rule: Rule) -> tuple[str, ...]:
    """Return the hosts a rule applies on, those that stand in its templates included; () for every host."""
    named = map(template_host, rule.match)
    return tuple(dict.fromkeys((*rule.hosts, *(host for host in named if host))))
