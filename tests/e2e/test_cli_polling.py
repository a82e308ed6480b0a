"""``seenbefore ingest`` on addresses: against a server on loopback that plays several hosts."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from seenbefore.fetch.client import FetchPolicy, SafeFetcher

from .conftest import Run, Start, lines_of, outcomes
from .loopback import HANG, RESET, LoopbackFetcher, Site, serving

FAST = ("--host-delay", "0")


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    with serving(Site()) as served:
        monkeypatch.setattr("seenbefore.cli.ingest.open_fetcher", lambda _: LoopbackFetcher(served.port))
        yield served


def polls(text: str) -> dict[str, str]:
    return {line["poll"]["url"]: line["poll"]["outcome"] for line in lines_of(text) if "poll" in line}


def decisions(text: str) -> list[str]:
    return outcomes("".join(f"{line}\n" for line in text.splitlines() if '"poll":' not in line))


def opml(tmp_path: Path, *addresses: str) -> str:
    outlines = "".join(f'<outline type="rss" xmlUrl="{address}"/>' for address in addresses)
    path = tmp_path / "feeds.opml"
    path.write_text(f"<opml><body><outline text='all'>{outlines}</outline></body></opml>", encoding="utf-8")
    return str(path)


def test_a_feed_is_polled_twice(run: Run, site: Site) -> None:
    site.feed("news.example/feed", "Crack in the third pier")
    first = run("ingest", "http://news.example/feed", "--json", *FAST)
    assert decisions(first.stdout) == ["new/first_seen"]
    assert polls(first.stdout) == {"http://news.example/feed": "ok"}
    second = run("ingest", "http://news.example/feed", "--json", *FAST)
    assert polls(second.stdout) == {"http://news.example/feed": "unchanged"}
    assert site.asked == [("news.example/feed", ""), ("news.example/feed", '"1"')]
    poll = lines_of(second.stdout)[0]["poll"]
    assert (poll["status"], poll["source"], poll["new"]) == (304, "http://news.example/feed", 0)
    assert poll["next_at"] > poll["at"]
    assert "1 address asked: 1 unchanged" in second.stderr


def test_outcomes_reach_the_screen_the_exit_code_and_stats(run: Run, site: Site, tmp_path: Path) -> None:
    site.feed("a.example/feed", "Crack in the third pier")
    site.pages["page.example/"] = (
        200, {}, b'<html><head><link rel="alternate" type="application/atom+xml" href="/atom"></head></html>',
    )  # fmt: skip
    site.pages["gone.example/feed"] = (410, {}, b"")
    site.pages["busy.example/feed"] = (429, {"Retry-After": "3600"}, b"")
    hosts = ("a.example/feed", "page.example/", "gone.example/feed", "busy.example/feed", "none.example/feed")
    path = opml(tmp_path, *(f"http://{place}" for place in hosts))
    result = run("ingest", path, *FAST, code=1)
    assert (
        "http://page.example/: not_a_feed: no feed, but an HTML page; it names http://page.example/atom"
        in result.stderr
    )
    assert "http://gone.example/feed: gone: the server answered 410; asked again only with --force" in result.stderr
    assert "5 addresses asked: 1 gone, 1 not_a_feed, 1 not_found, 1 ok, 1 status" in result.stderr
    shown = run("stats").stdout
    assert "Polled addresses" in shown
    assert "only with --force" in shown
    stats = {poll["url"]: poll for poll in json.loads(run("stats", "--json").stdout)["polls"]}
    assert {url: poll["outcome"] for url, poll in stats.items()} == {
        "http://a.example/feed": "ok",
        "http://page.example/": "not_a_feed",
        "http://gone.example/feed": "gone",
        "http://busy.example/feed": "status",
        "http://none.example/feed": "not_found",
    }
    assert stats["http://gone.example/feed"]["next_at"] is None
    assert [p["url"] for p in json.loads(run("stats", "--json", "--source", "s1").stdout)["polls"]] == [
        "http://a.example/feed"
    ]
    site.asked.clear()
    again = run("ingest", path, *FAST, code=1)
    assert "not asked before" in again.stderr
    assert "hint: --force asks all the same" in again.stderr
    assert {place for place, _ in site.asked} == {"a.example/feed", "page.example/"}
    site.asked.clear()
    run("ingest", path, *FAST, "--force", code=1)
    assert len(site.asked) == 5
    site.asked.clear()
    run("ingest", path, *FAST, "--due")
    assert site.asked == []


def test_a_permanent_redirect_makes_one_source(run: Run, site: Site) -> None:
    site.pages["old.example/feed"] = (301, {"Location": "http://new.example/feed"}, b"")
    site.feed("new.example/feed", "Crack in the third pier")
    run("ingest", "http://old.example/feed", *FAST)
    result = run("ingest", "http://new.example/feed", "--json", *FAST)
    assert decisions(result.stdout) == ["duplicate/seen_again"]
    assert [s["name"] for s in json.loads(run("stats", "--json").stdout)["sources"]] == ["http://old.example/feed"]


def test_hosts_side_by_side_but_never_two_requests_to_one(run: Run, site: Site, tmp_path: Path) -> None:
    site.seconds = 0.01
    places = [f"h{n % 12}.example/feed{n}" for n in range(60)]
    for place in places:
        site.feed(place, f"A story that only {place} tells")
    result = run("ingest", opml(tmp_path, *(f"http://{place}" for place in places)), "--json", *FAST)
    assert len(polls(result.stdout)) == 60
    assert decisions(result.stdout) == ["new/first_seen"] * 60
    assert site.overlaps.total() == 0
    assert site.most_at_once > 2


def test_a_stopped_run_goes_on_with_what_is_due(run: Run, site: Site, tmp_path: Path) -> None:
    """The first list was all that the first run came to."""
    for n in range(4):
        site.feed(f"h{n}.example/feed", f"A story that only number {n} tells")
    run("ingest", opml(tmp_path, *(f"http://h{n}.example/feed" for n in range(2))), *FAST)
    site.asked.clear()
    result = run("ingest", opml(tmp_path, *(f"http://h{n}.example/feed" for n in range(4))), "--due", "--json", *FAST)
    assert sorted(place for place, _ in site.asked) == ["h2.example/feed", "h3.example/feed"]
    assert decisions(result.stdout) == ["new/first_seen"] * 2


def test_links_and_sitemaps(run: Run, site: Site) -> None:
    site.pages["a.example/all"] = (
        200,
        {},
        "<h2><a href='/橋'>橋の補修工事が始まる</a></h2><a href='/x'>x</a>".encode(),
    )
    found = run("ingest", "http://a.example/all", "--as", "links", "--links", "h2 a", "--json", *FAST)
    assert decisions(found.stdout) == ["new/first_seen"]
    site.pages["a.example/map.xml"] = (200, {}, b"<urlset><url><loc>http://a.example/opera</loc></url></urlset>")
    assert decisions(run("ingest", "http://a.example/map.xml", "--json", *FAST).stdout) == ["new/first_seen"]


def test_lists_in_files(run: Run, site: Site, tmp_path: Path) -> None:
    page, sitemap = tmp_path / "all.html", tmp_path / "map.xml"
    page.write_text("<h2><a href='/橋'>橋の補修工事が始まる</a></h2><a href='/x'>x</a>", encoding="utf-8")
    sitemap.write_text("<urlset><url><loc>http://a.example/opera</loc></url></urlset>")
    links = ("--as", "links", "--links", "h2 a", "--source", "http://a.example/all")
    assert decisions(run("ingest", str(page), *links, "--json").stdout) == ["new/first_seen"]
    assert decisions(run("ingest", str(sitemap), "--json").stdout) == ["new/first_seen"]
    assert site.asked == []


def test_a_dry_run_asks_and_writes_nothing(run: Run, site: Site, tmp_path: Path) -> None:
    site.feed("news.example/feed", "Crack in the third pier")
    assert "first_seen" in run("ingest", "http://news.example/feed", "--dry-run", *FAST).stdout
    assert not (tmp_path / "news.db").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("http://a.example/", "--as", "links"), "go together"),
        (("http://a.example/", "--links", "a"), "go together"),
        (("http://a.example/", "--every", "soon"), "no length of time"),
        (("http://a.example/", "--every", "5s"), "at least 60s"),
        (("http://a.example/", "--stream"), "lines of JSON"),
        (("items.jsonl", "--stream", "--as", "sitemap"), "lines of JSON"),
        (("feed.xml", "--every", "15m"), "addresses and OPML files only"),
        (("http://a.example/", "--every", "15m", "--dry-run"), "neither"),
    ],
)
def test_options_that_make_no_sense(run: Run, site: Site, arguments: tuple[str, ...], message: str) -> None:
    assert message in run("ingest", *arguments, code=2).stderr
    assert site.asked == []


SERVICE = """
import sys
sys.path.insert(0, {folder!r})
from loopback import LoopbackFetcher
import seenbefore.cli.ingest as ingest
ingest.open_fetcher = lambda _: LoopbackFetcher({port})
from seenbefore.cli import main
main()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_service_ends_cleanly(start: Start, run: Run, site: Site, number: signal.Signals) -> None:
    site.feed("news.example/feed", "Crack in the third pier")
    code = SERVICE.format(folder=str(Path(__file__).parent), port=site.port)
    process = start("ingest", "http://news.example/feed", "--every", "15m", "--json", *FAST, code=code)
    assert process.stdout is not None
    first, second = json.loads(process.stdout.readline()), json.loads(process.stdout.readline())
    assert (first["outcome"], second["poll"]["outcome"]) == ("new", "ok")
    time.sleep(0.2)
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (0, b"")
    assert b"1 address asked: 1 ok" in err
    assert json.loads(run("stats", "--json").stdout)["polls"][0]["outcome"] == "ok"


def test_the_real_fetcher(run: Run) -> None:
    with serving(Site()) as site:
        site.feed("127.0.0.1/feed", "Crack in the third pier")
        allowed = ("--allow-private", "127.0.0.0/8", "--allow-port", str(site.port), *FAST)
        address = f"http://127.0.0.1:{site.port}/feed"
        assert polls(run("ingest", address, "--json", *allowed).stdout) == {address: "ok"}
        assert polls(run("ingest", address, "--json", *allowed).stdout) == {address: "unchanged"}
        refused = run("ingest", address, "--json", *FAST, code=1)
        assert polls(refused.stdout) == {address: "refused"}
        assert len(site.asked) == 2


FAULTS = {
    "status": (500, {}, b""),
    "gone": (410, {}, b""),
    "not_found": (404, {}, b""),
    "connection": (RESET, {}, b""),
    "timeout": (HANG, {}, b""),
    "not_a_feed": (200, {"Content-Type": "text/plain"}, b"\x01\x02 garbage"),
    "redirect-loop": (302, {"Location": "/feed-circle"}, b""),
}


def test_three_hundred_feeds_with_faults(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Resets, hangs, garbage, circles, errors: the run ends, each has its outcome, and no host two requests at once."""
    expected = {}
    with serving(Site()) as site:
        policy = FetchPolicy(ports=(site.port,), private_networks=("127.0.0.0/8",), first_byte_s=0.3, idle_s=0.3)
        fetcher = SafeFetcher(policy, resolver=lambda *_: ["127.0.0.1"])
        monkeypatch.setattr("seenbefore.cli.ingest.open_fetcher", lambda _: fetcher)
        for n in range(300):
            place, fault = f"h{n % 60}.example/feed{n}", list(FAULTS)[n % 30] if n % 30 < len(FAULTS) else "ok"
            expected[f"http://h{n % 60}.example:{site.port}/feed{n}"] = fault
            if fault == "ok":
                site.feed(place, f"A story that only feed {n} tells")
            else:
                site.pages[place] = FAULTS[fault]
                site.pages[f"h{n % 60}.example/feed-circle"] = (302, {"Location": "/feed-circle2"}, b"")
                site.pages[f"h{n % 60}.example/feed-circle2"] = (302, {"Location": "/feed-circle"}, b"")
        path = opml(tmp_path, *expected)
        result = run("ingest", path, "--json", *FAST, code=1)
        assert polls(result.stdout) == expected
        assert decisions(result.stdout) == ["new/first_seen"] * sum(fault == "ok" for fault in expected.values())
        assert site.overlaps.total() == 0
        site.asked.clear()
        run("ingest", path, "--due", "--json", *FAST)
        assert site.asked == []
    stats = json.loads(run("stats", "--json").stdout)["polls"]
    assert {poll["url"]: poll["outcome"] for poll in stats} == expected
