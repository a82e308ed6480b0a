"""What a rule is: frozen values as they stand in a rule pack, before they are compiled for look-up."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class RuleKind(StrEnum):
    """What a rule does: drop parameters that never identify content, or read a site's own identity."""

    DROP_PARAM = "drop_param"
    IDENTITY = "identity"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule with its reason and its own examples. An empty ``hosts`` means every host.

    ``drop_param`` uses ``names`` (exact) and ``prefixes``, both lower case. ``identity`` uses ``path`` (a
    pattern for the whole path, without final slash) and ``value`` (a template over its named groups);
    ``lowercase`` folds the case of what the groups found.
    """

    id: str
    kind: RuleKind
    pack: str
    pack_version: int
    reason: str
    must_match: tuple[str, ...]
    must_not_match: tuple[str, ...]
    hosts: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    path: str = ""
    value: str = ""
    lowercase: bool = False


@dataclass(frozen=True, slots=True)
class RulePack:
    """One file of rules. A change of any rule raises ``version``; decisions name it."""

    name: str
    version: int
    rules: tuple[Rule, ...]
