"""Templates of the user's own addresses: what they may look like, and what comes of values."""

from __future__ import annotations

import pytest

from seenbefore.errors import InvalidInput
from seenbefore.exports.templates import checked_address, parse_template, web_address


@pytest.mark.parametrize(
    ("value", "encoded"),
    [
        ("4711", "4711"),
        ("a-b_c.d~e", "a-b_c.d~e"),
        ("a b", "a%20b"),
        ("a/b", "a%2Fb"),
        ("50%", "50%25"),
        ("a%20b", "a%2520b"),
        ("橋", "%E6%A9%8B"),
        ("\"';${}\\`\n\0", "%22%27%3B%24%7B%7D%5C%60%0A%00"),
        ("?x=1#y", "%3Fx%3D1%23y"),
        ("\ud800", "%ED%A0%80"),
    ],
)
def test_values_are_percent_encoded(value: str, encoded: str) -> None:
    template = parse_template("/a/{external_id}.html", "from")
    assert template.fill(value, "r1") == f"/a/{encoded}.html"


def test_both_placeholders_may_stand_anywhere() -> None:
    template = parse_template("https://me.example/{record_id}?id={external_id}&again={record_id}", "to", web=True)
    assert template.needs_external_id
    assert template.fill("7", "r1") == "https://me.example/r1?id=7&again=r1"
    assert not parse_template("/{record_id}", "from").needs_external_id


@pytest.mark.parametrize("value", [None, "", ".", ".."])
def test_some_ids_make_no_address(value: str | None) -> None:
    assert parse_template("/a/{external_id}", "from").fill(value, "r1") is None
    assert parse_template("/a/{external_id}/x", "from").fill(value, "r1") is None


def test_dots_beside_something_else_are_harmless() -> None:
    assert parse_template("/a-{external_id}", "from").fill("..", "r1") == "/a-.."


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("/articles", "needs a placeholder"),
        ("", "needs a placeholder"),
        ("/{title}", "no placeholder {title}"),
        ("/{}", "no placeholder {}"),
        ("/{external_id}}", "belongs to no placeholder"),
        ("/{{external_id}", "belongs to no placeholder"),
        ("articles/{external_id}", "must look like"),
        ("//evil.example/{external_id}", "must look like"),
        ("https://me.example/{external_id}", "must look like"),
        ("{external_id}", "must look like"),
        ("/a b/{external_id}", "holds ' '"),
        ("/a;/{external_id}", "holds ';'"),
        ("/$uri/{external_id}", "holds '$'"),
        ('/a"/{external_id}', "holds '\"'"),
        ("/a'/{external_id}", 'holds "\'"'),
        ("/a`/{external_id}", "holds '`'"),
        ("/a\\/{external_id}", "holds '\\\\'"),
        ("/a\n/{external_id}", "holds '\\n'"),
        ("/a\u00a0/{external_id}", "holds '\\xa0'"),
        ("/a\x85/{external_id}", "holds '\\x85'"),
        ("/100%/{external_id}", "%25"),
        ("/a?id={external_id}", "--format json"),
        ("/a#{external_id}", "--format json"),
    ],
)
def test_what_no_server_may_get_is_refused(text: str, problem: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_template(text, "from", query=False)
    assert problem in str(caught.value)
    assert str(caught.value).startswith("from: ")


@pytest.mark.parametrize(
    "text",
    [
        "https://{external_id}.example/",
        "https://me.example{external_id}",
        "ftp://me.example/{external_id}",
        "https:///{external_id}",
        "https://a:b@me.example/{external_id}",
        "https://me example/{external_id}",
        "javascript:x/{external_id}",
    ],
)
def test_a_web_address_needs_a_host_of_its_own(text: str) -> None:
    with pytest.raises(InvalidInput):
        parse_template(text, "to", web=True)


def test_fixed_parts_are_encoded_as_browsers_do() -> None:
    template = parse_template("https://Bücher.example/カ%E3%83%95/<{record_id}>", "to", web=True)
    assert template.fill(None, "r1") == "https://xn--bcher-kva.example/%E3%82%AB%E3%83%95/%3Cr1%3E"


@pytest.mark.parametrize("character", [*"\"'`;${}\\ \t\n\r\0\x7f\x85", "\u2028", "\u3000"])
def test_the_last_check_refuses_what_could_end_a_line(character: str) -> None:
    with pytest.raises(InvalidInput):
        checked_address(f"/a{character}b", "from")


@pytest.mark.parametrize("text", ["", "me.example", "/feed.xml", "ftp://me.example/", "https://ann:pw@me.example/f"])
def test_an_own_address_is_absolute_and_public(text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        web_address(text, "url")
    assert "pw" not in str(caught.value)
