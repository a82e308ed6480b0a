"""How often is the day of publication of a page right, is one made up, and how fast? Beside htmldate and newspaper4k.

Reads the labeled pages kept beside the checkout. All read the same bytes in one process; times are processor time,
parsing included. A day is right when the label accepts it. The second table asks 250 of the pages that have a day
once more, without scripts, metas, time elements, itemprop, class and id: a wrong day there is made up.
`--quick` takes every eighth page.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from harness.replay_data import ROOT
from harness.report import CONSOLE, finish, options, show_floors, show_table

from seenbefore.evaluate.dates import TIERS, DateLabel, read_label
from seenbefore.evaluate.page_archive import LabeledPage, opened_pages, read_labeled_pages
from seenbefore.pages.datecandidates import local_day
from seenbefore.pages.dates import find_dates
from seenbefore.pages.document import parse_page

DATA = ROOT.parent / "shared" / "data" / "pages"
STRIPPED = 250

Case = tuple[LabeledPage, DateLabel, bytes]
Answer = tuple[str, str]  # the day and the tier, '' where nothing was said
Reader = Callable[[bytes, str], Answer]

_SCRIPTS = re.compile(rb"<script\b.*?</script\s*>", re.DOTALL | re.IGNORECASE)
_TAGS = re.compile(rb"</?(?:meta|time)\b[^>]*>", re.IGNORECASE)
_ATTRIBUTES = re.compile(rb"""\s(?:itemprop|class|id)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)""", re.IGNORECASE)


def main() -> None:
    args = options(__doc__ or "").parse_args()
    if not (DATA / "gold_dev.json").is_file():
        sys.exit(f"The labeled pages are not there: {DATA}")
    cases = read_cases(8 if args.quick else 1)
    stripped = [(page, label, strip(body)) for page, label, body in cases if label.published][:STRIPPED]
    readers = find_readers()
    figures: dict[str, Any] = {"pages": len(cases), "stripped_pages": len(stripped)}
    figures["readers"] = {name: measure(read, cases) for name, read in readers.items()}
    figures["stripped"] = {name: measure(read, stripped) for name, read in readers.items()}
    show(figures)
    finish("page_dates_quick" if args.quick else "page_dates", figures, args)


def read_cases(one_in: int) -> list[Case]:
    """Return the pages with a label for their date, and their bytes."""
    pages = [(page, label) for page in read_labeled_pages(DATA / "gold_dev.json") if (label := read_label(page))]
    with opened_pages(DATA / "pages_dev.tar.zst") as read:
        return [(page, label, read(page)) for page, label in pages[::one_in]]


def strip(body: bytes) -> bytes:
    """Return a page without what speaks to programs."""
    return _ATTRIBUTES.sub(b"", _TAGS.sub(b"", _SCRIPTS.sub(b"", body)))


def find_readers() -> dict[str, Reader]:
    """Return what is installed; each says the day of a page."""

    def ours(body: bytes, url: str, *, visible: bool) -> Answer:
        found = find_dates(parse_page(body), url=url, visible=visible).published
        day = local_day(found) if found else None
        return (day.isoformat(), found.tier) if found and day else ("", "")

    found: dict[str, Reader] = {
        "seenbefore, tags": lambda body, url: ours(body, url, visible=False),
        "seenbefore": lambda body, url: ours(body, url, visible=True),
    }
    if importlib.util.find_spec("htmldate"):
        htmldate = importlib.import_module("htmldate")
        for name, extensive in (("htmldate fast", False), ("htmldate extensive", True)):
            found[name] = lambda body, url, extensive=extensive: (
                htmldate.find_date(body, url=url, extensive_search=extensive, original_date=True) or "",
                "",
            )
    if importlib.util.find_spec("newspaper"):
        newspaper = importlib.import_module("newspaper")

        def newspaper4k(body: bytes, url: str) -> Answer:
            article = newspaper.article(
                url,
                input_html=body.decode("utf-8", "replace"),
                fetch_images=False,  # it would open their addresses
            )
            return (article.publish_date.date().isoformat() if article.publish_date else ""), ""

        found["newspaper4k"] = newspaper4k
    return found


def measure(read: Reader, cases: Sequence[Case]) -> dict[str, Any]:
    """Return the figures of one reader."""
    answers: list[Answer] = []
    seconds = 0.0
    for page, _, body in cases:
        began = time.process_time()
        try:
            answer = read(body, page.url)
        except Exception:  # whatever a peer raises on an odd page: it gave no day
            answer = ("", "")
        seconds += time.process_time() - began
        answers.append(answer)
    rows = [(day, tier, label) for (day, tier), (_, label, _) in zip(answers, cases, strict=True)]
    dated = [(day, tier, day in label.accept) for day, tier, label in rows if label.published]
    said = [(tier, right) for day, tier, right in dated if day]
    best = [right for tier, right in said if tier in ("A", "B")]
    right = sum(right for _, right in said)
    return {
        "answers": len(said),
        "right": right,
        "wrong": len(said) - right,
        "precision": right / len(said) if said else None,
        "recall": right / len(dated) if dated else None,
        "invented": sum(bool(day) for day, _, label in rows if not label.published),
        "ab_wrong_share": 1 - sum(best) / len(best) if best else None,
        "tiers": {tier: [sum(r for t, r in said if t == tier), sum(t == tier for t, _ in said)] for tier in TIERS},
        "pages_per_s": len(cases) / seconds if seconds else None,
    }


def show(figures: dict[str, Any]) -> None:
    """Print both tables and what must hold."""
    for key, title in (("readers", "labeled pages"), ("stripped", "pages without their tags")):
        rows = [
            (
                name,
                f["answers"],
                f["wrong"],
                _share(f["precision"]),
                _share(f["recall"]),
                f["invented"],
                f["pages_per_s"],
            )
            for name, f in figures[key].items()
        ]
        count = figures["pages" if key == "readers" else "stripped_pages"]
        columns = ("reader", "answers", "wrong", "precision", "recall", "invented", "pages/s")
        show_table(f"{count} {title}", columns, rows)
    whole, tags = figures["readers"]["seenbefore"], figures["readers"]["seenbefore, tags"]
    stripped = figures["stripped"]["seenbefore, tags"]["wrong"]
    share = whole["ab_wrong_share"] or 0.0
    show_floors(
        [
            ("tiers A and B, wrong %", 100 * share, "<= 2", share <= 0.02),
            ("precision %", 100 * (whole["precision"] or 0), ">= 97", (whole["precision"] or 0) >= 0.97),
            ("recall %", 100 * (whole["recall"] or 0), ">= 90", (whole["recall"] or 0) >= 0.90),
            ("invented on undated pages", whole["invented"], "0", whole["invented"] == 0),
            ("wrong on stripped pages, tags", stripped, "0", stripped == 0),
            ("pages/s, tags", tags["pages_per_s"], ">= 1,000", tags["pages_per_s"] >= 1000),
            ("pages/s, with visible text", whole["pages_per_s"], ">= 300", whole["pages_per_s"] >= 300),
        ]
    )
    missing = [name for name in ("htmldate fast", "newspaper4k") if name not in figures["readers"]]
    if missing:
        CONSOLE.print(f"Not installed here: {', '.join(missing)}.")


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


if __name__ == "__main__":
    main()
