"""Rules learned from made-up sites of which it is known what their parameters mean: none may be wrong.

A small part of `./dev bench learned`: every trap once, at half its size.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import seenbefore
from seenbefore.engine.learnrules import learn_rules
from seenbefore.policy import load_policy
from seenbefore.rules import load_rules
from seenbefore.urls.learning import Learned

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"

RIGHT = ("articles", "query", "sessions", "split", "beside", "twins", "moving-dates", "moving-sections")
"""Sites with something to learn."""

TRAPS = ("shop", "seldom-20", "seldom-word-15", "wall", "titles", "columns", "mixed-columns", "open-threads", "places")
"""Sites on which a parameter or a path seems neutral and is not; what is neutral beside it may be found."""


@pytest.fixture(scope="module")
def learned() -> Iterator[tuple[Any, Learned]]:
    """The score of each kind, and what was learned."""
    if not BENCHMARKS.is_dir():
        pytest.skip("this checkout has no benchmarks")
    sys.path.insert(0, str(BENCHMARKS))
    try:
        from harness.learned_scenarios import make_sites  # noqa: PLC0415
        from learned import read_in, score, total  # noqa: PLC0415

        sites = make_sites(1, 0, share=0.5, names=(*RIGHT, *TRAPS))
        with seenbefore.open(":memory:") as db:
            read_in(db, sites)
            found = learn_rules(db.store, load_rules(), load_policy())
            again = learn_rules(db.store, load_rules(), load_policy())
        assert found.to_toml() == again.to_toml()
        yield total(score(sites, found)), found
    finally:
        sys.path.remove(str(BENCHMARKS))


def test_no_proposal_is_wrong(learned: tuple[Any, Learned]) -> None:
    score, _ = learned
    assert score.wrong == []
    assert score.right >= 10


def test_what_was_seen_often_enough_is_found(learned: tuple[Any, Learned]) -> None:
    score, _ = learned
    expected = score.found + len(score.missed)
    assert expected >= 10
    assert score.found >= 0.9 * expected, score.missed


def test_sites_where_nothing_can_be_known_get_no_rule(learned: tuple[Any, Learned]) -> None:
    _, found = learned
    silent = {"seldom-20", "seldom-word-15", "wall", "titles", "columns", "mixed-columns", "open-threads", "places"}
    assert not silent & {proposal.host.rsplit("-", 2)[0] for proposal in found.proposals}
