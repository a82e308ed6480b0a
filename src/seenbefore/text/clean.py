"""HTML or plain text in, plain paragraphs out.

Every step is one linear scan: no pattern runs over the same characters again and again, whatever comes
in. A real HTML parser was not used: it costs several times as much, and stops at deep nesting.
"""

from __future__ import annotations

import re
import unicodedata
from html import unescape
from html.entities import html5

EXTRACTOR_VERSION = "text-1"
SENTENCE = re.compile(r"[^.!?。！？\n]+")

_BLOCK_TAGS = (
    "address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset"
    " figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li main menu nav"
    " ol optgroup option p plaintext pre section summary table tbody tfoot thead tr ul xmp"
)
_INLINE_TAGS = (
    "a abbr acronym annotation applet area audio b base bdi bdo big blink button canvas cite code col"
    " colgroup data datalist del dfn em embed font frame frameset i img input ins kbd label link map"
    " mark marquee math menclose meta meter mfrac mi mn mo mover mpadded mphantom mroot mrow ms mspace"
    " msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover nobr noindex object output"
    " param picture progress q rb rp rt rtc ruby s samp semantics slot small source span strike strong"
    " sub sup time track tt u var video wbr"
)
_HIDDEN_TAGS = "iframe noembed noframes noscript script select style svg template textarea title"
_BREAK = "\0"
_REPLACEMENT = {
    **dict.fromkeys(f"{_INLINE_TAGS} {_HIDDEN_TAGS}".split(), ""),
    **dict.fromkeys(_BLOCK_TAGS.split(), _BREAK),
    "td": " ",
    "th": " ",
}

# A tag ends at the first ">" outside a quoted attribute value, or where the text ends (feeds cut their
# summaries in the middle of tags). Possessive quantifiers: the scan never goes back.
TAG_REST = r"(?:[^>=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+')?+)*+(?:>|\Z)"
_TOKEN = re.compile(
    rf"<(?P<hidden>{_HIDDEN_TAGS.replace(' ', '|')})(?=[\s/>]){TAG_REST}"
    rf"(?:(?<=/>)|.*?</(?P=hidden)(?=[\s/>]){TAG_REST}|.*\Z)"
    rf"|</?(?P<name>[a-z][a-z0-9:-]*+){TAG_REST}"
    rf"|<!--.*?(?:-->|\Z)"
    rf"|<[!?](?=[a-z\[]){TAG_REST}",
    re.IGNORECASE | re.DOTALL,
)
_ESCAPED_HTML = re.compile(
    rf"</(?:{'|'.join(_REPLACEMENT)})\s?>|<(?:br|hr|img|p)(?:\s[^<>]*)?/?>|<a\s[^<>]*href", re.IGNORECASE
)
_AMPERSANDS = re.compile(r"&(?:(?:amp|AMP|#0{0,4}38|#[xX]0{0,4}26);)+")
_ENTITY_NAME = "(#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,7}|[a-zA-Z][a-zA-Z0-9]{1,31});"
_ENTITY = re.compile("&" + _ENTITY_NAME)
_ENTITY_AFTER_ANY = re.compile("(?<!&)&++" + _ENTITY_NAME)
_LITERAL_TAG = re.compile(r"<([a-zA-Z/!?][^<>]{0,200})>")
_TAG_OPEN = re.compile(r"<(?=[a-zA-Z/!?])")

# Control, zero-width, bidi and variation characters, lone surrogates.
_ASCII_CONTROLS = bytes((*range(0x09), *range(0x0E, 0x1C), 0x7F))
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\xad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)


def clean_text(raw: str) -> str:
    r"""Return the words of HTML or plain text as lines, one per paragraph.

    >>> clean_text("<p>Fish &amp; <b>chips</b></p><script>x()</script><p>Two  lines</p>")
    'Fish & chips\nTwo lines'

    What only looks like a tag stays; a tag that the text talks about stays too, in other brackets.

    >>> clean_text("if a < b, return Vec<T> and never &lt;em&gt;")
    'if a < b, return Vec‹T› and never ‹em›'

    In plain text every line is a paragraph; in HTML only tags end one. Text without any tag whose
    entities hide closing tags or links was escaped twice and is read as HTML. Cleaning twice changes nothing.
    """
    text, is_html = _drop_tags(raw) if "<" in raw else (raw, False)
    if "&" in text:
        text = _decode(text)
        if not is_html and "<" in text and _ESCAPED_HTML.search(text):
            text = _decode(_drop_tags(text)[0])
    text = _drop_invisible(text)
    if "&" in text and _ENTITY.search(text):
        text = _ENTITY_AFTER_ANY.sub(_disarm_entity, text)
    if "<" in text:
        text = _TAG_OPEN.sub("‹", _LITERAL_TAG.sub(r"‹\1›", text))
    return "\n".join([one_spaced(line) for line in text.splitlines() if line and not line.isspace()])


def one_spaced(text: str) -> str:
    """Return ``text`` with single spaces only, and none at its ends.

    >>> one_spaced(" a \t b　c ")
    'a b c'
    >>> one_spaced("ab") == one_spaced("a b")
    False
    """
    text = text.strip()
    if "  " not in text and text.isprintable():  # the usual case, several times faster than splitting
        return text
    return " ".join(text.split())


def _drop_tags(raw: str) -> tuple[str, bool]:
    """Return ``raw`` without tags and comments, and whether there were any."""
    if "<![CDATA[" in raw:  # left over by feeds that wrap their content twice
        raw = raw.replace("<![CDATA[", " ").replace("]]>", " ")
    text = _TOKEN.sub(_replace_token, raw)
    if text == raw:
        return raw, False
    return text.replace("\n", " ").replace("\r", " ").replace(_BREAK, "\n"), True


def _replace_token(token: re.Match[str]) -> str:
    name = token["name"]
    if name is None:  # a hidden element, a comment, a declaration
        return " "
    replacement = _REPLACEMENT.get(name.lower())
    whole = token[0]
    if replacement is None:  # Vec<T> is not HTML, but <amp-img>, <o:p> and <x y="z"> are
        return "" if whole[-1] == ">" and ("=" in whole or "-" in name or ":" in name) else whole
    if whole[-1] != ">" and len(whole) > len(name) + 2 and "=" not in whole:
        return whole  # "a <b and c": the text ended before this became a tag
    return replacement


def _decode(text: str) -> str:
    """Return ``text`` with its entities as characters, however often their ampersands were escaped."""
    return _ENTITY.sub(_decode_entity, _AMPERSANDS.sub("&", text))


def _decode_entity(entity: re.Match[str]) -> str:
    return unescape(entity[0]) if _is_known(entity[1]) else entity[0]


def _disarm_entity(entity: re.Match[str]) -> str:
    """Drop the ampersands of what would be an entity for the next reader (``&amp;#38;lt;`` and worse)."""
    return f"{entity[1]};" if _is_known(entity[1]) else entity[0]


def _is_known(name: str) -> bool:
    return name[0] == "#" or f"{name};" in html5


def _drop_invisible(text: str) -> str:
    """Return ``text`` in NFKC without characters that cannot be seen."""
    if text.isascii():
        return text.encode().translate(None, _ASCII_CONTROLS).decode()
    text = _INVISIBLE.sub("", text)
    if unicodedata.is_normalized("NFKC", text):
        return text
    return unicodedata.normalize("NFKC", text)
