"""An activation or a rollback that is cut off at any statement is completed by the same call."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

import pytest

from seenbefore.engine.engine import Engine
from seenbefore.engine.rulekeeper import RuleKeeper
from seenbefore.errors import StoreError
from seenbefore.model import Item
from seenbefore.policy import load_policy
from seenbefore.rules import load_rules
from seenbefore.stores.sqlite import SqliteStore
from seenbefore.testing.clock import FrozenClock
from seenbefore.testing.faults import FailingStatements

RULES, POLICY = load_rules(), load_policy()
PACK = """
pack = "harbor"
version = 1

[[rule]]
id = "harbor-slug"
kind = "identity"
hosts = ["harbor.example"]
match = ["/{year}/{month}/{day}/{slug}"]
value = "harbor:{slug}"
reads = "slug"
reason = "stories are posted again under a new date"
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
STEP = 7
"""Every so many statements one is made to fail, so that the test takes seconds."""


def keeper(store: SqliteStore) -> RuleKeeper:
    clock = FrozenClock()
    return RuleKeeper(store, Engine(store, RULES, POLICY, clock).rules, POLICY, clock)


def picture(path: Path) -> list[tuple[object, ...]]:
    """Who stands with whom, under which keys, and how far each activation has come."""
    with closing(SqliteStore(path)) as store, store.reading() as unit:
        records = unit.records.find_records()
        rows = unit.merges.snapshot([record.id for record in records])
        keys = sorted((record_id, key.address, key.strength.value) for (record_id, _), key in rows.keys.items())
        homes = sorted((sighting_id, placed.record_id) for sighting_id, placed in rows.sightings.items())
        versions = [(version.number, version.state.value) for version in unit.packs.list_versions()]
        return [*keys, *homes, *versions]


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """Three stories, each at two dates, and one that joined another on arrival."""
    path = tmp_path / "before.db"
    items = [
        Item(
            source="harbor",
            guid=f"{name}-{day}",
            original_url=f"https://harbor.example/2025/10/0{day}/a-story-of-{name}",
            title=f"A long story of {name} and what came of it",
        )
        for name in ("robots", "whales", "bridges")
        for day in (2, 3)
    ]
    (tmp_path / "harbor.toml").write_text(PACK, encoding="utf-8")
    with closing(SqliteStore(path)) as store:
        Engine(store, RULES, POLICY, FrozenClock()).see_many(items)
    return path


def cut_off_everywhere(
    before: Path, work: Callable[[RuleKeeper], Iterable[object]], wanted: list[tuple[object, ...]]
) -> int:
    """Do the work with a fault at every STEP-th statement, then again; return how many faults struck."""
    count = 0
    while True:
        path = before.with_name(f"cut-{count}.db")
        shutil.copy(before, path)
        fault = FailingStatements(at=1 + count * STEP)
        with closing(SqliteStore(path, statement_hook=fault)) as store:
            try:
                list(work(keeper(store)))
            except StoreError:
                assert fault.struck
        if not fault.struck:
            return count
        with closing(SqliteStore(path)) as store:
            list(work(keeper(store)))
        assert picture(path) == wanted, f"cut off at statement {fault.at}"
        path.unlink()
        count += 1


def test_cut_off(stored: Path, tmp_path: Path) -> None:
    pack = tmp_path / "harbor.toml"

    def activate(rules: RuleKeeper) -> Iterable[object]:
        if any(version.state == "active" for version in rules.versions()):
            return ()  # the cut came after everything was done
        return rules.activate(pack)

    def roll_back(rules: RuleKeeper) -> Iterable[object]:
        if any(version.state == "rolled_back" for version in rules.versions()):
            return ()
        return rules.roll_back("v1")

    active, back = tmp_path / "active.db", tmp_path / "back.db"
    shutil.copy(stored, active)
    with closing(SqliteStore(active)) as store:
        list(activate(keeper(store)))
    assert len({home for kind, home in picture(active)[-7:-1]}) == 3  # type: ignore[misc]
    shutil.copy(active, back)
    with closing(SqliteStore(back)) as store:
        list(roll_back(keeper(store)))
    assert cut_off_everywhere(stored, activate, picture(active)) > 10
    assert cut_off_everywhere(active, roll_back, picture(back)) > 10
