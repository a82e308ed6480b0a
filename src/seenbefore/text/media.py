"""Pictures and players inside HTML, for items that have no words."""

from __future__ import annotations

import re
from hashlib import sha256
from html import unescape

from .clean import TAG_REST

_ELEMENT = re.compile(rf"<(img|iframe|video|audio|embed|source)(?=[\s/]){TAG_REST}", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([a-z-]+)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++))", re.IGNORECASE)
_SCHEME = re.compile(r"https?:(?=//)|\s+", re.IGNORECASE)
_SOURCES = ("data-src", "data-lazy-src", "data-original", "src")
_MOST = 20
_LONGEST_ADDRESS = 2000


def media_markers(raw: str) -> tuple[str, ...]:
    """Return one marker per picture or player of an HTML text, in order, without repeats.

    >>> media_markers('<img src="https://comic.example.com/501.png"><img src="http://comic.example.com/501.png">')
    ('[image: //comic.example.com/501.png]',)

    Other addresses give other markers; counting pixels give none.

    >>> media_markers('<iframe src="//v.example/7"></iframe><img src="//t.example/p" width="1" height="1">')
    ('[media: //v.example/7]',)

    The scheme is left out, for it changes without the picture. At most 20 markers.
    """
    markers: dict[str, None] = {}
    for element in _ELEMENT.finditer(raw):
        marker = _marker(element)
        if marker:
            markers[marker] = None
        if len(markers) == _MOST:
            break
    return tuple(markers)


def _marker(element: re.Match[str]) -> str:
    attributes = {name.lower(): a or b or c for name, a, b, c in _ATTRIBUTE.findall(element[0])}
    if attributes.get("width") in ("0", "1") or attributes.get("height") in ("0", "1"):
        return ""
    address = next((attributes[name] for name in _SOURCES if attributes.get(name)), "")
    address = _SCHEME.sub("", unescape(address))
    if not address:
        return ""
    if address.startswith("data:") or len(address) > _LONGEST_ADDRESS:
        address = "sha256:" + sha256(address.encode(errors="replace")).hexdigest()[:16]
    return f"[{'image' if element[1].lower() == 'img' else 'media'}: {address}]"
