"""Templates of addresses: ``youtu.be/{video:id:11}``. Plain enough that none of them can be slow.

A placeholder takes characters of one class, within one path segment. Where two of unknown length stand in a
segment, what separates them cannot occur in at least one of them, so that a match never has to be searched
for in more than one pass. There are no regular expressions to write.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from urllib.parse import quote

_MOST_OPTIONAL = 4
MAX_PATH = 2000
"""Longer paths are not looked at: no site names a page with so many characters."""

_CLASSES = {
    "digits": "0-9",
    "hex": "0-9A-Fa-f",
    "word": "0-9A-Za-z",
    "id": "0-9A-Za-z_-",
    "label": "0-9a-z-",
    "any": "^/",
}
_SHAPES = {
    "year": "(?:19|20)[0-9]{2}",
    "month": "(?:0?[1-9]|1[0-2])",
    "day": "(?:0?[1-9]|[12][0-9]|3[01])",
    "lang": "[a-z]{2}(?:[-_][A-Za-z]{2,4})?",
}
_WHOLE = ("rest", "target")
TYPES = (*_CLASSES, *_SHAPES, "slug", *_WHOLE)
"""The types of placeholders."""

_PRINTABLE = "".join(map(chr, range(0x21, 0x7F)))
_LOWER_CODE = re.compile(r"%[0-9A-Fa-f]{2}")
_PLACEHOLDER = re.compile(r"\{([a-z_]+)(?::([a-z]+))?(?::([0-9]+)(?:-([0-9]+))?)?\}")
_HOST = re.compile(r"(?:\{[^{}]*\}\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*:?")
_LITERAL = re.compile(r"[^\s{}\[\]?#]*")


@dataclass(frozen=True, slots=True)
class _Hole:
    """A placeholder: its name ('' if it is not kept), type and bounds of its length (slug: its words)."""

    name: str
    type: str
    least: int = 0
    most: int = 0

    @property
    def is_open(self) -> bool:
        """Whether its length is unknown."""
        return self.type in ("slug", *_WHOLE) or (self.type in _CLASSES and not self.most)

    def may_hold(self, char: str) -> bool:
        """Whether a character can be part of it."""
        inside = _CLASSES.get(self.type, "^/" if self.type in ("slug", *_WHOLE) else "0-9A-Za-z_-")
        return re.fullmatch(f"[{inside}]", char) is not None

    def regex(self, *, last: bool) -> str:
        """Its regular expression."""
        if self.type in _CLASSES:
            count = f"{{{self.least},{self.most}}}" if self.most else "+"
            found = f"[{_CLASSES[self.type]}]{count}"
        elif self.type == "slug":
            words = rf"[^/_-]+(?:[-_]+[^/_-]+){{{self.least - 1},}}[-_]*"
            found = rf"(?=[0-9_-]*+[^0-9/_-])(?:{words}|(?:%[0-9A-F]{{2}}){{18,}}+[^/]*)"
        elif self.type in _WHOLE:
            found = ".+" if last else "[^/]+"
        else:
            found = _SHAPES[self.type]
        return f"(?P<{self.name}>{found})" if self.name else f"(?:{found})"


@dataclass(frozen=True, slots=True)
class Template:
    """A compiled template. ``host`` is '' (any host of the rule), a host, or ``*.`` and the host below a label."""

    text: str
    host: str
    host_regex: re.Pattern[str] | None
    path: re.Pattern[str]
    params: tuple[tuple[str, re.Pattern[str]], ...]
    whole_query: re.Pattern[str] | None
    first: str
    names: frozenset[str]

    def read(self, host: str, path: str, params: Mapping[str, str | None], query: str = "") -> dict[str, str] | None:
        """Return what the placeholders hold in an address, or None if it does not fit.

        ``path`` has no final slash; ``params`` are values by lower-case name, None for one that stands twice.
        """
        found = self.path.fullmatch(path) if len(path) <= MAX_PATH else None
        if found is None:
            return None
        groups = found.groupdict()
        if self.host_regex is not None:
            label = self.host_regex.fullmatch(host)
            if label is None:
                return None
            groups |= label.groupdict()
        elif self.host and host != self.host:
            return None
        for name, pattern in self.params:
            value = params.get(name)
            held = pattern.fullmatch(value) if value is not None else None
            if held is None:
                return None
            groups |= held.groupdict()
        if self.whole_query is not None:
            held = self.whole_query.fullmatch(query)
            if held is None:
                return None
            groups |= held.groupdict()
        return {name: value or "" for name, value in groups.items()}


def template_host(text: str) -> str:
    """Return the host that a template holds on, '' for those of its rule; ``*.`` stands for one label or more.

    >>> template_host("youtu.be/{video:id:11}"), template_host("{user:label}.medium.com/p"), template_host("/p")
    ('youtu.be', '*.medium.com', '')
    """
    host = text.partition("/")[0].partition("?")[0]
    return f"*.{host.partition('}.')[2]}" if host.startswith("{") else host


@lru_cache(maxsize=10_000)
def compile_template(text: str) -> Template:
    """Return the compiled template.

    >>> template = compile_template("/watch?v={video:id:11}")
    >>> template.read("youtube.com", "/watch", {"v": "dQw4w9WgXcQ"})
    {'video': 'dQw4w9WgXcQ'}
    >>> template.read("youtube.com", "/watch", {"v": "short"}) is None
    True

    Raises:
        ValueError: it is no template, or one that might be slow.

    >>> compile_template("/{any}-{any}")
    Traceback (most recent call last):
        ...
    ValueError: in '/{any}-{any}' it is not clear where one placeholder ends: put a character between them that one
    of the two cannot hold
    """
    place, _, query = _encoded(text).partition("?")
    host, slash, path = place.partition("/")
    if not slash:
        raise ValueError(f"{text!r} needs a path: '/' at least")
    if host and not _HOST.fullmatch(host):
        raise ValueError(f"the host in {text!r} must be in lower case, with a placeholder only as its first label")
    params, whole = _compile_query(query, text) if query else ((), None)
    regex, path_names = _compile_path(f"/{path}".rstrip("/") or "/", text)
    host_name, host_regex, host_names = _compile_host(host, text)
    names = [*path_names, *host_names]
    for pattern in (*(p for _, p in params), *((whole,) if whole else ())):
        names += pattern.groupindex
    _check_names(names, text)
    literal = re.match(r"/([^/{}\[\]]*)(?=/|$|\[/)", f"/{path}")
    first = literal[1] if literal else ""
    return Template(text, host_name, host_regex, regex, params, whole, first, frozenset(names))


def _encoded(text: str) -> str:
    """A template in the spelling of keys: other scripts percent-encoded, in upper case."""
    ascii_text = text if text.isascii() else quote(text, safe=_PRINTABLE)
    return _LOWER_CODE.sub(lambda code: code[0].upper(), ascii_text)


def _check_names(names: list[str], text: str) -> None:
    if len(names) != len(set(names)):
        raise ValueError(f"a placeholder stands twice in {text!r}: give each its own name, or call it {{any}}")


def _compile_host(host: str, text: str) -> tuple[str, re.Pattern[str] | None, list[str]]:
    if "{" not in host:
        return host, None, []
    hole = _read_hole(_PLACEHOLDER.match(host), text)
    rest = host[host.index("}") + 2 :]
    if hole.type not in ("label", "lang", "any"):
        raise ValueError(f"a placeholder in the host of {text!r} must be a label")
    label = _Hole(hole.name, "label")
    return f"*.{rest}", re.compile(label.regex(last=False) + re.escape(f".{rest}")), [hole.name] if hole.name else []


def _compile_path(path: str, text: str) -> tuple[re.Pattern[str], list[str]]:
    regex, names = "", []
    parts = _optional_parts(path, text)
    for chosen in product(*((True, False) if optional else (True,) for _, optional in parts)):
        _compile_text("".join(part for (part, _), there in zip(parts, chosen, strict=True) if there), text, last=True)
    for part, optional in parts:
        inner, inner_names = _compile_text(part, text, last=path.endswith((part, f"{part}]")))
        regex += f"(?:{inner})?" if optional else inner
        names += inner_names
    _check_names(names, text)
    return re.compile(regex, re.ASCII | re.DOTALL), names


def _optional_parts(path: str, text: str) -> list[tuple[str, bool]]:
    parts: list[tuple[str, bool]] = []
    rest = path
    while rest:
        before, bracket, rest = rest.partition("[")
        if "]" in before:
            raise ValueError(f"']' without '[' in {text!r}")
        if before:
            parts.append((before, False))
        if bracket:
            inside, closed, rest = rest.partition("]")
            if not closed or not inside or "[" in inside:
                raise ValueError(
                    f"'[' and ']' around an optional part of {text!r} must be a pair, without another inside"
                )
            parts.append((inside, True))
    if sum(optional for _, optional in parts) > _MOST_OPTIONAL:
        raise ValueError(f"{text!r} has more than {_MOST_OPTIONAL} optional parts: write it as several templates")
    return parts


def _compile_query(query: str, text: str) -> tuple[tuple[tuple[str, re.Pattern[str]], ...], re.Pattern[str] | None]:
    if query.startswith("{") and "&" not in query:
        regex, _ = _compile_text(query, text, last=True)
        return (), re.compile(regex, re.ASCII | re.DOTALL)
    params = []
    for part in query.split("&"):
        name, equals, value = part.partition("=")
        if not equals or not name or name != name.lower() or not _LITERAL.fullmatch(name):
            raise ValueError(f"the query of {text!r} must be name=value, the name in lower case")
        params.append((name, re.compile(_compile_text(value, text, last=True)[0], re.ASCII | re.DOTALL)))
    return tuple(params), None


def _compile_text(part: str, text: str, *, last: bool) -> tuple[str, list[str]]:
    """The expression of a stretch of literals and placeholders, with the names it holds."""
    regex, names, position = "", [], 0
    previous: _Hole | None = None
    for match in _PLACEHOLDER.finditer(part):
        literal = _literal(part[position : match.start()], text)
        hole = _read_hole(match, text)
        if previous is not None and "/" not in literal:
            _check_ends(previous, literal, hole, text)
        position = match.end()
        at_end = last and position == len(part)
        if hole.type == "rest" and not at_end:
            raise ValueError(f"{{rest}} must be the last part of {text!r}")
        regex += re.escape(literal) + hole.regex(last=at_end)
        names += [hole.name] if hole.name else []
        previous = hole
    _check_names(names, text)
    return regex + re.escape(_literal(part[position:], text)), names


def _literal(literal: str, text: str) -> str:
    if not _LITERAL.fullmatch(literal):
        wrong = re.search(r"[\s{}\[\]?#]", literal)
        raise ValueError(
            f"{wrong[0] if wrong else literal!r} in {text!r} is not part of a placeholder such as {{digits}}"
        )
    return literal


def _read_hole(match: re.Match[str] | None, text: str) -> _Hole:
    if match is None:
        raise ValueError(f"{text!r} holds a broken placeholder")
    name, kind, least, most = match.groups()
    kind = kind or name
    if kind not in TYPES:
        raise ValueError(f"{match[0]} in {text!r}: the type must be one of {', '.join(TYPES)}")
    if least and kind in (*_SHAPES, *_WHOLE):
        raise ValueError(f"{match[0]} in {text!r}: {kind} takes no length")
    low = int(least) if least else (3 if kind == "slug" else 0)
    high = int(most or least or 0)
    if (least and not low) or high > 500 or (high and high < low) or (kind == "slug" and low < 2):
        raise ValueError(f"{match[0]} in {text!r}: the length is out of bounds")
    return _Hole("" if name == "any" else name, kind, low, high)


def _check_ends(one: _Hole, literal: str, other: _Hole, text: str) -> None:
    if not (one.is_open and other.is_open):
        if not literal and one.is_open:
            raise ValueError(_UNCLEAR.format(text))
        return
    if not literal or (one.may_hold(literal[0]) and other.may_hold(literal[0])):
        raise ValueError(_UNCLEAR.format(text))


_UNCLEAR = (
    "in {!r} it is not clear where one placeholder ends: put a character between them that one of the two cannot hold"
)
