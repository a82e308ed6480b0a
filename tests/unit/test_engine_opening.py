"""Pages behind feed entries: what is opened, what becomes of it, and what that changes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

import seenbefore
from seenbefore.engine.pages import reextract as reextract_module
from seenbefore.engine.pages.run import PageOptions
from seenbefore.engine.politely import Manners
from seenbefore.errors import FetchFailed, InvalidInput
from seenbefore.model import Representation

from .made_up_web import MadeUpWeb, a_page

URL = "https://n.example/2026/03/bridge"
TITLE = "Harbour bridge to be replaced"
OPTIONS = PageOptions(manners=Manners(delay_s=0))
KEEP = PageOptions(manners=Manners(delay_s=0), keep=True)


def entry(**fields: Any) -> dict[str, Any]:
    return {"guid": "1", "url": URL, "title": TITLE, "summary": "The council has decided.", **fields}


class Reader:
    """A store, a web, and the way of a feed entry through both."""

    def __init__(self, db: Any) -> None:
        self.db, self.web = db, MadeUpWeb()
        self.pages = db.library.pages

    def fetch(self, day: int, *entries: dict[str, Any], options: PageOptions = OPTIONS, **more: Any) -> Any:
        """The decisions on a feed, and what came of opening its pages."""
        decisions = self.db.fetch(day, *entries, **more)
        return decisions, self.open(decisions, options)

    def open(self, decisions: Any, options: PageOptions = OPTIONS, robots: Any = None) -> Any:
        return list(self.pages.open(self.pages.wanted(decisions), self.web, robots, options))

    def current(self) -> Any:
        """What the one record shows."""
        (record,) = self.db.library.records()
        return self.db.library.explainer.item_as_arrived(record.current_version_id)

    def text_of(self, place: int) -> str:
        """The text that a record shows now."""
        record = list(self.db.library.records())[place]
        return str(self.db.library.explainer.item_as_arrived(record.current_version_id).content)

    def later(self, **time: float) -> None:
        self.db.library.engine.clock.advance(timedelta(**time))


@pytest.fixture
def reader(db: Any) -> Reader:
    return Reader(db)


def article(texts: Any, **more: Any) -> str:
    return a_page(TITLE, texts.bridge, texts.market, **more)


# --- the usual way ------------------------------------------------------------------------------


def test_a_page_is_another_representation_and_no_news(reader: Reader, texts: Any) -> None:
    """The summary of a feed and the page behind it are one article, and neither changes the other."""
    reader.web.pages[URL] = article(texts)
    (new,), (page,) = reader.fetch(1, entry())
    assert (new.outcome.value, page.decision.outcome.value) == ("new", "duplicate")
    assert page.decision.record_id == new.record_id
    assert page.capture.representation is Representation.FULL_TEXT
    assert reader.db.delivered() == ["first_seen"]
    assert texts.bridge in reader.current().content
    for day in (2, 3):
        (again,), opened = reader.fetch(day, entry())
        assert (again.reason, opened) == ("seen_again", [])
    (update,), _ = reader.fetch(4, entry(summary="The council has decided, at last, by nine votes to four."))
    assert update.reason == "text_changed"
    assert texts.bridge in reader.current().content
    assert reader.web.asked[URL] == 2, "a change that was announced is looked at"


def test_one_page_per_article_and_none_twice(reader: Reader, texts: Any) -> None:
    reader.web.pages[URL] = article(texts)
    decisions, opened = reader.fetch(1, entry(), entry())
    assert len(opened) == 1
    assert reader.open(decisions) == []
    _, opened = reader.fetch(2, entry(url=f"{URL}/?utm_source=rss"))
    _, elsewhere = reader.fetch(2, entry(), source="https://planet.example/feed")
    assert (opened, elsewhere) == ([], [])
    assert reader.web.asked.total() == 1


def test_a_page_that_changes_is_an_update(reader: Reader, texts: Any) -> None:
    reader.web.pages[URL] = article(texts)
    reader.fetch(1, entry())
    reader.web.pages[URL] = a_page(TITLE, texts.bridge, texts.market, texts.opera)
    reader.later(hours=1)
    page = reader.pages.open_url(URL, reader.web, None, OPTIONS)
    assert (page.decision.outcome.value, page.decision.reason) == ("update", "text_changed")
    assert texts.opera in reader.current().content
    reader.later(hours=1)
    same = reader.pages.open_url(URL, reader.web, None, OPTIONS)
    assert (same.capture.outcome, same.decision) == ("unchanged", None), "answered by its validator"
    assert same.capture.version_id == page.capture.version_id


def test_the_date_of_a_page_comes_with_its_evidence(reader: Reader, texts: Any) -> None:
    head = '<meta property="article:published_time" content="2026-02-28T22:30:00-05:00">'
    reader.web.pages[URL] = article(texts, head=head)
    reader.fetch(1, entry())
    published = reader.current().published
    assert published.raw == "2026-02-28T22:30:00-05:00"
    assert published.at.isoformat() == "2026-03-01T03:30:00+00:00"
    assert (published.offset_minutes, published.tier) == (-300, "A")
    (record,) = reader.db.library.records()
    assert record.first_published_at == published.at


# --- what is no article -------------------------------------------------------------------------


def test_a_failure_is_recorded_and_tried_again_when_its_time_has_come(reader: Reader, texts: Any) -> None:
    reader.web.pages[URL] = FetchFailed("timeout", "no answer in 30 seconds", URL, retryable=True)
    decisions, (failed,) = reader.fetch(1, entry())
    assert (failed.capture.outcome, failed.capture.attempts, failed.decision) == ("timeout", 1, None)
    reader.later(minutes=9)
    assert reader.open(decisions) == []
    reader.later(minutes=2)
    for attempts in (2, 3, 4, 5):
        (again,) = reader.open(decisions)
        assert again.capture.attempts == attempts
        reader.later(days=2)
    assert again.capture.retry_at is None
    assert reader.open(decisions) == [], "given up"
    assert [c.attempts for c in reader.pages.captures(URL)] == [1, 2, 3, 4, 5]
    reader.web.pages[URL] = article(texts)
    assert reader.pages.open_url(URL, reader.web, None, OPTIONS).capture.attempts == 1


def test_what_is_not_there_is_asked_for_once(reader: Reader) -> None:
    decisions, (missing,) = reader.fetch(1, entry())
    assert (missing.capture.status, missing.capture.outcome) == (404, "status")
    assert missing.capture.representation is Representation.ERROR_PAGE
    reader.later(days=30)
    assert reader.open(decisions) == []
    assert reader.pages.counts() == {("status", "error_page"): 1}


def test_retry_after_is_kept(reader: Reader) -> None:
    busy = FetchFailed("status", "too many requests", URL, status=429, retry_after=7200, retryable=True)
    reader.web.pages[URL] = busy
    decisions, (told,) = reader.fetch(1, entry())
    assert told.capture.retry_at - told.capture.fetched_at == timedelta(hours=2)
    reader.later(hours=1)
    assert reader.open(decisions) == []


def test_robots_txt_is_respected(reader: Reader, texts: Any) -> None:
    reader.web.pages[URL] = article(texts)
    decisions = reader.db.fetch(1, entry())
    (forbidden,) = reader.open(decisions, robots=lambda url: False)
    assert forbidden.capture.outcome == "robots"
    assert not reader.web.asked
    reader.later(days=8)
    (opened,) = reader.open(decisions, robots=lambda url: True)
    assert opened.capture.outcome == "read"


@pytest.mark.parametrize(
    ("html", "representation"),
    [
        (a_page("Before you continue", "We use cookies. Accept all cookies to continue to the site."), "consent_wall"),
        (a_page("Page not found", "404. The page you are looking for does not exist."), "error_page"),
    ],
)
def test_what_stands_in_the_place_of_an_article_is_compared_with_nothing(
    html: str, representation: str, reader: Reader, texts: Any
) -> None:
    reader.web.pages[URL] = html
    _, (page,) = reader.fetch(1, entry())
    assert (page.capture.representation, page.decision) == (Representation(representation), None)
    assert page.capture.reason
    assert reader.current().summary == entry()["summary"]
    assert reader.db.delivered() == ["first_seen"]
    reader.web.pages[f"{URL}-2"] = html
    (other,), _ = reader.fetch(1, entry(guid="2", url=f"{URL}-2", title="Whales"), source="https://o.example/feed")
    assert other.outcome.value == "new", "two walls are no pair"


def test_a_page_about_something_else_is_kept_and_announces_nothing(reader: Reader, texts: Any) -> None:
    reader.web.pages[URL] = a_page("Forty fin whales", texts.whales, texts.opera)
    _, (page,) = reader.fetch(1, entry(content=texts.bridge))
    assert page.unattached
    assert page.capture.outcome == "read"
    assert len(list(reader.db.library.records())) == 1
    assert reader.db.delivered() == ["first_seen"]


WHALES = "https://n.example/2026/03/whales"


@pytest.mark.parametrize("target", ["https://n.example/", "https://n.example/news"])
@pytest.mark.parametrize("status", [301, 302])
@pytest.mark.parametrize("source", ["https://news.example/feed", "https://o.example/feed"])
def test_two_links_to_one_page_are_no_article(
    target: str, status: int, source: str, reader: Reader, texts: Any
) -> None:
    """A front page, a list or a login form behind two articles joins neither with it, nor the two."""
    reader.web.moved = {URL: (status, target), WHALES: (status, target)}
    reader.web.pages = {target: a_page("N Example News", texts.opera, texts.market)}
    _, (one,) = reader.fetch(1, entry())
    whales = entry(guid="2", url=WHALES, title="Forty fin whales counted in the bay", summary="They came in October.")
    _, (other,) = reader.fetch(1, whales, source=source)
    assert (one.unattached, other.unattached) == (True, True)
    assert len(list(reader.db.library.records())) == 2
    for day in (2, 3):
        (again,), _ = reader.fetch(day, entry())
        assert again.reason == "seen_again"
    assert reader.db.delivered() == ["first_seen"] * 2


def test_a_page_for_itself_that_leads_home_is_no_article(reader: Reader, texts: Any) -> None:
    reader.web.moved = {URL: (302, "https://n.example/"), WHALES: (302, "https://n.example/")}
    reader.web.pages = {"https://n.example/": a_page("N Example News", texts.opera, texts.market)}
    assert [reader.pages.open_url(url, reader.web, None, OPTIONS).unattached for url in (URL, WHALES)] == [True, True]
    assert list(reader.db.library.records()) == []


def test_one_text_under_a_title_that_says_nothing_joins_no_entries(reader: Reader, texts: Any) -> None:
    page = a_page("Live blog", texts.opera, texts.market)
    reader.web.pages = {URL: page, WHALES: page}
    reader.fetch(1, entry(title="Live blog", summary="On the bridge."))
    _, (page,) = reader.fetch(2, entry(guid="2", url=WHALES, title="Live blog", summary="On the whales."))
    assert page.unattached
    assert len(list(reader.db.library.records())) == 2


@pytest.mark.parametrize(
    "head",
    [
        '<meta name="citation_doi" content="10.1234/journal">',
        '<meta name="dc.identifier" content="doi:10.1234/journal">',
        '<script type="application/ld+json">{"@type":"NewsArticle","identifier":"10.1234/study"}</script>',
    ],
)
def test_an_id_on_pages_that_say_different_things_joins_none(head: str, reader: Reader, texts: Any) -> None:
    reader.web.pages = {
        URL: a_page("Editorial", texts.bridge, head=head),
        WHALES: a_page("Editorial", texts.whales, head=head),
    }
    reader.fetch(1, entry(title="Editorial", summary=""))
    reader.fetch(2, entry(guid="2", url=WHALES, title="Editorial", summary=""), source="https://o.example/feed")
    assert len(list(reader.db.library.records())) == 2
    assert reader.db.delivered() == ["first_seen"] * 2


def test_an_address_that_is_used_again_changes_nothing(reader: Reader, texts: Any) -> None:
    reader.web.pages[URL] = article(texts)
    reader.fetch(1, entry())
    reader.later(hours=1)
    reader.web.pages[URL] = a_page("Forty fin whales counted in the bay", texts.whales)
    assert reader.pages.open_url(URL, reader.web, None, OPTIONS).unattached
    assert texts.market in reader.current().content


@pytest.mark.parametrize("html", [f"<title>{TITLE}</title><h1>{TITLE}</h1>", "<p></p>", " "])
def test_a_page_that_lost_its_text_takes_nothing_away(html: str, reader: Reader, texts: Any) -> None:
    reader.web.pages[URL] = article(texts)
    reader.fetch(1, entry(), options=KEEP)
    reader.later(hours=1)
    reader.web.pages[URL] = html
    page = reader.pages.open_url(URL, reader.web, None, KEEP)
    assert page.decision is None or page.decision.outcome.value == "duplicate"
    assert texts.market in reader.current().content


def test_an_empty_page_is_stored_and_stops_no_run(reader: Reader, texts: Any) -> None:
    page = reader.pages.read(b"", URL, KEEP)
    stored = reader.pages.take(page, KEEP)
    assert (stored.capture.body_hash, stored.capture.outcome) == ("", "read")


def test_an_abstract_is_never_the_article(reader: Reader, texts: Any) -> None:
    head = f'<meta name="citation_title" content="{TITLE}"><meta name="citation_abstract" content="{texts.bridge}">'
    html = (
        f"<html lang=en><head><title>{TITLE}</title>{head}</head><body><h1>{TITLE}</h1>"
        f"<section id=abstract><h2>Abstract</h2><p>{texts.bridge}</p></section></body></html>"
    )
    reader.web.pages[URL] = html
    _, (page,) = reader.fetch(1, entry())
    assert page.capture.representation is Representation.ABSTRACT
    item = reader.current()
    assert (item.content, item.representation) == ("", Representation.ABSTRACT)
    assert texts.bridge in item.summary


def test_an_abstract_does_not_replace_a_text(reader: Reader, texts: Any) -> None:
    reader.web.pages[URL] = article(texts)
    reader.fetch(1, entry())
    wall = '<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":false}</script>'
    reader.web.pages[URL] = a_page(TITLE, texts.bridge, "Subscribe to continue reading.", head=wall)
    reader.later(hours=1)
    page = reader.pages.open_url(URL, reader.web, None, OPTIONS)
    assert page.capture.representation is Representation.PAYWALLED
    assert page.decision.outcome.value == "duplicate"
    assert texts.market in reader.current().content


# --- addresses ----------------------------------------------------------------------------------


def test_a_permanent_redirect_adds_keys_and_a_temporary_one_does_not(reader: Reader, texts: Any) -> None:
    reader.web.moved = {
        "https://short.example/x": (301, URL),
        "https://short.example/y": (302, "https://n.example/whales"),
    }
    reader.web.pages = {
        URL: article(texts),
        "https://n.example/whales": a_page("Fin whales counted in the bay", texts.whales),
    }
    _, (page,) = reader.fetch(1, entry(url="https://short.example/x"))
    assert page.capture.hops == (("https://short.example/x", 301, URL),)
    (same,) = reader.db.fetch(1, entry(guid="5", title=TITLE), source="https://o.example/feed")
    assert (same.outcome.value, same.record_id) == ("duplicate", page.decision.record_id)
    whales = entry(guid="2", url="https://short.example/y", title="Fin whales counted in the bay")
    _, (page,) = reader.fetch(2, whales)
    assert page.capture.hops[0][1] == 302
    keys = {k.value for s in reader.db.library.explainer.record(page.decision.record_number).sightings for k in s.keys}
    assert "https://n.example/whales" not in keys


def test_a_claim_makes_a_question_and_no_merge(reader: Reader, texts: Any) -> None:
    """Two pages that name one canonical address, under one long title and with unlike addresses."""
    title = "The council decides to replace the old harbour bridge at last"
    for guid, url in (("1", URL), ("2", "https://m.other.example/x7"), ("3", "https://third.example/y")):
        head = '<link rel="canonical" href="https://agency.example/bridge">' if guid != "3" else ""
        reader.web.pages[url] = a_page(title, f"Short text {guid}.", head=head)
        source = f"https://{guid}.example/feed"
        reader.fetch(int(guid), entry(guid=guid, url=url, title=title), source=source)
    assert len(list(reader.db.library.records())) == 3
    with reader.db.library.store.reading() as unit:
        waiting = [(review.record_id, review.other_id, review.state.value) for review in unit.reviews.find_reviews()]
    assert [(sorted(pair), state) for *pair, state in waiting] == [([1, 2], "waiting")]


def test_a_known_host_is_asked_over_https(reader: Reader, texts: Any) -> None:
    reader.web.pages[URL] = article(texts)
    reader.fetch(1, entry())
    other = "http://n.example/2026/03/whales"
    reader.web.pages[other.replace("http:", "https:")] = a_page("Forty fin whales in the bay", texts.whales)
    _, (page,) = reader.fetch(2, entry(guid="2", url=other, title="Forty fin whales in the bay"))
    assert (page.capture.original_url, page.capture.fetch_url) == (other, other.replace("http:", "https:"))
    assert page.decision.item.original_url == other


def test_an_unknown_host_is_asked_as_it_was_written(reader: Reader, texts: Any) -> None:
    other = "http://o.example/bridge"
    reader.web.pages[other] = article(texts)
    _, (page,) = reader.fetch(1, entry(url=other))
    assert page.capture.fetch_url == other


def test_a_paper_is_asked_for_by_its_abstract(reader: Reader, texts: Any) -> None:
    abs_url = "https://arxiv.org/abs/2603.01234v2"
    reader.web.pages[abs_url] = a_page("A paper on bridges", texts.bridge)
    _, (page,) = reader.fetch(1, entry(url="https://arxiv.org/pdf/2603.01234v2", title="A paper on bridges"))
    assert page.capture.fetch_url == abs_url
    assert page.decision.item.original_url == "https://arxiv.org/pdf/2603.01234v2"
    assert reader.web.asked == {abs_url: 1}


def test_a_front_page_is_not_opened(reader: Reader) -> None:
    _, opened = reader.fetch(1, entry(url="https://n.example/"))
    assert opened == []
    with pytest.raises(InvalidInput, match="front page"):
        reader.pages.open_url("https://n.example/", reader.web)


# --- kept pages ---------------------------------------------------------------------------------


def test_kept_pages_are_read_again_without_news(reader: Reader, texts: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    reader.web.pages[URL] = article(texts)
    reader.fetch(1, entry(), options=KEEP)
    before = reader.current()
    list(reader.pages.reextract())
    assert reader.current() == before, "read by this extractor already"
    other = PageOptions(extractor="resiliparse")
    *_, done = reader.pages.reextract(other)
    assert (done.total, done.read) == (1, 1)
    assert reader.current().extractor.startswith("resiliparse")
    assert reader.db.delivered() == ["first_seen"]
    (record,) = reader.db.library.records()
    assert record.content_updated_at is None
    *_, done = reader.pages.reextract(other)
    assert done.read == 0
    reader.later(hours=1)
    reader.web.pages[URL] = a_page(TITLE, texts.bridge, texts.market, texts.opera)
    page = reader.pages.open_url(URL, reader.web, None, OPTIONS)
    assert page.decision.outcome.value == "update", "compared with what the same extractor read"


def test_pages_beyond_the_limit_are_not_kept(reader: Reader, texts: Any) -> None:
    reader.web.pages[URL] = article(texts)
    _, (page,) = reader.fetch(1, entry(), options=PageOptions(keep=True, kept_bytes=100, manners=Manners(delay_s=0)))
    assert page.capture.body_hash == ""
    assert "not_kept" in page.capture.facts
    assert page.decision is not None, "it was read all the same"


def test_paragraphs_of_a_host_are_learned_from_kept_pages(reader: Reader, texts: Any) -> None:
    """What stands on every page of a host is no part of its articles."""
    letter = (
        "Sign up for our newsletter and get the five most important stories of the day into your inbox every morning."
    )
    words = [texts.bridge, texts.whales, texts.opera, texts.market]
    for n in range(12):
        url = f"https://n.example/{n}"
        body = f"{words[n % 4]} This is story number {n}, told by reporter {n * 7} in {1900 + n} words."
        reader.web.pages[url] = a_page(f"A long story with number {n}", body, letter)
        reader.fetch(n, entry(guid=str(n), url=url, title=f"A long story with number {n}"), options=KEEP)
    assert letter in reader.text_of(0)
    *_, done = reader.pages.reextract(learn=True)
    assert done.read == 12
    assert letter not in reader.text_of(0)
    assert reader.db.delivered() == ["first_seen"] * 12
    *_, done = reader.pages.reextract(learn=True)
    assert done.read == 0, "learning from the same pages once more changes nothing"


def test_a_file_needs_an_address_to_be_compared(db: Any, texts: Any) -> None:
    page = db.library.pages.read(article(texts).encode(), "")
    assert page.capture.representation is Representation.FULL_TEXT
    with pytest.raises(InvalidInput, match="address"):
        db.library.pages.take(page)
    page = db.library.pages.read(article(texts).encode(), URL)
    assert db.library.pages.take(page).decision.outcome.value == "new"
    assert db.library.pages.take(page).decision.outcome.value == "duplicate"


def test_nothing_is_stored_of_a_page_whose_unit_fails(
    reader: Reader, texts: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader.web.pages[URL] = article(texts)
    decisions = reader.db.fetch(1, entry())
    store = reader.db.library.store

    def broken(*_: Any) -> None:
        raise seenbefore.SeenBeforeError("disk full")

    monkeypatch.setattr("seenbefore.engine.pages.storing.PageStore._see", broken)
    with pytest.raises(seenbefore.SeenBeforeError, match="disk full"):
        reader.open(decisions)
    with store.reading() as unit:
        assert unit.pages.count_captures() == {}
    monkeypatch.undo()
    assert len(reader.open(decisions)) == 1
    assert reextract_module.__doc__
