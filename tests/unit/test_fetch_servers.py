"""Servers that send too much, too slowly, something else or nothing: each ends in time and with its own code."""

from __future__ import annotations

import gzip
import importlib
import itertools
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from seenbefore.fetch.base import FetchKind
from seenbefore.fetch.client import SafeFetcher
from seenbefore.fetch.policy import SIZES
from seenbefore.sources.feed import read_feed

from .fetch_world import PAGE, Answer, World, a_world, drip, make_certificate, quick, reply, row, silence, speak_tls

URL = "http://a.example/"
SMALL = {**SIZES, FetchKind.PAGE: 1 << 20}
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


@pytest.fixture
def world() -> Iterator[World]:
    yield from a_world()


def verdict(world: World, answer: Answer, **policy: Any) -> str:
    world.pages["a.example/"] = answer
    started = time.monotonic()
    found = world.verdict(URL, policy=quick(sizes=SMALL, **policy))
    assert time.monotonic() - started < 3
    return found


@row("server-001", "error:too-large")
def test_a_length_over_the_limit(world: World) -> None:
    assert verdict(world, reply(b"<p>", length=50 << 20)) == "refuse:too-large"


@row("server-002", "error:too-large")
def test_a_body_without_end(world: World) -> None:
    chunk = b"10000\r\n" + b"a" * 0x10000 + b"\r\n"
    answer = drip(itertools.chain([HEAD + b"Transfer-Encoding: chunked\r\n\r\n"], itertools.repeat(chunk)), 0)
    assert verdict(world, answer) == "refuse:too-large"


@row("server-003", "bounded")
def test_more_than_was_declared(world: World) -> None:
    world.pages["a.example/"] = reply(b"<p>four</p>" + b"x" * 100_000, length=11)
    assert world.fetch(URL).body == b"<p>four</p>"


@row("server-004", "error:truncated")
@pytest.mark.parametrize(
    "answer",
    [
        reply(PAGE, length=len(PAGE) + 1),
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\n<p>ab\r\n",
        reply(gzip.compress(PAGE * 50)[:-9], content_encoding="gzip"),
    ],
)
def test_half_a_body(world: World, answer: bytes) -> None:
    assert verdict(world, answer) == "error:truncated"


@row("server-005", "error:too-large")
def test_a_packed_bomb(world: World) -> None:
    assert verdict(world, reply(gzip.compress(bytes(20 << 20)), content_encoding="gzip")) == "refuse:too-large"


@row("server-006", "error:too-large or error:encoding")
@row("server-007", "error:too-large")
@row("server-008", "error:too-large")
@row("server-009", "error:encoding")
@row("server-011", "error:encoding")
@pytest.mark.parametrize(
    "encoding", ["gzip, gzip", "br", "zstd", "deflate", "compress", "bogus", ", ".join(["gzip"] * 100), "gzip, br"]
)
def test_encodings_that_nobody_asked_for(world: World, encoding: str) -> None:
    body = gzip.compress(gzip.compress(bytes(1 << 20)))
    assert verdict(world, reply(body, content_encoding=encoding)) == "refuse:encoding"
    assert b"\r\nAccept-Encoding: gzip\r\n" in world.asked[0]


@pytest.mark.parametrize("encoding", ["br", "zstd"])
def test_bombs_in_encodings_that_an_operator_asks_for(world: World, encoding: str) -> None:
    if encoding == "br":
        packed = pytest.importorskip("brotli", reason="packs with Brotli").compress(bytes(20 << 20))
    else:
        module = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
        packed = importlib.import_module(module).compress(bytes(20 << 20))
    assert verdict(world, reply(packed, content_encoding=encoding), encodings=(encoding,)) == "refuse:too-large"


@row("server-010", "error:encoding")
def test_plain_text_that_calls_itself_packed(world: World) -> None:
    assert verdict(world, reply(PAGE, content_encoding="gzip")) == "error:encoding"


@row("server-012", "error:timeout")
def test_a_slow_body(world: World) -> None:
    answer = drip([HEAD + b"Content-Length: 900\r\n\r\n", *[b"a"] * 900], 0.05)
    assert verdict(world, answer, total_s=0.5) == "error:timeout"


@row("server-013", "error:timeout")
def test_slow_headers(world: World) -> None:
    assert verdict(world, drip([HEAD[n : n + 1] for n in range(len(HEAD))], 0.05), total_s=0.5) == "error:timeout"


@row("server-014", "error:timeout")
def test_silence(world: World) -> None:
    assert verdict(world, silence) == "error:timeout"


@row("server-016", "error:headers-too-large")
@row("server-017", "error:headers-too-large")
@pytest.mark.parametrize(
    "headers", [b"X: " + b"a" * (1 << 20) + b"\r\n", b"Set-Cookie: a=b\r\n" * 10_000, b"A: b\r\n" * 300]
)
def test_headers_without_end(world: World, headers: bytes) -> None:
    assert verdict(world, HEAD + headers + b"\r\n" + PAGE) == "refuse:headers-too-large"


@row("server-018", "error:protocol")
def test_interim_answers_without_end(world: World) -> None:
    assert verdict(world, b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n" * 100 + reply()) == "error:protocol"


def test_an_interim_answer(world: World) -> None:
    assert verdict(world, b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n" + reply()) == "allow"


@row("server-019", "refuse:content-type")
@row("server-020", "refuse:content-type")
@row("server-021", "refuse:content-type")
@row("server-023", "refuse:content-type")
@row("server-024", "refuse:content-type")
@pytest.mark.parametrize(
    ("header", "body", "is_really"),
    [
        ("application/pdf", b"%PDF-1.7", "application/pdf"),
        ("image/png", b"\x89PNG\r\n", "image/png"),
        ("application/octet-stream", PAGE, "application/octet-stream"),
        ("", b"\x7fELF\x02", "application/octet-stream"),
        ("", b"PK\x03\x04", "application/octet-stream"),
        ("", b"%PDF-1.7", "application/pdf"),
        ("", b"just text", ""),
        ("text/html", b"\x89PNG\r\n\x1a\n", "application/octet-stream"),
        ("text/html", b"%PDF-1.7", "application/pdf"),
    ],
)
def test_other_kinds_of_files(world: World, header: str, body: bytes, is_really: str) -> None:
    world.pages["a.example/"] = reply(body, content_type=header)
    error = world.fails(URL)
    assert (type(error).__name__, error.code) == ("Refused", "content-type")
    assert error.content_type == is_really


@row("server-022", "allow, noted")
def test_a_page_that_does_not_say_what_it_is(world: World) -> None:
    world.pages["a.example/"] = reply(PAGE, content_type="")
    answer = world.fetch(URL)
    assert (answer.content_type, answer.notes) == ("text/html", ("content_type_sniffed",))


@row("server-025", "allow")
@row("server-026", "allow as utf-8")
@pytest.mark.parametrize("charset", ["bogus", "utf-7", "UTF7", "unicode-1-1-utf-7", '"utf-7"', "hex", "../../x"])
def test_charsets_that_are_not_used(world: World, charset: str) -> None:
    world.pages["a.example/"] = reply(content_type=f"text/html; charset={charset}")
    answer = world.fetch(URL)
    assert (answer.charset, answer.notes) == ("", ("charset_ignored",))


@pytest.mark.parametrize("charset", ["Shift_JIS", "gb18030", "euc-kr", "windows-1251"])
def test_charsets_that_are_used(world: World, charset: str) -> None:
    world.pages["a.example/"] = reply(content_type=f"text/html; charset={charset}")
    assert (world.fetch(URL).charset, world.fetch(URL).notes) == (charset.lower(), ())


@row("server-027", "allow, ignored")
@row("server-028", "allow")
def test_what_a_page_is_called_does_not_matter(world: World) -> None:
    world.pages["a.example/"] = reply(content_disposition="attachment; filename=../../x")
    assert world.fetch(URL).body == PAGE


@row("server-029", "error:status")
@row("server-030", "error:status")
@row("server-031", "error:status")
@pytest.mark.parametrize(
    ("status", "retryable", "wait"),
    [(401, False, None), (407, False, None), (429, True, 86400.0), (503, True, 86400.0), (404, False, None)],
)
def test_statuses(world: World, status: int, retryable: bool, wait: float | None) -> None:
    more = {"retry_after": "999999"} if wait else {"www_authenticate": "Basic"}
    world.pages["a.example/"] = reply(PAGE, f"{status} No", **more)
    error = world.fails(URL)
    assert (error.code, error.status, error.retryable, error.retry_after) == ("status", status, retryable, wait)
    assert world.accepted == 1


@row("server-032", "error:protocol")
@row("server-033", "error:protocol")
@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
        b"-ERR unknown command 'GET'\r\n",
        b"<p>HTTP/0.9",
        b"SSH-2.0-OpenSSH_9.9\r\n\r\n",
        b"\x00\x01\x02\x03\r\n\r\n",
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\n<p>four",
    ],
)
def test_what_is_no_http(world: World, answer: bytes) -> None:
    assert verdict(world, lambda connection, _: connection.sendall(answer)) == "error:protocol"


def test_validators_and_what_they_bring(world: World) -> None:
    world.pages["a.example/"] = b'HTTP/1.1 304 Not Modified\r\nETag: "7"\r\n\r\n'
    fetcher = world.fetcher()
    answer = fetcher.fetch(URL, FetchKind.PAGE, etag='"7"', last_modified="Sun, 01 Mar 2026 12:00:00 GMT")
    assert (answer.not_modified, answer.body, answer.etag) == (True, b"", '"7"')
    assert b'\r\nIf-None-Match: "7"\r\nIf-Modified-Since: Sun, 01' in world.asked[0]
    fetcher.close()


# --- TLS -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_certificate(tmp_path_factory.mktemp("tls"), "a.example")


@pytest.fixture
def secure(certificate: Path) -> Iterator[World]:
    for world in a_world():
        world.tls = speak_tls(certificate)
        yield world


@row("client-009", "original name")
def test_the_name_is_what_a_certificate_is_held_against(secure: World, certificate: Path) -> None:
    names: list[str | None] = []
    secure.names["a.example."] = secure.names["a.example"]
    assert secure.tls
    secure.tls.sni_callback = lambda _socket, name, _context: names.append(name)
    assert secure.verdict("https://a.example/", policy=quick(verify=str(certificate))) == "allow"
    assert secure.verdict("https://a.example./", policy=quick(verify=str(certificate))) == "allow"
    assert names == ["a.example", "a.example"]
    assert b"\r\nHost: a.example\r\n" in secure.asked[0]


@row("server-034", "error:tls")
def test_a_certificate_that_nobody_signed(secure: World) -> None:
    assert secure.verdict("https://a.example/") == "error:tls"
    assert secure.asked == []


@row("server-035", "error:tls")
def test_a_certificate_for_another_name(secure: World, certificate: Path) -> None:
    assert secure.verdict("https://b.example/", policy=quick(verify=str(certificate))) == "error:tls"
    assert secure.asked == []


@row("server-015", "error:timeout")
def test_a_handshake_that_never_ends(secure: World) -> None:
    secure.shakes_hands = False
    assert secure.verdict("https://a.example/", policy=quick(connect_s=0.2)) == "error:timeout"


# --- what is in a body ---------------------------------------------------------------------------


@row("server-036", "bounded")
def test_deeply_nested_tags(world: World) -> None:
    world.pages["a.example/"] = reply(b"<div>" * 200_000 + b"deep")
    started = time.monotonic()
    assert len(world.fetch(URL, policy=quick(total_s=5)).body) == 1_000_004
    assert time.monotonic() - started < 5


@row("server-037", "bounded")
@row("server-038", "no leak")
def test_entities_of_a_feed(world: World, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("swordfish")
    bomb = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 8))
    body = (
        f'<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY e0 "herring">{bomb}<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
        "<rss version='2.0'><channel><title>t</title><item><title>One</title><link>http://a.example/1</link>"
        "<description>&e7; &x;</description></item></channel></rss>"
    )
    world.pages["a.example/"] = reply(body.encode(), content_type="application/rss+xml")
    answer = world.fetch(URL, FetchKind.FEED)
    read = repr(read_feed(answer.body, source=URL, observed_at=datetime(2026, 3, 1, tzinfo=UTC), default_name="news"))
    assert "swordfish" not in read
    assert len(read) < 100_000


def test_two_threads_do_not_meet(world: World) -> None:
    world.pages |= {f"a.example/{n}": reply(b"<p>%d" % n) for n in range(40)}
    fetcher: SafeFetcher = world.fetcher(quick(total_s=10, first_byte_s=5))
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda n: fetcher.fetch(f"{URL}{n}", FetchKind.PAGE), range(40)))
    assert [answer.body for answer in answers] == [b"<p>%d" % n for n in range(40)]
