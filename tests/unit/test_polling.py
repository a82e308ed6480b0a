"""Asking addresses: what is sent, what is noted, what is asked again and when."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from seenbefore.engine.engine import Engine
from seenbefore.engine.job import Committed, JobOptions, Polled, Repaired, Skipped, Step
from seenbefore.engine.politely import Manners
from seenbefore.engine.poll import Poller, Polling, sort_places
from seenbefore.engine.poll_run import run_places, run_service, sleep_s
from seenbefore.errors import FetchFailed, IngestError, InvalidInput, Refused
from seenbefore.fetch.base import FetchKind, Hop
from seenbefore.policy import load_policy
from seenbefore.polling.schedule import Limits
from seenbefore.polling.state import PollState
from seenbefore.rules import load_rules
from seenbefore.stores.memory import MemoryStore
from seenbefore.testing.clock import FrozenClock
from seenbefore.urls.source import source_identity

from .fake_web import FakeWeb, answer, failed, feed

A, B = "https://a.example/feed", "https://b.example/feed"


class Desk:
    """An engine with a clock that stands still, and a web of its own."""

    def __init__(self) -> None:
        self.clock = FrozenClock(step=timedelta(0))
        self.web = FakeWeb()
        self.engine = Engine(MemoryStore(), load_rules(), load_policy(), self.clock)

    def poller(self, source: str | None = None, **polling: object) -> Poller:
        asked = Polling(self.web, limits=Limits(900, 7200), manners=Manners(delay_s=0), **polling)  # type: ignore[arg-type]
        return Poller(self.engine, asked, JobOptions(source))

    def poll(self, *addresses: str, source: str | None = None, **polling: object) -> list[Step]:
        return list(self.poller(source, **polling).poll(addresses))

    def outcome(self, address: str = A, **polling: object) -> str:
        found = [step.result.outcome for step in self.poll(address, **polling) if isinstance(step, Polled)]
        return found[-1] if found else ""

    def state(self, address: str = A) -> PollState:
        with self.engine.store.reading() as unit:
            found = unit.polls.find_state(source_identity(address))
        assert found is not None
        return found

    def pass_time(self, seconds: float) -> None:
        self.clock.advance(timedelta(seconds=seconds))


@pytest.fixture
def desk() -> Desk:
    return Desk()


def polled(steps: list[Step]) -> dict[str, str]:
    return {step.where: step.result.outcome for step in steps if isinstance(step, Polled)}


def titles(steps: list[Step]) -> list[tuple[str, str, str]]:
    return [
        (a.decision.item.source, a.decision.item.title, a.decision.outcome.value)
        for step in steps
        if isinstance(step, Committed)
        for a in step.answers
    ]


def test_a_conditional_get_round_trip(desk: Desk) -> None:
    desk.web.pages[A] = answer(A, feed("One story"), etag='"1"', last_modified="Tue")
    assert titles(desk.poll(A)) == [(A, "One story", "new")]
    assert (desk.state().etag, desk.state().last_modified, desk.state().last.new) == ('"1"', "Tue", 1)
    assert desk.outcome() == "unchanged"
    assert desk.web.asked == [(A, "", ""), (A, '"1"', "Tue")]
    assert (desk.state().etag, desk.state().last.status, desk.state().last.new) == ('"1"', 304, 0)
    desk.web.pages[A] = answer(A, feed("One story", "Another story"), etag='"2"')
    assert [each[1:] for each in titles(desk.poll(A))] == [("One story", "duplicate"), ("Another story", "new")]
    assert (desk.state().etag, desk.state().last_modified) == ('"2"', "")


def test_validators_are_noted_only_after_the_items(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.web.pages[A] = answer(A, feed("One story"), etag='"1"')
    steps = desk.poller().poll([A])
    assert isinstance(next(steps), Committed)
    with desk.engine.store.reading() as unit:
        assert unit.polls.list_states() == []
    steps.close()  # type: ignore[attr-defined]

    def fail(*_: object, **__: object) -> Iterator[Step]:
        raise IngestError("one", "the disk is full")
        yield

    with monkeypatch.context() as patched:
        patched.setattr("seenbefore.engine.poll.take_in", fail)
        with pytest.raises(IngestError):
            desk.poll(A)
    desk.web.urls()
    assert titles(desk.poll(A)) == [(A, "One story", "duplicate")]
    assert desk.web.asked == [(A, "", "")]


def test_permanent_redirects_become_aliases_and_are_followed_directly(desk: Desk) -> None:
    https, new = "https://a.example/feed.xml", "https://new.example/feed"
    hops = (Hop(A, 301, https), Hop(https, 308, new))
    desk.web.pages[A] = answer(A, feed("One story"), hops=hops)
    desk.poll(A)
    with desk.engine.store.reading() as unit:
        (source,) = unit.sources.list_sources()
        assert {unit.sources.find_source(source_identity(url)) for url in (A, https, new)} == {source}
    assert desk.state().moved_to == new
    desk.web.pages[new] = answer(new, feed("One story", "Two"), etag='"n"')
    desk.web.urls()
    desk.poll(A)
    assert desk.web.urls() == [new]
    assert desk.outcome() == "unchanged"
    desk.web.urls()
    del desk.web.pages[new]
    assert desk.outcome() == "not_found"
    assert (desk.state().moved_to, desk.state().etag) == ("", "")
    desk.web.urls()
    desk.poll(A, force=True)
    assert desk.web.urls() == [A], "the address that was given is asked again when the new one fails"


def test_temporary_redirects_are_no_aliases(desk: Desk) -> None:
    elsewhere = "https://cdn.example/feed"
    desk.web.pages[A] = answer(A, feed("One story"), hops=(Hop(A, 302, elsewhere),))
    desk.poll(A)
    with desk.engine.store.reading() as unit:
        assert unit.sources.find_source(source_identity(elsewhere)) is None
    assert desk.state().moved_to == ""


def test_failures_back_off_and_recover(desk: Desk) -> None:
    desk.web.pages[A] = failed(500)
    assert desk.outcome() == "status"
    waits = []
    for _ in range(3):
        state = desk.state()
        assert state.next_at == state.hold_until
        assert state.next_at is not None
        waits.append((state.next_at - desk.clock()).total_seconds())
        assert [type(step) for step in desk.poll(A)] == [Skipped], "on hold"
        desk.pass_time(waits[-1] + 1)
        desk.outcome()
    assert 270 <= waits[0] <= 330
    assert waits == sorted(waits)
    assert waits[2] > 2.9 * waits[0]
    desk.web.pages[A] = feed("One story")
    assert desk.outcome(force=True) == "ok"
    assert (desk.state().failures, desk.state().hold_until) == (0, None)


def test_retry_after_is_kept(desk: Desk) -> None:
    desk.web.pages[A] = failed(429, retry_after=1800)
    desk.poll(A)
    desk.pass_time(1700)
    (skipped,) = desk.poll(A)
    assert isinstance(skipped, Skipped)
    assert skipped.code == "on_hold"
    assert "08:30" in skipped.message
    desk.web.urls()
    desk.pass_time(101)
    assert desk.outcome() == "status"
    assert desk.web.urls() == [A]


def test_gone_is_not_asked_again_by_itself(desk: Desk) -> None:
    desk.web.pages[A] = failed(410)
    assert desk.outcome() == "gone"
    desk.pass_time(10**8)
    assert desk.poll(A, due_only=True) == []
    (skipped,) = desk.poll(A)
    assert isinstance(skipped, Skipped)
    desk.web.pages[A] = feed("Back again")
    assert desk.outcome(force=True) == "ok"


@pytest.mark.parametrize(
    ("error", "outcome", "on_hold"),
    [
        (FetchFailed("timeout", "no answer in 30 s"), "timeout", True),
        (FetchFailed("dns", "no such host"), "dns", True),
        (FetchFailed("too-large", "more than 10 MB"), "too-large", True),
        (failed(404), "not_found", True),
        (failed(503), "status", True),
        (Refused("address", "a private address"), "refused", False),
        (Refused("too-large", "sends more than 20 MB"), "too-large", True),
        (Refused("content-type", "is image/png, which is not read as a feed"), "not_a_feed", False),
    ],
)
def test_every_failure_is_noted_with_its_reason(desk: Desk, error: FetchFailed, outcome: str, on_hold: bool) -> None:
    desk.web.pages[A] = error
    (step,) = desk.poll(A)
    assert isinstance(step, Polled)
    assert (step.result.outcome, step.result.reason) == (outcome, error.message)
    assert desk.state().is_on_hold(desk.clock()) is on_hold
    assert desk.state().next_at is not None
    last = desk.state().last
    with desk.engine.store.reading() as unit:
        assert unit.polls.list_results("a.example/feed") == [last]


def test_a_page_is_no_feed_and_names_its_feeds(desk: Desk) -> None:
    page = b'<!doctype html><html><head><link rel="alternate" type="application/rss+xml" href="/rss"></head></html>'
    desk.web.pages[A] = answer(A, page, etag='"1"')
    assert desk.outcome() == "not_a_feed"
    assert "https://a.example/rss" in desk.state().last.reason
    assert desk.state().etag == "", "what was not stored is not unchanged the next time"


def test_the_interval_adapts_within_limits(desk: Desk) -> None:
    count = 0

    def more(_: str) -> bytes:
        nonlocal count
        count += 1
        return feed(*(f"Story number {n} of the day" for n in range(count)))

    desk.web.pages[A] = more
    desk.poll(A)
    assert desk.state().interval_s == 900
    desk.web.pages[A] = answer(A, feed("Story number 0 of the day"))
    for _ in range(20):
        desk.outcome()
    assert desk.state().interval_s == 7200
    desk.web.pages[A] = more
    desk.outcome()
    assert desk.state().interval_s == 3600


def test_freshness_is_a_lower_bound(desk: Desk) -> None:
    desk.web.pages[A] = answer(A, feed("One story"), cache_control="public, max-age=1800", age="300")
    desk.poll(A)
    next_at = desk.state().next_at
    assert next_at is not None
    assert (next_at - desk.clock()).total_seconds() == 1500
    desk.web.pages[A] = answer(A, feed("One story"), cache_control="max-age=31536000")
    desk.poll(A)
    next_at = desk.state().next_at
    assert next_at is not None
    assert (next_at - desk.clock()).total_seconds() == 3600


def test_due_asks_only_what_is_due_and_so_completes_a_run(desk: Desk) -> None:
    addresses = [f"https://h{n}.example/feed" for n in range(6)]
    desk.web.pages = {url: feed(f"A story told by {url}") for url in addresses}
    steps = desk.poller(due_only=True).poll(addresses)
    done = set()
    for step in steps:
        if isinstance(step, Polled):
            done.add(step.where)
        if len(done) == 2:
            break
    steps.close()  # type: ignore[attr-defined]
    desk.web.urls()
    rest = polled(desk.poll(*addresses, due_only=True))
    assert set(rest) == set(addresses) - done
    assert set(desk.web.urls()) == set(rest)
    assert desk.poll(*addresses, due_only=True) == []
    desk.pass_time(880)
    assert len(polled(desk.poll(*addresses, due_only=True))) == 6, "a little early is due"


def test_one_address_in_two_spellings_is_asked_once(desk: Desk) -> None:
    desk.web.pages[A] = feed("One story")
    desk.poll(A, "http://www.a.example/feed/", A)
    assert desk.web.urls() == [A]


def test_opml_from_an_address(desk: Desk) -> None:
    opml = "https://lists.example/mine.opml"
    desk.web.pages[opml] = f'<opml><body><outline xmlUrl="{A}"/><outline xmlUrl="{B}"/></body></opml>'.encode()
    desk.web.pages |= {A: feed("Told by the first"), B: failed(500)}
    assert polled(desk.poll(opml)) == {opml: "list", A: "ok", B: "status"}
    assert {source for source, _, _ in titles(desk.poll(opml))} == {A}
    desk.web.urls()
    desk.pass_time(700)
    assert polled(desk.poll(opml, due_only=True)) == {opml: "list", B: "status"}


def test_a_sitemap_index_is_one_source(desk: Desk) -> None:
    index, one, two = (f"https://a.example/{name}.xml" for name in ("index", "one", "two"))
    desk.web.pages[index] = (
        f"<sitemapindex><sitemap><loc>{one}</loc></sitemap><sitemap><loc>{two}</loc></sitemap></sitemapindex>".encode()
    )
    for name, url in (("one", one), ("two", two)):
        desk.web.pages[url] = f"<urlset><url><loc>https://a.example/{name}</loc></url></urlset>".encode()
    steps = desk.poll(index)
    assert polled(steps) == {index: "list", one: "ok", two: "ok"}
    assert desk.web.kinds == [FetchKind.FEED, FetchKind.SITEMAP, FetchKind.SITEMAP]
    assert [(source, outcome) for source, _, outcome in titles(steps)] == [(index, "new"), (index, "new")]


def test_a_packed_sitemap(desk: Desk) -> None:
    url = "https://a.example/sitemap.XML.gz?x=1"
    desk.web.pages[url] = gzip.compress(b"<urlset><url><loc>https://a.example/1</loc></url></urlset>")
    assert desk.outcome(url) == "ok"
    assert desk.web.kinds == [FetchKind.SITEMAP]


def test_lists_that_name_each_other_end(desk: Desk) -> None:
    desk.web.pages = {
        A: f"<sitemapindex><sitemap><loc>{B}</loc></sitemap></sitemapindex>".encode(),
        B: f"<sitemapindex><sitemap><loc>{A}</loc></sitemap></sitemapindex>".encode(),
    }
    assert polled(desk.poll(A)) == {A: "list", B: "list"}


def test_link_lists(desk: Desk) -> None:
    desk.web.pages[A] = b'<article><a href="/bridge">Crack in the bridge</a></article><a href="/about">About</a>'
    steps = desk.poll(A, read_as="links", selector="article a")
    assert titles(steps) == [(A, "Crack in the bridge", "new")]
    assert desk.web.kinds == [FetchKind.PAGE]
    assert desk.outcome(read_as="links", selector="main a") == "not_a_feed"
    with pytest.raises(InvalidInput):
        desk.poll(A, read_as="links", selector="a[")


def test_several_addresses_of_one_source_are_never_late(desk: Desk) -> None:
    desk.web.pages = {A: feed("Told by the first"), B: feed("Told by the second")}
    found = [s for s in desk.poll(A, B, source="mine") if isinstance(s, Committed)]
    assert {a.decision.reason for step in found for a in step.answers} & {"late"} == set()
    assert {a.decision.item.source for step in found for a in step.answers} == {"mine"}


def test_damage_is_told(desk: Desk) -> None:
    desk.web.pages[A] = feed("One story")[:-20]
    assert [step.code for step in desk.poll(A) if isinstance(step, Repaired)] == ["truncated"]


def test_an_unexpected_error_of_a_worker_is_raised(desk: Desk) -> None:
    def broken(_: str) -> bytes:
        raise RuntimeError("a bug")

    desk.web.pages[A] = broken
    with pytest.raises(RuntimeError, match="a bug"):
        desk.poll(A)


def test_results_of_a_source_are_bounded(desk: Desk) -> None:
    desk.web.pages[A] = feed("One story")
    for _ in range(60):
        desk.poll(A)
    with desk.engine.store.reading() as unit:
        assert len(unit.polls.list_results("a.example/feed")) == 50


FAULTS = {
    "timeout": FetchFailed("timeout", "no answer in 30 s", retryable=True),
    "reset": FetchFailed("reset", "the connection was reset", retryable=True),
    "redirects": FetchFailed("redirects", "redirects in a circle"),
    "status": failed(500),
    "gone": failed(410),
    "not_a_feed": b"\x00\xff garbage",
}


def test_three_hundred_feeds_with_faults(desk: Desk) -> None:
    """Each gets an outcome; what works is stored once; a second round asks only what may be asked."""
    expected = {}
    for n in range(300):
        url = f"https://h{n % 40}.example/feed{n}"
        expected[url] = list(FAULTS)[n % 12] if n % 12 < len(FAULTS) else "ok"
        desk.web.pages[url] = FAULTS.get(expected[url], answer(url, feed(f"A story only feed {n} tells"), etag='"1"'))
    steps = desk.poll(*expected)
    assert polled(steps) == expected
    assert len(titles(steps)) == 150
    assert sorted(desk.web.urls()) == sorted(expected)
    again = desk.poll(*expected)
    assert set(polled(again).values()) == {"unchanged", "not_a_feed"}
    assert sum(isinstance(step, Skipped) for step in again) == 125


def test_a_busy_host_is_left_alone_for_the_rest_of_the_run(desk: Desk) -> None:
    urls = [f"https://busy.example/feed{n}" for n in range(5)]
    desk.web.pages = dict.fromkeys(urls, failed(429, retry_after=3600))
    steps = desk.poll(*urls)
    assert sorted(polled(steps).values()) == ["on-hold"] * 4 + ["status"]
    assert len(desk.web.urls()) == 1
    assert all(desk.state(url).hold_until == desk.clock() + timedelta(hours=1) for url in urls)


# --- service ------------------------------------------------------------------------------------


def test_a_service_sleeps_until_something_is_due(desk: Desk) -> None:
    desk.web.pages = {A: answer(A, feed("One story"), etag='"1"'), B: failed(500)}
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        desk.pass_time(seconds)

    poller = desk.poller(due_only=True)
    steps = list(run_service(poller, [A, B], sleep, lambda: len(slept) >= 4))
    assert desk.web.urls().count(A) == 2
    assert [s.result.outcome for s in steps if isinstance(s, Polled) and s.where == A] == ["ok", "unchanged"]
    assert 270 <= slept[0] <= 330
    assert all(seconds <= 900 for seconds in slept)


def test_a_service_remembers_what_a_list_named(desk: Desk) -> None:
    """The list is asked at its own times, its feeds at theirs; a new process asks the list first."""
    opml = "https://lists.example/mine.opml"
    desk.web.pages[opml] = f'<opml><body><outline xmlUrl="{A}"/><outline xmlUrl="{B}"/></body></opml>'.encode()
    desk.web.pages |= {A: feed("One story"), B: failed(500)}
    poller = desk.poller(due_only=True)
    list(poller.poll([opml]))
    assert sorted(desk.web.urls()) == [A, B, opml]
    desk.pass_time(340)
    list(poller.poll([opml]))
    assert desk.web.urls() == [B]
    list(desk.poller(due_only=True).poll([opml]))
    assert desk.web.urls() == [opml]


def test_a_service_stops_between_results(desk: Desk) -> None:
    desk.web.pages = {A: feed("One story")}
    stopped = []
    poller = replace(desk.poller(due_only=True), stop=lambda: bool(stopped))
    for step in run_service(poller, [A], lambda _: pytest.fail("slept after stop"), lambda: bool(stopped)):
        if isinstance(step, Polled):
            stopped.append(1)
    assert desk.state().last.outcome == "ok"


def test_sleep_is_at_most_the_shortest_interval(desk: Desk) -> None:
    assert sleep_s(desk.poller()) == 900


# --- places -------------------------------------------------------------------------------------


def test_places(desk: Desk, tmp_path: pytest.TempPathFactory) -> None:
    folder = str(tmp_path)
    opml, empty, items = f"{folder}/mine.opml", f"{folder}/empty.opml", f"{folder}/a.jsonl"
    with open(opml, "w", encoding="utf-8") as file:
        file.write(f'<opml><body><outline text="x"><outline xmlUrl="{A}"/></outline></body></opml>')
    with open(empty, "w", encoding="utf-8") as file:
        file.write("<opml><body/></opml>")
    with open(items, "w", encoding="utf-8") as file:
        file.write('{"title": "A story from a list"}\n')
    places = sort_places([opml, items, B, empty])
    assert (places.addresses, places.files, [s.where for s in places.skipped]) == ((A, B), (items,), [empty])
    desk.web.pages = {A: feed("One story"), B: feed("Told by the second")}
    steps = list(run_places(desk.engine, [opml, items, B], JobOptions(), None, desk.poller()))
    assert len(titles(steps)) == 3
    without = list(run_places(desk.engine, [B], JobOptions(), None, None))
    assert [s.code for s in without if isinstance(s, Skipped)] == ["address"]
