"""stub"""
from __future__ import annotations
from .datecandidates import DateCandidate
from .document import PageDocument


def find_visible(document: PageDocument) -> tuple[DateCandidate, ...]:
    """Return nothing yet."""
    return ()
