"""Enclosures and pictures of one RSS item or Atom entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from lxml import etree

from ..model import Enclosure
from .fields import duration_seconds, whole_number
from .markup import inner_text
from .names import local_name

Fields = Mapping[str, Sequence[etree._Element]]
_MEDIA: Final = frozenset({"media:group", "media:content", "media:thumbnail"})
_FILES: Final = _MEDIA | {"enclosure", "link"}
_PICTURES: Final = _MEDIA | {"itunes:image", "image"}

Resolve = Callable[[str, etree._Element], str]


def read_enclosures(fields: Fields, resolve: Resolve) -> tuple[Enclosure, ...]:
    """Return the media files of an entry, each address once, in the order of the feed.

    RSS ``enclosure``, Atom links of that relation and ``media:content`` that is no picture.
    ``itunes:duration`` belongs to the first file, since podcasts carry one.
    """
    found: dict[str, Enclosure] = {}
    if fields.keys().isdisjoint(_FILES):
        return ()
    for element in fields.get("enclosure", ()):
        _add(found, element, element.get("url") or element.get("href"), "length", resolve)
    for element in fields.get("link", ()):
        if (element.get("rel") or "").strip().lower() == "enclosure":
            _add(found, element, element.get("href"), "length", resolve)
    for element in _media(fields, "content"):
        if not _is_image(element):
            _add(found, element, element.get("url"), "fileSize", resolve)
    enclosures = list(found.values())
    if enclosures and enclosures[0].duration is None and "itunes:duration" in fields:
        seconds = duration_seconds(inner_text(fields["itunes:duration"][0]))
        enclosures[0] = replace(enclosures[0], duration=seconds)
    return tuple(enclosures)


def read_images(fields: Fields, resolve: Resolve) -> tuple[str, ...]:
    """Return the addresses of an entry's pictures, each once."""
    found: dict[str, None] = {}
    if fields.keys().isdisjoint(_PICTURES):
        return ()
    for element in (*_media(fields, "content"), *_media(fields, "thumbnail")):
        if _is_image(element) and element.get("url"):
            found.setdefault(resolve(element.get("url") or "", element))
    for element in fields.get("itunes:image", ()):
        if element.get("href"):
            found.setdefault(resolve(element.get("href") or "", element))
    for element in fields.get("image", ()):
        address = next((child for child in element if local_name(child) == "url"), element)
        if inner_text(address):
            found.setdefault(resolve(inner_text(address), element))
    found.pop("", None)
    return tuple(found)


def _add(found: dict[str, Enclosure], element: etree._Element, url: str | None, length: str, resolve: Resolve) -> None:
    address = resolve(url, element) if url else ""
    if address:
        size = whole_number(element.get(length) or "")
        seconds = duration_seconds(element.get("duration") or "")
        found.setdefault(address, Enclosure(address, (element.get("type") or "").strip(), size, seconds))


def _media(fields: Fields, name: str) -> list[etree._Element]:
    """Return media elements of this name, also those inside a ``media:group`` or another one."""
    found = list(fields.get(f"media:{name}", ()))
    for outer in (*fields.get("media:group", ()), *fields.get("media:content", ())):
        found.extend(
            element for element in outer.iter(etree.Element) if element is not outer and local_name(element) == name
        )
    return found


def _is_image(element: etree._Element) -> bool:
    medium, kind = (element.get("medium") or "").lower(), (element.get("type") or "").lower()
    return local_name(element) == "thumbnail" or medium == "image" or kind.startswith("image/") or not (medium or kind)
