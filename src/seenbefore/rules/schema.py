"""What a rule is: frozen values as they stand in a rule pack, before they are compiled for look-up."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

Pair = tuple[str, str]
"""Two addresses of an example."""


class RuleKind(StrEnum):
    """What a rule does with an address."""

    DROP = "drop"
    """Parameters that never select content go."""
    KEEP = "keep"
    """Parameters that select content stay, whatever another rule says."""
    IDENTITY = "identity"
    """What the site itself calls the page is read from the address."""
    ALIAS = "alias"
    """A host shows the same pages as another one."""
    UNWRAP = "unwrap"
    """The address carries the one it leads to."""
    USERS = "users"
    """Each label in front of a host is a site of its own, whatever it is called."""


class Reads(StrEnum):
    """What an identity rule reads: an id that the site gave, or words made of a title."""

    ID = "id"
    SLUG = "slug"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule with its reason, where that is written, and its own pairs. An empty ``hosts`` means every host.

    ``drop`` and ``keep`` use ``names`` (exact) and ``prefixes``, both lower case; a drop can be limited to
    paths (``match``), to values (``values``, ``value_types``) and to company (``beside``). ``identity`` and
    ``unwrap`` use ``match`` (templates of addresses). ``strong`` says whether what follows holds by itself.
    ``own`` marks rules of a pack that somebody added to those that are shipped; they win. ``where`` is the place it
    was read from, for messages.
    """

    id: str
    kind: RuleKind
    pack: str
    pack_version: int
    reason: str
    must_match: tuple[Pair, ...]
    must_not_match: tuple[Pair, ...]
    fact: str = ""
    hosts: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    value_types: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    match: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    value: str = ""
    reads: Reads = Reads.ID
    lowercase: bool = False
    fold: tuple[str, ...] = ()
    fetch: str = ""
    to: str = ""
    decode: str = "percent"
    strong: bool = True
    own: bool = False
    where: str = field(default="", compare=False, repr=False)

    @property
    def namespace(self) -> str:
        """The name before ``:`` in what an identity rule reads; ids of one namespace can contradict each other."""
        return self.value.partition(":")[0]


@dataclass(frozen=True, slots=True)
class RulePack:
    """One file of rules. A change of any rule raises ``version``; keys and decisions name it."""

    name: str
    version: int
    rules: tuple[Rule, ...]
    about: str = ""
    own: bool = False
