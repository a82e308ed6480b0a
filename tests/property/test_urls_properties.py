"""Normalizing twice changes nothing, nothing raises, and only what a rule names is dropped."""

from urllib.parse import urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from seenbefore.errors import InvalidURL
from seenbefore.rules import load_rules
from seenbefore.urls import normalize_or_literal, normalize_url, resolve_guid_url, site_keys, url_keys

RULES = load_rules()
TRACKING_NAMES = sorted(RULES.for_host("example.com").names)
TRACKING_PREFIXES = RULES.for_host("example.com").prefixes

PIECES = st.sampled_from(
    [
        "https://", "http://", "//", "www.", "example.com", "techcrunch.com", ".", "..", "/", "?",
        "#", "#!", "&", "=", "%", "%4", "1", "%41", "%2e", "%2F", "%e6", "%C3%A9", "amp;", "&amp;",
        "#038;", "38;", ":443", ":8080", "utm_source=x", "fbclid", "id=7", "p", "東京", "É", " ",
        "\n", "\x00", "\ufeff", "@", ":", "\\", "+", ";", "/2024/05/01/a-b-c", "[::1]", "xn--", "'",
        '"', "<", "|", "^", "~",
    ]
)  # fmt: skip
ADDRESS_LIKE = st.lists(PIECES, max_size=20).map("".join)
WEB_ADDRESS = st.builds("https://example.com/{}".format, ADDRESS_LIKE)
ANY_TEXT = st.one_of(st.text(), ADDRESS_LIKE, WEB_ADDRESS, st.text().map("https://example.com/?".__add__))

SEGMENT = st.text(alphabet="abcXYZ019-_~", min_size=1, max_size=8)
VALUE = st.text(alphabet="abcXYZ019-_+.", max_size=8)


@given(ANY_TEXT)
@example("https://example.com/%%341")
@example("https://example.com/?a&am%70;b&#038;#/c")
@example("https://www.www.example.com./")
def test_normal_form_of_the_normal_form_is_itself(url: str) -> None:
    try:
        once = normalize_url(url, RULES)
    except InvalidURL:
        return
    twice = normalize_url(once.key, RULES)
    assert (twice.key, twice.near, twice.host, twice.path) == (once.key, once.near, once.host, once.path)
    assert twice.is_home == once.is_home
    assert twice.trace == ()
    assert once.key.isascii()
    assert once.key.endswith(once.near)


@given(ANY_TEXT)
def test_literal_of_the_literal_is_itself(url: str) -> None:
    once = normalize_or_literal(url, RULES)
    if once.literal:
        assert normalize_or_literal(once.key, RULES).key == once.key


@given(st.one_of(ANY_TEXT, st.text(alphabet=st.characters())), ANY_TEXT)
def test_nothing_raises(url: str, base: str) -> None:
    for key in (*url_keys(url, RULES), *site_keys(url, RULES)):
        assert key.value
        key.value.encode("utf-8")
    resolved = resolve_guid_url(url, base)
    assert not resolved or not normalize_or_literal(resolved, RULES).literal


@given(st.lists(SEGMENT, min_size=1, max_size=5))
def test_path_keeps_its_case(segments: list[str]) -> None:
    path = "/" + "/".join(segments)
    assert normalize_url(f"https://Example.com{path}/", RULES).path == path


@given(
    st.lists(st.tuples(st.sampled_from(["id", "p", "ref", "q", "utm", "gclid2", "xutm_source"]), VALUE)),
    st.lists(st.tuples(st.sampled_from(TRACKING_NAMES), VALUE)),
    st.randoms(use_true_random=False),
)
def test_tracking_parameters_go_and_the_others_keep_their_order(kept, dropped, random) -> None:
    parameters = [(name, value, True) for name, value in kept]
    for name, value in dropped:
        parameters.insert(random.randint(0, len(parameters)), (name, value, False))
    url = "https://example.com/a?" + "&".join(f"{name}={value}" for name, value, _ in parameters)
    expected = "&".join(f"{name}={value}" for name, value, stays in parameters if stays)
    assert urlsplit(normalize_url(url, RULES).key).query == expected


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz_.-", min_size=1, max_size=12), VALUE)
def test_names_go_only_when_a_rule_names_them(name: str, value: str) -> None:
    dropped = name in TRACKING_NAMES or name.startswith(TRACKING_PREFIXES)
    key = normalize_url(f"https://example.com/a?{name}={value}", RULES).key
    assert key == ("https://example.com/a" if dropped else f"https://example.com/a?{name}={value}")


@pytest.mark.parametrize("prefix", TRACKING_PREFIXES)
@given(rest=st.text(alphabet="abcdefgh_", max_size=6))
def test_prefixes_cover_every_name_that_starts_with_them(prefix: str, rest: str) -> None:
    assert normalize_url(f"https://example.com/a?{prefix}{rest}=1", RULES).key == "https://example.com/a"


@given(st.lists(SEGMENT, max_size=4), st.sampled_from(["", "?id=7", "?utm_source=x", "#top"]))
def test_scheme_www_slash_and_tracking_meet_in_the_near_key(segments: list[str], tail: str) -> None:
    path = "/".join(segments)
    plain = normalize_url(f"https://example.com/{path}{tail}", RULES)
    spelled = normalize_url(f"HTTP://www.EXAMPLE.com:80/{path}/{tail}", RULES)
    assert plain.near == spelled.near
