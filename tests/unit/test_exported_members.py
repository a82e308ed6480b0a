"""Public names are pinned: adding one is a decision, removing one breaks somebody."""

from __future__ import annotations

import seenbefore

PUBLIC = """
Decision Event Evidence IngestError InvalidInput InvalidItem Item Kind NotFound Outcome Record SeenBefore
SeenBeforeError StoreError Verdict decision_to_json open
""".split()


def test_public_names_are_the_pinned_ones() -> None:
    assert seenbefore.__all__ == PUBLIC
    assert [name for name in seenbefore.__all__ if not hasattr(seenbefore, name)] == []


def test_nothing_public_is_missing_from_all() -> None:
    public = {
        name
        for name, value in vars(seenbefore).items()
        if not name.startswith("_") and getattr(value, "__module__", "").startswith("seenbefore")
    }
    assert public <= set(seenbefore.__all__)


def test_every_public_name_has_a_docstring() -> None:
    undocumented = [name for name in seenbefore.__all__ if not (getattr(seenbefore, name).__doc__ or "").strip()]
    assert undocumented == []
