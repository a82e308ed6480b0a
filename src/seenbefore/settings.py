"""What a store is opened with, read from where the caller keeps it: a policy, rule packs, the file itself."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from .errors import InvalidPolicy, InvalidRule
from .policy import Policy, load_policy
from .rules import RulePack, Rules, lay_over, load_rules, parse_pack
from .urls.proving import prove_pack


def read_policy(policy: Mapping[str, object] | str | Path | None) -> Policy:
    """Return the policy of a mapping or a TOML file laid over the default one. Raises InvalidPolicy."""
    if policy is None or isinstance(policy, Mapping):
        return load_policy(policy)
    try:
        overrides = tomllib.loads(Path(policy).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidPolicy(f"cannot be read: {error}", str(policy)) from error
    return load_policy(overrides, where=str(policy))


def read_rules(paths: Sequence[str]) -> Rules:
    """Return the shipped rules with the packs at these paths over them, each proved by its own pairs.

    A folder stands for all ``*.toml`` in it. Raises InvalidRule.
    """
    files = [file for path in paths for file in _pack_files(path)]
    if not files:
        return load_rules()
    packs = [read_pack(path) for path in files]
    rules = lay_over(packs)
    for path, pack in zip(files, packs, strict=True):
        prove_pack(pack, rules, path)
    return rules


def _pack_files(path: str) -> list[str]:
    if not Path(path).is_dir():
        return [path]
    found = sorted(str(file) for file in Path(path).glob("*.toml"))
    if not found:
        raise InvalidRule("this folder holds no *.toml", path)
    return found


def read_pack(path: str) -> RulePack:
    """Return the pack in a file; its pairs are not asked yet. Raises InvalidRule."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidRule(f"cannot be read: {getattr(error, 'strerror', None) or error}", path) from error
    return parse_pack(path, text)


def is_there(path: str | Path) -> bool:
    """Return whether a database is there; an empty file is none yet."""
    if str(path) == ":memory:":
        return True
    place = Path(path)
    return place.exists() and (place.is_dir() or place.stat().st_size > 0)
