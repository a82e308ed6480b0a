"""Dates of pages: which place wins, what agrees, and what stays unknown."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("selectolax", reason="reading pages needs seenbefore[pages]")

from seenbefore.pages.datecandidates import local_day
from seenbefore.pages.dates import PageDates, find_dates
from seenbefore.pages.document import parse_page

STORY = "<p>The council decided on Tuesday that the bridge over the river will be closed for the whole winter.</p>"


def dates(html: str, **known: str) -> PageDates:
    return find_dates(parse_page(html), **known)  # type: ignore[arg-type]


def day(html: str, **known: str) -> str:
    found = dates(html, **known).published
    return str(local_day(found)) if found else ""


def ld(**fields: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(fields)}</script>'


def meta(name: str, content: str) -> str:
    return f'<meta property="{name}" content="{content}">'


TAGS = (
    ('<meta property="article:published_time" content="2024-05-01T10:00:00Z">', "A"),
    ('<meta name="citation_date" content="2024/05/01">', "A"),
    ('<meta name="parsely-pub-date" content="2024-05-01T10:00:00Z">', "A"),
    ('<meta name="sailthru.date" content="2024-05-01 10:00:00">', "A"),
    ('<meta name="DCTERMS.issued" content="2024-05-01">', "A"),
    ('<meta itemprop="datePublished" content="2024-05-01">', "A"),
    ('<span itemprop="datePublished">1 May 2024</span>', "A"),
    (ld(**{"@type": "NewsArticle", "datePublished": "2024-05-01"}), "A"),
    (ld(**{"@type": "WebPage", "datePublished": "2024-05-01"}), "A"),
    (ld(**{"@graph": [{"@type": "Person"}, {"@type": "BlogPosting", "datePublished": "2024-05-01"}]}), "A"),
    (ld(**{"@type": "WebPage", "mainEntity": {"@type": "Article", "datePublished": "2024-05-01"}}), "A"),
    ('<time pubdate datetime="2024-05-01">May</time>', "B"),
    ('<time class="entry-date published" datetime="2024-05-01">May</time>', "B"),
    ('<div class="hentry"><abbr class="published" title="2024-05-01">May</abbr></div>', "B"),
    ('<meta name="pubdate" content="20240501">', "B"),
    ('<time datetime="2024-05-01">May</time>', "C"),
    ('<meta name="date" content="2024-05-01">', "C"),
)


@pytest.mark.parametrize(("tag", "tier"), TAGS)
def test_each_place_is_read_in_its_tier(tag: str, tier: str) -> None:
    found = dates(tag).published
    assert found is not None
    assert (str(local_day(found)), found.tier) == ("2024-05-01", tier)


@pytest.mark.parametrize(
    "url",
    [
        "https://n.example/2024/05/01/bridge",
        "https://n.example/news/2024/5/1/",
        "https://n.example/2024-05-01-bridge.html",
        "https://n.example/a/2024-05-01/bridge",
    ],
)
def test_a_day_in_the_path(url: str) -> None:
    found = dates("<p>a", url=url).published
    assert found is not None
    assert (str(local_day(found)), found.tier, found.tag) == ("2024-05-01", "B", "url:path")
    assert day("<p>a", canonical=url) == "2024-05-01"


@pytest.mark.parametrize(
    "path", ["/2024/13/01/a", "/2024/05", "/item/20240501123", "/2024/02/31/a", "/?d=/2024/05/01/"]
)
def test_paths_that_hold_no_day(path: str) -> None:
    assert day("<p>a", url=f"https://n.example{path}") == ""


@pytest.mark.parametrize(
    "tag",
    [
        meta("article:modified_time", "2024-05-01"),
        meta("og:updated_time", "2024-05-01"),
        ld(**{"@type": "Article", "dateModified": "2024-05-01"}),
        '<time class="updated" datetime="2024-05-01">x</time>',
        '<meta itemprop="dateModified" content="2024-05-01">',
        f"<h1>The bridge</h1><p>Last updated: 1 May 2024</p>{STORY}",
    ],
)
def test_a_change_is_no_publication(tag: str) -> None:
    found = dates(tag)
    assert found.published is None
    assert found.modified is not None
    assert str(local_day(found.modified)) == "2024-05-01"


@pytest.mark.parametrize(
    "tag",
    [
        ld(**{"@type": "Article", "dateCreated": "2024-05-01"}),
        ld(**{"@type": "VideoObject", "uploadDate": "2024-05-01", "datePublished": "2024-05-01"}),
        '<p itemscope itemtype="https://schema.org/ImageObject"><i itemprop="datePublished" content="2024-05-01"></i>',
        ld(**{"@type": "ItemList", "itemListElement": [{"@type": "Article", "datePublished": "2024-05-01"}]}),
    ],
)
def test_dates_of_other_things(tag: str) -> None:
    assert dates(tag).published is None


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("0001-01-01T00:00:00Z", "impossible_year"),
        ("1970-01-01T00:00:00Z", "placeholder"),
        ("1969-12-31T19:00:00-05:00", "placeholder"),
        ("1399-05-01", "impossible_year"),
        ("2567-05-01", "impossible_year"),
        ("2024-05-20", "future"),
        ("03/04/2023", "ambiguous"),
        ("Tuesday", "unreadable"),
        ("3 hours ago", "unreadable"),
        ("yesterday", "unreadable"),
        ("2024", "coarse"),
        ("May 2024", "coarse"),
        ("2024-02-31", "unreadable"),
        ("12:30", "unreadable"),
    ],
)
def test_what_stays_unknown(raw: str, reason: str) -> None:
    page = parse_page(meta("article:published_time", raw))
    found = find_dates(page, fetched_at=datetime(2024, 5, 10, tzinfo=UTC))
    assert found.published is None
    assert found.reason == reason
    assert found.candidates[0].evidence.raw == raw


def test_nothing_at_all() -> None:
    assert dates("<p>Bridge").reason == "no_date"
    assert dates("").reason == "no_date"


def test_the_instant_keeps_its_offset() -> None:
    found = dates(meta("article:published_time", "2024-05-01T23:30:00-05:00")).published
    assert found is not None
    assert (found.at, found.offset_minutes) == (datetime(2024, 5, 2, 4, 30, tzinfo=UTC), -300)


def test_days_that_can_be_one_agree_and_others_conflict() -> None:
    evening = meta("article:published_time", "2024-05-02T03:00:00Z")
    found = dates(
        evening + '<meta name="dcterms.issued" content="2024-05-01"><time datetime="2024-04-20">x</time>'
    ).published
    assert found is not None
    assert found.agrees == ("meta:dcterms.issued=2024-05-01",)
    assert found.conflicts == ("time=2024-04-20",)


def test_of_two_the_one_that_more_places_repeat() -> None:
    page = meta("article:published_time", "2024-05-09") + '<meta name="sailthru.date" content="2024-05-01">'
    assert day(page + '<time datetime="2024-05-01">x</time>') == "2024-05-01"
    assert day(page + '<time datetime="2024-05-09">x</time>') == "2024-05-09"


def test_the_object_that_is_this_page() -> None:
    own = {"@type": "NewsArticle", "url": "https://n.example/own/", "datePublished": "2024-05-01"}
    other = {"@type": "NewsArticle", "url": "https://n.example/other", "datePublished": "2024-04-01"}
    for graph in ([own, other], [other, own]):
        assert day(ld(**{"@graph": graph}), url="https://www.n.example/own?x=1") == "2024-05-01"
        assert day(ld(**{"@graph": graph}), url="https://n.example/third") == ""


def test_of_many_times_that_by_the_headline() -> None:
    own = '<main><header><h1>Bridge closed</h1><time datetime="2024-05-01">x</time></header></main>'
    teasers = '<ul><li><time datetime="2024-04-01">x</time><li><time datetime="2024-03-01">x</time></ul>'
    assert day(own + teasers) == day(teasers + own) == "2024-05-01"
    assert dates(teasers).reason == "several"


def test_a_first_submission_and_a_revision() -> None:
    page = parse_page(
        '<meta name="citation_date" content="2020/01/12"><meta name="citation_online_date" content="2021/03/03">'
        "<h1>On bridges</h1><div>[Submitted on 12 Jan 2020 (v1), last revised 3 Mar 2021 (this version, v2)]</div>"
    )
    found = find_dates(page)
    assert found.published is not None
    assert found.modified is not None
    assert (str(local_day(found.published)), str(local_day(found.modified))) == ("2020-01-12", "2021-03-03")
    seen = dates("<h1>On bridges</h1><div>[Submitted on 12 Jan 2020 (v1), last revised 3 Mar 2021 (v2)]</div>")
    assert seen.published is not None
    assert seen.modified is not None
    assert (seen.published.raw, seen.modified.raw) == ("12 Jan 2020", "3 Mar 2021")


def test_what_readers_see_overrules_a_date_of_habit() -> None:
    page = f'<meta name="date" content="2024-05-07"><h1>The bridge</h1><p>Published 1 May 2024</p>{STORY}'
    found = dates(page).published
    assert found is not None
    assert (found.raw, found.tier, found.conflicts) == ("1 May 2024", "visible", ("meta:date=2024-05-07",))
    assert day(page.replace("1 May", "7 May")) == "2024-05-07"


HEAD = [tag for tag, _ in TAGS if not tag.startswith(("<div", "<span", "<time"))]


@given(st.permutations([tag.replace("2024-05-01", f"2024-05-{n:02}") for n, tag in enumerate(HEAD, 3)]))
def test_the_order_of_tags_never_matters(tags: list[str]) -> None:
    found = dates("<head>" + "".join(tags))
    fixed = dates("<head>" + "".join(sorted(tags)))
    assert (found.published, found.modified, found.candidates) == (fixed.published, fixed.modified, fixed.candidates)


def test_twice_the_same_tag_in_any_order() -> None:
    tags = [meta("article:published_time", f"2024-05-0{n}") for n in (1, 5, 9)]
    assert len({day("".join(order)) for order in permutations(tags)}) == 1


@given(st.text(alphabet="<>/=\"' {}[]:,0123456789-atimedpublisheé年月日令和", max_size=300))
def test_no_page_raises(text: str) -> None:
    find_dates(parse_page(text)).facts()
    find_dates(parse_page(f'<meta property="article:published_time" content="{text}"><time>{text}')).facts()
    find_dates(parse_page(f'<script type="application/ld+json">{text}</script><h1>{text}</h1><p>{text}')).facts()


def test_deep_pages_do_not_raise() -> None:
    find_dates(parse_page("<div>" * 20_000 + "<h1>a</h1><time datetime='2024-05-01'>" + "<p>1 May 2024"))
    nested = '{"@type":"Article","mainEntity":' * 3_000 + "1" + "}" * 3_000
    find_dates(parse_page(f'<script type="application/ld+json">{"[" * 9_000}</script>'))
    find_dates(parse_page(f'<script type="application/ld+json">{nested}</script>'))


def test_facts_are_json() -> None:
    told = json.loads(json.dumps(dates(TAGS[0][0] + meta("og:updated_time", "2024-06-01")).facts()))
    assert told["published"]["tier"] == "A"
    assert told["modified"]["raw"] == "2024-06-01"
    assert {one["role"] for one in told["candidates"]} == {"published", "modified"}
