"""A page → what it says: one parse for everything, one frozen value."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from ..model import DateEvidence, Representation
from .dates import PageDates, find_dates
from .document import PageDocument, parse_page
from .extract import DEFAULT_EXTRACTOR, ExtractedText, extract_text, extractor_name
from .metadata import PageMetadata, read_metadata
from .quality import Quality, judge_page, weigh
from .repeated import learn_repeated, remove_repeated

__all__ = ["PageReading", "learn_host", "read_page"]


@dataclass(frozen=True, slots=True)
class PageReading:
    """What a page says. ``text`` has one paragraph a line; ``extractor`` names what read it, with its options.

    ``reasons`` are codes of why it is this ``representation``, ``notes`` of what was odd, ``facts`` everything else
    it says about itself, as JSON values.
    """

    representation: Representation
    reasons: tuple[str, ...]
    text: str
    extractor: str
    title: str = ""
    authors: tuple[str, ...] = ()
    language: str = ""
    ids: Mapping[str, str] = field(default_factory=dict)
    canonical: str = ""
    images: tuple[str, ...] = ()
    published: DateEvidence | None = None
    modified: DateEvidence | None = None
    notes: tuple[str, ...] = ()
    facts: Mapping[str, object] = field(default_factory=dict)


def read_page(
    body: bytes,
    *,
    url: str,
    charset: str = "",
    content_type: str = "text/html",
    extractor: str = DEFAULT_EXTRACTOR,
    repeated: Collection[str] = (),
    snapshot: int = 0,
    fetched_at: datetime | None = None,
) -> PageReading:
    """Return what a page says; never raises for what stands in it.

    >>> html = "<html lang=en><head><title>Bridge closed</title></head><body><article><h1>Bridge closed</h1>"
    >>> html += "<p>The council voted nine to four on Tuesday to close the old bridge for the whole winter.</p>"
    >>> found = read_page(html.encode(), url="https://n.example/a")
    >>> found.representation.value, found.title, found.language
    ('full_text', 'Bridge closed', 'en')

    What is no page has no text:

    >>> read_page(b"%PDF-1.7", url="https://n.example/a.pdf").representation.value
    'pdf'

    ``repeated`` are hashes of paragraphs that belong to the host; the ``snapshot`` they are from becomes part of the
    extractor's name, since texts read with another one differ.
    """
    if content_type.startswith("application/pdf") or body[:1024].lstrip().startswith(b"%PDF-"):
        return PageReading(Representation.PDF, ("pdf",), "", "none")
    document = parse_page(body, charset=charset)
    metadata = read_metadata(document, url)
    extracted = extract_text(document.markup, extractor=extractor)
    text = remove_repeated(extracted.text, repeated)
    quality = judge_page(document, metadata, text)
    text = _shown(quality, metadata, text)
    dates = find_dates(document, url=url, canonical=metadata.canonical, fetched_at=fetched_at)
    return PageReading(
        quality.representation,
        (*quality.reasons, *((extracted.problem,) if extracted.problem else ())),
        text,
        f"{extractor_name(extractor)}; repeated@{snapshot}" if snapshot else extractor_name(extractor),
        metadata.title,
        metadata.authors,
        metadata.language,
        metadata.ids,
        metadata.canonical,
        metadata.images,
        dates.published,
        dates.modified,
        (*document.notes, *metadata.notes),
        _facts(document, metadata, extracted, dates),
    )


def _shown(quality: Quality, metadata: PageMetadata, text: str) -> str:
    """The text that stands for what was read: of an abstract the one the page names, of nothing its description."""
    if quality.representation is Representation.ABSTRACT and weigh(metadata.abstract) > weigh(text) // 3:
        return "\n".join(line.strip() for line in metadata.abstract.splitlines() if line.strip())
    if "description_only" in quality.reasons:
        return metadata.description
    return text


def _facts(
    document: PageDocument, metadata: PageMetadata, extracted: ExtractedText, dates: PageDates
) -> dict[str, object]:
    facts: dict[str, object] = {
        "title": metadata.title,
        "site_name": metadata.site_name,
        "authors": list(metadata.authors),
        "language": metadata.language,
        "claims": [{"url": c.url, "tag": c.tag, "strength": c.strength} for c in metadata.claims],
        "amp": metadata.amp,
        "ids": dict(metadata.ids),
        "content_ids": dict(metadata.content_ids),
        "translations": dict(metadata.translations),
        "is_free": metadata.is_free,
        "charset": document.markup.charset,
        "unreadable_json_ld": document.unparsable_json_ld,
        "problem": extracted.problem,
        "dates": dates.facts(),
    }
    return {name: value for name, value in facts.items() if value not in ("", None, [], {}, 0)}


def learn_host(texts: Mapping[str, str]) -> Iterable[str]:
    """Return the hashes of the paragraphs that the articles of a host share, by their addresses."""
    return learn_repeated(texts.items())
