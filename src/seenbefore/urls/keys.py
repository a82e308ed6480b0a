"""Addresses → keys under which an item can be found again."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..errors import InvalidURL
from ..model import Key, Strength
from ..rules.ruleset import Claim, Rules
from ..rules.schema import Reads
from .clean import without_controls
from .fold import fold_host
from .identify import MAX_LENGTH, identify, parse, user_of

GLOBAL_IDS = frozenset({"doi", "arxiv", "arxiv-version", "pmid", "pmcid"})
"""Namespaces of ids that name one article everywhere, as far as a rule can read them."""

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


def url_keys(url: str, rules: Rules) -> tuple[Key, ...]:
    """Return the keys of an address: ``url`` (strong), ``url_near`` (near) and what its site calls the page.

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
    found = identify(url, rules)
    if not found.key:
        return ()
    if found.literal:
        named = _NAMES_A_THING.match(without_controls(url)[:MAX_LENGTH])  # the key of a long text is a mere hash
        strength = Strength.STRONG if named else Strength.DISTRUSTED
        return (Key("url", found.key, scope="literal", strength=strength), *claim_keys(found.claims))
    return (
        Key("url", found.key, strength=Strength.DISTRUSTED if found.is_home else Strength.STRONG),
        Key("url_near", found.near, strength=Strength.DISTRUSTED if found.near_is_home else Strength.NEAR),
        *claim_keys(found.claims),
    )


def claim_keys(claims: Iterable[Claim]) -> tuple[Key, ...]:
    """Return the keys of claims, each with its rule and pack version.

    Ids that name one article everywhere are of kind ``id``, what one site calls its page is of kind ``site``. A
    slug is near: the words of a title return, so that it needs a fact beside it.
    """
    return tuple(
        Key(
            "id" if claim.namespace in GLOBAL_IDS else "site",
            claim.value,
            strength=Strength.STRONG if claim.strong and claim.reads is Reads.ID else Strength.NEAR,
            rule_id=claim.rule_id,
            pack_version=claim.pack_version,
        )
        for claim in claims
    )


def named_keys(name: str, value: str, rules: Rules) -> tuple[Key, ...]:
    """Return the keys of an id that an item gives by its name, as far as a rule knows that name.

    >>> from seenbefore.rules import load_rules
    >>> [key.value for key in named_keys("DOI", "10.1000/ABC", load_rules())]
    ['doi:10.1000/abc']
    >>> named_keys("shelf", "12", load_rules())
    ()
    """
    found = identify(f"{name.lower()}:{value}", rules)
    return claim_keys(found.claims) if found.literal else ()


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
        base = parse(base_url, base_url)
    except InvalidURL:
        return ""
    resolved = f"{base.protocol}//{user_of(base)}{base.host}{guid}"  # the parser resolves dots in the path
    return resolved if _is_parsable(resolved) else ""


def _is_parsable(url: str) -> bool:
    try:
        return bool(fold_host(parse(url, url).hostname, []))
    except InvalidURL:
        return False
