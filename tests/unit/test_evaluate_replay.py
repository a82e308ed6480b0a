"""Replaying feed histories: which snapshots in which order, and what is counted per feed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

import seenbefore
from seenbefore.errors import InvalidInput
from seenbefore.evaluate.snapshots import find_histories
from seenbefore.wiring import open_db

from .histories import CLOSE, DAY, HUB, OPERA, START, Feeds, entry, name_of


@pytest.fixture
def feeds(tmp_path: Path) -> Feeds:
    return Feeds(tmp_path)


# --- which snapshots, in which order ------------------------------------------------------------


def found(folder: Path) -> list[tuple[str, str]]:
    return [(snapshot.feed, snapshot.file) for snapshot in find_histories(folder).snapshots]


def fill(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder


def test_order_is_time_then_feed_then_name(tmp_path: Path) -> None:
    later, sooner = name_of(2), name_of(1)
    fill(tmp_path, f"ai/{later}", f"ai/{sooner}", f"ai-news/{sooner}", f"zoo/{name_of(0, 7)}", f"ai/{name_of(1, 1)}")
    assert found(tmp_path) == [
        ("zoo", name_of(0, 7)),
        ("ai", sooner),
        ("ai", name_of(1, 1)),
        ("ai-news", sooner),  # by path it would stand before ai/
        ("ai", later),
    ]


def test_folders_that_hold_only_a_folder_of_feeds_stand_for_it(tmp_path: Path) -> None:
    snapshot = name_of(1)
    fill(tmp_path, f"out/replay/a/{snapshot}", f"out/replay/b/{snapshot}", "out/replay/feeds.json")
    assert found(tmp_path) == [("a", snapshot), ("b", snapshot)]
    assert find_histories(tmp_path).undated == ()


def test_one_feed_is_a_feed_whether_its_folder_or_its_parent_is_given(tmp_path: Path) -> None:
    snapshot = name_of(1)
    fill(tmp_path, f"news/{snapshot}", "news/images/logo.png")
    assert found(tmp_path) == [("news", snapshot)]
    assert found(fill(tmp_path / "more", f"only/{snapshot}") / "only") == [("only", snapshot)]


def test_hidden_files_are_left_alone_and_undated_ones_are_told(tmp_path: Path) -> None:
    fill(tmp_path, f"a/{name_of(1)}", "a/latest.xml", f"a/.{name_of(2)}", f".cache/{name_of(1)}", "README.md")
    histories = find_histories(tmp_path)
    assert [snapshot.file for snapshot in histories.snapshots] == [name_of(1)]
    assert histories.undated == ("a/latest.xml",)


def test_a_folder_without_snapshots_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"no snapshots; expected a folder per feed") as caught:
        find_histories(fill(tmp_path, "a/feed.xml", "b/README"))
    assert caught.value.where == str(tmp_path)


# --- what is counted ----------------------------------------------------------------------------


def test_answers_are_counted_per_feed(feeds: Feeds) -> None:
    feeds.add("a", 1, entry(1), entry(2, title=OPERA))
    feeds.add("a", 2, entry(1), entry(2, title=f"{OPERA} night"))
    feeds.add("b", 3, entry(1))
    report = feeds.replay()
    a, b = (report.to_json()["by_feed"][name] for name in "ab")  # type: ignore[index]
    assert (a["new"], a["updates"], a["duplicates"]) == (2, {"title_changed": 1}, {"seen_again": 1})
    assert (a["entries"], a["versions"], a["reviews"]) == (4, 2, 0)
    assert (b["new"], b["duplicates"]) == (0, {"other_source": 1})
    assert (report.versions, report.entries, report.records, report.reviews) == (3, 5, 2, 0)


def test_a_feed_is_its_folder_although_both_give_one_address(feeds: Feeds) -> None:
    for feed in ("left", "right"):
        feeds.add(feed, 1, entry(1), entry(2, title=OPERA))
    opened: list[Path] = []

    def open_and_note(path: Path) -> seenbefore.SeenBefore:
        opened.append(path)
        return open_db(path)

    report = feeds.replay(open_store=open_and_note, keep=feeds.folder.parent / "kept.db")
    assert {feed.feed: feed.entries for feed in report.feeds} == {"left": 2, "right": 2}
    assert report.feeds[1].reasons(seenbefore.Outcome.DUPLICATE) == {"other_source": 2}
    with seenbefore.open(opened[0], create=False) as db:
        assert [source.name for source in db.stats().sources] == ["left", "right"]


def test_time_is_the_file_s(feeds: Feeds) -> None:
    feeds.add("a", 3, entry(1))
    feeds.replay(keep=feeds.folder.parent / "kept.db")
    with seenbefore.open(feeds.folder.parent / "kept.db") as db:
        (record,) = db.records()
    assert record.first_seen_at == datetime.fromtimestamp(START + 3 * DAY, UTC)


def test_reviews_and_their_share(feeds: Feeds) -> None:
    feeds.add("a", 1, entry(1, day=0))
    feeds.add("a", 2, entry(2, day=0))
    report = feeds.replay()
    assert report.feeds[0].to_json()["review_reasons"] == {"title_and_date": 1}
    assert (report.reviews, report.records, report.review_share) == (1, 2, 0.5)


def test_merged_records_count_for_the_feeds_that_were_in_them(feeds: Feeds) -> None:
    feeds.add("a", 1, entry(1))
    feeds.add("b", 2, entry(2, guid="of b"))
    feeds.add("c", 2, entry(3, title=OPERA, guid="of c"))
    feeds.add("a", 3, entry(1, link="https://n.example/2"))
    report = feeds.replay()
    assert (report.consolidations, report.records) == (1, 3), "records count although they were merged later"
    assert {feed.feed: feed.consolidations for feed in report.feeds} == {"a": 1, "b": 1, "c": 0}


def test_splits_and_trust_count_for_their_feed(feeds: Feeds) -> None:
    one, other = ({"link": HUB, "title": title} for title in CLOSE)
    feeds.add("a", 1, one)
    feeds.add("a", 2, other)
    feeds.add("a", 3, one, other)
    feeds.add("b", 3, entry(1, title=OPERA))
    report = feeds.replay()
    assert report.splits == 1
    assert {feed.feed: feed.splits for feed in report.feeds} == {"a": 1, "b": 0}
    assert {feed.feed: feed.trust_switches > 0 for feed in report.feeds} == {"a": True, "b": False}


def test_what_cannot_be_read_is_told_and_the_rest_is_done(feeds: Feeds) -> None:
    feeds.add("a", 1, entry(1))
    (feeds.folder / "a" / name_of(2)).write_text("<html>gone</html>", encoding="utf-8")
    (feeds.folder / "a" / "latest.xml").touch()
    feeds.add("b", 1)
    report = feeds.replay()
    assert [left.where for left in report.not_read] == ["a/latest.xml", f"a/{name_of(2)}"]
    assert {feed.feed: (feed.versions, feed.entries) for feed in report.feeds} == {"a": (1, 1), "b": (1, 0)}


def test_without_labels_their_figures_are_null(feeds: Feeds) -> None:
    feeds.add("a", 1, entry(1))
    (feeds.folder / "gold.jsonl").write_text("no label", encoding="utf-8")
    report = feeds.replay().to_json()
    absent = {name for name, value in report.items() if value is None}
    assert {"pairs", "found", "same", "wrong_merges", "different", "silent_merges", "review_rows"} <= absent
    assert (report["records"], report["reviews"], report["review_share"]) == (1, 0, 0.0)
    feeds.label(feeds.named("a", 1, entry(1)), feeds.named("a", 1, entry(1)), "duplicate")
    assert feeds.replay().to_json().keys() == report.keys()


def test_progress_counts_snapshots(feeds: Feeds) -> None:
    for day in (1, 2):
        feeds.add("a", day, entry(1))
    told: list[tuple[int, int]] = []
    feeds.replay(progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 2), (1, 2), (2, 2)]


def test_the_database_is_thrown_away_unless_it_is_kept(feeds: Feeds, tmp_path: Path) -> None:
    feeds.add("a", 1, entry(1))
    used: list[Path] = []
    feeds.replay(open_store=lambda path: (used.append(path), open_db(path))[1])
    assert not used[0].parent.exists()
    feeds.replay(keep=tmp_path / "kept.db")
    with seenbefore.open(tmp_path / "kept.db", create=False) as db:
        assert db.stats().records["active"] == 1
    with pytest.raises(InvalidInput, match="is there already"):
        feeds.replay(keep=tmp_path / "kept.db")
    with pytest.raises(InvalidInput, match="its folder is not there"):
        feeds.replay(keep=tmp_path / "no" / "kept.db")
