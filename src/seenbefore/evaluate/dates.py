"""Labeled pages: is the day of publication right, and is none given where nobody can know it?

*Right* is a day that the label accepts (``accept``), *strictly* right the labeled day itself. A day for a page whose
label says that it has none is *invented*.
"""

from __future__ import annotations

import importlib
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

from ..errors import InvalidInput, MissingExtra
from ..model import DateEvidence
from .interval import wilson_interval
from .page_archive import LabeledPage, opened_pages, read_labeled_pages

TIERS: Final = ("A", "B", "C", "visible")
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}\Z")

Progress = Callable[[int, int], None]
FindDate = Callable[[bytes, str], DateEvidence | None]


@dataclass(frozen=True, slots=True)
class DateLabel:
    """The day of publication (None: nobody can know it), and every day that is no error."""

    published: str | None
    accept: frozenset[str]


@dataclass(frozen=True, slots=True)
class PageDateResult:
    """A page, its label, and the answer: a day in the value's own time zone, '' for unknown."""

    page: LabeledPage
    label: DateLabel
    day: str
    answer: DateEvidence | None

    @property
    def tier(self) -> str:
        """The tier of the answer, '' for none."""
        return self.answer.tier if self.answer else ""

    @property
    def right(self) -> bool:
        """A day that the label accepts."""
        return bool(self.day) and self.day in self.label.accept

    @property
    def strictly_right(self) -> bool:
        """The labeled day itself."""
        return bool(self.day) and self.day == self.label.published

    def to_json(self) -> dict[str, object]:
        """Return what a person needs to see why the answer is wrong."""
        answer = self.answer
        return {
            "id": self.page.id,
            "url": self.page.url,
            "published": self.label.published,
            "accept": sorted(self.label.accept),
            "answer": self.day or None,
            "tier": self.tier,
            "tag": answer.tag if answer else "",
            "raw": answer.raw if answer else "",
        }


@dataclass(frozen=True, slots=True)
class DatesReport:
    """All results; ``seconds`` is the processor time that finding the dates took, parsing included."""

    rows: tuple[PageDateResult, ...]
    seconds: float = 0.0

    @property
    def dated(self) -> tuple[PageDateResult, ...]:
        """The pages that have a day of publication."""
        return tuple(row for row in self.rows if row.label.published is not None)

    @property
    def undated(self) -> tuple[PageDateResult, ...]:
        """The pages of which nobody can know it."""
        return tuple(row for row in self.rows if row.label.published is None)

    @property
    def rates(self) -> dict[str, tuple[int, int]]:
        """What is counted → how often, and of how many."""
        dated, undated = self.dated, self.undated
        answers = sum(bool(row.day) for row in dated)
        right = sum(row.right for row in dated)
        return {
            "precision": (right, answers),
            "recall": (right, len(dated)),
            "invented": (sum(bool(row.day) for row in undated), len(undated)),
        }

    @property
    def strict_rates(self) -> dict[str, tuple[int, int]]:
        """Precision and recall when only the labeled day itself is right."""
        rates, right = self.rates, sum(row.strictly_right for row in self.dated)
        return {name: (right, rates[name][1]) for name in ("precision", "recall")}

    def by_tier(self) -> dict[str, tuple[int, int]]:
        """Return how many answers of each tier are right, and of how many, on pages that have a day."""
        found: dict[str, tuple[int, int]] = {}
        for tier in TIERS:
            rows = [row for row in self.dated if row.day and row.tier == tier]
            found[tier] = (sum(row.right for row in rows), len(rows))
        return found

    @property
    def wrong(self) -> tuple[PageDateResult, ...]:
        """The answers that are wrong, invented ones first."""
        invented = tuple(row for row in self.undated if row.day)
        return (*invented, *(row for row in self.dated if row.day and not row.right))

    def to_json(self) -> dict[str, object]:
        """Return all figures; a share of nothing is None."""
        rates, strict = self.rates, self.strict_rates
        right, answers = rates["precision"]
        return {
            "precision": _share(rates["precision"]),
            "recall": _share(rates["recall"]),
            "invented": rates["invented"][0],
            "strict": {name: _share(rate) for name, rate in strict.items()},
            "tiers": {
                tier: {"answers": of, "right": hits, "precision": _share((hits, of))}
                for tier, (hits, of) in self.by_tier().items()
            },
            "intervals": {name: list(wilson_interval(*rate)) for name, rate in rates.items()},
            "pages_per_s": round(len(self.rows) / self.seconds, 1) if self.seconds else None,
            "pages": len(self.rows),
            "dated": rates["recall"][1],
            "undated": rates["invented"][1],
            "answers": answers,
            "right": right,
        }


def _share(rate: tuple[int, int]) -> float | None:
    hits, of = rate
    return round(hits / of, 4) if of else None


def evaluate_dates(gold: str | Path, place: str | Path, *, progress: Progress | None = None) -> DatesReport:
    """Return the report on an archive of pages, scored against the labels of a gold file.

    Pages whose label does not speak of a date are left out.

    Raises:
        InvalidInput: the gold file or the archive cannot be read, or does not hold what it must.
        MissingExtra: reading pages needs ``seenbefore[pages]``.
    """
    labeled = [(page, label) for page in read_labeled_pages(gold) if (label := read_label(page)) is not None]
    if not labeled:
        raise InvalidInput("holds no page with a label for its date (published)", str(gold))
    find = _finder()
    with opened_pages(place) as read:
        return score_dates(labeled, read, find, progress=progress)


def score_dates(
    labeled: Sequence[tuple[LabeledPage, DateLabel]],
    read: Callable[[LabeledPage], bytes],
    find: FindDate,
    *,
    progress: Progress | None = None,
) -> DatesReport:
    """Return the report on pages that ``read`` opens and whose date ``find`` gives.

    >>> page, label = LabeledPage("a1", "https://n.example/"), DateLabel("2024-05-01", frozenset({"2024-05-01"}))
    >>> score_dates([(page, label)], lambda page: b"", lambda body, url: None).rates["recall"]
    (0, 1)
    """
    rows: list[PageDateResult] = []
    seconds = 0.0
    for done, (page, label) in enumerate(labeled, 1):
        body = read(page)
        began = time.process_time()
        answer = find(body, page.url)
        seconds += time.process_time() - began
        rows.append(PageDateResult(page, label, _day(answer), answer))
        if progress is not None:
            progress(done, len(labeled))
    return DatesReport(tuple(rows), seconds)


def _finder() -> FindDate:
    """What reads a page; the module that does needs more than the base install."""
    try:
        dates = importlib.import_module("seenbefore.pages.dates")
        document = importlib.import_module("seenbefore.pages.document")
    except ImportError as error:
        raise MissingExtra("pages", "reading the dates of pages") from error

    def find(body: bytes, url: str) -> DateEvidence | None:
        found: DateEvidence | None = dates.find_dates(document.parse_page(body), url=url).published
        return found

    return find


def _day(answer: DateEvidence | None) -> str:
    """The day in the value's own time zone, in UTC where it has none."""
    if answer is None or answer.at is None:
        return ""
    return (answer.at + timedelta(minutes=answer.offset_minutes or 0)).date().isoformat()


# --- labels -------------------------------------------------------------------------------------


def read_label(page: LabeledPage) -> DateLabel | None:
    """Return what a gold object says about the date of its page; None when it says nothing.

    >>> read_label(LabeledPage("a1", "", {"published": "2024-05-01"})).accept
    frozenset({'2024-05-01'})
    >>> read_label(LabeledPage("a1", "", {"title": "Bridge"})) is None
    True

    Raises:
        InvalidInput: ``published`` is neither a day nor null, or ``accept`` no list of days.
    """
    if "published" not in page.facts:
        return None
    published = page.facts["published"]
    given = page.facts.get("accept")
    accept = given if isinstance(given, list) else [] if given is None else [given]
    for day in (*accept, *([] if published is None else [published])):
        if not isinstance(day, str) or not _DAY.match(day):
            raise InvalidInput(
                f"published must be a day such as 2024-05-01 or null, accept a list; not {day!r}", page.where
            )
    return DateLabel(None if published is None else str(published), frozenset(_days(published, accept)))


def _days(published: object, accept: Iterable[object]) -> list[str]:
    return [] if published is None else [str(day) for day in (published, *accept)]
