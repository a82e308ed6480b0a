"""Rules that come later, searched by Hypothesis: as if they had been there from the start, and as if they never had."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from datetime import timedelta
from itertools import islice

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from seenbefore.blocking import sighting_hash
from seenbefore.engine.activate import Activation, activate
from seenbefore.engine.audit import check_store
from seenbefore.engine.checkpack import check_pack
from seenbefore.engine.engine import Engine
from seenbefore.engine.rollback import roll_back
from seenbefore.engine.rulebook import RuleBook
from seenbefore.errors import CannotActivate
from seenbefore.model import DateEvidence, Item, Precision, Review, Status
from seenbefore.policy import load_policy
from seenbefore.rules import load_rules
from seenbefore.stores.base import Store
from seenbefore.stores.base_merges import RecordRow
from seenbefore.stores.memory import MemoryStore
from seenbefore.stores.sqlite import SqliteStore
from seenbefore.testing.clock import FrozenClock
from seenbefore.testing.streams import START, Fetched, with_fetch_ids

POLICY = load_policy()
SEARCH = settings(
    max_examples=settings().max_examples * 3 // 10,
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
    def build(guid: str, url: str, title: str, text: str, day: int | None, moved: str) -> Item:
        at = START + timedelta(days=day or 0)
        date = DateEvidence("pubDate", at.isoformat(), at, Precision.SECOND, 0, True) if day is not None else None
        redirects = ((url, moved),) if moved else ()
        return Item(
            source="", guid=guid, original_url=url, title=title, content=text, published=date, redirects=redirects
        )

    return st.builds(
        build,
        guid=st.sampled_from(("", "g1", "g2", "g3")),
        url=st.sampled_from(URLS),
        title=st.sampled_from(TITLES),
        text=st.sampled_from(("", "", BRIDGE, BRIDGE.replace("nine", "ten"), WHALES)),
        day=st.sampled_from((None, 0, 0, 1, 3)),
        moved=st.sampled_from(("", "", "", "", "https://news.example/story/8", "https://news.example/a?cid=1")),
    )


@st.composite
def streams(draw: st.DrawFn, days: int = 0) -> list[Fetched]:
    """Fetches in time order, so many days after the beginning."""
    found = []
    for step in range(draw(st.integers(2, 4))):
        source = draw(st.sampled_from(SOURCES))
        at = START + timedelta(days=days, hours=10 * step)
        items = draw(st.lists(entries(), min_size=1, max_size=3))
        found.append(Fetched(source, at, tuple(replace(i, source=source, observed_at=at) for i in items)))
    return found


# --- stores -------------------------------------------------------------------------------------


class Kept:
    """A store with what is done to it, page by page as small as can be."""

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

    def activating(self, pack: str, page: int = 1) -> Iterator[Activation]:
        return activate(self.store, self.book, POLICY, self.clock, pack, "mine.toml", page=page)

    def rolling_back(self, page: int = 1) -> Iterator[Activation]:
        return roll_back(self.store, self.book, POLICY, self.clock, 1, page=page)

    def keys(self) -> dict[frozenset[str], frozenset[tuple[str, ...]]]:
        """The sightings of each live record, with the keys it is found by."""
        with self.store.reading() as unit:
            live = [record.id for record in unit.records.find_records() if record.status is not Status.MERGED]
            held = unit.merges.snapshot(live).keys
            return {
                frozenset(map(sighting_hash, unit.records.get_sightings([record_id]))): frozenset(
                    (key.kind, key.scope, key.value, key.strength.value, key.rule_id)
                    for (holder, _), key in held.items()
                    if holder == record_id
                )
                for record_id in live
            }

    def rows(self) -> tuple[tuple[object, ...], dict[tuple[int, int], Review]]:
        """What a rollback restores, but for pointers that splits leave; and the pairs that wait or waited."""
        with self.store.reading() as unit:
            records = [r for r in unit.records.find_records() if unit.records.get_sightings([r.id])]
            image = unit.merges.snapshot(record.id for record in records)
            sightings = unit.records.get_sightings(record.id for record in records)
        return ({r.id: RecordRow.of(r) for r in records}, sightings, image.keys), dict(image.reviews)

    def labels(self) -> int:
        with self.store.reading() as unit:
            sightings = unit.records.get_sightings(record.id for record in unit.records.find_records())
            return len(unit.reviews.find_labels(sighting.id for sighting in sightings))

    def trust(self) -> set[tuple[str, str, str]]:
        """What identifies nothing any more. What was learnt under other rules stays: it is never taken back."""
        with self.store.reading() as unit:
            sources = unit.sources.list_sources()
            return {(s.identity, t.kind, t.value) for s in sources for t in unit.sources.find_trust(s.id)}

    def is_sound(self) -> bool:
        problems = check_store(self.store, self.book, POLICY).problems
        assert problems == []
        return True


def run(steps: Iterable[Activation]) -> Activation:
    *_, last = steps
    return last


def cut_off(steps: Iterator[Activation], after: int) -> None:
    """Leave a run after so many pages, as a process does that is killed."""
    for _ in islice(steps, after):
        pass


# --- forward ------------------------------------------------------------------------------------


@SEARCH
@given(streams(), st.sampled_from(sorted(PACKS)))
def test_rules_that_come_later_are_as_if_they_had_been_there(stream: list[Fetched], name: str) -> None:
    """The same partition, and the same keys down to their strength."""
    late, early = Kept(MemoryStore()).take(stream), Kept(MemoryStore(), PACKS[name]).take(stream)
    assume(late.trust() <= early.trust())
    run(late.activating(PACKS[name]))
    assert late.is_sound()
    assert late.keys() == early.keys()


@settings(SEARCH, max_examples=SEARCH.max_examples // 2)
@given(streams(), streams(days=9), st.sampled_from(sorted(PACKS)), st.integers(1, 4))
def test_an_activation_that_is_cut_off_goes_on(
    stream: list[Fetched], then: list[Fetched], name: str, after: int
) -> None:
    """Whatever came in between: it may have moved what was not reached yet to what was."""
    late = Kept(MemoryStore()).take(stream)
    early = Kept(MemoryStore(), PACKS[name]).take(stream)
    assume(late.trust() <= early.trust())
    cut_off(late.activating(PACKS[name]), after)
    late.take(then)
    early.take(then)
    with suppress(CannotActivate):  # there was so little to do that it had ended
        run(late.activating(PACKS[name]))
    assert late.is_sound()
    assume(late.trust() == early.trust())
    assert late.keys() == early.keys()


@settings(SEARCH, max_examples=SEARCH.max_examples // 2)
@given(streams(), st.sampled_from(sorted(PACKS)))
def test_a_check_says_what_the_activation_does_and_writes_nothing(stream: list[Fetched], name: str) -> None:
    with closing(SqliteStore(":memory:")) as store:
        kept = Kept(store).take(stream)
        dump = [*store._connection.iterdump()]
        check = check_pack(store, kept.book, POLICY, kept.clock, PACKS[name], "mine.toml")
        assert [*store._connection.iterdump()] == dump
        last = run(kept.activating(PACKS[name], page=100))
        assert (check.merged, check.split, check.reviews) == (
            last.reformed.merged,
            last.reformed.split,
            last.reformed.reviews,
        )
        assert check.records == last.total


# --- and back -----------------------------------------------------------------------------------


@SEARCH
@given(streams(), st.sampled_from(sorted(PACKS)))
def test_there_and_back_leaves_every_row_as_it_was(stream: list[Fetched], name: str) -> None:
    kept = Kept(MemoryStore()).take(stream)
    (before, reviews), trust = kept.rows(), kept.trust()
    run(kept.activating(PACKS[name]))
    assume(kept.trust() == trust)
    run(kept.rolling_back())
    assert kept.is_sound()
    after, reviews_after = kept.rows()
    assert after == before
    assert reviews_after.items() >= reviews.items()  # others that were found on the way have their own reason


@SEARCH
@given(streams(), streams(days=9), st.sampled_from(sorted(PACKS)), st.integers(0, 3))
def test_rules_that_were_taken_back_are_as_if_they_had_never_been_there(
    stream: list[Fetched], then: list[Fetched], name: str, after: int
) -> None:
    """The same partition with what came meanwhile, cut off in between or not; and no verdict is written."""
    kept, never = Kept(MemoryStore()).take(stream), Kept(MemoryStore()).take([*stream, *then])
    run(kept.activating(PACKS[name]))
    kept.take(then)
    labels = kept.labels()
    cut_off(kept.rolling_back(), after)
    with suppress(CannotActivate):
        run(kept.rolling_back())
    assert kept.is_sound()
    assert kept.labels() == labels
    assume(kept.trust() == never.trust())
    assert kept.keys().keys() == never.keys().keys()
