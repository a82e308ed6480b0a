"""The shipped packs in a form that is read in milliseconds: TOML of many files takes a third of a second.

``shipped.json`` is made from the TOML files by ``./dev rules`` and names their digest. When a file was changed
since, it is not used, and the files are read. Facts and pairs are left out: nothing that runs needs them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any

from .schema import Reads, Rule, RuleKind, RulePack

_LEFT_OUT = ("where", "fact", "must_match", "must_not_match", "pack", "pack_version", "own")
_NAMES = tuple(each.name for each in fields(Rule) if each.name not in _LEFT_OUT)
_DEFAULTS = {each.name: each.default for each in fields(Rule)}


def digest_files(files: Iterable[tuple[str, bytes]]) -> str:
    """Return the digest of files by name and content."""
    digest = hashlib.sha256()
    for name, content in files:
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()


def write_snapshot(packs: Sequence[RulePack], digest: str) -> str:
    """Return the text of ``shipped.json``."""
    told = [
        {"name": p.name, "version": p.version, "about": p.about, "rules": [_rule_to_json(r) for r in p.rules]}
        for p in packs
    ]
    lines = ",\n".join(json.dumps(pack, ensure_ascii=False, sort_keys=True) for pack in told)
    return f'{{"digest": "{digest}", "packs": [\n{lines}\n]}}\n'


def read_snapshot(text: str, digest: str) -> tuple[RulePack, ...] | None:
    """Return the packs of a snapshot, or None if it was made from other files."""
    data = json.loads(text)
    if data["digest"] != digest:
        return None
    return tuple(
        RulePack(
            pack["name"], pack["version"], tuple(_rule_from_json(rule, pack) for rule in pack["rules"]), pack["about"]
        )
        for pack in data["packs"]
    )


def _rule_to_json(rule: Rule) -> dict[str, object]:
    return {name: value for name in _NAMES if (value := getattr(rule, name)) != _DEFAULTS[name]}


def _rule_from_json(told: Mapping[str, Any], pack: Mapping[str, Any]) -> Rule:
    values: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in told.items()}
    values["kind"] = RuleKind(values["kind"])
    if "reads" in values:
        values["reads"] = Reads(values["reads"])
    return Rule(pack=pack["name"], pack_version=pack["version"], must_match=(), must_not_match=(), **values)
