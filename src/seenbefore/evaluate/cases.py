"""Small labelled situations (one stored entry, one incoming) through the real pipeline, and a score.

Scoring: *same work* is an expected duplicate or update; it is found when the decision is one of these.
A *wrong merge* is a duplicate or update where a new article was expected. A *silent merge* is a
duplicate or update of a pair that a person should have seen.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from ..errors import InvalidInput
from ..model import Decision, Item, Outcome
from ..sources.items import parse_item
from ..wiring import SeenBefore, open_db

_MERGED = (Outcome.DUPLICATE, Outcome.UPDATE)
_START = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What was decided on one case."""

    id: str
    tags: tuple[str, ...]
    expect: str
    accept: tuple[str, ...]
    outcome: str
    reason: str

    @property
    def merged(self) -> bool:
        """Whether the entries were joined."""
        return self.outcome in (Outcome.DUPLICATE, Outcome.UPDATE)

    @property
    def is_same_work(self) -> bool:
        """Whether they should be."""
        return self.expect in (Outcome.DUPLICATE, Outcome.UPDATE)

    @property
    def wrong(self) -> bool:
        """A merge of what must stay apart."""
        return self.expect == Outcome.NEW and self.merged

    @property
    def silent(self) -> bool:
        """A merge of what a person should have seen."""
        accepted = {Outcome.DUPLICATE, Outcome.UPDATE} & set(self.accept)
        return self.expect == Outcome.REVIEW and self.merged and not accepted

    @property
    def exact(self) -> bool:
        """Whether the decision is the expected one or one that is accepted too."""
        return self.outcome in {self.expect, *self.accept}


@dataclass(frozen=True, slots=True)
class CasesReport:
    """All results with their counts."""

    rows: tuple[CaseResult, ...]

    def to_json(self) -> dict[str, object]:
        """Return the counts and the result of every case."""
        return {
            "found": sum(r.is_same_work and r.merged for r in self.rows),
            "same_work": sum(r.is_same_work for r in self.rows),
            "wrong_merges": sum(r.wrong for r in self.rows),
            "separate": sum(r.expect == Outcome.NEW for r in self.rows),
            "silent_merges": sum(r.silent for r in self.rows),
            "review_cases": sum(r.expect == Outcome.REVIEW for r in self.rows),
            "exact": sum(r.exact for r in self.rows),
            "cases": [{"id": r.id, "expect": r.expect, "outcome": r.outcome, "reason": r.reason} for r in self.rows],
        }

    def by_tag(self) -> dict[str, CasesReport]:
        """Return a report per tag, in alphabetical order."""
        tags = sorted({tag for r in self.rows for tag in r.tags})
        return {tag: CasesReport(tuple(r for r in self.rows if tag in r.tags)) for tag in tags}


def evaluate_cases(
    path: str | Path,
    open_store: Callable[[], SeenBefore] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> CasesReport:
    """Return the report on a file of cases, each in a fresh store.

    Raises:
        InvalidInput: the file cannot be read, or a line is no case.
    """
    cases = list(_read_cases(Path(path)))
    rows = []
    for number, case in enumerate(cases, 1):
        with open_store() if open_store else open_db(":memory:", clock=_ticking()) as db:
            decision = run_case(db, case)
        rows.append(
            CaseResult(
                id=str(case["id"]),
                tags=tuple(_strings(case.get("tags", []))),
                expect=str(case["expect"]),
                accept=tuple(_strings(case.get("accept", []))),
                outcome=decision.outcome.value,
                reason=decision.reason,
            )
        )
        if progress:
            progress(number, len(cases))
    return CasesReport(tuple(rows))


def run_case(db: SeenBefore, case: Mapping[str, object]) -> Decision:
    """Return the decision on the incoming entry of a case after its stored one was taken in."""
    stored, incoming, evidence = (
        _entry(case, "stored"),
        _entry(case, "incoming"),
        _mapping(case.get("evidence", {})),
    )
    redirects = evidence.get("redirects")
    where = f"case {case.get('id')}"
    if evidence.get("co_present"):
        items = [_item(entry, None, where, "f1") for entry in (stored, incoming)]
        if redirects:
            items[1] = _item(incoming, redirects, where, "f1")
        first, second = db.see_many(items)
        return _of_pair(first, second)
    batch = evidence.get("batch")
    if isinstance(batch, Mapping):
        return _run_batch(db, stored, incoming, batch, where)
    db.see(_item(stored, None, where))
    return db.see(_item(incoming, redirects, where))


def _of_pair(first: Decision, second: Decision) -> Decision:
    """The decision on a pair of one fetch: an entry that joined the other says what became of both."""
    joined = first.matched is not None and first.matched.record_id == second.record_id
    return first if second.outcome is Outcome.NEW and joined else second


def _run_batch(
    db: SeenBefore,
    stored: Mapping[str, object],
    incoming: Mapping[str, object],
    batch: Mapping[str, object],
    where: str,
) -> Decision:
    """A whole fetch that changed at once: the pair stands among entries that changed alike."""
    size = batch.get("incoming", 1)
    if not isinstance(size, int):
        raise InvalidInput("evidence.batch.incoming must be a whole number", where)
    first = [_item(stored, None, where, "f1")]
    second = [_item(incoming, None, where, "f2")]
    for n in range(1, size):
        first.append(_item(_vary(stored, n), None, where, "f1"))
        second.append(_item(_vary(incoming, n), None, where, "f2"))
    db.see_many(first)
    return db.see_many(second)[0]


def _vary(entry: Mapping[str, object], n: int) -> dict[str, object]:
    """Another entry of the same feed and form: every field that names it gets a number of its own."""
    varied = dict(entry)
    for field in ("guid", "url", "title", "enclosure"):
        if varied.get(field):
            varied[field] = f"{varied[field]}-{n}"
    if varied.get("content"):
        varied["content"] = f"Part {n} of the collection. " + " ".join(
            f"word{n}x{i}" for i in range(len(str(varied["content"]).split()))
        )
    return varied


def _item(entry: Mapping[str, object], redirects: object, where: str, fetch_id: str | None = None) -> Item:
    fields: dict[str, object] = {
        "source": entry.get("feed"),
        "guid": entry.get("guid", ""),
        "url": entry.get("url", ""),
        "title": entry.get("title", ""),
        "published": entry.get("published", ""),
        "content": entry.get("content", ""),
    }
    if entry.get("author"):
        fields["authors"] = [entry["author"]]
    if entry.get("doi"):
        fields["ids"] = {"doi": entry["doi"]}
    if entry.get("enclosure"):
        media: dict[str, object] = {"url": entry["enclosure"]}
        if entry.get("duration"):
            media["duration"] = entry["duration"]
        fields["enclosures"] = [media]
    if redirects:
        fields["redirects"] = redirects
    if fetch_id:
        fields["fetch_id"] = fetch_id
    return parse_item({k: v for k, v in fields.items() if v != ""}, source=None, where=where)


def _read_cases(path: Path) -> Iterable[dict[str, object]]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"cannot be read: {error}", str(path)) from error
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            case = json.loads(line)
        except ValueError as error:
            raise InvalidInput(f"is no JSON: {error}", where) from error
        if not isinstance(case, dict) or not {"id", "stored", "incoming", "expect"} <= case.keys():
            raise InvalidInput("a case needs id, stored, incoming and expect", where)
        if case["expect"] not in {outcome.value for outcome in Outcome}:
            raise InvalidInput(f"expect must be one of new, update, duplicate, review; not {case['expect']!r}", where)
        yield case


def _entry(case: Mapping[str, object], name: str) -> Mapping[str, object]:
    return _mapping(case[name])


def _mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise InvalidInput(f"expected an object, found {type(value).__name__}", "case")
    return value


def _strings(value: object) -> list[str]:
    return [str(entry) for entry in value] if isinstance(value, list) else []


def _ticking() -> Callable[[], datetime]:
    """A clock that moves on by an hour each time it is read: runs are the same every day."""
    count = 0

    def now() -> datetime:
        nonlocal count
        count += 1
        return _START + timedelta(hours=count)

    return now
