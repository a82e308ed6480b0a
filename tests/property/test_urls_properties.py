"""What holds for every address: one normal form, no order of rules, no contradiction among pages, no exception."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from seenbefore.rules import RuleKind, RulePack, Rules, compile_rules, lay_over, load_rules, shipped_packs
from seenbefore.urls import UrlIdentity, identify, named_keys, resolve_guid_url, same_page, url_key, url_keys
from seenbefore.urls.same import are_same_page

MANY = settings().max_examples
RULES = load_rules()
SHIPPED = [rule for pack in shipped_packs() for rule in pack.rules]
GENERAL = [rule for rule in SHIPPED if rule.kind is RuleKind.DROP and not (rule.hosts or rule.match or rule.beside)]
ALWAYS = [rule for rule in GENERAL if rule.strong and not (rule.values or rule.value_types)]
NAMES = sorted(name for rule in ALWAYS for name in rule.names)
PREFIXES = sorted(prefix for rule in ALWAYS for prefix in rule.prefixes)

MADE_UP = [
    "https://www.made-up.example/2025/10/02/a-long-walk.html?id=7&page=2",
    "https://m.made-up.example/article.php?article_id=12&lang=en#!/comments",
    "http://en.m.made-up.example:8080/amp/2025/10/a-long-walk/index.html",
    "https://ann:pw@blog.made-up.example/%E6%9D%B1%E4%BA%AC/?q=C%2B%2B&x=%A5%C6",
    "https://made-up.example/app#/thread/9",
    "https://made-up.example/view.do;jsessionid=0A1B2C?sid=0123456789abcdef0123456789abcdef",
    "https://日本語.jp/記事/12",
    "urn:uuid:6e8bc430-9c3a-11d9-9669-0800200c9a66",
]
PAIRS = [pair for rule in SHIPPED for pair in (*rule.must_match, *rule.must_not_match)]
POOL = sorted({*MADE_UP, *(url for pair in PAIRS for url in pair)})

# --- addresses as they come: realistic ones, and what happens to them on their way ----------------

TRACKERS = [
    "utm_source=x", "fbclid=1", "UTM_Medium=a%20b", "gclid=", "utm%5Fterm=z", "ref=weekly.example", "source=rss",
    "sid=0123456789abcdef0123456789abcdef", "amp", "amp=1", "outputType=amp", "page=2", "&amp;", "a=1&a=2",
]  # fmt: skip
PIECES = ["%", "%4", "%41", "%2F", "%e6%9d%b1", "東", "é", " ", "\t", "\x00", "\ufeff", "\\", "|", "'", '"', "<", "[",
          "]", "(", ";", ":", "@", "+", "~", "&", "&amp;", "#", "?", "=", "//", ";sid=A1", "/index.html", "/index.php/",
          ".amp", ".amp.html", "/amp/", "#!/a", "#:~:text=a", ":8080", "www.", "m.", "http://", "\ud800"]  # fmt: skip
LABELS = ["www.", "m.", "mobile.", "amp.", "wap.", "www2.", "en.m.", "M.", "a.", "u:p@"]
STARTS = ["http://", "HTTPS://", "//", "", "https:", "http:/", "https:\\\\"]
WRAPPERS = [
    "https://www.google.com/url?q={}&sa=U",
    "https://l.facebook.com/l.php?u={}",
    "https://made-up.example/r?url={}",
]
ENDINGS = ["/", "/amp", ".amp", "/index.html", "/index.amp.html", "//", "?", "#top", "#", "&", "\n", "x" * 300]

_PARTS = re.compile(r"([a-z]+:/*)?([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?", re.IGNORECASE | re.DOTALL)
_DOTTED = re.compile(r"[/\\](?:\.|%2e)(?!\.?[/\\])", re.IGNORECASE)
"""A hidden file: before one the parser leaves ``..`` as it is."""


def _split(url: str) -> list[str]:
    found = _PARTS.fullmatch(url)
    assert found is not None
    return [part or "" for part in found.groups()]


def _insert(url: str, n: int) -> str:
    at = n % (len(url) + 1)
    return url[:at] + PIECES[n % len(PIECES)] + url[at:]


def _track(url: str, n: int) -> str:
    start, host, path, query, fragment = _split(url)
    tracker = TRACKERS[n % len(TRACKERS)]
    if n % 2 or not query:
        return f"{start}{host}{path}{query or '?'}{'&' if query else ''}{tracker}{fragment}"
    return f"{start}{host}{path}?{tracker}&{query[1:]}{fragment}"


def _encode(url: str, n: int) -> str:
    start, host, path, query, fragment = _split(url)
    rest = path + query
    at = n % max(len(rest), 1)
    code = quote(rest[at : at + 1], safe="", errors="replace").replace("/", "%2F") or "%"
    code = f"%{ord(code):02x}" if len(code) == 1 else code
    return f"{start}{host}{rest[:at]}{code if n % 3 else code.lower()}{rest[at + 1 :]}{fragment}"


def _double(url: str, n: int) -> str:
    start, host, path, query, fragment = _split(url)
    slashes = [at for at, char in enumerate(path) if char == "/"] or [0]
    at = slashes[n % len(slashes)]
    return f"{start}{host}{path[:at]}{'/' * (1 + n % 2)}{path[at:]}{query}{fragment}"


def _label(url: str, n: int) -> str:
    start, *rest = _split(url)
    return start + LABELS[n % len(LABELS)] + "".join(rest)


def _restart(url: str, n: int) -> str:
    return STARTS[n % len(STARTS)] + "".join(_split(url)[1:])


def _case(url: str, n: int) -> str:
    start, host, path, query, fragment = _split(url)
    return f"{start}{host.upper()}{path if n % 3 else path.swapcase()}{query}{fragment}"


def _wrap(url: str, n: int) -> str:
    return WRAPPERS[n % len(WRAPPERS)].format(quote(url, safe="" if n % 2 else ":/?=&", errors="replace"))


def _end(url: str, n: int) -> str:
    start, host, path, query, fragment = _split(url)
    ending = ENDINGS[n % len(ENDINGS)]
    return f"{start}{host}{path}{ending}{query}{fragment}" if n % 2 else url + ending


def _shuffle(url: str, n: int) -> str:
    start, host, path, query, fragment = _split(url)
    params = query[1:].split("&")
    random.Random(n).shuffle(params)
    return f"{start}{host}{path}{query and '?'}{'&'.join(params)}{fragment}"


CHANGES: list[Callable[[str, int], str]] = [
    _insert, _track, _encode, _double, _label, _restart, _case, _wrap, _end, _shuffle,
]  # fmt: skip


def _change(url: str, changes: list[tuple[Callable[[str, int], str], int]]) -> str:
    for change, n in changes:
        url = change(url, n)
    return url


CHANGED = st.lists(st.tuples(st.sampled_from(CHANGES), st.integers(0, 10**6)), max_size=5)
ADDRESS = st.builds(_change, st.sampled_from(POOL), CHANGED)
SETTLED = ADDRESS.filter(lambda url: not _DOTTED.search(url))
SOUP = st.lists(
    st.sampled_from([*PIECES, *TRACKERS, *LABELS, *STARTS, "example.com", "youtu.be", "/", "."]), max_size=12
)
ANY_TEXT = st.one_of(st.text(), st.text(alphabet=st.characters()), SOUP.map("".join), ADDRESS)


# --- one normal form ------------------------------------------------------------------------------


@given(ANY_TEXT, ANY_TEXT)
@example("\ud800", "https://example.com/\ud800")
@example("https://example.com/.;sid=1/a", "")
def test_nothing_raises(url: str, base: str) -> None:
    found = identify(url, RULES)
    assert url_key(url, RULES) == found.key
    for key in (*url_keys(url, RULES), *named_keys(base, url, RULES)):
        assert key.value
        key.value.encode("utf-8")
    assert isinstance(found.secret, bool)
    assert same_page(url, base, RULES) is same_page(base, url, RULES)
    resolved = resolve_guid_url(url, base)
    assert not resolved or not identify(resolved, RULES).literal


@settings(max_examples=3 * MANY)
@given(SETTLED)
@example("https://example.com/%%341")
@example("https://example.com/?a&am%70;b&#038;#/c")
@example("https://example.com/?amp;z=1&b")
@example("https://www.www.example.com./")
def test_the_key_of_a_key_is_itself(url: str) -> None:
    once = identify(url, RULES)
    twice = identify(once.key, RULES)
    assert (twice.key, twice.near, twice.host, twice.path) == (once.key, once.near, once.host, once.path)
    assert (twice.claims, twice.is_home, twice.near_is_home) == (once.claims, once.is_home, once.near_is_home)
    assert twice.literal == once.literal
    assert once.literal or once.key.isascii()


@settings(max_examples=3 * MANY)
@given(SETTLED)
@example("https://example.com/2024/index.html/index.amp.html")
@example("https://arxiv.org//abs/2405.00003?context=cs.LG")
@example("https://made-up.example/a?ref=weekly.example%2F")
@example("https://made-up.example/a?x%3Ay=1&x.y=2")
def test_the_near_key_of_a_near_key_is_itself(url: str) -> None:
    once = identify(url, RULES)
    # the near form of a wrapper without a target may have one: https:%2F%2F is https:// there
    assume(once.near and not RULES.for_host(once.host.partition(":")[0]).unwraps)
    twice = identify(f"{once.key.partition('://')[0]}://{once.near}", RULES)
    assert (twice.near, twice.claims, twice.near_is_home) == (once.near, once.claims, once.near_is_home)


@given(SETTLED, CHANGED)
def test_equal_keys_have_equal_near_keys_and_claims(
    url: str, changes: list[tuple[Callable[[str, int], str], int]]
) -> None:
    one, other = identify(url, RULES), identify(_change(url, changes), RULES)
    if one.key == other.key:
        assert (one.near, one.claims) == (other.near, other.claims)
    if one.near and one.near == other.near:
        assert one.claims == other.claims


# --- what makes no difference, and what does ------------------------------------------------------

SEGMENT = st.text(alphabet="abcXYZ019-_~", min_size=1, max_size=8).filter(lambda text: not text.startswith("amp"))
VALUE = st.text(alphabet="abcXYZ019-_.", max_size=8)


@given(st.lists(SEGMENT, min_size=1, max_size=5))
def test_a_path_keeps_its_case(segments: list[str]) -> None:
    path = "/" + "/".join(segments)
    assert urlsplit(identify(f"https://Made-Up.example{path}/", RULES).key).path == path


@given(
    st.lists(st.tuples(st.sampled_from(["id", "p", "q", "utm", "gclid2", "xutm_source", "Z"]), VALUE)),
    st.lists(st.tuples(st.sampled_from(NAMES), VALUE)),
    st.randoms(use_true_random=False),
)
def test_trackers_go_and_the_others_are_sorted(kept, dropped, random) -> None:
    parameters = [(name, value, True) for name, value in kept]
    for name, value in dropped:
        parameters.insert(random.randint(0, len(parameters)), (name, value, False))
    url = "https://made-up.example/a?" + "&".join(f"{name}={value}" for name, value, _ in parameters)
    expected = "&".join(f"{name}={value}" for name, value in sorted(kept, key=lambda each: each[0]))
    assert urlsplit(identify(url, RULES).key).query == expected


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz_.-", min_size=1, max_size=12), VALUE)
def test_names_go_only_when_a_rule_names_them(name: str, value: str) -> None:
    key = identify(f"https://made-up.example/a?{name}={value}", RULES).key
    named = any(name in rule.names or name.startswith(rule.prefixes) for rule in SHIPPED if not rule.hosts)
    if name in NAMES or name.startswith(tuple(PREFIXES)):
        assert key == "https://made-up.example/a"
    elif not named:
        assert key == f"https://made-up.example/a?{name}={value}"


@given(st.sampled_from(PREFIXES), st.text(alphabet="abcdefgh_", max_size=6))
def test_prefixes_cover_every_name_that_starts_with_them(prefix: str, rest: str) -> None:
    assert identify(f"https://made-up.example/a?{prefix}{rest}=1", RULES).key == "https://made-up.example/a"


@given(st.lists(SEGMENT, max_size=4), st.sampled_from(["", "?id=7", "?utm_source=x", "#top"]))
def test_scheme_host_label_and_slashes_meet_in_the_near_key(segments: list[str], tail: str) -> None:
    path = "/".join(segments)
    plain = identify(f"https://made-up.example/{path}{tail}", RULES)
    for spelled in (f"HTTP://www.MADE-UP.example:80/{path}/{tail}", f"m.made-up.example//{path}//index.html{tail}"):
        assert same_page(plain.key, spelled, RULES)
        assert identify(spelled, RULES).near == plain.near


# --- pages ----------------------------------------------------------------------------------------


@settings(max_examples=MANY // 4)
@given(st.lists(st.sampled_from(POOL), min_size=2, max_size=3), st.lists(CHANGED, min_size=6, max_size=12))
def test_pages_that_are_one_by_steps_are_one(urls: list[str], ways: list[Any]) -> None:
    pages = [identify(url, RULES) for url in urls]
    pages += [identify(_change(urls[n % len(urls)], way), RULES) for n, way in enumerate(ways)]
    assert not contradictions(pages)


def contradictions(pages: list[UrlIdentity]) -> list[tuple[str, str]]:
    """Addresses that are two pages, though a chain of pages that are one leads from the first to the second."""
    groups: list[list[UrlIdentity]] = []
    for page in pages:
        joined = [group for group in groups if any(are_same_page(page, other) for other in group)]
        groups = [group for group in groups if group not in joined] + [[page, *itertools.chain(*joined)]]
    pairs = itertools.chain.from_iterable(itertools.combinations(group, 2) for group in groups)
    return [(one.original, other.original) for one, other in pairs if one.key and not are_same_page(one, other)]


@given(SETTLED, SETTLED)
def test_one_page_means_one_key_or_one_claim(a: str, b: str) -> None:
    one, other = identify(a, RULES), identify(b, RULES)
    assert are_same_page(one, other) is are_same_page(other, one)
    if are_same_page(one, other):
        strong = [{claim.value for claim in page.claims if claim.strong} for page in (one, other)]
        assert one.key == other.key or one.near == other.near or strong[0] & strong[1]


# --- rules ----------------------------------------------------------------------------------------


def _mixed(seed: int) -> Rules:
    chance = random.Random(seed)
    packs = [replace(pack, rules=tuple(chance.sample(pack.rules, len(pack.rules)))) for pack in shipped_packs()]
    return compile_rules(chance.sample(packs, len(packs)))


@pytest.mark.parametrize("seed", range(2))
def test_the_order_of_packs_and_rules_plays_no_part(seed: int) -> None:
    mixed = _mixed(seed)
    for url in random.Random(seed).sample(POOL, 1500):
        assert identify(url, mixed) == identify(url, RULES)


@settings(max_examples=MANY // 6)
@given(st.sampled_from([rule for rule in SHIPPED if rule.kind is RuleKind.IDENTITY and rule.strong]))
def test_somebodys_own_rule_wins(rule) -> None:
    mine = replace(rule, value=f"mine:{rule.value.partition(':')[2]}", fetch="", pack="mine", pack_version=9, own=True)
    rules = lay_over([RulePack("mine", 9, (mine,), own=True)])
    for url in (url for pair in rule.must_match for url in pair):
        theirs = [claim for claim in identify(url, RULES).claims if claim.rule_id == rule.id]
        ours = [claim for claim in identify(url, rules).claims if claim.rule_id == rule.id]
        assert [claim.value.partition(":")[2] for claim in ours] == [claim.value.partition(":")[2] for claim in theirs]
        assert all((claim.namespace, claim.pack, claim.pack_version) == ("mine", "mine", 9) for claim in ours)
