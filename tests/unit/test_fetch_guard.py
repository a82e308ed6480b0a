"""From a name to a checked connection: what a resolver may answer, and where a connection may end."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

import httpcore2
import pytest

from seenbefore.errors import FetchFailed
from seenbefore.fetch import guard
from seenbefore.fetch.base import FetchKind

from .fetch_world import OTHER, PRIVATE, PUBLIC, World, a_world, quick, row

URL = "http://a.example/"


@pytest.fixture
def world() -> Iterator[World]:
    yield from a_world()


def test_a_public_name_is_asked_once_and_its_address_is_used(world: World) -> None:
    assert world.verdict(URL) == "allow"
    assert (world.lookups, world.connected) == (["a.example"], [PUBLIC])


@row("dns-001", "refuse")
@row("dns-002", "refuse")
@row("dns-003", "refuse")
@row("dns-006", "refuse")
@row("dns-007", "refuse")
@row("dns-008", "refuse")
@pytest.mark.parametrize(
    "addresses",
    [
        ["10.0.0.1"],
        [PUBLIC, "10.0.0.1"],
        [PUBLIC, "fd00::1"],
        ["192.168.1.1", PUBLIC],
        ["::ffff:10.0.0.1"],
        ["0.0.0.0"],
        ["fe80::1%eth0"],
        ["rubbish"],
    ],
)
def test_one_bad_address_refuses_the_name(world: World, addresses: list[str]) -> None:
    world.names["a.example"] = addresses
    error = world.fails(URL)
    assert (type(error).__name__, error.code) == ("Refused", "address")
    assert not any(address in f"{error}{error.args}" for address in addresses)
    assert (world.connected, world.accepted) == ([], 0)


@row("url-065", "refuse")
def test_a_name_that_embeds_an_address(world: World) -> None:
    world.names["127.0.0.1.nip.io"] = [PRIVATE]
    assert world.verdict("http://127.0.0.1.nip.io/") == "refuse:address"
    assert world.accepted == 0


@row("dns-004", "refuse or connect to the first address")
def test_a_second_answer_is_never_asked_for(world: World) -> None:
    answers = iter([[PUBLIC], [PRIVATE], [PRIVATE]])

    def rebinding(_host: str, _port: int, _seconds: float) -> Sequence[str]:
        return next(answers)

    with_rebinding = world.fetcher(resolver=rebinding)
    assert with_rebinding.fetch(URL, FetchKind.PAGE).status == 200
    with pytest.raises(FetchFailed) as caught:
        with_rebinding.fetch(URL, FetchKind.PAGE)
    with_rebinding.close()
    assert caught.value.code == "address"
    assert (world.connected, world.accepted) == ([PUBLIC], 1)


@row("dns-005", "refuse")
def test_a_connection_that_ends_elsewhere_is_closed_before_a_byte_is_sent(world: World) -> None:
    world.peer = PRIVATE
    assert world.verdict(URL) == "refuse:address"
    assert world.asked == []


def test_a_connection_that_does_not_say_where_it_ended(world: World) -> None:
    class Nowhere(httpcore2.MockStream):
        def get_extra_info(self, info: str) -> Any:
            return None

    fetcher = world.fetcher(connector=lambda *_: Nowhere([]))
    with pytest.raises(FetchFailed) as caught:
        fetcher.fetch(URL, FetchKind.PAGE)
    assert caught.value.code == "address"


@row("dns-009", "error:dns")
def test_no_such_name(world: World) -> None:
    assert world.verdict("http://nobody.example/") == "error:dns"


def test_a_name_without_addresses(world: World) -> None:
    world.names["a.example"] = []
    assert world.verdict(URL) == "error:dns"


@row("dns-010", "error:timeout")
def test_a_resolver_that_hangs(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    wakes = threading.Event()
    monkeypatch.setattr(guard.socket, "getaddrinfo", lambda *_, **__: [wakes.wait(3)][1:])
    started = time.monotonic()
    fetcher = world.fetcher(quick(dns_s=0.1), resolver=guard.resolve)
    with pytest.raises(FetchFailed) as caught:
        fetcher.fetch(URL, FetchKind.PAGE)
    assert (caught.value.code, caught.value.retryable) == ("timeout", True)
    assert time.monotonic() - started < 1
    wakes.set()


@pytest.mark.parametrize(("number", "retryable"), [(guard.socket.EAI_NONAME, False), (guard.socket.EAI_AGAIN, True)])
def test_the_system_knows_no_such_name(monkeypatch: pytest.MonkeyPatch, number: int, retryable: bool) -> None:
    def nobody(*_: object, **__: object) -> None:
        raise guard.socket.gaierror(number, "nobody")

    monkeypatch.setattr(guard.socket, "getaddrinfo", nobody)
    with pytest.raises(FetchFailed) as caught:
        guard.resolve("a.example", 80, 1.0)
    assert (caught.value.code, caught.value.retryable) == ("dns", retryable)


@row("dns-011", "bounded")
def test_only_a_few_of_many_addresses_are_tried(world: World) -> None:
    tried = []

    def closed(address: str, _port: int, _seconds: float) -> httpcore2.NetworkStream:
        tried.append(address)
        raise httpcore2.ConnectError

    world.names["a.example"] = [f"9.9.{n // 250}.{n % 250}" for n in range(300)]
    fetcher = world.fetcher(connector=closed)
    with pytest.raises(FetchFailed) as caught:
        fetcher.fetch(URL, FetchKind.PAGE)
    assert caught.value.code == "connection"
    assert len(tried) == 4


def test_the_next_address_is_tried_when_one_is_closed(world: World) -> None:
    def first_is_closed(address: str, port: int, seconds: float) -> httpcore2.NetworkStream:
        if address == OTHER:
            raise httpcore2.ConnectError
        return world.connect(address, port, seconds)

    world.names["a.example"] = [OTHER, PUBLIC]
    assert world.fetcher(connector=first_is_closed).fetch(URL, FetchKind.PAGE).status == 200


@row("dns-012", "refuse")
def test_no_connection_outlives_its_answer(world: World) -> None:
    fetcher = world.fetcher()
    fetcher.fetch(URL, FetchKind.PAGE)
    world.names["a.example"] = [PRIVATE]
    with pytest.raises(FetchFailed) as caught:
        fetcher.fetch(URL, FetchKind.PAGE)
    assert caught.value.code == "address"
    assert world.accepted == 1


@row("dns-013", "refuse")
def test_no_connection_serves_two_names(world: World) -> None:
    world.names["c.example"] = [PUBLIC]
    fetcher = world.fetcher()
    fetcher.fetch(URL, FetchKind.PAGE)
    fetcher.fetch("http://c.example/", FetchKind.PAGE)
    assert (world.accepted, world.lookups) == (2, ["a.example", "c.example"])
