"""The text of an article, by a library that is good at it: one function, several extractors behind it.

Texts that two extractors read differ in boilerplate and in what they take for a paragraph, so the name of the
extractor, its version and its options go with every text, and texts are held against each other for change only when
they were read alike.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from types import MappingProxyType
from typing import Any, Final

from ..text.clean import one_spaced
from ..text.folding import count_cjk
from .markup import Markup, read_markup

DEFAULT_EXTRACTOR: Final = "trafilatura-fast"
BULK_EXTRACTOR: Final = "resiliparse"
"""Six times as fast, with more of a page's frame in the text; for archives."""

MOST_CHARACTERS: Final = 2 << 20
"""Of longer pages the beginning is read; 2 million characters take the exact extractors about ten seconds."""
_LOOKED_AT: Final = 1 << 14
_ODD: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd]")
_ODD_SHARE: Final = 0.05
"""More control and replacement characters than this are in no text, whatever its charset was taken for."""

_OPTIONS: Final = {DEFAULT_EXTRACTOR: "fast, precise for menus", BULK_EXTRACTOR: "main content"}
"""How each reads, as it stands in the name: another way to read is another name."""
_LONG_LINE: Final = 80
_MENU_SHARE: Final = 0.4
"""Below this the fast way took a page's frame for its text (2 of 272 real articles); the exact way looks again."""


@dataclass(frozen=True, slots=True)
class ExtractedText:
    """Paragraphs as lines, and what read them; ``problem`` says why there is no text, '' if there is one."""

    text: str
    extractor: str
    problem: str = ""


def extract_text(page: Markup | str, *, extractor: str = DEFAULT_EXTRACTOR) -> ExtractedText:
    """Return the text of the article on a page, as plain paragraphs.

    >>> page = "<html><body><nav>Home</nav><article><p>The bridge is closed.</p><p>Work begins in March.</p></article>"
    >>> extract_text(page).text.splitlines()
    ['The bridge is closed.', 'Work begins in March.']

    A page without an article has none:

    >>> extract_text("<html><body></body></html>").problem
    'no_text'

    Raises:
        ValueError: there is no such extractor.
    """
    if extractor not in EXTRACTORS:
        raise ValueError(f"no extractor {extractor!r}; there are {', '.join(EXTRACTORS)}")
    name, read = extractor_name(extractor), EXTRACTORS[extractor]
    html = (page if isinstance(page, Markup) else read_markup(page)).text
    problem = _why_not(html)
    if problem:
        return ExtractedText("", name, problem)
    try:
        text = _as_paragraphs(read(html[:MOST_CHARACTERS]))
    except (ValueError, RecursionError, AssertionError, MemoryError):
        return ExtractedText("", name, "unreadable")
    return ExtractedText(text, name, "" if text else "no_text")


@lru_cache(maxsize=8)
def extractor_name(extractor: str) -> str:
    """Return name, version and options of an extractor, as they go with each text.

    >>> extractor_name("trafilatura-fast").startswith("trafilatura/")
    True
    """
    library = extractor.partition("-")[0]
    return f"{library}/{version(library)} {_OPTIONS[extractor]}"


def _why_not(html: str) -> str:
    if not html.strip():
        return "empty"
    if "<" not in html:
        return "no_html"
    start = html[:_LOOKED_AT]
    odd = len(_ODD.findall(start))
    return "binary" if odd > _ODD_SHARE * len(start) else ""


def _as_paragraphs(text: str) -> str:
    lines = (one_spaced(line) for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def _trafilatura(html: str) -> str:
    """By trafilatura. ``deduplicate`` stays off: its memory of earlier pages would make the text depend on them."""
    text = _by_trafilatura(html, fast=True)
    if text and _long_lines_share(text) < _MENU_SHARE:
        return _by_trafilatura(html, favor_precision=True) or text
    return text


def _by_trafilatura(html: str, **options: bool) -> str:
    document = _quiet_trafilatura().bare_extraction(
        html, include_comments=False, deduplicate=False, with_metadata=False, **options
    )
    return str(document.text or "") if document is not None else ""


def _long_lines_share(text: str) -> float:
    """Which share of a text stands in lines that can be paragraphs; in a menu it is hardly any."""
    lines = text.splitlines()
    long_ones = sum(len(line) for line in lines if len(line) >= _LONG_LINE or count_cjk(line) >= _LONG_LINE // 2)
    return long_ones / max(1, sum(map(len, lines)))


@lru_cache(maxsize=1)
def _quiet_trafilatura() -> Any:
    import trafilatura  # noqa: PLC0415 - half a second

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # it logs every page without a text as an error
    return trafilatura


def _resiliparse(html: str) -> str:
    from resiliparse.extract.html2text import extract_plain_text  # noqa: PLC0415

    return str(
        extract_plain_text(
            html,
            preserve_formatting=True,
            main_content=True,
            list_bullets=False,
            alt_texts=False,
            comments=False,
            post_meta=False,
        )
    )


EXTRACTORS: Final[Mapping[str, Callable[[str], str]]] = MappingProxyType(
    {DEFAULT_EXTRACTOR: _trafilatura, BULK_EXTRACTOR: _resiliparse}
)
