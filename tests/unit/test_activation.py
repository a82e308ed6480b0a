"""Packs of one's own on stored records: checked, put into force, taken out of it again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import seenbefore
from seenbefore.errors import CannotActivate, InvalidRule, NotFound
from seenbefore.testing.clock import FrozenClock

from .packs_in_store import DROP, SLUG, STORY, TITLE, partition, picture, slug_pack, story


@pytest.fixture(params=["memory", "sqlite"])
def db(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[seenbefore.SeenBefore]:
    place = ":memory:" if request.param == "memory" else str(tmp_path / "news.db")
    with seenbefore.open(place, clock=FrozenClock()) as library:
        yield library


def last(steps: Iterator[object]) -> object:
    *_, end = steps
    return end


def test_the_story_of_a_rule(db: seenbefore.SeenBefore, tmp_path: Path) -> None:
    """Two dated rows stored before a rule: it is checked, merges them, and is taken back."""
    for day in (2, 3):
        assert db.see(story(day)).outcome.value == "new"
    pack, before = slug_pack(tmp_path), picture(db)
    check = db.rules.check(pack)
    assert [(m.a.id, m.b.id, m.key.value, m.collision) for m in check.meetings] == [
        (1, 2, "harbor:robots-that-fold-laundry", "")
    ]
    assert [(flip.decision.outcome.value, flip.becomes.value) for flip in check.flips] == [("new", "duplicate")]
    assert (check.merged, check.split, check.reviews, check.records) == (1, 0, 0, 2)
    assert picture(db) == before, "a check writes nothing"

    done = last(db.rules.activate(pack, author="ann"))
    assert done.version.version_id == "v1"  # type: ignore[attr-defined]
    assert partition(db) == {frozenset({STORY.format(day=2), STORY.format(day=3)})}
    assert db.check().is_clean
    assert db.see(story(4)).outcome.value == "duplicate", "new items are read by the rule, too"

    plan = db.rules.plan_rollback("v1")
    assert ([event.event for event in plan.steps], plan.blocked) == (["merged"], ())
    assert len(partition(db)) == 1, "a plan writes nothing"
    last(db.rules.roll_back("v1"))
    assert partition(db) == {frozenset({STORY.format(day=day)}) for day in (2, 3, 4)}
    assert db.check().is_clean
    assert db.see(story(5)).outcome.value == "new", "the rule is out of force"


def test_a_rollback_puts_every_row_back(db: seenbefore.SeenBefore, tmp_path: Path) -> None:
    for day in (2, 3):
        db.see(story(day))
    before = picture(db)
    last(db.rules.activate(slug_pack(tmp_path)))
    assert picture(db) != before
    last(db.rules.roll_back("v1"))
    after = picture(db)
    assert (after.records, after.keys, after.reviews) == (before.records, before.keys, before.reviews)
    assert {s: placed.record_id for s, placed in after.sightings.items()} == {1: 1, 2: 2}
    with db.store.reading() as unit:
        assert unit.reviews.find_labels([1, 2]) == [], "the rule was wrong, not the pair"
    last(db.rules.activate(slug_pack(tmp_path, 2)))
    assert len(partition(db)) == 1, "so the pair meets again under a better rule"


def test_what_joined_by_the_rule_on_arrival_is_asked_about(db: seenbefore.SeenBefore, tmp_path: Path) -> None:
    last(db.rules.activate(slug_pack(tmp_path)))
    first, second = db.see(story(2)), db.see(story(3))
    assert (first.outcome.value, second.outcome.value) == ("new", "duplicate")
    last(db.rules.roll_back("v1"))
    assert len(partition(db)) == 2
    with db.store.reading() as unit:
        assert [(r.record_id, r.other_id, r.state.value) for r in unit.reviews.find_reviews()] == [(1, 2, "waiting")]
    assert db.check().is_clean


def test_collisions_are_shown_and_refused_unless_forced(db: seenbefore.SeenBefore, tmp_path: Path) -> None:
    db.see(story(2))
    db.see(story(3, "Quite another story about something else"))
    pack = slug_pack(tmp_path)
    assert [meeting.collision for meeting in db.rules.check(pack).collisions] == ["title"]
    with pytest.raises(CannotActivate) as refused:
        last(db.rules.activate(pack))
    assert refused.value.collisions == 1
    assert db.rules.versions() == []
    last(db.rules.activate(pack, force="both are one story that was retitled"))
    (version,) = db.rules.versions()
    assert (version.forced, version.collisions) == ("both are one story that was retitled", 1)
    assert len(partition(db)) == 2, "a person is asked; a slug never joins two titles"


def test_texts_collide(db: seenbefore.SeenBefore, tmp_path: Path) -> None:
    texts = [" ".join(f"{word}{n}" for n in range(200)) for word in ("harbor", "library")]
    for day, text in zip((2, 3), texts, strict=True):
        db.see(story(day, content=text))
    assert [meeting.collision for meeting in db.rules.check(slug_pack(tmp_path)).meetings] == ["text"]


def test_a_drop_rule_merges_and_unmerges(db: seenbefore.SeenBefore, tmp_path: Path) -> None:
    for n in range(3):
        url = f"https://shop.example/lamp?basket={n}"
        db.see({"source": f"s{n}", "guid": str(n), "url": url, "title": "A lamp of brass and glass"})
    path = tmp_path / "basket.toml"
    path.write_text(DROP, encoding="utf-8")
    last(db.rules.activate(path))
    assert len(partition(db)) == 1
    again = {"source": "s9", "guid": "9", "url": "https://shop.example/lamp?basket=77", "title": "A lamp"}
    assert db.peek(again).outcome.value == "duplicate"
    last(db.rules.roll_back("v1"))
    assert len(partition(db)) == 3
    assert db.peek(again).outcome.value == "new"
    assert db.check().is_clean


def test_another_process_follows(tmp_path: Path) -> None:
    path = str(tmp_path / "news.db")
    with seenbefore.open(path, clock=FrozenClock()) as one, seenbefore.open(path, clock=FrozenClock()) as other:
        one.see(story(2))
        last(one.rules.activate(slug_pack(tmp_path)))
        answer = other.see(story(3))
        assert (answer.outcome.value, answer.rules_version.endswith(",harbor@1")) == ("duplicate", True)
        last(one.rules.roll_back("v1"))
        assert "harbor" not in other.see(story(4)).rules_version


def test_a_greater_version_takes_the_place_of_a_pack_and_gives_it_back(
    db: seenbefore.SeenBefore, tmp_path: Path
) -> None:
    """Version 2 reads slugs of four words at least, so that stories of three are two again."""
    for day in (2, 3):
        db.see(story(day, url=f"https://harbor.example/2025/10/0{day}/a-long-story"))
    last(db.rules.activate(slug_pack(tmp_path)))
    assert len(partition(db)) == 1
    stricter = SLUG.replace('{{slug}}"]', '{{slug:slug:5}}"]').replace("a-long-story", "a-very-long-story-indeed")
    last(db.rules.activate(slug_pack(tmp_path, 2, stricter.replace("{{slug:slug:5}}", "{{slug:slug:4}}"))))
    assert len(partition(db)) == 2, "what only the older version had joined falls apart"
    with pytest.raises(CannotActivate, match="take v2 back first"):
        db.rules.plan_rollback("v1")
    last(db.rules.roll_back("v2"))
    assert [version.state.value for version in db.rules.versions()] == ["active", "rolled_back"]
    assert len(partition(db)) == 1, "the older version is in force again"
    assert db.check().is_clean


def test_what_cannot_be_activated(db: seenbefore.SeenBefore, tmp_path: Path) -> None:
    pack = slug_pack(tmp_path)
    last(db.rules.activate(pack))
    with pytest.raises(CannotActivate, match="in force already, as v1"):
        last(db.rules.activate(pack))
    changed = slug_pack(tmp_path, 1, SLUG.replace("posted again", "posted once more"))
    with pytest.raises(CannotActivate, match="greater 'version'"):
        last(db.rules.activate(changed))
    broken = slug_pack(tmp_path, 3, SLUG.replace('{{slug}}"]', '{{slug:slug:9}}"]'))
    with pytest.raises(InvalidRule, match=r"harbor-slug.*are not one page, against its must_match"):
        last(db.rules.activate(broken))
    with pytest.raises(NotFound):
        db.rules.plan_rollback("v7")
    last(db.rules.roll_back("v1"))
    with pytest.raises(CannotActivate, match="taken back already"):
        db.rules.plan_rollback("v1")
    with pytest.raises(InvalidRule, match="cannot be read"):
        db.rules.check(tmp_path / "none.toml")


def test_own_rules_win_over_shipped_ones(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        DROP.replace('pack = "basket"', 'pack = "mine"')
        .replace('kind = "drop"', 'kind = "keep"')
        .replace('names = ["basket"]', 'names = ["utm_source"]')
        .replace("must_match = [", "must_not_match_ = [")
        .replace("must_not_match = [", "must_match = [")
        .replace("must_not_match_", "must_not_match")
        .replace("lamp?basket=1\", \"https://shop.example/lamp\"]", "lamp?utm_source=1\", \"https://shop.example/lamp\"]")
        .replace("lamp?basket=1\", \"https://shop.example/lamp?basket=2", "lamp?utm_source=1\", \"https://shop.example/lamp?utm_source=2")
        .replace("lamp?item=1\", \"https://shop.example/lamp?item=2", "lamp/\", \"https://shop.example/lamp")
        .replace("lamp?basket=1\", \"https://shop.example/table?basket=1", "lamp#a\", \"https://shop.example/lamp"),
        encoding="utf-8",
    )  # fmt: skip
    with seenbefore.open(":memory:", rule_packs=[str(path)]) as db:
        pages = [{"source": "s", "guid": str(n), "url": f"https://shop.example/lamp?utm_source={n}"} for n in range(2)]
        assert [db.see({**page, "title": f"Page {TITLE} {page['guid']}"}).outcome.value for page in pages] == [
            "new"
        ] * 2
        assert len(partition(db)) == 2
