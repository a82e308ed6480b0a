"""The single foldings that turn spellings of an address into one; each notes in ``trace`` what it changed.

``fold_…`` makes the ``url`` key: what any server takes as one address. ``near_…`` goes on to the ``url_near``
key: what nearly every site shows as one page. Percent-encoded bytes are never decoded to text: queries in EUC-JP
or Shift_JIS stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..rules.ruleset import HostRules, Params, Rules, applies
from ..rules.schema import Rule
from ..rules.templates import MAX_PATH
from .clean import unescape_query

_FOLDABLE = re.compile(
    r"%(?![0-9A-F]{2})(?:[0-9A-Fa-f]{2})?"  # lower-case digits, or a % that encodes nothing
    r"|%(?:2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])"  # letters, digits, - . _ ~
)
_BARE = re.compile(r"[\[\]|^`{}\\]")
_SIGNS_IN_PATH = re.compile(r"%(?:2[14789AC]|3[AD]|40)")  # ! $ ' ( ) * , : = @
_SIGNS_IN_QUERY = re.compile(r"%(?:2[14789ACF]|3[AF]|40)")  # the same without = and with / ?
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_COOKIELESS = r"(?:[AFX]\([a-z0-9_-]{1,400}\)){0,3}"  # parts beside the session of ASP.NET without cookies
_PATH_SESSION = re.compile(
    r"(?<!/\.)(?<!/\.\.);(?:(?:jsessionid|phpsessid)=[^/;?]*|(?:sid|sessionid)=[0-9a-z]{16,}(?=[/;]|$))"
    rf"|(?<=/)\({_COOKIELESS}S\([a-z0-9]{{20,30}}\){_COOKIELESS}\)/",
    re.I,
)
_DOUBLED = re.compile(r"(?<!:)//+")
_INDEX = re.compile(r"(?:/(?:index|default)\.(?:html?|php[345]?|aspx?|jspx?|jsf|shtml?|xhtml|cgi|cfm|pl))+$", re.I)
_LISTS_FILES = re.compile(
    r"/(?:blob|raw|blame|commits|tree|edit|src|package|tagged|wiki)/"
)  # it is a file's name there
_AMP_ENDS = (("/amp", ""), (".amp", ""), ("/amp/1", ""), ("/amphtml", ""), (".amp.html", ".html"))
_AMP_INSIDE = re.compile(
    r"^/amp(?=/.*(?:[0-9]{4}|[^/-]-[^/-]+-[^/-]|%[0-9A-F]{2}%[0-9A-F]{2}%[0-9A-F]{2}%|\.html?$))"  # before an article
    r"|(?<=[^/])/amp(?=/[^/]*(?:[0-9]{5}|[^/-]-[^/-]+-[^/-])[^/]*$)"  # before the last part, and a surer sign of one
)
_ARTICLE = re.compile(r"[0-9]{4}|[^/-]-[^/-]+-[^/-]|%[0-9A-F]{2}%[0-9A-F]{2}%[0-9A-F]{2}%|\.html?$")


# --- the parts of the url key -------------------------------------------------------------------


def fold_host(hostname: str, trace: list[str]) -> str:
    """Return the host without a final dot and without ``www.`` labels; empty if no valid host is left.

    >>> fold_host("www.example.com.", []), fold_host("www2.example.com", []), fold_host("www.com", [])
    ('example.com', 'www2.example.com', 'www.com')
    """
    host = hostname
    if host.endswith("."):  # the root of the name system: lwn.net. is lwn.net
        trace.append("host dot")
        host = host[:-1]
        if host.endswith("."):
            return ""
    if host.startswith("www."):
        short = host
        while short.startswith("www.") and "." in short[5:]:
            short = short[4:]
        if short != host:
            trace.append("www")
        return short
    return host


def fold_path(pathname: str, trace: list[str]) -> str:
    """Return the path without session ids and slashes at its end, in one spelling of percent-encoding; case stays.

    >>> fold_path("/%7Eann/%e6%9d%b1/", []), fold_path("/a%2Fb", []), fold_path("/", [])
    ('/~ann/%E6%9D%B1', '/a%2Fb', '/')
    >>> fold_path("/a.do;jsessionid=0A1B2C3D4E5F", [])
    '/a.do'
    """
    path = fold_percent(pathname, trace) if "%" in pathname or _BARE.search(pathname) else pathname
    if ";" in path or "(" in path:
        path = _repeat(_without_sessions, path, "session id", trace)
    if "/.." in path:  # the parser leaves some behind a part that begins with a dot
        path = _resolve_dots(path)
    if path.endswith("/") and len(path) > 1:
        trace.append("final slash")
        return path.rstrip("/") or "/"
    return path


def fold_query(
    query: str, path: str, host_rules: HostRules, rules: Rules, trace: list[str]
) -> tuple[list[str], list[str]]:
    """Return the parameters that no rule drops, sorted by name, repeats in their order: for the key, and near.

    >>> from seenbefore.rules import load_rules
    >>> rules = load_rules()
    >>> fold_query("b=2&utm_source=x&&a=1&a=+", "/", rules.for_host("example.com"), rules, [])
    (['a=1', 'a=%20', 'b=2'], ['a=1', 'a=%20', 'b=2'])

    What may or may not select content is dropped from the near key alone.

    >>> fold_query("ref=weekly.example", "/", rules.for_host("example.com"), rules, [])
    (['ref=weekly.example'], [])
    """
    if "%" in query or _BARE.search(query):
        query = fold_percent(query, trace)
    if "amp;" in query:
        query = unescape_query(f"&{query}")  # also one at the start, which sorting would put behind another
    if "+" in query:
        query = query.replace("+", "%20")
    parameters = [parameter for parameter in query.split("&") if parameter]
    kept: list[str] = []
    names: list[str] = []
    unsure = False
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        dropping = host_rules.dropping(name)
        if dropping:
            names = names or list(map(_lower_name, parameters))
            rule = _first(dropping, value, path, names, rules, strong=True)
            if rule is not None:
                trace.append(f"parameter {name[:40]}: {rule.id}")
                continue
            unsure = True
        kept.append(parameter)
    if len(kept) > 1:
        ordered = sorted(kept, key=_name)
        if ordered != kept:
            trace.append("parameters in order")
            kept = ordered
    near = sorted((_SIGNS_IN_QUERY.sub(_decode_sign, each) for each in kept), key=_name) if "%" in query else kept
    if unsure:  # values are looked at as the near key has them
        near = _near_parameters(near, path, host_rules, rules, trace)
    if query.endswith("=") or "=&" in query:
        near = [_without_empty_value(each) for each in near]
    return kept, near


def _near_parameters(kept: list[str], path: str, host_rules: HostRules, rules: Rules, trace: list[str]) -> list[str]:
    """The parameters that are left when those go, too, that may or may not select content."""
    names = list(map(_lower_name, kept))
    near = []
    for parameter in kept:
        name, _, value = parameter.partition("=")
        rule = _first(host_rules.dropping(name), value, path, names, rules, strong=False)
        if rule is None:
            near.append(parameter)
        else:
            trace.append(f"near: parameter {name[:40]}: {rule.id}")
    return near


def _first(
    dropping: tuple[Rule, ...], value: str, path: str, names: list[str], rules: Rules, *, strong: bool
) -> Rule | None:
    """The first of these rules that applies to a parameter."""
    return next((r for r in dropping if r.strong is strong and applies(r, value, path, names, rules.paths)), None)


def _without_empty_value(parameter: str) -> str:
    """``a`` for ``a=``: to a server both are a name without a value."""
    return parameter[:-1] if parameter.find("=") == len(parameter) - 1 > 0 else parameter


def _lower_name(parameter: str) -> str:
    return parameter.partition("=")[0].lower()


def _name(parameter: str) -> str:
    return parameter.partition("=")[0]


def read_params(parameters: list[str]) -> Params:
    """Return the values of parameters by lower-case name; None for a name that stands twice."""
    found: dict[str, str | None] = {}
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        name = name.lower()
        found[name] = None if name in found else value
    return found


def fold_route(fragment: str, trace: list[str]) -> str:
    """Return the fragment if it is a route of a page that draws itself, else an empty text.

    >>> fold_route("#!/topic/15", []), fold_route("#comments", []), fold_route("#/", [])
    ('#!/topic/15', '', '')
    """
    if fragment[1:2] in ("!", "/"):
        route = fragment.partition(":~:")[0]
        if route.strip("#!/"):
            return fold_percent(route, trace) if "%" in route else route
    trace.append("fragment")
    return ""


def fold_percent(text: str, trace: list[str]) -> str:
    """Return the text with upper-case percent digits, and with letters and digits that need no encoding decoded.

    A % that encodes nothing becomes %25: left alone it could join a decoded digit to form a new code. Brackets and
    their like, which browsers leave as they find them, are encoded.

    >>> fold_percent("a%2Db%c3%a9[]", [])
    'a-b%C3%A9%5B%5D'
    """
    folded = _BARE.sub(_encode, _FOLDABLE.sub(_fold_one, text))
    if folded != text:
        trace.append("percent-encoding")
    return folded


def _fold_one(match: re.Match[str]) -> str:
    code = match[0]
    if len(code) == 1:
        return "%25"
    char = chr(int(code[1:], 16))
    return char if char in _UNRESERVED else code.upper()


def _encode(match: re.Match[str]) -> str:
    return f"%{ord(match[0]):02X}"


def _resolve_dots(path: str) -> str:
    parts: list[str] = []
    for part in path[1:].split("/"):
        if part == "..":
            del parts[-1:]
        elif part != ".":
            parts.append(part)
    end = "/" if path.endswith(("/.", "/..")) and parts else ""
    return f"/{'/'.join(parts)}{end}"


def _without_sessions(path: str) -> str:
    return _PATH_SESSION.sub("", path)


# --- the parts of the near key ------------------------------------------------------------------


def near_path(path: str, trace: list[str]) -> str:
    """Return the path without doubled slashes, and without a file that every folder opens with.

    >>> near_path("/software//emacs/index.html", []), near_path("/index.xml", [])
    ('/software/emacs', '/index.xml')

    Signs that mean nothing in a path are written as they are: Go_%28game%29 is Go_(game).

    >>> near_path("/wiki/Go_%28game%29", []), near_path("/group%2Fapp", [])
    ('/wiki/Go_(game)', '/group%2Fapp')
    """
    if "%" in path:
        path = _without_sessions(_SIGNS_IN_PATH.sub(_decode_sign, path)).rstrip("/") or "/"
    if "//" in path:
        path = _repeat(lambda text: _DOUBLED.sub("/", text), path, "near: doubled slash", trace)
    if len(path) > MAX_PATH:  # each mark taken off is a look at the whole path
        return path
    lower = path.lower()
    if ("/index." in lower or "/default." in lower) and not _LISTS_FILES.search(path):
        path = _repeat(_without_index, path, "near: index page", trace)
    return path


def _decode_sign(match: re.Match[str]) -> str:
    return chr(int(match[0][1:], 16))


def without_amp(path: str, trace: list[str]) -> str:
    """Return the path without the marks of AMP pages, where the rest looks like an article.

    >>> without_amp("/2025/10/hello-world/amp", []), without_amp("/gear/amp", [])
    ('/2025/10/hello-world', '/gear/amp')
    """
    return _repeat(_without_amp, path, "near: AMP", trace) if len(path) <= MAX_PATH else path


def _without_index(path: str) -> str:
    return _INDEX.sub("", path).rstrip("/") or "/"


def _without_amp(path: str) -> str:
    """The path without the marks of AMP pages, where the rest looks like an article."""
    inside = _AMP_INSIDE.search(path)
    if inside:
        return _without_index(path[: inside.start()] + path[inside.end() :])
    for end, instead in _AMP_ENDS:
        found = path[: -len(end)] + instead
        if path.endswith(end) and _ARTICLE.search(found) and not found.endswith(("/.", "/..")):
            return _without_index(found.rstrip("/"))
    return path


def _repeat(fold: Callable[[str], str], text: str, step: str, trace: list[str]) -> str:
    """Fold until nothing changes, so that folding what was folded changes nothing."""
    folded = fold(text)
    if folded == text:
        return text
    trace.append(step)
    while (again := fold(folded)) != folded:
        folded = again
    return folded
