"""Explanations of addresses: every step has words, and the answer on a pair is that of same_page, with its reason."""

from __future__ import annotations

import json
from itertools import product

import pytest

from seenbefore.redact import mask_secrets
from seenbefore.rules import Rules, compile_rules, parse_pack
from seenbefore.urls import identify, same_page
from seenbefore.urls.explain import (
    Conflict,
    Difference,
    PairExplanation,
    PairReason,
    Step,
    UrlExplanation,
    explain_pair,
    explain_url,
)

_RULE = """
[[rule]]
id = "{id}"
kind = "{kind}"
{fields}
reason = "why {id}"
fact = "made up"
must_match = [["https://a.example/", "https://a.example/"], ["https://b.example/", "https://b.example/"]]
must_not_match = [["https://a.example/", "https://b.example/"], ["https://a.example/", "https://c.example/"]]
"""


def pack(*rules: tuple[str, str, str]) -> Rules:
    """Rules of one made-up pack; each is id, kind and its further fields."""
    text = 'pack = "mine"\nversion = 3\n' + "".join(
        _RULE.format(id=rule_id, kind=kind, fields=fields.replace("; ", "\n")) for rule_id, kind, fields in rules
    )
    return compile_rules([parse_pack("mine.toml", text)])


STORY = 'hosts = ["news.example"]; match = ["/story/{story:digits}[/{any}]", "/s?id={story:digits}"]'
RULES = pack(
    ("tracker", "drop", 'prefixes = ["trk_"]'),
    ("maybe", "drop", 'names = ["ref"]; strength = "near"'),
    ("other-host", "alias", 'hosts = ["old.news.example"]; to = "news.example"'),
    ("clicks", "unwrap", 'hosts = ["click.example"]; match = ["/?to={target}"]'),
    ("story", "identity", f'{STORY}; value = "news:{{story}}"'),
    (
        "column",
        "identity",
        'hosts = ["news.example"]; match = ["/{any}/{words:slug}"]; value = "column:{words}"; reads = "slug"',
    ),
    (
        "paper",
        "identity",
        'hosts = ["papers.example"]; match = ["/{paper:digits}v{any}"]; value = "paper:{paper}"; strength = "near"',
    ),
    ("name", "identity", 'match = ["doi:/10.{rest}"]; value = "doi:10.{rest}"'),
)

ADDRESSES = [
    "https://news.example/story/7",
    "https://www.news.example/story/7/a-title?trk_1=x",
    "http://old.news.example/s?id=7#top",
    "https://news.example/story/8",
    "https://news.example/2026/night-ferry-to-the-island",
    "https://news.example/2027/night-ferry-to-the-island",
    "https://click.example/?to=https%3A%2F%2Fnews.example%2Fstory%2F8",
    "https://papers.example/12v1",
    "https://papers.example/12v2",
    "https://papers.example/13v1",
    "https://m.blog.example/a//b/index.html?ref=x&b=2&a=1",
    "https://blog.example/a/b?a=1&b=2",
    "https://blog.example/a/b?a=1&b=3",
    "https://blog.example/A/B?a=1&b=2",
    "https://blog.example/a/b?a=1&a=2&b=2",
    "https://ann:pw@blog.example/a/b?a=1&b=2",
    "https://blog.example:8080/a/b?a=1&b=2",
    "https://blog.example/a/b?a=1&b=2#!/route",
    "https://blog.example/a/b#/?a=1",
    "https://blog.example/",
    "http://[::1]/a",
    "doi:10.1000/182",
    "doi:10.1000/183",
    "n/a",
    "",
]


def told(url: str, rules: Rules = RULES) -> UrlExplanation:
    return explain_url(identify(url, rules), rules)


def texts(url: str, rules: Rules = RULES) -> list[str]:
    return [str(step) for step in told(url, rules).steps]


def pair(a: str, b: str) -> PairExplanation:
    return explain_pair(identify(a, RULES), identify(b, RULES))


# --- one address --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "said"),
    [
        (" https://a.example/x\n", "Blanks around it and control characters went."),
        ("https://a.example/?b=1&amp;c=2", "&amp; between parameters was read as &."),
        ("a.example/x", "It had no scheme and got https."),
        ("https://a.example./x", "The dot after the host went."),
        ("https://www.a.example/x", "www. before the host went."),
        ("https://a.example/%7ex", "Percent-encoding was brought into one spelling."),
        ("https://a.example/x;jsessionid=1", "A session id in the path went."),
        ("https://a.example/x/", "The slash at the end of the path went."),
        ("https://a.example/?b=1&a=1", "The parameters were put in the order of their names."),
        ("https://a.example/x#part", "The fragment after # went: it names a place in the page."),
        ("https://a.example/x//y", "For the near key only: doubled slashes in the path became one."),
        ("https://a.example/x/index.html", "For the near key only: the file that a folder opens with went."),
        ("https://a.example/2026/a-b-c/amp", "For the near key only: the marks of an AMP page went."),
        (
            "https://m.a.example/x",
            "For the near key only: a.example stands for m.a.example, which only says how pages are shown.",
        ),
        ("HTTPS://A.example:443/./x", "It was read as browsers read it; nothing else had to be changed."),
        ("n/a", "It stands for itself: the address cannot be parsed."),
        ("ftp://a.example/x", "It stands for itself: the address is not http or https."),
    ],
)
def test_a_step_without_a_rule_is_a_sentence(url: str, said: str) -> None:
    assert texts(url) == [said]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("https://a.example/?trk_x=1", "The parameter trk_x went. By rule tracker of mine@3: why tracker"),
        (
            "https://a.example/?ref=1",
            "For the near key only: the parameter ref went. By rule maybe of mine@3: why maybe",
        ),
        (
            "https://old.news.example/x",
            "For the near key only: news.example stands for old.news.example, which shows the same pages. "
            "By rule other-host of mine@3: why other-host",
        ),
        (
            "https://click.example/?to=https://a.example/",
            "It carries another address, which was taken out. By rule clicks of mine@3: why clicks",
        ),
        (
            "https://news.example/story/7",
            "It is read as news:7, an id of the site. By rule story of mine@3: why story",
        ),
        (
            "https://news.example/x/one-two-three",
            "It is read as column:one-two-three, words of a title. By rule column of mine@3: why column",
        ),
        (
            "https://papers.example/12v1",
            "It is read as paper:12, an id of the site, which is only a hint. By rule paper of mine@3: why paper",
        ),
    ],
)
def test_a_step_by_a_rule_names_it_and_its_reason(url: str, said: str) -> None:
    assert texts(url) == [said]


def test_a_step_that_stands_twice_is_told_once() -> None:
    found = identify("https://a.example/%7ex?a=%7e", RULES)
    assert set(found.trace) == {"percent-encoding"}
    assert len(explain_url(found, RULES).steps) == 1


def test_steps_keep_their_order_and_a_text_can_carry_claims() -> None:
    first, second = texts("doi:10.1000/182")
    assert first.startswith("It stands for itself")
    assert second.startswith("It is read as doi:10.1000/182")


def test_a_claim_that_looks_like_another_step_is_a_claim() -> None:
    rules = pack(("odd", "identity", 'hosts = ["a.example"]; match = ["/{x:any}"]; value = "unwrapped:{x}"'))
    assert texts("https://a.example/7", rules) == [
        "It is read as unwrapped:7, an id of the site. By rule odd of mine@3: why odd"
    ]


def test_a_parameter_may_be_called_anything() -> None:
    rules = pack(("odd", "drop", 'prefixes = ["trk"]'))
    (step,) = told("https://a.example/?trk:%20for%20x:=1", rules).steps
    assert (step.rule_id, step.near_only) == ("odd", False)
    assert step.text.startswith("The parameter trk:")


def test_a_rule_that_is_not_known_is_named_all_the_same() -> None:
    found = identify("https://a.example/?trk_x=1", RULES)
    (step,) = explain_url(found, compile_rules([])).steps
    assert str(step) == "The parameter trk_x went. By rule tracker."
    assert step == Step("The parameter trk_x went.", "tracker")


def test_a_step_that_is_not_known_stands_as_it_is() -> None:
    found = identify("https://a.example/", RULES)._replace(trace=("folded anew", "near: folded anew"))
    assert [(step.text, step.near_only) for step in explain_url(found, RULES).steps] == [
        ("folded anew", False),
        ("near: folded anew", True),
    ]


def test_json_holds_everything_and_masks_nothing() -> None:
    url = "https://www.news.example/story/7?token=secret&ref=x#top"
    found = identify(url, RULES)
    value = json.loads(json.dumps(told(url).to_json()))
    fields = "original key near fetch host path is_home near_is_home literal".split()
    assert {name: value[name] for name in fields} == {name: getattr(found, name) for name in fields}
    assert value["trace"] == list(found.trace)
    assert value["secret_in_url"] is True
    assert value["rules_version"] == "mine@3"
    assert len(value["steps"]) == len(found.trace)
    assert next(step for step in value["steps"] if step["rule"]) == {
        "text": "For the near key only: the parameter ref went.",
        "near_only": True,
        "rule": "maybe",
        "pack": "mine",
        "pack_version": 3,
        "reason": "why maybe",
    }
    (claim,) = told("https://news.example/story/7").to_json()["claims"]  # type: ignore[misc]
    assert claim == {
        "value": "news:7",
        "strength": "strong",
        "reads": "id",
        "rule": "story",
        "pack": "mine",
        "pack_version": 3,
    }


# --- two addresses ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [
        (0, 0, PairReason.EQUAL_URL),
        (0, 1, PairReason.EQUAL_CLAIM),
        (0, 2, PairReason.EQUAL_CLAIM),
        (3, 6, PairReason.EQUAL_URL),
        (4, 5, PairReason.EQUAL_CLAIM),
        (10, 11, PairReason.EQUAL_NEAR),
        (0, 3, PairReason.OTHER_ID),
        (7, 8, PairReason.NOTHING_SHARED),
        (11, 12, PairReason.NOTHING_SHARED),
        (21, 22, PairReason.OTHER_ID),
        (0, 23, PairReason.NOTHING_SHARED),
        (0, 24, PairReason.EMPTY),
        (24, 24, PairReason.EMPTY),
    ],
)
def test_every_answer_has_its_reason(a: int, b: int, reason: PairReason) -> None:
    for found in (pair(ADDRESSES[a], ADDRESSES[b]), pair(ADDRESSES[b], ADDRESSES[a])):
        assert found.reason is reason
        assert found.why
        assert found.same == reason.value.startswith("equal")


def test_the_answer_is_that_of_same_page_and_two_pages_differ_in_something() -> None:
    for a, b in product(ADDRESSES, repeat=2):
        found = pair(a, b)
        assert found.same == same_page(a, b, RULES)
        equal = found.a.near == found.b.near if found.a.near and found.b.near else found.a.key == found.b.key
        assert bool(found.differences) == (not equal), (a, b)
        back = pair(b, a)
        assert (back.same, back.reason) == (found.same, found.reason)
        assert {(d.part, d.name, d.a, d.b) for d in back.differences} == {
            (d.part, d.name, d.b, d.a) for d in found.differences
        }


def differences(a: str, b: str) -> list[str]:
    return [str(difference) for difference in pair(a, b).differences]


def test_what_differs_is_named() -> None:
    assert differences("https://a.example/x", "https://b.example/y") == [
        "The host differs: a.example and b.example",
        "The path differs: /x and /y",
    ]
    assert differences("https://a.example/x", "https://a.example:81/X") == [
        "The host differs: a.example and a.example:81",
        "The path differs only in upper and lower case, which count: /x and /X",
    ]
    assert differences("https://a.example/?p=1&q=2&q=3&same=1", "https://a.example/?p=2&q=2&same=1&r") == [
        "The parameter p differs: ?p=1 and ?p=2",
        "The parameter q differs: ?q=2&q=3 and ?q=2",
        "Only the second has the parameter r: ?r",
    ]
    assert differences("https://a.example/#!/x?y", "https://a.example/") == ["Only the first has the route: #!/x?y"]
    assert differences("n/a", "https://a.example/") == ["The text differs: n/a and https://a.example/"]


def test_the_order_of_one_parameters_values_counts() -> None:
    assert differences("https://a.example/?a=1&a=2", "https://a.example/?a=2&a=1") == [
        "The parameter a differs: ?a=1&a=2 and ?a=2&a=1"
    ]


def test_what_was_folded_is_no_difference() -> None:
    assert pair("http://www.a.example/x/?trk_a=1&ref=2", "https://m.a.example/x#part").differences == ()


def test_a_user_is_a_difference_but_never_told() -> None:
    found = pair("https://ann:secret@a.example/", "https://a.example/")
    assert found.differences == (Difference("user", "ann:secret", ""),)
    assert found.why == ("What stands before the host as user and password differs.",)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("https://a.example/?token=secret", "https://a.example/"),
        ("https://a.example/?x=1&token=secret", "https://a.example/?x=1&token=other"),
        ("https://a.example/?token=secret&token=secret2", "https://b.example/?token=secret"),
        ("https://a.example/x;token=secret", "https://a.example/y"),
        ("https://a.example/#/x?token=secret", "https://a.example/"),
        ("https://ann:secret@a.example/", "https://bob:secret@a.example/"),
        ("ftp://ann:secret@a.example/x", "ftp://a.example/x"),
        ("ftp://a.example/x?token=secret", "n/a"),
    ],
)
def test_secrets_in_sentences_can_be_masked(a: str, b: str) -> None:
    found = pair(a, b)
    assert not found.same
    assert "secret" not in mask_secrets(" ".join(found.why))


def test_a_shared_claim_names_the_rules_of_both() -> None:
    rules = pack(
        ("one", "identity", 'hosts = ["a.example"]; match = ["/{x:digits}"]; value = "shop:{x}"'),
        ("two", "identity", 'hosts = ["b.example"]; match = ["/p/{x:digits}"]; value = "shop:{x}"'),
    )
    found = explain_pair(identify("https://a.example/7", rules), identify("https://b.example/p/7", rules))
    assert found.same
    assert [claim.value for claim in found.shared] == ["shop:7"]
    assert found.why == ("Both are shop:7, an id of the site, by rule one of mine@3 and rule two of mine@3.",)
    assert [difference.part for difference in found.differences] == ["host", "path"]


def test_equal_words_are_one_page_with_a_warning() -> None:
    found = pair(ADDRESSES[4], ADDRESSES[5])
    assert found.same
    assert found.why[-1] == "When items come in, words of a title need an equal title or text beside them."


def test_hints_decide_nothing() -> None:
    found = pair("https://papers.example/12v1", "https://papers.example/12v2")
    assert (found.same, found.shared) == (False, ())
    assert [claim.value for claim in found.hints] == ["paper:12"]
    assert found.why == (
        "The path differs: /12v1 and /12v2",
        "Both hint at paper:12, which decides nothing.",
    )


def test_ids_that_differ_are_told() -> None:
    found = pair("https://news.example/story/7/one-two-three", "https://news.example/story/8/one-two-three")
    assert found.conflicts == (Conflict("news", ("news:7",), ("news:8",)),)
    assert found.why == ("Ids of news differ: news:7 and news:8.",)


def test_ids_outrank_an_equal_slug() -> None:
    rules = pack(
        ("id", "identity", 'hosts = ["a.example"]; match = ["/{x:digits}/{w:slug}"]; value = "a:{x}"'),
        ("words", "identity", 'hosts = ["a.example"]; match = ["/{any}/{w:slug}"]; value = "w:{w}"; reads = "slug"'),
    )
    a, b = (identify(f"https://a.example/{number}/one-two-three", rules) for number in (7, 8))
    found = explain_pair(a, b)
    assert (found.same, found.reason) == (False, PairReason.OTHER_ID)
    assert found.why == ("Ids of a differ: a:7 and a:8.", "They share a key all the same; ids outrank it.")


def test_json_of_a_pair_says_why() -> None:
    value = json.loads(json.dumps(pair("https://news.example/story/7", "https://news.example/s?id=8").to_json()))
    assert value == {
        "same": False,
        "reason": "other_id",
        "why": ["Ids of news differ: news:7 and news:8."],
        "shared": [],
        "hints": [],
        "conflicts": [{"namespace": "news", "a": ["news:7"], "b": ["news:8"]}],
        "differences": [
            {"part": "path", "name": "", "a": "/story/7", "b": "/s"},
            {"part": "parameter", "name": "id", "a": "", "b": "id=8"},
        ],
    }
