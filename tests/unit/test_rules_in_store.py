"""Rules of one's own in a store: what they would do, putting them into force, and what holds from then on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from seenbefore.engine.activate import activate
from seenbefore.errors import CannotActivate, InvalidRule, NotFound, StoreError
from seenbefore.model import Outcome

from .own_packs import DROP, LAUNDRY_TEXT, ROBOTS, SLUG, STORY, WHALES, WHALES_TEXT, OwnRules, dated, pack_text, url


@pytest.fixture(params=["memory", "sqlite"])
def own(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OwnRules]:
    made = OwnRules(":memory:" if request.param == "memory" else str(tmp_path / "news.db"), tmp_path)
    yield made
    assert made.library.check().problems == []
    made.library.close()


@pytest.fixture
def on_file(tmp_path: Path) -> Iterator[OwnRules]:
    made = OwnRules(str(tmp_path / "news.db"), tmp_path)
    yield made
    made.library.close()


KEEP = DROP.replace("mine-drop", "mine-keep").replace('"drop"', '"keep"').replace('"cid"', '"utm_source"')


# --- the story ----------------------------------------------------------------------------------


def test_dated_paths_meet_when_the_rule_comes_and_part_when_it_goes(own: OwnRules) -> None:
    other = dated(4, url=url(4, "whales-return-to-bay"), title=WHALES)
    own.see(dated(2), dated(3), other)
    assert own.guids() == {"r1": {"g2"}, "r2": {"g3"}, "r3": {"g4"}}
    before = own.everything()
    check = own.rules.check(own.file(pack_text()))
    assert own.everything() == before
    assert [(m.a.record_id, m.b.record_id, m.collision) for m in check.meetings] == [("r1", "r2", "")]
    assert (check.records, check.hosts, check.collisions) == (3, ("news.example",), ())
    assert (check.merged, check.split, check.reviews) == (1, 0, 0)
    done = own.activate(pack_text(), author="ann")
    assert own.guids() == {"r2": {"g2", "g3"}, "r3": {"g4"}}
    assert (done.total, done.reformed.merged, done.version.author) == (3, 1, "ann")
    assert own.see(dated(9)) == ["duplicate/new_address r2"]
    assert own.library.decisions()[-1].rules_version.endswith(",mine@1")
    before = own.everything()
    plan = own.rules.plan_rollback("v1")
    assert own.everything() == before
    assert [event.event for event in plan.steps] == ["merged"]
    own.roll_back("v1")
    assert own.guids() == {"r1": {"g2"}, "r2": {"g3"}, "r3": {"g4"}, "r4": {"g9"}}


def test_there_and_back_leaves_every_row_as_it_was(own: OwnRules) -> None:
    own.see(dated(2), dated(3), dated(4, title=WHALES))
    rows = own.rows()
    own.activate(pack_text(SLUG + STORY + DROP), force="a test")
    assert own.rows() != rows
    own.roll_back("v1")
    assert own.rows() == rows
    assert own.labels() == 0


def test_a_pack_takes_the_place_of_a_shipped_one(own: OwnRules) -> None:
    """TechCrunch without the slug: what the shipped rule joined falls apart, and comes together again."""
    addresses = [f"https://techcrunch.com/2025/10/0{day}/robots-that-fold-laundry/" for day in (2, 3)]
    own.see(*(dated(day, url=addresses[day - 2], guid=f"t{day}") for day in (2, 3)))
    assert own.together() == {frozenset(("t2", "t3"))}
    rows = own.rows()
    campaign = DROP.replace("mine-drop", "techcrunch-campaign").replace("news.example", "techcrunch.com")
    text = pack_text(campaign, "techcrunch", 3)
    check = own.rules.check(own.file(text))
    assert (check.meetings, check.split) == ((), 1)
    assert [(flip.decision.outcome, flip.becomes) for flip in check.flips] == [(Outcome.DUPLICATE, Outcome.NEW)]
    own.activate(text)
    assert own.together() == {frozenset(("t2",)), frozenset(("t3",))}
    assert [pack.version for pack in own.rules.current().packs if pack.name == "techcrunch"] == [3]
    own.roll_back("v1")
    assert own.together() == {frozenset(("t2", "t3"))}
    assert own.rows()[1:] == rows[1:]  # a pointer is left of the record that was split off
    assert own.see(dated(5, url=addresses[0].replace("/02/", "/05/"), guid="t5"))[0].endswith(" r1")


# --- the check ----------------------------------------------------------------------------------

UNTITLED = {"title": "", "content": "no more"}


@pytest.mark.parametrize(
    ("fields", "collision"),
    [
        ({"title": WHALES}, "title"),
        ({"content": WHALES_TEXT}, "text"),
        ({"title": WHALES, "content": WHALES_TEXT}, "title and text"),
        ({"content": ""}, ""),
        ({"title": f"{ROBOTS}!", "content": f"{LAUNDRY_TEXT} Corrected."}, ""),
    ],
)
def test_two_articles_under_one_key_collide(own: OwnRules, fields: dict[str, Any], collision: str) -> None:
    own.see(dated(2, content=LAUNDRY_TEXT), dated(3, **{"content": LAUNDRY_TEXT, **fields}))
    check = own.rules.check(own.file(pack_text()))
    assert [meeting.collision for meeting in check.meetings] == ([collision] if len(own.guids()) == 2 else [])


def test_every_two_that_meet_are_held_against_each_other(own: OwnRules) -> None:
    """The first one says nothing, so only the other two show that these are two articles."""
    own.see(dated(2, **UNTITLED), dated(3), dated(4, title=WHALES))
    check = own.rules.check(own.file(pack_text()))
    pairs = {(m.a.record_id, m.b.record_id): m.collision for m in check.meetings}
    assert pairs == {("r1", "r2"): "", ("r1", "r3"): "", ("r2", "r3"): "title"}


def test_what_met_before_is_no_meeting(own: OwnRules) -> None:
    """r1 and r2 wait for a person already, and share the address that r3 comes to."""
    page = "https://news.example/a"
    own.see(dated(2, url=page), dated(3, url=page, title=WHALES), dated(4, url=f"{page}?cid=1"))
    assert len(own.guids()) == 3
    check = own.rules.check(own.file(pack_text(DROP)))
    assert {(m.a.record_id, m.b.record_id) for m in check.meetings} == {("r1", "r3"), ("r2", "r3")}


def test_what_leaves_a_key_does_not_meet_there(own: OwnRules) -> None:
    """Under a keep rule r1 leaves the address that r2 comes to under a drop rule."""
    page = "https://news.example/a"
    own.see(dated(2, url=f"{page}?utm_source=x"), dated(3, url=f"{page}?cid=1", title=WHALES))
    check = own.rules.check(own.file(pack_text(KEEP + DROP)))
    assert check.meetings == ()
    assert check.records == 2


def test_a_check_of_what_concerns_nothing(own: OwnRules) -> None:
    own.see({"source": "a", "guid": "1", "url": "https://other.example/1", "title": ROBOTS})
    check = own.rules.check(own.file(pack_text()))
    assert (check.records, check.meetings, check.flips, check.merged) == (0, (), (), 0)


def test_a_rule_for_every_host_looks_at_every_record(own: OwnRules) -> None:
    own.see({"source": "a", "guid": "1", "url": "https://other.example/1?cid=2", "title": ROBOTS})
    check = own.rules.check(own.file(pack_text(DROP.replace('hosts = ["news.example"]\n', ""))))
    assert (check.records, check.hosts) == (1, None)


# --- into force ---------------------------------------------------------------------------------


def test_collisions_need_a_reason_and_it_is_kept(own: OwnRules) -> None:
    own.see(dated(2, content=LAUNDRY_TEXT), dated(3, title=WHALES, content=WHALES_TEXT))
    before = own.everything()
    with pytest.raises(CannotActivate, match=r"1 pair of stored records .* would meet") as refused:
        own.activate(pack_text())
    assert refused.value.collisions == 1
    with pytest.raises(CannotActivate):
        own.activate(pack_text(), force="  ")
    assert own.everything() == before
    done = own.activate(pack_text(), force="r1 is a test page")
    (version,) = own.rules.versions()
    assert (version.forced, version.collisions, version.state) == ("r1 is a test page", 1, "active")
    assert done.version == version
    assert len(own.guids()) == 2  # the key is near, and both texts speak against it


def test_a_reason_without_collisions_is_not_kept(own: OwnRules) -> None:
    own.see(dated(2), dated(3))
    assert own.activate(pack_text(), force="just in case").version.forced == ""


def test_what_is_refused(own: OwnRules) -> None:
    own.activate(pack_text(version=2))
    with pytest.raises(CannotActivate, match="mine 2 is in force already, as v1"):
        own.activate(pack_text(version=2))
    for version in (1, 2):
        with pytest.raises(CannotActivate, match="needs a greater 'version'"):
            own.activate(pack_text(STORY, version=version))
    with pytest.raises(InvalidRule, match="cannot be read"):
        own.rules.check(own.folder / "nothing.toml")
    with pytest.raises(InvalidRule, match=r"mine\.toml, line 5, rule 'mine-slug': unknown field 'colour'"):
        own.rules.check(own.file(pack_text(SLUG + 'colour = "red"\n')))
    with pytest.raises(NotFound):
        own.rules.version("v7")
    assert [version.version_id for version in own.rules.versions()] == ["v1"]


def test_a_pack_whose_pairs_do_not_hold(own: OwnRules) -> None:
    text = pack_text().replace('["https://a.example/1", "https://a.example/1"]', f'["{url(2)}", "{url(3)}x"]')
    with pytest.raises(InvalidRule, match=r"rule 'mine-slug'.*are not one page, against its must_match"):
        own.activate(text)
    assert own.rules.versions() == []


def test_the_source_shows_that_a_parameter_matters(own: OwnRules) -> None:
    """One fetch lists the address with and without it under two titles: under the rule it names neither of them."""
    page = {"source": "a", "url": "https://news.example/a"}
    own.see({**page, "url": "https://news.example/a?cid=2", "title": ROBOTS, "guid": "1"})
    both = [{**page, "title": WHALES}, {**page, "url": "https://news.example/a?cid=1", "title": ROBOTS}]
    own.library.see_many([{**item, "guid": f"f{n}", "fetch_id": "f"} for n, item in enumerate(both)])
    own.activate(pack_text(DROP), force="a test")
    assert len(own.guids()) == 3
    assert {own.keys(n)["https://news.example/a"] for n in (1, 2, 3)} == {"distrusted"}


def test_an_id_says_no_more_than_the_address_it_is_read_from(own: OwnRules) -> None:
    """The address stood over two titles in one fetch; an id read from it must not join what that took apart."""
    page = {"url": "https://news.example/story/7/robots"}
    own.see({"source": "b", "guid": "1", "title": ROBOTS, **page})
    both = [{"guid": "2", "title": ROBOTS, **page}, {"guid": "3", "title": WHALES, **page}]
    own.library.see_many([{"source": "a", "fetch_id": "f", **item} for item in both])
    before = own.together()
    assert len(before) == 3
    own.activate(pack_text(STORY), force="a test")
    assert own.together() == before


def test_a_second_process_follows_from_its_next_unit_on(on_file: OwnRules) -> None:
    other = on_file.open()
    other.see(dated(2))
    on_file.activate(pack_text())
    assert other.rules.current().get("mine-slug") is not None
    assert other.see(dated(3)).record_id == "r1"
    on_file.roll_back("v1")
    assert other.rules.current().get("mine-slug") is None
    decision = other.see(dated(4))
    assert (decision.record_id, "mine@1" in decision.rules_version) == ("r3", False)
    other.close()


# --- cut off ------------------------------------------------------------------------------------


def begin(own: OwnRules, text: str, pages: int) -> None:
    """Activate, and leave after so many pages of one record."""
    library, engine = own.library, own.library.engine
    for _ in islice(activate(library.store, engine.rules, engine.policy, own.clock, text, "mine.toml", page=1), pages):
        pass


def test_what_was_cut_off_goes_on(own: OwnRules) -> None:
    own.see(*(dated(day) for day in range(2, 6)))
    begin(own, pack_text(), 2)
    assert own.rules.versions()[0].state == "activating"
    assert own.rules.current().get("mine-slug") is not None  # what comes meanwhile is read by it
    assert own.activate(pack_text()).version.version_id == "v1"
    assert own.together() == {frozenset(f"g{day}" for day in range(2, 6))}
    assert own.rules.versions()[0].state == "active"


def test_what_was_cut_off_stands_in_the_way_of_another_text(own: OwnRules) -> None:
    own.see(dated(2), dated(3))
    begin(own, pack_text(), 1)
    for version in (1, 2):
        with pytest.raises(CannotActivate, match=r"another text of this pack was cut off.*rollback v1 --apply"):
            own.activate(pack_text(STORY, version=version))
    own.roll_back("v1")
    own.activate(pack_text(STORY))
    assert [version.state for version in own.rules.versions()] == ["rolled_back", "active"]


def test_a_replacement_that_was_cut_off_takes_the_keys_of_the_older_one_away(own: OwnRules) -> None:
    own.see(*(dated(day, url=f"https://news.example/story/{day}", title=f"{ROBOTS} {day}") for day in range(2, 6)))
    own.activate(pack_text(STORY))
    newer = pack_text(STORY.replace("mine:", "other:"), version=2)
    begin(own, newer, 2)
    own.activate(newer)
    assert [value for n in range(1, 5) for value in own.keys(n) if value.startswith("mine:")] == []
    assert "other:5" in own.keys(4)


def test_rules_that_were_changed_meanwhile_stop_an_activation(on_file: OwnRules) -> None:
    on_file.see(*(dated(day) for day in range(2, 6)))
    steps = on_file.rules.activate(on_file.file(pack_text()))
    next(steps)
    other = on_file.open()
    *_, _ = other.rules.roll_back("v1")
    with pytest.raises(CannotActivate, match="give the same command again"):
        next(steps)
    assert [version.state for version in on_file.rules.versions()] == ["rolled_back"]
    assert len(on_file.guids()) == 4
    other.close()


def test_a_record_that_moved_past_the_pages(own: OwnRules) -> None:
    """While an activation was cut off, an item joined a record that was not reached yet to one that was."""
    page, copy = "https://news.example/1", "https://news.example/2"
    first = {"source": "a", "guid": "1", "url": page, "title": ROBOTS, "observed_at": "2023-01-05"}
    second = {"source": "b", "guid": "2", "title": WHALES, "observed_at": "2023-01-01"}
    own.see(first, {**second, "url": copy}, {**second, "url": "https://news.example/story/7"})
    assert own.guids() == {"r1": {"1"}, "r2": {"2"}}
    begin(own, pack_text(STORY), 1)
    own.see({**first, "redirects": [[page, copy]], "observed_at": "2023-01-06"})
    assert own.guids() == {"r1": {"1", "2"}}
    own.activate(pack_text(STORY))
    assert "mine:7" in own.keys(1)


def test_what_was_cut_off_is_sound(own: OwnRules) -> None:
    """r1 left the address that both had, so it is no longer shared."""
    page = "https://news.example/a"
    own.see(dated(2, url=f"{page}?utm_source=x", title=WHALES), dated(3, url=page))
    assert own.keys(2)[page] == "near"
    begin(own, pack_text(KEEP), 1)
    assert own.keys(2)[page] == "strong"
    assert own.library.check().problems == []


# --- whose rules win ----------------------------------------------------------------------------


def test_a_rule_takes_the_place_of_the_shipped_one_with_its_id(own: OwnRules) -> None:
    rule = DROP.replace("mine-drop", "techcrunch-campaign").replace("news.example", "techcrunch.com")
    own.activate(pack_text(rule))
    rules = own.rules.current()
    found = rules.get("techcrunch-campaign")
    assert (found.pack, found.names) == ("mine", ("cid",)) if found else False
    assert rules.get("techcrunch-slug") is not None


def test_keep_wins_over_what_is_dropped_everywhere(own: OwnRules) -> None:
    page = "https://news.example/a?utm_source="
    own.see(dated(2, url=f"{page}one"), dated(3, url=f"{page}two"))
    assert len(own.guids()) == 1
    own.activate(pack_text(KEEP))
    assert len(own.guids()) == 2
    away = {"url": "https://other.example/a?utm_source=one", "guid": "o1", "source": "a", "title": WHALES}
    own.see(away, {**away, "url": "https://other.example/a?utm_source=two", "guid": "o1"})
    assert len(own.guids()) == 3


def test_packs_that_the_caller_passes_in_win_over_stored_ones(on_file: OwnRules) -> None:
    on_file.activate(pack_text())
    passed = on_file.file(pack_text(STORY, version=7), "passed.toml")
    other = on_file.open(passed)
    assert [pack.version for pack in other.rules.current().packs if pack.name == "mine"] == [7]
    assert other.rules.current().get("mine-slug") is None
    with pytest.raises(CannotActivate, match="--rules"):
        list(other.rules.activate(passed))
    other.close()
    assert on_file.rules.current().get("mine-slug") is not None


def test_a_stored_pack_that_cannot_be_read_stops_with_its_name(on_file: OwnRules) -> None:
    on_file.activate(pack_text())
    connection = on_file.library.store._connection  # type: ignore[attr-defined]
    with connection:
        connection.execute("UPDATE rule_versions SET text = 'pack = 7'")
        connection.execute("UPDATE rule_stamp SET stamp = stamp + 1")
    with pytest.raises((InvalidRule, StoreError), match="rules v1"):
        on_file.rules.current()


def test_packs_as_they_were_after_an_activation(own: OwnRules) -> None:
    own.activate(pack_text())
    own.activate(pack_text(STORY, version=2))
    own.roll_back("v2")
    own.activate(pack_text(DROP, "other"))
    told = [[f"{pack.name}@{pack.version}" for pack in own.rules.packs_at(f"v{n}")] for n in range(4)]
    assert told == [[], ["mine@1"], ["mine@2"], ["mine@1", "other@1"]]
    own.roll_back("v3")
    own.activate(pack_text(STORY, version=3))
    assert [f"{pack.name}@{pack.version}" for pack in own.rules.packs_at("v4")] == ["mine@3"]
    assert [f"{pack.name}@{pack.version}" for pack in own.rules.packs_at("v3")] == ["mine@1", "other@1"]
    with pytest.raises(NotFound):
        own.rules.packs_at("v9")


# --- known to be wrong --------------------------------------------------------------------------


@pytest.mark.xfail(reason="records are found by their own addresses, not by those of their media files")
def test_media_files_on_the_host_of_a_rule(own: OwnRules) -> None:
    own.see({"source": "a", "guid": "1", "title": ROBOTS, "enclosures": ["https://news.example/1.mp3?cid=1"]})
    assert own.rules.check(own.file(pack_text(DROP))).records == 1


@pytest.mark.xfail(reason="trust that was lost under rules is not given back with them: the store cannot")
def test_trust_that_was_lost_under_the_rules_comes_back(own: OwnRules) -> None:
    page = "https://news.example/a"
    own.activate(pack_text(DROP))
    both = [dated(2, url=f"{page}?cid=1"), dated(3, url=f"{page}?cid=2", title=WHALES)]
    own.library.see_many([{**item, "fetch_id": "f"} for item in both])
    own.roll_back("v1")
    own.see(dated(4, url=page, title="Notes from the harbor"))
    assert own.keys(3)[page] == "strong"
