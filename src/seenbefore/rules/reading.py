"""Reads rule packs: TOML → rules. Says which file, rule and line is wrong, and what would be right."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from string import Formatter
from urllib.parse import quote

import can_ada

from ..errors import InvalidRule
from .schema import Pair, Reads, Rule, RuleKind, RulePack
from .templates import compile_template
from .values import FOLDS, SECOND_LEVEL, VALUE_TYPES

DECODES = ("percent", "base64", "google-news", "proofpoint-v2", "proofpoint-v3")
"""How the address inside a wrapper may be written."""

_PRINTABLE = "".join(map(chr, range(0x21, 0x7F)))
_PACK_FIELDS = {"pack", "version", "about", "rule"}
_COMMON_FIELDS = {"id", "kind", "hosts", "reason", "fact", "must_match", "must_not_match"}
_KIND_FIELDS = {
    RuleKind.DROP: {"names", "prefixes", "values", "value_types", "beside", "match", "strength"},
    RuleKind.KEEP: {"names", "prefixes"},
    RuleKind.IDENTITY: {"match", "value", "reads", "strength", "lowercase", "fold", "ignore", "fetch"},
    RuleKind.ALIAS: {"to"},
    RuleKind.UNWRAP: {"match", "to", "decode"},
    RuleKind.USERS: set(),
}
_NAME = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
_HOST = re.compile(r"(?:\*\.)?(?!www\.)[a-z0-9_-]+(?:\.[a-z0-9-]+)+|[a-z]+:")
_SHOWN_AS = re.compile(r"(?:www[0-9]*|m|mobile|amp|sp|wap)\.[^.]+\.")
_PARAMETER = re.compile(r"[a-z0-9._~%$!:*@|\[\]-]+")
_LEAST_EXAMPLES = 2
_GREATEST_VERSION = 1_000_000
_SELECT_MOSTLY = frozenset("id p page page_id q query s search v t lang n no num key code type cat tag date".split())
"""Names that nobody may drop on every host, whatever their value: they select content nearly everywhere."""


def parse_pack(file: str, text: str, *, own: bool = True) -> RulePack:
    """Return the rule pack written in a TOML text; ``own`` marks one that is not shipped.

    >>> parse_pack("mine.toml", 'pack = "mine"\\nversion = 3').version
    3
    >>> parse_pack("mine.toml", 'pack = "mine"')
    Traceback (most recent call last):
        ...
    seenbefore.errors.InvalidRule: mine.toml: 'version' must be a whole number from 1

    Whether its rules do what their pairs of addresses say is for ``urls.proving``.

    Raises:
        InvalidRule: it breaks the schema; file, rule and line are named.
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
    if not isinstance(version, int) or isinstance(version, bool) or not 1 <= version <= _GREATEST_VERSION:
        raise InvalidRule("'version' must be a whole number from 1", file)
    entries = data.get("rule", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise InvalidRule("rules must be written as [[rule]] tables", file)
    lines = [number for number, line in enumerate(text.splitlines(), 1) if line.strip().startswith("[[rule]]")]
    rules: dict[str, Rule] = {}
    for number, entry in enumerate(entries):
        line = f", line {lines[number]}" if len(lines) == len(entries) else ""
        where = f"{file}{line}, rule {entry.get('id')!r}"
        rule = replace(_read_rule(entry, name, version, where, own=own), where=where)
        if rule.id in rules:
            raise InvalidRule(f"the rule {rule.id!r} exists twice", where)
        rules[rule.id] = rule
    about = data.get("about", "")
    if not isinstance(about, str):
        raise InvalidRule("'about' must be a text", file)
    return RulePack(name=name, version=version, rules=tuple(rules.values()), about=about, own=own)


def _read_rule(entry: Mapping[str, object], pack: str, version: int, where: str, *, own: bool) -> Rule:
    rule_id = _text(entry, "id", where)
    if not _NAME.fullmatch(rule_id):
        raise InvalidRule("'id' must be lower-case words joined by '-'", where)
    kind = _choice(entry, "kind", where, [each.value for each in RuleKind])
    _check_fields(entry, _COMMON_FIELDS | _KIND_FIELDS[RuleKind(kind)], where)
    lowercase = entry.get("lowercase", False)
    if not isinstance(lowercase, bool):
        raise InvalidRule("'lowercase' must be true or false", where)
    rule = Rule(
        id=rule_id,
        kind=RuleKind(kind),
        pack=pack,
        pack_version=version,
        reason=_text(entry, "reason", where),
        fact=_text(entry, "fact", where),
        must_match=_pairs(entry, "must_match", where),
        must_not_match=_pairs(entry, "must_not_match", where),
        hosts=tuple(map(_ascii_host, _texts(entry, "hosts", where))),
        names=tuple(map(_encoded, _texts(entry, "names", where))),
        prefixes=tuple(map(_encoded, _texts(entry, "prefixes", where))),
        values=tuple(map(_encoded, _texts(entry, "values", where, empty=True))),
        value_types=_texts(entry, "value_types", where),
        beside=_texts(entry, "beside", where),
        match=_texts(entry, "match", where),
        ignore=_texts(entry, "ignore", where),
        value=_text(entry, "value", where) if kind == RuleKind.IDENTITY else "",
        reads=Reads(_choice(entry, "reads", where, [each.value for each in Reads], "id")),
        lowercase=lowercase,
        fold=_texts(entry, "fold", where),
        fetch=_text(entry, "fetch", where) if "fetch" in entry else "",
        to=_text(entry, "to", where) if kind == RuleKind.ALIAS or "to" in entry else "",
        decode=_choice(entry, "decode", where, DECODES, "percent"),
        strong=_choice(entry, "strength", where, ["strong", "near"], "strong") == "strong",
        own=own,
    )
    _check_scope(rule, where)
    _CHECKS[rule.kind](rule, where)
    return rule


# --- what each kind needs -----------------------------------------------------------------------


def _check_scope(rule: Rule, where: str) -> None:
    for host in rule.hosts:
        labels = host.removeprefix("*.").split(".")
        if host.startswith("*.") and len(labels) == 2 and labels[0] in SECOND_LEVEL and len(labels[1]) == 2:
            raise InvalidRule(f"host {host!r} would hold on every site of a country", where)
        if host.startswith("*.") and len(labels) == 1:
            raise InvalidRule(f"host {host!r} would hold on every site under a top-level domain", where)
        if not _HOST.fullmatch(host):
            raise InvalidRule(f"host {host!r} must be a lower-case name without 'www.', or '*.' before one", where)


def _check_parameters(rule: Rule, where: str) -> None:
    if not rule.names and not rule.prefixes:
        raise InvalidRule(f"a {rule.kind} rule needs 'names' or 'prefixes'", where)
    anywhere = not rule.hosts and not (rule.values or rule.value_types or rule.match)
    if rule.kind is RuleKind.DROP and anywhere and _SELECT_MOSTLY & set(rule.names):
        name = sorted(_SELECT_MOSTLY & set(rule.names))[0]
        raise InvalidRule(f"{name!r} selects content nearly everywhere; name the 'hosts' on which it does not", where)
    if rule.kind is RuleKind.KEEP and not rule.hosts:
        raise InvalidRule("a keep rule needs 'hosts'; without a rule every parameter is kept anyway", where)
    for name in (*rule.names, *rule.prefixes, *rule.beside):
        if not _PARAMETER.fullmatch(name):
            raise InvalidRule(f"parameter {name!r} must be written in lower case, as in a query", where)
    for prefix in rule.prefixes:
        if len(prefix) < 3:
            raise InvalidRule(f"prefix {prefix!r} is too short: it would drop names nobody thought of", where)
    for kind in rule.value_types:
        if kind not in VALUE_TYPES:
            raise InvalidRule(f"value type {kind!r} must be one of {', '.join(VALUE_TYPES)}", where)
    for value in rule.values:
        if value != value.lower():
            raise InvalidRule(f"value {value!r} must be written in lower case", where)
    for text in rule.match:
        if "?" in text or not text.startswith("/"):
            raise InvalidRule(f"{text!r} must be a path here: it starts with '/' and has no query", where)
    _compiled_names(rule, where)


def _check_identity(rule: Rule, where: str) -> None:
    _check_templates(rule, where)
    for name in rule.fold:
        if name not in FOLDS:
            raise InvalidRule(f"fold {name!r} must be one of {', '.join(FOLDS)}", where)
    for name in rule.ignore:
        if not _PARAMETER.fullmatch(name):
            raise InvalidRule(f"parameter {name!r} must be written in lower case, as in a query", where)
    for field, template in (("value", rule.value), ("fetch", rule.fetch)):
        used = _fields(template, field, where) if template else set()
        for text, names in _compiled_names(rule, where).items():
            if not used <= names | {"host"}:
                missing = sorted(used - names - {"host"})[0]
                raise InvalidRule(f"{field!r} uses {{{missing}}}, which {text!r} does not hold", where)
    if not _fields(rule.value, "value", where):
        raise InvalidRule("'value' must use {name} for placeholders of 'match', at least one", where)
    if not re.match(r"[a-z0-9-]+:", rule.value):
        raise InvalidRule("'value' must start with the name of the site and ':'", where)


def _check_alias(rule: Rule, where: str) -> None:
    if not rule.hosts:
        raise InvalidRule("an alias rule needs 'hosts'", where)
    if not _HOST.fullmatch(rule.to) or "*" in rule.to:
        raise InvalidRule(f"'to' must be one host without 'www.', not {rule.to!r}", where)
    if _SHOWN_AS.match(rule.to):
        raise InvalidRule(f"'to' must be the host without the label in front of it, not {rule.to!r}", where)


def _check_users(rule: Rule, where: str) -> None:
    if not rule.hosts or any(not host.startswith("*.") for host in rule.hosts):
        raise InvalidRule("a users rule needs 'hosts' that begin with '*.'", where)


def _check_unwrap(rule: Rule, where: str) -> None:
    _check_templates(rule, where)
    for text, names in _compiled_names(rule, where).items():
        if "target" not in names:
            raise InvalidRule(f"{text!r} must hold {{target}}", where)
        missing = sorted(_fields(rule.to, "to", where) - names) if rule.to else []
        if missing:
            raise InvalidRule(f"'to' uses {{{missing[0]}}}, which {text!r} does not hold", where)


def _check_templates(rule: Rule, where: str) -> None:
    if not rule.match:
        raise InvalidRule(f"an {rule.kind} rule needs 'match'", where)
    if not rule.hosts and any(text.startswith("/") for text in rule.match):
        raise InvalidRule("a template without a host needs 'hosts': a path means nothing without its site", where)


def _compiled_names(rule: Rule, where: str) -> dict[str, frozenset[str]]:
    try:
        return {text: compile_template(text).names for text in rule.match}
    except ValueError as error:
        raise InvalidRule(str(error), where) from error


def _fields(template: str, field: str, where: str) -> set[str]:
    try:
        parts = list(Formatter().parse(template))
    except ValueError as error:
        raise InvalidRule(f"{field!r}: {error}", where) from error
    if any(spec or conversion for _, _, spec, conversion in parts):
        raise InvalidRule(f"{field!r} may hold {{name}} only, without a type", where)
    return {name for _, name, _, _ in parts if name is not None}


_CHECKS = {
    RuleKind.DROP: _check_parameters,
    RuleKind.KEEP: _check_parameters,
    RuleKind.IDENTITY: _check_identity,
    RuleKind.ALIAS: _check_alias,
    RuleKind.UNWRAP: _check_unwrap,
    RuleKind.USERS: _check_users,
}


def _encoded(text: str) -> str:
    """A name or value as it stands in a query: other scripts percent-encoded, which is compared in lower case."""
    return text if text.isascii() else quote(text, safe=_PRINTABLE).lower()


def _ascii_host(host: str) -> str:
    """A host as the name system has it: ``xn--…`` for other scripts."""
    if host.isascii():
        return host
    prefix = "*." if host.startswith("*.") else ""
    try:
        return prefix + can_ada.parse(f"https://{host.removeprefix('*.')}/").hostname
    except ValueError:
        return host


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


def _choice(
    data: Mapping[str, object], field: str, where: str, choices: tuple[str, ...] | list[str], default: str = ""
) -> str:
    value = data.get(field, default)
    if value not in choices:
        raise InvalidRule(f"{field!r} must be one of {', '.join(choices)}", where)
    return str(value)


def _texts(data: Mapping[str, object], field: str, where: str, *, empty: bool = False) -> tuple[str, ...]:
    values = data.get(field, [])
    if not isinstance(values, list) or not all(isinstance(value, str) and (value or empty) for value in values):
        raise InvalidRule(f"{field!r} must be a list of texts", where)
    return tuple(values)


def _pairs(data: Mapping[str, object], field: str, where: str) -> tuple[Pair, ...]:
    pairs = data.get(field, [])
    if not isinstance(pairs, list) or len(pairs) < _LEAST_EXAMPLES or not all(map(_is_pair, pairs)):
        raise InvalidRule(f"{field!r} needs {_LEAST_EXAMPLES} pairs of addresses: [[one, other], ...]", where)
    return tuple((one, other) for one, other in pairs)


def _is_pair(pair: object) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and all(isinstance(url, str) and url for url in pair)
