"""Rules are data: which parameters to drop, and what identifies an article on one site."""

from .loader import load_rules, parse_pack
from .ruleset import HostRules, Identity, Rules, compile_rules
from .schema import Rule, RuleKind, RulePack

__all__ = [
    "HostRules",
    "Identity",
    "Rule",
    "RuleKind",
    "RulePack",
    "Rules",
    "compile_rules",
    "load_rules",
    "parse_pack",
]
