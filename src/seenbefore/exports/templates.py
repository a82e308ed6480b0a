"""Addresses of the user's own pages, made from a template such as ``/articles/{external_id}``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote, urlsplit

import can_ada

from ..errors import InvalidInput
from ..redact import escape_control, mask_secrets

LONGEST_ADDRESS: Final = 2047
"""What sitemaps allow; longer lines break the configuration of a server."""

_PLACEHOLDER: Final = re.compile(r"\{([^{}]*)\}")
_NAMES: Final = ("external_id", "record_id")
_REFUSED: Final = re.compile(r"[\x00-\x20\x7f-\x9f\s\"'`;${}\\]")
_LONE_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_RESERVED: Final = "%:/?#[]@!&()*+,="
_ORIGIN: Final = re.compile(r"https?://[^/?#{}]+(?=[/?#])", re.IGNORECASE)
_DOTS: Final = re.compile(r"/\.{1,2}(?:[/?#]|\Z)")


@dataclass(frozen=True, slots=True)
class Template:
    """A checked template: fixed parts, percent-encoded, and names of placeholders in turn."""

    text: str
    parts: tuple[str, ...]

    @property
    def needs_external_id(self) -> bool:
        """Whether a record without an id of the user's own has no address."""
        return "external_id" in self.parts[1::2]

    def fill(self, external_id: str | None, record_id: str) -> str | None:
        """Return the address of a record; None when it has no id, or one that no address can name.

        >>> template = parse_template("/articles/{external_id}", "--from")
        >>> template.fill("7 of 9; drop", "r1"), template.fill(None, "r1"), template.fill("..", "r1")
        ('/articles/7%20of%209%3B%20drop', None, None)

        Raises:
            InvalidInput: the address would hold a character that means something to a server's configuration.
        """
        if self.needs_external_id and not external_id:
            return None
        values = {"external_id": _encoded(external_id or ""), "record_id": record_id}
        address = "".join(values[part] if place % 2 else part for place, part in enumerate(self.parts))
        return None if _DOTS.search(address) else checked_address(address, self.text)


def parse_template(text: str, where: str, *, path: bool = True, web: bool = False, query: bool = True) -> Template:
    """Return the template, checked.

    >>> parse_template("/カフェ/{record_id}", "--from").fill(None, "r12")
    '/%E3%82%AB%E3%83%95%E3%82%A7/r12'
    >>> parse_template("/articles/{title}", "--from")
    Traceback (most recent call last):
    ...
    seenbefore.errors.InvalidInput: --from: there is no placeholder {title}; use {external_id} or {record_id}

    Args:
        path: whether ``/path`` will do, which holds on the host where it is used.
        web: whether ``https://host/path`` will do.
        query: whether ``?`` and ``#`` may stand in it.

    Raises:
        InvalidInput: no address, no placeholder, or a character that is refused.
    """
    parts = _PLACEHOLDER.split(text)
    for name in parts[1::2]:
        if name not in _NAMES:
            raise _wrong(f"there is no placeholder {{{name}}}; use {{external_id}} or {{record_id}}", where)
    if len(parts) < 3:
        raise _wrong("needs a placeholder, {external_id} or {record_id}, or all addresses would be one", where)
    fixed = [_encoded_part(part, where) for part in parts[::2]]
    if not query and any(mark in part for part in fixed for mark in "?#"):
        raise _wrong("an address with ? or # cannot be told apart by this format; use --format json", where)
    fixed[0] = _checked_start(fixed[0], where, path=path, web=web)
    parts[::2] = fixed
    return Template(text, tuple(parts))


def checked_address(address: str, where: str) -> str:
    """Return the address, which goes into a line that a server runs; the last thing to look at it.

    Raises:
        InvalidInput: it holds a quote, white space, a control character or one of ; $ { } and the backslash.
    """
    if refused := _REFUSED.search(address):
        raise _wrong(f"holds {refused[0]!r}, which is not written into a file that a server runs", where)
    return address


def path_of(address: str) -> str:
    """Return what comes after the host.

    >>> path_of("https://me.example/a?b=1"), path_of("/a?b=1")
    ('/a?b=1', '/a?b=1')
    """
    parts = urlsplit(address)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def web_address(text: str, where: str) -> str:
    """Return an absolute web address as browsers write it.

    >>> web_address("HTTPS://me.example", "--url")
    'https://me.example/'

    Raises:
        InvalidInput: it is none, or it carries credentials.
    """
    try:
        address = can_ada.parse(text)
    except (ValueError, TypeError):
        raise _wrong("is no web address; write it like https://me.example/feed.xml", where) from None
    if address.protocol not in ("http:", "https:"):
        raise _wrong("is no web address; write it like https://me.example/feed.xml", where)
    if address.has_credentials():
        raise _wrong("carries a user or password, which everybody could read", where)
    return str(address.href)


def _encoded(value: str) -> str:
    return quote(value.encode("utf-8", "surrogatepass"), safe="")


def _encoded_part(part: str, where: str) -> str:
    if "{" in part or "}" in part:
        raise _wrong("holds a { or } that belongs to no placeholder", where)
    if _LONE_PERCENT.search(part):
        raise _wrong("holds a % that is not followed by two hexadecimal digits; write it as %25", where)
    return quote(checked_address(part, where).encode("utf-8", "surrogatepass"), safe=_RESERVED)


def _checked_start(start: str, where: str, *, path: bool, web: bool) -> str:
    """The first fixed part; a host in it as it goes over the wire."""
    if path and start.startswith("/") and not start.startswith("//"):
        return start
    if web and (origin := _ORIGIN.match(start)):
        return web_address(origin[0], where).removesuffix("/") + start[origin.end() :]
    forms = ["/articles/{external_id}"] * path + ["https://me.example/articles/{external_id}"] * web
    raise _wrong(f"must look like {' or '.join(forms)}", where)


def _wrong(problem: str, where: str) -> InvalidInput:
    return InvalidInput(problem, escape_control(mask_secrets(where)))
