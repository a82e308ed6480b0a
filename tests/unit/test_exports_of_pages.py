"""Redirects from and sitemaps of the user's own pages, out of a store."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

import seenbefore
from seenbefore.errors import InvalidInput
from seenbefore.exports import sitemap
from seenbefore.model import Status
from seenbefore.testing.builders import a_record, at

from .test_exports_of_records import set_status, story

BY_ID = "/articles/{external_id}"
NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


@pytest.fixture
def library() -> Iterator[seenbefore.SeenBefore]:
    with seenbefore.open(":memory:") as found:
        yield found


def add(library: seenbefore.SeenBefore, external_id: str | None, into: int | None = None, **fields: Any) -> int:
    """Store a record as it stands after merges; returns its number."""
    status = Status.MERGED if into else fields.pop("status", Status.ACTIVE)
    with library.store.unit() as unit:
        source = unit.sources.add_source("News", "news.example")
        record = a_record(source.id, external_id=external_id, survivor_id=into, status=status, **fields)
        return unit.records.add_record(record)


def redirects(library: seenbefore.SeenBefore, old: str = BY_ID, new: str = BY_ID, **options: Any) -> dict[str, Any]:
    """Where each old path leads; None when it is gone. What was left out stands under ``left_out``."""
    export = library.export_redirects("json", old, new, **options)
    found = json.loads(b"".join(export))
    assert all(line["status"] == (410 if line["to"] is None else 301) for line in found)
    assert [line["from"] for line in found] == sorted({line["from"] for line in found})
    left = {"left_out": dict(export.left_out)} if export.left_out else {}
    return {line["from"]: line["to"] for line in found} | left


# --- redirects ----------------------------------------------------------------------------------


def test_merged_records_lead_to_their_survivor_and_rejected_ones_are_gone(library: seenbefore.SeenBefore) -> None:
    survivor = add(library, "a b")
    add(library, "2/3", into=survivor)
    add(library, "橋", into=survivor)
    add(library, "9", status=Status.REJECTED)
    add(library, "other")
    assert redirects(library) == {
        "/articles/%E6%A9%8B": "/articles/a%20b",
        "/articles/2%2F3": "/articles/a%20b",
        "/articles/9": None,
    }
    assert redirects(library, "/r/{record_id}", "https://me.example/{external_id}-{record_id}") == {
        "/r/r2": "https://me.example/a%20b-r1",
        "/r/r3": "https://me.example/a%20b-r1",
        "/r/r4": None,
    }


def test_what_went_into_a_rejected_record_is_gone_with_it(library: seenbefore.SeenBefore) -> None:
    survivor = add(library, "1", status=Status.REJECTED)
    add(library, "2", into=survivor)
    assert redirects(library) == {"/articles/1": None, "/articles/2": None}


def test_records_without_an_id_are_counted(library: seenbefore.SeenBefore) -> None:
    survivor, nameless = add(library, "1"), add(library, None)
    add(library, None, into=survivor)
    add(library, "..", into=survivor)
    add(library, "3", into=nameless)
    add(library, None, status=Status.REJECTED)
    assert redirects(library) == {"left_out": {"no_id": 4}}


def test_no_page_leads_to_itself(library: seenbefore.SeenBefore) -> None:
    survivor = add(library, "1")
    add(library, "1", into=survivor)
    assert redirects(library) == {}
    assert redirects(library, new="https://me.example/articles/{external_id}") == {}


def test_a_page_that_lives_is_not_sent_elsewhere(library: seenbefore.SeenBefore) -> None:
    survivor = add(library, "1")
    add(library, "2", into=survivor)
    add(library, "2")
    add(library, "1", status=Status.REJECTED)
    assert redirects(library) == {"left_out": {"live": 2}}


def test_redirects_never_form_a_chain(library: seenbefore.SeenBefore) -> None:
    """The old address of one record is what the other template makes the address of a live one."""
    first, second = add(library, "r4"), add(library, "z")
    add(library, "x", into=first)
    add(library, "y", into=second)
    found = redirects(library, "/a/{record_id}", "/a/{external_id}")
    assert found == {"/a/r3": "/a/r4", "left_out": {"live": 1}}


def test_one_page_of_several_merged_records_follows_the_newest(library: seenbefore.SeenBefore) -> None:
    first, second = add(library, "1"), add(library, "2")
    add(library, "same", into=second)
    add(library, "same", into=first)
    add(library, "twice", into=first)
    add(library, "twice", into=first)
    assert redirects(library) == {
        "/articles/same": "/articles/1",
        "/articles/twice": "/articles/1",
        "left_out": {"several": 1},
    }


def test_content_that_lives_on_goes_before_content_that_was_rejected(library: seenbefore.SeenBefore) -> None:
    add(library, "x", status=Status.REJECTED)
    survivor = add(library, "1")
    add(library, "x", into=survivor)
    assert redirects(library) == {"/articles/x": "/articles/1"}


def test_addresses_that_are_too_long_or_secret_are_left_out(library: seenbefore.SeenBefore) -> None:
    survivor = add(library, "1")
    add(library, "橋" * 300, into=survivor)
    add(library, "https://x.example/?token=abc1", into=survivor)
    assert redirects(library) == {"left_out": {"too_long": 1, "secret": 1}}
    assert len(redirects(library, with_secrets=True)) == 2


def test_a_survivor_that_took_over_an_older_id_is_still_found_under_its_own(db: Any) -> None:
    """A record is known by the id of its first sighting, and a merge may bring an older one."""
    db.fetch(1, story("bridge", 1, id="old"), story("whales", 1, id="whales"))
    db.fetch(2, story("opera", 9, id="new"))
    db.see("planet", url="https://news.example/opera", title="Opera reopens", id="never-a-page")
    assert redirects(db.library) == {}
    db.library.label("r1" if db.titles()["r1"].startswith("Harbor") else "r2", "r3", "same")
    with db.library.store.reading() as unit:
        (survivor,) = [r for r in unit.records.find_records() if r.title == "Opera reopens"]
    assert survivor.external_id == "old"
    assert redirects(db.library) == {"/articles/new": "/articles/old"}
    set_status(db.library, survivor.id, Status.REJECTED)
    assert redirects(db.library) == {"/articles/new": None, "/articles/old": None}


@pytest.mark.parametrize(
    ("form", "old", "new"),
    [
        ("caddy", BY_ID, BY_ID),
        ("nginx", "/articles", BY_ID),
        ("nginx", BY_ID, "/articles"),
        ("nginx", "/a;{external_id}", BY_ID),
        ("apache", BY_ID, "/a {external_id}"),
        ("nginx", "/a?id={external_id}", BY_ID),
        ("json", "https://me.example/{external_id}", BY_ID),
    ],
)
def test_a_wrong_template_is_told_before_anything_is_written(
    library: seenbefore.SeenBefore, form: str, old: str, new: str
) -> None:
    with pytest.raises(InvalidInput):
        library.export_redirects(form, old, new)


def test_json_may_hold_what_servers_cannot_tell_apart(library: seenbefore.SeenBefore) -> None:
    survivor = add(library, "1")
    add(library, "2", into=survivor)
    assert redirects(library, "/a?id={external_id}", "/a?id={external_id}") == {"/a?id=2": "/a?id=1"}


# --- sitemaps -----------------------------------------------------------------------------------

PAGES = "https://me.example/{external_id}"


def pages_in(data: bytes) -> dict[str, str]:
    """Address → time, of a file that is a sitemap."""
    root = etree.fromstring(data)
    assert root.tag == f"{NAMESPACE}urlset"
    found = [(u.findtext(f"{NAMESPACE}loc") or "", u.findtext(f"{NAMESPACE}lastmod") or "") for u in root]
    assert len(dict(found)) == len(found)
    return dict(found)


def test_live_pages_with_the_time_of_their_last_change(library: seenbefore.SeenBefore) -> None:
    survivor = add(library, "a&b", first_published_at=at(-99), first_seen_at=at(1))
    add(library, "2", content_updated_at=at(5), last_seen_at=at(9))
    add(library, "3", into=survivor)
    add(library, "4", status=Status.REJECTED)
    add(library, None)
    export = library.export_sitemap(PAGES)
    assert pages_in(b"".join(export)) == {
        "https://me.example/a%26b": "2024-01-01T09:00:00Z",
        "https://me.example/2": "2024-01-01T13:00:00Z",
    }
    assert export.left_out == {"no_id": 1}


def test_a_page_of_several_records_stands_once_with_its_latest_change(library: seenbefore.SeenBefore) -> None:
    for hour in (3, 7, 5):
        add(library, "x", first_seen_at=at(hour))
    assert pages_in(b"".join(library.export_sitemap(PAGES))) == {"https://me.example/x": "2024-01-01T15:00:00Z"}


def test_what_is_held_back_has_no_page_yet(db_with: Any) -> None:
    library = db_with(delivery={"hold_review": True}).library
    item = {"source": "s", "title": "Visitors in May", "published": "2026-06-01T07:00:00Z"}
    for number in ("1", "2"):
        library.see(item | {"url": f"https://stats.example/{number}", "id": number})
    assert list(pages_in(b"".join(library.export_sitemap(PAGES)))) == ["https://me.example/1"]


def test_addresses_that_are_too_long_or_secret_have_no_place(library: seenbefore.SeenBefore) -> None:
    add(library, "x" * 2100)
    add(library, "https://x.example/?token=abc1")
    export = library.export_sitemap(PAGES)
    assert pages_in(b"".join(export)) == {}
    assert export.left_out == {"too_long": 1, "secret": 1}
    assert len(pages_in(b"".join(library.export_sitemap(PAGES, with_secrets=True)))) == 1


@pytest.fixture
def two_per_file(library: seenbefore.SeenBefore, monkeypatch: pytest.MonkeyPatch) -> seenbefore.SeenBefore:
    """Five live pages, and files that take two."""
    for number in range(1, 6):
        add(library, f"{number}", number=number)
    monkeypatch.setattr(sitemap.Cutter.__init__, "__defaults__", (2, sitemap.MOST_BYTES))
    return library


def test_many_addresses_go_into_several_files(two_per_file: seenbefore.SeenBefore, tmp_path: Path) -> None:
    export = two_per_file.export_sitemap(PAGES, base="https://me.example/maps")
    written = export.save(tmp_path / "site map.xml")
    assert [path.name for path in written] == [*(f"site map-{n}.xml" for n in (1, 2, 3)), "site map.xml"]
    index = etree.fromstring(written[-1].read_bytes())
    assert [loc.text for loc in index.iter(f"{NAMESPACE}loc")] == [
        f"https://me.example/maps/site%20map-{n}.xml" for n in (1, 2, 3)
    ]
    found = [list(pages_in(path.read_bytes())) for path in written[:-1]]
    assert found == [[f"https://me.example/{n}" for n in part] for part in ((1, 2), (3, 4), (5,))]


def test_several_files_need_a_place(two_per_file: seenbefore.SeenBefore, tmp_path: Path) -> None:
    path = tmp_path / "sitemap.xml"
    path.write_bytes(b"old")
    with pytest.raises(InvalidInput, match="--base"):
        two_per_file.export_sitemap(PAGES).save(path)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(InvalidInput, match="--out"):
        next(iter(two_per_file.export_sitemap(PAGES, base="https://me.example/")))


@pytest.mark.parametrize(
    "options",
    [
        {"url": "/articles/{external_id}"},
        {"url": "https://me.example/"},
        {"url": PAGES, "base": "/maps"},
        {"url": PAGES, "base": "https://me.example/?x"},
    ],
)
def test_a_wrong_address_is_told_before_anything_is_written(
    library: seenbefore.SeenBefore, options: dict[str, str]
) -> None:
    with pytest.raises(InvalidInput):
        library.export_sitemap(**options)
