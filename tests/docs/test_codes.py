"""Every code that the source writes is listed in ``seenbefore.codes``, and every listed code is written."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from seenbefore import codes
from seenbefore.compare import RANKS

SOURCE = Path(__file__).parent.parent.parent / "src" / "seenbefore"
LISTS = {
    "reasons": codes.REASONS,
    "evidence kinds": codes.EVIDENCE_KINDS,
    "flags": codes.FLAGS,
    "events": codes.EVENTS,
    "trust reasons": codes.TRUST_REASONS,
    "log events": codes.LOG_EVENTS,
    "checks": codes.CHECKS,
    "warnings of stats": codes.MIX_WARNINGS,
}

# Listed because the form of deliveries and evidence is fixed; nothing writes them yet. Strict: once
# something does, the entry here has to go.
UNWRITTEN: dict[str, set[str]] = {}


@cache
def trees() -> dict[str, ast.Module]:
    """The modules of the package that decide and write, by their path."""
    skipped = {"codes.py", "testing", "cli", "evaluate"}
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if name.split("/")[0] not in skipped:
            found[name] = ast.parse(path.read_text(encoding="utf-8"))
    return found


def texts(node: ast.AST | None) -> Iterator[str]:
    """Yield every text constant that an expression may give; of a choice both ways, not what it depends on."""
    if node is None or isinstance(node, ast.JoinedStr):
        return
    if isinstance(node, ast.IfExp):
        yield from texts(node.body)
        yield from texts(node.orelse)
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    for part in ast.iter_child_nodes(node):
        yield from texts(part)


def filled(node: ast.AST | None) -> Iterator[str]:
    """Yield what f"…{kind}…" gives inside ``for kind in ("a", "b")``."""
    gaps = [part for part in ast.walk(node) if isinstance(part, ast.JoinedStr)] if node else []
    for gap in gaps:
        for loop in (n for tree in trees().values() for n in ast.walk(tree) if isinstance(n, ast.For)):
            if gap in ast.walk(loop) and isinstance(loop.target, ast.Name):
                for value in texts(loop.iter):
                    parts = (next(texts(p), value) if isinstance(p, ast.Constant) else value for p in gap.values)
                    yield "".join(parts)


def calls(*names: str) -> Iterator[ast.Call]:
    """Yield every call of a function or method with one of these names."""
    for tree in trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if called in names:
                    yield node


def argument(call: ast.Call, position: int, name: str) -> ast.expr | None:
    """Return an argument by position or name."""
    by_name = [keyword.value for keyword in call.keywords if keyword.arg == name]
    if by_name:
        return by_name[0]
    return call.args[position] if len(call.args) > position else None


def assigned(name_part: str, *modules: str) -> Iterator[str]:
    """Yield the texts in what is assigned to names that contain ``name_part``."""
    for module, tree in trees().items():
        if modules and module not in modules:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(isinstance(t, ast.Name) and name_part in t.id for t in targets):
                    yield from texts(node.value)


def returned(module: str, name_part: str) -> Iterator[str]:
    """Yield the texts that functions of this name return, and the values of their tables."""
    for function in ast.walk(trees()[module]):
        if isinstance(function, ast.FunctionDef) and name_part in function.name:
            for node in ast.walk(function):
                if isinstance(node, ast.Return) and isinstance(node.value, ast.Constant | ast.IfExp):
                    yield from texts(node.value.body if isinstance(node.value, ast.IfExp) else node.value)
                    yield from texts(node.value.orelse if isinstance(node.value, ast.IfExp) else None)
                if isinstance(node, ast.Dict):
                    for value in node.values:
                        yield from texts(value)
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
                    yield from texts(argument(node, 1, "default"))


# --- what is written ----------------------------------------------------------------------------


def relations_of(call: ast.Call) -> set[str]:
    """Return the names of the relations that a comparison may end in."""
    relation = argument(call, 0, "relation")
    names = {node.attr for node in ast.walk(relation) if isinstance(node, ast.Attribute)} if relation else set()
    return names & {"SAME", "REVIEW", "DIFFERENT", "UNRELATED"}


def written_reasons() -> set[str]:
    """Reasons of answers; those of comparisons count where they become reasons of answers."""
    found = set(returned("decide.py", "_reason"))
    for call in calls("Answer"):
        found |= set(texts(argument(call, 1, "reason")))
    for call in calls("end", "Comparison"):
        if relations_of(call) & {"REVIEW", "DIFFERENT", "UNRELATED"}:
            found |= set(texts(argument(call, 1, "reason")))
    for node in ast.walk(trees()["decide.py"]):
        if isinstance(node, ast.Dict) and all(isinstance(key, ast.Tuple) for key in node.keys):
            found |= {text for value in node.values for text in texts(value)}
    found |= set(assigned("reason", "engine/observe.py"))
    return found - {""}


def written_evidence() -> set[str]:
    found: set[str] = set()
    for call in calls("note", "Evidence"):
        kind = argument(call, 0, "kind")
        found |= set(texts(kind)) | {name for name in filled(kind) if name in codes.EVIDENCE_KINDS}
    return found


def written_flags() -> set[str]:
    found = set(assigned("flags"))
    for name in ("bound", "rejected"):
        found |= set(assigned(name, "engine/resolve.py"))
    for tree in trees().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.keyword) and node.arg == "flags":
                found |= set(texts(node.value))
            if isinstance(node, ast.FunctionDef) and node.name in ("_old_news", "_date_conflict"):
                found |= {t for r in ast.walk(node) if isinstance(r, ast.Return) for t in texts(r.value)}
    for call in calls("append"):
        if isinstance(call.func, ast.Attribute) and getattr(call.func.value, "id", "") == "flags":
            found |= set(texts(call.args[0]))
    return found


def written_events() -> set[str]:
    found: set[str] = set()
    for call in calls("_add_event"):
        found |= set(texts(argument(call, 0, "name")))
    for call in calls("Event"):
        found |= set(texts(argument(call, 2, "event")))
    return found


def written_trust_reasons() -> set[str]:
    found = set(assigned("reason", "trust.py"))
    for call in calls("Switch"):
        found |= set(texts(argument(call, 2, "reason")))
    for call in calls("Trust"):
        found |= set(texts(argument(call, 3, "reason")))
    return found


def written_log_events() -> set[str]:
    found: set[str] = set()
    for call in calls("log_event"):
        name = argument(call, 0, "event")
        if isinstance(name, ast.JoinedStr):  # f"records_{event}"
            start = next(texts(name.values[0]))
            found |= {f"{start}{event}" for event in written_events() if f"{start}{event}" in codes.LOG_EVENTS}
        else:
            found |= set(texts(name))
    return found


def written_checks() -> set[str]:
    """Codes of problems; some checks yield code and message, and their caller makes the problem."""
    found: set[str] = set()
    for call in calls("Problem", "Flaw"):
        found |= set(texts(argument(call, 0, "code")))
    for name, tree in trees().items():
        for node in ast.walk(tree) if name.startswith("audit/") else ():
            if isinstance(node, ast.Yield) and isinstance(node.value, ast.Tuple):
                found |= set(texts(node.value.elts[0]))
    return found


def written_mix_warnings() -> set[str]:
    return {text for call in calls("MixWarning") for text in texts(argument(call, 0, "code"))}


WRITTEN = {
    "reasons": written_reasons,
    "evidence kinds": written_evidence,
    "flags": written_flags,
    "events": written_events,
    "trust reasons": written_trust_reasons,
    "log events": written_log_events,
    "checks": written_checks,
    "warnings of stats": written_mix_warnings,
}


@pytest.mark.parametrize("what", LISTS)
def test_what_is_written_is_listed(what: str) -> None:
    assert WRITTEN[what]() - LISTS[what].keys() == set()


@pytest.mark.parametrize("what", LISTS)
def test_what_is_listed_is_written(what: str) -> None:
    assert LISTS[what].keys() - WRITTEN[what]() == UNWRITTEN.get(what, set())


def test_reasons_of_joins_have_a_rank() -> None:
    found: set[str] = set()
    for call in calls("end", "_same_text"):
        if "SAME" in relations_of(call) or getattr(call.func, "id", "") == "_same_text":
            found |= set(texts(argument(call, 1, "reason")))
    assert found == RANKS.keys() - {"mass_change"}  # that one is seen in a whole fetch, not in a pair


def test_every_code_has_a_meaning() -> None:
    for meanings in LISTS.values():
        assert all(text and text == text.strip() for text in meanings.values())


def test_a_reason_belongs_to_one_outcome() -> None:
    """Two are certain enough for one outcome in one case, and for a person in another."""
    tables = (codes.NEW_REASONS, codes.REVIEW_REASONS, codes.DUPLICATE_REASONS, codes.UPDATE_REASONS)
    counts = Counter(reason for table in tables for reason in table)
    assert {reason for reason, count in counts.items() if count > 1} == {"same_id", "flash_then_full"}
    assert counts.keys() == codes.REASONS.keys()
