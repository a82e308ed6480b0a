"""The single foldings that turn spellings of an address into one; each notes in ``trace`` what it changed.

Percent-encoded bytes are never decoded to text: queries in EUC-JP or Shift_JIS stay as they are.
"""

from __future__ import annotations

import re

from ..rules.ruleset import HostRules

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f]")
_EDGE = (
    "".join(map(chr, (*range(0x21), *range(0x7F, 0xA1), *range(0x2000, 0x2010))))
    + "\u1680\u2028\u2029\u202f\u205f\u2060\u3000\ufeff"
)
"""Blanks, controls and zero width characters, which copying and pasting leave around an address."""

_FOLDABLE = re.compile(
    r"%(?![0-9A-F]{2})(?:[0-9A-Fa-f]{2})?"  # lower-case digits, or a % that encodes nothing
    r"|%(?:2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])"  # letters, digits, - . _ ~
)
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_AMPERSAND_ENTITY = re.compile(r"&(?:amp;|#0{0,9}38;)+")
_ENTITY_NUMBER = re.compile(r"#0{0,9}38;")


# --- before parsing -----------------------------------------------------------------------------


def clean(url: str, trace: list[str]) -> str:
    """Return the address as its writer meant it: no blanks around it, no HTML entities, with a scheme.

    >>> clean("  //example.com/a?b=1&amp;c=2\\n", [])
    'https://example.com/a?b=1&c=2'

    ``example.com/a`` keeps missing its scheme: it may as well be a path.

    >>> clean("example.com/a", [])
    'example.com/a'
    """
    text = without_controls(url)
    if text != url:
        trace.append("cleaned")
    if "&amp;" in text or "38;" in text:
        unescaped = _unescape_ampersands(text)
        if unescaped != text:
            trace.append("&amp;")
            text = unescaped
    if text.startswith("//") and not text.startswith("///"):
        trace.append("scheme added")
        text = f"https:{text}"
    return text


def without_controls(text: str) -> str:
    """Return the text without control characters anywhere, and without blanks at both ends.

    >>> without_controls("\\ufeffhttps://example.com/long\\r\\n/path "), without_controls("a b")
    ('https://example.com/long/path', 'a b')
    """
    text = text.strip(_EDGE)
    return text if text.isprintable() else _CONTROLS.sub("", text)


def _unescape_ampersands(text: str) -> str:
    """The text with ``&amp;`` and ``&#038;`` between parameters as ``&``; a fragment stays as it is."""
    start = text.find("?")
    end = text.find("#")
    while end > 0 and text.endswith(("&", "&amp;"), 0, end) and (entity := _ENTITY_NUMBER.match(text, end)):
        end = text.find("#", entity.end())
    if end < 0:
        end = len(text)
    if not 0 <= start < end:
        return text
    return text[:start] + _AMPERSAND_ENTITY.sub("&", text[start:end]) + text[end:]


# --- the parts ----------------------------------------------------------------------------------


def fold_host(hostname: str, trace: list[str]) -> str:
    """Return the host without a final dot and without ``www.`` labels; empty if no valid host is left.

    >>> fold_host("www.example.com.", []), fold_host("www2.example.com", []), fold_host("www.com", [])
    ('example.com', 'www2.example.com', 'www.com')
    """
    host = hostname
    if host.endswith("."):  # the root of the name system: lwn.net. is lwn.net
        trace.append("host dot")
        host = host[:-1]
        if host.endswith("."):
            return ""
    if host.startswith("www."):
        short = host
        while short.startswith("www.") and "." in short[5:]:
            short = short[4:]
        if short != host:
            trace.append("www")
        return short
    return host


def fold_path(pathname: str, trace: list[str]) -> str:
    """Return the path without slashes at its end and with one spelling of percent-encoding; case stays.

    >>> fold_path("/%7Eann/%e6%9d%b1/", []), fold_path("/a%2Fb", []), fold_path("/", [])
    ('/~ann/%E6%9D%B1', '/a%2Fb', '/')
    """
    path = _fold_percent(pathname, trace) if "%" in pathname else pathname
    if path.endswith("/") and len(path) > 1:
        trace.append("final slash")
        return path.rstrip("/") or "/"
    return path


def fold_query(query: str, host_rules: HostRules, trace: list[str]) -> str:
    """Return the parameters that no rule drops, in their order, repeats included.

    >>> from seenbefore.rules import load_rules
    >>> fold_query("b=2&utm_source=x&&a=1&a=1", load_rules().for_host("example.com"), [])
    'b=2&a=1&a=1'
    """
    if "%" in query:
        query = _fold_percent(query, trace)
    if "&amp;" in query:  # can appear only now: "&am%70;"
        query = _AMPERSAND_ENTITY.sub("&", query)
    kept: list[str] = []
    for parameter in query.split("&"):
        if not parameter:
            continue
        name = parameter.partition("=")[0].lower()
        rule = host_rules.dropping(name)
        if rule is None:
            kept.append(parameter)
        else:
            trace.append(f"parameter {name}: {rule.id}")
    return "&".join(kept)


def fold_route(fragment: str, trace: list[str]) -> str:
    """Return the fragment if it is a route of a page that draws itself, else an empty text.

    >>> fold_route("#!/topic/15", []), fold_route("#comments", []), fold_route("#/", [])
    ('#!/topic/15', '', '')
    """
    if fragment[1:2] in ("!", "/") and fragment.strip("#!/"):
        return _fold_percent(fragment, trace) if "%" in fragment else fragment
    trace.append("fragment")
    return ""


def _fold_percent(text: str, trace: list[str]) -> str:
    """The text with upper-case percent digits, and with letters and digits that need no encoding decoded.

    A % that encodes nothing becomes %25: left alone it could join a decoded digit to form a new code.
    """
    folded = _FOLDABLE.sub(_fold_one, text)
    if folded != text:
        trace.append("percent-encoding")
    return folded


def _fold_one(match: re.Match[str]) -> str:
    code = match[0]
    if len(code) == 1:
        return "%25"
    char = chr(int(code[1:], 16))
    return char if char in _UNRESERVED else code.upper()
