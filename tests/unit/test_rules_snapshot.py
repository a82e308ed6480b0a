"""The form in which the shipped packs are loaded says what their TOML files say."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import resources

from seenbefore.rules import load_rules, parse_pack, shipped_packs
from seenbefore.rules.loader import make_snapshot
from seenbefore.rules.snapshot import digest_files, read_snapshot, write_snapshot

PACK = """
pack = "mine"
version = 3
about = "Mine."

[[rule]]
id = "mine-story"
kind = "identity"
hosts = ["news.example", "*.news.example"]
match = ["/{story:digits}[/{any}]"]
value = "mine:{story}"
reads = "slug"
strength = "near"
lowercase = true
ignore = ["*"]
fetch = "https://news.example/{story}"
reason = "why"
fact = "where"
must_match = [["https://news.example/1", "https://news.example/1/a"], ["https://news.example/2", "https://news.example/2/a"]]
must_not_match = [["https://news.example/1", "https://news.example/2"], ["https://news.example/1", "https://news.example/a"]]

[[rule]]
id = "mine-drop"
kind = "drop"
names = ["a"]
prefixes = ["bcd_"]
values = ["", "x"]
value_types = ["host"]
beside = ["c"]
reason = "why"
fact = "where"
must_match = [["https://news.example/1", "https://news.example/1/a"], ["https://news.example/2", "https://news.example/2/a"]]
must_not_match = [["https://news.example/1", "https://news.example/2"], ["https://news.example/1", "https://news.example/a"]]
"""


def test_the_snapshot_that_is_shipped_is_that_of_the_files() -> None:
    shipped = (resources.files("seenbefore.rules") / "data" / "shipped.json").read_text(encoding="utf-8")
    assert shipped == make_snapshot(), "the packs were changed: run ./dev rules"


def test_what_is_loaded_is_what_the_files_say() -> None:
    for loaded, read in zip(load_rules().packs, shipped_packs(), strict=True):
        bare = tuple(replace(rule, fact="", must_match=(), must_not_match=()) for rule in read.rules)
        assert loaded == replace(read, rules=bare)


def test_a_snapshot_is_read_back() -> None:
    pack = parse_pack("mine.toml", PACK, own=False)
    bare = replace(pack, rules=tuple(replace(r, fact="", must_match=(), must_not_match=()) for r in pack.rules))
    text = write_snapshot([pack], "1f")
    assert read_snapshot(text, "1f") == (bare,)
    assert json.loads(text)["digest"] == "1f"


def test_a_snapshot_of_other_files_is_not_used() -> None:
    text = write_snapshot([parse_pack("mine.toml", PACK)], digest_files([("mine.toml", b"1")]))
    assert read_snapshot(text, digest_files([("mine.toml", b"2")])) is None
    assert read_snapshot(text, digest_files([("other.toml", b"1")])) is None
    assert digest_files([("a", b"bc")]) != digest_files([("ab", b"c")])
