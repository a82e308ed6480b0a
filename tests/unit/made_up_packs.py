"""Rule packs for the tests of addresses: what a rule does is written down, what it owes to readers is filled in."""

from __future__ import annotations

from seenbefore.rules import RulePack, Rules, compile_rules, parse_pack

_FOR_READERS = """[[rule]]
reason = "a test needs it"
fact = "made up"
must_match = [["https://a.example/1", "https://a.example/1"], ["https://a.example/2", "https://a.example/2"]]
must_not_match = [["https://a.example/1", "https://a.example/2"], ["https://a.example/1", "https://a.example/3"]]
"""

GENERIC = """
[[rule]]
id = "campaign"
kind = "drop"
names = ["fbclid", "gclid"]
prefixes = ["utm_"]

[[rule]]
id = "session"
kind = "drop"
names = ["sid"]
value_types = ["session"]

[[rule]]
id = "sender"
kind = "drop"
names = ["ref", "source"]
values = ["rss", "twitter"]
value_types = ["host"]
strength = "near"
"""
"""Trackers, session ids and senders, as they stand on every host."""


def pack(text: str, name: str = "made-up", *, own: bool = False, version: int = 1) -> RulePack:
    """A pack of the rules in a TOML text."""
    filled = text.replace("[[rule]]\n", _FOR_READERS)
    return parse_pack(f"{name}.toml", f'pack = "{name}"\nversion = {version}\n{filled}', own=own)


def compiled(text: str, *own: str) -> Rules:
    """The rules of a TOML text, shipped as it were, with the own packs of somebody over them."""
    return compile_rules([pack(text), *(pack(each, f"own-{n}", own=True) for n, each in enumerate(own, 1))])
