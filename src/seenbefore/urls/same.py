"""Are two addresses one page? What can be said from the addresses alone."""

from __future__ import annotations

from collections.abc import Sequence

from ..rules.loader import load_rules
from ..rules.ruleset import Claim, Rules
from ..rules.schema import Reads
from .identify import UrlIdentity, identify


def same_page(a: str, b: str, rules: Rules | None = None) -> bool:
    """Return whether two addresses are one page: an equal near key or a strong claim of both, and no veto.

    >>> same_page("http://www.example.com/a/?utm_source=rss", "https://example.com/a")
    True
    >>> same_page("https://youtu.be/dQw4w9WgXcQ?si=abc", "https://m.youtube.com/watch?v=dQw4w9WgXcQ&t=9")
    True

    Two ids of one site are two pages, whatever the titles in the addresses say:

    >>> same_page("https://stackoverflow.com/questions/1/title", "https://stackoverflow.com/questions/2/title")
    False
    >>> same_page("https://example.com/a?id=1", "https://example.com/a?id=2")
    False

    In the pipeline a near key needs a fact beside it (an equal title, text or second of publication); here there
    is none. Symmetric; never raises.
    """
    rules = rules or load_rules()
    return are_same_page(identify(a, rules), identify(b, rules))


def are_same_page(a: UrlIdentity, b: UrlIdentity) -> bool:
    """Return what ``same_page`` does, for addresses that were read already."""
    if not a.key or not b.key:
        return False
    if a.key == b.key:
        return True
    if ids_conflict(a.claims, b.claims):
        return False
    strong = {claim.value for claim in a.claims if claim.strong}
    if any(claim.strong and claim.value in strong for claim in b.claims):
        return True
    return bool(a.near) and a.near == b.near


def ids_conflict(a: Sequence[Claim], b: Sequence[Claim]) -> bool:
    """Return whether both carry strong ids of one namespace, and none of them is equal."""
    mine, theirs = _ids(a), _ids(b)
    return any(not values & theirs[name] for name, values in mine.items() if name in theirs)


def _ids(claims: Sequence[Claim]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for claim in claims:
        if claim.strong and claim.reads is Reads.ID:
            found.setdefault(claim.namespace, set()).add(claim.value)
    return found
