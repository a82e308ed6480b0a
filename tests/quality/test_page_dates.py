"""Days of publication on real labeled pages, against the floors of floors.toml."""

from __future__ import annotations

import hashlib
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("selectolax", reason="reading pages needs seenbefore[pages]")

from selectolax.lexbor import LexborHTMLParser

from seenbefore.evaluate.dates import DatesReport, evaluate_dates
from seenbefore.evaluate.page_archive import opened_pages, read_labeled_pages
from seenbefore.pages.datecandidates import local_day
from seenbefore.pages.dates import find_dates
from seenbefore.pages.document import parse_page

FLOORS: dict[str, Any] = tomllib.loads((Path(__file__).parent / "floors.toml").read_text(encoding="utf-8"))
DATES: dict[str, Any] = FLOORS["page_dates"]


@pytest.fixture(scope="module")
def report(shared: Path) -> DatesReport:
    return evaluate_dates(shared / DATES["file"], shared / DATES["archive"])


def test_the_labeled_file_is_the_pinned_one(shared: Path) -> None:
    found = hashlib.sha256((shared / DATES["file"]).read_bytes()).hexdigest()
    assert found == DATES["sha256"], "the labeled file changed: measure again, pin figures and digest together"


@pytest.mark.parametrize("name", ["precision", "recall"])
def test_no_rate_is_lower_than_its_floor(report: DatesReport, name: str) -> None:
    right, of = report.rates[name]
    assert right / of >= DATES[name]["floor"]


def test_tiers_made_for_publication_are_hardly_ever_wrong(report: DatesReport) -> None:
    tiers = report.by_tier()
    right, of = (tiers["A"][n] + tiers["B"][n] for n in (0, 1))
    assert (of - right) / of <= DATES["wrong_of_a_and_b"]["floor"]


def test_nothing_is_invented_on_undated_pages(report: DatesReport) -> None:
    assert report.rates["invented"][0] <= DATES["invented"]["floor"], [row.to_json() for row in report.wrong[:3]]


def test_tags_invent_nothing_on_pages_without_tags(shared: Path) -> None:
    """250 dated pages without scripts, metas, times, and the attributes that name a date."""
    pages = [page for page in read_labeled_pages(shared / DATES["file"]) if page.facts.get("published")]
    invented = []
    with opened_pages(shared / DATES["archive"]) as read:
        for page in sorted(pages, key=lambda page: page.id)[:250]:
            accept = json.loads(json.dumps(page.facts["accept"]))
            for visible in (False, True):
                answer = find_dates(parse_page(stripped(read(page))), visible=visible).published
                if answer is not None and answer.tier != "visible" and str(local_day(answer)) not in accept:
                    invented.append((page.url, answer))
    assert len(invented) <= DATES["invented_on_stripped"]["floor"], invented


def stripped(body: bytes) -> str:
    tree = LexborHTMLParser(body)
    for node in tree.css("script, meta"):
        node.decompose()
    for node in tree.css("time"):
        node.unwrap()
    for node in tree.css("[itemprop], [class], [id]"):
        for name in ("itemprop", "class", "id"):
            if name in node.attrs:
                del node.attrs[name]
    return tree.html or ""
