"""Any XML from outside → its root element: no entities, nothing external, as much as can be read."""

from __future__ import annotations

import zlib
from typing import Final

from lxml import etree

from ..errors import InvalidFeed
from .charset import decode
from .xmltext import XmlText, prepare_xml

MOST_UNPACKED: Final = 52_428_800
"""Bytes that a compressed file may open to: the limit of the sitemap protocol (50 MiB)."""

_GZIP: Final = b"\x1f\x8b"


def unpack(data: bytes, where: str, limit: int = MOST_UNPACKED) -> bytes:
    """Return the content of a gzip file, and other bytes as they are.

    >>> import gzip
    >>> unpack(gzip.compress(b"<urlset/>"), "sitemap.xml.gz"), unpack(b"<urlset/>", "sitemap.xml")
    (b'<urlset/>', b'<urlset/>')
    >>> unpack(gzip.compress(b"0" * 1000), "sitemap.xml.gz", limit=100)
    Traceback (most recent call last):
    ...
    seenbefore.errors.InvalidFeed: sitemap.xml.gz: opens to more than 100 bytes

    Memory is bounded by the limit, whatever the file says of its size. Raises InvalidFeed.
    """
    if not data.startswith(_GZIP):
        return data
    opener = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    try:
        opened = opener.decompress(data, limit + 1)
    except zlib.error as error:
        raise InvalidFeed("the compressed file is damaged", where) from error
    if len(opened) > limit:
        raise InvalidFeed(f"opens to more than {limit} bytes", where)
    return opened


def open_xml(data: bytes, charset: str | None = None) -> XmlText:
    """Return the XML in ``data`` from its root element on, decoded and made harmless.

    >>> open_xml(b'<?xml version="1.0"?><!-- x --><opml version="2.0"/>').root
    'opml'
    >>> open_xml(b"plain text").root
    ''
    """
    return prepare_xml(decode(data, charset)[0])


def parse_document(xml: bytes) -> etree._Element | None:
    """Return the root element of prepared XML, as far as it can be read; None when there is none.

    >>> parse_document(b"<a><b>1</b><c>").tag
    'a'
    >>> parse_document(b"") is None
    True
    """
    parser = etree.XMLParser(
        recover=True, resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False,
        remove_comments=True, remove_pis=True, encoding="utf-8",
    )  # fmt: skip
    try:
        return etree.fromstring(xml, parser)
    except etree.XMLSyntaxError:
        return None
