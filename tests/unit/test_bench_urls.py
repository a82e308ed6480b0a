"""The benchmark of addresses: distinct addresses that rules still apply to, counts that add up, a page of its own."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

import pytest

from seenbefore.evaluate.urls import UrlPair
from seenbefore.rules import compile_rules, load_rules, parse_pack, shipped_packs
from seenbefore.urls import identify, url_key

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The script; it is part of no wheel."""
    if not BENCHMARKS.is_dir():
        pytest.skip("this checkout has no benchmarks")
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    yield importlib.import_module("urls")
    sys.modules.pop("urls", None)


PAIRS = [
    UrlPair("https://a.example/story/10/words-of-a-title?utm_source=rss", "https://a.example/story/10", True),
    UrlPair("https://a.example/", "https://b.example/x?v=dQw4w9WgXcQ#top", False),
    UrlPair("//c.example/%E6%9D%B1/a%2Fb", "n/a", False),
]


def test_addresses_are_distinct_and_stay_on_their_hosts(bench: ModuleType) -> None:
    urls = bench.make_urls(PAIRS, 2_000)
    assert len(set(urls)) == len(urls) == 2_000
    assert urls == bench.make_urls(PAIRS, 2_000), "the same on every machine"
    assert urls[:6] == [url for pair in PAIRS for url in (pair.url_a, pair.url_b)]
    assert {urlsplit(url).netloc for url in urls} - {""} == {"a.example", "b.example", "c.example"}
    assert all(url.count("%") == 4 for url in urls if "c.example" in url)


def test_rules_still_apply_to_most_of_the_addresses_made(bench: ModuleType) -> None:
    rules = load_rules()
    pairs = bench.pairs_of_packs(shipped_packs())
    made = bench.make_urls(pairs, 6 * len(pairs))
    shares = [
        sum(bool(identify(url, rules).claims) for url in part) / len(part)
        for part in (made[: len(pairs)], made[-len(pairs) :])
    ]
    assert shares[1] > 0.6 * shares[0]


def test_pairs_of_packs_leave_hints_out(bench: ModuleType) -> None:
    rule = """
        [[rule]]
        id = "{id}"
        kind = "identity"
        hosts = ["a.example"]
        match = ["/{{x:digits}}"]
        value = "a:{{x}}"
        strength = "{strength}"
        reason = "why"
        fact = "made up"
        must_match = [["https://a.example/1", "http://a.example/1"], ["https://a.example/2", "http://a.example/2"]]
        must_not_match = [["https://a.example/1", "https://a.example/2"], ["https://a.example/1", "https://a.example/3"]]
        """
    text = (
        'pack = "p"\nversion = 1\n'
        + rule.format(id="p-id", strength="strong")
        + rule.format(id="p-hint", strength="near")
    )
    pairs = bench.pairs_of_packs([parse_pack("p.toml", text)])
    assert [pair.is_same for pair in pairs] == [True, True, False, False]


def test_scores_count_what_is_wrong_and_what_raises(bench: ModuleType) -> None:
    def raises_on_text(url: str) -> str:
        if ":" not in url:
            raise ValueError(url)
        return url.partition("?")[0].lower()

    pairs = [
        UrlPair("https://a.example/x?p=1", "https://a.example/x", True),
        UrlPair("https://a.example/X", "https://a.example/x", False),
        UrlPair("n/a", "https://a.example/", True),
        UrlPair("n/a", "see page 12", False),
    ]
    found = bench.score("peer", raises_on_text, pairs, compile_rules([]))
    assert {name: found[name] for name in ("right", "false_merges", "different", "missed", "same", "raised")} == {
        "right": 2,
        "false_merges": 1,
        "different": 2,
        "missed": 1,
        "same": 2,
        "raised": 3,
    }
    ours = bench.score("identify", identify, pairs, compile_rules([]))
    assert (ours["false_merges"], ours["missed"]) == (0, 2)


def test_the_rules_of_made_up_packs_work(bench: ModuleType) -> None:
    rules = compile_rules(bench.made_up_packs(3))
    assert [claim.value for claim in identify("https://www.site-2.example/story/7/words?from=x", rules).claims] == [
        "site-2:7"
    ]
    assert identify("https://site-3.example/story/7", rules).claims == ()


def test_hostile_addresses_are_as_long_as_they_say(bench: ModuleType) -> None:
    for length in (300, 8_000):
        for name, url in bench.hostile_urls(length).items():
            assert 0.9 * length < len(url) <= length, name
            assert len(identify(url).key) <= 8_192
            assert identify(url).key == url_key(url), name


def test_a_small_run_ends_with_every_figure(bench: ModuleType) -> None:
    command = [sys.executable, "urls.py", "--quick", "--urls", "300", "--repeats", "1", "--json"]
    done = subprocess.run(command, cwd=BENCHMARKS, capture_output=True, text=True, check=True, timeout=120)
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])["urls_quick"]
    assert figures["urls"] == 300
    assert figures["speeds"].keys() == figures["accuracy"].keys() == figures["versions"].keys()
    assert {"identify", "url_key"} <= figures["speeds"].keys()
    assert {*figures["speeds"], *figures["absent"]} == {"identify", "url_key", *bench.PEERS}
    for score in figures["accuracy"].values():
        assert score["same"] + score["different"] == figures["pairs"]
        assert score["right"] == figures["pairs"] - score["false_merges"] - score["missed"]
    section = bench.page_section(figures)
    assert bench.markdown_table(bench.COLUMNS, bench.rows(figures)) in section
    assert "300 addresses made from" in section


def test_without_w3lib_nothing_is_beside_it(bench: ModuleType) -> None:
    speed = {"urls_per_second": 100_000, "slowest": 90_000, "fastest": 110_000}
    score = {"right": 2, "false_merges": 0, "different": 1, "missed": 0, "same": 1, "interval": [0.3, 1.0], "raised": 0}
    names = ("identify", "url_key")
    figures = {
        "pairs": 2,
        "speeds": dict.fromkeys(names, speed),
        "accuracy": dict.fromkeys(names, score),
        "versions": dict.fromkeys(names, "1"),
        "many_packs": {"ratio": 1.2},
        "hostile": {"slowest_ms": 3.0},
    }
    assert [row[4] for row in bench.rows(figures)] == [None, None]
    assert [met for *_, met in bench.floors(figures)] == [True, False, False, True]


def test_the_page_has_the_newest_figures(bench: ModuleType, repository: Path) -> None:
    kept = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((BENCHMARKS / "results").glob("*.json"))]
    newest = next((found["urls"] for found in reversed(kept) if "urls" in found), None)
    page = (repository / "docs" / "reference" / "performance.md").read_text(encoding="utf-8")
    assert "<!-- begin urls -->" in page
    if newest is not None:
        assert bench.markdown_table(bench.COLUMNS, bench.rows(newest)) in page
