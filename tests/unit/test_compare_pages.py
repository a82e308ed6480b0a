"""Slugs: one article in two sections or under a corrected slug, and what only looks like one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from seenbefore.model import Comparison, DateEvidence, Enclosure, Precision, Relation, Supports
from seenbefore.text.titles import title_key

SAME, REVIEW, UNRELATED = Relation.SAME, Relation.REVIEW, Relation.UNRELATED
FEED = "news.example/feed"
TITLE = "Harbour bridge vote"
SHORT = "Engineers told the meeting that corrosion had doubled in only two winters, as the minutes of it say."
SHORT_ZH = "工程师在会议上表示，东侧支座的锈蚀在两个冬天里增加了一倍，明年春天必须限制车辆的重量。"
SHORT_JA = "東側の支承の腐食が二度の冬で倍に進み、来春には重量制限が必要になると技術者が会議で説明した。"


def told(comparison: Comparison) -> tuple[Relation, str]:
    return comparison.relation, comparison.reason


def kinds(comparison: Comparison) -> dict[str, Supports]:
    return {evidence.kind: evidence.supports for evidence in comparison.evidence}


# --- one slug in two sections -------------------------------------------------------------------


@pytest.fixture
def sections(seen: Any, compare: Any) -> Any:
    """The comparison of an article in /news of one feed with one elsewhere on the site, by default in another feed."""

    def run(
        place: str = "research", *, first: dict[str, Any] | None = None, learnt: Any = None, **fields: Any
    ) -> Comparison:
        common = {"title": TITLE, "published": 0.0}
        a = seen(url="https://n.example/news/harbour-bridge-vote", **{**common, **(first or {})})
        slug = fields.pop("slug", "harbour-bridge-vote")
        other = {"source": "n.example/other", "source_id": 2, **common, **fields}
        b = seen(url=f"https://n.example/{place}/{slug}", **other)
        found: Comparison = compare(a, b, **(learnt or {}))
        return found

    return run


INSIDE = {"source": FEED, "source_id": 1}


@pytest.mark.parametrize(
    ("title", "place"),
    [
        (TITLE, "research"),
        ("港口大桥将要重建", "yanjiu"),
        ("港口大桥将要重建", "研究"),
        ("港の橋を架け替え", "kenkyu"),
        ("港の橋を架け替え", "特集"),
    ],
)
def test_two_feeds_list_one_article_in_two_sections(title: str, place: str, sections: Any) -> None:
    found = sections(place, title=title, first={"title": title})
    assert told(found) == (SAME, "same_slug")
    assert kinds(found) == {"slug_equal": Supports.YES, "title_equal": Supports.YES, "hours_apart": Supports.UNKNOWN}
    assert found.via == frozenset()


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (0.0, 0.0, SAME),  # the same day, no time given
        (0.0, 0.98, SAME),  # 23:31 of the day that the other one gives
        (0.0, 1.02, REVIEW),  # the next day, and less than two days apart
        (0.4, 0.4, SAME),  # one second
        (0.4, 0.41, REVIEW),  # two times of one day are two times
        (0.0, 90.0, REVIEW),
        (0.0, None, REVIEW),
        (None, None, REVIEW),
    ],
)
def test_without_a_text_the_day_has_to_agree(
    first: float | None, second: float | None, expected: Relation, sections: Any
) -> None:
    assert told(sections(published=second, first={"published": first})) == (expected, "same_slug")


def test_the_day_is_that_of_the_place(sections: Any, a_date: Any) -> None:
    """Midnight in Tokyo and an hour later: one day there, two in London."""

    def there(days: float) -> DateEvidence:
        return replace(a_date(days), offset_minutes=540)

    midnight, later = there(1 - 9 / 24), there(1 - 8 / 24)
    assert told(sections(published=later, first={"published": midnight})) == (SAME, "same_slug")
    london = replace(later, offset_minutes=0)
    assert told(sections(published=london, first={"published": midnight})) == (REVIEW, "same_slug")
    day = a_date(3, Precision.DAY)
    assert told(sections(published=3.7, first={"published": day})) == (SAME, "same_slug")


@pytest.mark.parametrize("text", [SHORT, SHORT_ZH, SHORT_JA])
def test_a_short_text_supports(text: str, sections: Any) -> None:
    found = sections(published=1.9, content=text + "!", first={"content": text})
    assert told(found) == (SAME, "same_slug")
    assert kinds(found)["text_support"] is Supports.YES
    assert told(sections(published=2.1, content=text, first={"content": text})) == (REVIEW, "same_slug")


def test_texts_that_differ_wait(sections: Any, texts: Any) -> None:
    """A forecast for two districts, the same form for two meetings, two articles altogether."""
    assert told(sections(content="Rain.", first={"content": "Sun."})) == (REVIEW, "same_slug")
    assert told(sections(content="Sun.", first={"content": "Sun!"})) == (SAME, "same_slug"), "one text, and one day"
    half = {"content": texts.bridge[:240] + texts.opera[:120]}
    assert told(sections(**half, first={"content": texts.bridge})) == (REVIEW, "same_slug")
    unlike = sections(content=texts.whales, first={"content": texts.bridge})
    assert unlike.relation is UNRELATED


def test_a_near_text_is_enough_at_any_date(sections: Any, texts: Any) -> None:
    text, amended = {"content": texts.bridge}, {"content": "AMENDED. " + texts.bridge}
    assert told(sections(**amended, first=text, published=90)) == (SAME, "same_slug")
    assert told(sections("news/local", **amended, first=text, published=90)) == (SAME, "same_slug")
    assert told(sections(**amended, first=text, fetches=(3,), **INSIDE)) == (SAME, "same_slug")


@pytest.mark.parametrize(
    ("first", "second"), [("offers/berlin", "offers/munich"), ("berlin/offers", "munich/offers"), ("jia/北", "jia/南")]
)
def test_sister_sections_wait(first: str, second: str, seen: Any, compare: Any) -> None:
    """They may be places, teams or products: a job is offered in two cities under one title and slug."""
    common = {"title": "Baker for the night shift", "published": 0.4, "content": SHORT}
    a = seen(url=f"https://n.example/{first}/baker-for-the-night", **common)
    b = seen("other", source_id=2, url=f"https://n.example/{second}/baker-for-the-night", **common)
    assert told(compare(a, b)) == (REVIEW, "same_slug")


@pytest.mark.parametrize("place", ["harlem", "lions", "kita", "东湖区"])
def test_a_section_that_may_be_a_place_needs_a_text(place: str, sections: Any) -> None:
    """News and research sort what a site writes; a name may be that of a district, each with its own forecast."""
    assert told(sections(place)) == (REVIEW, "same_slug")
    assert told(sections(place, content=SHORT, first={"content": SHORT})) == (SAME, "same_slug")
    assert told(sections("news/" + place, content=SHORT, first={"content": SHORT})) == (REVIEW, "same_slug")


def test_one_feed_needs_the_second_and_a_text(sections: Any) -> None:
    text = {"content": SHORT}
    moved = {"fetches": (2,), **INSIDE}
    first = {"published": 0.4, "fetches": (1,)}
    assert told(sections(published=0.4, **text, **moved, first={**first, **text})) == (SAME, "same_slug")
    assert told(sections(published=0.5, **text, **moved, first={**first, **text})) == (REVIEW, "same_slug")
    assert told(sections(published=0.4, **moved, first=first)) == (REVIEW, "same_slug")
    together = {**first, **text, "fetches": (2,)}
    assert told(sections(published=0.4, **text, **moved, first=together)) == (REVIEW, "same_slug"), (
        "listed side by side"
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"slug": "harbour-bridge-vote-2"},
        {"slug": "harbour-bridge-talk"},
        {"title": "Harbour bridge vote?"},
        {"title": "Harbour bridge vote in March"},
        {"place": "video"},
        {"place": "en"},
        {"place": "@anna"},
        {"place": "2026/03"},
        {"enclosures": (Enclosure("https://m.example/2.mp3"),)},
    ],
)
def test_no_slug_in_two_sections(fields: dict[str, Any], sections: Any) -> None:
    first = {"enclosures": (Enclosure("https://m.example/1.mp3"),)} if "enclosures" in fields else {}
    found = sections(fields.pop("place", "research"), first=first, **fields)
    assert found.relation is UNRELATED
    assert "slug_equal" not in kinds(found)


def test_other_hosts_and_short_or_recurring_titles(seen: Any, compare: Any, sections: Any) -> None:
    a = seen(url="https://n.example/news/harbour-bridge-vote", title=TITLE, published=0)
    b = seen("b", source_id=2, url="https://b.example/research/harbour-bridge-vote", title=TITLE, published=0)
    assert compare(a, b).relation is UNRELATED
    assert sections(title="Vote", first={"title": "Vote"}).relation is UNRELATED
    recurs = {"distrust": {FEED: frozenset({("title", title_key(TITLE))})}}
    assert sections(learnt=recurs).relation is UNRELATED


def test_an_address_that_names_nothing_is_no_place(sections: Any) -> None:
    hub = {"distrust": {"n.example/other": frozenset({("url_near", "n.example/research/harbour-bridge-vote")})}}
    assert told(sections()) == (SAME, "same_slug")
    assert sections(learnt=hub).relation is UNRELATED


# --- a corrected slug ---------------------------------------------------------------------------

LONG = "How we built our harbour bridge"
BUILT, OURS = "how-we-built-our-harbour-bridge", "we-built-our-harbour-bridge"


@pytest.fixture
def corrected(seen: Any, compare: Any) -> Any:
    """The comparison of an entry with the one that took its place in the next fetch."""

    def run(
        old: str = BUILT,
        new: str = OURS,
        *,
        title: str = LONG,
        first: dict[str, Any] | None = None,
        learnt: Any = None,
        **fields: Any,
    ) -> Comparison:
        common = {"title": title, "published": 0.4}
        a = seen(guid="old", url=f"https://n.example/blog/{old}", fetches=(1, 2), day=1, **{**common, **(first or {})})
        b = seen(guid="new", url=f"https://n.example/blog/{new}", **{"fetches": (3, 4), "day": 3, **common, **fields})
        found: Comparison = compare(a, b, **(learnt or {}))
        return found

    return run


def test_a_word_more_or_less(corrected: Any) -> None:
    for slugs in ((BUILT, OURS), (OURS, BUILT)):
        found = corrected(*slugs)
        assert told(found) == (SAME, "corrected_slug")
        assert kinds(found) == {
            "took_its_place": Supports.YES,
            "slug_corrected": Supports.YES,
            "title_equal": Supports.YES,
            "hours_apart": Supports.UNKNOWN,
        }
        values = {e.kind: (e.value, e.detail) for e in found.evidence}
        assert values["slug_corrected"] == (OURS, BUILT)


@pytest.mark.parametrize(
    ("title", "old", "new"),
    [
        (
            "How we re-built the AT&T harbour-bridge",
            "we-re-built-the-att-harbour-bridge",
            "we-re-built-att-harbour-bridge",
        ),
        ("How we re-built the AT&T harbour-bridge", "we-re-built-the-at-t-bridge", "we-re-built-at-t-bridge"),
        ("Don't cross the old bridge", "dont-cross-the-old-bridge", "dont-cross-old-bridge"),
        ("Das Café an der Brücke", "das-cafe-an-der-brucke", "cafe-an-der-brucke"),
        ("Das Cafe an der Brücke", "das-caf%C3%A9-an-der-brücke", "café-an-der-brücke"),
        ("港の橋の架け替えを決定", "港の橋-の-架け替え-決定", "港の橋-架け替え-決定"),
        ("港口大桥的重建决定公布", "港口-大桥-的-重建-决定", "港口-大桥-重建-决定"),
    ],
)
def test_slugs_made_of_the_title(title: str, old: str, new: str, corrected: Any) -> None:
    assert told(corrected(old, new, title=title)) == (SAME, "corrected_slug")


@pytest.mark.parametrize(
    "word",
    [
        "tuesday", "april", "part", "second", "not", "no", "ex", "un", "norway", "holm", "morning", "final", "women",
        "ii", "b", "lifted", "donghu", "kohen", "北", "built2",
    ],
)  # fmt: skip
def test_a_word_that_the_title_does_not_say_tells_two_apart(word: str, corrected: Any) -> None:
    for slugs in ((f"{BUILT}-{word}", BUILT), (BUILT, f"{BUILT}-{word}"), (f"{word}-{BUILT}", BUILT)):
        found = corrected(*slugs)
        assert "slug_corrected" not in kinds(found)
        assert found.relation is not SAME
    found = corrected(f"{BUILT}-{word}", f"{OURS}-{word}")
    assert found.relation is not SAME, "even when both say it"


def test_half_a_word_of_the_title_is_no_word_of_it(corrected: Any) -> None:
    title = "Unknown bridges on the northern party line"
    for word in ("no", "un", "part", "north", "on-e"):
        found = corrected(f"{word}-bridges-on-the-line", "bridges-on-the-line", title=title)
        assert found.relation is not SAME, word


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (0.4, 0.4, SAME),
        (0.4, 2.3, SAME),
        (0.4, 2.5, REVIEW),
        (9.4, 0.4, SAME),
        (None, 0.4, REVIEW),
        (0.4, None, REVIEW),
        (None, None, REVIEW),
    ],
)
def test_the_next_issue_of_a_series_is_newer(
    first: float | None, second: float | None, expected: Relation, corrected: Any
) -> None:
    found = corrected(published=second, first={"published": first})
    assert told(found) == (expected, "corrected_slug" if expected is SAME else "same_slug")


def test_texts_beside_a_corrected_slug(corrected: Any, texts: Any) -> None:
    text = {"content": SHORT}
    undated = {"published": None}
    assert told(corrected(**text, **undated, first={**text, **undated})) == (SAME, "corrected_slug")
    assert told(corrected(content="Sun.", **undated, first={"content": "Sun!", **undated})) == (SAME, "corrected_slug")
    assert told(corrected(**text, published=9.4, first=text)) == (REVIEW, "same_slug"), "a standing text of a column"
    assert told(corrected(content="Rain.", first={"content": "Sun."})) == (REVIEW, "same_slug")
    unlike = corrected(content=texts.whales, first={"content": texts.bridge})
    assert unlike.relation is UNRELATED


@pytest.mark.parametrize(
    "fields",
    [
        {"fetches": (2, 3)},  # listed side by side
        {"fetches": (4,)},  # neither was there for a while
        {"fetches": ()},
        {"fetches": (3,), "source": "other", "source_id": 2},
        {"new": "how-we-built-our-harbour-bridge-2"},
        {"new": "how-they-built-our-harbour-bridge"},
        {"new": "our-bridge-harbour-built"},
        {"title_b": "How we built our harbour bridge?"},
        {"enclosures": (Enclosure("https://m.example/2.mp3"),)},
    ],
)
def test_no_corrected_slug(fields: dict[str, Any], corrected: Any) -> None:
    first = {"enclosures": (Enclosure("https://m.example/1.mp3"),)} if "enclosures" in fields else {}
    if "title_b" in fields:
        first["title"] = fields.pop("title_b")
    found = corrected(first=first, **fields)
    assert found.relation is not SAME
    assert "slug_corrected" not in kinds(found)


def test_an_entry_that_stood_beside_it_later_did_not_take_its_place(seen: Any, compare: Any) -> None:
    common = {"title": LONG, "published": 0.4}
    a = seen(guid="old", url=f"https://n.example/blog/{BUILT}", fetches=(1, 2, 5), **common)
    b = seen(guid="new", url=f"https://n.example/blog/{OURS}", fetches=(3, 4), **common)
    beside = replace(b, runs=((3, 5),))
    assert told(compare(a, b)) == (SAME, "corrected_slug"), "the old slug may return for a while"
    assert compare(a, beside).relation is not SAME


def test_a_recurring_title_corrects_no_slug(corrected: Any) -> None:
    recurs = {"distrust": {FEED: frozenset({("title", title_key(LONG))})}}
    assert corrected(learnt=recurs).relation is UNRELATED


# --- a short text at one time -------------------------------------------------------------------


def test_a_short_text_under_one_title_at_one_time_waits(seen: Any, compare: Any) -> None:
    def entry(guid: str, **fields: Any) -> Any:
        given = {"title": "Baker for the night", "content": "Apply now.", "published": 0.2, **fields}
        return seen(guid=guid, url=f"https://n.example/{guid}", **given)

    a = entry("a")
    found = compare(a, entry("b", published=0.7))
    assert told(found) == (REVIEW, "title_and_text")
    assert kinds(found) == {
        "title_equal": Supports.YES,
        "text_too_short": Supports.UNKNOWN,
        "hours_apart": Supports.YES,
    }
    for other in (
        entry("b", published=1.3),
        entry("b", published=None),
        entry("b", published=0.7, content="Apply soon."),
        entry("b", published=0.7, content=""),
        entry("b", published=0.7, title="Baker for the day"),
        entry("b", published=0.7, source="other", source_id=2),
    ):
        assert compare(a, other).relation is UNRELATED
    media = [(Enclosure(f"https://m.example/{n}.mp3"),) for n in (1, 2)]
    one, two = entry("a", enclosures=media[0]), entry("b", published=0.7, enclosures=media[1])
    assert told(compare(one, two)) == (UNRELATED, "different")
    short = [entry(guid, title="Baker", published=0.2 + n / 2) for n, guid in enumerate("ab")]
    assert compare(*short).relation is UNRELATED, "a title that many may have"
