"""Every rule of the comparison: a pair it joins or holds back, and one that looks alike and must not be."""

from __future__ import annotations

from typing import Any

import pytest

from seenbefore.compare import GUID_COUNTER
from seenbefore.model import Comparison, Enclosure, Kind, Relation, Supports
from seenbefore.text.titles import title_key

SAME, REVIEW, UNRELATED, DIFFERENT = Relation.SAME, Relation.REVIEW, Relation.UNRELATED, Relation.DIFFERENT
NEWS = "news.example/feed"
COUNTS = {"traits": {NEWS: frozenset({GUID_COUNTER})}}


def told(comparison: Comparison) -> tuple[Relation, str]:
    return comparison.relation, comparison.reason


def kinds(comparison: Comparison) -> list[str]:
    return [evidence.kind for evidence in comparison.evidence]


def by(comparison: Comparison, kind: str) -> Supports:
    return next(evidence.supports for evidence in comparison.evidence if evidence.kind == kind)


# --- kinds --------------------------------------------------------------------------------------


def test_an_image_is_never_compared_with_an_article(seen: Any, compare: Any) -> None:
    page = seen(url="https://n.example/a", title="Harbour bridge", ids={"doi": "10.1/a"})
    picture = seen(url="https://n.example/a", title="Harbour bridge", ids={"doi": "10.1/a"}, kind=Kind.IMAGE)
    assert told(compare(page, picture)) == (UNRELATED, "")
    assert compare(page, picture).evidence == ()


def test_images_meet_by_address(seen: Any, compare: Any) -> None:
    first = seen(url="https://n.example/a.jpg?utm_source=rss", kind=Kind.IMAGE)
    same = seen(url="https://n.example/a.jpg", kind=Kind.IMAGE)
    other = seen(url="https://n.example/b.jpg", kind=Kind.IMAGE)
    assert told(compare(first, same)) == (SAME, "url")
    assert compare(first, other).relation is UNRELATED


# --- conflict of strong ids, common fetch -------------------------------------------------------


def test_different_dois_keep_apart_what_every_other_fact_joins(seen: Any, compare: Any, texts: Any) -> None:
    common = {"guid": "1", "url": "https://n.example/a", "title": "Harbour bridge", "content": texts.bridge}
    a, b = seen(ids={"doi": "10.1/a"}, **common), seen(ids={"doi": "10.1/b"}, **common)
    found = compare(a, b)
    assert told(found) == (DIFFERENT, "id_conflict")
    assert {kind for kind, _, _ in found.via} == {"guid", "url", "url_near"}
    assert told(compare(a, seen(ids={"pmid": "7"}, **common))) == (SAME, "text_equal"), "other ids do not conflict"


def test_different_titles_in_one_fetch_are_different_articles(seen: Any, compare: Any, texts: Any) -> None:
    common = {"url": "https://n.example/a", "content": texts.bridge}
    a = seen(guid="1", title="Harbour bridge to be replaced", fetches=(1, 2), **common)
    b = seen(guid="1", title="Harbour bridge is replaced", fetches=(2, 3), **common)
    later = seen(guid="1", title="Harbour bridge is replaced", fetches=(3, 4), **common)
    elsewhere = seen("other", source_id=2, title="Harbour bridge is replaced", fetches=(2,), **common)
    assert told(compare(a, b)) == (DIFFERENT, "same_fetch")
    assert by(compare(a, b), "co_present") is Supports.NO
    assert told(compare(a, later)) == (SAME, "text_equal"), "not in one fetch"
    assert told(compare(a, elsewhere)) == (SAME, "text_equal"), "fetch numbers of two sources say nothing"


def test_a_publishers_id_outranks_the_common_fetch(seen: Any, compare: Any, texts: Any) -> None:
    old, new = "https://techcrunch.com/2026/03/01/a-b-c/", "https://techcrunch.com/2026/03/04/a-b-c/"
    a = seen(url=old, title="Harbour bridge", content=texts.bridge, fetches=(1,))
    b = seen(url=new, title="Old bridge goes", content=texts.bridge, fetches=(1,))
    untold = seen(url=new, title="Old bridge goes", fetches=(1,))
    other = seen(url=new, title="Old bridge goes", content=texts.whales, fetches=(1,))
    assert told(compare(a, b)) == (SAME, "site")
    assert told(compare(a, untold)) == (REVIEW, "site_id_other_text")
    assert told(compare(a, other)) == (REVIEW, "site_id_other_text")


def test_a_learnt_counter_outranks_the_common_fetch(seen: Any, compare: Any) -> None:
    link = "https://n.example/a"
    a = seen(guid="a#0", url=link, title="Harbour bridge", fetches=(1,))
    b = seen(guid="a#1", url=link, title="Old bridge goes", fetches=(1,))
    other_link = seen(guid="a#1", url="https://n.example/b", title="Old bridge goes", fetches=(1,))
    assert told(compare(a, b, **COUNTS)) == (SAME, "guid")
    assert told(compare(a, b)) == (DIFFERENT, "same_fetch"), "not learnt"
    assert told(compare(a, other_link, **COUNTS)) == (DIFFERENT, "same_fetch")
    hub = {NEWS: frozenset({("url", link)})}
    assert told(compare(a, b, **COUNTS, distrust=hub)) == (DIFFERENT, "same_fetch"), "the link is a hub"


# --- strong ids, redirects, exact text ----------------------------------------------------------


def test_a_recurring_title_is_noted(seen: Any, compare: Any) -> None:
    a = seen(guid="1", url="https://n.example/a", title="Open thread of the week")
    b = seen(guid="2", url="http://n.example/a", title="Open thread of the week")
    found = compare(a, b, distrust={NEWS: frozenset({("title", title_key(a.clean_title))})})
    assert told(found) == (REVIEW, "near_address")
    assert by(found, "title_recurs") is Supports.UNKNOWN
    assert by(found, "title_equal") is Supports.UNKNOWN


def test_an_equal_doi_joins_across_sources(seen: Any, compare: Any) -> None:
    a = seen(url="https://n.example/a", title="Harbour bridge", ids={"DOI": "10.1/AbC"})
    b = seen("journal", source_id=2, url="https://j.example/9", title="桥梁", ids={"doi": "10.1/abc"})
    c = seen("journal", source_id=2, url="https://j.example/9", title="桥梁", ids={"pmid": "10.1/abc"})
    assert told(compare(a, b)) == (SAME, "same_id")
    assert compare(a, c).relation is UNRELATED, "the number of another kind of id"


def test_two_links_that_lead_to_one_page(seen: Any, compare: Any, texts: Any) -> None:
    """One article behind two short links, or one consent page before two articles."""

    def link(number: int, **fields: Any) -> Any:
        url, end = f"https://sho.rt/{number}", "https://n.example/end"
        moved = {"final_url": end} if number == 1 else {"redirects": ((url, end),)}
        return seen(f"s{number}", source_id=number, url=url, **moved, **fields)

    a = link(1, title="Harbour bridge to be replaced", content=texts.bridge)
    assert told(compare(a, link(2, title="The harbour bridge to be replaced"))) == (SAME, "redirect")
    assert told(compare(a, link(2, title="Vote", content="AMENDED. " + texts.bridge))) == (SAME, "redirect")
    assert told(compare(a, link(2, title="Whales return"))) == (REVIEW, "same_link_other_title")
    assert told(compare(a, link(2, title="Whales return", content=texts.whales))) == (UNRELATED, "different")
    there = seen("n", source_id=3, url="https://n.example/end", title="Something else")
    assert told(compare(a, there)) == (SAME, "redirect"), "the page itself is no consent page"


def test_pictures_meet_under_any_title_and_scheme(seen: Any, compare: Any) -> None:
    a = seen(url="https://n.example/a.jpg", title="The old bridge", kind=Kind.IMAGE)
    b = seen(url="http://n.example/a.jpg", title="Seen from the pier", kind=Kind.IMAGE)
    assert told(compare(a, b)) == (SAME, "near_url")
    c = seen(guid="7", url="https://n.example/b.jpg", kind=Kind.IMAGE)
    assert told(compare(c, seen(guid="7", url="https://n.example/c.jpg", kind=Kind.IMAGE))) == (SAME, "guid")


def test_untitled_entries_on_one_link_need_a_text_in_common(seen: Any, compare: Any) -> None:
    link = {"url": "https://n.example/blog"}
    a = seen(guid="x", content="I like tea.", **link)
    assert told(compare(a, seen(guid="y", content="I like tea!", **link))) == (SAME, "url")
    assert told(compare(a, seen(guid="y", content="Rain again.", **link))) == (
        REVIEW,
        "same_link_other_title",
    )


def test_other_ids_keep_their_case(seen: Any, compare: Any) -> None:
    a, b = seen(ids={"video": "aBc"}, title="One"), seen(ids={"video": "abc"}, title="Two")
    assert told(compare(a, b)) == (DIFFERENT, "id_conflict")


def test_a_recorded_redirect_joins_and_a_canonical_claim_does_not(seen: Any, compare: Any) -> None:
    page = seen(url="https://n.example/a", title="Harbour bridge")
    short = "https://sho.rt/x"
    moved = seen("b", source_id=2, url=short, title="Click here", redirects=((short, "https://n.example/a"),))
    claims = seen("b", source_id=2, url=short, title="Click here", canonical="https://n.example/a")
    assert told(compare(page, moved)) == (SAME, "redirect")
    assert compare(page, claims).relation is UNRELATED


@pytest.mark.parametrize("name", ["bridge", "bridge_zh", "bridge_ja"])
def test_equal_text_joins_whatever_the_markup(name: str, seen: Any, compare: Any, texts: Any) -> None:
    text = getattr(texts, name)
    a = seen(url="https://n.example/a", title="Harbour bridge", content=f"<p>{text}</p>")
    b = seen("b", source_id=2, url="https://b.example/z", title="Old bridge goes", content=text)
    assert told(compare(a, b)) == (SAME, "text_equal")
    other = getattr(texts, name.replace("bridge", "whales"))
    assert compare(a, seen(url="https://n.example/b", content=other)).relation is UNRELATED


def test_equal_short_text_joins_nothing(seen: Any, compare: Any) -> None:
    a = seen(url="https://n.example/a", title="Harbour bridge", content="Bug fixes.")
    b = seen(url="https://n.example/b", title="Old bridge goes", content="Bug fixes.")
    assert compare(a, b).relation is UNRELATED


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Tuner 1.4.2", "Tuner 1.4.3"),
        ("Episode 41", "Episode 42"),
        ("第12集", "第13集"),
        ("歌舞伎 第三回", "歌舞伎 第四回"),
    ],
)
def test_numbers_in_the_title_veto_equal_text(first: str, second: str, seen: Any, compare: Any, texts: Any) -> None:
    a = seen(url="https://n.example/a", title=first, content=texts.bridge)
    b = seen(url="https://n.example/b", title=second, content=texts.bridge)
    found = compare(a, b)
    assert found.relation is UNRELATED
    assert by(found, "title_numbers") is Supports.NO


def test_other_enclosures_veto_equal_text(seen: Any, compare: Any, texts: Any) -> None:
    one, two = (Enclosure(f"https://m.example/{n}.mp3") for n in (1, 2))
    a = seen(url="https://n.example/a", title="Harbour talk", content=texts.bridge, enclosures=(one,))
    b = seen(url="https://n.example/b", title="Harbour talk", content=texts.bridge, enclosures=(two,))
    same = seen(url="https://n.example/b", title="Harbour talk", content=texts.bridge, enclosures=(one, two))
    assert compare(a, b).relation is UNRELATED
    assert by(compare(a, b), "enclosure_conflict") is Supports.NO
    assert told(compare(a, same)) == (SAME, "text_equal")


def test_boilerplate_is_no_text(seen: Any, compare: Any, texts: Any) -> None:
    a = seen(url="https://n.example/a", title="Harbour bridge", content=texts.bridge)
    b = seen(url="https://n.example/b", title="Old bridge goes", content=texts.bridge)
    value = a.versions[0].fingerprint.text_hash
    assert compare(a, b, distrust={NEWS: frozenset({("text", value)})}).relation is UNRELATED


# --- guid ---------------------------------------------------------------------------------------


def test_equal_guid_and_address_join_under_any_title(seen: Any, compare: Any) -> None:
    a = seen(guid="1", url="https://n.example/a", title="Harbour bridge", content="A")
    b = seen(guid="1", url="http://www.n.example/a/", title="Opera reopens", content="B")
    elsewhere = seen("b", source_id=2, guid="1", url="https://b.example/a", title="Harbour bridge")
    assert told(compare(a, b)) == (SAME, "guid")
    assert compare(a, elsewhere).relation is UNRELATED, "a guid means something in its own feed only"


@pytest.mark.parametrize(
    ("title", "content", "expected"),
    [
        ("Harbour bridge to be replaced", "", (SAME, "guid")),
        ("The harbour bridge to be replaced", "", (SAME, "guid")),
        ("Opera reopens", "bridge", (SAME, "text_equal")),
        ("Opera reopens", "bridge+", (SAME, "guid")),
        ("Opera reopens", "opera", (UNRELATED, "reused_guid")),
        ("Opera reopens", "", (REVIEW, "page_reused")),
    ],
)
def test_equal_guid_at_another_address(
    title: str, content: str, expected: tuple[Relation, str], seen: Any, compare: Any, texts: Any
) -> None:
    text = texts.bridge + " More later." if content == "bridge+" else getattr(texts, content, "")
    a = seen(guid="1", url="https://n.example/a", title="Harbour bridge to be replaced", content=texts.bridge)
    found = compare(a, seen(guid="1", url="https://n.example/b", title=title, content=text))
    assert told(found) == expected
    if expected[0] is not SAME:
        assert found.via == frozenset({("guid", NEWS, "1")})


# --- address ------------------------------------------------------------------------------------


def test_an_address_joins_across_sources(seen: Any, compare: Any) -> None:
    a = seen(guid="1", url="https://n.example/a?utm_medium=feed", title="Harbour bridge")
    b = seen("b", source_id=2, guid="2", url="https://www.n.example/a", title="My comment on it")
    assert told(compare(a, b)) == (SAME, "url")
    assert compare(a, seen("b", source_id=2, url="https://n.example/A", title="Case")).relation is UNRELATED


@pytest.mark.parametrize(
    ("title", "fields", "expected"),
    [
        ("Harbour bridge to be replaced", {}, (SAME, "url")),
        ("", {}, (SAME, "url")),
        ("The harbour bridge to be replaced", {"guid": ""}, (SAME, "url")),
        ("The harbour bridge to be replaced", {}, (REVIEW, "same_link_other_title")),
        ("The bridge in the harbour is to be replaced", {"guid": ""}, (REVIEW, "same_link_other_title")),
        ("The harbour bridge to be replaced", {"published": 15}, (REVIEW, "same_link_other_title")),
        ("Opera reopens", {}, (REVIEW, "same_link_other_title")),
        ("Harbour bridge to be replaced, part 2", {}, (UNRELATED, "different")),
        ("Opera reopens", {"enclosures": (Enclosure("https://m.example/1.mp3"),)}, (SAME, "url")),
    ],
)
def test_an_address_in_one_source(
    title: str, fields: dict[str, Any], expected: tuple[Relation, str], seen: Any, compare: Any
) -> None:
    common = {"guid": "other", "published": 0, **fields}
    a = seen(
        guid="item-7",
        url="https://n.example/a",
        title="Harbour bridge to be replaced",
        published=0,
        enclosures=(Enclosure("https://m.example/1.mp3"),) if "enclosures" in fields else (),
    )
    assert told(compare(a, seen(url="https://n.example/a", title=title, **common))) == expected


def test_a_counter_must_be_learnt(seen: Any, compare: Any) -> None:
    a = seen(guid="item-7", url="https://n.example/a", title="Harbour bridge to be replaced")
    b = seen(guid="item-8", url="https://n.example/a", title="Opera reopens")
    assert told(compare(a, b)) == (REVIEW, "same_link_other_title")
    assert told(compare(a, b, **COUNTS)) == (SAME, "url")
    assert by(compare(a, b, **COUNTS), "guid_counter") is Supports.YES


def test_an_address_with_texts_that_agree(seen: Any, compare: Any, texts: Any) -> None:
    url = "https://n.example/a"
    a = seen(guid="x", url=url, title="Harbour bridge to be replaced", content=texts.bridge)
    grown = seen(guid="y", url=url, title="Vote on Tuesday", content=texts.bridge + " It was close.")
    assert told(compare(a, grown)) == (SAME, "url")
    assert compare(a, grown).via == frozenset(), "it does not rest on the address alone"
    unlike = {"url": url, "title": "Vote on Tuesday", "content": texts.whales}
    assert told(compare(a, seen(guid="y", **unlike))) == (REVIEW, "page_reused")
    assert told(compare(a, seen(**unlike))) == (REVIEW, "same_link_other_title"), "one guid only"


def test_a_short_text_supports_a_related_title(seen: Any, compare: Any) -> None:
    url = "https://n.example/a"
    text = "Engineers told the meeting that corrosion had doubled in only two winters, as the minutes of it say"
    a = seen(guid="x", url=url, title="Harbour bridge to be replaced", content=text)
    b = seen(guid="y", url=url, title="Council replaces old bridge", content=text + ".")
    c = seen(guid="y", url=url, title="Opera reopens", content=text + ".")
    assert told(compare(a, b)) == (SAME, "url")
    assert by(compare(a, b), "text_support") is Supports.YES
    assert told(compare(a, c)) == (REVIEW, "same_link_other_title"), "the titles have nothing in common"


# --- publisher's id -----------------------------------------------------------------------------


def test_a_publishers_id_needs_a_text(seen: Any, compare: Any, texts: Any) -> None:
    old, new = "https://techcrunch.com/2026/03/01/a-b-c/", "https://techcrunch.com/2026/03/04/a-b-c/"
    a = seen(url=old, title="Harbour bridge", content=texts.bridge)
    near = seen("b", source_id=2, url=new, title="Old bridge goes", content=texts.bridge + " It was close.")
    silent = seen(url=new, title="Harbour bridge")
    dated = seen(url=old, title="Harbour bridge", published=0)
    renamed = seen(url=new, title="Old bridge goes")
    column = seen(url=new, title="Harbour bridge", content=texts.whales)
    assert told(compare(a, near)) == (SAME, "site")
    assert told(compare(a, silent)) == (SAME, "site"), "an equal title is a fact beside it"
    assert told(compare(a, renamed)) == (REVIEW, "site_id_other_text")
    assert told(compare(dated, seen(url=new, title="Harbour bridge", published=3))) == (SAME, "site")
    assert told(compare(dated, seen(url=new, title="Harbour bridge", published=9))) == (REVIEW, "site_id_other_text")
    assert told(compare(a, column)) == (UNRELATED, "different")
    assert {kind for kind, _, _ in compare(a, column).via} == {"site"}


# --- near address -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "fields", "expected"),
    [
        ("Harbour bridge to be replaced", {}, (SAME, "near_url")),
        ("港口大桥将要重建", {"first": "港口大桥将要重建"}, (SAME, "near_url")),
        ("港の橋を架け替え", {"first": "港の橋を架け替え"}, (SAME, "near_url")),
        ("Opera reopens", {"published": 0.4}, (SAME, "near_url")),
        ("Opera reopens", {"published": 0}, (UNRELATED, "")),  # midnight is a day, not a second
        ("Opera reopens", {"media": True}, (SAME, "near_url")),
        ("The harbour bridge to be replaced", {}, (REVIEW, "near_address")),
        ("Launch", {"first": "Launch"}, (REVIEW, "near_address")),
        ("Week in review", {"first": "Week in review"}, (REVIEW, "near_address")),
        ("Opera reopens", {}, (UNRELATED, "")),
    ],
)
def test_a_near_address_needs_one_more_fact(
    title: str, fields: dict[str, Any], expected: tuple[Relation, str], seen: Any, compare: Any
) -> None:
    media = (Enclosure("https://m.example/1.mp3"),) if fields.get("media") else ()
    date = {"published": fields["published"]} if "published" in fields else {}
    first = fields.get("first", "Harbour bridge to be replaced")
    a = seen(guid="1", url="https://n.example/a", title=first, enclosures=media, **date)
    b = seen(guid="2", url="http://n.example/a", title=title, enclosures=media, **date)
    assert told(compare(a, b)) == expected


def test_a_near_address_and_texts(seen: Any, compare: Any, texts: Any) -> None:
    a = seen(guid="1", url="https://n.example/a", title="Harbour bridge to go", content=texts.bridge)
    near = seen(guid="2", url="http://n.example/a", title="Opera", content=texts.bridge + " It was close.")
    unlike = seen(guid="2", url="http://n.example/a", title="Harbour bridge to go!?", content=texts.whales)
    assert told(compare(a, near)) == (SAME, "near_url")
    assert told(compare(a, unlike))[0] is not REVIEW or unlike.clean_title == a.clean_title


def test_the_same_second_counts_in_one_source_only(seen: Any, compare: Any) -> None:
    a = seen(guid="1", url="https://n.example/a", title="Harbour bridge", published=0)
    b = seen("b", source_id=2, guid="2", url="http://n.example/a", title="Opera reopens", published=0)
    assert compare(a, b).relation is UNRELATED
