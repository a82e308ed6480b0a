"""Labeled pages: how much of an article's text is read, and how much else.

Measured by words, each as often as it stands there: precision is the share of what was read that belongs to the
article, recall the share of the article that was read. Chinese, Japanese, Korean and Thai count by character.
"""

from __future__ import annotations

import importlib
import re
import statistics
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ..errors import InvalidInput, MissingExtra
from .page_archive import LabeledPage, opened_archive, read_labeled_pages

_CHARACTERS: Final = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WORD: Final = re.compile(r"\w+")
_Z: Final = 1.96

Progress = Callable[[int, int], None]
ReadText = Callable[[bytes, str], str]


@dataclass(frozen=True, slots=True)
class TextScore:
    """How a text agrees with the labeled one, each from 0 to 1."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """Their harmonic mean."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True, slots=True)
class PageTextResult:
    """A page and what was read of it. ``score`` is None without a labeled text; snippets are (found, of) each."""

    page: LabeledPage
    origin: str
    length: int
    score: TextScore | None
    wanted: tuple[int, int]
    unwanted: tuple[int, int]


@dataclass(frozen=True, slots=True)
class TextsReport:
    """All results; ``seconds`` is the processor time that reading took, parsing included."""

    rows: tuple[PageTextResult, ...]
    extractor: str
    seconds: float = 0.0

    def by_origin(self) -> dict[str, list[TextScore]]:
        """Return the scores of the pages with a labeled text, by where that text is from."""
        found: dict[str, list[TextScore]] = {}
        for row in self.rows:
            if row.score is not None:
                found.setdefault(row.origin, []).append(row.score)
        return found

    @property
    def snippets(self) -> dict[str, tuple[int, int]]:
        """How many snippets that belong to the article were read, and how many that do not; of how many."""
        return {
            name: (sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs))
            for name, pairs in (
                ("must_contain", [row.wanted for row in self.rows]),
                ("must_not_contain", [row.unwanted for row in self.rows]),
            )
        }

    def to_json(self) -> dict[str, object]:
        """Return all figures; ``texts`` has one entry per origin of the labeled texts."""
        scored = [row.score for row in self.rows if row.score is not None]
        return {
            "extractor": self.extractor,
            "pages": len(self.rows),
            "with_text": len(scored),
            **_means(scored),
            "texts": {name: {"pages": len(several), **_means(several)} for name, several in self.by_origin().items()},
            "snippets": {name: {"found": hits, "of": of} for name, (hits, of) in self.snippets.items()},
            "empty": sum(not row.length for row in self.rows),
            "pages_per_s": round(len(self.rows) / self.seconds, 1) if self.seconds else None,
        }


def _means(scores: Sequence[TextScore]) -> dict[str, object]:
    """The means over pages, and the 95 % interval of that of F1."""
    if not scores:
        return {"precision": None, "recall": None, "f1": None, "interval": None}
    f1 = [score.f1 for score in scores]
    mean = statistics.fmean(f1)
    half = _Z * statistics.stdev(f1) / len(f1) ** 0.5 if len(f1) > 1 else 1.0
    return {
        "precision": round(statistics.fmean(score.precision for score in scores), 4),
        "recall": round(statistics.fmean(score.recall for score in scores), 4),
        "f1": round(mean, 4),
        "interval": [round(max(0.0, mean - half), 4), round(min(1.0, mean + half), 4)],
    }


def score_text(text: str, label: str) -> TextScore:
    """Return how a text agrees with a labeled one.

    >>> score_text("The bridge is closed. Subscribe!", "The bridge is closed.")
    TextScore(precision=0.8, recall=1.0)
    >>> score_text("", "The bridge is closed.").f1
    0.0
    """
    found, wanted = _words(text), _words(label)
    common = (found & wanted).total()
    return TextScore(common / (found.total() or 1), common / (wanted.total() or 1))


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(_CHARACTERS.sub(r" \g<0> ", text.lower())))


def evaluate_texts(
    gold: str | Path, place: str | Path, *, extractor: str = "", progress: Progress | None = None
) -> TextsReport:
    """Return the report on an archive of pages, held against the texts and snippets of a gold file.

    Raises:
        InvalidInput: the gold file or the archive cannot be read or does not hold what it must, or there is no such
            extractor.
        MissingExtra: reading pages needs ``seenbefore[pages]``.
    """
    labeled = [page for page in read_labeled_pages(gold) if _is_labeled(page)]
    if not labeled:
        raise InvalidInput("holds no page with a text (text_file) or snippets (must_contain …)", str(gold))
    name, read_text = _reader(extractor)
    rows: list[PageTextResult] = []
    seconds = 0.0
    with opened_archive(place) as archive:
        for done, page in enumerate(labeled, 1):
            body = archive.html(page)
            began = time.process_time()
            text = read_text(body, page.url)
            seconds += time.process_time() - began
            rows.append(_result(page, text, archive.text(page)))
            if progress is not None:
                progress(done, len(labeled))
    return TextsReport(tuple(rows), name, seconds)


def _is_labeled(page: LabeledPage) -> bool:
    return any(page.facts.get(name) for name in ("text_file", "must_contain", "must_not_contain"))


def _result(page: LabeledPage, text: str, label: str | None) -> PageTextResult:
    return PageTextResult(
        page,
        str(page.facts.get("text_origin") or "unnamed"),
        len(text),
        score_text(text, label) if label is not None else None,
        _found(text, _snippets(page, "must_contain")),
        _found(text, _snippets(page, "must_not_contain")),
    )


def _snippets(page: LabeledPage, name: str) -> list[str]:
    given = page.facts.get(name) or []
    if not isinstance(given, list) or not all(isinstance(each, str) for each in given):
        raise InvalidInput(f"{name} must be a list of texts", page.where)
    return given


def _found(text: str, snippets: Sequence[str]) -> tuple[int, int]:
    flat = " ".join(text.split())
    return sum(" ".join(snippet.split()) in flat for snippet in snippets), len(snippets)


def _reader(extractor: str) -> tuple[str, ReadText]:
    """The name of an extractor and what reads with it; the module that does needs more than the base install."""
    try:
        extract = importlib.import_module("seenbefore.pages.extract")
        markup = importlib.import_module("seenbefore.pages.markup")
    except ImportError as error:
        raise MissingExtra("pages", "reading the texts of pages") from error
    chosen = extractor or extract.DEFAULT_EXTRACTOR
    if chosen not in extract.EXTRACTORS:
        raise InvalidInput(f"there is no extractor {chosen!r}; there are {', '.join(extract.EXTRACTORS)}")

    def read(body: bytes, url: str) -> str:
        text: str = extract.extract_text(markup.read_markup(body), extractor=chosen).text
        return text

    return extract.extractor_name(chosen), read
