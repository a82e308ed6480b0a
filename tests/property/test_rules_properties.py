"""Rules that come later, searched by Hypothesis: as if they had been there from the start, and as if they never had."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seenbefore.blocking import sighting_hash
from seenbefore.engine.activate import activate
from seenbefore.engine.audit import check_store
from seenbefore.engine.engine import Engine
from seenbefore.engine.rollback import roll_back
from seenbefore.engine.rulebook import RuleBook
from seenbefore.model import DateEvidence, Item, Precision, ReviewState, Status
from seenbefore.policy import load_policy
from seenbefore.rules import load_rules
from seenbefore.stores.base import Store
from seenbefore.stores.memory import MemoryStore
from seenbefore.testing.clock import FrozenClock
from seenbefore.testing.streams import START, Fetched, with_fetch_ids

RULES, POLICY = load_rules(), load_policy()
SEARCH = settings(
    max_examples=settings().max_examples * 4 // 10,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


# --- packs --------------------------------------------------------------------------------------

_PACK = """
pack = "mine"
version = 1
[[rule]]
id = "mine-rule"
{rule}
reason = "a test needs it"
fact = "made up"
must_match = [["https://a.example/1", "https://a.example/1"], ["https://a.example/2", "https://a.example/2"]]
must_not_match = [["https://a.example/1", "https://a.example/2"], ["https://a.example/1", "https://a.example/3"]]
"""

PACKS = {
    name: _PACK.format(rule=rule)
    for name, rule in {
        "slug": """kind = "identity"
hosts = ["news.example"]
match = ["/{year}/{month}/{day}/{slug}"]
value = "mine:{slug}"
reads = "slug" """,
        "id": """kind = "identity"
hosts = ["news.example"]
match = ["/story/{story:digits}[/{any}]"]
value = "mine:{story}" """,
        "drop": """kind = "drop"
hosts = ["news.example"]
names = ["cid"] """,
        "keep": """kind = "keep"
hosts = ["news.example"]
names = ["utm_source"] """,
        "alias": """kind = "alias"
hosts = ["old.example"]
to = "news.example" """,
        "unwrap": """kind = "unwrap"
hosts = ["go.example"]
match = ["/to?u={target}"] """,
    }.items()
}

# --- streams ------------------------------------------------------------------------------------

BRIDGE = (
    "The city council voted nine to four on Tuesday to replace the Harbour Road bridge, a steel span that has "
    "carried traffic since 1931. Engineers told the meeting that corrosion in the eastern bearings had doubled in "
    "two winters and that a weight limit would be needed by spring. Work is due to start in March."
)
WHALES = (
    "Researchers listening with sea-floor microphones have counted at least forty fin whales in a bay where none "
    "had been recorded for half a century. The animals arrive in late October and leave before the ice forms, "
    "following shoals of herring that have moved north. Shipping companies agreed to slow down inside the bay."
)
TITLES = ("Harbour bridge to be replaced", "Council replaces Harbour bridge", "Whales return to the bay", "Notes")
URLS = (
    "https://news.example/2026/03/01/harbour-bridge-to-be-replaced",
    "https://news.example/2026/03/04/harbour-bridge-to-be-replaced/",
    "https://old.example/2026/03/01/harbour-bridge-to-be-replaced",
    "https://news.example/2026/03/02/whales-return-to-the-bay",
    "https://news.example/story/7",
    "https://news.example/story/7/harbour-bridge",
    "https://news.example/story/8/harbour-bridge",
    "https://old.example/story/7",
    "https://news.example/a?cid=1",
    "https://news.example/a?cid=2",
    "https://news.example/a",
    "https://news.example/a?utm_source=rss",
    "https://news.example/a?utm_source=mail",
    "https://go.example/to?u=https%3A%2F%2Fnews.example%2Fa",
    "https://go.example/to?u=https%3A%2F%2Fnews.example%2Fstory%2F7",
)
SOURCES = ("https://news.example/feed", "https://planet.example/feed")


def entries() -> st.SearchStrategy[Item]:
    def build(guid: str, url: str, title: str, text: str, day: int | None) -> Item:
        at = START + timedelta(days=day or 0)
        date = DateEvidence("pubDate", at.isoformat(), at, Precision.SECOND, 0, True) if day is not None else None
        return Item(source="", guid=guid, original_url=url, title=title, content=text, published=date)

    return st.builds(
        build,
        guid=st.sampled_from(("", "g1", "g2", "g3")),
        url=st.sampled_from(URLS),
        title=st.sampled_from(TITLES),
        text=st.sampled_from(("", "", BRIDGE, BRIDGE.replace("nine", "ten"), WHALES)),
        day=st.sampled_from((None, 0, 0, 1, 3)),
    )


@st.composite
def streams(draw: st.DrawFn, single: bool = False) -> list[Fetched]:
    """Fetches in time order; with ``single`` every item is a fetch of its own."""
    found = []
    for step in range(draw(st.integers(2, 5))):
        source = draw(st.sampled_from(SOURCES))
        at = START + timedelta(hours=10 * step)
        items = draw(st.lists(entries(), min_size=1, max_size=1 if single else 3))
        found.append(Fetched(source, at, tuple(replace(i, source=source, observed_at=at) for i in items)))
    return found


# --- stores -------------------------------------------------------------------------------------


class Kept:
    """A store with what is done to it."""

    def __init__(self, store: Store, *packs: str) -> None:
        self.store = store
        self.clock = FrozenClock()
        self.engine = Engine(store, load_rules([("mine.toml", pack) for pack in packs]), POLICY, self.clock)
        assert isinstance(self.engine.rules, RuleBook)
        self.book = self.engine.rules

    def take(self, stream: Sequence[Fetched]) -> Kept:
        for items in with_fetch_ids(stream):
            self.engine.see_many(items)
        return self

    def activate(self, pack: str, page: int = 1) -> Kept:
        for _ in activate(self.store, self.book, POLICY, self.clock, pack, "mine.toml", page=page):
            pass
        return self

    def roll_back(self, number: int = 1, page: int = 1) -> Kept:
        for _ in roll_back(self.store, self.book, POLICY, self.clock, number, page=page):
            pass
        return self

    def partition(self) -> set[frozenset[str]]:
        return set(self.keys())

    def keys(self) -> dict[frozenset[str], frozenset[tuple[str, ...]]]:
        """The sightings of each live record, with the keys it is found by."""
        with self.store.reading() as unit:
            live = [r.id for r in unit.records.find_records() if r.status is not Status.MERGED]
            held = unit.merges.snapshot(live).keys
            return {
                frozenset(map(sighting_hash, unit.records.get_sightings([record_id]))): frozenset(
                    (key.kind, key.scope, key.value, key.strength.value, key.rule_id, str(key.pack_version))
                    for (holder, _), key in held.items()
                    if holder == record_id
                )
                for record_id in live
            }

    def waiting(self) -> set[frozenset[str]]:
        """Pairs of sightings whose records wait for a person."""
        with self.store.reading() as unit:
            found = set()
            for review in unit.reviews.find_reviews():
                if review.state is ReviewState.WAITING:
                    one, other = (
                        [*map(sighting_hash, unit.records.get_sightings([r]))]
                        for r in (review.record_id, review.other_id)
                    )
                    found |= {frozenset((a, b)) for a in one for b in other}
            return found

    def problems(self) -> list[str]:
        return [f"{p.code} {p.where}: {p.message}" for p in check_store(self.store, self.book, POLICY).problems]

    def labels(self) -> int:
        with self.store.reading() as unit:
            sightings = unit.records.get_sightings(r.id for r in unit.records.find_records())
            return len(unit.reviews.find_labels(s.id for s in sightings))

    def trust(self) -> set[tuple[str, str, str]]:
        with self.store.reading() as unit:
            return {
                (s.identity, t.kind, t.value)
                for s in unit.sources.list_sources()
                for t in unit.sources.find_trust(s.id)
            }


@SEARCH
@given(streams(), st.sampled_from(sorted(PACKS)))
def test_activated_later_is_as_if_it_had_been_there(stream: list[Fetched], name: str) -> None:
    late = Kept(MemoryStore()).take(stream)
    early = Kept(MemoryStore(), PACKS[name]).take(stream)
    late.activate(PACKS[name])
    assert late.problems() == []
    assert late.keys() == early.keys()


@SEARCH
@given(streams(), streams(), st.sampled_from(sorted(PACKS)))
def test_taken_back_is_as_if_it_had_never_been_there(first: list[Fetched], then: list[Fetched], name: str) -> None:
    then = [
        replace(
            f,
            observed_at=f.observed_at + timedelta(days=9),
            items=tuple(replace(i, observed_at=i.observed_at + timedelta(days=9)) for i in f.items),
        )
        for f in then
    ]
    kept = Kept(MemoryStore()).take(first).activate(PACKS[name]).take(then)
    never = Kept(MemoryStore()).take(first).take(then)
    labels = kept.labels()
    kept.roll_back()
    assert kept.problems() == []
    assert kept.labels() == labels
    waiting = kept.waiting()
    assert kept.partition() == never.partition()
