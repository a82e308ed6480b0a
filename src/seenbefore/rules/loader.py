"""Reads rule packs and refuses any rule that does not prove itself on its own examples."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from string import Formatter

import can_ada

from ..errors import InvalidRule
from .patterns import compile_path_pattern
from .ruleset import HostRules, Rules, compile_rules
from .schema import Rule, RuleKind, RulePack

_PACK_FIELDS = {"pack", "version", "rule"}
_COMMON_FIELDS = {"id", "kind", "hosts", "reason", "must_match", "must_not_match"}
_KIND_FIELDS = {
    RuleKind.DROP_PARAM: {"names", "prefixes"},
    RuleKind.IDENTITY: {"path", "value", "lowercase"},
}
_NAME = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
_HOST = re.compile(r"(?!www\.)[a-z0-9-]+(?:\.[a-z0-9-]+)+")
_PARAMETER = re.compile(r"[a-z0-9._~%$\[\]-]+")


def load_rules(extra: Sequence[tuple[str, str]] = ()) -> Rules:
    """Return the rules shipped with the package, together with ``extra`` packs as (file name, TOML text).

    >>> rules = load_rules()
    >>> rules.for_host("example.com").dropping("utm_source").id
    'google-analytics-campaign'
    >>> rules.for_host("example.com").dropping("id") is None
    True

    Reading files is the caller's business; a pack that was read cannot be told from one that was shipped.

    Raises:
        InvalidRule: a pack breaks the schema, or a rule fails an example; file, rule and example are named.
    """
    packs = [parse_pack(name, text) for name, text in (*_shipped_packs(), *extra)]
    _check_unique(packs)
    return compile_rules(packs)


def parse_pack(file: str, text: str) -> RulePack:
    """Return the rule pack written in a TOML text; every rule in it has passed its own examples.

    >>> parse_pack("mine.toml", 'pack = "mine"\\nversion = 3').version
    3
    >>> parse_pack("mine.toml", 'pack = "mine"')
    Traceback (most recent call last):
        ...
    seenbefore.errors.InvalidRule: mine.toml: 'version' must be a whole number from 1

    Raises:
        InvalidRule: as for :func:`load_rules`.
    """
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidRule(f"not TOML: {error}", file) from error
    _check_fields(data, _PACK_FIELDS, file)
    name = _text(data, "pack", file)
    if not _NAME.fullmatch(name):
        raise InvalidRule(f"pack name {name!r} must be lower-case words joined by '-'", file)
    version = data.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise InvalidRule("'version' must be a whole number from 1", file)
    entries = data.get("rule", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise InvalidRule("rules must be written as [[rule]] tables", file)
    rules = tuple(_read_rule(entry, name, version, file) for entry in entries)
    return RulePack(name=name, version=version, rules=rules)


def _shipped_packs() -> Iterator[tuple[str, str]]:
    folder = resources.files(__package__) / "data"
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".toml"):
            yield entry.name, entry.read_text(encoding="utf-8")


def _check_unique(packs: Sequence[RulePack]) -> None:
    seen: set[tuple[str, str]] = set()
    for pack in packs:
        for what, name in (("pack", pack.name), *(("rule", rule.id) for rule in pack.rules)):
            if (what, name) in seen:
                raise InvalidRule(f"the {what} {name!r} exists twice", f"pack {pack.name}")
            seen.add((what, name))


# --- one rule -----------------------------------------------------------------------------------


def _read_rule(entry: Mapping[str, object], pack: str, version: int, file: str) -> Rule:
    where = f"{file}, rule {entry.get('id')!r}"
    rule_id = _text(entry, "id", where)
    if not _NAME.fullmatch(rule_id):
        raise InvalidRule("'id' must be lower-case words joined by '-'", where)
    try:
        kind = RuleKind(_text(entry, "kind", where))
    except ValueError as error:
        raise InvalidRule(f"'kind' must be one of {', '.join(RuleKind)}", where) from error
    _check_fields(entry, _COMMON_FIELDS | _KIND_FIELDS[kind], where)
    lowercase = entry.get("lowercase", False)
    if not isinstance(lowercase, bool):
        raise InvalidRule("'lowercase' must be true or false", where)
    identity = kind is RuleKind.IDENTITY
    rule = Rule(
        id=rule_id,
        kind=kind,
        pack=pack,
        pack_version=version,
        reason=_text(entry, "reason", where),
        must_match=_texts(entry, "must_match", where),
        must_not_match=_texts(entry, "must_not_match", where),
        hosts=_texts(entry, "hosts", where),
        names=_texts(entry, "names", where),
        prefixes=_texts(entry, "prefixes", where),
        path=_text(entry, "path", where) if identity else "",
        value=_text(entry, "value", where) if identity else "",
        lowercase=lowercase,
    )
    _check_scope(rule, where)
    _check_identity(rule, where) if identity else _check_parameters(rule, where)
    _check_examples(rule, where)
    return rule


def _check_scope(rule: Rule, where: str) -> None:
    for host in rule.hosts:
        if not _HOST.fullmatch(host):
            raise InvalidRule(f"host {host!r} must be a lower-case name without 'www.'", where)


def _check_parameters(rule: Rule, where: str) -> None:
    if not rule.names and not rule.prefixes:
        raise InvalidRule("a drop_param rule needs 'names' or 'prefixes'", where)
    for name in (*rule.names, *rule.prefixes):
        if not _PARAMETER.fullmatch(name):
            raise InvalidRule(f"parameter {name!r} must be written in lower case, as in a query", where)
    for prefix in rule.prefixes:
        if len(prefix) < 3:
            raise InvalidRule(f"prefix {prefix!r} is too short: it would drop names nobody thought of", where)


def _check_identity(rule: Rule, where: str) -> None:
    if not rule.hosts:
        raise InvalidRule("an identity rule needs 'hosts': a path means nothing without its site", where)
    try:
        groups = compile_path_pattern(rule.path).groupindex.keys()
        fields = [(name, spec, conversion) for _, name, spec, conversion in Formatter().parse(rule.value)]
    except ValueError as error:
        raise InvalidRule(str(error), where) from error
    used = {name for name, _, _ in fields if name is not None}
    if not used or not used <= groups or any(spec or conversion for _, spec, conversion in fields):
        raise InvalidRule("'value' must use {name} for named groups of 'path', at least one", where)
    if not re.match(r"[a-z0-9-]+:", rule.value):
        raise InvalidRule("'value' must start with the name of the site and ':'", where)


# --- examples -----------------------------------------------------------------------------------


def _check_examples(rule: Rule, where: str) -> None:
    for field, wanted in (("must_match", True), ("must_not_match", False)):
        examples: tuple[str, ...] = getattr(rule, field)
        if not examples:
            raise InvalidRule(f"{field!r} needs at least one address", where)
        rules = compile_rules([RulePack(rule.pack, rule.pack_version, (rule,))])
        for example in examples:
            if _matches(rules, example, where) is not wanted:
                says = "does not match" if wanted else "matches"
                raise InvalidRule(f"{says} its own {field} example {example!r}", where)


def _matches(rules: Rules, example: str, where: str) -> bool:
    try:
        address = can_ada.parse(example)
    except ValueError as error:
        raise InvalidRule(f"the example {example!r} is no address", where) from error
    host_rules: HostRules = rules.for_host(address.hostname.removeprefix("www."))
    parameters = (part.partition("=")[0].lower() for part in address.search[1:].split("&"))
    dropped = any(host_rules.dropping(name) for name in parameters)
    return dropped or bool(host_rules.identities(address.pathname.rstrip("/")))


# --- fields -------------------------------------------------------------------------------------


def _check_fields(data: Mapping[str, object], known: set[str], where: str) -> None:
    unknown = sorted(data.keys() - known)
    if unknown:
        raise InvalidRule(f"unknown field {unknown[0]!r}; known are {', '.join(sorted(known))}", where)


def _text(data: Mapping[str, object], field: str, where: str) -> str:
    value = data.get(field)
    if not isinstance(value, str) or not value.strip():
        raise InvalidRule(f"{field!r} must be a text that is not empty", where)
    return value


def _texts(data: Mapping[str, object], field: str, where: str) -> tuple[str, ...]:
    values = data.get(field, [])
    if not isinstance(values, list) or not all(isinstance(value, str) and value for value in values):
        raise InvalidRule(f"{field!r} must be a list of texts", where)
    return tuple(values)
