"""Thresholds as data: what may be laid over the default, and what is refused."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from seenbefore.errors import InvalidPolicy
from seenbefore.policy import load_policy, policy_fields


def test_the_default_holds_every_field_and_nothing_else() -> None:
    policy = asdict(load_policy())
    assert policy.pop("version") == "1"
    assert {f"{section}.{name}": value for section, values in policy.items() for name, value in values.items()} == (
        policy_fields()
    )


def test_sections_are_laid_over_the_default() -> None:
    changed = load_policy({"version": "mine", "title": {"similar": 0.6}, "delivery": {"hold_review": True}})
    assert (changed.version, changed.title.similar, changed.delivery.hold_review) == ("mine", 0.6, True)
    assert changed.title.related == load_policy().title.related
    assert load_policy({}) == load_policy(None) == load_policy()
    assert load_policy({"version": 2}).version == "2"


@pytest.mark.parametrize("version", [None, "", "1"])
def test_a_change_needs_a_version_of_its_own(version: Any) -> None:
    with pytest.raises(InvalidPolicy, match="version"):
        load_policy({"version": version, "title": {"similar": 0.6}})


@pytest.mark.parametrize(
    ("section", "values", "says"),
    [
        ("titles", {"similar": 0.6}, r"unknown section \[titles\]; known: text, title"),
        ("title", 0.6, r"unknown section \[title\]"),
        ("title", {"simlar": 0.6}, r"unknown name 'simlar' in \[title\]; known: min_chars"),
        ("title", {"similar": 1.5}, "share from 0 to 1"),
        ("title", {"similar": -0.1}, "not negative"),
        ("title", {"similar": "0.6"}, "number"),
        ("title", {"similar": True}, "number"),
        ("title", {"min_chars": 12.5}, "whole number"),
        ("title", {"min_chars": -1}, "not negative"),
        ("delivery", {"hold_review": 1}, "true or false"),
        ("across_sources", {"same_text": "merge"}, "duplicate, review, related"),
        ("across_sources", {"flash_then_full": "duplicate"}, "review, update"),
    ],
)
def test_what_is_refused(section: str, values: Any, says: str) -> None:
    with pytest.raises(InvalidPolicy, match=says) as refused:
        load_policy({"version": "x", section: values}, where="my.toml")
    assert refused.value.where == "my.toml"


def test_a_share_may_be_written_as_a_whole_number() -> None:
    assert load_policy({"version": "x", "title": {"similar": 1}}).title.similar == 1


def test_infinity_is_no_share() -> None:
    with pytest.raises(InvalidPolicy, match="number"):
        load_policy({"version": "x", "title": {"similar": float("inf")}})


def test_not_a_number_is_no_share() -> None:
    with pytest.raises(InvalidPolicy):
        load_policy({"version": "x", "title": {"similar": float("nan")}})
