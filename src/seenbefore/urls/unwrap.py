"""Addresses inside addresses: click wrappers, viewers, caches, mail gateways. Only those that a rule describes.

A parameter called ``url`` proves nothing: share dialogs, login pages and tools have one, too.
"""

from __future__ import annotations

import base64
import binascii
import re

from ..rules.ruleset import HostRules, Params
from ..rules.schema import Rule
from ..rules.templates import Template

_ASCII_CODE = re.compile(r"%([2-7][0-9A-Fa-f])")
_AFTER_OTHERS = re.compile(r"(?:(?<=^)|(?<=&))https?(?::|%3A)", re.IGNORECASE)
_WEB = re.compile(r"https?:/{1,2}(?=[^/])", re.IGNORECASE)
_GOOGLE_NEWS_HEAD = b"\x08\x13\x22"
_RUN_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_RUN = re.compile(r"\*(?:\*([A-Za-z0-9_-]))?")


def unwrap(host_rules: HostRules, path: str, params: Params, query: str) -> tuple[str, Rule] | None:
    """Return the address that another one carries and the rule that says so, or None.

    >>> from seenbefore.rules import load_rules
    >>> google = load_rules().for_host("google.com")
    >>> unwrap(google, "/url", {"q": "https%3A%2F%2Fexample.com%2Fa", "sa": "U"}, "")[0]
    'https://example.com/a'

    A search for an address is not the page:

    >>> unwrap(google, "/search", {"q": "https%3A%2F%2Fexample.com%2Fa"}, "") is None
    True
    """
    for rule, templates in host_rules.unwraps.at(path):
        for template in templates:
            whole = _AFTER_OTHERS.search(query) if template.whole_query is not None else None
            groups = template.read(host_rules.host, path, params, query[whole.start() :] if whole else query)
            if groups is not None:
                target = _target(rule, template, groups, query)
                if target:
                    return target, rule
    return None


def _target(rule: Rule, template: Template, groups: dict[str, str], query: str) -> str:
    carried = groups["target"]
    in_path = not template.params and template.whole_query is None
    if in_path and query and template.text.endswith("{target}") and rule.decode in ("percent", "proofpoint-v3"):
        carried = f"{carried}?{query}"
    plain = in_path or template.whole_query is not None
    decoded = _DECODERS[rule.decode](carried, plain)
    if not decoded:
        return ""
    address = rule.to.format_map({**groups, "target": decoded}) if rule.to and not _WEB.match(decoded) else decoded
    found = _WEB.match(address)
    if found is None:
        return ""
    return address if address[found.end() - 2] == "/" else f"{address[: found.end()]}/{address[found.end() :]}"


def _decode_percent(text: str, plain: bool) -> str:
    """Decoded once, but for bytes of other scripts; in a path it may also stand as it is."""
    if plain and (
        _WEB.match(text) or not text[:12].lower().startswith(("http%3a", "https%3a", "http:%2f", "https:%2f"))
    ):
        return text
    return _ASCII_CODE.sub(lambda code: chr(int(code[1], 16)), text)


def _decode_base64(text: str, plain: bool) -> str:
    return _bytes_of(text).decode("utf-8", "surrogateescape")


def _decode_google_news(text: str, plain: bool) -> str:
    """Old article ids are bytes: a head, a length, the address. In new ones the bytes are no address."""
    data = _bytes_of(text)
    if not data.startswith(_GOOGLE_NEWS_HEAD):
        return ""
    length, start = data[3] if len(data) > 3 else 0, 4
    if length >= 128 and len(data) > 4:
        length, start = (length & 127) | data[4] << 7, 5
    address = data[start : start + length]
    return address.decode("utf-8", "surrogateescape") if len(address) == length and address.startswith(b"http") else ""


def _decode_proofpoint_v2(text: str, plain: bool) -> str:
    return _decode_percent(text.replace("-", "%").replace("_", "/"), False)


def _decode_proofpoint_v3(text: str, plain: bool) -> str:
    """``address__;characters!!more``: each ``*`` stands for the next of the characters, ``**A`` for two."""
    address, ended, rest = text.partition("__;")
    if not ended:
        return ""
    replaced = iter(_bytes_of(rest.partition("!")[0]).decode("utf-8", "surrogateescape"))

    def put_back(run: re.Match[str]) -> str:
        length = _RUN_LETTERS.index(run[1]) + 2 if run[1] else 1
        return "".join(next(replaced, "") for _ in range(length))

    return _RUN.sub(put_back, address)


def _bytes_of(text: str) -> bytes:
    """The bytes behind base64; where they are no UTF-8, their text is no address, and the wrapper stays."""
    text = _ASCII_CODE.sub(lambda code: chr(int(code[1], 16)), text).rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""


_DECODERS = {
    "percent": _decode_percent,
    "base64": _decode_base64,
    "google-news": _decode_google_news,
    "proofpoint-v2": _decode_proofpoint_v2,
    "proofpoint-v3": _decode_proofpoint_v3,
}
