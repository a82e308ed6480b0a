"""Item → everything it can be found by: identity keys, candidate keys and its fingerprint."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from operator import attrgetter

from .model import Enclosure, Fingerprint, Item, Key, Kind, Precision, Sighting, Strength
from .policy import Policy
from .redact import has_secret
from .rules import Rules
from .text.clean import EXTRACTOR_VERSION
from .text.fingerprint import TextLimits, fingerprint
from .text.titles import clean_title, title_identifies, title_key
from .urls import GLOBAL_IDS, identify, named_keys, resolve_guid_url, url_keys

REDIRECT = "redirect"
FINAL = "final"
"""Rule ids of address keys that the item does not carry itself: a redirect leads there."""

GUID = "guid"
"""Rule id of address keys that come from the guid alone, which may be no address at all."""

_MEDIA_TYPES = ("audio/", "video/")
_MEDIA_SUFFIXES = (
    ".mp3",
    ".m4a",
    ".mp4",
    ".ogg",
    ".oga",
    ".opus",
    ".wav",
    ".flac",
    ".aac",
    ".webm",
    ".mov",
    ".m4v",
)

_told = attrgetter(*(each.name for each in fields(Item) if each.name not in ("source", "fetch_id", "observed_at")))

_ADDRESS_KINDS = ("guid", "url", "url_near")


@dataclass(frozen=True, slots=True)
class Features:
    """What was derived from one item: identity fields, keys (identity and candidate), fingerprint."""

    kind: Kind
    guid: str
    original_url: str
    clean_title: str
    keys: tuple[Key, ...]
    fingerprint: Fingerprint
    flags: tuple[str, ...]


def derive_text(item: Item, policy: Policy) -> Fingerprint:
    """Return the fingerprint of an item's text under the limits of the policy."""
    found = fingerprint(item.title, item.summary, item.content, text_limits(policy))
    if item.extractor:
        found = replace(found, extractor_version=f"{item.extractor}; {found.extractor_version}")
    if item.representation and found.length:
        found = replace(found, representation=item.representation)
    return found


def text_limits(policy: Policy) -> TextLimits:
    """Return the limits of the policy in the form the text functions take."""
    text = policy.text
    return TextLimits(text.min_chars, text.min_cjk_chars, text.cjk_share, text.wall_chars, text.shrink_ratio)


def derive_features(
    item: Item, source_identity: str, rules: Rules, policy: Policy, print_: Fingerprint | None = None
) -> Features:
    """Return the keys and the fingerprint of an item.

    ``source_identity`` is the scope of its guid; ``print_`` its fingerprint, if known already. Keys come
    from the original and the final address, a permanent redirect and a URL-shaped guid, never from the
    canonical link, which is a claim, nor from where a temporary redirect led.

    >>> from .rules import load_rules
    >>> from .policy import load_policy
    >>> item = Item(source="s", original_url="http://www.example.com/a/?utm_source=x", guid="7")
    >>> [key.value for key in derive_features(item, "s", load_rules(), load_policy()).keys]
    ['7', 'http://example.com/a', 'example.com/a']

    A home page is no identity, so its keys are distrusted from the start:

    >>> item = Item(source="s", original_url="http://example.com/", title="Hello")
    >>> features = derive_features(item, "s", load_rules(), load_policy())
    >>> {key.strength.value for key in features.keys if key.kind == "url"}
    {'distrusted'}
    """
    title = clean_title(item.title)
    print_ = print_ or derive_text(item, policy)
    addresses = _addresses(item)
    keys: dict[tuple[str, str, str], Key] = {}
    if item.guid:
        _add(keys, [Key("guid", item.guid, source_identity)])
    if item.original_url:
        _add(keys, url_keys(item.original_url, rules))
    guid_url = _guid_url(item)
    if guid_url:
        _add(keys, url_keys(guid_url, rules), GUID)
    if item.final_url and not item.temporary_redirects:
        _add(keys, url_keys(item.final_url, rules), FINAL)
    reached = [*addresses, *([] if item.temporary_redirects else [item.final_url])]
    for address in _redirected(item, reached) if item.redirects else ():
        _add(keys, url_keys(address, rules), REDIRECT)
    if item.kind is Kind.IMAGE:
        keys = _image_keys(keys)
    else:
        _add(keys, _id_keys(item, source_identity, rules))
        _add(keys, _candidate_keys(item, title, print_, source_identity, policy))
        if item.representation is not None:
            _add(keys, _claim_keys(item, rules))
    found = tuple(keys.values())
    urls = [key for key in found if key.kind == "url"]
    flags = []
    if any(has_secret(address) for address in (*addresses, item.final_url) if address):
        flags.append("secret_in_url")
    if any("literal" in key.scope for key in urls):
        flags.append("literal_url")
    return Features(
        kind=item.kind,
        guid=item.guid,
        original_url=item.original_url,
        clean_title=title,
        keys=found,
        fingerprint=print_,
        flags=tuple(flags),
    )


def add_redirected(features: Features, addresses: Iterable[str], rules: Rules) -> Features:
    """Return the features with the keys of further addresses that permanent redirects connect with the item's."""
    keys = {key.address: key for key in features.keys}
    for address in addresses:
        _add(keys, url_keys(address, rules), REDIRECT)
    return replace(features, keys=tuple(keys.values()))


def digest_item(item: Item) -> bytes:
    """Return a digest of everything an item says, apart from the fetch it stood in, and of how texts are read.

    Two items of a source with one digest are equal in every field that a decision depends on.

    >>> a, b = Item(source="s", title="One", fetch_id="1"), Item(source="s", title="One", fetch_id="2")
    >>> digest_item(a) == digest_item(b), digest_item(a) == digest_item(replace(a, title="Two"))
    (True, False)
    """
    said = f"{EXTRACTOR_VERSION}\0{_told(item)!r}"
    return hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def extractor_version() -> str:
    """Return the version of the text extractor that fingerprints were made with."""
    return EXTRACTOR_VERSION


def sighting_hash(sighting: Sighting) -> str:
    """Return a hash of what a sighting is, equal in every store and every run."""
    s = sighting
    return identity_hash(s.source, s.guid, s.original_url, s.clean_title, s.slot)


def identity_hash(source_identity: str, guid: str, original_url: str, title: str, slot: int = 0) -> str:
    """Return the hash of a sighting from the fields that name it; ``title`` is the clean one."""
    parts = (source_identity, guid, original_url, title, str(slot))
    return hashlib.sha256("\x00".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def is_moved(earlier: Sighting, later: Sighting) -> bool:
    """Return whether a sighting stands for the same page under another address of its own.

    The publisher's slug agrees, or a permanent redirect leads from one to the other.
    """
    old, new = own_addresses(earlier), own_addresses(later)
    if old & new:
        return False
    return bool(_slugs(earlier) & _slugs(later) or _led_to(earlier) & new or _led_to(later) & old)


def own_addresses(sighting: Sighting) -> frozenset[str]:
    """Return the address keys a sighting carries itself, without those a redirect leads to."""
    return frozenset(k.value for k in sighting.keys if k.kind == "url" and k.rule_id not in (REDIRECT, FINAL))


def _led_to(sighting: Sighting) -> frozenset[str]:
    return frozenset(k.value for k in sighting.keys if k.kind == "url" and k.rule_id in (REDIRECT, FINAL))


def _slugs(sighting: Sighting) -> frozenset[str]:
    return frozenset(k.value for k in sighting.keys if k.kind == "site" and k.strength is Strength.NEAR)


def _add(keys: dict[tuple[str, str, str], Key], found: Iterable[Key], rule_id: str = "") -> None:
    """Take in the keys that are not there yet; with ``rule_id`` they say what they come from."""
    for key in found:
        address = (key.kind, key.scope, key.value)
        if address not in keys:
            keys[address] = _with_rule(key, rule_id) if rule_id else key


def _addresses(item: Item) -> list[str]:
    """The addresses the item carries itself."""
    return [address for address in dict.fromkeys((item.original_url, _guid_url(item))) if address]


def _guid_url(item: Item) -> str:
    """The address that a guid spells out, '' if it is none."""
    base = item.original_url or item.final_url or item.source
    return resolve_guid_url(item.guid, base) if item.guid else ""


def _redirected(item: Item, addresses: list[str]) -> list[str]:
    """All addresses that permanent redirects connect with the item's own ones, either way."""
    reached = set(addresses)
    found: list[str] = []
    grew = True
    while grew:
        grew = False
        for start, end in item.redirects:
            for known, other in ((start, end), (end, start)):
                if known in reached and other and other not in reached:
                    reached.add(other)
                    found.append(other)
                    grew = True
    return found


def _with_rule(key: Key, rule_id: str) -> Key:
    return Key(key.kind, key.value, key.scope, key.strength, rule_id, key.pack_version)


def _id_keys(item: Item, source_identity: str, rules: Rules) -> Iterable[Key]:
    """Ids that name one article everywhere are strong, as far as a rule can read them. Any other one (an article
    number, a journal's ISSN) means something in its own source at most, and needs a fact beside it."""
    for given, value in sorted(item.ids.items()):
        name, text = given.strip().lower(), str(value).strip()
        if not text:
            continue
        named = named_keys(name, text, rules) if name in GLOBAL_IDS else ()
        if named:
            yield from named
        else:
            yield Key("id", f"{name}:{text}", source_identity, Strength.NEAR)
    for enclosure in filter(_is_recording, item.enclosures):
        for key in url_keys(enclosure.url, rules):
            if key.kind == "url":
                yield Key("id", f"enclosure:{key.value}", "", Strength.NEAR)


def _is_recording(enclosure: Enclosure) -> bool:
    """Whether a media file is the item itself; a picture may be the same logo on every entry."""
    if enclosure.type:
        return enclosure.type.lower().startswith(_MEDIA_TYPES)
    path = enclosure.url.partition("?")[0].partition("#")[0]
    return path.lower().endswith(_MEDIA_SUFFIXES)


def _candidate_keys(item: Item, title: str, print_: Fingerprint, source_identity: str, policy: Policy) -> Iterable[Key]:
    """Keys that only propose pairs. Titles are proposed across sources when they can identify."""
    if print_.decisive:
        yield Key("text", print_.text_hash, "", Strength.CANDIDATE)
    if title:
        key = title_key(title)
        yield Key("title", key, source_identity, Strength.CANDIDATE)
        if title_identifies(title, policy.title.min_chars, policy.title.min_cjk_chars):
            yield Key("title", key, "", Strength.CANDIDATE)
    published = item.published
    if print_.decisive and published and published.at and published.precision is Precision.SECOND:
        yield Key("published", published.at.isoformat(), source_identity, Strength.CANDIDATE)


def _claim_keys(item: Item, rules: Rules) -> Iterable[Key]:
    """Addresses that a page gives as its own, and those it was opened at: two pages may meet there, and no more.

    A canonical link is a claim: feeds of a site, its section pages and copies elsewhere all make it, rightly or not.
    """
    amp = item.extra.get("amp")
    for address in filter(None, (item.canonical, item.final_url, item.original_url, amp if type(amp) is str else "")):
        found = identify(address, rules)
        if not (found.literal or found.near_is_home):
            yield Key("claim", found.near, "", Strength.CANDIDATE)


def _image_keys(keys: dict[tuple[str, str, str], Key]) -> dict[tuple[str, str, str], Key]:
    """Pictures match by address only until their pixels are compared, and never meet articles."""
    own = [replace(key, scope=f"image {key.scope}".strip()) for key in keys.values() if key.kind in _ADDRESS_KINDS]
    return {key.address: key for key in own}
