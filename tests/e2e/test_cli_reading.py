"""`list`, `show`, `explain`, `stats`, `evaluate`, help, and what a terminal is shown."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from seenbefore.cli.app import _COMMANDS, app
from seenbefore.codes import REVIEW_REASONS

from .conftest import ARTICLE, OTHER, Run, lines_of, write_items

COMMANDS = [*([name] for name in _COMMANDS), ["evaluate", "cases"]]


@pytest.fixture
def stored(run: Run, tmp_path: Path) -> Run:
    """A database with an article that changed, another one, and one in a second source."""
    run("ingest", write_items(tmp_path / "a.jsonl", ARTICLE, OTHER))
    changed = {**ARTICLE, "title": "Third pier of the bridge is repaired"}
    elsewhere = {**OTHER, "source": "https://planet.example/feed"}
    run("ingest", write_items(tmp_path / "b.jsonl", changed, elsewhere))
    return run


def test_list_filters(stored: Run) -> None:
    def listed(*options: str) -> list[str]:
        return [d["decision_id"] for d in lines_of(stored("list", "--json", *options).stdout)]

    assert listed() == ["d1", "d2", "d3", "d4"]
    assert listed("--outcome", "update") == ["d3"]
    assert listed("--source", "news") == ["d1", "d2", "d3"]
    assert listed("--source", "s2") == listed("--source", "http://www.planet.example/feed/") == ["d4"]
    assert listed("--limit", "2") == ["d3", "d4"]
    assert listed("--limit", "1", "--source", "news") == ["d3"]
    assert listed("--since", "1h") == ["d1", "d2", "d3", "d4"]
    assert listed("--since", "2999-01-01") == []


def test_list_for_people(stored: Run) -> None:
    shown = stored("list", "--limit", "3").stdout.splitlines()
    assert shown[0].split() == ["id", "decided", "outcome", "reason", "record", "source", "title"]
    assert [line.split()[0] for line in shown[1:4]] == ["d2", "d3", "d4"]
    assert "--limit 0" in shown[4]
    assert "no decision fits" in stored("list", "--outcome", "review").stdout


def test_show_record_source_decision(stored: Run) -> None:
    record = json.loads(stored("show", "r1", "--json").stdout)
    assert record["record_id"] == "r1"
    assert record["title"] == "Third pier of the bridge is repaired"
    assert {key["kind"] for s in record["sightings"] for key in s["keys"]} >= {"url", "url_near"}
    versions = [v for s in record["sightings"] for v in s["versions"]]
    assert [v["title"] for v in versions if v["current"]] == ["Third pier of the bridge is repaired"]
    text = stored("show", "r1").stdout
    assert "https://news.example/bridge" in text
    assert "version" in text
    assert "key" in text
    source = json.loads(stored("show", "s1", "--json").stdout)
    assert (source["name"], source["trust"]) == ("news", [])
    assert "s1  news" in stored("show", "s1").stdout
    assert json.loads(stored("show", "d3", "--json").stdout)["reason"] == "title_changed"


def test_source_shows_what_lost_its_trust(run: Run, sample_feeds: Path) -> None:
    run("ingest", str(sample_feeds / "midori-city"))
    assert json.loads(run("show", "s1", "--json").stdout)["trust"]
    assert "not trusted since" in run("show", "s1").stdout


def test_explain_record_decision_address_and_pair(stored: Run) -> None:
    assert "title_changed: known article under a new title" in stored("explain", "r1").stdout
    assert "title_changed" in stored("explain", "d3").stdout
    address = "http://www.news.example/bridge?utm_source=x"
    assert stored("explain", address).stdout == stored("explain", "r1").stdout
    assert json.loads(stored("explain", address, "--json").stdout)["records"][0]["record_id"] == "r1"
    pair = stored("explain", "r1", "r2")
    assert "two records; compared: nothing decides either way\n" in pair.stdout
    assert "()" not in pair.stdout
    assert stored("explain", ARTICLE["url"], "d2").stdout == pair.stdout
    told = json.loads(stored("explain", "r1", "r2", "--json").stdout)
    assert told["same_record"] is False
    assert [r["record_id"] for r in told["records"]] == ["r1", "r2"]
    same = stored("explain", "r2", "r2")
    assert "one record" in same.stdout


def test_a_review_is_explained_as_a_review(run: Run, tmp_path: Path) -> None:
    """The reason `same_id` is known to duplicates, too, and means something else there."""
    pier = (
        "Divers found the crack in the third pier while they looked for a lost anchor. The lane above it is closed "
        "to lorries, and a ferry carries the school children. Engineers want to cast a collar of concrete around "
        "the pier before the ice comes, which costs four million."
    )
    aria = (
        "Every seat in the new upper circle has a full view, and the first night is sold out. The conductor found "
        "the score in a monastery, copied by a pupil of the composer. Tickets for the second evening go on sale on "
        "Monday, one pair for each customer, with a queue from dawn."
    )
    known = {**ARTICLE, "content": pier, "ids": {"doi": "10.1/a"}}
    other = {**OTHER, "source": "b", "content": aria, "ids": {"doi": "10.1/a"}}
    decided = lines_of(run("ingest", write_items(tmp_path / "a.jsonl", known, other), "--json").stdout)[1]
    assert (decided["outcome"], decided["reason"]) == ("review", "same_id")
    assert REVIEW_REASONS["same_id"] in run("explain", "d2").stdout


@pytest.mark.parametrize(
    "arguments",
    [["show", "r99"], ["show", "s9"], ["show", "d99"], ["show", "m9"], ["explain", "https://x.example/"],
     ["explain", "r1", "r99"], ["list", "--source", "nobody"], ["label", "r1", "r99", "same"]],
)  # fmt: skip
def test_what_is_not_stored_is_exit_code_1_with_a_hint(stored: Run, arguments: list[str]) -> None:
    result = stored(*arguments, code=1)
    assert "nothing is stored under" in result.stderr
    assert "hint:" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    "arguments",
    [["show", "bridge"], ["explain", "s1"], ["explain", "r1", "m2"], ["show", "r" + "9" * 30],
     ["label", "x", "r2", "same"], ["label", "r1", "r1", "same"], ["label", "r1", "r2", "maybe"],
     ["list", "--since", "yesterday"], ["list", "--outcome", "good"]],
)  # fmt: skip
def test_wrong_arguments_are_exit_code_2(stored: Run, arguments: list[str]) -> None:
    assert stored(*arguments, code=2).stderr


@pytest.mark.parametrize(
    "arguments", [["list"], ["stats"], ["show", "r1"], ["explain", "r1"], ["changes", "--consumer", "me"]]
)
def test_reading_makes_no_database(run: Run, tmp_path: Path, arguments: list[str]) -> None:
    assert "no such database" in run(*arguments, code=3).stderr
    assert list(tmp_path.iterdir()) == []


def test_stats(stored: Run) -> None:
    stats = json.loads(stored("stats", "--json").stdout.splitlines()[-1])
    assert stats["records"] == {"active": 2, "merged": 0, "rejected": 0}
    assert stats["last_seq"] == 4
    assert stats["reviews_waiting"] == 0
    assert {"source": "news", "outcome": "new", "reason": "first_seen", "count": 2} in stats["decisions"]
    shown = stored("stats").stdout
    assert "reviews waiting  0" in shown
    assert "first_seen" in shown


def test_evaluate_cases(run: Run, tmp_path: Path) -> None:
    entry = {"feed": "news", "url": ARTICLE["url"], "title": ARTICLE["title"]}
    cases = [
        {"id": "c1", "tags": ["scheme"], "expect": "duplicate", "stored": entry, "incoming": entry},
        {"id": "c2", "tags": ["scheme", "other"], "expect": "duplicate", "stored": entry,
         "incoming": {"feed": "news", "url": OTHER["url"], "title": OTHER["title"]}},
    ]  # fmt: skip
    path = write_items(tmp_path / "cases.jsonl", *cases)
    report = json.loads(run("evaluate", "cases", path, "--json").stdout)
    assert (report["found"], report["same_work"], report["wrong_merges"], report["exact"]) == (1, 2, 0, 1)
    assert [case["id"] for case in report["cases"]] == ["c1", "c2"]
    shown = run("evaluate", "cases", path).stdout
    assert "1 of 2" in shown
    assert "scheme" in shown
    run("evaluate", "cases", "gone.jsonl", code=2)


# --- what a terminal is shown -------------------------------------------------------------------

EVIL = "Bridge \x1b[31mred\u202e reversed \x9b0m story"
SECRET = "https://ann:pw@news.example/feed?id=7&api_key=k3y9x"


def test_steering_characters_are_escaped_everywhere_but_in_json(run: Run, tmp_path: Path) -> None:
    items = write_items(tmp_path / "a.jsonl", {**ARTICLE, "title": EVIL, "source": "ne\x1b[2Jws"})
    shown = run("ingest", items)
    texts = [shown.stdout, shown.stderr]
    for command in (["list"], ["show", "r1"], ["explain", "r1"], ["show", "s1"], ["stats"]):
        texts.append(run(*command).stdout)
    texts.append(run("changes", "--consumer", "me").stdout)
    texts.append(run("explain", "https://x\x1b[1m.example/\u202e", code=1).stderr)
    for text in texts:
        assert not {"\x1b", "\u202e", "\x9b"} & set(text)
    assert "\\x1b[31mred\\u202e" in texts[0]
    raw = run("list", "--json").stdout
    assert not {"\x1b", "\u202e", "\x9b"} & set(raw)
    assert json.loads(raw)["item"]["title"] == EVIL


def test_secrets_are_masked_unless_told_otherwise(run: Run, tmp_path: Path) -> None:
    items = write_items(tmp_path / "a.jsonl", {"source": SECRET, "url": SECRET})
    logged = run("-v", "ingest", items)
    texts = [logged.stdout, logged.stderr]
    texts += [run(*c).stdout for c in (["list"], ["show", "r1"], ["explain", "r1"], ["show", "s1"], ["stats"])]
    texts.append(run("explain", SECRET.replace("id=7", "id=8"), code=1).stderr)
    for text in texts:
        assert "k3y9x" not in text
        assert "pw@" not in text
    assert "k3y9x" in run("list", "--unmasked").stdout
    assert "k3y9x" in run("--unmasked", "show", "r1").stdout
    assert json.loads(run("list", "--json").stdout)["item"]["original_url"] == SECRET


@pytest.mark.parametrize(
    "arguments",
    [["list", "--since"], ["list", "--limit"], ["list", "--outcome"], ["list"], [], ["--db", "news.db"],
     ["changes", "--ack"], ["list", "--bad"], ["ingest", "a.xml", "--observed-at"]],
)  # fmt: skip
def test_a_wrong_command_line_does_not_repeat_secrets(stored: Run, arguments: list[str]) -> None:
    for given in (SECRET, "u:pw@news.example\x1b[31m"):
        result = stored(*arguments, given, code=2)
        assert "pw@" not in result.stderr
        assert "k3y9x" not in result.stderr
        assert "\x1b" not in result.stderr
        assert "***" in result.stderr or "--bad" in arguments
    assert "Usage: seenbefore label" in stored("label", code=2).stderr
    assert "Commands:" in stored(code=2).stderr


def test_wide_titles_stay_in_their_columns(run: Run, tmp_path: Path) -> None:
    wide = {
        "source": "港新聞とても長い名前の情報源ですから",
        "url": "https://a.example/1",
        "title": "イカの水揚げ三割増" * 20,
    }
    shown = run("ingest", write_items(tmp_path / "a.jsonl", ARTICLE, wide), env={"COLUMNS": "100"}).stdout
    lines = [line for line in shown.splitlines() if "first_seen" in line]
    assert all(cell_len(line) <= 100 for line in lines)
    assert cell_len(lines[0].split("Crack")[0]) == cell_len(lines[1].split("イカ")[0])


@pytest.mark.parametrize("arguments", [["--no-color"], []])
def test_colors_can_be_turned_off(stored: Run, arguments: list[str]) -> None:
    environment = {} if arguments else {"NO_COLOR": "1"}
    shown = CliRunner().invoke(app, [*arguments, "list"], color=True, env=environment).stdout
    assert "\x1b" not in shown
    assert "\x1b" in CliRunner().invoke(app, ["list"], color=True).stdout


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_teaches_with_an_example_and_names_the_exit_codes(run: Run, command: list[str]) -> None:
    shown = run(*command, "--help").stdout
    assert shown.startswith("Usage: seenbefore " + " ".join(command))
    assert "Example" in shown
    if command != ["evaluate"]:
        assert "Exit codes:" in shown


def test_help_imports_no_command(run: Run) -> None:
    shown = run("--help").stdout
    assert all(f"  {name} " in shown for name in _COMMANDS)
    code = (
        "import atexit, sys; sys.argv[1:] = ['--help']\n"
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr))\n"
        "from seenbefore.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"rich", "seenbefore.cli.ingest", "seenbefore.cli.tables"} & set(done.stderr.split())
