"""One title, and nearly one address: two articles that slugs or equal letters once joined. Made up, like all here.

Each pair is tried in every way two entries can meet: one after the other in either order, side by side, one that
stays when the other goes, and in two feeds of the site. They stay apart or wait for a person.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from .conftest import OPERA, SITE, Entry, entry, tell

OFFER = (
    "Join our bakery and help us to bring fresh loaves to forty shops before six in the morning. We offer a "
    "fixed shift, thirty days of holiday and a bicycle."
)
FORM = (
    "The shareholders are invited to the annual general meeting on the last Thursday of April in the hall of the "
    "chamber of commerce. {} Proxies must reach the office two days before."
)
ALDER = "Alder Mills proposes a dividend of two crowns, and Mr Holm leaves the board after nine years as its speaker."
BIRCH = "Birch Mills pays nothing because the flood destroyed its lower halls, and asks for capital to build a dam."

Pair = tuple[Entry, Entry]


def places(title: str, one: str, other: str, slug: str, first: str = "", **fields: Any) -> Pair:
    """One title and slug at two places; ``first`` is the text of the first entry, ``fields`` are the second's."""
    return entry(title, f"/{one}/{slug}", "", first), entry(title, f"/{other}/{slug}", "", **fields)


TWO_PLACES: dict[str, Pair] = {
    "job in two cities": places("Baker for the night shift", "jobs/berlin", "jobs/munich", "baker-for-the-night"),
    "job in two cities, one text": places(
        "Baker for the night shift", "offers/berlin", "offers/munich", "baker-for-the-night", text=OFFER, first=OFFER
    ),
    "job, cities first": places("Baker for the night shift", "berlin", "munich", "baker-for-the-night", hour=3),
    "forecasts of two districts": places(
        "Weather forecast for today", "north", "south", "weather-forecast-for-today", text="Rain.", first="Sun."
    ),
    "language editions": places("Yearbook 2025 is out now", "en", "de", "yearbook-is-out-now"),
    "language editions, Chinese": places("港口大桥重建工程进展", "zh-cn", "zh-tw", "bridge-works-progress"),
    "language editions, Japanese": places("港の大橋の工事の進み具合", "ja", "en", "bridge-works-progress"),
    "regional editions": places("Apps we love this month", "us", "gb", "apps-we-love-this-month", hour=5),
    "shoes for two": places("Classic canvas sneaker", "men", "women", "classic-canvas-sneaker", hour=1),
    "case for two devices": places("Clear case with magnets", "buy/phones", "buy/tablets", "clear-case-with-magnets"),
    "live blogs of two matches": places("Live: as it happened", "football", "cricket", "live-as-it-happened", hour=6),
    "weekdays as sections": places("What you need to know", "monday", "tuesday", "what-you-need-to-know", day=1),
    "months as sections": places("Labour market at a glance", "may", "june", "labour-market-at-a-glance", day=31),
    "slug is a date": places("Summary of the trading day", "stocks", "bonds", "2026-03-02", hour=1),
    "two people on one host": places("How I built this app", "@alice", "@bob", "how-i-built-this-app"),
    "two people, old style": places("My favourite shell tricks", "~anna", "~ben", "my-favourite-shell-tricks"),
    "handbooks of two tools": places("Getting started with plugins", "man/saw", "man/axe", "getting-started-with-it"),
    "releases of two tools": places(
        "Release notes for spring", "saw", "axe", "release-notes-for-spring", text="New editor.", first="Faster."
    ),
    "film and article": places("Opera reopens on Friday", "videos", "news", "opera-reopens-on-friday", hour=1),
    "podcast and article": places("Opera reopens on Friday", "podcasts", "culture", "opera-reopens-on-friday"),
    "pictures and article": places("Winter on the old pier", "gallery", "news", "winter-on-the-old-pier"),
    "shop and announcement": places("The quiet typewriter", "blog", "products", "the-quiet-typewriter", hour=2),
    "date and report of an event": places("Night of open museums", "events", "news", "night-of-museums", hour=30),
    "spring and autumn term": places("Introduction to bread", "spring", "autumn", "introduction-to-bread", hour=1),
    "game on two machines": places(
        "Lantern of the north: test",
        "console",
        "desktop",
        "lantern-of-the-north",
        text="Smooth.",
        first="Slow.",
        hour=20,
    ),
    "one form, two companies": places(
        "Notice of annual meeting",
        "alder",
        "birch",
        "notice-of-annual-meeting",
        text=FORM.format(BIRCH),
        first=FORM.format(ALDER),
        hour=2,
    ),
    "closed offices, Japanese": places(
        "窓口の休業についてのお知らせ", "shisho/kita", "shisho/minami", "kyugyo-no-oshirase"
    ),
    "water is cut off, Chinese": places("关于计划停水的紧急通知", "donghu", "xihu", "jihua-tingshui-tongzhi", hour=2),
    "water is cut off, Chinese address": places("关于计划停水的紧急通知", "东湖区", "西湖区", "计划-停水-通知", hour=2),
}


def slugs(title: str, one: str, other: str, first: str = "", **fields: Any) -> Pair:
    """One title under two slugs; ``first`` is the text of the first entry, ``fields`` are the second's."""
    return entry(title, f"/s/{one}", "", first), entry(title, f"/s/{other}", "", **fields)


def undated(pair: Pair) -> Pair:
    first, second = ({name: value for name, value in one.items() if name != "published"} for one in pair)
    return first, second


WORD_LEFT_OUT: dict[str, Pair] = {
    "weekday": slugs(
        "Today in history: what was", "today-in-history-what-was", "today-in-history-what-was-tuesday", day=1
    ),
    "month": slugs("Labour market at a glance", "labour-market-at-a-glance", "labour-market-at-a-glance-april", day=1),
    "second part": slugs(
        "The builders of the north", "the-builders-of-the-north-part-two", "the-builders-of-the-north"
    ),
    "part": slugs("The builders of the north", "the-builders-of-the-north-part", "the-builders-of-the-north-part-one"),
    "quarter": slugs("Results of the group are out", "second-quarter-results-of-the-group", "results-of-the-group"),
    "half a year": slugs("Results of the group are out", "half-year-results-of-the-group", "results-of-the-group"),
    "not": slugs("Council votes on the bridge", "council-will-not-replace-bridge", "council-will-replace-bridge"),
    "no": slugs("Minister speaks of the tunnel", "no-new-money-for-the-tunnel", "new-money-for-the-tunnel"),
    "no, inside a word of the title": slugs(
        "Unknown money for a tunnel", "no-money-for-a-tunnel", "money-for-a-tunnel"
    ),
    "ex": slugs("Minister held at the airport", "ex-minister-held-at-airport", "minister-held-at-airport"),
    "un": slugs("Talks on the islands resume", "un-talks-on-islands-resume", "talks-on-islands-resume"),
    "country": slugs("Central bank leaves its rate", "central-bank-leaves-rate-norway", "central-bank-leaves-rate"),
    "person": slugs("Five questions on the vote", "five-questions-on-the-vote-holm", "five-questions-on-the-vote"),
    "time of day": slugs(
        "Briefing: news at a glance", "briefing-news-at-a-glance-morning", "briefing-news-at-a-glance"
    ),
    "final": slugs("Cup of the northern towns", "cup-of-the-northern-towns-final", "cup-of-the-northern-towns"),
    "women": slugs("Marathon: times and places", "marathon-times-and-places-women", "marathon-times-and-places"),
    "lifted": slugs("Storm warning for the coast", "storm-warning-for-the-coast-lifted", "storm-warning-for-the-coast"),
    "sold out": slugs("Tickets for the choir night", "tickets-for-choir-night-sold-out", "tickets-for-the-choir-night"),
    "Roman numeral": slugs(
        "Notes on ovens and bread", "notes-on-ovens-and-bread-ii", "notes-on-ovens-and-bread", day=1
    ),
    "letter of a group": slugs("Group stage of the cup", "group-b-stage-of-the-cup", "group-stage-of-the-cup", day=1),
    "release": slugs("Release of the sync tool", "release-of-the-sync-tool-11", "release-of-the-sync-tool", day=1),
    "who bites": slugs("Man and dog and a bite", "man-bites-dog-in-town", "dog-bites-man-in-town", day=1),
    "who beats": slugs("City against United", "city-beats-united-in-cup", "united-beats-city-in-cup", day=1),
    "no dates": undated(slugs("The week in the old harbour", "the-week-in-the-old-harbour", "week-in-the-old-harbour")),
    "other short text": slugs(
        "Letters to the editor: today",
        "letters-to-the-editor-today",
        "letters-to-editor-today",
        text="On noise at night.",
        first="On the ferry.",
        day=1,
    ),
    "second part, Japanese": slugs(
        "港の橋をたずねて歩いた一日", "minato-no-hashi-wo-tazunete-kohen", "minato-no-hashi-wo-tazunete"
    ),
    "second part, Chinese": slugs("老城面包店访问记录", "laocheng-mianbao-dian-ji-xia", "laocheng-mianbao-dian-ji"),
    "district, Chinese": slugs(
        "关于计划停水的紧急通知", "jihua-tingshui-jinji-tongzhi-donghu", "jihua-tingshui-jinji-tongzhi"
    ),
}


def signs(first: str, second: str) -> Pair:
    """Two titles at an address that changes its scheme: there an equal title is enough to join."""
    return entry(first, "http://site.example/x/7"), entry(second, f"{SITE}/x/7", hour=30)


ONE_SIGN: dict[str, Pair] = {
    "C and C++": signs("Getting started with C", "Getting started with C++"),
    "C and C#": signs("Getting started with C", "Getting started with C#"),
    "C++ and C#": signs("Getting started with C++", "Getting started with C#"),
    "there and back": signs("How to get from C to C++", "How to get from C++ to C"),
    "a channel and its plus": signs("What is new on Channel", "What is new on Channel+"),
    "a question": signs("Harbour bridge to be replaced", "Harbour bridge to be replaced?"),
    "yes": signs("Is the harbour bridge safe: yes!", "Is the harbour bridge safe: yes?"),
    "money and share": signs("Save $100 on a new phone", "Save 100% on a new phone"),
    "two currencies": signs("Phones for $100 and less", "Phones for €100 and less"),
    "two currencies, Japanese": signs("年会費が¥100になります", "年会費が€100になります"),
    "share and count": signs("Turnout of 50% in the north", "Turnout of 50 in the north"),
    "point": signs("Growth of 3.5 percent in May", "Growth of 35 percent in May"),
    "comma": signs("Wachstum von 1,5 Prozent im Mai", "Wachstum von 15 Prozent im Mai"),
    "frost": signs("Tonight it will be -5 degrees", "Tonight it will be 5 degrees"),
    "frost, with a real minus": signs("Tonight it will be −5 degrees", "Tonight it will be 5 degrees"),
    "half an hour": signs("Bake it for ½ hour at least", "Bake it for 12 hour at least"),
    "score": signs("United beats City with 3-2", "United beats City with 32"),
    "releases": signs("Tuner for the sync tool 1.1", "Tuner for the sync tool 11"),
    "releases with points": signs("Tuner for the sync tool 1.11", "Tuner for the sync tool 11.1"),
    "grades": signs("Rating of the old town: A+", "Rating of the old town: A-"),
    "research": signs("Budget for R&D grows again", "Budget for RD grows again"),
    "two letters": signs("How to test A/B in a week", "How to test A+B in a week"),
    "greater and less": signs("Why rust > go for servers", "Why rust < go for servers"),
    "equal and unequal": signs("Work = life for many people", "Work ≠ life for many people"),
    "thumbs": signs("Our verdict on the phone 👍", "Our verdict on the phone 👎"),
    "vehicles": signs("🚲 Routes through the old town", "🚗 Routes through the old town"),
    "directions": signs("Train line Berlin → Paris", "Train line Berlin ← Paris"),
    "circle and cross, Japanese": signs("今年の農作物の評価は○", "今年の農作物の評価は×"),
    "a question, Japanese": signs("港の大橋は架け替えられる？", "港の大橋は架け替えられる！"),
    "a question, Chinese": signs("港口大桥将要重建？", "港口大桥将要重建！"),
}

SAME_TEXT = ["C and C++", "C and C#", "C++ and C#", "money and share", "two currencies", "frost", "grades", "releases"]

STORIES = {**TWO_PLACES, **WORD_LEFT_OUT, **ONE_SIGN}


def ways(first: Entry, second: Entry) -> Iterator[tuple[str, Sequence[Entry | Sequence[Entry]]]]:
    """How two entries can meet, by name."""
    feed = {"source": f"{SITE}/other.xml"}
    yield "one after the other", [first, second]
    yield "the other way round", [second, first]
    yield "one stays", [[first], [first, second], [second]]
    yield "side by side", [[first, second]]
    yield "in two feeds", [first, {**second, **feed}]
    yield "in two feeds, the other way round", [{**second, **feed}, first]


@pytest.mark.parametrize("name", STORIES)
def test_stays_apart(name: str) -> None:
    for way, fetches in ways(*STORIES[name]):
        told = tell(*fetches)
        assert told.records == 2, f"{way}: {told.said}"


@pytest.mark.parametrize("name", SAME_TEXT)
def test_a_sign_keeps_two_articles_over_one_text_apart(name: str) -> None:
    """As the pages of two courses do that only differ in what is taught."""
    first, second = ({**one, "url": f"{SITE}/{n}", "content": OPERA} for n, one in enumerate(ONE_SIGN[name]))
    for way, fetches in ways(first, second):
        told = tell(*fetches)
        assert told.records == 2, f"{way}: {told.said}"


# Nothing but the section tells these apart, and a section may be a place.
OF_ONE_DAY: dict[str, Pair] = {
    "two districts": places("Planning applications received", "north", "south", "planning-applications-received"),
    "two schools, Japanese": places("窓口の休業についてのお知らせ", "kita", "minami", "kyugyo-no-oshirase"),
}


@pytest.mark.parametrize("name", OF_ONE_DAY)
def test_stays_apart_in_two_feeds_of_one_day(name: str) -> None:
    first, second = OF_ONE_DAY[name]
    assert tell(first, {**second, "source": f"{SITE}/other.xml"}).records == 2


@pytest.mark.parametrize("name", OF_ONE_DAY)
def test_stays_apart_in_one_feed(name: str) -> None:
    for way, fetches in list(ways(*OF_ONE_DAY[name]))[:4]:
        assert tell(*fetches).records == 2, way


# --- one article, for all that ------------------------------------------------------------------

ONE_ARTICLE: dict[str, Sequence[Entry | Sequence[Entry]]] = {
    "two sections, two feeds": [
        entry("Counting whales by ear", "/news/counting-whales-by-ear"),
        entry("Counting whales by ear", "/science/counting-whales-by-ear", source=f"{SITE}/science.xml"),
    ],
    "two sections, two feeds, Japanese": [
        entry("聞いて数える湾のクジラ", "/news/kiite-kazoeru-kujira"),
        entry("聞いて数える湾のクジラ", "/kagaku/kiite-kazoeru-kujira", source=f"{SITE}/kagaku.xml"),
    ],
    "two sections, two feeds, Chinese addresses": [
        entry("用耳朵数海湾里的鲸鱼", "/新闻/用-耳朵-数鲸鱼"),
        entry("用耳朵数海湾里的鲸鱼", "/科学/用-耳朵-数鲸鱼", source=f"{SITE}/kexue.xml"),
    ],
    "two sections, the feeds date it themselves": [
        entry("Counting whales by ear", "/news/counting-whales-by-ear", "", OFFER),
        entry("Counting whales by ear", "/science/counting-whales-by-ear", "", OFFER, source="science", hour=40),
    ],
    "slug lost a word": [
        entry("How we built our harbour bridge", "/s/how-we-built-our-harbour-bridge"),
        entry("How we built our harbour bridge", "/s/we-built-our-harbour-bridge", day=1),
    ],
    "slug got a word": [
        entry("Better bread from colder ovens", "/s/better-bread-colder-ovens"),
        entry("Better bread from colder ovens", "/s/better-bread-from-colder-ovens"),
    ],
    "slug lost a word, date was made up": [
        entry("How we built our harbour bridge", "/s/how-we-built-our-harbour-bridge", day=6),
        entry("How we built our harbour bridge", "/s/we-built-our-harbour-bridge"),
    ],
    "punctuation and quotes": [
        entry("Whales, ships – and “us”", "http://site.example/w"),
        entry("Whales, ships and 'us'", f"{SITE}/w", hour=30),
    ],
    "punctuation, Chinese": [
        entry("港口大桥：将要重建", "http://site.example/q"),
        entry("港口大桥，将要重建！", f"{SITE}/q", hour=30),
    ],
    "punctuation, Japanese": [
        entry("港の橋「架け替え」へ", "http://site.example/q"),
        entry("港の橋、架け替えへ。", f"{SITE}/q", hour=30),
    ],
    "an emoji more": [
        entry("Routes through the old town", "http://site.example/q"),
        entry("🚲 Routes through the old town", f"{SITE}/q", hour=30),
    ],
}


@pytest.mark.parametrize("name", ONE_ARTICLE)
def test_is_found(name: str) -> None:
    told = tell(*ONE_ARTICLE[name])
    assert told.joined, told.said
    assert told.records == 1
