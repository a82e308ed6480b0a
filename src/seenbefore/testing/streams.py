"""Hypothesis strategies for what feeds do over time, and the picture of a store that must not depend on order.

A stream is a list of fetches of a few sources. Its entries come from small pools, so that everything
that makes identity hard meets: addresses that change scheme or host, guid counters, retitles and
returns, hubs, recurring titles, equal and missing dates, bridging keys, review pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from hypothesis import strategies as st

from ..blocking import sighting_hash
from ..model import DateEvidence, Enclosure, Item, Precision, Status
from ..stores.base import Store

START = datetime(2026, 3, 1, tzinfo=UTC)

_TEXTS = (
    "",
    "Bug fixes.",
    "Thanks for listening! Find all links on our website and support the show with a small gift every month.",
    "The city council voted nine to four on Tuesday to replace the Harbour Road bridge, a steel span that has "
    "carried traffic since 1931. Engineers told the meeting that corrosion in the eastern bearings had doubled in "
    "two winters and that a weight limit would be needed by spring. Work is due to start in March.",
    "The city council voted ten to four on Tuesday to replace the Harbour Road bridge, a steel span that has "
    "carried traffic since 1931. Engineers told the meeting that corrosion in the eastern bearings had doubled in "
    "two winters and that a weight limit would be needed by spring. Work is due to start in March.",
    "Researchers listening with sea-floor microphones have counted at least forty fin whales in a bay where none "
    "had been recorded for half a century. The animals arrive in late October and leave before the ice forms, "
    "following shoals of herring that have moved north. Shipping companies agreed to slow down inside the bay.",
    "市政府周二宣布，将重建使用了九十多年的港口大桥。工程师表示，东侧支座的锈蚀在两个冬天里增加了一倍，明年春天必须限制车辆重量。"
    "新桥设有独立的自行车道和可供帆船通过的升降段，预算为八千四百万元。工程计划明年三月开工，三年后通车。",
)

_TITLES = (
    "",
    "Weekly notes",
    "Open thread of the week",
    "Harbour bridge to be replaced",
    "Harbour bridge: to be replaced!",
    "Council replaces Harbour bridge",
    "Whales return to the bay",
    "Episode 41",
    "Episode 42",
    "港口大桥将重建的消息",
)

_URLS = (
    "",
    "https://news.example/",
    "https://news.example/bridge",
    "http://news.example/bridge",
    "https://www.news.example/bridge/?utm_source=rss",
    "https://news.example/whales",
    "http://news.example/whales",
    "https://news.example/hub",
    "https://other.example/story",
    "https://other.example/news/harbour-bridge-to-be-replaced",
    "https://other.example/world/harbour-bridge-to-be-replaced",
    "https://other.example/news/bridge-to-be-replaced",
    "https://techcrunch.com/2026/03/01/harbour-bridge-to-be-replaced/",
    "https://techcrunch.com/2026/03/04/harbour-bridge-to-be-replaced/",
)

_GUIDS = (
    "",
    "g1",
    "g2",
    "https://news.example/a#0",
    "https://news.example/a#1",
    "https://news.example/?p=7",
    "shared",
)


@dataclass(frozen=True, slots=True)
class Fetched:
    """One fetch of one source."""

    source: str
    observed_at: datetime
    items: tuple[Item, ...]


def entries() -> st.SearchStrategy[Item]:
    """One feed entry without source and time."""

    def build(
        guid: str, url: str, title: str, text: str, day: int | None, doi: str, enclosure: str, moved: bool
    ) -> Item:
        published = None
        if day is not None:
            at = START + timedelta(days=day)
            published = DateEvidence("pubDate", at.isoformat(), at, Precision.SECOND, 0, True)
        redirects = (("https://short.example/x", "https://news.example/bridge"),) if moved else ()
        return Item(
            source="",
            guid=guid,
            original_url="https://short.example/x" if moved else url,
            title=title or ("" if guid or url else "Untitled note"),
            content=text,
            published=published,
            ids={"doi": doi} if doi else {},
            enclosures=(Enclosure(enclosure),) if enclosure else (),
            redirects=redirects,
        )

    return st.builds(
        build,
        guid=st.sampled_from(_GUIDS),
        url=st.sampled_from(_URLS),
        title=st.sampled_from(_TITLES),
        text=st.sampled_from(_TEXTS),
        day=st.sampled_from((None, 0, 0, 1, 3, 30)),
        doi=st.sampled_from(("", "", "", "", "10.1/a", "10.1/b")),
        enclosure=st.sampled_from(("", "", "", "https://media.example/1.mp3", "https://media.example/2.mp3")),
        moved=st.sampled_from((False, False, False, False, True)),
    )


@st.composite
def streams(draw: st.DrawFn, sources: int = 3, fetches: int = 3, size: int = 4) -> list[Fetched]:
    """A list of fetches in time order, each of one of a few sources."""
    count = draw(st.integers(1, sources))
    found = []
    for number in range(count):
        name = ("https://news.example/feed", "https://planet.example/feed", "list")[number]
        for step in range(draw(st.integers(1, fetches))):
            at = START + timedelta(hours=10 * step + number)
            items = draw(st.lists(entries(), min_size=0, max_size=size))
            found.append(Fetched(name, at, tuple(replace(i, source=name, observed_at=at) for i in items)))
    return sorted(found, key=lambda fetch: (fetch.observed_at, fetch.source))


def with_fetch_ids(stream: Sequence[Fetched]) -> list[tuple[Item, ...]]:
    """The items of each fetch under a fetch id of its own."""
    return [
        tuple(replace(item, fetch_id=f"{fetch.source}@{fetch.observed_at.isoformat()}") for item in fetch.items)
        for fetch in stream
    ]


Picture = frozenset[tuple[object, ...]]


def picture(store: Store) -> Picture:
    """Records with their sightings, current version and dates: what must be equal, whatever the order."""
    with store.reading() as unit:
        records = [r for r in unit.records.find_records() if r.status is not Status.MERGED]
        found = []
        for record in records:
            sightings = unit.records.get_sightings([record.id])
            versions = {v.id: (s, v) for s in sightings for v in s.versions}
            sighting, current = versions[record.current_version_id]
            found.append(
                (
                    frozenset(sighting_hash(s) for s in sightings),
                    sighting_hash(sighting),
                    current.title,
                    current.fingerprint.text_hash,
                    record.first_published_at,
                    record.content_updated_at,
                    record.first_seen_at,
                    max(s.last_seen_at for s in sightings),
                )
            )
        return frozenset(found)
