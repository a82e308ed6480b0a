"""Redirects as lines of a server's configuration, and as JSON."""

from __future__ import annotations

import json
import re
from urllib.parse import unquote_to_bytes

import pytest

from seenbefore.errors import InvalidInput
from seenbefore.exports.redirects import REDIRECT_FORMATS, Redirect, render_redirects

MOVED, GONE = Redirect("/articles/1", "/articles/2"), Redirect("/articles/3", None)
ODD = Redirect("/articles/caf%C3%A9%20%22a.b%22", "/articles/a%20b%25")


def lines(form: str, *redirects: Redirect) -> list[str]:
    text = b"".join(render_redirects(form, redirects)).decode("ascii")
    assert text.endswith("\n")
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_nginx_compares_the_whole_path() -> None:
    assert lines("nginx", MOVED, GONE) == [
        "location = /articles/1 { return 301 /articles/2; }",
        "location = /articles/3 { return 410; }",
    ]


def test_nginx_compares_with_the_decoded_path() -> None:
    (line,) = lines("nginx", ODD)
    pattern, target = re.fullmatch(r"location ~ (\S+) \{ return 301 (\S+); \} # (\S+)", line).group(1, 2)
    assert target == "/articles/a%20b%25"
    compiled = re.compile(pattern.replace(r"\z", r"\Z").encode())
    assert compiled.match(unquote_to_bytes(ODD.path))
    assert not compiled.match(unquote_to_bytes(ODD.path).replace(b".", b"x"))
    assert not compiled.match(unquote_to_bytes(ODD.path) + b"\n")


def test_apache_compares_the_whole_path_and_leaves_the_target_as_it_is() -> None:
    assert lines("apache", MOVED, GONE) == [
        "RewriteEngine On",
        r'RewriteRule "^/?articles/1\z" "/articles/2" [R=301,L,NE]',
        r'RewriteRule "^/?articles/3\z" "-" [G]',
    ]
    line = lines("apache", ODD)[1]
    pattern, target = re.fullmatch(r'RewriteRule "(\S+)" "(\S+)" \[R=301,L,NE\]', line).groups()
    assert target == r"/articles/a\%20b\%25"
    assert re.fullmatch(pattern.replace(r"\z", r"\Z").encode(), unquote_to_bytes(ODD.path))


def test_json_is_a_list() -> None:
    assert json.loads("\n".join(lines("json", MOVED, GONE, ODD))) == [
        {"from": "/articles/1", "to": "/articles/2", "status": 301},
        {"from": "/articles/3", "to": None, "status": 410},
        {"from": ODD.path, "to": ODD.to, "status": 301},
    ]
    assert lines("json") == ["[]"]


@pytest.mark.parametrize("form", REDIRECT_FORMATS)
@pytest.mark.parametrize("redirect", [Redirect("/a;b", None), Redirect("/a", "/b}"), Redirect("/a\nb", "/c")])
def test_the_last_look_refuses_what_could_end_a_line(form: str, redirect: Redirect) -> None:
    with pytest.raises(InvalidInput):
        lines(form, redirect)
