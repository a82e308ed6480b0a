"""What an entry says of a record: its id, its dates, its address, its sources."""

from __future__ import annotations

import uuid
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from seenbefore.exports.addresses import PublicAddresses
from seenbefore.exports.entry import FeedEntry, Place, entry_id, make_entry, name_uuid, published_at, updated_at
from seenbefore.exports.words import language_tag, media_type
from seenbefore.model import Enclosure, Item, Kind
from seenbefore.testing.builders import a_record, a_sighting, an_item, at

NAMES = {1: "News", 2: "https://planet.example/feed", 3: "https://ann:pw@private.example/feed"}


def entry(record: Any = None, item: Item | None = None, *sightings: Any, secrets: bool = False) -> FeedEntry:
    public = PublicAddresses(with_secrets=secrets)
    seen = sightings or (replace(a_sighting(1, 1), id=1),)
    return make_entry(record or a_record(1, id=1), item or an_item(), seen, NAMES, public)


# --- ids ----------------------------------------------------------------------------------------


def test_ids_are_uuids_of_version_5() -> None:
    urn = name_uuid("a", "b")
    namespace = uuid.UUID("9d6c2a9e-56f2-5d2b-8c3f-b25b54b6c4d1")
    assert urn == uuid.uuid5(namespace, "a\0b").urn


def test_the_id_is_that_of_the_sighting_that_was_stored_first() -> None:
    first, second, late = (replace(a_sighting(1, 1, number), id=number) for number in (3, 4, 5))
    late = replace(late, first_seen_at=first.first_seen_at - timedelta(days=9))
    assert entry_id([second, first]) == entry_id([first]) == entry_id([late, second, first])
    assert entry_id([second]) != entry_id([first])


@pytest.mark.parametrize("field", ["guid", "original_url", "clean_title", "source", "slot", "kind"])
def test_every_part_of_the_identity_counts(field: str) -> None:
    sighting = replace(a_sighting(1, 1), id=1)
    other = {"slot": 1, "kind": Kind.IMAGE}.get(field, "another")
    assert entry_id([sighting]) != entry_id([replace(sighting, **{field: other})])


def test_nothing_that_changes_later_is_part_of_the_id() -> None:
    sighting = replace(a_sighting(1, 1), id=1)
    later = replace(sighting, id=9, record_id=5, last_seen_at=at(99), times=4, keys=(), external_id="x", runs=((1, 7),))
    assert entry_id([sighting]) == entry_id([later])


# --- dates --------------------------------------------------------------------------------------


def test_a_change_is_newer_than_the_publication() -> None:
    record = a_record(1, first_published_at=at(-48), first_seen_at=at(0), content_updated_at=at(5))
    assert (published_at(record), updated_at(record)) == (at(-48), at(5))
    assert updated_at(replace(record, content_updated_at=None)) == at(-48)
    unknown = replace(record, first_published_at=None, content_updated_at=None)
    assert (published_at(unknown), updated_at(unknown)) == (at(0), at(0))


def test_nothing_was_published_after_it_was_seen() -> None:
    record = a_record(1, first_published_at=at(24 * 365 * 70), first_seen_at=at(0))
    assert published_at(record) == updated_at(record) == at(0)


# --- what is shown ------------------------------------------------------------------------------


def test_the_content_goes_before_the_summary() -> None:
    item = an_item(content="<p>Full</p>", summary="<p>Short &amp; plain</p>")
    both = entry(item=item)
    assert both.html.startswith("<p>Full</p><p>Seen at: ")
    assert both.summary == "Short & plain"
    short = entry(item=replace(item, content=" "))
    assert short.html.startswith("<p>Short &amp; plain</p><p>Seen at: ")
    assert short.summary == ""


def test_all_sources_are_named_the_primary_one_first() -> None:
    sightings = (
        replace(a_sighting(1, 2, 1), id=1, original_url="https://planet.example/<1>"),
        replace(a_sighting(1, 1, 2), id=2),
        replace(a_sighting(1, 1, 3), id=3),
        replace(a_sighting(1, 2, 4), id=4),
    )
    found = entry(a_record(1, number=3, id=1), None, *sightings)
    assert found.places == (
        Place("News", "https://news.example/3", ""),
        Place("https://planet.example/feed", "https://planet.example/%3C1%3E", "https://planet.example/feed"),
    )
    assert found.html.endswith(
        '<p>Seen at: <a href="https://news.example/3" rel="noopener noreferrer">News</a>, '
        '<a href="https://planet.example/%3C1%3E" rel="noopener noreferrer">https://planet.example/feed</a></p>'
    )


def test_the_name_of_a_source_is_no_markup() -> None:
    public = PublicAddresses()
    found = make_entry(a_record(1, id=1), an_item(), [replace(a_sighting(1, 1), id=1)], {1: "a<b>&copy"}, public)
    assert found.places[0].name == "a<b>&copy"
    assert found.html.endswith(">a&lt;b&gt;&amp;copy</a></p>")


def test_addresses_with_secrets_are_left_out_and_the_next_one_is_taken() -> None:
    secret = "https://news.example/1?token=abc"
    sightings = (
        replace(a_sighting(1, 3, 1), id=1, original_url=secret),
        replace(a_sighting(1, 2, 2), id=2, original_url="https://planet.example/2"),
    )
    item = an_item(
        original_url=secret,
        enclosures=(Enclosure("https://u:p@news.example/a.mp3"), Enclosure("/b.mp3", "audio/MPEG;q=1")),
        images=("https://news.example/i?sig=a1b2", "/j.png", "data:image/png;base64,x"),
    )
    record = a_record(3, id=1, url=secret)
    found = entry(record, item, *sightings)
    assert found.url == "https://planet.example/2"
    assert found.enclosures == (Enclosure("https://news.example/b.mp3", "audio/mpeg"),)
    assert found.images == ("https://news.example/j.png",)
    assert found.places[0] == Place("https://***@private.example/feed", "", "")
    assert "abc" not in repr(found)
    assert "u:p" not in repr(found)
    everything = entry(record, item, *sightings, secrets=True)
    assert everything.url == secret
    assert len(everything.enclosures) == len(everything.images) == 2
    assert everything.places[0] == Place(NAMES[3], secret, NAMES[3])


def test_without_any_address_there_is_none() -> None:
    found = entry(a_record(1, id=1, url=""), an_item(original_url=""), replace(a_sighting(1, 1), id=1, original_url=""))
    assert found.url == ""
    assert found.html.endswith("<p>Seen at: News</p>")


def test_a_picture_is_shown() -> None:
    item = Item("photos", kind=Kind.IMAGE, original_url="https://img.example/a.jpg")
    record = a_record(1, id=1, kind=Kind.IMAGE, title='Dawn "&" <mist>')
    found = entry(record, item)
    assert found.html.startswith(
        '<p><img src="https://img.example/a.jpg" alt="Dawn &quot;&amp;&quot; &lt;mist&gt;"></p>'
    )
    hidden = replace(item, original_url="https://img.example/a.jpg?token=x1")
    assert entry(record, hidden).html.startswith("<p>Seen at:")


def test_tags_and_authors_are_plain_and_stand_once() -> None:
    extra = {"tags": ["Bridges", 7, "<b>Roads</b>"], "categories": ["Bridges", ""], "other": ["x"]}
    found = entry(item=an_item(extra=extra, authors=("Ann &amp; Bo", "Ann &amp; Bo", " ")))
    assert found.tags == ("Bridges", "Roads")
    assert found.authors == ("Ann & Bo",)
    assert entry(item=an_item(extra={"tags": "one text"})).tags == ()


@pytest.mark.parametrize(
    ("given", "tag"), [("de", "de"), ("zh_Hant-TW", "zh-Hant-TW"), ("e", ""), ('en" x="', ""), ("", "")]
)
def test_languages(given: str, tag: str) -> None:
    assert language_tag(given) == tag


@pytest.mark.parametrize(
    ("given", "kind"), [("audio/mpeg", "audio/mpeg"), ('a/b"c', ""), ("audio", ""), (" A/B ;x", "a/b")]
)
def test_media_types(given: str, kind: str) -> None:
    assert media_type(given) == kind
