"""An address as learning sees it: host, path, parameters, and what paths of its kind look like."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from ...rules.ruleset import Rules
from ...rules.schema import Reads
from ..identify import identify

Segments = tuple[str, ...]
"""The parts of a path, each a literal or a placeholder."""

ANY = "{any}"

_YEAR = re.compile(r"(?:19|20)\d\d")
_MONTH = re.compile(r"0?[1-9]|1[0-2]")
_DAY = re.compile(r"0?[1-9]|[12]\d|3[01]")
_DATE = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")
_DASHED_DATE = re.compile(r"(?:19|20)\d\d-(?:0?[1-9]|1[0-2])-(?:0?[1-9]|[12]\d|3[01])")
_ENDING = re.compile(r"\.(?:html?|php|aspx?|jsp)\Z")
_SLUG = re.compile(r"(?=[0-9_-]*[^0-9/_-])[^/_%.-]+(?:[-_]+[^/_%.-]+){2,}")
_HEX = re.compile(r"(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{8,}")
_WORD = re.compile(r"[A-Za-z@~][A-Za-z._~@+-]*")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"

DATE_PARTS = frozenset(("{year}", "{month}", "{day}", "{date:digits:8}", "{year}-{month}-{day}"))


@dataclass(frozen=True, slots=True)
class Place:
    """Where an address lies: the parts of its near key. ``is_named`` says that a rule of the site names its page."""

    host: str
    path: str
    params: Mapping[str, str]
    segments: Segments
    is_named: bool

    @property
    def last(self) -> str:
        """The last part of the path, without a file's ending."""
        return _ENDING.sub("", self.path.rpartition("/")[2])


def place_of(url: str, rules: Rules) -> Place | None:
    """Return the place of an address, or None where nothing can be learned from it.

    >>> from seenbefore.rules import load_rules
    >>> place = place_of("http://www.shop.example/2026/05/a-long-way-home.html?xs=7&utm_source=x", load_rules())
    >>> place.host, place.params, template(place.segments)
    ('shop.example', {'xs': '7'}, '/{year}/{month}/{slug}.html')

    Front pages, routes, ports and repeated parameters are left alone, and so is what a rule identifies by an id:

    >>> place_of("https://shop.example/", load_rules()), place_of("https://youtu.be/dQw4w9WgXcQ", load_rules())
    (None, None)
    """
    found = identify(url, rules)
    start = f"{found.host}{found.path}"
    if found.literal or found.near_is_home or ":" in found.host or not found.near.startswith(start):
        return None
    if "#" in found.near or not found.near.isprintable():
        return None
    if any(claim.strong and claim.reads is Reads.ID for claim in found.claims):
        return None
    params: dict[str, str] = {}
    for parameter in filter(None, found.near[len(start) + 1 :].split("&")):
        name, _, value = parameter.partition("=")
        if name.lower() in params:
            return None
        params[name.lower()] = value
    return Place(found.host, found.path, params, segments_of(found.path), bool(found.claims))


def segments_of(path: str) -> Segments:
    """Return what the parts of a path look like.

    >>> segments_of("/news/2026/05/04/a-long-way-home"), segments_of("/view/123.html"), segments_of("/u/x9K2")
    (('news', '{year}', '{month}', '{day}', '{slug}'), ('view', '{digits}.html'), ('u', '{any}'))

    Numbers that are no date stay numbers:

    >>> segments_of("/2026/99/a"), segments_of("/20260504/a"), segments_of("/20269904/a")
    (('{year}', '{digits}', 'a'), ('{date:digits:8}', 'a'), ('{digits}', 'a'))
    """
    found: list[str] = []
    for part in path.strip("/").split("/") if path != "/" else ():
        before = found[-1] if found else ""
        if before == "{month}" and _DAY.fullmatch(part):
            found.append("{day}")
        elif before == "{year}" and _MONTH.fullmatch(part):
            found.append("{month}")
        elif "{year}" not in found and _YEAR.fullmatch(part):
            found.append("{year}")
        else:
            found.append(_segment(part))
    return tuple(found)


def _segment(part: str) -> str:
    if _DATE.fullmatch(part):
        return "{date:digits:8}"
    if _DASHED_DATE.fullmatch(part):
        return "{year}-{month}-{day}"
    ending = _ENDING.search(part)
    end = ending[0] if ending else ""
    base = part[: len(part) - len(end)]
    if base.isascii() and base.isdigit():
        return f"{{digits}}{end}"
    if _SLUG.fullmatch(base):
        return f"{{slug}}{end}"
    if _HEX.fullmatch(base):
        return f"{{hex}}{end}"
    return part if _WORD.fullmatch(part) else ANY


def is_literal(segment: str) -> bool:
    """Return whether a part stands for itself."""
    return "{" not in segment


def template(segments: Iterable[str]) -> str:
    """Return the template of a path; placeholders that stand twice get names of their own.

    >>> template(("a", "{digits}", "{digits}.html")), template(())
    ('/a/{digits}/{digits_b:digits}.html', '/')
    """
    seen: dict[str, int] = {}
    parts = []
    for segment in segments:
        name = segment[1:].partition("}")[0]
        is_named = not is_literal(segment) and name.isalpha() and name != "any"
        seen[name] = count = seen.get(name, 0) + 1
        another = f"{{{name}_{_LETTERS[(count - 1) % 26]}:{name}}}{segment[len(name) + 2 :]}"
        parts.append(another if is_named and count > 1 else segment)
    return f"/{'/'.join(parts)}"


def collapse(paths: Collection[Segments], bad: Collection[Segments], most: int) -> dict[Segments, Segments]:
    """Return the paths with ``{any}`` where more than ``most`` literals stand at one place, none of them in ``bad``.

    >>> users = [(name, "{slug}") for name in ("ann", "ben", "cid")]
    >>> set(collapse(users, [], 2).values()), set(collapse(users, [("ben", "{slug}")], 2).values()) == set(users)
    ({('{any}', '{slug}')}, True)
    """
    found = {path: path for path in (*paths, *bad)}
    for place in range(max(map(len, found), default=0)):
        siblings: dict[Segments, set[Segments]] = {}
        for path in found.values():
            if place < len(path) and is_literal(path[place]):
                siblings.setdefault((*path[:place], "", *path[place + 1 :]), set()).add(path)
        broken = {found[path] for path in bad}
        for form, several in siblings.items():
            if len(several) > most and not several & broken:
                wide = (*form[:place], ANY, *form[place + 1 :])
                found.update({path: wide for path, now in found.items() if now in several})
    return found
