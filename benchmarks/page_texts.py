"""How much of an article's text is read from a page, how much else, and how fast? Beside trafilatura and newspaper4k.

Reads the labeled pages kept beside the checkout, those with a whole text. All read the same bytes in one process and
take turns; times are processor time, parsing included. "Without repeated" learns the paragraphs that the pages of a
host share from the texts just read, and drops them; that is in its time, but no host has pages enough here to teach
anything. What it does not show: pages that need a browser. `--quick` takes every eighth page.
"""

from __future__ import annotations

import importlib
import importlib.util
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from harness.replay_data import ROOT
from harness.report import CONSOLE, finish, options, show_floors, show_table

from seenbefore.evaluate.page_archive import LabeledPage, opened_archive, read_labeled_pages
from seenbefore.evaluate.page_texts import score_text
from seenbefore.pages.extract import BULK_EXTRACTOR, DEFAULT_EXTRACTOR, extract_text
from seenbefore.pages.markup import read_markup
from seenbefore.pages.repeated import learn_repeated, remove_repeated

DATA = ROOT.parent / "shared" / "data" / "pages"
HAND_MADE = "hand-made article body"
PEER = "trafilatura fast"
BULK = "seenbefore, bulk, without repeated"

Case = tuple[LabeledPage, bytes, str]
Reader = Callable[[bytes, str], str]
"""Gives the text of one page, of its bytes and its address."""


def main() -> None:
    parser = options(__doc__ or "")
    parser.add_argument("--repeats", type=int, default=3, help="(%(default)s)")
    args = parser.parse_args()
    if not (DATA / "gold_dev.json").is_file():
        sys.exit(f"The labeled pages are not there: {DATA}")
    cases = read_cases(8 if args.quick else 1)
    readers = find_readers()
    seconds: dict[str, list[float]] = {name: [] for name in readers}
    texts: dict[str, list[str]] = {}
    for _ in range(args.repeats):
        for name, read in readers.items():
            taken, texts[name] = measure(read, cases, drops_repeated=name == BULK)
            seconds[name].append(taken)
    figures: dict[str, Any] = {"pages": len(cases), "repeats": args.repeats}
    figures["readers"] = {name: summarize(texts[name], seconds[name], cases) for name in readers}
    show(figures)
    finish("page_texts_quick" if args.quick else "page_texts", figures, args)


def read_cases(one_in: int) -> list[Case]:
    """Return the pages with a whole text: label, bytes, text."""
    pages = [page for page in read_labeled_pages(DATA / "gold_dev.json") if page.facts.get("text_file")]
    with opened_archive(DATA / "pages_dev.tar.zst") as archive:
        return [(page, archive.html(page), archive.text(page) or "") for page in pages[::one_in]]


def find_readers() -> dict[str, Reader]:
    """Return what is installed; each gives the text of a page."""
    found: dict[str, Reader] = {
        "seenbefore": lambda body, url: extract_text(read_markup(body), extractor=DEFAULT_EXTRACTOR).text,
        "seenbefore, bulk": lambda body, url: extract_text(read_markup(body), extractor=BULK_EXTRACTOR).text,
    }
    found[BULK] = found["seenbefore, bulk"]
    trafilatura = importlib.import_module("trafilatura")
    found[PEER] = lambda body, url: trafilatura.extract(body, fast=True) or ""
    found["trafilatura"] = lambda body, url: trafilatura.extract(body) or ""
    resiliparse = importlib.import_module("resiliparse.extract.html2text")
    found["resiliparse"] = lambda body, url: resiliparse.extract_plain_text(
        body.decode("utf-8", "replace"), main_content=True
    )
    if importlib.util.find_spec("newspaper"):
        newspaper = importlib.import_module("newspaper")
        found["newspaper4k"] = lambda body, url: (
            newspaper.article(
                url or "https://n.example/", input_html=body.decode("utf-8", "replace"), fetch_images=False
            ).text
        )
    return found


def measure(read: Reader, cases: Sequence[Case], *, drops_repeated: bool) -> tuple[float, list[str]]:
    """Return the seconds and the texts."""
    texts = []
    began = time.process_time()
    for page, body, _ in cases:
        try:
            texts.append(read(body, page.url))
        except Exception:  # whatever a peer raises on an odd page: it gave no text
            texts.append("")
    if drops_repeated:
        texts = without_repeated(texts, [page.url for page, _, _ in cases])
    return time.process_time() - began, texts


def without_repeated(texts: Sequence[str], urls: Sequence[str]) -> list[str]:
    """Return the texts without the paragraphs that those of one host share, as `reextract --learn` leaves them out."""
    hosts = [urlsplit(url).hostname or "" for url in urls]
    of_host: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for host, url, text in zip(hosts, urls, texts, strict=True):
        of_host[host].append((url, text))
    repeated = {host: frozenset(learn_repeated(of_host[host])) for host in of_host}
    return [remove_repeated(text, repeated[host]) for host, text in zip(hosts, texts, strict=True)]


def summarize(texts: Sequence[str], seconds: Sequence[float], cases: Sequence[Case]) -> dict[str, Any]:
    """Return the figures of one reader."""
    scores: dict[bool, list[float]] = {True: [], False: []}
    for text, (page, _, label) in zip(texts, cases, strict=True):
        scores[page.facts.get("text_origin") == HAND_MADE].append(score_text(text, label).f1)
    return {
        "hand_made_f1": statistics.fmean(scores[True]) if scores[True] else None,
        "news_f1": statistics.fmean(scores[False]) if scores[False] else None,
        "empty": sum(not text for text in texts),
        "pages_per_s": len(cases) / statistics.median(seconds),
    }


def show(figures: dict[str, Any]) -> None:
    """Print the table and what must hold."""
    readers = figures["readers"]
    peer = readers[PEER]["pages_per_s"]
    rows = [
        (
            name,
            f"{f['hand_made_f1'] or 0:.4f}",
            f"{f['news_f1'] or 0:.4f}",
            f["empty"],
            f["pages_per_s"],
            f"{f['pages_per_s'] / peer:.2f}",
        )
        for name, f in readers.items()
    ]
    columns = ("reader", "F1 hand-made", "F1 news", "empty", "pages/s", f"x {PEER}")
    show_table(f"{figures['pages']} pages with a labeled text", columns, rows)
    ours, bulk = readers["seenbefore"], readers[BULK]
    ratio = ours["pages_per_s"] / peer
    show_floors(
        [
            ("F1 hand-made", ours["hand_made_f1"], ">= 0.96", ours["hand_made_f1"] >= 0.96),
            ("F1 news", ours["news_f1"], ">= 0.94", ours["news_f1"] >= 0.94),
            (f"speed, x {PEER}", ratio, ">= 0.85", ratio >= 0.85),
            ("bulk, pages/s", bulk["pages_per_s"], ">= 500", bulk["pages_per_s"] >= 500),
        ]
    )
    if "newspaper4k" not in readers:
        CONSOLE.print("Not installed here: newspaper4k.")


if __name__ == "__main__":
    main()
