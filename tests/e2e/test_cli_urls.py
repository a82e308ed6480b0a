"""`urls explain` and `evaluate urls` from the outside: for people, as JSON, with rules of one's own, and masked."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run

A, B, C = (
    "https://news.example/story/7",
    "http://www.news.example/story/7/a-title/?utm_source=x",
    "https://news.example/story/8",
)
PACK = """
pack = "mine"
version = 2
[[rule]]
id = "mine-story"
kind = "identity"
hosts = ["news.example"]
match = ["/story/{story:digits}[/{any}]"]
value = "news:{story}"
reason = "the number is the story"
fact = "short links"
must_match = [["https://news.example/story/7", "https://news.example/story/7/b"],
              ["https://news.example/story/8", "https://news.example/story/8/b"]]
must_not_match = [["https://news.example/story/7", "https://news.example/story/8"],
                  ["https://news.example/story/7", "https://news.example/stories/7"]]
"""


@pytest.fixture
def pack(tmp_path: Path) -> str:
    (tmp_path / "mine.toml").write_text(PACK, encoding="utf-8")
    return "mine.toml"


def as_json(run: Run, *arguments: str) -> dict[str, Any]:
    (line,) = run(*arguments, "--json").stdout.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


# --- one address --------------------------------------------------------------------------------


def test_one_address_is_explained_in_numbered_steps(run: Run, pack: str, tmp_path: Path) -> None:
    lines = run("urls", "explain", f"{B}#top", "--rules", pack).stdout.splitlines()
    assert lines[:5] == [
        f"original  {B}#top",
        "url       http://news.example/story/7/a-title",
        "url_near  news.example/story/7/a-title",
        f"fetch     {B}#top",
        "claim     news:7  (strong id; rule mine-story of mine@2)",
    ]
    steps = [line.partition(". ") for line in lines[6:]]
    assert [number for number, _, _ in steps] == ["1", "2", "3", "4", "5"]
    told = {text for _, _, text in steps}
    assert "www. before the host went." in told
    assert "It is read as news:7, an id of the site. By rule mine-story of mine@2: the number is the story" in told
    assert list(tmp_path.glob("*.db")) == [], "no database is needed, and none is made"


def test_json_says_the_same_to_programs(run: Run, pack: str) -> None:
    told = as_json(run, "urls", "explain", B, "--rules", pack)
    assert told["original"] == B
    assert told["near"] == "news.example/story/7/a-title"
    assert told["claims"][0] == {
        "value": "news:7",
        "strength": "strong",
        "reads": "id",
        "rule": "mine-story",
        "pack": "mine",
        "pack_version": 2,
    }
    assert told["rules_version"].endswith("mine@2")
    assert [step["pack_version"] for step in told["steps"] if step["rule"] == "mine-story"] == [2]


def test_every_field_of_the_json_is_in_the_help(run: Run, pack: str) -> None:
    shown = run("urls", "explain", "--help").stdout
    pair = as_json(run, "urls", "explain", A, C, "--rules", pack)
    names = {*pair, *pair["a"], *pair["a"]["claims"][0], *pair["a"]["steps"][0]}
    names |= {*pair["conflicts"][0], *pair["differences"][0]}
    assert {name for name in names if not re.search(rf"\b{name}\b", shown)} == set()


def test_secrets_are_masked_for_people_only(run: Run) -> None:
    secret = "https://ann:pass1@a.example/x?token=pass2&page=2"
    for arguments in ((secret,), (secret, "https://a.example/x?token=pass3"), ("ftp://ann:pass4@a.example/x", "n/a")):
        shown = run("urls", "explain", *arguments).stdout
        assert not re.search(r"pass\d", shown)
        assert "***" in shown
    assert "pass2" in run("urls", "explain", secret, "--unmasked").stdout
    told = as_json(run, "urls", "explain", secret)
    assert (told["original"], told["secret_in_url"]) == (secret, True)


def test_steering_characters_are_shown_not_sent(run: Run) -> None:
    shown = run("urls", "explain", "https://a.example/\u202ex\x1b[31m", "n/a \x1b[2J").stdout
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert r"\u202e" in shown


def test_what_is_no_address_stands_for_itself(run: Run) -> None:
    shown = run("urls", "explain", "page 12").stdout
    assert "url       page 12" in shown
    assert "url_near" not in shown
    assert "1. It stands for itself: " in shown


def test_a_pack_that_does_not_hold_ends_with_2(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text(PACK.replace("/story/{story:digits}", "/tale/{story:digits}"), encoding="utf-8")
    assert "mine-story" in run("urls", "explain", A, "--rules", "bad.toml", code=2).stderr
    run("urls", "explain", A, "--rules", "none.toml", code=2)
    run("urls", "explain", code=2)
    run("urls", "explain", A, B, C, code=2)


# --- two addresses ------------------------------------------------------------------------------


def test_two_addresses_stand_side_by_side_with_the_answer(run: Run, pack: str) -> None:
    shown = run("urls", "explain", A, B, "--rules", pack).stdout
    assert re.search(r"first +second", shown)
    assert re.search(r"url_near +news\.example/story/7 +news\.example/story/7/a-title", shown)
    assert shown.splitlines()[-2:] == [
        "One page",
        "  Both are news:7, an id of the site, by rule mine-story of mine@2.",
    ]


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (C, "Ids of news differ: news:7 and news:8."),
        ("https://other.example/story/7", "The host differs: news.example and other.example"),
        (f"{A}?page=2", "Only the second has the parameter page: ?page=2"),
    ],
)
def test_two_pages_say_what_differs(run: Run, pack: str, other: str, why: str) -> None:
    assert run("urls", "explain", A, other, "--rules", pack).stdout.splitlines()[-2:] == ["Two pages", f"  {why}"]


def test_without_the_rule_the_answer_is_another_one(run: Run, pack: str) -> None:
    assert as_json(run, "urls", "explain", A, B, "--rules", pack)["same"] is True
    without = as_json(run, "urls", "explain", A, B)
    assert (without["same"], without["reason"]) == (False, "nothing_shared")
    assert (without["a"]["original"], without["b"]["original"]) == (A, B)


# --- labeled pairs ------------------------------------------------------------------------------


@pytest.fixture
def pairs(tmp_path: Path) -> str:
    """Right without the pack: 1 of 3; with it all."""
    lines = [
        "url_a\turl_b\tlabel\tcategory\tnote",
        f"{A}\t{B}\tsame\tstories\tfree words",
        f"{A}\t{C}\tdifferent\tstories\t",
        f"{A}?token=pass1\t{A}/b?token=pass1\tsame\tsecrets\t",
    ]
    (tmp_path / "pairs.tsv").write_text("\n".join(lines), encoding="utf-8")
    return "pairs.tsv"


def test_pairs_are_counted_per_category_and_listed(run: Run, pairs: str, pack: str) -> None:
    shown = run("evaluate", "urls", pairs).stdout
    assert re.search(r"category +right +false merges +missed", shown)
    assert re.search(r"stories +1 of 2 +0 of 1 +1 of 1", shown)
    assert re.search(r"secrets +0 of 1 +0 of 0 +1 of 1", shown)
    assert re.search(r"missed +2 +stories .* free words", shown)
    assert re.search(r"right +1 of 3 +6\.2% to 79\.2%", shown)
    assert "pass1" not in shown
    assert re.search(r"right +2 of 3", run("evaluate", "urls", pairs, "--rules", pack).stdout)


def test_pairs_as_json(run: Run, pairs: str, pack: str) -> None:
    told = as_json(run, "evaluate", "urls", pairs)
    assert {name: told[name] for name in ("pairs", "right", "false_merges", "missed")} == {
        "pairs": 3,
        "right": 1,
        "false_merges": 0,
        "missed": 2,
    }
    assert [row["line"] for row in told["wrong"]] == [2, 4]
    assert told["by_category"]["secrets"]["missed"] == 1
    assert as_json(run, "evaluate", "urls", pairs, "--rules", pack)["missed"] == 1


def test_every_figure_of_the_pairs_is_in_the_help(run: Run, pairs: str) -> None:
    shown = run("evaluate", "urls", "--help").stdout
    told = as_json(run, "evaluate", "urls", pairs)
    names = {*told, *told["wrong"][0], *told["by_category"]["secrets"], *told["intervals"]}
    assert {name for name in names if not re.search(rf"\b{name}\b", shown)} == set()


def test_nothing_wrong_shows_no_list_and_no_category_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text(f"url_a\turl_b\tlabel\n{A}\t{A}\tsame\n", encoding="utf-8")
    shown = run("evaluate", "urls", "pairs.tsv").stdout
    assert "went wrong" not in shown
    assert re.search(r"\(none\) +1 of 1", shown)


def test_more_than_twenty_wrong_pairs_are_counted(run: Run, tmp_path: Path) -> None:
    rows = [f"{A}\thttps://a.example/{number}\tsame" for number in range(23)]
    (tmp_path / "pairs.tsv").write_text("\n".join(["url_a\turl_b\tlabel", *rows]), encoding="utf-8")
    shown = run("evaluate", "urls", "pairs.tsv").stdout
    assert len(re.findall(r"^ missed +\d+ +https", shown, re.MULTILINE)) == 20
    assert "and 3 more; --json lists them all" in shown


def test_a_file_of_pairs_that_is_wrong_ends_with_2(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pairs.tsv").write_text(f"url_a\turl_b\tlabel\n{A}\t{B}\tmaybe\n", encoding="utf-8")
    assert "pairs.tsv:2: label must be same or different" in run("evaluate", "urls", "pairs.tsv", code=2).stderr
