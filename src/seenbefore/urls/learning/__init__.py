"""Rules that what is stored speaks for: parameters that change nothing, dates and sections that move.

Two addresses that differ in one parameter and showed one text say that it is neutral there; the same parameter
with another text says that it matters. Nothing is fetched for it. Everything here is a proposal: a person looks at
it and puts it into force. Where too little was seen, where pages change by themselves, or where only titles agree,
nothing is proposed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from ...rules.loader import load_rules
from ...rules.ruleset import SELECTS_NEARLY_EVERYWHERE, Rules, compile_rules, rule_hosts
from ...rules.schema import RuleKind
from ...rules.templates import compile_template
from .facts import REASONS, Finding, LearningLimits, Observation, Proposal, Subject, Tally, Why
from .pack import Naming, find_unproven, propose, write_pack
from .params import Judged, judge_parameters
from .paths import Moving, judge_paths
from .sample import HostSample, Sample

__all__ = [
    "Finding",
    "Learned",
    "LearningLimits",
    "Observation",
    "Proposal",
    "Subject",
    "Tally",
    "Why",
    "learn",
    "learn_from",
    "new_sample",
]

PACK = "learned"
"""The pack of all learned rules. It is made anew each time, so rules that nothing speaks for any more are gone."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What was found out. ``observations`` were looked at, on ``hosts``; ``version`` is that of the pack."""

    findings: tuple[Finding, ...]
    observations: int = 0
    hosts: int = 0
    version: int = 1

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """The rules that are proposed."""
        return tuple(finding.proposal for finding in self.findings if finding.proposal)

    def to_toml(self) -> str:
        """Return all proposals as one pack; it stays as it is until a person puts it into force."""
        return write_pack(self.proposals, PACK, self.version)

    def to_json(self) -> dict[str, object]:
        """Return everything as one mapping."""
        return {
            "pack": PACK,
            "version": self.version,
            "observations": self.observations,
            "hosts": self.hosts,
            "proposed": len(self.proposals),
            "findings": [_to_json(finding) for finding in self.findings],
        }

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """Return a table for people: host, parameter or path, equal, different, proposed or why not."""
        return [_row(finding) for finding in self.findings]


COLUMNS = ("host", "parameter or path", "equal", "different", "")
"""The heads of :meth:`Learned.rows`."""


def learn(
    observations: Iterable[Observation], rules: Rules | None = None, limits: LearningLimits | None = None
) -> Learned:
    """Return what observations say about the parameters and paths of their hosts.

    >>> def shown(page, mark):
    ...     return Observation(f"https://news.example/story/a-day-in-town-{page}x?mark={mark}", f"text {page}")
    >>> found = learn(shown(page, f"{mark}{page}") for page in range(20) for mark in "ab")
    >>> [(each.name, each.why.value, each.tally.equal) for each in found.findings]
    [('mark', 'proposed', 20)]
    >>> found.proposals[0].match, found.proposals[0].names
    (('/story/{slug}',), ('mark',))

    A parameter that chooses the page is none to drop, however seldom it does:

    >>> pages = [Observation(f"https://news.example/list?mark={n}", f"text {n % 4}") for n in range(40)]
    >>> learn(pages).proposals
    ()
    """
    sample = new_sample(rules, limits)
    for observation in observations:
        sample.take(observation)
    return learn_from(sample, rules)


def new_sample(rules: Rules | None = None, limits: LearningLimits | None = None) -> Sample:
    """Return an empty sample. What was learned before plays no part: it has to be seen again."""
    return Sample(_without_learned(rules or load_rules()), limits or LearningLimits())


def learn_from(sample: Sample, rules: Rules | None = None, limits: LearningLimits | None = None) -> Learned:
    """Return what a sample says; ``rules`` are those in force, ``limits`` the sample's own unless others are given."""
    naming, limits = Naming(PACK), limits or sample.limits
    found: list[Finding] = []
    known = known_to_matter(sample.rules)
    for host in sample.hosts:
        found += _learn_host(host, _known_on(host.host, known), naming, limits)
    unproven = find_unproven((each.proposal for each in found if each.proposal), PACK, sample.rules)
    checked = [
        replace(each, why=Why.UNPROVEN, proposal=None) if each.proposal and each.proposal.id in unproven else each
        for each in found
    ]
    version = 1 + max((pack.version for pack in (rules or sample.rules).packs if pack.name == PACK), default=0)
    return Learned(tuple(checked), sample.seen, len(sample.hosts), version)


def _without_learned(rules: Rules) -> Rules:
    kept = [pack for pack in rules.packs if pack.name != PACK]
    return rules if len(kept) == len(rules.packs) else compile_rules(kept)


def _learn_host(host: HostSample, known: Collection[str], naming: Naming, limits: LearningLimits) -> list[Finding]:
    judged = sorted(judge_parameters(host, known, limits), key=lambda each: sorted(each.names))
    is_guarded = _is_guarded(judged, limits)

    def finding(subject: Subject, name: str, each: Judged | Moving) -> Finding:
        if each.why is not Why.PROPOSED or is_guarded:
            why = Why.GUARDED if each.why is Why.PROPOSED else each.why
            return Finding(host.host, subject, name, why, each.tally)
        return Finding(host.host, subject, name, each.why, each.tally, propose(host.host, each, naming))

    parameters = [finding(Subject.PARAMETER, ", ".join(sorted(each.names)), each) for each in judged]
    return parameters + [finding(each.subject, each.name, each) for each in judge_paths(host, limits)]


def known_to_matter(rules: Rules) -> dict[str, set[str]]:
    """Return the names of parameters that select content by what rules say, by host; ``*.`` stands before a domain.

    >>> from seenbefore.rules import load_rules
    >>> "v" in known_to_matter(load_rules())["youtube.com"]
    True
    """
    found: dict[str, set[str]] = {}
    for rule in (rule for pack in rules.packs for rule in pack.rules):
        names: set[str] = set()
        if rule.kind is RuleKind.KEEP:
            names.update(rule.names)
        elif rule.kind is RuleKind.IDENTITY:
            names.update(name for text in rule.match for name, _ in compile_template(text).params)
        for host in rule_hosts(rule) if names else ():
            found.setdefault(host, set()).update(names)
    return found


def _known_on(host: str, known: Mapping[str, set[str]]) -> set[str]:
    names = set(SELECTS_NEARLY_EVERYWHERE) | known.get(host, set())
    rest = host
    while "." in rest:
        rest = rest.partition(".")[2]
        names |= known.get(f"*.{rest}", set())
    return names


def _is_guarded(judged: Iterable[Judged], limits: LearningLimits) -> bool:
    """Whether so many parameters known to matter look neutral that what is stored of the host cannot be its pages."""
    known = [each for each in judged if each.why is Why.KNOWN and each.distinct_values > 1]
    seen = [each for each in known if each.tally.equal + each.tally.different >= limits.min_pages]
    flipped = [each for each in seen if each.tally.why_not(limits, limits.min_pages) is Why.PROPOSED]
    return len(flipped) > limits.max_flips * len(seen)


def _row(finding: Finding) -> tuple[str, str, str, str, str]:
    tally, name = finding.tally, finding.name
    if finding.proposal and finding.subject is Subject.PARAMETER:
        limits = [*finding.proposal.match]
        if finding.proposal.beside:
            limits.append(f"beside {', '.join(finding.proposal.beside)}")
        if finding.proposal.values:
            limits.append(f"= {', '.join(finding.proposal.values)}")
        name = f"{name} ({'; '.join(limits)})"
    return finding.host, name, str(tally.equal), str(tally.different), REASONS[finding.why]


def _to_json(finding: Finding) -> Mapping[str, object]:
    tally, proposal = finding.tally, finding.proposal
    found: dict[str, object] = {
        "host": finding.host,
        "subject": finding.subject.value,
        "name": finding.name,
        "why": finding.why.value,
        "equal": tally.equal,
        "equal_texts": tally.exact,
        "near_texts": tally.alike,
        "near_texts_later": tally.near,
        "titles_only": tally.titles,
        "different": tally.different,
        "unclear": tally.unclear,
        "last_seen_at": tally.last_seen_at.isoformat() if tally.last_seen_at else None,
        "rule": None,
    }
    if proposal:
        found["rule"] = {
            "id": proposal.id,
            "kind": proposal.kind.value,
            "match": list(proposal.match),
            "names": list(proposal.names),
            "beside": list(proposal.beside),
            "values": list(proposal.values),
            "value_types": list(proposal.value_types),
            "must_match": [list(pair) for pair in proposal.must_match],
            "must_not_match": [list(pair) for pair in proposal.must_not_match],
        }
    return found
