"""What a store is opened with, read from where the caller keeps it: a policy, rule packs, the file itself."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from .errors import InvalidPolicy, InvalidRule
from .policy import Policy, load_policy
from .rules import Rules, load_rules


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
    """Return the shipped rules with the packs at these paths. Raises InvalidRule."""
    return load_rules([_read_pack(path) for path in paths])


def _read_pack(path: str) -> tuple[str, str]:
    try:
        return path, Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidRule(f"cannot be read: {error}", path) from error


def is_there(path: str | Path) -> bool:
    """Return whether a database is there; an empty file is none yet."""
    if str(path) == ":memory:":
        return True
    place = Path(path)
    return place.exists() and (place.is_dir() or place.stat().st_size > 0)
