"""A pack loads only when it follows the schema; what is wrong is said with file, line and rule."""

from __future__ import annotations

import re

import pytest

from seenbefore.errors import InvalidRule
from seenbefore.rules import Reads, Rule, RuleKind, RulePack, parse_pack

COMMON = """reason = "the newsletter adds it"
fact = "seen in its links"
must_match = [["https://news.example/1", "https://news.example/1?a"], ["https://news.example/2", "https://news.example/2?a"]]
must_not_match = [["https://news.example/1", "https://news.example/2"], ["https://news.example/1", "https://news.example/3"]]
"""
HEAD = 'pack = "mine"\nversion = 2\nabout = "Made up."\n'
DROP = f"""{HEAD}
[[rule]]
id = "mine-campaign"
kind = "drop"
hosts = ["news.example", "*.news.example"]
names = ["camp"]
prefixes = ["zz_"]
values = ["", "rss"]
value_types = ["host"]
beside = ["share"]
match = ["/story/{{digits}}"]
strength = "near"
{COMMON}"""
KEEP = f"""{HEAD}
[[rule]]
id = "mine-keep"
kind = "keep"
hosts = ["news.example"]
names = ["ref"]
{COMMON}"""
IDENTITY = f"""{HEAD}
[[rule]]
id = "mine-story"
kind = "identity"
hosts = ["news.example"]
match = ["/{{part:word}}/{{story:digits}}", "nws.example/{{part:word}}-{{story:digits}}"]
value = "mine:{{part}}-{{story}}"
reads = "slug"
strength = "near"
lowercase = true
ignore = ["t", "*"]
fetch = "https://{{host}}/{{part}}/{{story}}"
{COMMON}"""
ALIAS = f"""{HEAD}
[[rule]]
id = "mine-copy"
kind = "alias"
hosts = ["old.news.example"]
to = "news.example"
{COMMON}"""
UNWRAP = f"""{HEAD}
[[rule]]
id = "mine-click"
kind = "unwrap"
hosts = ["go.example"]
match = ["/to/{{site:label}}/{{target}}"]
to = "https://{{site}}.news.example/{{target}}"
decode = "base64"
{COMMON}"""


USERS = f"""{HEAD}
[[rule]]
id = "mine-users"
kind = "users"
hosts = ["*.blogs.example"]
{COMMON}"""


def only_rule(text: str) -> Rule:
    (rule,) = parse_pack("mine.toml", text).rules
    return rule


# --- what is read ---------------------------------------------------------------------------------


def test_a_pack() -> None:
    assert parse_pack("mine.toml", HEAD) == RulePack("mine", 2, (), "Made up.", own=True)
    assert not parse_pack("mine.toml", HEAD, own=False).own


def test_a_drop_rule() -> None:
    rule = only_rule(DROP)
    assert (rule.id, rule.kind, rule.pack, rule.pack_version, rule.own) == (
        "mine-campaign",
        RuleKind.DROP,
        "mine",
        2,
        True,
    )
    assert (rule.hosts, rule.names, rule.prefixes) == (("news.example", "*.news.example"), ("camp",), ("zz_",))
    assert (rule.values, rule.value_types, rule.beside) == (("", "rss"), ("host",), ("share",))
    assert (rule.match, rule.strong) == (("/story/{digits}",), False)
    assert (rule.reason, rule.fact) == ("the newsletter adds it", "seen in its links")
    assert rule.must_match[0] == ("https://news.example/1", "https://news.example/1?a")
    assert len(rule.must_not_match) == 2


def test_an_identity_rule() -> None:
    rule = only_rule(IDENTITY)
    assert (rule.kind, rule.value, rule.namespace) == (RuleKind.IDENTITY, "mine:{part}-{story}", "mine")
    assert (rule.reads, rule.strong, rule.lowercase, rule.ignore) == (Reads.SLUG, False, True, ("t", "*"))
    assert rule.fetch == "https://{host}/{part}/{story}"


def test_other_rules() -> None:
    assert (only_rule(USERS).kind, only_rule(USERS).hosts) == (RuleKind.USERS, ("*.blogs.example",))
    assert only_rule(KEEP).names == ("ref",)
    assert (only_rule(ALIAS).hosts, only_rule(ALIAS).to) == (("old.news.example",), "news.example")
    assert (only_rule(UNWRAP).to, only_rule(UNWRAP).decode) == ("https://{site}.news.example/{target}", "base64")


def test_what_is_not_written_has_a_plain_meaning() -> None:
    text = DROP
    for line in ("hosts", "values", "value_types", "beside", "match", "strength", "prefixes", "about"):
        text = re.sub(rf"(?m)^{line} = .*\n", "", text)
    rule = only_rule(text)
    assert (rule.hosts, rule.values, rule.value_types, rule.beside, rule.match) == ((), (), (), (), ())
    assert rule.strong
    text = re.sub(r"(?m)^(?:reads|strength|lowercase|ignore|fetch) = .*\n", "", IDENTITY)
    rule = only_rule(text)
    assert (rule.reads, rule.strong, rule.lowercase, rule.ignore, rule.fetch) == (Reads.ID, True, False, (), "")
    assert only_rule(re.sub(r"(?m)^(?:to|decode) = .*\n", "", UNWRAP)).decode == "percent"


def test_a_rule_may_name_all_its_hosts_in_its_templates() -> None:
    text = re.sub(r"(?m)^hosts = .*\n", "", IDENTITY).replace('"/{part:word}/{story:digits}", ', "")
    assert only_rule(text).hosts == ()


@pytest.mark.parametrize(
    "host", ["news.example", "*.news.example", "a-b.c_d.example".replace("c_d", "cd"), "a_b.example", "doi:"]
)
def test_hosts(host: str) -> None:
    assert only_rule(ALIAS.replace('"old.news.example"', f'"{host}"')).hosts == (host,)


# --- what is refused ------------------------------------------------------------------------------


def refused(text: str, old: str, new: str, problem: str) -> InvalidRule:
    assert old in text
    with pytest.raises(InvalidRule, match=re.escape(problem)) as caught:
        parse_pack("mine.toml", text.replace(old, new))
    assert caught.value.where.startswith("mine.toml")
    return caught.value


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("version = 2", "version = 0", "whole number"),
        ("version = 2", "version = true", "whole number"),
        ("version = 2", 'version = "2"', "whole number"),
        ("version = 2", "version = 1.5", "whole number"),
        ("version = 2\n", "", "whole number"),
        ("version = 2", "version = 2\nauthor = 1", "unknown field 'author'; known are about, pack, rule, version"),
        ("version = 2", "version = ", "not TOML"),
        ('pack = "mine"', 'pack = "My Pack"', "pack name"),
        ('pack = "mine"', "pack = 7", "'pack' must be a text"),
        ('pack = "mine"\n', "", "'pack' must be a text"),
        ('about = "Made up."', "about = 7", "'about' must be a text"),
        ("[[rule]]", "[rule]", "[[rule]] tables"),
        ("[[rule]]", "rule = [7]\n[more]", "unknown field 'more'"),
    ],
)
def test_broken_packs(old: str, new: str, problem: str) -> None:
    refused(DROP, old, new, problem)


def test_rules_must_be_tables() -> None:
    with pytest.raises(InvalidRule, match="tables"):
        parse_pack("mine.toml", f"{HEAD}rule = [7]\n")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('id = "mine-campaign"', 'id = "Mine"', "'id' must"),
        ('id = "mine-campaign"', "id = 7", "'id' must be a text"),
        ('id = "mine-campaign"', 'id = "mine--campaign"', "'id' must be lower-case words"),
        ('kind = "drop"', 'kind = "drop_param"', "must be one of drop, keep, identity, alias, unwrap, users"),
        ('kind = "drop"\n', "", "'kind' must be one of"),
        ('names = ["camp"]', 'names = ["camp"]\nvalue = "x"', "unknown field 'value'"),
        ('names = ["camp"]', 'names = "camp"', "'names' must be a list"),
        ('names = ["camp"]', "names = [7]", "'names' must be a list"),
        ('names = ["camp"]', 'names = [""]', "'names' must be a list"),
        ('names = ["camp"]', 'names = ["Camp"]', "lower case"),
        ('names = ["camp"]', 'names = ["ca mp"]', "as in a query"),
        ('beside = ["share"]', 'beside = ["Share"]', "lower case"),
        ('prefixes = ["zz_"]', 'prefixes = ["zz"]', "too short"),
        ('names = ["camp"]\nprefixes = ["zz_"]\n', "", "needs 'names' or 'prefixes'"),
        ('values = ["", "rss"]', 'values = ["RSS"]', "must be written in lower case"),
        ('value_types = ["host"]', 'value_types = ["word"]', "must be one of host, address, session, digits, hex"),
        ('match = ["/story/{digits}"]', 'match = ["/story?a={digits}"]', "has no query"),
        ('match = ["/story/{digits}"]', 'match = ["a.example/"]', "starts with '/'"),
        ('match = ["/story/{digits}"]', 'match = ["/{number}"]', "the type must be one of"),
        ('strength = "near"', 'strength = "weak"', "must be one of strong, near"),
        ('"news.example", ', '"www.news.example", ', "without 'www.'"),
        ('"news.example", ', '"News.example", ', "lower-case name"),
        ('"news.example", ', '"*.www.news.example", ', "without 'www.'"),
        ('"news.example", ', '"example", ', "lower-case name"),
        ('"news.example", ', '"news.example/a", ', "lower-case name"),
        ('"news.example", ', '"news.*.example", ', "lower-case name"),
        ('"news.example", ', '"news.example:8080", ', "lower-case name"),
        ('reason = "the newsletter adds it"', 'reason = " "', "'reason' must"),
        ('fact = "seen in its links"\n', "", "'fact' must"),
        ("must_not_match = [", "must_not_match = []\n#", "'must_not_match' needs 2 pairs"),
        (
            "must_match = [",
            'must_match = [["https://a.example/", "https://b.example/"]]\n#',
            "'must_match' needs 2 pairs",
        ),
        (
            "must_match = [",
            'must_match = ["https://a.example/", "https://b.example/"]\n#',
            "'must_match' needs 2 pairs",
        ),
        ("must_match = [", 'must_match = [["a", "b", "c"], ["a", "b"]]\n#', "'must_match' needs 2 pairs"),
        ("must_match = [", 'must_match = [["a", ""], ["a", "b"]]\n#', "'must_match' needs 2 pairs"),
        ("must_match = [", "must_match = 7\n#", "'must_match' needs 2 pairs"),
        ("must_not_match", "must_match_not", "unknown field 'must_match_not'"),
    ],
)
def test_broken_drop_rules(old: str, new: str, problem: str) -> None:
    refused(DROP, old, new, problem)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('hosts = ["news.example"]\n', "", "needs 'hosts'"),
        ('names = ["ref"]\n', "", "needs 'names' or 'prefixes'"),
        ('names = ["ref"]', 'names = ["ref"]\nvalues = ["a"]', "unknown field 'values'"),
    ],
)
def test_broken_keep_rules(old: str, new: str, problem: str) -> None:
    refused(KEEP, old, new, problem)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('hosts = ["news.example"]\n', "", "needs 'hosts'"),
        ('match = ["/', 'match = []\n# ["/', "needs 'match'"),
        ("{story:digits}", "{story:number}", "the type must be one of"),
        ("{part}-{story}", "{nothing}", "'value' uses {nothing}"),
        (
            "nws.example/{part:word}-{story:digits}",
            "nws.example/{part:word}",
            "'value' uses {story}, which 'nws.example",
        ),
        ("{part}-{story}", "x", "'value' must use {name}"),
        ("{part}-{story}", "{story.__class__}", "'value' uses {story.__class__}"),
        ("{part}-{story}", "{story[0]}", "'value' uses {story[0]}"),
        ("{part}-{story}", "{story!r}", "without a type"),
        ("{part}-{story}", "{story:>9}", "without a type"),
        ("{part}-{story}", "{}", "'value' uses {}"),
        ("{part}-{story}", "{", "Single '{'"),
        ("mine:{part}", "{part}", "name of the site"),
        ("mine:{part}", "Mine:{part}", "name of the site"),
        ('value = "mine:{part}-{story}"\n', "", "'value' must"),
        ("https://{host}/", "https://{place}/", "'fetch' uses {place}"),
        ('reads = "slug"', 'reads = "title"', "must be one of id, slug"),
        ("lowercase = true", 'lowercase = "yes"', "true or false"),
        ('ignore = ["t", "*"]', 'ignore = ["T"]', "lower case"),
        ('reads = "slug"', 'reads = "slug"\nnames = ["x"]', "unknown field 'names'"),
    ],
)
def test_broken_identity_rules(old: str, new: str, problem: str) -> None:
    refused(IDENTITY, old, new, problem)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('hosts = ["old.news.example"]\n', "", "needs 'hosts'"),
        ('to = "news.example"\n', "", "'to' must be a text"),
        ('to = "news.example"', 'to = "*.news.example"', "'to' must be one host"),
        ('to = "news.example"', 'to = "www.news.example"', "'to' must be one host"),
        ('to = "news.example"', 'to = "https://news.example/"', "'to' must be one host"),
    ],
)
def test_broken_alias_rules(old: str, new: str, problem: str) -> None:
    refused(ALIAS, old, new, problem)


@pytest.mark.parametrize("host", ["m.news.example", "www2.news.example"])
def test_an_alias_leads_to_a_folded_host(host: str) -> None:
    refused(ALIAS, 'to = "news.example"', f'to = "{host}"', "'to'")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('hosts = ["go.example"]\n', "", "needs 'hosts'"),
        ('{target}"]', '{rest}"]', "must hold {target}"),
        ("https://{site}.", "https://{place}.", "'to' uses {place}"),
        ('decode = "base64"', 'decode = "rot13"', "must be one of percent, base64, google-news"),
    ],
)
def test_broken_unwrap_rules(old: str, new: str, problem: str) -> None:
    refused(UNWRAP, old, new, problem)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('hosts = ["*.blogs.example"]\n', "", "needs 'hosts'"),
        ('"*.blogs.example"', '"*.blogs.example", "blogs.example"', "begin with '*.'"),
        ('hosts = ["*.blogs.example"]', 'hosts = ["*.blogs.example"]\nto = "a.example"', "unknown field 'to'"),
    ],
)
def test_broken_users_rules(old: str, new: str, problem: str) -> None:
    refused(USERS, old, new, problem)


def test_an_error_names_file_line_and_rule() -> None:
    two = DROP + IDENTITY.removeprefix(HEAD)
    line = two.splitlines().index("[[rule]]", 10) + 1
    error = refused(two, "{part}-{story}", "x", "'value' must use")
    assert error.where == f"mine.toml, line {line}, rule 'mine-story'"


def test_a_rule_exists_once() -> None:
    two = DROP + KEEP.removeprefix(HEAD)
    error = refused(two, "mine-keep", "mine-campaign", "the rule 'mine-campaign' exists twice")
    assert error.where.endswith("rule 'mine-campaign'")
