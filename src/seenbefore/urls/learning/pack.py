"""Proposals → a complete pack in TOML, and whether each of its rules holds beside all others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from ...rules.reading import parse_pack
from ...rules.ruleset import Rules, compile_rules
from ...rules.schema import RuleKind
from ..proving import iter_failures
from .facts import Proposal, Subject, Tally
from .params import Judged
from .paths import Moving

FACT = "stored sightings"
"""Where learned rules can be seen."""

_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")


class Naming:
    """Ids for the rules of one pack: each once."""

    def __init__(self, pack: str) -> None:
        self._pack = pack
        self._given: set[str] = set()

    def give(self, *words: str) -> str:
        """Return an id made of these words.

        >>> naming = Naming("learned")
        >>> naming.give("news.example", "_x"), naming.give("news.example", "x"), naming.give("xn--p1ai.example", "%5b")
        ('learned-news-example-x', 'learned-news-example-x-2', 'learned-xn-p1ai-example-5b')
        """
        base = _NOT_IN_NAMES.sub("-", "-".join((self._pack, *words)).lower()).strip("-")
        name, number = base, 1
        while name in self._given:
            number += 1
            name = f"{base}-{number}"
        self._given.add(name)
        return name


def propose(host: str, found: Judged | Moving, naming: Naming) -> Proposal:
    """Return the rule for what was found on a host."""
    return _drop(host, found, naming) if isinstance(found, Judged) else _identity(host, found, naming)


def _drop(host: str, judged: Judged, naming: Naming) -> Proposal:
    names = tuple(sorted(judged.names))
    values = f"{judged.distinct_values} values" if not judged.values else f"the values {', '.join(judged.values)}"
    reason = f"{_counts(judged.tally, 'pages', 'other values')} {values.capitalize()}."
    return Proposal(
        naming.give(host, *names),
        RuleKind.DROP,
        host,
        judged.match,
        reason,
        judged.must_match,
        judged.must_not_match,
        names,
        judged.beside,
        judged.values,
        judged.value_types,
        judged.tally.equal,
        judged.tally.different,
        judged.tally.last_seen_at,
    )


def _identity(host: str, moving: Moving, naming: Naming) -> Proposal:
    what = "another date" if moving.subject is Subject.DATES else "another section"
    return Proposal(
        naming.give(host, moving.subject.value),
        RuleKind.IDENTITY,
        host,
        moving.match,
        _counts(moving.tally, "slugs", what),
        moving.must_match,
        moving.must_not_match,
        equal=moving.tally.equal,
        different=moving.tally.different,
        last_seen_at=moving.tally.last_seen_at,
    )


def _counts(tally: Tally, what: str, other: str) -> str:
    """The counts as a sentence; texts first, since titles say less."""
    parts = [f"{tally.exact} by equal texts"]
    if tally.alike:
        parts.append(f"{tally.alike} by near ones")
    if tally.titles:
        parts.append(f"{tally.titles} by titles alone")
    unclear = f", {tally.unclear} unclear" if tally.unclear else ""
    seen = f" Last seen {tally.last_seen_at:%Y-%m-%d}." if tally.last_seen_at else ""
    equal = f"{tally.equal} {what} showed the same under {other} ({', '.join(parts)})"
    return f"{equal}, {tally.different} did not{unclear}.{seen}"


# --- as TOML ------------------------------------------------------------------------------------


def write_pack(proposals: Sequence[Proposal], name: str, version: int = 1) -> str:
    """Return the pack as TOML; ``parse_pack`` reads it.

    >>> print(write_pack([], "learned").strip())
    pack = "learned"
    version = 1
    about = "Learned from what is stored: each rule says from how many pages."
    """
    about = "Learned from what is stored: each rule says from how many pages."
    head = f"pack = {_text(name)}\nversion = {version}\nabout = {_text(about)}\n"
    return head + "".join(f"\n{_rule(proposal)}" for proposal in proposals)


def _rule(proposal: Proposal) -> str:
    fields: list[tuple[str, object]] = [
        ("id", proposal.id),
        ("kind", proposal.kind.value),
        ("hosts", [proposal.host]),
        ("names", proposal.names),
        ("beside", proposal.beside),
        ("values", proposal.values),
        ("value_types", proposal.value_types),
        ("match", proposal.match),
    ]
    if proposal.kind is RuleKind.IDENTITY:
        fields += [("value", f"{proposal.id}:{{story}}"), ("reads", "slug")]
    else:
        fields.append(("strength", "near"))
    fields += [("reason", proposal.reason), ("fact", FACT)]
    lines = ["[[rule]]", *(f"{name} = {_value(value)}" for name, value in fields if value)]
    for name, pairs in (("must_match", proposal.must_match), ("must_not_match", proposal.must_not_match)):
        lines += [f"{name} = [", *(f"    [{_text(a)}, {_text(b)}]," for a, b in pairs), "]"]
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    if isinstance(value, str):
        return _text(value)
    assert isinstance(value, list | tuple)
    return f"[{', '.join(map(_text, value))}]"


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


# --- whether they hold --------------------------------------------------------------------------


def find_unproven(proposals: Iterable[Proposal], name: str, rules: Rules) -> set[str]:
    """Return the ids of rules whose pairs do not hold beside all others; asked again until the rest holds."""
    left, unproven = list(proposals), set[str]()
    while left:
        pack = parse_pack(f"{name}.toml", write_pack(left, name))
        beside = [other for other in rules.packs if other.name != name]
        failed = {failure.rule.id for failure in iter_failures(pack, compile_rules([*beside, pack]))}
        if not failed:
            break
        unproven |= failed
        left = [proposal for proposal in left if proposal.id not in failed]
    return unproven
