"""Host names: labels that only say how pages are shown go from the near key, sites stay apart."""

from __future__ import annotations

import pytest

from seenbefore.urls import identify
from seenbefore.urls.host import plan_host

from .made_up_packs import compiled

RULES = compiled("""
[[rule]]
id = "talk-copies"
kind = "alias"
hosts = ["old.talk.example", "*.mirror.example"]
to = "talk.example"

[[rule]]
id = "talk-thread"
kind = "identity"
hosts = ["talk.example"]
match = ["/t/{thread:digits}", "tlk.example/{thread:digits}"]
value = "talk:{thread}"

[[rule]]
id = "talk-tab"
kind = "drop"
hosts = ["talk.example"]
names = ["tab"]

[[rule]]
id = "chain-one"
kind = "alias"
hosts = ["one.example"]
to = "two.example"

[[rule]]
id = "chain-two"
kind = "alias"
hosts = ["two.example"]
to = "three.example"

[[rule]]
id = "blog-users"
kind = "users"
hosts = ["*.blogs.example"]
""")


@pytest.mark.parametrize(
    ("host", "near"),
    [
        ("www.example.com", "example.com"),
        ("www2.example.com", "example.com"),
        ("www10.example.com", "example.com"),
        ("m.example.com", "example.com"),
        ("mobile.example.com", "example.com"),
        ("amp.example.com", "example.com"),
        ("sp.example.co.jp", "example.co.jp"),
        ("wap.example.cn", "example.cn"),
        ("www.m.example.com", "example.com"),
        ("m.amp.m.example.com", "example.com"),
        ("m.blog.example.com", "blog.example.com"),
        ("en.m.example.org", "en.example.org"),
        ("pt-br.m.example.org", "pt-br.example.org"),
        ("zh.mobile.example.org", "zh.example.org"),
        ("m.en.m.example.org", "en.example.org"),
        ("m.city.osaka.jp", "city.osaka.jp"),
        ("m.example.com.", "example.com"),
        ("m.xn--wgv71a119e.jp", "xn--wgv71a119e.jp"),
        ("m.m.com", "m.com"),
    ],
)
def test_labels_that_say_how_a_page_is_shown(host: str, near: str) -> None:
    assert plan_host(host, RULES).near == near
    assert plan_host(near, RULES).near == near


@pytest.mark.parametrize(
    "host",
    [
        "example.com",
        "blog.example.com",
        "news.example.com",
        "m-x.example.com",
        "t-mobile.example.com",
        "team-m.example.com",
        "xm.example.com",
        "wwwx.example.com",
        "amp1.example.com",
        "mobile.example",
        "m.com",
        "mobile.de",
        "amp.dev",
        "m.co.jp",
        "sp.edu.sg",
        "amp.com.au",
        "en.m.com",
        "blog.m.example",
        "blog.en.m.example.org",
        "images.m.example.org",
        "127.0.0.1",
        "[2001:db8::1]",
        "localhost",
    ],
)
def test_other_labels_are_names(host: str) -> None:
    plan = plan_host(host, RULES)
    assert (plan.host, plan.near, plan.steps) == (host, host, ())


@pytest.mark.parametrize(
    ("host", "near"),
    [
        ("mobile.blogs.example", "mobile.blogs.example"),
        ("www.m.blogs.example", "m.blogs.example"),
        ("en.m.blogs.example", "en.m.blogs.example"),
        ("m.blogs.example.com", "blogs.example.com"),
        ("m.xblogs.example", "xblogs.example"),
        ("sp.senac.br", "sp.senac.br"),
        ("m.senac.br", "senac.br"),
        ("sp.news.example", "sp.news.example"),
        ("sp.news.example.jp", "news.example.jp"),
        ("dev.mobile.example.com", "dev.mobile.example.com"),
    ],
)
def test_a_label_may_be_the_name_of_a_user_or_a_state(host: str, near: str) -> None:
    assert plan_host(host, RULES).near == near


def test_www_alone_goes_from_the_url_key() -> None:
    assert [plan_host(host, RULES).host for host in ("www.m.example.com", "www2.example.com", "amp.example.com")] == [
        "m.example.com", "www2.example.com", "amp.example.com",
    ]  # fmt: skip


def test_no_host_is_left() -> None:
    assert plan_host(".", RULES).host == plan_host("example.com..", RULES).host == ""


@pytest.mark.parametrize(
    ("url", "near"),
    [
        ("https://old.talk.example/t/7?tab=new", "talk.example/t/7"),
        ("https://www.old.talk.example/t/7", "talk.example/t/7"),
        ("https://m.old.talk.example/t/7", "talk.example/t/7"),
        ("https://a.b.mirror.example/t/7", "talk.example/t/7"),
        ("https://one.example/a", "three.example/a"),
        ("https://two.example:81/a", "three.example:81/a"),
    ],
)
def test_an_alias_lends_its_rules_and_its_name(url: str, near: str) -> None:
    found = identify(url, RULES)
    assert found.near == near
    assert [claim.value for claim in found.claims] == (["talk:7"] if "talk" in near else [])
    assert identify(f"https://{near}", RULES).near == near


@pytest.mark.parametrize(
    "url",
    [
        "https://mirror.example/t/7",
        "https://new.talk.example/t/7",
        "https://xold.talk.example/t/7",
        "https://tlk.example/t/7",
    ],
)
def test_other_hosts_are_no_alias(url: str) -> None:
    found = identify(url, RULES)
    assert found.near == url.removeprefix("https://")
    assert found.claims == ()


def test_an_alias_leaves_the_url_key_on_its_own_host() -> None:
    assert identify("https://old.talk.example/t/7?tab=new", RULES).key == "https://old.talk.example/t/7"


def test_steps_name_label_and_rule() -> None:
    assert plan_host("www.m.old.talk.example", RULES).steps == (
        "www",
        "near: old.talk.example for m.old.talk.example",
        "near: talk.example for old.talk.example: talk-copies",
    )


def test_aliases_that_lead_in_a_circle_end() -> None:
    circle = compiled("""
[[rule]]
id = "there"
kind = "alias"
hosts = ["a.example"]
to = "b.example"

[[rule]]
id = "back"
kind = "alias"
hosts = ["b.example"]
to = "a.example"
""")
    assert plan_host("a.example", circle).near in ("a.example", "b.example")


def test_a_host_is_looked_at_once_and_few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seenbefore.urls.host._REMEMBERED", 3)
    rules = compiled("")
    assert plan_host("m.example.com", rules) is plan_host("m.example.com", rules)
    plans = [plan_host(f"m.example{n}.com", rules) for n in range(10)]
    assert [plan.near for plan in plans] == [f"example{n}.com" for n in range(10)]
    assert len(rules.memory) <= 3


def test_very_long_hosts_keep_their_labels() -> None:
    host = f"{'m.' * 200}example.com"
    assert plan_host(host, RULES).near == host
    assert plan_host(host[-253:], RULES).near == "example.com"
