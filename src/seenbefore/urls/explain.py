"""What was done to an address, in plain words, and why two addresses are one page or two.

Parameters stand in sentences as ``?name=value``, so that secrets among them are known as such and can be masked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from ..rules.ruleset import Claim, Rules
from ..rules.schema import Reads
from .identify import UrlIdentity
from .same import are_same_page, ids_conflict

# --- one address --------------------------------------------------------------------------------

_NEAR = "near: "
_NEAR_ONLY = "For the near key only: "
_PLAIN = {
    "cleaned": "Blanks around it and control characters went.",
    "&amp; is &": "&amp; between parameters was read as &.",
    "scheme added": "It had no scheme and got https.",
    "host dot": "The dot after the host went.",
    "www": "www. before the host went.",
    "percent-encoding": "Percent-encoding was brought into one spelling.",
    "session id": "A session id in the path went.",
    "final slash": "The slash at the end of the path went.",
    "parameters in order": "The parameters were put in the order of their names.",
    "fragment": "The fragment after # went: it names a place in the page.",
    "near: doubled slash": "doubled slashes in the path became one.",
    "near: index page": "the file that a folder opens with went.",
    "near: AMP": "the marks of an AMP page went.",
}


@dataclass(frozen=True, slots=True)
class Step:
    """A sentence on one thing that was done to an address or read from it, and the rule behind it, if one is.

    ``near_only`` marks what changed the near key alone.
    """

    text: str
    rule_id: str = ""
    pack: str = ""
    pack_version: int = 0
    reason: str = ""
    near_only: bool = False

    def __str__(self) -> str:
        """The sentence with its rule."""
        if not self.rule_id:
            return self.text
        named = f"{self.text} By {rule_name(self.rule_id, self.pack, self.pack_version)}"
        return f"{named}: {self.reason}" if self.reason else f"{named}."

    def to_json(self) -> dict[str, object]:
        """Return all of it."""
        return {
            "text": self.text,
            "near_only": self.near_only,
            "rule": self.rule_id,
            "pack": self.pack,
            "pack_version": self.pack_version,
            "reason": self.reason,
        }


_NOTHING = Step("It was read as browsers read it; nothing else had to be changed.")


@dataclass(frozen=True, slots=True)
class UrlExplanation:
    """What an address says, how that was found, and the version of the rules that were asked."""

    identity: UrlIdentity
    steps: tuple[Step, ...]
    rules_version: str

    def to_json(self) -> dict[str, object]:
        """Return everything; nothing is masked."""
        found = self.identity
        return {
            "original": found.original,
            "key": found.key,
            "near": found.near,
            "claims": [_claim_to_json(claim) for claim in found.claims],
            "fetch": found.fetch,
            "host": found.host,
            "path": found.path,
            "is_home": found.is_home,
            "near_is_home": found.near_is_home,
            "literal": found.literal,
            "secret_in_url": found.secret,
            "trace": list(found.trace),
            "steps": [step.to_json() for step in self.steps],
            "rules_version": self.rules_version,
        }


def explain_url(found: UrlIdentity, rules: Rules) -> UrlExplanation:
    """Return the trace of an address in plain words; ``rules`` are those it was read by.

    >>> from seenbefore.rules import load_rules
    >>> from seenbefore.urls import identify
    >>> rules = load_rules()
    >>> for step in explain_url(identify("http://www.example.com/a?utm_source=7", rules), rules).steps:
    ...     print(step.text, step.rule_id)
    www. before the host went.
    The parameter utm_source went. google-analytics-campaign

    What every browser does (case of the host, default port, dots in the path) is no step.

    >>> [str(step) for step in explain_url(identify("HTTPS://Example.com:443/a", rules), rules).steps]
    ['It was read as browsers read it; nothing else had to be changed.']
    """
    claims = {f"{claim.value}: {claim.rule_id}": claim for claim in found.claims}
    steps = tuple(_step(entry, claims.get(entry), rules) for entry in dict.fromkeys(found.trace))
    return UrlExplanation(found, steps or (_NOTHING,), rules.version)


def _step(entry: str, claim: Claim | None, rules: Rules) -> Step:
    if claim is not None:
        return _with_rule(f"It is read as {claim.value}, {_kind(claim)}.", claim.rule_id, rules)
    if entry.startswith("literal: "):
        return Step(f"It stands for itself: {entry[9:]}.")
    near_only = entry.startswith(_NEAR)
    if entry in _PLAIN:
        return Step(f"{_NEAR_ONLY if near_only else ''}{_PLAIN[entry]}", near_only=near_only)
    return _host_step(entry, rules) or _rule_step(entry, rules)


def _host_step(entry: str, rules: Rules) -> Step | None:
    """``near: example.com for m.example.com``, with a rule if one says so."""
    to, is_host, rest = entry.removeprefix(_NEAR).partition(" for ")
    if not is_host or " " in to:
        return None
    host, has_rule, rule_id = rest.partition(": ")
    if has_rule:
        return _with_rule(f"{_NEAR_ONLY}{to} stands for {host}, which shows the same pages.", rule_id, rules, near=True)
    return Step(f"{_NEAR_ONLY}{to} stands for {host}, which only says how pages are shown.", near_only=True)


def _rule_step(entry: str, rules: Rules) -> Step:
    """``parameter ref: generic-ref``, ``unwrapped: google-url``; anything else stands as it is."""
    near_only = entry.startswith(_NEAR)
    what, _, rule_id = entry.removeprefix(_NEAR).rpartition(": ")
    if what == "unwrapped":
        return _with_rule("It carries another address, which was taken out.", rule_id, rules)
    if what.startswith("parameter "):
        prefix = f"{_NEAR_ONLY}the" if near_only else "The"
        return _with_rule(f"{prefix} {what} went.", rule_id, rules, near=near_only)
    return Step(entry, near_only=near_only)


def _with_rule(text: str, rule_id: str, rules: Rules, *, near: bool = False) -> Step:
    rule = rules.get(rule_id)
    if rule is None:
        return Step(text, rule_id, near_only=near)
    return Step(text, rule_id, rule.pack, rule.pack_version, rule.reason, near)


def _kind(claim: Claim) -> str:
    """What a claim is, for people."""
    what = "an id of the site" if claim.reads is Reads.ID else "words of a title"
    return what if claim.strong else f"{what}, which is only a hint"


def rule_name(rule_id: str, pack: str, pack_version: int) -> str:
    """Return what a rule is called: ``rule youtube-video of youtube@2``."""
    return f"rule {rule_id} of {pack}@{pack_version}" if pack else f"rule {rule_id}"


# --- two addresses ------------------------------------------------------------------------------


class PairReason(StrEnum):
    """Why two addresses are one page or two."""

    EQUAL_URL = "equal_url"
    EQUAL_CLAIM = "equal_claim"
    EQUAL_NEAR = "equal_near"
    OTHER_ID = "other_id"
    NOTHING_SHARED = "nothing_shared"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Ids that a site gives under one name, of which the two addresses share none."""

    namespace: str
    a: tuple[str, ...]
    b: tuple[str, ...]

    def __str__(self) -> str:
        """The conflict in words."""
        return f"Ids of {self.namespace} differ: {', '.join(self.a)} and {', '.join(self.b)}."


@dataclass(frozen=True, slots=True)
class Difference:
    """A part in which the near keys of two addresses differ; '' where one of them has none.

    ``part`` is user, host, path, parameter or route, or text where one of them is no web address. A parameter has
    its ``name``, and in ``a`` and ``b`` all it stands for: ``tag=x&tag=y``.
    """

    part: str
    a: str
    b: str
    name: str = ""

    def __str__(self) -> str:
        """The difference in words; a user may be a secret and is not repeated."""
        if self.part == "user":
            return "What stands before the host as user and password differs."
        what = f"parameter {self.name}".rstrip() if self.part == "parameter" else self.part
        a, b = (f"?{text}" if text and self.part == "parameter" else text for text in (self.a, self.b))
        if not (a and b):
            return f"Only the {'first' if a else 'second'} has the {what}: {a or b}"
        case = " only in upper and lower case, which count" if a.lower() == b.lower() else ""
        return f"The {what} differs{case}: {a} and {b}"


@dataclass(frozen=True, slots=True)
class PairExplanation:
    """Whether two addresses are one page, judged by themselves, and why.

    ``shared`` are the strong claims of both, ``hints`` the equal ones that are not strong in both. ``differences``
    are those of the near keys, whatever the answer.
    """

    a: UrlIdentity
    b: UrlIdentity
    same: bool
    reason: PairReason
    shared: tuple[Claim, ...]
    hints: tuple[Claim, ...]
    conflicts: tuple[Conflict, ...]
    differences: tuple[Difference, ...]

    @property
    def why(self) -> tuple[str, ...]:
        """The reason in sentences, the one that decides first."""
        return (
            *_DECISIVE[self.reason](self),
            *(f"Both hint at {hint.value}, which decides nothing." for hint in self.hints),
        )

    def to_json(self) -> dict[str, object]:
        """Return the answer and why; what each address says is not repeated. Nothing is masked."""
        return {
            "same": self.same,
            "reason": self.reason.value,
            "why": list(self.why),
            "shared": [_claim_to_json(claim) for claim in self.shared],
            "hints": [_claim_to_json(claim) for claim in self.hints],
            "conflicts": [{"namespace": c.namespace, "a": list(c.a), "b": list(c.b)} for c in self.conflicts],
            "differences": [{"part": d.part, "name": d.name, "a": d.a, "b": d.b} for d in self.differences],
        }


def explain_pair(a: UrlIdentity, b: UrlIdentity) -> PairExplanation:
    """Return whether two addresses that were read by the same rules are one page, and why.

    >>> from seenbefore.urls import identify
    >>> def explain(a, b):
    ...     found = explain_pair(identify(a), identify(b))
    ...     return found.same, found.reason.value, found.why
    >>> explain("http://example.com/a/index.html", "https://m.example.com/a")
    (True, 'equal_near', ('Their near keys are equal. When items come in, a near key needs a fact beside it: an equal
    title, text or second of publication.',))
    >>> explain("https://example.com/a?page=2&ref=x", "https://example.com/A?page=3&ref=x")
    (False, 'nothing_shared', ('The path differs only in upper and lower case, which count: /a and /A',
    'The parameter page differs: ?page=2 and ?page=3'))

    The answer is always that of ``same_page``.
    """
    theirs = {claim.value: claim for claim in b.claims}
    both = [(claim, theirs[claim.value]) for claim in a.claims if claim.value in theirs]
    shared = tuple(mine for mine, other in both if mine.strong and other.strong)
    hints = tuple(mine for mine, other in both if not (mine.strong and other.strong))
    conflicts = tuple(_conflicts(a.claims, b.claims))
    same = are_same_page(a, b)
    if same:
        equal = PairReason.EQUAL_CLAIM if shared else PairReason.EQUAL_NEAR
        reason = PairReason.EQUAL_URL if a.key == b.key else equal
    elif a.key and b.key:
        reason = PairReason.OTHER_ID if conflicts else PairReason.NOTHING_SHARED
    else:
        reason = PairReason.EMPTY
    return PairExplanation(a, b, same, reason, shared, hints, conflicts, tuple(_differences(a, b)))


def _conflicts(a: Iterable[Claim], b: Iterable[Claim]) -> Iterable[Conflict]:
    mine, theirs = _by_namespace(a), _by_namespace(b)
    for name, claims in mine.items():
        if name in theirs and ids_conflict(claims, theirs[name]):
            values = (
                tuple(c.value for c in found if c.strong and c.reads is Reads.ID) for found in (claims, theirs[name])
            )
            yield Conflict(name, *values)


def _by_namespace(claims: Iterable[Claim]) -> dict[str, list[Claim]]:
    found: dict[str, list[Claim]] = {}
    for claim in claims:
        found.setdefault(claim.namespace, []).append(claim)
    return found


# --- what differs -------------------------------------------------------------------------------


def _differences(a: UrlIdentity, b: UrlIdentity) -> Iterable[Difference]:
    if a.literal or b.literal:
        if a.key != b.key:
            yield Difference("text", a.key, b.key)
        return
    one, other = _parts(a), _parts(b)
    for part in ("user", "host", "path"):
        if one[part] != other[part]:
            yield Difference(part, one[part], other[part])
    mine, theirs = _parameters(one["query"]), _parameters(other["query"])
    for name in dict.fromkeys((*mine, *theirs)):
        x, y = mine.get(name, ""), theirs.get(name, "")
        if x != y:
            yield Difference("parameter", x, y, name)
    if one["route"] != other["route"]:
        yield Difference("route", one["route"], other["route"])


def _parts(found: UrlIdentity) -> dict[str, str]:
    """The parts of a near key, whose first slash begins the path."""
    start = found.near.index("/")
    rest, hash_, route = found.near[start + len(found.path) :].partition("#")
    return {
        "user": found.near[:start].removesuffix(found.host).rstrip("@"),
        "host": found.host,
        "path": found.path,
        "query": rest.removeprefix("?"),
        "route": f"{hash_}{route}",
    }


def _parameters(query: str) -> dict[str, str]:
    """Name → everything that stands under it, in its order."""
    found: dict[str, str] = {}
    for parameter in query.split("&") if query else ():
        name = parameter.partition("=")[0]
        found[name] = f"{found[name]}&{parameter}" if name in found else parameter
    return found


# --- sentences on the answer --------------------------------------------------------------------

_NEAR_NEEDS = "When items come in, a near key needs a fact beside it: an equal title, text or second of publication."


def _on_claim(pair: PairExplanation) -> list[str]:
    sentences = []
    for claim in pair.shared:
        other = next(each for each in pair.b.claims if each.value == claim.value)
        names = [rule_name(each.rule_id, each.pack, each.pack_version) for each in (claim, other)]
        rules = " and ".join(dict.fromkeys(names))
        sentences.append(f"Both are {claim.value}, {_kind(claim)}, by {rules}.")
    if all(claim.reads is Reads.SLUG for claim in pair.shared):
        sentences.append("When items come in, words of a title need an equal title or text beside them.")
    return sentences


def _on_ids(pair: PairExplanation) -> list[str]:
    outranked = pair.a.near == pair.b.near or bool(pair.shared)
    more = ["They share a key all the same; ids outrank it."] if outranked else []
    return [*map(str, pair.conflicts), *more]


_DECISIVE: dict[PairReason, Callable[[PairExplanation], list[str]]] = {
    PairReason.EQUAL_URL: lambda _: ["Their url keys are equal."],
    PairReason.EQUAL_CLAIM: _on_claim,
    PairReason.EQUAL_NEAR: lambda _: [f"Their near keys are equal. {_NEAR_NEEDS}"],
    PairReason.OTHER_ID: _on_ids,
    PairReason.NOTHING_SHARED: lambda pair: list(map(str, pair.differences)),
    PairReason.EMPTY: lambda _: ["An empty text is no page."],
}


def _claim_to_json(claim: Claim) -> dict[str, object]:
    return {
        "value": claim.value,
        "strength": "strong" if claim.strong else "near",
        "reads": claim.reads.value,
        "rule": claim.rule_id,
        "pack": claim.pack,
        "pack_version": claim.pack_version,
    }
