"""Text as it may stand in XML 1.0, and elements made of it."""

from __future__ import annotations

import re
from html import escape
from typing import Final

_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def allowed_text(text: str) -> str:
    r"""Return the text without the characters that XML 1.0 does not allow, escaped or not.

    >>> allowed_text("bell \x07, escape \x1b[31m, lone \ud800 half")
    'bell , escape [31m, lone  half'

    All others stay, joiners of scripts and emoji among them.

    >>> allowed_text("a\u200db 東京") == "a\u200db 東京"
    True
    """
    return _NOT_XML.sub("", text)


def element(name: str, text: str = "", /, **attributes: str) -> str:
    """Return an element; attributes without a value are left out, a colon is written as ``__``.

    >>> element("link", rel="via", href="https://example.com/?a=1&b=2", title="")
    '<link rel="via" href="https://example.com/?a=1&amp;b=2"/>'
    >>> element("title", "1 < 2", xml__lang="en")
    '<title xml:lang="en">1 &lt; 2</title>'
    """
    given = "".join(f' {key.replace("__", ":")}="{_quoted(value)}"' for key, value in attributes.items() if value)
    return f"<{name}{given}>{escape(allowed_text(text), quote=False)}</{name}>" if text else f"<{name}{given}/>"


def _quoted(value: str) -> str:
    """As the value of an attribute; line ends and tabs would come back as blanks."""
    return re.sub("[\t\n\r]", lambda found: f"&#{ord(found[0])};", escape(allowed_text(value)))
