"""Addresses for measuring: many like those of labeled pairs, hostile ones, and rule packs for made-up hosts."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence

from seenbefore.evaluate.urls import UrlPair
from seenbefore.rules import RulePack, parse_pack

_PART = re.compile(r"%[0-9A-Fa-f]{2}|[?&][^=&#]*=|[0-9A-Za-z]+")
_SETS = (string.digits, string.ascii_lowercase, string.ascii_uppercase)


def make_urls(pairs: Sequence[UrlPair], count: int) -> list[str]:
    """Return so many distinct addresses, made from those of the pairs, in turns.

    In each turn another id, or another word where there is no id: the rules of a site still apply to it.
    """
    base = list(dict.fromkeys(url for pair in pairs for url in (pair.url_a, pair.url_b)))
    if not base:
        raise ValueError("no pairs, so there is nothing to make addresses of")
    found: dict[str, None] = {}
    turn = 0
    while len(found) < count:
        found.update(dict.fromkeys(vary(url, turn) for url in base))
        turn += 1
    return list(found)[:count]


def vary(url: str, turn: int) -> str:
    """Return the address with another id: its longest part with a digit in path or query, else its longest part.

    >>> vary("https://example.com/watch?v=dQw4w9&page=1", 2), vary("https://example.com/", 2)
    ('https://example.com/watch?v=dQw4y9&page=1', 'https://example.com/?turn=2')
    """
    if not turn:
        return url
    scheme = re.match(r"(?:[A-Za-z]+:)?/*[^/?#]*", url)
    start = scheme.end() if scheme else 0
    parts = [part for part in _PART.finditer(url, start) if part[0][0] not in "%?&"]
    if not parts:
        head, hash_, fragment = url.partition("#")
        return f"{head}{'&' if '?' in head else '?'}turn={turn}{hash_}{fragment}"
    part = max(parts, key=lambda part: (not part[0].isalpha(), len(part[0])))
    return f"{url[: part.start()]}{_count_on(part[0], turn)}{url[part.end() :]}"


def _count_on(text: str, steps: int) -> str:
    """The text so many steps on, as a counter goes whose last wheel turns first; digits stay digits."""
    chars = list(text)
    for place in range(len(chars) - 1, -1, -1):
        wheel = next(each for each in _SETS if chars[place] in each)
        steps, at = divmod(wheel.index(chars[place]) + steps, len(wheel))
        chars[place] = wheel[at]
    return "".join(chars)


def hostile_urls(length: int) -> dict[str, str]:
    """Return addresses of about this length that ask for a lot of work, by what they repeat."""
    repeated = {
        "?u=http://": ("https://example.com/?u=", "http://"),
        "wrappers": ("", "https://www.google.com/url?q="),
        "encoded wrappers": ("https://www.google.com/url?q=", "https%3A%2F%2Fwww.google.com%2Furl%3Fq%3D"),
        "slashes": ("https://example.com/a", "//"),
        "dots": ("https://example.com/", "a/../b/./"),
        "%25": ("https://example.com/", "%25"),
        "broken percent": ("https://example.com/?a=", "%%4%zz"),
        "session ids": ("https://example.com/", ";jsessionid=0/(S(abcdefghijklmnopqrstuvwx))/"),
        "m.": ("https://", "m."),
        "hyphens in the host": ("https://", "a-"),
        "&": ("https://example.com/?", "&"),
        "&amp;": ("https://example.com/?", "&amp;"),
        "parameters": ("https://example.com/?", "b=2&a=1&"),
        "trackers": ("https://example.com/?", "utm_source=x&ref=example.org&"),
        "repeated id": ("https://www.youtube.com/watch?", "v=dQw4w9WgXcQ&"),
        "long path": ("https://www.youtube.com/", "watch/"),
        "slug": ("https://techcrunch.com/2024/01/02/", "word-"),
        "index pages": ("https://example.com", "/index.html"),
        "amp": ("https://example.com/a-b-c-2024", "/amp"),
        "route": ("https://example.com/#", "!/a"),
        "blanks": ("", " \t\u200b"),
        "letters": ("https://example.com/", "漢"),
    }
    return {name: start + part * ((length - len(start)) // len(part)) for name, (start, part) in repeated.items()}


_MADE_UP = """
pack = "site-{number}"
version = 1
[[rule]]
id = "site-{number}-story"
kind = "identity"
hosts = ["site-{number}.example"]
match = ["/story/{{story:digits}}[/{{any}}]", "/s?id={{story:digits}}"]
value = "site-{number}:{{story}}"
reason = "made up"
fact = "made up"
must_match = [["https://a.example/", "https://a.example/"], ["https://a.example/", "https://a.example/"]]
must_not_match = [["https://a.example/", "https://b.example/"], ["https://a.example/", "https://b.example/"]]
[[rule]]
id = "site-{number}-share"
kind = "drop"
hosts = ["site-{number}.example"]
names = ["share", "from"]
reason = "made up"
fact = "made up"
must_match = [["https://a.example/", "https://a.example/"], ["https://a.example/", "https://a.example/"]]
must_not_match = [["https://a.example/", "https://b.example/"], ["https://a.example/", "https://b.example/"]]
"""


def made_up_packs(count: int) -> list[RulePack]:
    """Return so many packs, each for a host of its own."""
    return [parse_pack(f"site-{n}.toml", _MADE_UP.format(number=n), own=False) for n in range(count)]
