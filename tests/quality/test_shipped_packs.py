"""The packs that are shipped: each rule says why, each pair holds under all rules together, no rule is idle."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict

import pytest

from seenbefore.rules import Rule, RuleKind, RulePack, load_rules, rule_hosts, shipped_packs
from seenbefore.urls import UrlIdentity, identify
from seenbefore.urls.proving import iter_failures
from seenbefore.urls.same import are_same_page

PACKS = shipped_packs()
RULES = load_rules()
ALL = [rule for pack in PACKS for rule in pack.rules]
GENERAL_DROPS = [rule for rule in ALL if rule.kind is RuleKind.DROP and not rule.hosts]


# --- pairs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_every_pair_holds_under_all_rules_together(pack: RulePack) -> None:
    assert [f"{failure.rule.id}: {failure.message}" for failure in iter_failures(pack, RULES)] == []


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_every_rule_is_seen_at_work_in_its_pairs(pack: RulePack) -> None:
    idle = []
    for rule in pack.rules:
        read = [identify(url, RULES) for pair in rule.must_match for url in pair]
        if not any(is_used(rule, each) for each in read):
            idle.append(rule.id)
    assert idle == []


def is_used(rule: Rule, read: UrlIdentity) -> bool:
    if rule.kind is RuleKind.IDENTITY:
        return any(claim.rule_id == rule.id for claim in read.claims)
    if rule.kind is RuleKind.KEEP:
        names = {name.partition("=")[0].lower() for name in read.key.partition("?")[2].split("&")}
        return any(name in rule.names or name.startswith(rule.prefixes) for name in names)
    if rule.kind is RuleKind.USERS:
        return any(read.host.endswith(host[1:]) for host in rule.hosts)
    return any(step.endswith(f": {rule.id}") for step in read.trace)


def test_no_pair_says_two_things() -> None:
    said: dict[frozenset[str], set[str]] = defaultdict(set)
    for rule in ALL:
        if rule.strong or rule.kind is not RuleKind.IDENTITY:
            for field, pairs in (("same", rule.must_match), ("different", rule.must_not_match)):
                for pair in pairs:
                    said[frozenset(pair)].add(field)
    assert [set(pair) for pair, fields in said.items() if len(fields) > 1] == []


def test_no_chain_of_pages_that_are_one_leads_to_another_page() -> None:
    read = {
        url: identify(url, RULES) for rule in ALL for pair in (*rule.must_match, *rule.must_not_match) for url in pair
    }
    shared: dict[str, set[str]] = defaultdict(set)
    for url, page in read.items():
        for name in (page.key, f"near {page.near}" if page.near else "", *(c.value for c in page.claims if c.strong)):
            if name:
                shared[name].add(url)
    group = {url: {url} for url in read}
    for urls in shared.values():
        joined = set().union(*(group[url] for url in urls))
        group.update(dict.fromkeys(joined, joined))
    apart = [
        (one, other)
        for urls in {id(urls): urls for urls in group.values()}.values()
        for one, other in itertools.combinations(sorted(urls), 2)
        if not are_same_page(read[one], read[other])
    ]
    assert apart == []


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_keys_of_pairs_are_their_own_keys(pack: RulePack) -> None:
    for url in {url for rule in pack.rules for pair in (*rule.must_match, *rule.must_not_match) for url in pair}:
        found = identify(url, RULES)
        again = identify(found.key, RULES)
        assert (again.key, again.near, again.claims) == (found.key, found.near, found.claims)
        assert found.literal or found.fetch.startswith(("https://", "http://"))


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_what_is_fetched_is_the_same_page(pack: RulePack) -> None:
    wrong = []
    for rule in (rule for rule in pack.rules if rule.fetch):
        for url in {url for pair in rule.must_match for url in pair}:
            found = identify(url, RULES)
            if found.fetch and not shares_a_claim(found, identify(found.fetch, RULES)):
                wrong.append((rule.id, url, found.fetch))
    assert wrong == []


def shares_a_claim(one: UrlIdentity, other: UrlIdentity) -> bool:
    return bool({claim.value for claim in one.claims} & {claim.value for claim in other.claims})


# --- rules ----------------------------------------------------------------------------------------


def test_every_rule_says_why_and_where_one_can_see_it() -> None:
    for rule in ALL:
        assert rule.reason.strip()
        assert rule.fact.strip()
        assert len(rule.must_match) >= 2
        assert len(rule.must_not_match) >= 2
        assert rule.id == rule.pack or rule.id.startswith(f"{rule.pack}-") or rule.pack in ("generic", "wrappers"), (
            rule.id
        )


def test_ids_and_names_are_unique() -> None:
    assert [name for name, times in Counter(rule.id for rule in ALL).items() if times > 1] == []
    assert [name for name, times in Counter(pack.name for pack in PACKS).items() if times > 1] == []
    assert all(pack.about for pack in PACKS)


def test_no_parameter_is_dropped_twice_without_a_condition() -> None:
    free = [
        rule
        for rule in ALL
        if rule.kind is RuleKind.DROP and not (rule.values or rule.value_types or rule.match or rule.beside)
    ]
    names = Counter(
        (host, name) for rule in free for host in rule.hosts or ("",) for name in (*rule.names, *rule.prefixes)
    )
    assert [place for place, times in names.items() if times > 1] == []


def test_a_host_is_the_copy_of_one_other() -> None:
    aliases = {host: rule.to for rule in ALL if rule.kind is RuleKind.ALIAS for host in rule.hosts}
    assert len(aliases) == sum(len(rule.hosts) for rule in ALL if rule.kind is RuleKind.ALIAS)
    assert [to for to in aliases.values() if to in aliases] == []
    assert [to for to in aliases.values() if identify(f"https://{to}/", RULES).host != to] == []


def test_hosts_are_written_as_the_near_key_has_them_or_stand_beside_such_a_one() -> None:
    unreached = []
    for rule in (rule for rule in ALL if rule.kind is not RuleKind.ALIAS):
        hosts = rule_hosts(rule)
        for host in (host for host in hosts if not host.endswith(":")):
            near = identify(f"https://{host.replace('*', 'some-label')}/", RULES).host
            if not any(near == other or (other[0] == "*" and near.endswith(other[1:])) for other in hosts):
                unreached.append((rule.id, host, near))
    assert unreached == []


SHORT_TRACKERS = {"_ga", "_gl", "_ke", "_kx", "awc", "elq", "wgu"}
"""Click and recipient ids of Google, Klaviyo, Awin, Oracle and Webgains, which no page is known by."""


@pytest.mark.parametrize(
    "name",
    "id p page page_id q s v t si sid cid uid eid ref source from lang ad_id mc_version keyword campaign medium "
    "session _page utm at_id via share sort order date year title slug article story post key code type view tab "
    "category tag search query filter lat lon width height size color version rev branch format print url u "
    "link".split(),
)
def test_names_that_mean_content_somewhere_stay(name: str) -> None:
    for value in ("7", "a-b", "moon", "2025-10-02", "V15.0"):
        address = f"https://made-up.example/a?{name}={value}"
        assert identify(address, RULES).near == f"made-up.example/a?{name}={value}"


def test_no_rule_for_every_host_drops_a_short_name_without_looking_at_its_value() -> None:
    free = [
        rule
        for rule in GENERAL_DROPS
        if rule.strong and not (rule.values or rule.value_types or rule.match or rule.beside)
    ]
    assert [name for rule in free for name in rule.names if len(name) < 4 and name not in SHORT_TRACKERS] == []
