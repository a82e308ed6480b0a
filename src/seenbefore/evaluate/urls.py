"""Labeled pairs of addresses: are two of them one page? Asked of the addresses alone, and scored.

A *false merge* is a pair labeled different that is called one page; a pair labeled same that is not is *missed*.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..errors import InvalidInput
from ..rules import Rules
from ..urls import same_page
from .interval import wilson_interval

_NEEDED = ("url_a", "url_b", "label")
_OPTIONAL = ("category", "note")
_LABELS = ("same", "different")


@dataclass(frozen=True, slots=True)
class UrlPair:
    """Two addresses and the right answer; ``line`` is where they stand in their file."""

    url_a: str
    url_b: str
    is_same: bool
    category: str = ""
    note: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class UrlPairResult:
    """A pair and whether it was called one page."""

    pair: UrlPair
    merged: bool

    @property
    def false_merge(self) -> bool:
        """Two pages that were called one."""
        return self.merged and not self.pair.is_same

    @property
    def missed(self) -> bool:
        """One page that was called two."""
        return self.pair.is_same and not self.merged

    def to_json(self) -> dict[str, object]:
        """Return the pair as its file has it, and how it went wrong (``error``; empty when it is right)."""
        pair = self.pair
        return {
            "error": "false_merge" if self.false_merge else "missed" if self.missed else "",
            "line": pair.line,
            "url_a": pair.url_a,
            "url_b": pair.url_b,
            "label": "same" if pair.is_same else "different",
            "category": pair.category,
            "note": pair.note,
        }


@dataclass(frozen=True, slots=True)
class UrlPairsReport:
    """All results with their counts."""

    rows: tuple[UrlPairResult, ...]

    @property
    def rates(self) -> dict[str, tuple[int, int]]:
        """What is counted → how often, and of how many."""
        same = sum(row.pair.is_same for row in self.rows)
        false_merges, missed = (
            sum(found) for found in ((r.false_merge for r in self.rows), (r.missed for r in self.rows))
        )
        pairs = len(self.rows)
        return {
            "right": (pairs - false_merges - missed, pairs),
            "false_merges": (false_merges, pairs - same),
            "missed": (missed, same),
        }

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """The 95 % interval of every rate."""
        return {name: wilson_interval(hits, of) for name, (hits, of) in self.rates.items()}

    @property
    def wrong(self) -> tuple[UrlPairResult, ...]:
        """The pairs that were answered wrongly, false merges first."""
        return (*(row for row in self.rows if row.false_merge), *(row for row in self.rows if row.missed))

    def counts(self) -> dict[str, int]:
        """Return pairs, right ones, false merges and missed ones, and how many are labeled same and different."""
        rates = self.rates
        hits = {name: found for name, (found, _) in rates.items()}
        return {"pairs": len(self.rows), **hits, "same": rates["missed"][1], "different": rates["false_merges"][1]}

    def by_category(self) -> dict[str, UrlPairsReport]:
        """Return a report per category, in the order of the file."""
        found: dict[str, list[UrlPairResult]] = {}
        for row in self.rows:
            found.setdefault(row.pair.category, []).append(row)
        return {category: UrlPairsReport(tuple(rows)) for category, rows in found.items()}

    def to_json(self) -> dict[str, object]:
        """Return all counts, those of each category, and every pair that was answered wrongly."""
        return {
            **self.counts(),
            "intervals": {name: list(interval) for name, interval in self.intervals.items()},
            "by_category": {category: part.counts() for category, part in self.by_category().items()},
            "wrong": [row.to_json() for row in self.wrong],
        }


def evaluate_urls(path: str | Path, rules: Rules | None = None) -> UrlPairsReport:
    """Return the report on a file of labeled pairs, by the shipped rules unless others are given.

    Raises:
        InvalidInput: the file cannot be read or holds no pair, or a line is none; names the line.
    """
    return score_pairs(read_url_pairs(path), rules)


def score_pairs(pairs: Iterable[UrlPair], rules: Rules | None = None) -> UrlPairsReport:
    """Return the report on pairs.

    >>> a, b = "http://example.com/a/", "https://www.example.com/a"
    >>> report = score_pairs([UrlPair(a, b, is_same=True), UrlPair(a, b, is_same=False)])
    >>> report.counts()
    {'pairs': 2, 'right': 1, 'false_merges': 1, 'missed': 0, 'same': 1, 'different': 1}
    """
    return UrlPairsReport(tuple(UrlPairResult(pair, same_page(pair.url_a, pair.url_b, rules)) for pair in pairs))


# --- the file -----------------------------------------------------------------------------------


def read_url_pairs(path: str | Path) -> tuple[UrlPair, ...]:
    """Return the labeled pairs of a file: a line each, fields separated by tabs, their names in the first line.

    Nothing is quoted, and blanks around an address belong to it. Blank lines are skipped.

    Raises:
        InvalidInput: the file cannot be read or holds no pair, or a line is none; names the line.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"cannot be read: {getattr(error, 'strerror', None) or error}", str(path)) from error
    lines = _lines(text)
    number, header = next(lines, (1, ""))
    columns = _columns(header, f"{path}:{number}")
    pairs = tuple(_pair(columns, line, number, f"{path}:{number}") for number, line in lines)
    if not pairs:
        raise InvalidInput("holds no labeled pair; each line after the first must be one", str(path))
    return pairs


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines that are not blank; only line feeds end one, because an address may hold what else ends lines."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line.removesuffix("\r")


def _columns(header: str, where: str) -> list[str]:
    columns = header.split("\t")
    wrong = [name for name in columns if name not in (*_NEEDED, *_OPTIONAL) or columns.count(name) > 1]
    missing = [name for name in _NEEDED if name not in columns]
    if wrong or missing:
        problem = f"has no {missing[0]}" if missing else f"names {wrong[0]!r}, which is unknown or stands there twice"
        raise InvalidInput(
            f"the first line {problem}; it must name the columns, separated by tabs: "
            "url_a, url_b, label, and if you like category and note",
            where,
        )
    return columns


def _pair(columns: list[str], line: str, number: int, where: str) -> UrlPair:
    values = line.split("\t")
    if len(values) != len(columns):
        raise InvalidInput(
            f"has {len(values)} fields, the first line {len(columns)}; separate them with tabs, and leave out no tab",
            where,
        )
    row = dict(zip(columns, values, strict=True))
    if row["label"] not in _LABELS:
        raise InvalidInput(f"label must be same or different; not {row['label']!r}", where)
    is_same = row["label"] == "same"
    return UrlPair(row["url_a"], row["url_b"], is_same, row.get("category", ""), row.get("note", ""), number)
