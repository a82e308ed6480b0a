"""Attempts to open pages as plain mappings: the one form that every surface shows."""

from __future__ import annotations

from ...decisionjson import format_time
from ...model import Capture


def capture_to_json(capture: Capture) -> dict[str, object]:
    """Return the mapping of an attempt, ready for ``json.dumps``; nothing is masked."""
    return {
        "address": capture.address,
        "original_url": capture.original_url,
        "fetch_url": capture.fetch_url,
        "final_url": capture.final_url,
        "hops": [list(hop) for hop in capture.hops],
        "status": capture.status or None,
        "outcome": capture.outcome,
        "reason": capture.reason,
        "representation": capture.representation.value if capture.representation else None,
        "extractor": capture.extractor,
        "attempts": capture.attempts,
        "fetched_at": format_time(capture.fetched_at),
        "retry_at": format_time(capture.retry_at),
        "content_type": capture.content_type,
        "charset": capture.charset,
        "kept": bool(capture.body_hash),
        "facts": dict(capture.facts),
    }
