"""Shows what came of opening pages, and counts it."""

from __future__ import annotations

from collections import Counter

from ..decisionjson import decision_to_json
from ..engine.pages.pagejson import capture_to_json
from ..engine.pages.storing import StoredPage
from .output import Screen
from .tables import decision_line

OPENED = ("read", "unchanged")


class PagesScreen:
    """Shows the pages of one run."""

    def __init__(self, screen: Screen, *, as_json: bool) -> None:
        self._screen = screen
        self._as_json = as_json
        self._counts: Counter[str] = Counter()

    def is_shown(self, page: StoredPage) -> bool:
        """Return whether :meth:`show` writes anything."""
        return self._as_json or page.capture.outcome not in OPENED or _is_news(page)

    def show(self, page: StoredPage) -> None:
        """Show one page: as JSON, or only what is news or went wrong."""
        capture = page.capture
        kind = capture.representation.value if capture.representation else capture.outcome
        self._counts[kind if capture.outcome in OPENED else capture.outcome] += 1
        if self._as_json:
            self._screen.json(page_to_json(page))
        elif capture.outcome not in OPENED:
            again = "tried again later" if capture.retry_at else "not tried again"
            why = self._screen.safe(f"{capture.original_url}: {capture.reason or capture.outcome}")
            self._screen.note(f"page: {why}; {again}")
        elif page.decision is not None and _is_news(page):
            self._screen.line(decision_line(self._screen, page.decision))

    def summary(self) -> str:
        """Return one line on the pages that were opened, '' if there were none."""
        if not self._counts:
            return ""
        total = self._counts.total()
        parts = ", ".join(f"{count} {kind}" for kind, count in sorted(self._counts.items()))
        return f"{total} {'page' if total == 1 else 'pages'} opened: {parts}"


def _is_news(page: StoredPage) -> bool:
    return page.decision is not None and page.decision.outcome.value != "duplicate"


def page_to_json(page: StoredPage) -> dict[str, object]:
    """Return what came of a page as ``page --json`` and ``ingest --fetch --json`` write it."""
    return {
        "schema": 1,
        "page": capture_to_json(page.capture),
        "decision": decision_to_json(page.decision) if page.decision else None,
        "unattached": page.unattached,
    }
