"""Which addresses may stand in a public file: web addresses without secrets, as browsers write them."""

from __future__ import annotations

from typing import Final

import can_ada

from ..redact import has_secret, mask_secrets

_WEB: Final = ("http:", "https:")
_LONGEST: Final = 8192


class PublicAddresses:
    """Lets addresses and texts through to a public file; ``hidden`` holds what was kept back as secret.

    >>> public = PublicAddresses()
    >>> public.web("/a b", "https://example.com/news/"), public.web("https://example.com/feed?token=8f3a")
    ('https://example.com/a%20b', '')
    >>> public.hidden
    {'https://example.com/feed?token=8f3a'}
    >>> PublicAddresses(with_secrets=True).web("https://example.com/feed?token=8f3a")
    'https://example.com/feed?token=8f3a'

    What is no web address is not public either, but no secret:

    >>> public.web("java\\tscript:alert(1)", "https://example.com/"), public.web("data:text/html,x"), len(public.hidden)
    ('', '', 1)
    """

    def __init__(self, *, with_secrets: bool = False) -> None:
        self._with_secrets = with_secrets
        self.hidden: set[str] = set()

    def web(self, address: str, base: str = "") -> str:
        """Return the absolute http(s) address, '' if it is none or may not be shown."""
        return self._let_through(address, base, _WEB)

    def link(self, address: str, base: str = "") -> str:
        """Return what a link in a text may lead to: the web, or a mailbox."""
        return self._let_through(address, base, (*_WEB, "mailto:"))

    def text(self, text: str) -> str:
        """Return the text; passwords and tokens of addresses in it are masked.

        >>> PublicAddresses().text("see https://ann:pw@example.com/")
        'see https://***@example.com/'
        """
        if self._with_secrets or not has_secret(text):
            return text
        self.hidden.add(text)
        return mask_secrets(text)

    def _let_through(self, address: str, base: str, protocols: tuple[str, ...]) -> str:
        found = absolute_address(address, base)
        if found is None or found.protocol not in protocols:
            return ""
        href = str(found.href)
        if not self._with_secrets and has_secret(href):
            self.hidden.add(href)
            return ""
        return href


def absolute_address(address: str, base: str = "") -> can_ada.URL | None:
    """Return what browsers make of an address seen on the page ``base``; None if that is nothing.

    >>> absolute_address("//cdn.example/i.png", "https://example.com/").href
    'https://cdn.example/i.png'
    >>> absolute_address("/i.png") is None
    True

    Credentials of the page are not handed on to what it links to.

    >>> absolute_address("/i.png", "https://ann:pw@example.com/").href
    'https://example.com/i.png'
    """
    if not address.strip() or max(len(address), len(base)) > _LONGEST:
        return None
    try:
        page = can_ada.parse(base) if can_ada.can_parse(base) else None
        if page is None or page.protocol not in _WEB:
            return can_ada.parse(address)
        page.username = page.password = ""
        return page + address
    except (ValueError, TypeError):  # TypeError: a lone surrogate, which no encoding can carry
        return None
