"""Each folding by itself: what it takes as one, what it leaves, and that a second pass changes nothing."""

from __future__ import annotations

import pytest

from seenbefore.rules.templates import MAX_PATH
from seenbefore.urls import identify
from seenbefore.urls.clean import clean, without_controls
from seenbefore.urls.fold import (
    fold_host,
    fold_path,
    fold_percent,
    fold_query,
    fold_route,
    near_path,
    read_params,
    without_amp,
)

from .made_up_packs import GENERIC, compiled

RULES = compiled(GENERIC)


# --- text -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("example.com/", "https://example.com/"),
        ("WWW.example.com", "https://WWW.example.com"),
        ("//example.com", "https://example.com"),
        ("example.com:80/a", "https://example.com:80/a"),
        ("www.onet.pl/a", "https://www.onet.pl/a"),
        ("\u200bhttps://example.com/a\u2060", "https://example.com/a"),
        ("https://example.com/?a=1&amp;amp;b=2&#38;c=3", "https://example.com/?a=1&b=2&c=3"),
        ("https://example.com/a&amp;b?c&amp;d#e&amp;f", "https://example.com/a&amp;b?c&d#e&amp;f"),
        ("https://example.com/#a?b&amp;c", "https://example.com/#a?b&amp;c"),
        ("https://example.com/?a&#0000000038;b#c", "https://example.com/?a&b#c"),
    ],
)
def test_text_becomes_what_its_writer_meant(text: str, expected: str) -> None:
    assert clean(text, []) == expected
    assert clean(expected, []) == expected


@pytest.mark.parametrize(
    "text",
    [
        "example.com",
        "notes.md/a",
        "///example.com/a",
        "/example.com/a",
        "example/a",
        "example.c/a",
        "exa mple.com/a",
        "ann@example.com/a",
        "example.com:port/a",
        "example.com%2F/a",
        "mailto:ann@example.com",
        "HTTPS://example.com/a",
    ],
)
def test_no_scheme_is_guessed_for_other_texts(text: str) -> None:
    assert clean(text, []) == text


def test_only_blanks_at_the_ends_and_controls_go() -> None:
    assert without_controls("\u3000a\x00 \x9fb\u3000c\u200b ") == "a b\u3000c"


# --- path -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/", "/"),
        ("///", "/"),
        ("/a//b//", "/a//b"),
        ("/a.do;jsessionid=0A1B.node1", "/a.do"),
        ("/a.do;JSESSIONID=0A1B/b;sid=0123456789abcdef0;sessionid=0123456789abcdef0", "/a.do/b"),
        ("/a;PHPSESSID=abc/", "/a"),
        ("/a;v=1;sid=0123456789abcdef0;w=3", "/a;v=1;w=3"),
        ("/view;sid=101", "/view;sid=101"),
        ("/(S(abcdefghij0123456789abcd))/a", "/a"),
        ("/a/(S(ABCDEFGHIJ0123456789ABCD))/b", "/a/b"),
        ("/%28S%28abcdefghij0123456789abcd%29%29/a", "/%28S%28abcdefghij0123456789abcd%29%29/a"),
        ("/x(S(abcdefghij0123456789abcd))/a", "/x(S(abcdefghij0123456789abcd))/a"),
        ("/(S(short))/a", "/(S(short))/a"),
        ("/a;session=1", "/a;session=1"),
        ("/.;sid=0123456789abcdef0/a", "/.;sid=0123456789abcdef0/a"),
        ("/a/..;jsessionid=1/b", "/a/..;jsessionid=1/b"),
        ("/...;sid=0123456789abcdef0/a", "/.../a"),
    ],
)
def test_path(path: str, expected: str) -> None:
    assert fold_path(path, []) == expected
    assert fold_path(expected, []) == expected


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/a//b///c", "/a/b/c"),
        ("/to/https://example.com//a", "/to/https://example.com/a"),
        ("/index.html", "/"),
        ("/a/index.htm", "/a"),
        ("/a/INDEX.HTML", "/a"),
        ("/a/index.php", "/a"),
        ("/a/index.shtml", "/a"),
        ("/a/default.aspx", "/a"),
        ("/a/Default.asp", "/a"),
        ("/a/index.cgi/index.html", "/a"),
        ("/2025//index.html//index.php", "/2025"),
    ],
)
def test_near_path(path: str, expected: str) -> None:
    assert near_path(path, []) == expected
    assert near_path(expected, []) == expected


@pytest.mark.parametrize(
    "path",
    [
        "/index.xml",
        "/index.json",
        "/index.html/feed",
        "/index.html.en",
        "/myindex.html",
        "/index-2.html",
        "/index",
        "/default.css",
        "/2025/hello/amp",
        f"/{'a' * MAX_PATH}/index.html",
    ],
)
def test_near_path_keeps_what_may_be_another_page(path: str) -> None:
    assert near_path(path, []) == path


def test_every_index_of_a_long_path_goes_or_none() -> None:
    marks = "/index.html" * 100
    assert near_path(f"/2025{marks}", []) == "/2025"
    assert near_path(f"/2025{marks * 2}", []) == f"/2025{marks * 2}"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/2025/10/hello-world/amp", "/2025/10/hello-world"),
        ("/2025/10/hello-world.amp", "/2025/10/hello-world"),
        ("/2025/10/hello-world.amp.html", "/2025/10/hello-world.html"),
        ("/2025/hello/index.amp.html", "/2025/hello"),
        ("/2025/index.html/index.php/amp", "/2025"),
        ("/2025/.amp", "/2025"),
        ("/amp/news/a-b-c", "/news/a-b-c"),
        ("/amp/amp/2025", "/2025"),
        ("/%E6%9D%B1%E4%BA%AC/amp", "/%E6%9D%B1%E4%BA%AC"),
        ("/story.html/amp", "/story.html"),
        ("/2025" + "/amp" * 400, "/2025"),
    ],
)
def test_marks_of_amp_pages_go(path: str, expected: str) -> None:
    assert without_amp(path, []) == expected
    assert without_amp(expected, []) == near_path(expected, []) == expected


@pytest.mark.parametrize(
    "path",
    [
        "/amp",
        "/amp/pricing",
        "/gear/amp",
        "/guitar-amp",
        "/2025/stamp",
        "/2025/amp.html",
        "/2025/amp/comments",
        "/2025/AMP",
        "/2025/..amp",
        "/camp/2025",
        "/2025" + "/amp" * 500,
    ],
)
def test_an_amp_may_be_something_else(path: str) -> None:
    assert without_amp(path, []) == path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("%41%7a%30%2D%2e%5f%7E", "Az0-._~"),
        ("%2f%3f%26%3d%2b%25", "%2F%3F%26%3D%2B%25"),
        ("%e6%9d%B1", "%E6%9D%B1"),
        ("%a5%c6", "%A5%C6"),
        ("%", "%25"),
        ("%4", "%254"),
        ("%%34%31", "%2541"),
        ("%2541", "%2541"),
        ("%zz%00", "%25zz%00"),
    ],
)
def test_percent_encoding(text: str, expected: str) -> None:
    assert fold_percent(text, []) == expected
    assert fold_percent(expected, []) == expected


@pytest.mark.parametrize(
    ("fragment", "expected"),
    [
        ("#top", ""),
        ("#", ""),
        ("#!", ""),
        ("#/!/", ""),
        ("#:~:text=moon", ""),
        ("#!/a%2fb:~:text=moon", "#!/a%2Fb"),
        ("#/%61", "#/a"),
        ("#?page=2", ""),
    ],
)
def test_only_routes_stay(fragment: str, expected: str) -> None:
    assert fold_route(fragment, []) == expected


def test_www_goes_as_long_as_a_host_is_left() -> None:
    assert [fold_host(host, []) for host in ("www.www.a.example", "www.example", "www.", "a.example..", "")] == [
        "a.example", "www.example", "www", "", "",
    ]  # fmt: skip


# --- query ----------------------------------------------------------------------------------------


def folded(query: str, text: str = GENERIC, path: str = "/a", host: str = "shop.example") -> tuple[str, str]:
    rules = compiled(text)
    kept, near = fold_query(query, path, rules.for_host(host), rules, [])
    return "&".join(kept), "&".join(near)


@pytest.mark.parametrize(
    ("query", "key", "near"),
    [
        ("b=2&a=1", "a=1&b=2", "a=1&b=2"),
        ("b=1&a=2&b=0", "a=2&b=1&b=0", "a=2&b=1&b=0"),
        ("a-b&a=1", "a=1&a-b", "a=1&a-b"),
        ("B=1&a=1", "B=1&a=1", "B=1&a=1"),
        ("&&a&&", "a", "a"),
        ("a=&=&=b", "=&=b&a=", "=&=b&a"),
        ("a=b=c&a%3D=1", "a=b=c&a%3D=1", "a=b=c&a%3D=1"),
        ("q=a+b%2b", "q=a%20b%2B", "q=a%20b%2B"),
        ("utm_a=1&Utm_B&xutm_c=1&utm=1", "utm=1&xutm_c=1", "utm=1&xutm_c=1"),
        ("ref=rss&id=1", "id=1&ref=rss", "id=1"),
        ("ref=Weekly-News.com&ref=v2", "ref=Weekly-News.com&ref=v2", "ref=v2"),
        ("source=/news&sid=12", "sid=12&source=/news", "sid=12&source=/news"),
        ("sid=0123456789ABCDEF0123456789abcdef", "", ""),
    ],
)
def test_query(query: str, key: str, near: str) -> None:
    assert folded(query) == (key, near)
    assert folded(key) == (key, near)
    assert folded(near) == (near, near)


LIMITED = """
[[rule]]
id = "shop-list"
kind = "drop"
hosts = ["shop.example", "*.mall.example"]
names = ["list"]
match = ["/item/{digits}", "/"]

[[rule]]
id = "shop-share"
kind = "drop"
names = ["by"]
beside = ["share", "nb"]

[[rule]]
id = "shop-tab"
kind = "drop"
hosts = ["shop.example"]
names = ["tab"]
values = ["", "all"]
value_types = ["digits"]
"""


@pytest.mark.parametrize(
    ("query", "path", "host", "key"),
    [
        ("list=1", "/item/7", "shop.example", ""),
        ("list=1", "/", "shop.example", ""),
        ("list=1", "/", "a.b.mall.example", ""),
        ("list=1", "/item/x", "shop.example", "list=1"),
        ("list=1", "/item/7", "mall.example", "list=1"),
        ("list=1", "/item/7", "my.shop.example", "list=1"),
        ("list=1", "/item/7", "notshop.example", "list=1"),
        ("by=ann&share=1&NB=1", "/", "any.example", "NB=1&share=1"),
        ("by=ann&share=1", "/", "any.example", "by=ann&share=1"),
        ("tab=ALL&tab=12&tab=&tab", "/", "shop.example", ""),
        ("tab=reviews", "/", "shop.example", "tab=reviews"),
        ("tab=all", "/", "any.example", "tab=all"),
    ],
)
def test_a_drop_can_be_limited(query: str, path: str, host: str, key: str) -> None:
    assert folded(query, LIMITED, path, host) == (key, key)


def test_a_limited_drop_looks_at_the_path_of_the_near_key() -> None:
    rules = compiled(LIMITED)
    amp = identify("https://shop.example/item/2025/amp?list=1&utm_source=x", rules)
    assert amp.key == "https://shop.example/item/2025/amp?list=1&utm_source=x"
    assert amp.near == "shop.example/item/2025?utm_source=x"
    found = identify("https://shop.example//item//7/index.html?list=1", rules)
    assert found.key == "https://shop.example//item//7/index.html"
    assert found.near == "shop.example/item/7"


def test_what_one_rule_doubts_another_may_drop() -> None:
    text = (
        GENERIC
        + """
[[rule]]
id = "a-first"
kind = "drop"
hosts = ["shop.example"]
names = ["pp"]
strength = "near"

[[rule]]
id = "b-second"
kind = "drop"
names = ["pp"]
value_types = ["hex"]
"""
    )
    assert folded("pp=0123abcd", text) == ("", "")
    assert folded("pp=1", text) == ("pp=1", "")


def test_company_that_goes_itself_counts_for_both_keys_or_none() -> None:
    text = (
        GENERIC
        + """
[[rule]]
id = "shop-pos"
kind = "drop"
names = ["pos"]
beside = ["fbclid"]
strength = "near"
"""
    )
    rules = compiled(text)
    found = identify("https://shop.example/a?pos=1&fbclid=2", rules)
    assert identify(found.key, rules).near == found.near


def test_params_that_stand_twice_have_no_value() -> None:
    assert read_params(["a=1", "B=2=3", "c", "A=4"]) == {"a": None, "b": "2=3", "c": ""}
