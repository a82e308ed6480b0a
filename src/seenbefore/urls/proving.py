"""Does a rule do what it says? Its own pairs of addresses are asked, before it is used for anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..errors import InvalidRule
from ..rules.ruleset import Rules
from ..rules.schema import Pair, Rule, RuleKind, RulePack
from .identify import identify
from .same import are_same_page


@dataclass(frozen=True, slots=True)
class Failure:
    """A pair that a rule lists under ``field`` and that the rules answer otherwise."""

    rule: Rule
    field: str
    pair: Pair

    @property
    def message(self) -> str:
        """What is wrong, for people."""
        says = "are not one page" if self.field == "must_match" else "are one page"
        return f"under the rules these two {says}, against its {self.field}: {self.pair[0]} and {self.pair[1]}"


def prove_pack(pack: RulePack, rules: Rules, file: str = "") -> None:
    """Return when every pair of a pack holds under all rules together.

    >>> from seenbefore.rules import load_rules, parse_pack
    >>> pack = parse_pack("mine.toml", '''
    ... pack = "mine"
    ... version = 1
    ... [[rule]]
    ... id = "mine-story"
    ... kind = "identity"
    ... hosts = ["news.example"]
    ... match = ["/story/{story:digits}[/{any}]"]
    ... value = "mine:{story}"
    ... reason = "the number is the story"
    ... fact = "the site's own short links"
    ... must_match = [["https://news.example/story/7", "https://news.example/story/7/a-title"],
    ...               ["https://news.example/story/8/b", "https://news.example/story/8/c"]]
    ... must_not_match = [["https://news.example/story/7", "https://news.example/story/8"],
    ...                   ["https://news.example/story/7", "https://news.example/story/7/a/comments"]]
    ... ''')
    >>> from seenbefore.rules import lay_over
    >>> prove_pack(pack, lay_over([pack]))

    Raises:
        InvalidRule: the first pair that does not hold; file and rule are named.
    """
    for failure in iter_failures(pack, rules):
        where = failure.rule.where or f"{file or f'pack {pack.name}'}, rule {failure.rule.id!r}"
        raise InvalidRule(f"{failure.message} (seenbefore urls explain says what is made of each)", where)


def iter_failures(pack: RulePack, rules: Rules) -> Iterator[Failure]:
    """Yield every pair of a pack that does not hold under the given rules."""
    for rule in pack.rules:
        for field, wanted in (("must_match", True), ("must_not_match", False)):
            pairs: tuple[Pair, ...] = getattr(rule, field)
            for pair in pairs:
                if meets(rule, pair, rules) is not wanted:
                    yield Failure(rule, field, pair)


def meets(rule: Rule, pair: Pair, rules: Rules) -> bool:
    """Return whether two addresses are one page; for a rule that only hints, whether both carry its hint."""
    a, b = (identify(url, rules) for url in pair)
    if rule.kind is RuleKind.IDENTITY and not rule.strong:
        hints = {claim.value for claim in a.claims if claim.rule_id == rule.id}
        values = {claim.value for claim in b.claims}
        theirs = {claim.value for claim in b.claims if claim.rule_id == rule.id}
        return bool(hints & values or theirs & {claim.value for claim in a.claims})
    return are_same_page(a, b)
