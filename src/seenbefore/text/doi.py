"""DOIs as feeds and pages write them."""

from __future__ import annotations

import re
from typing import Final

_DOI: Final = re.compile(
    r"(?:doi:\s*|info:doi/|https?://(?:dx\.|www\.)?doi\.org/)?(?P<doi>10\.\d{4,9}(?:\.\d+)*/\S+)\Z",
    re.IGNORECASE,
)


def normalize_doi(text: str) -> str | None:
    """Return the DOI in ``text`` without its prefix and in lower case, or None when there is none.

    >>> normalize_doi("doi:10.1234/ABC.5"), normalize_doi("https://doi.org/10.1234/abc.5")
    ('10.1234/abc.5', '10.1234/abc.5')
    >>> normalize_doi("isbn:9780000000000") is None
    True

    DOIs ignore case, so that one spelling finds the other.
    """
    match = _DOI.match(text.strip())
    return match["doi"].lower() if match else None
