"""`export`: files that other programs read, and what is said about what is not in them."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import feedparser
import pytest
from lxml import etree

import seenbefore
from seenbefore.model import Status

from .conftest import ARTICLE, OTHER, Run, Start, write_items

BY_ID = "/articles/{external_id}"
SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


@pytest.fixture
def stored(run: Run, tmp_path: Path) -> Run:
    """Three articles with ids of the user's own: the second went into the first, the third was rejected."""
    third = {
        "source": "planet",
        "guid": "3",
        "url": "https://planet.example/3",
        "title": "Nobody wants this",
        "id": "3/x",
    }
    run("ingest", write_items(tmp_path / "a.jsonl", {**ARTICLE, "id": "1"}, {**OTHER, "id": "2"}, third))
    run("label", "r1", "r2", "same")
    with seenbefore.open(tmp_path / "news.db") as db, db.store.unit() as unit:
        (record,) = unit.records.find_records([3])
        unit.records.update_record(replace(record, status=Status.REJECTED))
    return run


def feed_of(text: str) -> Any:
    found = feedparser.parse(text.encode())
    assert not found.bozo
    return found


# --- feeds --------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["atom", "rss"])
def test_a_feed_goes_to_standard_output(stored: Run, form: str) -> None:
    result = stored("export", "feed", "--format", form, "--title", "Clean", "--url", "https://me.example/f.xml")
    found = feed_of(result.stdout)
    assert found.version == {"atom": "atom10", "rss": "rss20"}[form]
    assert (found.feed.title, len(found.entries)) == ("Clean", 1)
    assert found.entries[0].id.startswith("urn:uuid:")
    assert result.stderr == ""


def test_a_feed_can_be_read_back(stored: Run, tmp_path: Path) -> None:
    """What we write is what we read."""
    for form in ("atom", "json", "rss"):
        stored("export", "feed", "--format", form, "--out", f"{form}.xml")
        result = stored("ingest", f"{form}.xml", "--db", f"{form}.db", "--json")
        (line,) = [json.loads(line) for line in result.stdout.splitlines()]
        assert line["item"]["title"] in (ARTICLE["title"], OTHER["title"])
        assert line["item"]["original_url"] in (ARTICLE["url"], OTHER["url"])


def test_a_file_is_written_in_silence_and_again_with_the_same_bytes(stored: Run, tmp_path: Path) -> None:
    result = stored("export", "feed", "--out", "clean.xml")
    assert (result.stdout, result.stderr) == ("", "")
    first = (tmp_path / "clean.xml").read_bytes()
    stored("export", "feed", "--out", "clean.xml")
    assert (tmp_path / "clean.xml").read_bytes() == first
    assert stored("export", "feed").stdout_bytes == first


def test_options_choose_the_entries(run: Run, tmp_path: Path) -> None:
    items = [{"source": f"s{n % 2}x", "url": f"https://n.example/{n}", "title": f"Story {n}"} for n in range(1, 6)]
    run("ingest", write_items(tmp_path / "a.jsonl", *items))

    def titles(*options: str) -> set[str]:
        return {
            item["title"] for item in json.loads(run("export", "feed", "--format", "json", *options).stdout)["items"]
        }

    assert titles() == {f"Story {n}" for n in range(1, 6)}
    assert len(titles("--limit", "2")) == 2
    assert titles("--source", "s1x") == {"Story 1", "Story 3", "Story 5"}
    assert titles("--source", "s2") == {"Story 2", "Story 4"}
    assert titles("--since", "1h") == titles()
    assert titles("--since", "2999-01-01") == set()


def test_html_from_outside_is_sanitized(run: Run, tmp_path: Path) -> None:
    content = "<p onclick=x()>Text</p><script>alert(1)</script><a href='/more'>more</a>"
    item = {**ARTICLE, "title": "A <b>bold</b> & <script>x</script> title", "content": content}
    run("ingest", write_items(tmp_path / "a.jsonl", item))
    for form in ("atom", "json", "rss"):
        text = run("export", "feed", "--format", form).stdout
        assert "onclick" not in text
        assert "alert(1)" not in text
        assert "<script" not in text
        assert "script&gt;" not in text
        assert "https://news.example/more" in text


def test_secrets_stay_at_home_unless_told_otherwise(run: Run, tmp_path: Path) -> None:
    run("ingest", write_items(tmp_path / "a.jsonl", {**ARTICLE, "url": "https://news.example/a?token=abc123"}))
    result = run("export", "feed")
    assert "abc123" not in result.stdout
    assert "left out (1): addresses" in result.stderr
    assert "--with-secrets" in result.stderr
    everything = run("export", "feed", "--with-secrets")
    assert "abc123" in everything.stdout
    assert everything.stderr == ""


# --- redirects and sitemaps ---------------------------------------------------------------------


def test_redirects_for_each_server(stored: Run, tmp_path: Path) -> None:
    options = ("--from", BY_ID, "--to", BY_ID, "--format")
    found = json.loads(stored("export", "redirects", *options, "json").stdout)
    moved = next(line for line in found if line["status"] == 301)
    assert {moved["from"], moved["to"]} == {"/articles/1", "/articles/2"}
    assert {"from": "/articles/3%2Fx", "to": None, "status": 410} in found
    nginx = stored("export", "redirects", *options, "nginx").stdout
    assert f"location = {moved['from']} {{ return 301 {moved['to']}; }}\n" in nginx
    stored("export", "redirects", *options, "apache", "--out", "redirects.conf")
    assert f'" "{moved["to"]}" [R=301,L,NE]\n' in (tmp_path / "redirects.conf").read_text()


def test_a_sitemap_of_live_pages(stored: Run, tmp_path: Path) -> None:
    url = "https://me.example/articles/{external_id}"
    root = etree.fromstring(stored("export", "sitemap", "--url", url).stdout_bytes)
    (loc,) = root.iter(f"{SITEMAP}loc")
    assert loc.text in ("https://me.example/articles/1", "https://me.example/articles/2")
    stored("export", "sitemap", "--url", url, "--out", "sitemap.xml", "--base", "https://me.example/")
    assert (tmp_path / "sitemap.xml").read_bytes() == etree.tostring(
        root, xml_declaration=True, encoding="utf-8"
    ).replace(b"<?xml version='1.0' encoding='utf-8'?>", b'<?xml version="1.0" encoding="utf-8"?>') + b"\n"


def test_records_without_an_id_are_told(run: Run, tmp_path: Path) -> None:
    run("ingest", write_items(tmp_path / "a.jsonl", ARTICLE, {**OTHER, "id": "2"}))
    result = run("export", "sitemap", "--url", "https://me.example/{external_id}")
    assert "https://me.example/2" in result.stdout
    assert result.stderr == "left out (1): records without an id of yours that an address can be made of\n"


# --- what goes wrong ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["feed", "--url", "clean.xml"], "url: is no web address"),
        (["feed", "--format", "opml"], "opml"),
        (["feed", "--limit", "-1"], "-1"),
        (["feed", "--out", "missing/clean.xml"], "cannot be written"),
        (["feed", "--out", "news.db"], "is the database"),
        (["redirects", "--from", BY_ID, "--to", BY_ID], "--format"),
        (["redirects", "--format", "nginx", "--from", "/a; {external_id}", "--to", BY_ID], "from: holds ';'"),
        (["redirects", "--format", "nginx", "--from", "/articles", "--to", BY_ID], "placeholder"),
        (["sitemap", "--url", BY_ID], "must look like https://"),
    ],
)
def test_a_wrong_command_writes_nothing(stored: Run, tmp_path: Path, arguments: list[str], said: str) -> None:
    before = sorted(path.name for path in tmp_path.iterdir())
    result = stored("export", *arguments, code=2)
    assert said in result.stderr
    assert result.stdout == ""
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_an_unknown_source_is_not_found(stored: Run) -> None:
    assert "nobody" in stored("export", "feed", "--source", "nobody", code=1).stderr


def test_no_database_is_made(run: Run, tmp_path: Path) -> None:
    run("export", "feed", "--out", "clean.xml", code=3)
    assert list(tmp_path.iterdir()) == []


def test_a_reader_that_goes_away_ends_the_export(start: Start, run: Run, tmp_path: Path) -> None:
    items = [
        {"source": "s", "url": f"https://n.example/{n}", "title": f"Story {n}", "content": "x" * 5000}
        for n in range(90)
    ]
    run("ingest", write_items(tmp_path / "a.jsonl", *items))
    process = start("export", "feed", "--limit", "0")
    assert process.stdout is not None
    assert process.stdout.read(10) == b"<?xml vers"
    process.stdout.close()
    assert process.stderr is not None
    assert b"its reader went away" in process.stderr.read()
    assert process.wait(30) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are a Unix thing")
def test_progress_bar_is_on_standard_error_of_a_terminal_only(start: Start, run: Run, tmp_path: Path) -> None:
    run("ingest", write_items(tmp_path / "a.jsonl", ARTICLE, OTHER))
    master, terminal = os.openpty()
    process = start("export", "feed", "--format", "json", stderr=terminal)
    os.close(terminal)
    shown = b""
    with contextlib.suppress(OSError):  # the end of a pseudo-terminal
        while block := os.read(master, 65536):
            shown += block
    os.close(master)
    assert process.stdout is not None
    assert len(json.loads(process.stdout.read())["items"]) == 2
    assert b"2 records" in shown
    assert process.wait(timeout=60) == 0


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal"])
def test_a_part_of_the_database_is_not_replaced(run: Run, tmp_path: Path, ending: str) -> None:
    """Whether it is there or not: what SQLite keeps beside the file comes and goes."""
    run("ingest", write_items(tmp_path / "a.jsonl", {"source": "s", "url": "https://n.example/1", "title": "Story"}))
    for there in (False, True):
        if there:
            (tmp_path / f"news.db{ending}").write_bytes(b"")
        done = run("export", "feed", "--out", f"news.db{ending}", code=2)
        assert "part of the database" in done.stderr
