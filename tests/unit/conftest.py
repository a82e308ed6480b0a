"""For the unit tests: sightings made by the real key and text functions, stores in memory, real texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

import seenbefore
from seenbefore.blocking import derive_features
from seenbefore.compare import compare_sightings
from seenbefore.decisionjson import format_id
from seenbefore.model import (
    Comparison,
    DateEvidence,
    Decision,
    Item,
    Precision,
    Sighting,
    Version,
    VersionState,
)
from seenbefore.policy import Policy, load_policy
from seenbefore.rules import load_rules
from seenbefore.testing.clock import FrozenClock

START = datetime(2026, 3, 1, tzinfo=UTC)
RULES = load_rules()

TEXTS = SimpleNamespace(
    bridge=(
        "The city council voted nine to four on Tuesday to replace the Harbour Road bridge, a steel "
        "span that has carried traffic since 1931. Engineers told the meeting that corrosion in the "
        "eastern bearings had doubled in two winters and that a weight limit would be needed by "
        "spring. Work is due to start in March."
    ),
    whales=(
        "Researchers listening with sea-floor microphones have counted at least forty fin whales in a "
        "bay where none had been recorded for half a century. The animals arrive in late October and "
        "leave before the ice forms, following shoals of herring that have moved north. Shipping "
        "companies agreed to slow down inside the bay."
    ),
    opera=(
        "The opera house will reopen on Friday after three seasons behind scaffolding, with a new "
        "stage, warmer seats and a roof that no longer leaks. Its director said that the first night "
        "had sold out within an hour, and that the gallery would keep its cheap standing places for "
        "students and pensioners of the district."
    ),
    market=(
        "Traders at the fish market auctioned the first tuna of the year before dawn, at a price that "
        "startled even the oldest of them. The buyer, who runs a small chain of restaurants on the "
        "coast, promised to serve it to his regular guests at the ordinary price and called the sum a "
        "gift to the fishing families of the north."
    ),
    bridge_zh=(
        "市政府周二宣布，将重建使用了九十多年的港口大桥。工程师表示，东侧支座的锈蚀在两个冬天里增加"
        "了一倍，明年春天必须限制车辆重量。新桥设有独立的自行车道和可供帆船通过的升降段，预算为八千"
        "四百万元。工程计划明年三月开工，三年后通车。"
    ),
    whales_zh=(
        "研究人员利用海底麦克风，在一处半个世纪以来从未有过记录的海湾里，数到了至少四十头长须鲸。这"
        "些动物在十月下旬到来，在结冰之前离开，追随着北移的鲱鱼群。航运公司已经同意在海湾内减速行驶"
        "，渔民们则希望政府尽快划定新的捕捞区域和休渔期。"
    ),
    bridge_ja=(
        "市議会は火曜日、老朽化した港大橋を架け替えることを賛成多数で決めた。橋は九十年以上にわたっ"
        "て使われてきたが、東側の支承の腐食が二度の冬で倍に進み、来春には重量制限が必要になると技術"
        "者が説明した。工事は来年三月に始まり、三年後に開通する予定だという。"
    ),
    whales_ja=(
        "研究者たちは海底に置いた水中マイクを使い、半世紀のあいだ記録のなかった湾で、少なくとも四十"
        "頭のナガスクジラを確認した。クジラは十月下旬に現れ、氷が張る前に、北へ移ったニシンの群れを"
        "追って湾を離れる。海運各社は湾内での減速に同意し、漁協は新しい禁漁区を求めている。"
    ),
)
"""Long enough to decide; no two of them share a sentence."""


@pytest.fixture(scope="session")
def texts() -> SimpleNamespace:
    """Texts by name; those with ``_zh`` and ``_ja`` tell the same stories in Chinese and Japanese."""
    return TEXTS


@pytest.fixture(scope="session")
def policy() -> Policy:
    return load_policy()


@pytest.fixture(scope="session")
def at() -> Callable[[float], datetime]:
    """The moment so many days after the beginning."""
    return lambda days: START + timedelta(days=days)


@pytest.fixture(scope="session")
def a_date() -> Callable[..., DateEvidence]:
    """A publication date so many days after the beginning."""

    def make(days: float, precision: Precision = Precision.SECOND) -> DateEvidence:
        moment = START + timedelta(days=days)
        return DateEvidence("pubDate", moment.isoformat(), moment, precision, 0, zone_known=True)

    return make


@pytest.fixture(scope="session")
def seen(policy: Policy, a_date: Callable[..., DateEvidence]) -> Callable[..., Sighting]:
    """A sighting of an item with these fields, with the keys and the fingerprint the engine derives.

    ``published`` may be a number of days; ``fetches`` are the fetches it stood in; ``then`` are
    further contents that it had one after the other, one day apart.
    """

    def version(item: Item, day: float, number: int) -> tuple[Version, Sighting]:
        features = derive_features(item, item.source, RULES, policy)
        made = Version(
            number,
            item.title,
            features.fingerprint,
            item.published,
            item.modified,
            START + timedelta(days=day),
            number,
            VersionState.GOOD,
        )
        return made, Sighting(
            0, 0, 1, item.source, item.kind, features.guid, features.original_url, features.clean_title, 0,
            features.keys, (made,), (), made.captured_at, made.captured_at, 1, 1, item.external_id,
        )  # fmt: skip

    def make(
        source: str = "news.example/feed",
        *,
        source_id: int = 1,
        id: int = 0,
        record_id: int = 0,
        slot: int = 0,
        day: float = 0,
        fetches: tuple[int, ...] = (),
        then: tuple[str, ...] = (),
        states: tuple[VersionState, ...] = (),
        url: str = "",
        published: float | DateEvidence | None = None,
        **fields: Any,
    ) -> Sighting:
        date = a_date(published) if isinstance(published, int | float) else published
        item = Item(source=source, original_url=url, published=date, **fields)
        _, sighting = version(item, day, 1)
        versions = list(sighting.versions)
        for number, content in enumerate(then, 2):
            versions.append(version(replace(item, content=content), day + number - 1, number)[0])
        for number, state in enumerate(states):
            versions[number] = replace(versions[number], state=state)
        return replace(
            sighting,
            id=id,
            record_id=record_id,
            source_id=source_id,
            slot=slot,
            versions=tuple(versions),
            runs=tuple((n, n) for n in fetches),
            last_fetch_no=max(fetches, default=1),
            last_seen_at=versions[-1].captured_at,
        )

    return make


@pytest.fixture
def compare(policy: Policy) -> Callable[..., Comparison]:
    """The comparison of two sightings, made in both directions, which must agree."""

    def run(a: Sighting, b: Sighting, limits: Policy = policy, **learnt: Any) -> Comparison:
        there, back = (compare_sightings(x, y, limits, **learnt) for x, y in ((a, b), (b, a)))
        assert (there.relation, there.reason, there.rank, there.via) == (
            back.relation,
            back.reason,
            back.rank,
            back.via,
        )
        return there

    return run


class Db:
    """A store in memory and short ways to ask it."""

    def __init__(self, policy: dict[str, object] | None = None) -> None:
        self.library = seenbefore.open(":memory:", clock=FrozenClock(START + timedelta(days=90)), policy=policy)

    def fetch(self, day: int, *entries: dict[str, Any], source: str = "https://news.example/feed") -> list[Decision]:
        """The decisions on the entries of the fetch of this day."""
        common = {"source": source, "fetch_id": f"{source} {day}", "observed_at": _iso(day)}
        return self.library.see_many([{**common, **entry} for entry in entries])

    def see(self, source: str = "https://news.example/feed", **fields: Any) -> Decision:
        """The decision on an item that is a fetch of its own."""
        return self.library.see({"source": source, **fields})

    def titles(self) -> dict[str, str]:
        """The titles of the live records by their ids."""
        return {str(format_id("r", record.id)): record.title for record in self.library.records()}

    def delivered(self, consumer: str = "reader") -> list[str]:
        """What a consumer gets: reasons of decisions, names of events."""
        changes = self.library.changes(consumer)
        return [c.decision.reason if c.decision else c.event.event for c in changes if c.decision or c.event]


def _iso(day: int) -> str:
    return (START + timedelta(days=day)).isoformat()


@pytest.fixture
def db() -> Iterator[Db]:
    made = Db()
    yield made
    made.library.close()


@pytest.fixture
def db_with() -> Iterator[Callable[..., Db]]:
    """A store under a changed policy: ``db_with(across_sources={"same_text": "review"})``."""
    made: list[Db] = []

    def make(**sections: object) -> Db:
        made.append(Db({"version": "test", **sections}))
        return made[-1]

    yield make
    for one in made:
        one.library.close()
