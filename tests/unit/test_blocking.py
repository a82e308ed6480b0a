"""What an item can be found by, and what must not lead to it."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any

import pytest

from seenbefore.blocking import (
    FINAL,
    derive_features,
    derive_text,
    digest_item,
    extractor_version,
    is_moved,
    sighting_hash,
)
from seenbefore.model import DateEvidence, Enclosure, Item, Kind, Precision, Representation, Strength
from seenbefore.rules import load_rules

RULES = load_rules()


@pytest.fixture
def features(policy: Any) -> Any:
    return lambda **fields: derive_features(
        Item(source="news.example/feed", **fields), "news.example/feed", RULES, policy
    )


@pytest.fixture
def keys(features: Any) -> Any:
    """The values of the keys of one kind."""

    def find(kind: str, **fields: Any) -> list[str]:
        return [key.value for key in features(**fields).keys if key.kind == kind]

    return find


def test_addresses_come_from_original_final_redirect_and_guid(keys: Any) -> None:
    found = keys(
        "url",
        guid="https://n.example/guid",
        original_url="https://n.example/original",
        final_url="https://n.example/final",
        canonical="https://n.example/canonical",
        redirects=(
            ("https://n.example/original", "https://n.example/hop"),
            ("https://n.example/hop", "https://n.example/end"),
            ("https://elsewhere.example/a", "https://elsewhere.example/b"),
        ),
    )
    assert found == [f"https://n.example/{name}" for name in ("original", "guid", "final", "hop", "end")]


def test_redirects_are_followed_both_ways_and_in_circles(features: Any) -> None:
    a, b, c = (f"https://n.example/{name}" for name in "abc")
    found = features(original_url=b, redirects=((a, b), (b, c), (c, a), (b, "")))
    rules = {key.value: key.rule_id for key in found.keys if key.kind == "url"}
    assert (rules[a], rules[c]) == ("redirect", "redirect")
    assert rules[b] != "redirect"


def test_a_guid_that_is_an_address_keeps_its_fragment_as_a_guid(keys: Any) -> None:
    item = {"guid": "https://n.example/a#7", "original_url": "https://n.example/a"}
    assert keys("guid", **item) == ["https://n.example/a#7"]
    assert keys("url", **item) == ["https://n.example/a"]
    assert keys("url", guid="7") == []


def test_the_guid_is_scoped_to_its_source(features: Any) -> None:
    assert features(guid="7").keys[0].address == ("guid", "news.example/feed", "7")
    assert [key for key in features().keys if key.kind == "guid"] == []


def test_ids(keys: Any) -> None:
    found = keys("id", ids={"DOI": " 10.1/AbC ", "video": "aBc", "isbn": "  "})
    assert found == ["doi:10.1/abc", "video:aBc"]


def test_enclosures_are_near_keys(features: Any) -> None:
    found = features(title="T", enclosures=(Enclosure("https://m.example/1.mp3?utm_source=rss"),))
    assert [(k.value, k.strength) for k in found.keys if k.kind == "id"] == [
        ("enclosure:https://m.example/1.mp3", Strength.NEAR)
    ]


def test_a_text_is_a_key_when_it_can_decide(keys: Any, texts: Any) -> None:
    for name in ("bridge", "bridge_zh", "bridge_ja"):
        assert len(keys("text", content=getattr(texts, name))) == 1
    assert keys("text", content="Bug fixes.") == []


def test_a_title_is_a_key_in_its_source_and_everywhere_when_it_can_identify(features: Any) -> None:
    def scopes(title: str) -> list[str]:
        return [key.scope for key in features(title=title).keys if key.kind == "title"]

    assert scopes("Harbour bridge to be replaced") == scopes("港口大桥将要重建") == ["news.example/feed", ""]
    assert scopes("Short") == scopes("公告") == ["news.example/feed"]
    assert scopes("") == []


def test_a_second_is_a_key_when_a_text_can_decide(keys: Any, texts: Any, a_date: Any) -> None:
    date = a_date(0)
    assert keys("published", content=texts.bridge, published=date) == [date.at.isoformat()]
    assert keys("published", content=texts.bridge, published=a_date(0, Precision.DAY)) == []
    assert keys("published", content=texts.bridge, published=DateEvidence("pubDate", "Monday")) == []
    assert keys("published", content="Short.", published=date) == []
    assert keys("published", content=texts.bridge) == []


def test_images_have_address_keys_of_their_own(features: Any, texts: Any) -> None:
    fields = {
        "guid": "7",
        "original_url": "https://n.example/a.jpg",
        "title": "Harbour bridge to be replaced",
    }
    image = features(kind=Kind.IMAGE, content=texts.bridge, ids={"doi": "10.1/a"}, **fields)
    article = features(content=texts.bridge, ids={"doi": "10.1/a"}, **fields)
    assert {key.kind for key in image.keys} == {"guid", "url", "url_near"}
    assert not {key.address for key in image.keys} & {key.address for key in article.keys}


@pytest.mark.parametrize(
    ("address", "flags"),
    [
        ("https://n.example/a", ()),
        ("https://user:pw@n.example/a", ("secret_in_url",)),
        ("https://n.example/a?access_token=3f9ac1d27be84c55", ("secret_in_url",)),
        ("http://[bad", ("literal_url",)),
    ],
)
def test_flags(address: str, flags: tuple[str, ...], features: Any) -> None:
    assert features(original_url=address, title="T").flags == flags


@pytest.mark.parametrize("address", ["#", "n/a", "/news/12", "http://", "javascript:void(0)"])
def test_text_that_is_no_address_never_raises_and_is_trusted_nowhere(address: str, features: Any) -> None:
    found = features(original_url=address, title="T")
    assert found.original_url == address
    assert all(key.strength is Strength.DISTRUSTED for key in found.keys if key.kind == "url")


def test_every_key_address_is_there_once(features: Any) -> None:
    same = {"original_url": "https://n.example/a", "final_url": "https://www.n.example/a/"}
    found = [key.address for key in features(guid="https://n.example/a", **same).keys]
    assert len(found) == len(set(found))


def test_a_fingerprint_that_is_known_is_used(policy: Any, texts: Any) -> None:
    item = Item(source="s", content=texts.bridge)
    known = derive_text(Item(source="s", content=texts.whales), policy)
    assert derive_features(item, "s", RULES, policy, known).fingerprint is known
    assert derive_features(item, "s", RULES, policy).fingerprint == derive_text(item, policy)
    assert known.extractor_version == extractor_version()


def test_the_hash_of_a_sighting_is_what_it_is_and_not_when(seen: Any) -> None:
    base = {"guid": "1", "url": "https://n.example/a", "title": "T"}
    one = seen(**base)
    assert sighting_hash(one) == sighting_hash(seen(day=9, id=4, record_id=7, content="More.", fetches=(1, 2), **base))
    others = [
        seen(**{**base, "guid": "2"}),
        seen(**{**base, "url": "https://n.example/b"}),
        seen(**{**base, "title": "U"}),
        seen("b", **base),
        seen(slot=1, **base),
        replace(one, guid="", original_url="1https://n.example/a"),
    ]
    assert len({sighting_hash(one), *(sighting_hash(other) for other in others)}) == 7


def test_lone_surrogates_do_not_break_anything(seen: Any) -> None:
    assert sighting_hash(seen(guid="\ud800", title="\udfff"))


SLUG = "https://techcrunch.com/2026/03/{:02d}/a-b-c/"


@pytest.mark.parametrize(
    ("fields", "moved"),
    [
        ({"url": SLUG.format(4)}, True),
        ({"url": SLUG.format(1)}, False),
        ({"url": "https://techcrunch.com/2026/03/04/x-y-z/"}, False),
        ({"url": "https://n.example/new", "redirects": ((SLUG.format(1), "https://n.example/new"),)}, True),
        ({"url": "https://n.example/new"}, False),
    ],
)
def test_the_same_page_under_another_address(fields: Any, moved: bool, seen: Any) -> None:
    old, new = seen(guid="1", url=SLUG.format(1), title="T"), seen(guid="2", title="T", **fields)
    assert is_moved(old, new) is is_moved(new, old) is moved


def test_ids_of_one_publisher_are_scoped_to_it_and_ids_for_everybody_are_not(features: Any) -> None:
    found = features(title="T", ids={"doi": "10.1/a", "article": "1234"})
    assert [key.address for key in found.keys if key.kind == "id"] == [
        ("id", "news.example/feed", "article:1234"),
        ("id", "", "doi:10.1/a"),
    ]


def test_a_final_address_is_known_as_one(features: Any) -> None:
    moved = features(original_url="https://n.example/a", final_url="https://n.example/b")
    stayed = features(original_url="https://n.example/a", final_url="https://n.example/a/")
    assert {key.value: key.rule_id == FINAL for key in moved.keys if key.kind == "url"} == {
        "https://n.example/a": False,
        "https://n.example/b": True,
    }
    assert [key.rule_id == FINAL for key in stayed.keys if key.kind == "url"] == [False]
    assert features(title="T", final_url="https://n.example/?access_token=3f9ac1d27be84c55").flags == ("secret_in_url",)


# --- digests ------------------------------------------------------------------------------------

SAID = {
    "kind": Kind.IMAGE,
    "external_id": "7",
    "guid": "g",
    "guid_is_permalink": False,
    "original_url": "https://n.example/a",
    "final_url": "https://n.example/b",
    "canonical": "https://n.example/c",
    "title": "題",
    "summary": "s",
    "content": "c",
    "authors": ("Edda",),
    "language": "ja",
    "ids": {"doi": "10.1/a"},
    "enclosures": (Enclosure("https://n.example/1.mp3"),),
    "images": ("https://n.example/1.jpg",),
    "redirects": (("https://n.example/a", "https://n.example/b"),),
    "temporary_redirects": (("https://n.example/a", "https://n.example/c"),),
    "published": DateEvidence("pubDate", "Monday"),
    "modified": DateEvidence("updated", "Monday"),
    "posted_at": datetime(2026, 3, 1, tzinfo=UTC),
    "representation": Representation.ABSTRACT,
    "extractor": "reader/1",
    "extra": {"comments": 3},
}


def test_a_digest_is_of_everything_an_item_says() -> None:
    item = Item(source="s", title="T")
    changed = [replace(item, **{name: value}) for name, value in SAID.items()]
    assert len({digest_item(each) for each in (item, *changed)}) == len(SAID) + 1
    assert {*SAID, "source", "fetch_id", "observed_at"} == {field.name for field in fields(Item)}, "a field is untested"


def test_a_digest_is_not_of_the_fetch() -> None:
    item = Item(source="s", title="T", fetch_id="1", observed_at=datetime(2026, 3, 1, tzinfo=UTC))
    assert digest_item(item) == digest_item(Item(source="https://s.example", title="T"))


def test_texts_run_together_make_another_digest() -> None:
    assert digest_item(Item(source="s", title="a', 'b")) != digest_item(Item(source="s", title="a", summary="b"))
    assert digest_item(Item(source="s", title="\ud800")), "half a surrogate"


def test_another_extractor_makes_another_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was stored under an older one must be read again."""
    before = digest_item(Item(source="s", title="T"))
    monkeypatch.setattr("seenbefore.blocking.EXTRACTOR_VERSION", "another")
    assert digest_item(Item(source="s", title="T")) != before


@pytest.mark.parametrize("title", ["Week – 6 & 7: AI’s role", "港口，大桥：将要重建", "港の「橋」を架け替え"])
def test_titles_propose_pairs_by_their_letters(title: str, features: Any) -> None:
    def keys(text: str) -> set[tuple[str, str]]:
        return {(key.scope, key.value) for key in features(title=text).keys if key.kind == "title"}

    plain = "".join(char if char.isalnum() else " " for char in title)
    assert keys(title) == keys(plain) == keys(title.upper())
    assert {scope for scope, _ in keys(title)} == {"", "news.example/feed"}
    assert keys("👍") == {("news.example/feed", "👍")}
    assert keys("") == set()
