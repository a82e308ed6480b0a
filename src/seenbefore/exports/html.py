"""HTML of strangers → HTML that a reader may show, or plain text. Nothing leaves by another way."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape, unescape
from typing import Final

import nh3

from ..text.clean import clean_text, one_spaced
from .addresses import PublicAddresses
from .xmltext import allowed_text

_MOST_TAGS: Final = 20_000
"""The sanitizer takes time with the square of the nesting: a second for 20,000 elements in each other."""

_TAGS: Final = frozenset(
    "a abbr acronym article aside audio b bdi bdo big blockquote br caption center cite code col colgroup data dd"
    " del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li"
    " mark ol p pre q rp rt ruby s samp section small source span strike strong sub summary sup table tbody td"
    " tfoot th thead time tr tt u ul var video wbr".split()
)
_DROPPED_WHOLE: Final = frozenset(
    "applet button canvas embed iframe math noembed noframes noscript object option script select style svg"
    " template textarea title xmp".split()
)
_ATTRIBUTES: Final = {
    "*": {"dir", "lang"},
    "a": {"href", "hreflang", "title"},
    "abbr": {"title"},
    "audio": {"controls", "src"},
    "blockquote": {"cite"},
    "col": {"span"},
    "colgroup": {"span"},
    "del": {"cite", "datetime"},
    "img": {"alt", "height", "src", "title", "width"},
    "ins": {"cite", "datetime"},
    "ol": {"reversed", "start", "type"},
    "q": {"cite"},
    "source": {"src", "type"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "time": {"datetime"},
    "video": {"controls", "height", "poster", "src", "width"},
}
_ADDRESSES: Final = frozenset({"cite", "poster", "src"})
_SCHEMES: Final = {"http", "https", "mailto"}

_A_TAG: Final = re.compile(r"<[A-Za-z/!?]")
_BLOCK_TAG: Final = re.compile(
    r"<(?=/?(?:article|aside|blockquote|br|caption|dd|div|dl|dt|figure|figcaption|h[1-6]|hr|li|ol|p|pre|section"
    r"|table|td|th|tr|ul)\b)",
    re.IGNORECASE,
)
_TITLE_MARKUP: Final = re.compile(
    r"<(?P<hidden>script|style)(?=[\s/>])[^<>]*>.*?</(?P=hidden)\s*>"
    r"|</?(?:a|abbr|b|bdi|bdo|big|br|cite|code|del|div|em|font|h[1-6]|i|img|ins|kbd|mark|nobr|p|q|rp|rt|ruby|s|samp"
    r"|small|span|strike|strong|sub|sup|tt|u|var|wbr)(?:\s[^<>]*)?/?>",
    re.IGNORECASE | re.DOTALL,
)


def public_html(raw: str, base: str, public: PublicAddresses) -> str:
    """Return the markup of an entry without anything that runs, embeds or styles; links are absolute.

    >>> public, page = PublicAddresses(), "https://example.com/a"
    >>> public_html('<p onclick="x()">A <a href="/b">b</a><script>x()</script>', page, public)
    '<p>A <a href="https://example.com/b" rel="noopener noreferrer">b</a></p>'

    Text without tags becomes paragraphs, and what only looks like a link leads nowhere.

    >>> public_html("fish & chips\\n\\n1 < 2", page, public)
    '<p>fish &amp; chips</p><p>1 &lt; 2</p>'
    >>> public_html('<a href="javascript:x()">a</a>', page, public)
    '<a rel="noopener noreferrer">a</a>'

    A text with more than 20,000 tags is sent without any.
    """
    raw = allowed_text(raw)
    if not raw.strip():
        return ""
    if raw.count("<") > _MOST_TAGS:
        return _paragraphs(escape(line) for line in public.text(clean_text(raw)).split("\n"))
    html = _sanitize(raw if _A_TAG.search(raw) else _paragraphs(re.split(r"\n\s*\n", raw)), base, public)
    masked = public.text(html)
    if masked != html:  # the mask knows nothing of tags, so what it leaves is taken as it came from outside
        html = _sanitize(masked, base, public)
    return allowed_text(html).strip()


def plain_text(raw: str) -> str:
    """Return the words of a text that may hold HTML, in one line.

    >>> plain_text("<p>Fish &amp; <b>chips</b></p><p>Two&nbsp;lines</p><script>x()</script>")
    'Fish & chips Two lines'
    """
    raw = allowed_text(raw)
    if raw.count("<") > _MOST_TAGS:
        return one_spaced(allowed_text(clean_text(raw)))
    text = nh3.clean(_BLOCK_TAG.sub(" <", raw), tags=set(), clean_content_tags=_DROPPED_WHOLE)
    return one_spaced(allowed_text(unescape(text)))


def plain_title(raw: str) -> str:
    """Return a title without markup, in one line.

    >>> plain_title("The <em>Lift</em> &amp; the stairs")
    'The Lift & the stairs'

    A title may speak of code; what is no HTML for it stays.

    >>> plain_title("Vec<T> in 5 minutes, or a < b")
    'Vec<T> in 5 minutes, or a < b'
    """
    text = _TITLE_MARKUP.sub("", raw) if "<" in raw else raw
    return one_spaced(allowed_text(unescape(text) if "&" in text else text))


def _sanitize(raw: str, base: str, public: PublicAddresses) -> str:
    def let_through(_: str, name: str, value: str) -> str | None:
        if name == "href":
            return public.link(value, base) or None
        return (public.web(value, base) or None) if name in _ADDRESSES else value

    return nh3.clean(
        raw,
        tags=_TAGS,
        clean_content_tags=_DROPPED_WHOLE,
        attributes=_ATTRIBUTES,
        attribute_filter=let_through,
        url_schemes=_SCHEMES,
    )


def _paragraphs(parts: Iterable[str]) -> str:
    """Blocks of text without tags as paragraphs; a single line end stays one."""
    texts = (part.strip().replace("\n", "<br>") for part in parts)
    return "".join(f"<p>{text}</p>" for text in texts if text)
