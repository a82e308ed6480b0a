"""A rule loads only when it follows the schema and proves itself on its own examples."""

import re
import time

import pytest

from seenbefore.errors import InvalidRule
from seenbefore.rules import Rule, RuleKind, Rules, load_rules, parse_pack
from seenbefore.rules.patterns import compile_path_pattern

RULES = load_rules()
ALL_RULES = [rule for pack in RULES.packs for rule in pack.rules]

PARAMETER_RULE = """
pack = "mine"
version = 2

[[rule]]
id = "mine-campaign"
kind = "drop_param"
hosts = ["news.example"]
names = ["camp"]
prefixes = ["zz_"]
reason = "campaign of the newsletter"
must_match = ["https://news.example/a?camp=1", "https://news.example/a?ZZ_top=1"]
must_not_match = ["https://news.example/a?camping=1"]
"""
IDENTITY_RULE = """
pack = "mine"
version = 1

[[rule]]
id = "mine-number"
kind = "identity"
hosts = ["news.example"]
path = '/(?P<part>[a-z]++)/(?P<number>[0-9]++)'
value = "mine:{part}-{number}"
reason = "the number names the article"
must_match = ["https://news.example/a/12"]
must_not_match = ["https://news.example/a/b"]
"""


def test_shipped_packs() -> None:
    assert RULES.version == "generic@1,techcrunch@1"
    assert len({rule.id for rule in ALL_RULES}) == len(ALL_RULES)


@pytest.mark.parametrize("rule", ALL_RULES, ids=lambda rule: rule.id)
def test_shipped_rules_have_reason_and_examples(rule: Rule) -> None:
    assert rule.reason
    assert rule.must_match
    assert rule.must_not_match


def test_no_parameter_is_dropped_by_two_rules() -> None:
    names = [(host, name) for rule in ALL_RULES for host in rule.hosts or ("",) for name in rule.names]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    "name",
    [
        "id",
        "p",
        "page",
        "page_id",
        "q",
        "s",
        "v",
        "t",
        "si",
        "sid",
        "cid",
        "uid",
        "eid",
        "ref",
        "source",
        "from",
    ],
)
def test_short_names_are_kept(name: str) -> None:
    assert RULES.for_host("example.com").dropping(name) is None


@pytest.mark.parametrize(
    "name",
    ["lang", "ad_id", "mc_version", "keyword", "campaign", "medium", "session", "_page", "utm", "at_id"],
)
def test_names_that_mean_content_somewhere_are_kept(name: str) -> None:
    assert RULES.for_host("example.com").dropping(name) is None


def test_scope_is_exact() -> None:
    rules = load_rules([("mine.toml", PARAMETER_RULE)])
    assert rules.version == "generic@1,mine@2,techcrunch@1"
    assert rules.for_host("news.example").dropping("camp")
    assert rules.for_host("news.example").dropping("zz_top")
    assert rules.for_host("news.example").dropping("utm_source")
    assert not rules.for_host("news.example").dropping("camping")
    assert not rules.for_host("sub.news.example").dropping("camp")
    assert not rules.for_host("example").dropping("camp")


def test_order_of_packs_plays_no_part() -> None:
    one, two = ("a.toml", PARAMETER_RULE), ("b.toml", IDENTITY_RULE.replace('"mine"', '"other"'))
    assert load_rules([one, two]) == load_rules([two, one])


def test_identity_groups_fill_the_value() -> None:
    rules = load_rules([("mine.toml", IDENTITY_RULE)])
    (found,) = rules.for_host("news.example").identities("/a/12")
    assert (found.value, found.rule.id, found.rule.pack_version) == ("mine:a-12", "mine-number", 1)
    assert rules.for_host("news.example").identities("/a/" + "1" * 2000) == ()


def _changed(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("version = 2", "version = 0", "whole number"),
        ("version = 2", "version = true", "whole number"),
        ("version = 2", 'version = "2"', "whole number"),
        ("version = 2", "version = 2\nauthor = 1", "unknown field 'author'"),
        ("version = 2", "version = ", "not TOML"),
        ('pack = "mine"', 'pack = "My Pack"', "pack name"),
        ("[[rule]]", "[rule]", "[[rule]] tables"),
        ('id = "mine-campaign"', 'id = "Mine"', "'id' must"),
        ('id = "mine-campaign"', "id = 7", "'id' must be a text"),
        ('kind = "drop_param"', 'kind = "unwrap"', "must be one of drop_param, identity"),
        ('names = ["camp"]', 'names = ["camp"]\npath = "/x"', "unknown field 'path'"),
        ('names = ["camp"]', 'names = "camp"', "'names' must be a list"),
        ('names = ["camp"]', 'names = ["Camp"]', "lower case"),
        ('prefixes = ["zz_"]', 'prefixes = ["z"]', "too short"),
        ('names = ["camp"]\nprefixes = ["zz_"]', "", "needs 'names' or 'prefixes'"),
        ('"news.example"]', '"www.news.example"]', "without 'www.'"),
        ('"news.example"]', '"News.example"]', "lower-case name"),
        ('reason = "campaign of the newsletter"', 'reason = " "', "'reason' must"),
        ('"https://news.example/a?camp=1", ', '"https://news.example/a?id=1", ', "must_match example"),
        ("a?camping=1", "a?camp=1", "must_not_match example"),
        ("https://news.example/a?camping=1", "news.example/a", "is no address"),
        ('must_not_match = ["https://news.example/a?camping=1"]', "", "'must_not_match' needs"),
        ("must_not_match", "must_match_not", "unknown field 'must_match_not'"),
    ],
)
def test_broken_parameter_rules_do_not_load(old: str, new: str, problem: str) -> None:
    with pytest.raises(InvalidRule, match=re.escape(problem)) as caught:
        load_rules([("mine.toml", _changed(PARAMETER_RULE, old, new))])
    assert caught.value.where.startswith("mine.toml")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('hosts = ["news.example"]', "", "needs 'hosts'"),
        ("[0-9]++", "[0-9]+", "write '++' instead of '+'"),
        ("[0-9]++", "([0-9]++", "not a regular expression"),
        ("{number}", "{nothing}", "named groups"),
        ("{part}-{number}", "x", "named groups"),
        ("{number}", "{number.__class__}", "named groups"),
        ("{number}", "{number!r}", "named groups"),
        ("{number}", "{number:>9}", "named groups"),
        ("{number}", "{", "Single '{'"),
        ("mine:{part}", "{part}", "name of the site"),
        ('value = "mine:{part}-{number}"', "", "'value' must"),
        ('reason = "', 'lowercase = "yes"\nreason = "', "true or false"),
        ('reason = "', 'names = ["x"]\nreason = "', "unknown field 'names'"),
        ("/a/12", "/a/12/13", "does not match its own must_match example"),
        ("/a/b", "/b/7/", "matches its own must_not_match example"),
    ],
)
def test_broken_identity_rules_do_not_load(old: str, new: str, problem: str) -> None:
    with pytest.raises(InvalidRule, match=re.escape(problem)) as caught:
        load_rules([("mine.toml", _changed(IDENTITY_RULE, old, new))])
    assert "mine-number" in caught.value.where


def test_error_names_file_rule_and_example() -> None:
    with pytest.raises(InvalidRule) as caught:
        parse_pack("mine.toml", _changed(PARAMETER_RULE, "a?camping=1", "a?camp=1"))
    assert str(caught.value) == (
        "mine.toml, rule 'mine-campaign': matches its own must_not_match example 'https://news.example/a?camp=1'"
    )


def test_names_are_unique_across_packs() -> None:
    with pytest.raises(InvalidRule, match="the pack 'mine' exists twice"):
        load_rules([("a.toml", PARAMETER_RULE), ("b.toml", IDENTITY_RULE)])
    second = _changed(IDENTITY_RULE, '"mine"', '"second"')
    with pytest.raises(InvalidRule, match="the rule 'mine-campaign' exists twice"):
        load_rules([("a.toml", PARAMETER_RULE), ("b.toml", _changed(second, "mine-number", "mine-campaign"))])


@pytest.mark.parametrize(
    "pattern",
    [
        r"/(a+)+",
        r"/(?:a|aa)*b",
        r"/a*?",
        r"/a{2,}",
        r"/(?:a?+){50}",
        r"/(?:a|aa){2,9}+",
        r"/(a)\1",
        r"/(?P<x>a)(?P=x)",
        r"(?i)/a",
        r"/(?<=a)b",
        r"/(",
        r"/[",
        r"/a{99999999999999999999}",
    ],
)
def test_patterns_that_could_take_long_are_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        compile_path_pattern(pattern)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        (r"/\d{4}/(?P<slug>[^/]++)", "/2024/moon"),
        (r"/(?:(?!feed)[^/])++", "/moon"),
        (r"/a[+*?]b\+", "/a?b+"),
        (r"/[]a]++", "/]a]"),
        (r"/a?+b{1,3}+", "/bb"),
    ],
)
def test_patterns_that_match_in_one_pass_are_accepted(pattern: str, path: str) -> None:
    assert compile_path_pattern(pattern).fullmatch(path)


@pytest.mark.parametrize("piece", ["a-", "-", "a", "/", "%41"])
def test_identities_of_hostile_paths_take_one_pass(piece: str) -> None:
    start = time.process_time()
    for _ in range(100):
        RULES.for_host("techcrunch.com").identities(f"/2024/05/01/{piece * 300}"[:1000])
    assert time.process_time() - start < 1


def test_rules_are_values() -> None:
    assert isinstance(RULES, Rules)
    assert load_rules() == RULES
    assert {rule.kind for rule in ALL_RULES} == set(RuleKind)
