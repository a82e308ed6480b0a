"""What a client takes from its surroundings (nothing), from its operator (what is written down), and what it says."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import httpcore2
import pytest

from seenbefore.errors import FetchFailed, InvalidInput, Refused
from seenbefore.fetch.base import FetchKind, Response
from seenbefore.fetch.client import FetchPolicy, SafeFetcher
from seenbefore.fetch.robots import KEPT_S, UNREACHABLE_S, RobotsRules

from .fetch_world import PRIVATE, PUBLIC, World, a_world, quick, reply, row

URL = "http://a.example/"


@pytest.fixture
def world() -> Iterator[World]:
    yield from a_world()


@row("client-001", "ignored")
@row("client-002", "ignored")
@row("client-003", "ignored")
def test_nothing_is_taken_from_the_environment(world: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "*")
    (tmp_path / ".netrc").write_text("machine a.example login me password swordfish")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    assert world.verdict(URL) == "allow"
    assert world.connected == [PUBLIC]
    assert b"authorization" not in world.asked[0].lower()


@row("client-004", "allow by config")
def test_a_proxy_is_used_when_the_operator_names_one(world: World) -> None:
    policy = quick(proxy="http://proxy.example:3128")
    world.pages["*"] = reply(b"<p>by way of a proxy")
    assert world.fetch(URL, policy=policy).body == b"<p>by way of a proxy"
    assert (world.connected, world.lookups) == (["proxy.example"], [])
    assert world.verdict("http://127.0.0.1/", policy=policy) == "refuse:address"
    assert world.verdict("http://10.0.0.1/", policy=policy) == "refuse:address"
    assert world.verdict("http://db.internal/", policy=policy) == "refuse:name"
    assert world.accepted == 1


@row("client-005", "allow by config")
def test_an_operator_opens_a_network(world: World) -> None:
    world.names |= {"feeds.internal": ["10.1.2.3"], "next.internal": ["10.1.3.3"]}
    policy = quick(private_networks=("10.1.2.0/24",))
    assert world.verdict("http://feeds.internal/", policy=policy) == "allow"
    assert world.verdict("http://10.1.2.3/", policy=policy) == "allow"
    assert world.verdict("http://next.internal/", policy=policy) == "refuse:address"
    assert world.verdict("http://10.1.3.3/", policy=policy) == "refuse:address"
    assert world.verdict("http://feeds.internal/") == "refuse:name"


@row("client-006", "config error")
@pytest.mark.parametrize("network", ["::ffff:0:0/96", "64:ff9b::/96", "0.0.0.0/0", "feeds.internal"])
def test_a_network_that_opens_everything(network: str) -> None:
    with pytest.raises(InvalidInput):
        SafeFetcher(FetchPolicy(private_networks=(network,)))


@row("client-007", "allow by config")
def test_an_operator_adds_a_port(world: World) -> None:
    world.pages["a.example:8443/"] = reply()
    assert world.verdict("http://a.example:8443/") == "refuse:port"
    assert world.verdict("http://a.example:8443/", policy=quick(ports=(80, 443, 8443))) == "allow"


@row("client-008", "design error")
def test_parts_are_handed_on_and_never_an_address(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def parse(*_: object) -> None:
        raise AssertionError("the HTTP library parses an address")

    monkeypatch.setattr(httpcore2._models, "urlparse", parse, raising=False)
    asked: list[httpcore2.URL] = []
    fetcher = world.fetcher()
    stream = fetcher._pool.stream
    monkeypatch.setattr(fetcher._pool, "stream", lambda m, url, **more: (asked.append(url), stream(m, url, **more))[1])
    fetcher.fetch("HTTP://A.example:80/x?y#z", FetchKind.PAGE)
    assert [(url.scheme, url.host, url.port, url.target) for url in asked] == [(b"http", b"a.example", 80, b"/x?y")]


@row("client-010", "same guard")
@pytest.mark.parametrize("kind", list(FetchKind))
def test_every_kind_goes_through_one_guard(world: World, kind: FetchKind) -> None:
    assert world.verdict("http://inside.example/", kind) == "refuse:address"
    assert world.accepted == 0


@row("client-011", "no internals")
@row("client-012", "constant enough")
def test_an_error_does_not_tell_an_open_port_from_a_closed_one(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    world.names |= {"open.example": ["10.9.8.7"], "gone.example": ["10.9.8.6"]}
    errors = [world.fails(f"http://{name}.example/") for name in ("open", "gone")]
    assert {str(error).split(": ", 1)[1] for error in errors} == {"its name leads to an address that may not be asked"}
    assert "10.9.8" not in "".join(f"{error}{error.args}{vars(error)}" for error in errors)
    assert (world.connected, world.accepted) == ([], 0)


@row("client-013", "redacted")
def test_secrets_stay_out_of_messages_and_logs(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for url in ("http://inside.example/?token=swordfish", "http://me:swordfish@a.example/", f"{URL}?api_key=swordfish"):
        world.pages["a.example/?api_key=swordfish"] = reply(b"", "500 No")
        assert "swordfish" not in str(world.fails(url))
    own = [record.getMessage() for record in caplog.records if record.name.startswith("seenbefore")]
    assert not any("swordfish" in line for line in own)


def test_how_a_fetcher_introduces_itself(world: World) -> None:
    world.fetch(URL, policy=quick(contact="https://news.example/bot"))
    assert b"\r\nUser-Agent: seenbefore/" in world.asked[0]
    assert b" (+https://news.example/bot)\r\n" in world.asked[0]
    assert b"\r\nAccept: text/html, application/xhtml+xml\r\n" in world.asked[0]
    world.fetch(URL, policy=quick(user_agent="another/1"))
    assert b"\r\nUser-Agent: another/1\r\n" in world.asked[1]


def test_a_pdf_is_no_page(world: World) -> None:
    world.pages["a.example/"] = reply(b"%PDF-1.7", content_type="application/pdf")
    error = world.fails(URL)
    assert isinstance(error, Refused)
    assert (error.code, error.content_type) == ("content-type", "application/pdf")


# --- robots.txt ----------------------------------------------------------------------------------


class Web:
    """Answers every robots.txt with the same."""

    def __init__(self, answer: bytes | FetchFailed) -> None:
        self.answer = answer
        self.asked: list[str] = []

    def fetch(self, url: str, kind: FetchKind, *, etag: str = "", last_modified: str = "") -> Response:
        assert (kind, etag, last_modified) == (FetchKind.ROBOTS, "", "")
        self.asked.append(url)
        if isinstance(self.answer, FetchFailed):
            raise self.answer
        return Response(url, url, 200, self.answer)

    def close(self) -> None:
        """Nothing to close."""


def test_what_robots_txt_says() -> None:
    pytest.importorskip("protego", reason="needs seenbefore[pages]")
    web = Web(b"User-agent: *\nDisallow: /private\nCrawl-delay: 7\n\nUser-agent: seenbefore\nDisallow: /ours\n")
    rules = RobotsRules(web)
    assert (rules.allows("https://a.example/ours/1"), rules.allows("https://a.example/private")) == (False, True)
    other = RobotsRules(web, agent="another")
    assert (other.allows("https://a.example/private/1"), other.delay_s("https://a.example/")) == (False, 7.0)
    assert web.asked == ["https://a.example/robots.txt"] * 2


@pytest.mark.parametrize(
    ("failure", "allowed", "again_after"),
    [
        (FetchFailed("status", "no", status=404), True, KEPT_S),
        (FetchFailed("status", "no", status=403), True, KEPT_S),
        (FetchFailed("status", "no", status=429), False, UNREACHABLE_S),
        (FetchFailed("status", "no", status=503), False, UNREACHABLE_S),
        (FetchFailed("timeout", "no"), False, UNREACHABLE_S),
        (Refused("content-type", "no"), True, KEPT_S),
        (Refused("address", "no"), True, KEPT_S),
        (
            Refused("address", "no", hops=(("https://a.example/robots.txt", 302, "http://10.0.0.1/"),)),
            False,
            UNREACHABLE_S,
        ),
        (Refused("encoding", "no"), False, UNREACHABLE_S),
    ],
)
def test_a_robots_txt_that_cannot_be_had(failure: FetchFailed, allowed: bool, again_after: float) -> None:
    pytest.importorskip("protego", reason="needs seenbefore[pages]")
    web, now = Web(failure), [0.0]
    rules = RobotsRules(web, clock=lambda: now[0])
    assert rules.allows("https://a.example/1") is rules.allows("https://a.example/2") is allowed
    now[0] = again_after - 1
    rules.allows("https://a.example/1")
    assert len(web.asked) == 1
    now[0] = again_after
    rules.allows("https://a.example/1")
    assert len(web.asked) == 2


def test_what_stands_behind_the_first_500_kib_of_a_robots_txt_says_nothing() -> None:
    pytest.importorskip("protego", reason="needs seenbefore[pages]")
    rules = RobotsRules(Web(b"User-agent: *\nDisallow: /a\n" + b"#" * (500 << 10) + b"\nDisallow: /b\n"))
    assert (rules.allows("https://a.example/a"), rules.allows("https://a.example/b")) == (False, True)


def test_many_threads_ask_a_host_once() -> None:
    pytest.importorskip("protego", reason="needs seenbefore[pages]")
    web = Web(b"User-agent: *\nAllow: /\n")
    rules = RobotsRules(web)
    threads = [threading.Thread(target=rules.allows, args=("https://a.example/1",)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(web.asked) == 1


def test_the_shipped_fetcher_refuses_loopback() -> None:
    fetcher = SafeFetcher()
    with pytest.raises(Refused):
        fetcher.fetch(f"http://{PRIVATE}/", FetchKind.PAGE)
    fetcher.close()
