"""Old addresses of the user's pages → lines that a web server reads. One line each, matched exactly."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, NamedTuple
from urllib.parse import unquote_to_bytes

from .templates import checked_address

_PLAIN_PATH: Final = re.compile(r"[A-Za-z0-9/_.~:@!&()*+,=-]+")
_WORD: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/_-")


class Redirect(NamedTuple):
    """An old path and the address that took its place; None when it is gone for good."""

    path: str
    to: str | None

    @property
    def status(self) -> int:
        """301 (moved) or 410 (gone)."""
        return 410 if self.to is None else 301


def render_redirects(form: str, redirects: Iterable[Redirect]) -> Iterator[bytes]:
    """Yield the redirects in one of REDIRECT_FORMATS.

    Raises:
        InvalidInput: an address holds a character that could end its line or start another directive.
    """
    checked = (Redirect(checked_address(path, path), to and checked_address(to, to)) for path, to in redirects)
    for line in _FORMS[form](checked):
        yield f"{line}\n".encode()


def _nginx(redirects: Iterable[Redirect]) -> Iterator[str]:
    yield "# Merged and rejected articles, made by seenbefore. Include this inside a server block."
    for path, to in redirects:
        answer = "return 410;" if to is None else f"return 301 {to};"
        if _PLAIN_PATH.fullmatch(path):
            yield f"location = {path} {{ {answer} }}"
        else:  # nginx compares with the decoded path, which cannot be written as it is
            yield f"location ~ ^{_pattern(path)}\\z {{ {answer} }} # {path}"


def _apache(redirects: Iterable[Redirect]) -> Iterator[str]:
    yield "# Merged and rejected articles, made by seenbefore. Include this inside a <VirtualHost>,"
    yield "# or put it into the .htaccess of the document root. Needs mod_rewrite."
    yield "RewriteEngine On"
    for path, to in redirects:
        target = '"-" [G]' if to is None else f'"{_apache_target(to)}" [R=301,L,NE]'
        yield f'RewriteRule "^/?{_pattern(path.removeprefix("/"))}\\z" {target}'


def _apache_target(to: str) -> str:
    """A percent sign would stand for a group of a condition, as in ``%1``."""
    return to.replace("%", r"\%")


def _json(redirects: Iterable[Redirect]) -> Iterator[str]:
    lines = (json.dumps({"from": r.path, "to": r.to, "status": r.status}) for r in redirects)
    last = next(lines, None)
    if last is None:
        yield "[]"
        return
    yield "["
    for line in lines:
        yield f"{last},"
        last = line
    yield last
    yield "]"


def _pattern(path: str) -> str:
    r"""A regular expression for the decoded path: every byte that is no letter or digit by its number.

    >>> _pattern("/caf%C3%A9.html")
    '/caf\\xC3\\xA9\\x2Ehtml'
    """
    return "".join(chr(byte) if byte in _WORD else f"\\x{byte:02X}" for byte in unquote_to_bytes(path))


_FORMS: Final[dict[str, Callable[[Iterable[Redirect]], Iterator[str]]]] = {
    "nginx": _nginx,
    "apache": _apache,
    "json": _json,
}
REDIRECT_FORMATS: Final = tuple(_FORMS)
