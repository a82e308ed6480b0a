"""Text from outside, made safe to show: control characters become visible, secrets become ``***``.

The lowest layer, because logs and errors need it. Stored addresses keep their secrets (links must work);
what is printed for people goes through :func:`mask_secrets` and :func:`escape_control`.

Both functions take one pass over the text, whatever it holds, and change nothing on a second pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import unquote

MASK = "***"

# --- control characters -------------------------------------------------------------------------

_UNSAFE = re.compile(
    "["
    "\x00-\x1f\x7f-\x9f"  # C0 and C1 controls: every ANSI, CSI and OSC sequence starts with one
    "\u00ad\u061c\u180e"  # soft hyphen, Arabic letter mark, Mongolian vowel separator
    "\u200b-\u200f"  # zero width characters, direction marks
    "\u2028-\u202e"  # line and paragraph separators, bidi embeddings and overrides
    "\u2060-\u206f"  # word joiner, invisible operators, bidi isolates
    "\ufeff\ufff9-\ufffb"  # byte order mark, interlinear annotation
    "\ud800-\udfff"  # lone surrogates, which no terminal or file can be given
    "\U000e0000-\U000e007f"  # invisible tag characters
    "]"
)
_SHORT_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def escape_control(text: str) -> str:
    r"""Return the text with every invisible or steering character written as a visible escape.

    >>> escape_control("red \x1b[31m, reversed \u202e, next\nline")
    'red \\x1b[31m, reversed \\u202e, next\\nline'

    Ordinary text in any script, combining marks and emoji stay as they are.

    >>> escape_control("東京 é 👍") == "東京 é 👍"
    True

    Backslashes are not doubled: the result is for reading, and a second pass must change nothing.
    """
    return _UNSAFE.sub(_visible, text)


def _visible(match: re.Match[str]) -> str:
    char = match[0]
    if char in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[char]
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


# --- secrets ------------------------------------------------------------------------------------

_SECRET_NAMES = frozenset(
    {
        "access_key", "access_token", "accesskey", "accesstoken", "api_key", "apikey", "app_key", "appkey",
        "auth_key", "auth_token", "authkey", "authorization", "authtoken", "awsaccesskeyid", "bearer",
        "bearer_token", "client_secret", "credential", "credentials", "hmac", "id_token", "jsessionid",
        "jwt", "key_pair_id", "passphrase", "passwd", "password", "phpsessid", "private_key", "pwd",
        "refresh_token", "refreshtoken", "secret", "secret_key", "session_id", "session_token", "sessionid",
        "signature", "subscription_key", "token",
    }
)  # fmt: skip
_SECRET_PREFIXES = ("x_amz_", "x_goog_")
_SECRET_SUFFIXES = ("_token", "_secret", "_password", "_apikey", "_api_key", "_signature")
_AMBIGUOUS_NAMES = frozenset({"key", "auth", "sid", "sig", "pass"})
"""Names that hold a secret on one site and a page number or search word on the next."""

_PLAIN_VALUE = re.compile(r"[^\W\d_]{1,12}|[0-9][0-9/.:-]{0,19}")
"""A word or a number: under an ambiguous name it says nothing secret."""

# A parameter starts after one of ? & # ; which an address inside another address writes as %3F %26 %23.
_ENCODED_DELIMITER = re.compile(r"%(?:25){0,3}(?:3[Ff]|26|23)")
_PARAMETER = re.compile(
    rf"(?:[?&#;]|{_ENCODED_DELIMITER.pattern})"
    r"(?P<name>[^=&?#;\s\"<>]{1,80}?)"
    r"(?:=|%(?:25){0,3}3[Dd])"
)
_PARAMETER_VALUE = re.compile(r"[^&#\s\"<>]*")

_USERINFO = re.compile(r"(?<![^\s/\\?#])(?P<userinfo>[^\s/\\?#]*)@")
_BARE_USERINFO = re.compile(
    r"(?<![^\s?#\"<>])(?P<userinfo>[^\s/\\?#\"<>]*)@"  # a word, or the value of a parameter
    r"(?=[^\W_][\w-]{0,62}(?:\.[\w-]{1,63})*\.[^\W\d_]{2}|[0-9]{1,3}(?:\.[0-9]{1,3}){3})"
)
"""What stands before a host with a dot and no scheme, as people write ``ann:pw@example.com/feed``."""
_OPENERS = "=,;&|`'()[]{}"
_NO_USER = re.compile(r"(?:mailto|e-?mail|from|to|cc|bcc|acct|tag|xmpp|sips?|https?):", re.IGNORECASE)
"""Stands before a mail address or a name with a host; what follows is no password for it."""
_CLOCK = re.compile(r"[0-9]{1,2}(?::[0-9]{1,2}){1,2}")

_SLASH = r"(?:%(?:25){0,3}2[Ff]|[/\\])"
_NESTED_USERINFO = re.compile(
    rf"(?P<slashes>{_SLASH}{_SLASH})"
    r"(?P<userinfo>(?:[^\s/\\?#&\"<>%]|%(?!(?:25){0,3}(?:2[Ff3]|5[Cc]|3[Ff])))+)"
    r"(?P<at>%(?:25){0,3}40)"
)
"""Credentials of an address that was percent-encoded to stand inside another one."""

_BEFORE_AUTHORITY = re.compile(r"(?:[/\\]{2}|https?:[/\\])\Z", re.IGNORECASE)
_SCHEME_WITHOUT_SLASH = re.compile(r"https?:", re.IGNORECASE)


def mask_secrets(text: str) -> str:
    """Return the text with credentials and secret-looking parameters of addresses replaced by ``***``.

    >>> mask_secrets("GET https://ann:pw@example.com/feed?id=7&api_key=k3y failed")
    'GET https://***@example.com/feed?id=7&api_key=*** failed'

    Other parameters, and @ signs that are no credentials, stay readable.

    >>> mask_secrets("https://example.com/@ann?page=2, mail ann@example.com")
    'https://example.com/@ann?page=2, mail ann@example.com'

    So does an address without a scheme, if the host has a dot and a password comes before it; a mail
    address, a ``tag:`` or a time of day is none. Another word and a colon before a mail address look just like
    a user and a password, and are masked.

    >>> mask_secrets("ann:pw@example.com/feed, ?next=https%3A%2F%2Fann%3Apw%40y.example")
    '***@example.com/feed, ?next=https%3A%2F%2F***%40y.example'
    >>> mask_secrets("tag:ann@example.com,2026:1, mailto:ann@example.com, 12:30@home, 12:30@cafe.example")
    'tag:ann@example.com,2026:1, mailto:ann@example.com, 12:30@home, 12:30@cafe.example'

    The whole value goes, up to the next ``&``, ``#``, blank or double quote: showing too little of a log
    line is better than showing half of a password. Ambiguous names (``key``, ``sid``) are masked too.
    """
    if "@" in text:
        text = _USERINFO.sub(_mask_userinfo, text)
        text = _BARE_USERINFO.sub(_mask_bare, text)
    if "40" in text:
        text = _NESTED_USERINFO.sub(rf"\g<slashes>{MASK}\g<at>", text)
    parts: list[str] = []
    done = 0
    for start, end in _secret_values(text):
        parts += (text[done:start], MASK)
        done = end
    return "".join((*parts, text[done:]))


@lru_cache(maxsize=1024)
def has_secret(url: str) -> bool:
    """Return whether the address carries credentials or a parameter that looks like a secret.

    >>> has_secret("https://example.com/feed?token=8f3a"), has_secret("https://ann:pw@example.com/")
    (True, True)

    Under names that often mean something else (``key``, ``sid``, ``auth``, ``sig``, ``pass``) a plain word
    or number is no secret: the address is one that the public may read.

    >>> has_secret("https://example.com/song?key=minor"), has_secret("https://example.com/?sid=25/11/03")
    (False, False)
    """
    if not any(mark in url for mark in "@=%"):  # neither credentials nor parameters
        return False
    if "@" in url and _USERINFO.sub(_mask_userinfo, url) != url:
        return True
    if any(match["userinfo"] != MASK for match in _NESTED_USERINFO.finditer(url)):
        return True
    return any(url[start:end] != MASK for start, end in _secret_values(url, ambiguous=False))


def _mask_userinfo(match: re.Match[str]) -> str:
    """The match itself unless it stands where an address keeps its credentials."""
    userinfo = match["userinfo"]
    start = match.start()
    if _BEFORE_AUTHORITY.search(match.string[max(0, start - 7) : start]):
        return f"{MASK}@" if userinfo else match[0]
    scheme = _SCHEME_WITHOUT_SLASH.search(userinfo)  # "https:ann:pw@host" is an address to a browser
    if scheme and scheme.end() < len(userinfo):
        return f"{userinfo[: scheme.end()]}{MASK}@"
    return match[0]


def _mask_bare(match: re.Match[str]) -> str:
    """The match itself unless a user and a password stand in it."""
    userinfo = match["userinfo"]
    start = 0
    while (colon := userinfo.find(":", start)) >= 0:
        start = max(start, *(userinfo.rfind(opener, start, colon) + 1 for opener in _OPENERS))
        label = _NO_USER.match(userinfo, start)
        if label is None and start < colon:
            break
        start = label.end() if label else colon + 1
    if colon < 0 or _CLOCK.fullmatch(userinfo, start):
        return match[0]
    return f"{userinfo[:start]}{MASK}@"


def _secret_values(text: str, *, ambiguous: bool = True) -> Iterator[tuple[int, int]]:
    """Where the values of secret-looking parameters stand; with ``ambiguous=False`` only sure ones."""
    position = 0
    while match := _PARAMETER.search(text, position):
        start = position = match.end()
        name = _plain_name(match["name"])
        unsure = name in _AMBIGUOUS_NAMES
        if not (unsure or name in _SECRET_NAMES or _has_secret_affix(name)):
            continue  # on from here and not from the end of the value, which may hold another address
        found = _PARAMETER_VALUE.match(text, start)
        position = found.end() if found else start
        if position == start or (unsure and not ambiguous and _is_plain(text[start:position])):
            continue
        yield start, position


def _plain_name(name: str) -> str:
    """The last name in ``a%26Api-Key`` as ``api_key``."""
    if "%" in name:
        name = unquote(_ENCODED_DELIMITER.split(name)[-1])
    return name.lower().replace("-", "_")


def _has_secret_affix(name: str) -> bool:
    return name.startswith(_SECRET_PREFIXES) or name.endswith(_SECRET_SUFFIXES)


def _is_plain(value: str) -> bool:
    return _PLAIN_VALUE.fullmatch(unquote(value)) is not None
