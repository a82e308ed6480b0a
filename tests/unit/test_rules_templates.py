"""Templates of addresses: what each placeholder takes, what is refused, and that no path makes one slow."""

from __future__ import annotations

import re

import pytest

from seenbefore.rules.templates import MAX_PATH, TYPES, Template, compile_template, template_host


def read(
    template: str, path: str, host: str = "a.example", query: str = "", **params: str | None
) -> dict[str, str] | None:
    return compile_template(template).read(host, path, params, query)


@pytest.mark.parametrize(
    ("hole", "fits", "fails"),
    [
        ("{x:digits}", ["0", "00123"], ["", "1a", "١", "-1", "1.0"]),
        ("{x:digits:4}", ["2024"], ["123", "12345"]),
        ("{x:digits:2-4}", ["12", "123", "1234"], ["1", "12345"]),
        ("{x:hex}", ["09afAF"], ["g", ""]),
        ("{x:hex:8}", ["0123abcd"], ["0123abc", "0123abcg"]),
        ("{x:word}", ["aZ09"], ["a-b", "a_b", "é"]),
        ("{x:id}", ["dQw4w9WgXcQ", "-_-"], ["a.b", "a~b", "%41"]),
        ("{x:id:11}", ["dQw4w9WgXcQ"], ["dQw4w9WgXc", "dQw4w9WgXcQQ"]),
        ("{x:any}", ["a.b~c", "%E6%9D%B1", "-"], ["", "a/b"]),
        ("{x:any:2}", ["é%"], ["a", "abc"]),
        ("{x:year}", ["1999", "2026"], ["1899", "2100", "99", "20260"]),
        ("{x:month}", ["1", "01", "12"], ["0", "00", "13", "012"]),
        ("{x:day}", ["1", "09", "31"], ["0", "32", "031"]),
        ("{x:lang}", ["en", "pt-br", "zh_CN", "zh-Hant"], ["e", "eng", "EN", "en-", "en-u"]),
        (
            "{x:slug}",
            ["a-b-c", "moon_base_opens", "1-2-c", "a--b-c-"],
            ["a-b", "abc", "1-2-3", "2024-10-02", "-a-b-c", ""],
        ),
        ("{x:slug:4}", ["a-b-c-d", "a-b-c-d-e"], ["a-b-c"]),
        ("{x:slug}", ["%E6%9D%B1" * 6], ["%E6%9D%B1" * 5]),
        ("{x:rest}", ["a", "a/b/c", "/"], [""]),
    ],
)
def test_what_a_placeholder_takes(hole: str, fits: list[str], fails: list[str]) -> None:
    assert [read(f"/p/{hole}", f"/p/{text}") for text in fits] == [{"x": text} for text in fits]
    assert [read(f"/p/{hole}", f"/p/{text}") for text in fails] == [None] * len(fails)


def test_every_type_can_be_used() -> None:
    for kind in TYPES:
        assert compile_template(f"/p/{{x:{kind}}}").names == {"x"}
        assert compile_template(f"/p/{{{kind}}}").names == (set() if kind == "any" else {kind})


@pytest.mark.parametrize(
    ("template", "path", "found"),
    [
        ("/", "/", {}),
        ("/a/b/", "/a/b", {}),
        ("/a.b+c(d)", "/a.b+c(d)", {}),
        ("/{any}/{any}/{x:digits}", "/a/b/7", {"x": "7"}),
        ("/{any}-{x:digits}", "/moon-base-7", {"x": "7"}),
        ("/{any}-{x:hex:12}", "/a-0123456789ab-0123456789ab", {"x": "0123456789ab"}),
        ("/{x:digits}-{slug}", "/7-a-b-c", {"x": "7", "slug": "a-b-c"}),
        ("/{slug}-{x:digits}.html", "/a-b-c-7.html", {"slug": "a-b-c", "x": "7"}),
        (
            "/{year}/{month}/{day}/{slug}",
            "/2024/5/01/a-b-c",
            {"year": "2024", "month": "5", "day": "01", "slug": "a-b-c"},
        ),
        ("/{year}{month}{x:digits:2}", "/20241207", {"year": "2024", "month": "12", "x": "07"}),
        ("/q/{x:digits}[/{any}]", "/q/7", {"x": "7"}),
        ("/q/{x:digits}[/{any}]", "/q/7/title", {"x": "7"}),
        ("/[{lang}/]q/{x:digits}", "/q/7", {"lang": "", "x": "7"}),
        ("/[{lang}/]q/{x:digits}", "/de/q/7", {"lang": "de", "x": "7"}),
        ("/q[/{kind:word}][/{x:digits}]", "/q", {"kind": "", "x": ""}),
        ("/to/{rest}", "/to/a/b?c", {"rest": "a/b?c"}),
        ("/to/{rest}", f"/to/{'a' * (MAX_PATH - 4)}", {"rest": "a" * (MAX_PATH - 4)}),
        ("/to/{target}", "/to/https://a.example/b", {"target": "https://a.example/b"}),
        ("/to/{target}/end", "/to/a/end", {"target": "a"}),
    ],
)
def test_a_path_fits(template: str, path: str, found: dict[str, str]) -> None:
    assert read(template, path) == found


@pytest.mark.parametrize(
    ("template", "path"),
    [
        ("/a", "/A"),
        ("/a", "/a/b"),
        ("/a", "/b/a"),
        ("/a.b", "/axb"),
        ("/q/{x:digits}[/{any}]", "/q/7/a/b"),
        ("/q/{x:digits}[/{any}]", "/q/7/"),
        ("/{any}/{x:digits}", "/a/b/7"),
        ("/to/{target}/end", "/to/a/b/end"),
        ("/to/{rest}", f"/to/{'a' * (MAX_PATH - 3)}"),
    ],
)
def test_a_path_does_not_fit(template: str, path: str) -> None:
    assert read(template, path) is None


# --- hosts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("template", "host", "found"),
    [
        ("yt.example/{x:id}", "yt.example", {"x": "7"}),
        ("yt.example/{x:id}", "m.yt.example", None),
        ("{user:label}.yt.example/{x:id}", "ann.yt.example", {"user": "ann", "x": "7"}),
        ("{user:label}.yt.example/{x:id}", "yt.example", None),
        ("{user:label}.yt.example/{x:id}", "a.b.yt.example", None),
        ("{user:label}.yt.example/{x:id}", "ann.yt.example.org", None),
        ("{any}.yt.example/{x:id}", "ann.yt.example", {"x": "7"}),
        ("{lang}.yt.example/{x:id}", "de.yt.example", {"lang": "de", "x": "7"}),
        ("doi:/{x:id}", "doi:", {"x": "7"}),
    ],
)
def test_a_template_may_name_its_host(template: str, host: str, found: object) -> None:
    assert read(template, "/7", host) == found


def test_the_host_a_template_is_looked_up_by() -> None:
    texts = ["yt.example/{x:id}", "{user:label}.yt.example/", "/p", "doi:/10.{x:digits}", "leave.example/?{target}"]
    assert [template_host(text) for text in texts] == ["yt.example", "*.yt.example", "", "doi:", "leave.example"]


@pytest.mark.parametrize(
    ("template", "first"),
    [
        ("/", ""),
        ("/watch", "watch"),
        ("/a/b", "a"),
        ("a.example/b", "b"),
        ("/q[/{any}]", "q"),
        ("/q[-{any}]", ""),
        ("/q{x:digits}", ""),
        ("/{any}/b", ""),
        ("/[a/]b", ""),
    ],
)
def test_the_first_part_by_which_a_template_is_found(template: str, first: str) -> None:
    assert compile_template(template).first == first


# --- queries --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("params", "found"),
    [
        ({"id": "7", "kind": "news"}, {"x": "7"}),
        ({"kind": "news", "id": "7", "more": "1"}, {"x": "7"}),
        ({"id": "7"}, None),
        ({"id": "7", "kind": "News"}, None),
        ({"id": "7", "kind": None}, None),
        ({"id": "", "kind": "news"}, None),
        ({"id": "7/8", "kind": "news"}, None),
    ],
)
def test_named_parameters(params: dict[str, str | None], found: object) -> None:
    assert read("/item?id={x:digits}&kind=news", "/item", **params) == found


@pytest.mark.parametrize(
    ("template", "params", "found"),
    [
        ("/p?u={target}", {"u": "https://a.example/b?c"}, {"target": "https://a.example/b?c"}),
        ("/p?u=a1{target}", {"u": "a1xyz"}, {"target": "xyz"}),
        ("/p?u=a1{target}", {"u": "xyz"}, None),
        ("/p?title={x:rest}", {"title": "a/b"}, {"x": "a/b"}),
        ("/p?print=", {"print": ""}, {}),
        ("/p?print=", {"print": "1"}, None),
    ],
)
def test_values_of_parameters(template: str, params: dict[str, str | None], found: object) -> None:
    assert read(template, "/p", **params) == found


def test_the_whole_query_may_be_the_target() -> None:
    assert read("/?{target}", "/", query="https://a.example/?b=1&c=2") == {"target": "https://a.example/?b=1&c=2"}
    assert read("/?{target}", "/", query="") is None
    assert read("/?{x:digits}", "/", query="7&a=1") is None


# --- what is refused ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("template", "problem"),
    [
        ("", "needs a path"),
        ("watch", "needs a path"),
        ("a.example?v={x:id}", "needs a path"),
        ("A.example/a", "must be in lower case"),
        ("a.{x:label}.example/a", "must be in lower case"),
        ("{x:digits}.example/a", "must be a label"),
        ("{x:slug}.a.example/", "must be a label"),
        ("/{x:number}", "the type must be one of"),
        ("/{X}", "is not part of a placeholder"),
        ("/{}", "is not part of a placeholder"),
        ("/{x:digits", "is not part of a placeholder"),
        ("/x}", "is not part of a placeholder"),
        ("/a b", "is not part of a placeholder"),
        ("/a#b", "is not part of a placeholder"),
        ("/{x:year:4}", "takes no length"),
        ("/{rest:3}", "takes no length"),
        ("/{x:digits:0}", "out of bounds"),
        ("/{x:digits:4-3}", "out of bounds"),
        ("/{x:digits:501}", "out of bounds"),
        ("/{x:slug:1}", "out of bounds"),
        ("/{x:digits}/{x:digits}", "stands twice"),
        ("{x:label}.a.example/{x:digits}", "stands twice"),
        ("/p?a={x:digits}&b={x:digits}", "stands twice"),
        ("/{rest}/a", "must be the last part"),
        ("/{rest}[/a]", "must be the last part"),
        ("/a[b", "must be a pair"),
        ("/a[]", "must be a pair"),
        ("/a[b[c]]", "must be a pair"),
        ("/a]b", "']' without '['"),
        ("[/{lang}]/a", "must be in lower case"),
        ("/p?v", "must be name=value"),
        ("/p?=1", "must be name=value"),
        ("/p?V={x:id}", "must be name=value"),
        ("/p?{x:digits}&a=1", "must be name=value"),
        ("/p?a=1&&b=2", "must be name=value"),
        ("/{any}-{any}", "not clear where one placeholder ends"),
        ("/{any}{x:digits}", "not clear where one placeholder ends"),
        ("/{x:digits}{any}", "not clear where one placeholder ends"),
        ("/{x:digits}{y:digits}", "not clear where one placeholder ends"),
        ("/{x:digits}{y:digits:4}", "not clear where one placeholder ends"),
        ("/{slug}.{any}", "not clear where one placeholder ends"),
        ("/{slug}-{any}", "not clear where one placeholder ends"),
        ("/{x:id}_{y:id}", "not clear where one placeholder ends"),
        ("/p?a={any}.{x:any}", "not clear where one placeholder ends"),
    ],
)
def test_what_is_no_template_is_refused(template: str, problem: str) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)):
        compile_template(template)


@pytest.mark.parametrize(
    "template",
    [
        "/{x:digits}-{y:id}",
        "/{x:word}-{y:word}",
        "/{x:digits:4}{y:digits:2}",
        "/{x:digits:4}{y:digits}",
        "/{a:any}/{b:any}",
    ],
)
def test_what_is_clear_is_accepted(template: str) -> None:
    assert isinstance(compile_template(template), Template)


@pytest.mark.parametrize("template", ["/{any}[-{any}]", "/[{a:digits}]{b:digits}", "/{x:any}[{y:any}]"])
def test_what_is_not_clear_around_an_optional_part_is_refused(template: str) -> None:
    with pytest.raises(ValueError, match="not clear"):
        compile_template(template)


@pytest.mark.parametrize("piece", ["a-", "-", "a", "/", "%41", "%E6", "_", "1", "1-", "a--", "a/"])
@pytest.mark.parametrize(
    "template",
    [
        "/{year}/{month}/{slug}",
        "/{slug}-{x:digits}",
        "/{x:digits}-{slug}.html",
        "/{any}/{any}/{any}",
        "/{any}-{x:hex:12}",
        "/{slug}[/{any}]",
    ],
)
def test_hostile_paths_are_answered(template: str, piece: str) -> None:
    for start in ("/", "/2024/05/", "/7-"):
        for end in ("/x/y/z/w", "-7.htm/x/y/z"):
            path = f"{start}{piece * MAX_PATH}"[: MAX_PATH - len(end)] + end
            assert read(template, path) is None
