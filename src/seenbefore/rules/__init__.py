"""Rules are data: which parameters to drop, what an address carries, and what identifies a page on one site."""

from .loader import lay_over, load_rules, shipped_packs
from .reading import parse_pack
from .ruleset import Claim, HostRules, Rules, compile_rules, rule_hosts
from .schema import Reads, Rule, RuleKind, RulePack

__all__ = [
    "Claim",
    "HostRules",
    "Reads",
    "Rule",
    "RuleKind",
    "RulePack",
    "Rules",
    "compile_rules",
    "lay_over",
    "load_rules",
    "parse_pack",
    "rule_hosts",
    "shipped_packs",
]
