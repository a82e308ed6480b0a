"""`evaluate replay` from the outside: tables, JSON, exit codes, and what is left behind."""

from __future__ import annotations

import json
import re
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

BRIDGE, OPERA = "Crack in the third pier of the bridge", "The opera opens its doors on Friday"
EARLY, LATE = "0000_1780000000.json", "0001_1780086400.json"
SPEC = {
    "pairs", "found", "same", "wrong_merges", "different", "silent_merges", "reviews", "review_rows", "records",
    "review_share", "by_feed",
}  # fmt: skip


def item(number: int, title: str) -> dict[str, str]:
    return {"id": f"the id {number}", "url": f"https://news.example/{number}", "title": title}


def snapshot(folder: Path, feed: str, name: str, *items: dict[str, str]) -> None:
    (folder / feed).mkdir(parents=True, exist_ok=True)
    document = {"version": "https://jsonfeed.org/version/1.1", "title": "News", "items": items}
    (folder / feed / name).write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")


def label(name: str, a: tuple[str, dict[str, str]], b: tuple[str, dict[str, str]], expect: str) -> dict[str, Any]:
    def entry(place: tuple[str, dict[str, str]]) -> dict[str, Any]:
        file, fields = place
        return {"file": file, "guid": fields["id"], "link": fields["url"], "title": fields["title"]}

    return {"id": name, "feed": "news", "a": entry(a), "b": entry(b), "expect": expect, "accept": [], "kind": "any"}


@pytest.fixture
def histories(tmp_path: Path) -> Path:
    """Two feeds; in the second snapshot of one a title has changed."""
    folder = tmp_path / "histories"
    snapshot(folder, "news", EARLY, item(1, BRIDGE), item(2, OPERA))
    snapshot(folder, "news", LATE, item(1, f"{BRIDGE}, again"), item(2, OPERA))
    snapshot(folder, "other", LATE, item(3, "Night ferry to the island"))
    return folder


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    """A pair of one article, which is found; one that is missed; and one that is joined and should not be."""
    retitled = (EARLY, item(1, BRIDGE)), (LATE, item(1, f"{BRIDGE}, again"))
    apart = (EARLY, item(1, BRIDGE)), (LATE, item(2, OPERA))
    rows = [label("found", *retitled, "update"), label("missed", *apart, "duplicate"), label("bad", *retitled, "new")]
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def replay(run: Run, *arguments: object, code: int = 0) -> dict[str, Any]:
    shown = run("evaluate", "replay", *map(str, arguments), "--json", code=code).stdout
    (line,) = shown.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_json_holds_every_figure(run: Run, histories: Path, gold: Path) -> None:
    report = replay(run, histories, "--gold", gold)
    assert report.keys() >= SPEC
    assert (report["pairs"], report["same"], report["found"], report["different"]) == (3, 2, 1, 1)
    assert (report["wrong_merges"], report["silent_merges"], report["not_found_rows"]) == (1, 0, 0)
    assert report["rows"] == {"wrong": ["bad"], "silent": [], "missed": ["missed"], "not_found": []}
    assert (report["records"], report["reviews"], report["review_share"]) == (3, 0, 0.0)
    news = report["by_feed"]["news"]
    assert (news["new"], news["updates"], news["duplicates"]) == (2, {"title_changed": 1}, {"seen_again": 1})


def test_without_labels_their_figures_are_null_even_if_a_file_of_labels_lies_there(
    run: Run, histories: Path, gold: Path
) -> None:
    gold.rename(histories / "pairs.jsonl")
    report = replay(run, histories)
    assert [name for name in SPEC if report[name] is None] != []
    assert {"reviews", "records", "review_share", "by_feed"} == {name for name in SPEC if report[name] is not None}


def test_every_figure_is_on_the_page(run: Run, histories: Path, gold: Path, repository: Path) -> None:
    page = (repository / "docs/how-to/measure-on-real-feeds.md").read_text(encoding="utf-8").split("## For programs")[1]
    report = replay(run, histories, "--gold", gold)
    names = {*report, *report["by_feed"]["news"], *report["rows"], *report["by_kind"]["any"], *report["review_rows"]}
    assert {name for name in names if f"`{name}`" not in page} == set()


def test_tables_for_people(run: Run, histories: Path, gold: Path) -> None:
    shown = run("evaluate", "replay", str(histories), "--gold", str(gold)).stdout
    assert "news: 2 snapshots, 4 entries" in shown
    assert re.search(r"update +1 +title_changed 1", shown)
    assert re.search(r"found +1 of 2 +9\.\d% to 90\.\d%", shown)
    assert re.search(r"wrong merges +1 of 1", shown)
    lines = shown.splitlines()
    wrong, missed = (next(line for line in lines if line.startswith(f" {what}  ")) for what in ("wrong", "missed"))
    assert BRIDGE in wrong
    assert OPERA in missed
    assert shown.index(wrong) < shown.index(missed), "the gravest first"
    assert "3 snapshots with 5 entries" in shown


def test_more_than_twenty_failures_are_counted(run: Run, histories: Path, gold: Path) -> None:
    row = json.loads(gold.read_text(encoding="utf-8").splitlines()[1])
    lines = [json.dumps({**row, "id": f"row {number}"}) for number in range(25)]
    gold.write_text("\n".join(lines), encoding="utf-8")
    shown = run("evaluate", "replay", str(histories), "--gold", str(gold)).stdout
    assert len(re.findall(r"^ missed +row", shown, re.MULTILINE)) == 20
    assert "and 5 more; --json lists them all" in shown


def test_an_archive_gives_the_same_report(run: Run, histories: Path, gold: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain.tar"
    with tarfile.open(plain, "w") as tar:
        tar.add(histories, "replay")
    packed = tmp_path / "feeds.tar.zst"
    packed.write_bytes(zstd.compress(plain.read_bytes()))
    reports = [replay(run, place, "--gold", gold) for place in (histories, plain, packed)]
    assert all({**report, "seconds": 0} == {**reports[0], "seconds": 0} for report in reports)


def test_nothing_is_left_behind_but_what_is_kept(run: Run, histories: Path, tmp_path: Path) -> None:
    before = set(tmp_path.rglob("*"))
    replay(run, histories)
    assert set(tmp_path.rglob("*")) == before
    replay(run, histories, "--keep", "kept.db")
    assert set(tmp_path.rglob("*")) == {*before, tmp_path / "kept.db"}
    assert "title_changed" in run("list", "--db", "kept.db").stdout
    again = run("evaluate", "replay", str(histories), "--keep", "kept.db", code=2)
    assert "kept.db: is there already" in again.stderr


def test_policy_and_rules_apply(run: Run, histories: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('version = "mine"', encoding="utf-8")
    replay(run, histories, "--policy", "mine.toml", "--keep", "kept.db")
    decisions = run("list", "--json", "--db", "kept.db").stdout.splitlines()
    assert {json.loads(line)["policy_version"] for line in decisions} == {"mine"}
    (tmp_path / "bad.toml").write_text('version = "bad"\nnonsense = 1', encoding="utf-8")
    run("evaluate", "replay", str(histories), "--policy", "bad.toml", code=2)


def test_what_cannot_be_read_is_told_and_the_rest_is_done(run: Run, histories: Path, gold: Path) -> None:
    (histories / "news" / "0002_1780090000.xml").write_text("<html></html>", encoding="utf-8")
    (histories / "other" / "now.xml").touch()
    done = run("evaluate", "replay", str(histories), code=1)
    assert "error: news/0002_1780090000.xml: " in done.stderr
    assert "error: other/now.xml: its name gives no time" in done.stderr
    assert "3 snapshots with 5 entries" in done.stdout


def test_labels_that_name_nothing_there_are_told(run: Run, histories: Path, gold: Path) -> None:
    (histories / "news" / EARLY).unlink()
    lines = gold.read_text(encoding="utf-8").splitlines()
    own = label("own", (LATE, item(2, OPERA)), (LATE, item(2, OPERA)), "duplicate")
    gold.write_text("\n".join([*lines, json.dumps(own)]), encoding="utf-8")
    done = run("evaluate", "replay", str(histories), "--gold", str(gold), code=1)
    assert "3 of the pairs name an entry that the snapshots do not hold" in done.stderr
    assert f"the first is found, of news/{EARLY} and news/{LATE}" in done.stderr
    assert re.search(r"found +1 of 1 ", done.stdout)
    report = replay(run, histories, "--gold", gold, code=1)
    assert (report["not_found_rows"], report["pairs"], report["same"], report["found"]) == (3, 4, 3, 1)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("gone", None, "there is no such folder or archive; give a folder"),
        ("notes.tar.zst", b"notes", "no tar archive, or a broken one"),
        ("empty", b"", "no tar archive, or a broken one"),
    ],
)
def test_a_place_that_is_none(name: str, content: bytes | None, message: str, run: Run, tmp_path: Path) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    done = run("evaluate", "replay", name, code=2)
    assert f"error: {name}: {message}" in done.stderr
    assert done.stdout == ""


def test_a_folder_without_snapshots_says_what_is_expected(run: Run, tmp_path: Path) -> None:
    (tmp_path / "feeds" / "news").mkdir(parents=True)
    (tmp_path / "feeds" / "news" / "feed.xml").touch()
    done = run("evaluate", "replay", "feeds", code=2)
    assert "error: feeds: holds no snapshots; expected a folder per feed" in done.stderr


def test_a_bad_label_is_told_with_its_line(run: Run, histories: Path, gold: Path) -> None:
    gold.write_text(gold.read_text(encoding="utf-8") + "\n{}", encoding="utf-8")
    done = run("evaluate", "replay", str(histories), "--gold", str(gold), code=2)
    assert "pairs.jsonl:5: feed must be a text" in done.stderr


def test_text_from_outside_is_made_harmless(run: Run, tmp_path: Path) -> None:
    evil = "Bridge \x1b[31mred\u202e story https://ann:pw@news.example/"
    feed = "ne\x1b[2Jws [bold]"
    folder = tmp_path / "histories"
    snapshot(folder, feed, EARLY, item(1, evil), item(2, OPERA))
    (folder / feed / "now\x1b[2J.xml").touch()
    row = {**label("\x1b[5m", (EARLY, item(1, evil)), (EARLY, item(2, OPERA)), "duplicate"), "feed": feed}
    (tmp_path / "pairs.jsonl").write_text(json.dumps(row), encoding="utf-8")
    done = run("evaluate", "replay", str(folder), "--gold", "pairs.jsonl", code=1)
    for text in (done.stdout, done.stderr):
        assert not {"\x1b", "\u202e"} & set(text)
        assert "pw@" not in text
    assert "ne\\x1b[2Jws [bold]: 1 snapshots" in done.stdout


def test_help_teaches_with_an_example_and_names_the_exit_codes(run: Run) -> None:
    shown = run("evaluate", "replay", "--help").stdout
    assert shown.startswith("Usage: seenbefore evaluate replay [OPTIONS] DIR|ARCHIVE.tar.zst")
    assert "Examples:" in shown
    assert "Exit codes:" in shown
    assert "evaluate replay" in run("evaluate", "--help").stdout
