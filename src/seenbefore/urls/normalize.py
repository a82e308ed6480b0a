"""Two spellings of one page address → one normal form, and the keys made of it.

The parser is can-ada (the WHATWG rules that browsers follow); :mod:`.fold` adds what those rules leave open.
Everything that might mean another page stays.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urljoin

import can_ada

from ..errors import InvalidURL
from ..model import Key, Strength
from ..redact import escape_control, has_secret, mask_secrets
from ..rules.ruleset import Rules
from .fold import clean, fold_host, fold_path, fold_query, fold_route, without_controls

MAX_LENGTH = 8192
"""Longer addresses are not taken apart; they are known by the hash of their characters."""

_NAMES_A_THING = re.compile(
    r"""(?!(?:javascript|about|data|blob|mailto|tel):)
    (?: [a-z][a-z0-9+.-]*:(?!//)[^\s/]      # urn:isbn:1
      | [a-z][a-z0-9+.-]*://[^/]+/+[^/]     # ftp://host/file
      | [^\s/?#.]+\.[^\s/?#]+/+[^/]         # example.com/file
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_WEB_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_HOST_RELATIVE = re.compile(r"/[^/\\\s]\S*")


@dataclass(frozen=True, slots=True)
class NormalizedUrl:
    """An address as received and in normal form: ``key`` keeps the scheme, ``near`` leaves it out.

    ``host`` and ``path`` are parts of the key (the host with its port, unless that is the default).
    ``is_home`` marks the front page of a host: it names no article. With ``literal`` the address could not
    be parsed and the key is the cleaned text itself. ``secret`` says that the address carries credentials or
    a secret-looking parameter. ``trace`` names every step that changed something.
    """

    original: str
    key: str
    near: str
    host: str
    path: str
    is_home: bool
    literal: bool
    secret: bool
    trace: tuple[str, ...]


def normalize_url(url: str, rules: Rules) -> NormalizedUrl:
    """Return the normal form under which two spellings of one page address meet.

    >>> from seenbefore.rules import load_rules
    >>> rules = load_rules()
    >>> normalize_url("https://www.Example.com:443/post/?utm_source=rss#top", rules).key
    'https://example.com/post'

    Looks alike, stays apart: the scheme is part of this key (``near`` leaves it out), and paths keep their
    case, because ids in them are case-sensitive.

    >>> normalize_url("http://example.com/Post", rules).key
    'http://example.com/Post'

    A fragment goes unless it is a route (``#!/topic/15``), which names another page of the same file.

    Raises:
        InvalidURL: no host, a scheme other than http and https, or more than 8,192 characters.
    """
    trace: list[str] = []
    address = _parse(clean(url, trace), url)
    host = fold_host(address.hostname, trace)
    if not host:
        raise _invalid("has no valid host", url)
    if address.port:  # empty for the default port of the scheme
        host = f"{host}:{address.port}"
    path = fold_path(address.pathname, trace)
    query = fold_query(address.search[1:], rules.for_host(host), trace) if address.search else ""
    fragment = fold_route(address.hash, trace) if address.hash else ""
    user = ""
    if address.has_credentials():
        user = f"{address.username}:{address.password}@" if address.password else f"{address.username}@"
    near = f"{user}{host}{path}?{query}{fragment}" if query else f"{user}{host}{path}{fragment}"
    key = f"{address.protocol}//{near}"
    if len(key) > MAX_LENGTH:
        raise _invalid("is too long when encoded", url)
    is_home = path == "/" and not query and not fragment
    return NormalizedUrl(url, key, near, host, path, is_home, False, has_secret(url), tuple(trace))


def normalize_or_literal(url: str, rules: Rules) -> NormalizedUrl:
    """Return the normal form, or for text that is no address a literal that stands for itself.

    >>> from seenbefore.rules import load_rules
    >>> rules = load_rules()
    >>> normalize_or_literal("https://example.com/a/", rules).key
    'https://example.com/a'

    A missing scheme is not guessed, and nothing is folded.

    >>> normalize_or_literal(" Example.com/a/ ", rules).key
    'Example.com/a/'

    Never raises. A literal that is very long is known by its SHA-256.
    """
    try:
        return normalize_url(url, rules)
    except InvalidURL as error:
        literal = _literal(url)
        trace = (f"literal: {error.message}",)
        return NormalizedUrl(url, literal, "", "", "", False, True, has_secret(url), trace)


@lru_cache(maxsize=64)  # a guid that is the link is parsed once
def _parse(text: str, url: str) -> can_ada.URL:
    if len(text) > MAX_LENGTH:
        raise _invalid(f"has more than {MAX_LENGTH} characters", url)
    try:
        address = can_ada.parse(text)
    except (ValueError, TypeError) as error:  # TypeError: a lone surrogate, which no encoding can carry
        raise _invalid("cannot be parsed", url) from error
    if address.protocol not in ("https:", "http:"):
        raise _invalid("is not http or https", url)
    return address


def _invalid(problem: str, url: str) -> InvalidURL:
    return InvalidURL(f"the address {problem}", escape_control(mask_secrets(url)[:200]))


def _literal(url: str) -> str:
    text = without_controls(url).encode("utf-8", "backslashreplace").decode("utf-8")
    if len(text) > MAX_LENGTH:
        return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
    return text


# --- keys ---------------------------------------------------------------------------------------


def url_keys(url: str, rules: Rules) -> tuple[Key, ...]:
    """Return the keys of an address: ``url`` (strong), ``url_near`` (near) and those of its site.

    >>> from seenbefore.rules import load_rules
    >>> [key.value for key in url_keys("http://www.example.com/a/?fbclid=1", load_rules())]
    ['http://example.com/a', 'example.com/a']

    The front page of a host names no article, so its keys are distrusted from the start.

    >>> [key.strength.value for key in url_keys("https://example.com/", load_rules())]
    ['distrusted', 'distrusted']

    Never raises: text that is no address has one key with scope ``literal``, and an empty text none. A
    literal is distrusted unless it names a thing by itself: "#", "n/a" and "/news/12" mean something else
    in every source.
    """
    normalized = normalize_or_literal(url, rules)
    if not normalized.key:
        return ()
    if normalized.literal:
        named = _NAMES_A_THING.match(normalized.key)
        strength = Strength.STRONG if named else Strength.DISTRUSTED
        return (Key("url", normalized.key, scope="literal", strength=strength),)
    strong, near = Strength.STRONG, Strength.NEAR
    if normalized.is_home:
        strong = near = Strength.DISTRUSTED
    return (
        Key("url", normalized.key, strength=strong),
        Key("url_near", normalized.near, strength=near),
        *_site_keys(normalized, rules),
    )


def site_keys(url: str, rules: Rules) -> tuple[Key, ...]:
    """Return what the site's own rules read from an address; each key names its rule and pack version.

    >>> from seenbefore.rules import load_rules
    >>> rules = load_rules()
    >>> [key.value for key in site_keys("https://techcrunch.com/2024/05/01/new-sodium-battery/", rules)]
    ['techcrunch:new-sodium-battery']

    Paths that no rule describes, and other hosts, have none.

    >>> site_keys("https://techcrunch.com/tag/new-sodium-battery/", rules)
    ()
    """
    return _site_keys(normalize_or_literal(url, rules), rules)


def _site_keys(normalized: NormalizedUrl, rules: Rules) -> tuple[Key, ...]:
    return tuple(
        Key("site", found.value, rule_id=found.rule.id, pack_version=found.rule.pack_version)
        for found in rules.for_host(normalized.host).identities(normalized.path)
    )


def resolve_guid_url(guid: str, base_url: str) -> str:
    """Return the address that a guid is, or an empty text if it is none.

    >>> resolve_guid_url("https://example.com/?p=12", "")
    'https://example.com/?p=12'
    >>> resolve_guid_url("/?p=12", "https://blog.example.com/feed/")
    'https://blog.example.com/?p=12'

    Only guids that start at the root of a host are resolved: bare words and numbers would resolve, too.

    >>> resolve_guid_url("12", "https://blog.example.com/"), resolve_guid_url("tag:example.com,2024:12", "")
    ('', '')
    """
    guid = guid.strip()
    if len(guid) > MAX_LENGTH or len(base_url) > MAX_LENGTH:
        return ""
    if _WEB_ADDRESS.match(guid):
        return guid if _is_parsable(guid) else ""
    base_url = base_url.strip()
    if not _HOST_RELATIVE.fullmatch(guid) or not _WEB_ADDRESS.match(base_url):
        return ""
    try:
        resolved = urljoin(base_url, guid)
    except ValueError:  # a base that urllib cannot split: http://[
        return ""
    return resolved if _is_parsable(resolved) else ""


def _is_parsable(url: str) -> bool:
    try:
        return bool(fold_host(_parse(url, url).hostname, []))
    except InvalidURL:
        return False
