"""Labeled pairs of a replay: what becomes of them through merges and splits, and how that is called."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from seenbefore.errors import InvalidInput
from seenbefore.evaluate import evaluate_replay

from .histories import BRIDGE, CLOSE, HUB, OPERA, Feeds, entry


@pytest.fixture
def feeds(tmp_path: Path) -> Feeds:
    return Feeds(tmp_path)


def test_one_article_is_found_or_missed(feeds: Feeds) -> None:
    first = feeds.add("a", 1, entry(1))
    retitled = feeds.add("a", 2, entry(1, title=OPERA))
    elsewhere = feeds.add("b", 3, entry(8, guid="x", title="Something else entirely"))
    feeds.label(dict(first), retitled, "update")
    feeds.label(first, elsewhere, "duplicate", kind="cross-feed")
    gold = feeds.scored()
    assert (gold.found, gold.same, gold.found_or_reviewed) == (1, 2, 1)
    figures = gold.to_json()
    assert figures["rows"] == {"wrong": [], "silent": [], "missed": ["p1"], "not_found": []}
    assert figures["by_kind"] == {
        "any": {"pairs": 1, "right": 1, "one": 1, "review": 0, "two": 0, "lost": 0},
        "cross-feed": {"pairs": 1, "right": 0, "one": 0, "review": 0, "two": 1, "lost": 0},
    }


@pytest.mark.parametrize(
    ("expect", "accept", "wrong", "silent"),
    [
        ("new", (), 1, 0),
        ("new", ("review",), 1, 0),
        ("new", ("review", "duplicate"), 0, 0),
        ("review", (), 0, 1),
        ("review", ("new",), 0, 1),
        ("review", ("new", "update"), 0, 0),
        ("update", (), 0, 0),
        ("duplicate", ("review",), 0, 0),
    ],
)
def test_what_a_join_is_called(expect: str, accept: tuple[str, ...], wrong: int, silent: int, feeds: Feeds) -> None:
    feeds.label(feeds.add("a", 1, entry(1)), feeds.add("a", 2, entry(1, title=OPERA)), expect, *accept)
    gold = feeds.scored()
    assert (gold.wrong_merges, gold.silent_merges) == (wrong, silent)
    assert gold.different == (expect == "new")
    assert gold.review_rows == {"reviewed": 0, "merged": int(expect == "review"), "apart": 0}
    assert gold.failures()["wrong" if expect == "new" else "silent"] == [gold.results[0].row] * (wrong or silent)


@pytest.mark.parametrize(("expect", "reviewed"), [("review", 1), ("duplicate", 0), ("new", 0)])
def test_a_pair_before_a_person(expect: str, reviewed: int, feeds: Feeds) -> None:
    feeds.label(feeds.add("a", 1, entry(1, day=0)), feeds.add("a", 2, entry(2, day=0)), expect)
    gold = feeds.scored()
    assert gold.results[0].became.value == "in review"
    assert gold.review_rows["reviewed"] == reviewed
    assert gold.found == 0
    assert gold.found_or_reviewed == (expect == "duplicate")
    assert (gold.wrong_merges, gold.silent_merges) == (0, 0)


def test_a_review_counts_for_the_records_that_its_records_went_into(feeds: Feeds) -> None:
    one = feeds.add("a", 1, entry(1, day=0))
    other = feeds.add("a", 2, entry(2, day=0))
    feeds.add("b", 3, entry(7, guid="of b", day=0))
    feeds.add("a", 4, entry(2, day=0, link="https://n.example/7"))
    feeds.label(one, other, "review")
    report = feeds.replay()
    assert report.consolidations == 1
    assert report.gold is not None
    assert report.gold.review_rows == {"reviewed": 1, "merged": 0, "apart": 0}


def test_pairs_follow_a_merge(feeds: Feeds) -> None:
    a = feeds.add("a", 1, entry(1))
    b = feeds.add("b", 2, entry(2, guid="of b"))
    feeds.label(a, b, "duplicate")
    assert feeds.became() == ["TWO"]
    feeds.add("a", 3, entry(1, link="https://n.example/2"))
    assert feeds.became() == ["ONE"]


def test_pairs_follow_a_split(feeds: Feeds) -> None:
    one, other = ({"link": HUB, "title": title} for title in CLOSE)
    feeds.label(feeds.add("a", 1, one), feeds.add("a", 2, other), "new")
    assert feeds.became() == ["ONE"]
    feeds.add("a", 3, one, other)
    assert feeds.became() == ["TWO"], "both were answered by one record, but no longer stand in it"


@pytest.mark.parametrize("dated", [True, False])
def test_the_same_place_at_another_time_is_another_entry(dated: bool, feeds: Feeds) -> None:
    def status(day: int) -> dict[str, Any]:
        return {"link": "https://n.example/", "title": "All systems normal", "day": day}

    names = [feeds.add("a", day, status(day)) for day in (1, 20)]
    names.append(feeds.add("a", 21, status(20)))
    if not dated:
        names = [{**name, "published": None} for name in names]
    first, later, again = names
    feeds.label(dict(first), dict(later), "review")
    feeds.label(dict(later), dict(again), "duplicate")
    feeds.label(first, again, "review")
    assert feeds.became() == ["REVIEW", "ONE", "REVIEW"]


def test_labels_may_repeat_a_relative_link_and_any_white_space_and_case(feeds: Feeds) -> None:
    fields = entry(1, title="Harbour  bridge\n to be replaced")
    first = feeds.add("a", 1, fields)
    second = feeds.add("a", 2, fields)
    feeds.label({**first, "link": "/1"}, {**second, "title": BRIDGE.upper()}, "duplicate")
    feeds.label({**first, "link": "/2"}, {**second, "title": BRIDGE}, "duplicate")
    assert feeds.became() == ["ONE", "LOST"]


@pytest.mark.parametrize("changed", [{"title": OPERA}, {"guid": "x"}, {"link": "https://n.example/9"}, {"guid": None}])
def test_an_entry_that_its_snapshot_does_not_list_is_not_found(changed: dict[str, Any], feeds: Feeds) -> None:
    first = feeds.add("a", 1, entry(1))
    second = feeds.add("a", 2, entry(2, title=OPERA))
    feeds.label({**first, **changed}, dict(first), "duplicate")
    feeds.label(dict(first), {**second, **changed}, "new")
    feeds.label(first, second, "new")
    gold = feeds.scored()
    assert gold.not_found in (1, 2)
    assert gold.results[0].became.name == "LOST"
    assert (gold.same, gold.found, gold.found_or_reviewed) == (1, 0, 0)
    assert gold.rates["found"] == (0, 0), "what was not found is no miss"
    assert "p0" in gold.to_json()["rows"]["not_found"]  # type: ignore[index]


def test_labels_on_other_histories_are_refused_and_on_more_histories_are_not(feeds: Feeds) -> None:
    first = feeds.add("a", 1, entry(1))
    elsewhere = {**first, "feed": "b"}
    feeds.label(dict(elsewhere), dict(first), "duplicate")
    with pytest.raises(InvalidInput, match=r"none of its pairs is in these histories \(b/0000_\d+\.xml is not there\)"):
        feeds.replay()
    feeds.label(dict(first), dict(first), "duplicate")
    assert feeds.became() == ["LOST", "ONE"]


GOOD = {
    "id": "p1",
    "feed": "a",
    "a": {"file": "0001_1.xml", "guid": "g", "link": None, "title": None, "published": None},
    "b": {"file": "0001_1.xml", "link": "https://n.example/1"},
    "expect": "new",
    "accept": [],
}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{oops", "is no JSON"),
        ("[1]", "must be a JSON object"),
        ({**GOOD, "id": None}, "id must be a text; not None"),
        ({**GOOD, "feed": 3}, "feed must be a text; not 3"),
        ({**GOOD, "feed_b": 3}, "feed_b must be a text or null; not 3"),
        ({**GOOD, "expect": "same"}, "expect must be one of new, update, duplicate, review; not 'same'"),
        ({**GOOD, "expect": ["new"]}, "expect must be one of"),
        ({**GOOD, "accept": ["maybe"]}, "accept must be one of"),
        ({**GOOD, "accept": "new"}, "accept must be a list"),
        ({**GOOD, "b": None}, "b must be an object that names an entry"),
        ({**GOOD, "b": {**GOOD["b"], "file": ""}}, "b: file must be a text"),  # type: ignore[dict-item]
        ({**GOOD, "b": {"file": "x"}}, "b: names no entry"),
        ({**GOOD, "a": {**GOOD["a"], "published": "2026"}}, "a: published must be whole Unix seconds"),  # type: ignore[dict-item]
        ({**GOOD, "a": {**GOOD["a"], "published": True}}, "a: published must be whole Unix seconds"),  # type: ignore[dict-item]
        (GOOD, "stands on an earlier line"),
    ],
)
def test_a_bad_label_is_told_with_its_line(line: object, message: str, feeds: Feeds) -> None:
    feeds.add("a", 1, entry(1))
    text = line if isinstance(line, str) else json.dumps(line)
    feeds.gold.write_text(f"{json.dumps(GOOD)}\n\n{text}\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=message) as caught:
        evaluate_replay(feeds.folder, gold=feeds.gold)
    assert caught.value.where.startswith(f"{feeds.gold}:3")


def test_a_file_without_labels_is_an_error(feeds: Feeds) -> None:
    feeds.add("a", 1, entry(1))
    for content, message in ((b"\n", "holds no labeled pair"), (b"\xff\xfe", "cannot be read")):
        feeds.gold.write_bytes(content)
        with pytest.raises(InvalidInput, match=message):
            evaluate_replay(feeds.folder, gold=feeds.gold)
    with pytest.raises(InvalidInput, match="cannot be read: No such file"):
        evaluate_replay(feeds.folder, gold=feeds.folder / "gone.jsonl")
