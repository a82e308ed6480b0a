"""Packs and rules by themselves: lists, what differs between two, and whether their pairs hold."""

from __future__ import annotations

import json

import pytest

from seenbefore.engine.packlist import (
    change_to_json,
    compare_packs,
    concerning,
    find_rules,
    pack_to_json,
    prove_packs,
    rule_to_json,
    shipped_packs,
)
from seenbefore.errors import InvalidRule
from seenbefore.rules import RulePack, lay_over, load_rules, parse_pack

from .own_packs import DROP, SLUG, STORY, pack_text, url


def pack(rules: str = SLUG, name: str = "mine", version: int = 1) -> RulePack:
    return parse_pack(f"{name}.toml", pack_text(rules, name, version))


def told(*sides: list[RulePack]) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(change.what, change.rule_id, change.fields) for change in compare_packs(*sides)]


# --- proving ------------------------------------------------------------------------------------


def test_a_pack_whose_pairs_hold() -> None:
    assert prove_packs([pack(SLUG + STORY)]).to_json() == {"packs": 1, "pairs": 8, "failures": []}


def test_pairs_that_do_not_hold_are_all_named() -> None:
    one = '["https://a.example/1", "https://a.example/1"]'
    meet = pack_text().replace(one, f'["{url(2)}", "{url(3, "another-story-of-robots")}"]')
    apart = meet.replace('["https://a.example/1", "https://a.example/3"]', f'["{url(2)}", "{url(3)}"]')
    tested = prove_packs([parse_pack("mine.toml", apart)])
    assert [(p.name, f.rule.id, f.field) for p, f in tested.failures] == [
        ("mine", "mine-slug", "must_match"),
        ("mine", "mine-slug", "must_not_match"),
    ]
    rows = tested.to_json()["failures"]
    assert isinstance(rows, list)
    assert rows[1] == {
        "pack": "mine",
        "rule": "mine-slug",
        "field": "must_not_match",
        "pair": [url(2), url(3)],
        "message": f"under the rules these two are one page, against its must_not_match: {url(2)} and {url(3)}",
    }


def test_packs_are_proved_over_each_other_and_the_shipped_ones() -> None:
    """The pair meets by a shipped rule, or by the pack beside it."""
    one = '["https://a.example/1", "https://a.example/1"]'
    shipped = pack_text().replace(one, '["https://youtu.be/dQw4w9WgXcQ", "https://m.youtube.com/watch?v=dQw4w9WgXcQ"]')
    beside = pack_text().replace(one, '["https://news.example/b?cid=1", "https://news.example/b"]')
    assert prove_packs([parse_pack("mine.toml", shipped)]).failures == ()
    assert len(prove_packs([parse_pack("mine.toml", beside)]).failures) == 1
    assert prove_packs([parse_pack("mine.toml", beside), pack(DROP, "other")]).failures == ()


def test_without_a_pack_the_shipped_ones_are_proved() -> None:
    tested = prove_packs()
    assert tested.packs == len(shipped_packs()) > 100
    assert tested.pairs > 1000
    assert tested.failures == ()


@pytest.mark.parametrize(
    ("other", "message"), [(pack(STORY), "pack 'mine' exists twice"), (pack(SLUG, "other"), "'mine-slug' exists twice")]
)
def test_a_name_that_stands_twice(other: RulePack, message: str) -> None:
    with pytest.raises(InvalidRule, match=message):
        prove_packs([pack(), other])


# --- finding and telling ------------------------------------------------------------------------


def test_rules_are_found_by_pack_and_by_id() -> None:
    rules = lay_over([pack(SLUG + STORY)])
    assert [rule.id for rule in find_rules(rules, "mine")] == ["mine-slug", "mine-story"]
    assert [rule.id for rule in find_rules(rules, "mine-story")] == ["mine-story"]
    assert find_rules(rules, "mine-nothing") == []


def test_a_rule_is_told_in_the_words_of_its_file() -> None:
    (slug,) = pack().rules
    assert rule_to_json(slug) == {
        "id": "mine-slug",
        "kind": "identity",
        "pack": "mine",
        "version": 1,
        "reason": "a test needs it",
        "fact": "made up",
        "hosts": ["news.example"],
        "match": ["/{year}/{month}/{day}/{slug}"],
        "value": "mine:{slug}",
        "reads": "slug",
        "strength": "strong",
        "must_match": [[f"https://a.example/{n}", f"https://a.example/{n}"] for n in (1, 2)],
        "must_not_match": [["https://a.example/1", f"https://a.example/{n}"] for n in (2, 3)],
    }
    (drop,) = pack(f'{DROP}strength = "near"\n').rules
    assert rule_to_json(drop)["strength"] == "near"
    assert "reads" not in rule_to_json(drop)


def test_every_shipped_rule_can_be_told() -> None:
    for each in load_rules().packs:
        assert json.loads(json.dumps(pack_to_json(each)))["rules"] == [rule.id for rule in each.rules]
        for rule in each.rules:
            assert json.loads(json.dumps(rule_to_json(rule)))["id"] == rule.id


def test_a_pack_is_told_with_its_rules() -> None:
    assert pack_to_json(pack(SLUG + STORY)) == {
        "pack": "mine",
        "version": 1,
        "own": True,
        "about": "Made up.",
        "rules": ["mine-slug", "mine-story"],
    }
    assert pack_to_json(shipped_packs()[0])["own"] is False


# --- differences --------------------------------------------------------------------------------


def test_what_was_added_removed_and_changed() -> None:
    before, after = pack(SLUG + STORY), pack(SLUG.replace("/{day}/", "/{day}/x-") + DROP, version=2)
    assert told([before], [after]) == [
        ("added", "mine-drop", ()),
        ("changed", "mine-slug", ("match",)),
        ("removed", "mine-story", ()),
    ]
    assert told([before], [before]) == told([before], [pack(SLUG + STORY, version=9)]) == []


def test_a_changed_rule_as_json() -> None:
    (change,) = compare_packs([pack(DROP)], [pack(f'{DROP}strength = "near"\n', version=2)])
    found = change_to_json(change)
    assert (found["rule"], found["what"], found["fields"]) == ("mine-drop", "changed", ["strength"])
    assert [side["strength"] for side in (found["before"], found["after"])] == ["strong", "near"]  # type: ignore[index]
    (added,) = compare_packs([], [pack(DROP)])
    assert change_to_json(added)["before"] is None


def test_only_what_concerns_a_pack() -> None:
    """A pack of the same name as a whole, and rules of the same id in another one."""
    techcrunch = pack(DROP, "techcrunch")
    assert [each.name for each in concerning(shipped_packs(), [techcrunch])] == ["techcrunch"]
    replaced = pack(DROP.replace("mine-drop", "techcrunch-campaign"))
    (found,) = concerning(shipped_packs(), [replaced])
    assert (found.name, [rule.id for rule in found.rules]) == ("techcrunch", ["techcrunch-campaign"])
    assert concerning(shipped_packs(), [pack()]) == []
