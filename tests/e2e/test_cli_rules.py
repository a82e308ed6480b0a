"""`seenbefore rules`, as people and programs call it."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run, Start, lines_of, write_items

SLUG = """
[[rule]]
id = "mine-slug"
kind = "identity"
hosts = ["news.example"]
match = ["/{year}/{month}/{day}/{slug}"]
value = "mine:{slug}"
reads = "slug"
reason = "Stories are posted again under a new date."
fact = "seen in the feed"
must_match = [
    ["https://news.example/2026/03/01/robots-fold-laundry", "https://news.example/2026/03/02/robots-fold-laundry"],
    ["https://news.example/2026/03/01/robots-fold-laundry", "https://news.example/2026/04/02/robots-fold-laundry"],
]
must_not_match = [
    ["https://news.example/2026/03/01/robots-fold-laundry", "https://news.example/2026/03/01/robots-fold-linen"],
    ["https://news.example/2026/03/01/", "https://news.example/2026/03/02/"],
]
"""
ROBOTS, OPERA = "Robots that fold the laundry", "The opera opens its doors on Friday"


def pack(rules: str = SLUG, name: str = "mine", version: int = 1, about: str = "Dated paths.") -> str:
    return f'pack = "{name}"\nversion = {version}\nabout = "{about}"\n{rules}'


def dated(day: int, **fields: Any) -> dict[str, Any]:
    address = f"https://news.example/2026/03/{day:02}/robots-fold-laundry"
    return {"source": "news", "guid": f"g{day}", "url": address, "title": ROBOTS, **fields}


class Desk:
    """The command line in a folder with packs and a database."""

    def __init__(self, run: Run, folder: Path) -> None:
        self.run = run
        self.folder = folder

    def file(self, text: str, name: str = "mine.toml") -> str:
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def take(self, *items: dict[str, Any]) -> None:
        self.run("ingest", write_items(self.folder / "items.jsonl", *items))

    def rules(self, *arguments: str, code: int = 0) -> str:
        return self.run("rules", *arguments, code=code).stdout

    def json(self, *arguments: str, code: int = 0) -> dict[str, Any]:
        (told,) = lines_of(self.run("rules", *arguments, "--json", code=code).stdout)
        return told

    def error(self, *arguments: str, code: int = 2) -> str:
        result = self.run("rules", *arguments, code=code)
        assert result.stdout == ""
        return " ".join(result.stderr.split())

    def stored(self) -> list[str]:
        """All that is in the database."""
        with closing(sqlite3.connect(self.folder / "news.db")) as connection:
            return list(connection.iterdump())

    def records(self) -> list[dict[str, Any]]:
        """The live records among the first nine."""
        shown = (lines_of(self.run("show", f"r{n}", "--json").stdout) for n in self._numbers())
        return [record for (record,) in shown if record["status"] == "active"]

    def _numbers(self) -> list[int]:
        with closing(sqlite3.connect(self.folder / "news.db")) as connection:
            return [number for (number,) in connection.execute("SELECT id FROM records WHERE status = 'active'")]


@pytest.fixture
def desk(run: Run, tmp_path: Path) -> Desk:
    """A database with two dated addresses of one story, and the pack that says so."""
    made = Desk(run, tmp_path)
    made.file(pack())
    made.take(dated(1), dated(2), dated(3, url="https://other.example/3", guid="o3", title=OPERA))
    return made


# --- the story ----------------------------------------------------------------------------------


def test_check_activate_and_roll_back(desk: Desk) -> None:
    before = desk.stored()
    text = desk.rules("check", "mine.toml")
    assert desk.stored() == before
    assert "mine 1 on news.example: 2 records looked at, 1 pair would meet, 0 of them collide; " in text
    assert "1 would be merged into others" in text
    assert re.search(rf"r1 +{ROBOTS} +r2 +{ROBOTS} +site mine:robots-fold-laundry", text)
    assert re.search(rf"d1 +{ROBOTS} +new +duplicate", text)

    text = desk.rules("activate", "mine.toml", "--author", "ann")
    assert text.startswith("mine 1 is in force as v1: 2 records read again, 1 merged into others, 0 taken apart, ")
    assert "seenbefore rules rollback v1" in text
    assert [r["record_id"] for r in desk.records()] == ["r2", "r3"]

    before = desk.stored()
    text = desk.rules("rollback", "v1")
    assert desk.stored() == before
    assert re.search(r"m1 +merged +r2 and r1: would be undone", text)
    assert "Dry run: v1 (mine) would be taken back" in text
    assert "--apply" in text

    assert desk.rules("rollback", "v1", "--apply", "--author", "ann").startswith("v1 (mine) is taken back: ")
    assert [r["record_id"] for r in desk.records()] == ["r1", "r2", "r3"]
    assert desk.run("check").exit_code == 0


def test_the_story_as_json(desk: Desk) -> None:
    check = desk.json("check", "mine.toml")
    assert {name: check[name] for name in ("pack", "pack_version", "hosts", "records", "collisions", "would")} == {
        "pack": "mine",
        "pack_version": 1,
        "hosts": ["news.example"],
        "records": 2,
        "collisions": 0,
        "would": {"merge": 1, "split": 0, "review": 0},
    }
    assert check["pairs"] == [
        {
            "a": {"record_id": "r1", "title": ROBOTS, "url": dated(1)["url"]},
            "b": {"record_id": "r2", "title": ROBOTS, "url": dated(2)["url"]},
            "key": "site:mine:robots-fold-laundry",
            "rule": "mine-slug",
            "collision": None,
        }
    ]
    (flip,) = check["flips"]
    assert (flip["decision_id"], flip["from"], flip["to"], flip["record_id"]) == ("d1", "new", "duplicate", "r2")

    done = desk.json("activate", "mine.toml", "--author", "ann")
    assert {name: done[name] for name in ("version", "pack", "pack_version", "state", "author", "forced")} == {
        "version": "v1",
        "pack": "mine",
        "pack_version": 1,
        "state": "active",
        "author": "ann",
        "forced": "",
    }
    assert [done[name] for name in ("records", "merged", "split", "reviews", "collisions")] == [2, 1, 0, 0, 0]
    assert (done["activated_at"][-1], done["rolled_back_at"]) == ("Z", None)

    plan = desk.json("rollback", "v1")
    assert (plan["dry_run"], plan["records"], plan["blocked"]) == (True, 1, [])
    assert [(event["event_id"], event["record_ids"]) for event in plan["undoes"]] == [("m1", ["r2", "r1"])]
    done = desk.json("rollback", "v1", "--apply")
    assert (done["state"], done["rolled_back_at"][-1]) == ("rolled_back", "Z")


def test_what_joined_meanwhile_is_named(desk: Desk) -> None:
    desk.rules("activate", "mine.toml")
    desk.take(dated(4))
    text = desk.rules("rollback", "v1", "--apply")
    assert "1 taken apart, 1 pair waits for a person" in text
    assert len(desk.records()) == 4


# --- collisions and refusals --------------------------------------------------------------------


def test_collisions_stop_an_activation_until_there_is_a_reason(desk: Desk) -> None:
    desk.take(dated(5, title="Another story altogether \x1b[31m"))
    text = desk.rules("check", "mine.toml", code=1)
    assert "2 of them collide" in text
    assert "\x1b" not in text
    assert r"Another story altogether \x1b[31m" in text
    assert desk.json("check", "mine.toml", code=1)["collisions"] == 2
    told = desk.error("activate", "mine.toml")
    assert "mine.toml: 2 pairs of stored records with another title or text would meet" in told
    assert "--force REASON" in told
    assert desk.json("list", "--own") == {**desk.json("list", "--own"), "packs": [], "versions": []}
    done = desk.json("activate", "mine.toml", "--force", "r4 is a test \u202epage")
    assert (done["forced"], done["collisions"]) == ("r4 is a test \u202epage", 2)
    text = desk.rules("list", "--own")
    assert r"v1 was forced over 2 collisions: r4 is a test \u202epage" in text


def test_what_is_refused(desk: Desk) -> None:
    assert "nothing.toml: cannot be read" in desk.error("check", "nothing.toml")
    desk.file(pack().replace('kind = "identity"', 'kind = "magic"'), "broken.toml")
    for command in ("check", "activate", "test"):
        told = desk.error(command, "broken.toml")
        assert "broken.toml, line 5, rule 'mine-slug': 'kind' must be one of drop, keep" in told
    desk.file(pack().replace("robots-fold-linen", "robots-fold-laundry"), "untrue.toml")
    for command in ("check", "activate"):
        told = desk.error(command, "untrue.toml")
        assert "untrue.toml, line 5, rule 'mine-slug': under the rules these two are one page" in told
    assert "(--rules); leave that out" in desk.error("activate", "mine.toml", "--rules", "mine.toml")
    desk.rules("activate", "mine.toml")
    assert "mine 1 is in force already, as v1" in desk.error("activate", "mine.toml")
    desk.file(pack(about="Other."), "same.toml")
    assert "a changed pack needs a greater 'version' than that" in desk.error("activate", "same.toml")
    assert "nothing is stored under 'v9'" in desk.error("rollback", "v9", code=1)
    assert "ids look like v12" in desk.error("rollback", "mine")
    desk.rules("rollback", "v1", "--apply")
    assert "v1: it is taken back already" in desk.error("rollback", "v1")
    assert "there is no such database" in desk.error("check", "mine.toml", "--db", "none.db", code=3)
    assert not (desk.folder / "none.db").exists()


def test_a_newer_version_and_back(desk: Desk) -> None:
    desk.rules("activate", "mine.toml")
    desk.file(pack(SLUG.replace("/{day}/{slug}", "/{day}/{slug:slug:2}"), version=2), "newer.toml")
    assert "mine 2 is in force as v2" in desk.rules("activate", "newer.toml")
    assert "v2 came later and holds the same pack; take v2 back first" in desk.error("rollback", "v1")
    desk.rules("rollback", "v2", "--apply")
    told = desk.json("list", "--own")
    assert [(p["pack"], p["version"], p["own"]) for p in told["packs"]] == [("mine", 1, True)]
    assert [(v["version"], v["state"]) for v in told["versions"]] == [("v1", "active"), ("v2", "rolled_back")]
    assert re.search(r"v2 +mine@2 .* taken back", desk.rules("list"))


# --- looking at rules ---------------------------------------------------------------------------


def test_list_without_a_database(run: Run, tmp_path: Path) -> None:
    desk = Desk(run, tmp_path)
    told = desk.json("list")
    assert told["rules_version"].startswith("builtin@")
    assert {"pack", "version", "own", "about", "rules"} == set(told["packs"][0])
    assert "youtube" in desk.rules("list")
    desk.file(pack(about="Mine \u009b31m."))
    own = desk.json("list", "--own", "--rules", "mine.toml")
    assert [p["rules"] for p in own["packs"]] == [["mine-slug"]]
    assert own["rules_version"].endswith(",mine@1")
    assert r"Mine \x9b31m." in desk.rules("list", "--own", "--rules", "mine.toml")
    assert list(tmp_path.glob("*.db")) == []


def test_show_a_pack_and_a_rule(desk: Desk) -> None:
    desk.rules("activate", "mine.toml")
    text = desk.rules("show", "mine")
    assert "mine-slug  (identity, pack mine 1)" in text
    assert "Stories are posted again under a new date." in text
    assert desk.json("show", "mine-slug")["value"] == "mine:{slug}"
    rules = lines_of(desk.run("rules", "show", "youtube", "--json").stdout)
    assert {rule["pack"] for rule in rules} == {"youtube"}
    assert "there is no pack or rule 'nothing'" in desk.error("show", "nothing")


def test_show_what_was_activated(desk: Desk) -> None:
    secret = "https://news.example/2026/03/01/robots-fold-laundry?api_key=abc123def456"
    text = pack(SLUG.replace('fact = "seen in the feed"', f'fact = "seen \u202e at {secret}"'))
    desk.file(text)
    desk.rules("activate", "mine.toml")
    shown = desk.rules("show", "v1")
    assert r"seen \u202e at" in shown
    assert "abc123def456" not in shown
    assert 'id = "mine-slug"' in shown.splitlines()
    assert "abc123def456" in desk.rules("show", "v1", "--unmasked")
    assert desk.json("show", "v1")["text"] == text
    assert "nothing is stored under 'v2'" in desk.error("show", "v2", code=1)


def test_test(desk: Desk) -> None:
    assert desk.rules("test", "mine.toml") == "1 pack, 4 pairs, 0 of them do not hold\n"
    assert desk.json("test", "mine.toml") == {"packs": 1, "pairs": 4, "failures": []}
    desk.file(pack().replace("robots-fold-linen", "robots-fold-laundry"))
    result = desk.run("rules", "test", "mine.toml", code=1)
    assert "1 of them do not hold" in result.stdout
    assert "mine.toml, line 5, rule 'mine-slug': under the rules these two are one page" in result.stderr
    (failure,) = desk.json("test", "mine.toml", code=1)["failures"]
    assert (failure["pack"], failure["rule"], failure["field"]) == ("mine", "mine-slug", "must_not_match")
    told = desk.json("test")
    assert (told["failures"], told["packs"] > 100) == ([], True)


def test_diff(desk: Desk) -> None:
    desk.rules("activate", "mine.toml")
    desk.file(pack(SLUG.replace("/{day}/{slug}", "/{day}/{slug:slug:2}"), version=2), "newer.toml")
    desk.file(pack(SLUG.replace("mine-slug", "other-slug"), "other"), "other.toml")
    desk.rules("activate", "other.toml")
    desk.rules("activate", "newer.toml")
    text = desk.rules("diff", "v1", "v3")
    assert text.splitlines()[:2] == [
        "changed  mine-slug: match",
        "           match: ['/{year}/{month}/{day}/{slug}']  ->  ['/{year}/{month}/{day}/{slug:slug:2}']",
    ]
    assert "added    other-slug" in text
    assert desk.rules("diff", "v3", "newer.toml") == "no rule differs\n"
    assert desk.rules("diff", "v1", "v1") == "no rule differs\n"
    assert [c["what"] for c in desk.json("diff", "v0", "v1")["changes"]] == ["added"]
    (change,) = desk.json("diff", "mine.toml", "newer.toml")["changes"]
    assert (change["rule"], change["what"], change["fields"]) == ("mine-slug", "changed", ["match"])
    assert [change[side]["version"] for side in ("before", "after")] == [1, 2]
    assert "nothing is stored under 'v9'" in desk.error("diff", "v1", "v9", code=1)


def test_diff_beside_what_is_shipped(desk: Desk) -> None:
    """Only what the own pack takes the place of is compared."""
    drop = SLUG[: SLUG.index("match =")] + SLUG[SLUG.index("reason =") :]
    drop = drop.replace('"identity"', '"drop"\nnames = ["ncid"]').replace("mine-slug", "techcrunch-campaign")
    same = '["https://news.example/1?ncid=rss", "https://news.example/1"]'
    drop = re.sub(r"must_match = \[.*?\n\]", f"must_match = [{same}, {same}]", drop, count=1, flags=re.DOTALL)
    desk.file(pack(drop, "techcrunch", 9), "techcrunch.toml")
    desk.rules("activate", "techcrunch.toml")
    for other in ("v1", "techcrunch.toml"):
        changes = desk.json("diff", "shipped", other)["changes"]
        assert [(c["rule"], c["what"]) for c in changes] == [
            ("techcrunch-campaign", "changed"),
            ("techcrunch-slug", "removed"),
        ]


# --- cut off ------------------------------------------------------------------------------------

KILLED = """
import os, seenbefore
db = seenbefore.open("news.db")
steps = db.rules.roll_back("v1") if "BACK" else db.rules.activate("mine.toml")
next(steps)
os._exit(9)
"""


def test_what_was_killed_goes_on_with_the_same_command(desk: Desk, start: Start) -> None:
    assert start(code=KILLED.replace("BACK", "")).wait(60) == 9
    assert re.search(r"v1 +mine@1 .* was cut off: activate the same file again", desk.rules("list", "--own"))
    desk.file(pack(version=2), "newer.toml")
    assert "another text of this pack was cut off" in desk.error("activate", "newer.toml")
    assert "mine 1 is in force as v1" in desk.rules("activate", "mine.toml")
    assert [r["record_id"] for r in desk.records()] == ["r2", "r3"]

    assert start(code=KILLED).wait(60) == 9
    assert "taking back was cut off: roll it back again" in " ".join(desk.rules("list", "--own").split())
    assert "end that first: seenbefore rules rollback v1 --apply" in desk.error("activate", "mine.toml")
    assert "v1 (mine) is taken back" in desk.rules("rollback", "v1", "--apply")
    assert [r["record_id"] for r in desk.records()] == ["r1", "r2", "r3"]
    assert desk.run("check").exit_code == 0


def test_another_process_follows(desk: Desk) -> None:
    """The rules of a database are in force for whatever opens it, without being named."""
    desk.rules("activate", "mine.toml")
    desk.take(dated(7))
    (decision,) = [d for d in lines_of(desk.run("list", "--json").stdout) if d["item"]["guid"] == "g7"]
    assert (decision["outcome"], decision["record_id"]) == ("duplicate", "r2")
    assert decision["rules_version"].endswith(",mine@1")
    desk.rules("rollback", "v1", "--apply")
    desk.take(dated(8))
    assert lines_of(desk.run("list", "--json").stdout)[-1]["rules_version"].endswith("mine@1") is False
