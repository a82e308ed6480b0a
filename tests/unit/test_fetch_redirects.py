"""Redirects: each hop is parsed, resolved and checked anew, and kept as evidence."""

from __future__ import annotations

import gzip
import time
from collections.abc import Iterator

import pytest

from seenbefore.fetch.base import FetchKind, Hop

from .fetch_world import (
    OTHER,
    PRIVATE,
    PUBLIC,
    World,
    a_world,
    drip,
    make_certificate,
    move,
    quick,
    reply,
    row,
    speak_tls,
)

URL = "http://a.example/"


@pytest.fixture
def world() -> Iterator[World]:
    yield from a_world()


@row("redirect-001", "refuse")
@row("redirect-002", "refuse")
@row("redirect-003", "refuse")
@row("redirect-004", "refuse")
@row("redirect-005", "refuse")
@row("redirect-006", "refuse")
@row("redirect-007", "refuse")
@row("redirect-008", "refuse")
@row("redirect-010", "refuse")
@row("redirect-011", "refuse")
@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary Redirect"])
@pytest.mark.parametrize(
    ("location", "code"),
    [
        ("http://127.0.0.1/", "address"),
        ("http://169.254.169.254/latest/meta-data/", "address"),
        ("http://[::ffff:127.0.0.1]/", "address"),
        ("http://2130706433/", "host"),
        ("file:///etc/passwd", "scheme"),
        ("gopher://127.0.0.1:6379/_x", "scheme"),
        ("//127.0.0.1/", "address"),
        ("http://inside.example/", "address"),
        ("http://me:swordfish@b.example/", "credentials"),
        ("http://b.example:6379", "port"),
        ("http:127.0.0.1", "scheme"),
        ("/\\127.0.0.1/", "url"),
    ],
)
def test_a_hop_that_is_refused(world: World, location: str, code: str, status: str) -> None:
    world.pages["a.example/"] = move(location, status)
    error = world.fails(URL)
    assert (type(error).__name__, error.code) == ("Refused", code)
    assert error.hops[0][:2] == (URL, int(status[:3]))
    assert "swordfish" not in str(error)
    assert (world.connected, world.accepted) == ([PUBLIC], 1)


@row("redirect-009", "allow, noted")
def test_a_downgrade_is_noted(world: World, tmp_path_factory: pytest.TempPathFactory) -> None:
    certificate = make_certificate(tmp_path_factory.mktemp("tls"), "a.example")
    with World(names=world.names, tls=speak_tls(certificate)) as secure:
        secure.pages["a.example/"] = move("http://a.example/plain")
        fetcher = secure.fetcher(
            quick(verify=str(certificate)),
            connector=lambda address, port, s: (secure if port == 443 else world).connect(address, port, s),
        )
        answer = fetcher.fetch("https://a.example/", FetchKind.PAGE)
    assert answer.notes == ("downgrade",)
    assert answer.hops == (Hop("https://a.example/", 302, "http://a.example/plain"),)


@row("redirect-012", "error:redirect-loop")
def test_a_circle(world: World) -> None:
    world.pages |= {"a.example/": move("/b"), "a.example/b": move("/", "301 Moved")}
    assert world.verdict(URL) == "error:redirect-loop"
    assert world.accepted == 2


@row("redirect-013", "error:too-many-redirects")
def test_a_long_chain(world: World) -> None:
    world.pages |= {f"a.example/{n or ''}": move(f"/{n + 1}") for n in range(21)}
    error = world.fails(URL)
    assert error.code == "too-many-redirects"
    assert len(error.hops) == 9
    assert error.hops[1] == ("http://a.example/1", 302, "http://a.example/2")


@row("redirect-014", "error:bad-redirect")
@pytest.mark.parametrize("answer", [b"HTTP/1.1 301 Moved\r\nContent-Length: 0\r\n\r\n", move(" ")])
def test_a_redirect_to_nowhere(world: World, answer: bytes) -> None:
    world.pages["a.example/"] = answer
    assert world.verdict(URL) == "error:bad-redirect"


@row("redirect-015", "refuse")
@pytest.mark.parametrize("location", [b"/a\rX-Injected: 1", b"http://b.example/\r\n X: 1", b"/a\x00b"])
def test_a_line_break_in_a_place(world: World, location: bytes) -> None:
    world.pages["a.example/"] = move(location)
    error = world.fails(URL)
    assert error.code in ("header", "url", "protocol", "bad-redirect")
    assert all(b"x-injected" not in head.lower() for head in world.asked)
    assert world.accepted == 1


@row("redirect-016", "refuse")
@pytest.mark.parametrize(("size", "code"), [(100_000, "headers-too-large"), (20_000, "url")])
def test_an_endless_place(world: World, size: int, code: str) -> None:
    world.pages["a.example/"] = move("/" + "a" * size)
    assert world.verdict(URL) == f"refuse:{code}"


@row("redirect-017", "no crash")
def test_a_place_in_another_charset(world: World) -> None:
    world.pages |= {"a.example/": move(b"/caf\xe9"), "a.example/caf%E9": reply(b"<p>coffee")}
    assert world.fetch(URL).body == b"<p>coffee"


@row("redirect-018", "error:status")
@pytest.mark.parametrize("status", ["300 Multiple Choices", "304 Not Modified", "305 Use Proxy", "306 Unused"])
def test_what_is_no_redirect(world: World, status: str) -> None:
    world.pages["a.example/"] = move("/b", status)
    error = world.fails(URL)
    assert (error.code, error.status) == ("status", int(status[:3]))
    assert world.accepted == 1


@row("redirect-019", "bounded")
def test_the_body_of_a_redirect_is_not_read(world: World) -> None:
    packed = gzip.compress(bytes(1 << 20))
    head = b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = b"%x\r\n%b\r\n" % (len(packed), packed)
    world.pages["a.example/"] = drip([head, *[chunk] * 200])
    started = time.monotonic()
    assert world.verdict(URL) == "allow"
    assert time.monotonic() - started < 1


@row("redirect-020", "not followed")
@row("redirect-021", "not followed")
@row("redirect-022", "recorded, not fetched")
@pytest.mark.parametrize(
    "answer",
    [
        reply(b'<meta http-equiv=refresh content="0; url=http://127.0.0.1/">'),
        reply(refresh="0; url=http://127.0.0.1/"),
        reply(b"<link rel=canonical href=http://127.0.0.1/>"),
    ],
)
def test_what_a_page_says_is_not_followed(world: World, answer: bytes) -> None:
    world.pages["a.example/"] = answer
    assert world.fetch(URL).url == URL
    assert PRIVATE not in world.connected
    assert world.accepted == 1


@row("redirect-023", "allow")
def test_a_page_that_moved(world: World) -> None:
    world.pages["a.example/2025/01/x"] = move("/2026/03/x", "301 Moved")
    answer = world.fetch("http://a.example/2025/01/x")
    assert answer.hops == (Hop("http://a.example/2025/01/x", 301, "http://a.example/2026/03/x"),)
    assert answer.url == answer.permanent_url == "http://a.example/2026/03/x"


@row("redirect-024", "allow")
def test_nothing_is_carried_to_another_host(world: World) -> None:
    world.pages["a.example/"] = move("http://b.example/x").replace(b"\r\n\r\n", b"\r\nSet-Cookie: a=b\r\n\r\n")
    assert world.fetch(URL).url == "http://b.example/x"
    assert world.connected == [PUBLIC, OTHER]
    assert not any(word in world.asked[1].lower() for word in (b"cookie", b"authorization", b"referer"))
