"""Which rules apply on which host, and in what order: somebody's own ones win, the order of files plays no part."""

from __future__ import annotations

import pickle
import random
from dataclasses import replace

import pytest

from seenbefore.errors import InvalidRule
from seenbefore.rules import (
    Claim,
    Reads,
    Rule,
    RuleKind,
    RulePack,
    Rules,
    compile_rules,
    lay_over,
    load_rules,
    rule_hosts,
    shipped_packs,
)
from seenbefore.rules.ruleset import SELECTS_NEARLY_EVERYWHERE
from seenbefore.rules.values import VALUE_TYPES, is_host_name
from seenbefore.urls import identify

from .made_up_packs import compiled, pack

DROPS = """
[[rule]]
id = "everywhere"
kind = "drop"
names = ["camp"]
prefixes = ["zz_"]

[[rule]]
id = "one-host"
kind = "drop"
hosts = ["news.example"]
names = ["tab", "camp"]
prefixes = ["nn_"]

[[rule]]
id = "hosts-below"
kind = "drop"
hosts = ["*.blogs.example"]
names = ["tab"]

[[rule]]
id = "kept"
kind = "keep"
hosts = ["git.example", "*.shop.example"]
names = ["camp"]
prefixes = ["zz_k"]
"""


def dropping(rules: Rules, host: str, name: str) -> list[str]:
    return [rule.id for rule in rules.for_host(host).dropping(name)]


@pytest.mark.parametrize(
    ("host", "name", "expected"),
    [
        ("any.example", "camp", ["everywhere"]),
        ("any.example", "CAMP", ["everywhere"]),
        ("any.example", "zz_top", ["everywhere"]),
        ("any.example", "zz_", ["everywhere"]),
        ("any.example", "zz", []),
        ("any.example", "camping", []),
        ("any.example", "xzz_top", []),
        ("any.example", "tab", []),
        ("any.example", "", []),
        ("news.example", "camp", ["one-host", "everywhere"]),
        ("news.example", "tab", ["one-host"]),
        ("news.example", "nn_a", ["one-host"]),
        ("sub.news.example", "tab", []),
        ("oldnews.example", "tab", []),
        ("example", "tab", []),
        ("a.blogs.example", "tab", ["hosts-below"]),
        ("a.b.blogs.example", "tab", ["hosts-below"]),
        ("blogs.example", "tab", []),
        ("xblogs.example", "tab", []),
        ("git.example", "camp", []),
        ("git.example", "zz_kind", []),
        ("git.example", "zz_top", ["everywhere"]),
        ("my.shop.example", "camp", []),
        ("shop.example", "camp", ["everywhere"]),
        ("sub.git.example", "camp", ["everywhere"]),
    ],
)
def test_scope_is_exact(host: str, name: str, expected: list[str]) -> None:
    rules = compiled(DROPS)
    assert dropping(rules, host, name) == expected
    assert dropping(rules, host, name) == expected  # from memory


def test_a_keep_rule_comes_before_drop_rules_of_its_pack() -> None:
    text = """
[[rule]]
id = "a-drop"
kind = "drop"
hosts = ["git.example", "hub.example"]
names = ["camp"]
"""
    assert dropping(compiled(DROPS + text), "git.example", "camp") == []
    assert dropping(compiled(DROPS + text), "hub.example", "camp") == ["a-drop", "everywhere"]


def test_few_hosts_and_names_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seenbefore.rules.ruleset._REMEMBERED", 3)
    monkeypatch.setattr("seenbefore.rules.ruleset._REMEMBERED_NAMES", 3)
    rules = compiled(DROPS)
    host = rules.for_host("news.example")
    assert host is rules.for_host("news.example")
    for n in range(10):
        assert host.dropping(f"zz_{n}") == host.dropping(f"ZZ_{n}") != ()
        assert dropping(rules, f"{n}.blogs.example", "tab") == ["hosts-below"]
    assert len(host._known) <= 3
    assert len(rules._known) <= 3


# --- claims ---------------------------------------------------------------------------------------

CLAIMS = """
[[rule]]
id = "story"
kind = "identity"
hosts = ["news.example", "*.press.example"]
match = ["/s/{story:digits}[/{any}]", "/?p={story:digits}", "nws.example/{story:digits}"]
value = "news:{host}/{story}"
ignore = ["t"]
fetch = "https://{host}/s/{story}"

[[rule]]
id = "words"
kind = "identity"
hosts = ["news.example"]
match = ["/s/{digits}/{title:slug}"]
value = "words:{title}"
reads = "slug"
strength = "near"
lowercase = true

[[rule]]
id = "user"
kind = "identity"
match = ["{user:label}.people.example/{post:id}"]
value = "people:{user}/{post}"
ignore = ["*"]
"""


def claims(host: str, path: str, **params: str | None) -> list[tuple[str, str]]:
    return [(claim.value, fetch) for claim, fetch in compiled(CLAIMS).for_host(host).claims(path, params)]


def test_a_claim_names_its_rule() -> None:
    ((story, fetch), (words, none)) = compiled(CLAIMS).for_host("news.example").claims("/s/7/One-Two-Three", {})
    assert story == Claim("news:news.example/7", "story", "made-up", 1)
    assert words == Claim("words:one-two-three", "words", "made-up", 1, strong=False, reads=Reads.SLUG)
    assert (fetch, none) == ("https://news.example/s/7", "")
    assert (story.namespace, words.namespace) == ("news", "words")


@pytest.mark.parametrize(
    ("host", "path", "params", "values"),
    [
        ("news.example", "/s/7", {}, ["news:news.example/7"]),
        ("news.example", "/", {"p": "7"}, ["news:news.example/7"]),
        ("news.example", "/s/7", {"t": "9"}, ["news:news.example/7"]),
        ("news.example", "/s/7", {"x": "9"}, []),
        ("news.example", "/", {"p": "7", "x": ""}, []),
        ("news.example", "/", {"p": None}, []),
        ("news.example", "/7", {}, []),
        ("nws.example", "/7", {}, ["news:nws.example/7"]),
        ("nws.example", "/s/7", {}, []),
        ("de.press.example", "/s/7", {}, ["news:de.press.example/7"]),
        ("press.example", "/s/7", {}, []),
        ("de.press.example", "/7", {}, []),
        ("ann.people.example", "/x-1", {}, ["people:ann/x-1"]),
        ("ann.people.example", "/x-1", {"whatever": "1", "utm": None}, ["people:ann/x-1"]),
        ("ann.people.example", "/x-1", {"page": "2"}, []),
        ("people.example", "/x-1", {}, []),
        ("a.b.people.example", "/x-1", {}, []),
    ],
)
def test_claims(host: str, path: str, params: dict[str, str | None], values: list[str]) -> None:
    assert [value for value, _ in claims(host, path, **params)] == values


@pytest.mark.parametrize("name", sorted(SELECTS_NEARLY_EVERYWHERE))
def test_what_selects_nearly_everywhere_is_never_ignored(name: str) -> None:
    assert claims("ann.people.example", "/x-1", **{name: ""}) == []


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("/d/a%2Fb%3F", "d:a/b?"),
        ("/d/a%252Fb", "d:a%2Fb"),
        ("/d/%E6%9D%B1%", "d:%E6%9D%B1%"),
        ("/d/%C3%A9%2", "d:%C3%A9%2"),
        ("/d/{host}", "d:{host}"),
    ],
)
def test_encoded_characters_of_a_claim_are_decoded_once(path: str, value: str) -> None:
    rules = compiled("""
[[rule]]
id = "d"
kind = "identity"
hosts = ["d.example"]
match = ["/d/{name:any}"]
value = "d:{name}"
""")
    assert [claim.value for claim, _ in rules.for_host("d.example").claims(path, {})] == [value]


# --- order, own packs -----------------------------------------------------------------------------


def test_the_order_of_packs_and_rules_plays_no_part() -> None:
    text = """
[[rule]]
id = "z-number"
kind = "identity"
hosts = ["news.example"]
match = ["/s/{story:digits}"]
value = "z:{story}"
fetch = "https://news.example/z/{story}"

[[rule]]
id = "a-number"
kind = "identity"
hosts = ["news.example"]
match = ["/s/{story:word}"]
value = "a:{story}"
fetch = "https://news.example/a/{story}"
"""
    packs = [pack(CLAIMS, "claims"), pack(DROPS, "drops"), pack(text, "more")]
    expected = compile_rules(packs)
    for seed in range(5):
        chance = random.Random(seed)
        mixed = [replace(each, rules=tuple(chance.sample(each.rules, len(each.rules)))) for each in packs]
        rules = compile_rules(chance.sample(mixed, len(mixed)))
        for url in ("https://news.example/s/7?camp=1&nn_a=2", "https://nws.example/7", "https://x.example/?camp=1"):
            assert identify(url, rules) == identify(url, expected)


def test_own_rules_come_first_on_their_hosts() -> None:
    own = """
[[rule]]
id = "my-camp"
kind = "drop"
hosts = ["git.example", "news.example"]
names = ["camp"]

[[rule]]
id = "my-tab"
kind = "keep"
hosts = ["news.example"]
names = ["tab"]
"""
    rules = compiled(DROPS, own)
    assert dropping(rules, "git.example", "camp") == ["my-camp"]
    assert dropping(rules, "news.example", "camp") == ["my-camp", "one-host", "everywhere"]
    assert dropping(rules, "news.example", "tab") == []
    assert rules.version == "own-1@1"


def test_an_own_alias_and_an_own_unwrap_come_first() -> None:
    shipped = """
[[rule]]
id = "a-copy"
kind = "alias"
hosts = ["old.example"]
to = "one.example"

[[rule]]
id = "a-click"
kind = "unwrap"
hosts = ["go.example"]
match = ["/to/{target}"]
"""
    own = """
[[rule]]
id = "z-copy"
kind = "alias"
hosts = ["old.example"]
to = "two.example"

[[rule]]
id = "z-click"
kind = "unwrap"
hosts = ["go.example"]
match = ["/to/{target}"]
to = "https://three.example/{target}"
"""
    rules = compiled(shipped, own)
    assert identify("https://old.example/a", rules).near == "two.example/a"
    assert identify("https://go.example/to/a", rules).near == "three.example/a"


def test_an_own_pack_takes_the_place_of_a_shipped_one_of_its_name() -> None:
    name, rule = next((p.name, p.rules[0]) for p in shipped_packs() if p.name != "generic")
    rules = lay_over([RulePack(name, 99, (), own=True)])
    assert rules.get(rule.id) is None
    assert [p.version for p in rules.packs if p.name == name] == [99]
    assert rules.version == f"{load_rules().version},{name}@99"


def test_an_own_rule_takes_the_place_of_a_shipped_one_of_its_id() -> None:
    shipped = next(r for p in shipped_packs() for r in p.rules if r.kind is RuleKind.DROP and not r.hosts)
    mine = replace(shipped, pack="mine", names=("only_this",), prefixes=(), values=(), value_types=(), own=True)
    rules = lay_over([RulePack("mine", 1, (mine,), own=True)])
    assert rules.get(shipped.id) == mine
    assert all(shipped.id not in dropping(rules, "example.com", name) for name in shipped.names)
    assert len([r for p in rules.packs for r in p.rules if r.id == shipped.id]) == 1


def test_names_are_unique_across_own_packs() -> None:
    one, other = pack(DROPS, "mine", own=True), pack(CLAIMS, "mine", own=True)
    with pytest.raises(InvalidRule, match="the pack 'mine' exists twice"):
        lay_over([one, other])
    with pytest.raises(InvalidRule, match="the rule 'everywhere' exists twice"):
        lay_over([one, pack(DROPS, "second", own=True)])


def test_extra_packs_are_own_packs() -> None:
    text = 'pack = "mine"\nversion = 3\n'
    assert load_rules([("mine.toml", text)]).version == f"{load_rules().version},mine@3"
    with pytest.raises(InvalidRule, match=r"mine\.toml: 'version' must"):
        load_rules([("mine.toml", 'pack = "mine"\n')])


def test_rules_are_values() -> None:
    rules = compiled(DROPS, CLAIMS)
    assert rules == compiled(DROPS, CLAIMS) != compiled(DROPS)
    rules.for_host("news.example").dropping("camp")
    assert rules == compiled(DROPS, CLAIMS)
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert pickle.loads(pickle.dumps(load_rules())) == load_rules()
    assert isinstance(load_rules(), Rules)
    assert load_rules() is load_rules()


def test_hosts_of_a_rule() -> None:
    rules = compiled(CLAIMS)
    hosts = {rule.id: rule_hosts(rule) for made_up in rules.packs for rule in made_up.rules}
    assert hosts == {
        "story": ("news.example", "*.press.example", "nws.example"),
        "words": ("news.example",),
        "user": ("*.people.example",),
    }
    assert rule_hosts(Rule("x", RuleKind.DROP, "p", 1, "why", (), (), names=("a",))) == ()


@pytest.mark.parametrize(
    ("kind", "fits", "fails"),
    [
        (
            "host",
            ["weekly.example", "WWW.a-b.co.uk", "a.io/", "a.b.c.d.e.f.com", "xn--e1afmkfd.xn--p1ai"],
            ["main", "v15.0", "README.md", "a b.com", "a.b.c.d.e.f.g.h.com"],
        ),
        ("address", ["https://a.example/", "http%3A%2F%2Fa.example"], ["a.example", "https:", "urn:x"]),
        ("session", ["0123456789abcdef0123456789", "A" * 40], ["0123456789abcdef", "a" * 41, "g" * 32, ""]),
        ("digits", ["0", "123"], ["", "1a", "١"]),
        ("hex", ["0123abcd", "A" * 90], ["0123abc", "0123abcg"]),
    ],
)
def test_types_of_values(kind: str, fits: list[str], fails: list[str]) -> None:
    assert [VALUE_TYPES[kind](value) for value in fits] == [True] * len(fits)
    assert [VALUE_TYPES[kind](value) for value in fails] == [False] * len(fails)
    assert is_host_name(fits[0]) is (kind == "host")
