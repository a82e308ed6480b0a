"""``seenbefore rules`` and ``urls redirects`` on the command line: words, JSON, exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import Run, lines_of, write_items

PACK = """
pack = "harbor"
version = 1
about = "Harbor News."

[[rule]]
id = "harbor-slug"
kind = "identity"
hosts = ["harbor.example"]
match = ["/{year}/{month}/{day}/{slug}"]
value = "harbor:{slug}"
reads = "slug"
reason = "stories are posted again"
fact = "old addresses redirect"
must_match = [
    ["https://harbor.example/2025/10/02/a-long-story", "https://harbor.example/2025/10/03/a-long-story"],
    ["https://harbor.example/2025/10/02/a-long-story", "https://harbor.example/2025/11/03/a-long-story/"],
]
must_not_match = [
    ["https://harbor.example/2025/10/02/a-long-story", "https://harbor.example/2025/10/02/another-long-story"],
    ["https://harbor.example/2025/10/02/", "https://harbor.example/2025/10/03/"],
]
"""


def story(day: int, title: str = "Robots that fold the laundry") -> dict[str, Any]:
    url = f"https://harbor.example/2025/10/0{day}/robots-that-fold-laundry"
    return {"source": "harbor", "guid": str(day), "url": url, "title": title}


@pytest.fixture
def pack(tmp_path: Path) -> str:
    path = tmp_path / "harbor.toml"
    path.write_text(PACK, encoding="utf-8")
    return str(path)


def test_the_whole_way(run: Run, tmp_path: Path, pack: str) -> None:
    run("ingest", write_items(tmp_path / "a.jsonl", story(2), story(3)))
    (check,) = lines_of(run("rules", "check", pack, "--json").stdout)
    assert check["pairs"] == [
        {
            "a": {"record_id": "r1", "title": story(2)["title"], "url": story(2)["url"]},
            "b": {"record_id": "r2", "title": story(3)["title"], "url": story(3)["url"]},
            "key": "site:harbor:robots-that-fold-laundry",
            "rule": "harbor-slug",
            "collision": None,
        }
    ]
    assert (check["collisions"], check["would"]) == (0, {"merge": 1, "split": 0, "review": 0})
    assert [(flip["from"], flip["to"]) for flip in check["flips"]] == [("new", "duplicate")]

    (done,) = lines_of(run("rules", "activate", pack, "--author", "ann", "--json").stdout)
    assert (done["version"], done["state"], done["author"], done["merged"]) == ("v1", "active", "ann", 1)
    (listed,) = lines_of(run("rules", "list", "--own", "--json").stdout)
    assert [p["pack"] for p in listed["packs"]] == ["harbor"]
    assert [v["version"] for v in listed["versions"]] == ["v1"]
    assert "rules v1" in run("history").stdout
    assert "One page" in run("urls", "explain", story(2)["url"], story(3)["url"]).stdout, "rules of the database count"

    (plan,) = lines_of(run("rules", "rollback", "v1", "--json").stdout)
    assert (plan["dry_run"], [event["event"] for event in plan["undoes"]], plan["blocked"]) == (True, ["merged"], [])
    assert "can be undone" in run("history").stdout, "a dry run"
    assert "v1 (harbor) is taken back" in run("rules", "rollback", "v1", "--apply").stdout
    (differing,) = lines_of(run("rules", "diff", "v0", "v1", "--json").stdout)
    assert [(change["rule"], change["what"]) for change in differing["changes"]] == [("harbor-slug", "added")]
    assert "Two pages" in run("urls", "explain", story(2)["url"], story(3)["url"]).stdout
    assert run("check").exit_code == 0


def test_collisions(run: Run, tmp_path: Path, pack: str) -> None:
    titles = "Robots that fold the laundry", "The \x1b[31mlibrary\x1b[0m opens on Sunday"
    run("ingest", write_items(tmp_path / "a.jsonl", story(2, titles[0]), story(3, titles[1])))
    shown = run("rules", "check", pack, code=1)
    assert "1 of them collide" in shown.stdout
    assert "\x1b" not in shown.stdout
    refused = run("rules", "activate", pack, code=2)
    assert "would meet; look at them (seenbefore rules check)" in refused.stderr
    run("rules", "activate", pack, "--force", "they are one")
    assert "v1 was forced over 1 collision: they are one" in run("rules", "list").stdout


def test_shipped_packs_are_shown_and_hold(run: Run) -> None:
    listed = run("rules", "list").stdout
    assert "youtube" in listed
    assert "rules version builtin@" in listed
    (rule,) = lines_of(run("rules", "show", "techcrunch-slug", "--json").stdout)
    assert (rule["kind"], rule["reads"], rule["hosts"]) == ("identity", "slug", ["techcrunch.com"])
    assert rule["must_match"]
    assert "must_not_match" in run("rules", "show", "youtube").stdout
    (tested,) = lines_of(run("rules", "test", "--json").stdout)
    assert tested["packs"] > 100
    assert tested["failures"] == []


def test_a_broken_pack_is_named_with_line_and_rule(run: Run, tmp_path: Path, pack: str) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(PACK.replace('reads = "slug"', 'reads = "words"'), encoding="utf-8")
    assert (
        "wrong.toml, line 6, rule 'harbor-slug': 'reads' must be one of id, slug"
        in run("rules", "test", str(wrong), code=2).stderr
    )
    wrong.write_text(PACK.replace("{slug}", "{slug:slug:9}").replace('"harbor:{slug:slug:9}"', '"harbor:{slug}"'))
    told = run("rules", "test", str(wrong), code=1)
    assert "wrong.toml, line 6, rule 'harbor-slug': under the rules these two are not one page" in told.stderr
    assert run("rules", "show", "nothing-of-that-name", code=2).stderr
    (changes,) = lines_of(run("rules", "diff", pack, str(wrong), "--json").stdout)
    assert [(c["rule"], c["what"], c["fields"]) for c in changes["changes"]] == [("harbor-slug", "changed", ["match"])]
    assert [c["what"] for c in lines_of(run("rules", "diff", "shipped", pack, "--json").stdout)[0]["changes"]] == [
        "added"
    ]


def test_rules_of_a_folder(run: Run, tmp_path: Path, pack: str) -> None:
    folder = tmp_path / "packs"
    folder.mkdir()
    assert "holds no *.toml" in run("urls", "explain", story(2)["url"], "--rules", str(folder), code=2).stderr
    (folder / "harbor.toml").write_text(PACK, encoding="utf-8")
    told = json.loads(run("urls", "explain", story(2)["url"], "--rules", str(folder), "--json").stdout)
    assert [claim["value"] for claim in told["claims"]] == ["harbor:robots-that-fold-laundry"]


def test_redirects_that_were_seen_elsewhere(run: Run, tmp_path: Path) -> None:
    short = {"source": "b", "guid": "9", "url": "https://sho.rt/abc", "title": "Laundry, folded"}
    run("ingest", write_items(tmp_path / "a.jsonl", story(2), short))
    moved = tmp_path / "moved.csv"
    moved.write_text(
        "from,to,status\n"
        f"https://sho.rt/abc,{story(2)['url']},301\n"
        f"https://sho.rt/later,{story(2)['url']},308\n"
        f"https://sho.rt/consent,{story(2)['url']},302\n"
        "only one address\n",
        encoding="utf-8",
    )
    told = run("urls", "redirects", str(moved), "--json", code=1)
    (counts,) = lines_of(told.stdout)
    assert counts == {
        "given": 3, "new": 2, "temporary": 1, "unusable": 0, "unreadable": 1, "merged": 1, "reviews": 0
    }  # fmt: skip
    assert "moved.csv: line 5: needs two addresses" in told.stderr
    later = {"source": "c", "guid": "1", "url": "https://sho.rt/later?utm_source=x", "title": "Seen today"}
    consent = {"source": "c", "guid": "2", "url": "https://sho.rt/consent", "title": "Agree to go on"}
    answers = lines_of(run("ingest", write_items(tmp_path / "b.jsonl", later, consent), "--json").stdout)
    assert [answer["outcome"] for answer in answers] == ["duplicate", "new"]
    assert run("check").exit_code == 0
