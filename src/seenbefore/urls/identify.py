"""One address → everything it says about which page it means, each claim with the rule behind it.

The path of an address: its text is cleaned, parsed as browsers do (can-ada), taken out of wrappers that a rule
describes, folded to the ``url`` key (what any server takes as one address) and on to the ``url_near`` key (what
nearly every site shows as one page), and read by the rules of its site. Everything that might mean another page
stays.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote

import can_ada

from ..errors import InvalidURL
from ..redact import escape_control, has_secret, mask_secrets
from ..rules.loader import load_rules
from ..rules.ruleset import Claim, Rules
from .clean import clean, unescape_query, without_controls
from .fold import fold_path, fold_percent, fold_query, fold_route, near_path, read_params, without_amp
from .host import HostPlan, plan_host
from .unwrap import unwrap

MAX_LENGTH = 8192
"""Longer addresses are not taken apart; they are known by the hash of their characters."""

MAX_HOPS = 4
"""So many wrappers around each other are taken off; what is wrapped more often stays as it is."""

_PRINTABLE = "".join(map(chr, range(0x21, 0x7F)))
_NAMED = re.compile(r"([A-Za-z]{2,12}):(?!/)(\S{1,500})")


class UrlIdentity(NamedTuple):
    """What an address says about its page.

    ``key`` keeps the scheme (``https://example.com/a``), ``near`` leaves it out and folds AMP, mobile hosts and
    index pages. ``claims`` are what the site itself calls the page. ``fetch`` is the address to request. ``host``
    and ``path`` are parts of the near key. ``is_home`` and ``near_is_home`` mark the front page of a host, which names
    no article. With ``literal`` the text could not be parsed as a web address and the key is the cleaned text.
    ``trace`` names every step that changed something; steps that begin with ``near:`` changed the near key alone.
    """

    original: str
    key: str
    near: str
    claims: tuple[Claim, ...]
    fetch: str
    host: str
    path: str
    is_home: bool
    near_is_home: bool
    literal: bool
    trace: tuple[str, ...]

    @property
    def secret(self) -> bool:
        """Whether the address carries credentials or a secret-looking parameter."""
        return has_secret(self.original)


def identify(url: str, rules: Rules | None = None) -> UrlIdentity:
    """Return what an address says about its page, by the shipped rules unless others are given.

    >>> found = identify("https://www.youtube.com/watch?v=dQw4w9WgXcQ&feature=share#top")
    >>> found.key, [claim.value for claim in found.claims]
    ('https://youtube.com/watch?v=dQw4w9WgXcQ', ['youtube:dQw4w9WgXcQ'])
    >>> identify("https://youtu.be/dQw4w9WgXcQ").claims == found.claims
    True

    Looks alike, stays apart: case in paths and values counts, and so does every parameter that no rule drops.

    >>> identify("https://example.com/Post?feature=share").key
    'https://example.com/Post?feature=share'

    Never raises: text that is no web address stands for itself.

    >>> identify(" see page 12 ").key, identify(" see page 12 ").literal
    ('see page 12', True)
    """
    rules = rules or load_rules()
    trace: list[str] = []
    try:
        return _identify(url, rules, trace)
    except InvalidURL as error:
        return _literal(url, rules, error)


def identify_web(url: str, rules: Rules | None = None) -> UrlIdentity:
    """Return what ``identify`` does, for web addresses only.

    Raises:
        InvalidURL: no host, a scheme other than http and https, or more than 8,192 characters.
    """
    return _identify(url, rules or load_rules(), [])


def url_key(url: str, rules: Rules | None = None) -> str:
    """Return the ``url`` key of an address alone, which is quicker than everything it says.

    >>> url_key("HTTP://Example.com:80/a/?utm_source=x&b=1"), url_key("http://example.com/a?b=2")
    ('http://example.com/a?b=1', 'http://example.com/a?b=2')
    """
    rules = rules or load_rules()
    trace: list[str] = []
    try:
        address, plan, path = _take_apart(url, rules, trace)
        search, fragment = address.search, address.hash
        query = fold_query(search[1:], near_path(path, []), plan.rules, rules, trace)[0] if search else ()
        route = fold_route(fragment, trace) if fragment else ""
        return _checked(_join(address, plan.host, path, query, route), url)
    except InvalidURL:
        return _literal_key(url)


def _identify(url: str, rules: Rules, trace: list[str]) -> UrlIdentity:
    address, plan, path = _take_apart(url, rules, trace)
    if plan.steps:
        trace += plan.steps
    search, fragment = address.search, address.hash
    path_near = near_path(path, trace)
    kept: list[str] = []
    near_kept = kept
    if search:
        kept, near_kept = fold_query(search[1:], path_near, plan.rules, rules, trace)
    route = fold_route(fragment, trace) if fragment else ""
    key = _checked(_join(address, plan.host, path, kept, route), url)
    port = address.port
    reads = plan.rules.identities and not route and not port
    found = plan.rules.claims(path_near, read_params(near_kept)) if reads else ()
    if not found and "amp" in path_near.lower():  # else its site says that it is no AMP page
        without = without_amp(path_near, trace)
        if without != path_near and _carried(address, plan, without) is None:
            path_near = without
            if near_kept:  # a rule may drop more on this path
                near_kept = fold_query("&".join(near_kept), path_near, plan.rules, rules, trace)[1]
            found = plan.rules.claims(path_near, read_params(near_kept)) if reads else ()
    claims = tuple(claim for claim, _ in found)
    fetch = min(((not claim.strong, place) for claim, place in found if place), default=(True, ""))[1]
    trace += [f"{claim.value}: {claim.rule_id}" for claim in claims]
    host = f"{plan.near}:{port}" if port else plan.near
    near = f"{user_of(address)}{host}{path_near}"
    if near_kept:
        near = f"{near}?{'&'.join(near_kept)}"
    return UrlIdentity(
        url,
        key,
        near + route,
        claims,
        fetch or address.href,
        host,
        path_near,
        path == "/" and not kept and not route,
        path_near == "/" and not near_kept and not route,
        False,
        tuple(trace),
    )


def _take_apart(url: str, rules: Rules, trace: list[str]) -> tuple[can_ada.URL, HostPlan, str]:
    """The parsed address behind all wrappers, what its host stands for, and its folded path."""
    address = parse(clean(url, trace), url)
    plan = _plan(address, rules, url)
    path = fold_path(address.pathname, trace)
    if not plan.rules.unwraps:
        return address, plan, path
    first, steps = (address, plan, path), len(trace)
    for hop in range(MAX_HOPS + 1):
        carried = _carried(address, plan, path)
        if carried is None:
            return address, plan, path
        if hop == MAX_HOPS:
            break
        target, rule_id = carried
        noted: list[str] = []  # what was cleaned says nothing if the target is no address
        try:
            inner = parse(clean(target, noted), url)
            plan = _plan(inner, rules, url)
        except InvalidURL:
            return address, plan, path
        address = inner
        trace += [*noted, f"unwrapped: {rule_id}"]
        path = fold_path(address.pathname, trace)
    del trace[steps:]
    return first


def _carried(address: can_ada.URL, plan: HostPlan, path: str) -> tuple[str, str] | None:
    unwraps = plan.rules.unwraps
    if not unwraps:
        return None
    near = near_path(path, [])  # as it stands first: a target in the path may end in /index.html
    if not unwraps.at(path) and not unwraps.at(near):
        return None
    query = address.search[1:]
    folded = unescape_query(fold_percent(query, [])) if "%" in query else query
    params = read_params(folded.split("&")) if folded else {}
    found = unwrap(plan.rules, path, params, folded) or (near != path and unwrap(plan.rules, near, params, folded))
    return (found[0], found[1].id) if found else None


def _plan(address: can_ada.URL, rules: Rules, url: str) -> HostPlan:
    plan = plan_host(address.hostname, rules)
    if not plan.host:
        raise _invalid("has no valid host", url)
    return plan


def _join(address: can_ada.URL, host: str, path: str, parameters: list[str] | tuple[()], route: str) -> str:
    port = address.port  # empty for the default port of the scheme
    query = f"?{'&'.join(parameters)}" if parameters else ""
    return f"{address.protocol}//{user_of(address)}{host}{':' if port else ''}{port}{path}{query}{route}"


def user_of(address: can_ada.URL) -> str:
    """Return the credentials of an address as they stand in it, with ``@``; an empty text if there are none."""
    if not address.has_credentials():
        return ""
    return f"{address.username}:{address.password}@" if address.password else f"{address.username}@"


def _checked(key: str, url: str) -> str:
    if len(key) > MAX_LENGTH:
        raise _invalid("is too long when encoded", url)
    return key


@lru_cache(maxsize=64)  # a guid that is the link is parsed once
def parse(text: str, url: str) -> can_ada.URL:
    """Return the parsed web address; ``url`` is how it was given, for the error. Raises InvalidURL."""
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
    return InvalidURL(f"the address {problem}", escape_control(mask_secrets(url[:4000])[:200]))


# --- what is no web address ---------------------------------------------------------------------


def _literal(url: str, rules: Rules, error: InvalidURL) -> UrlIdentity:
    key = _literal_key(url)
    claims = _named_claims(key, rules)
    trace = (f"literal: {error.message}", *(f"{claim.value}: {claim.rule_id}" for claim in claims))
    return UrlIdentity(url, key, "", claims, "", "", "", False, False, True, trace)


def _named_claims(text: str, rules: Rules) -> tuple[Claim, ...]:
    """What a text such as ``doi:10.1000/182`` names, by rules whose host is ``doi:``."""
    named = _NAMED.fullmatch(text)
    if named is None:
        return ()
    host_rules = rules.for_host(f"{named[1].lower()}:")
    if not host_rules.identities:
        return ()
    value = quote(named[2], safe=_PRINTABLE, errors="replace")
    return tuple(claim for claim, _ in host_rules.claims(f"/{fold_percent(value, [])}", {}))


def _literal_key(url: str) -> str:
    given = without_controls(url)
    text = given.encode("utf-8", "backslashreplace").decode("utf-8")
    if len(text) > MAX_LENGTH or text != given:  # a lone surrogate written as \ud800 would be an address
        return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
    return text
