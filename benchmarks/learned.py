"""Are the rules right that are learned from what is stored? On made-up sites whose parameters are known.

Each site is read into a real store through the engine; then its rules are learned. A proposal is wrong if it
brings together two addresses of its site that are two pages, tried on addresses that no feed ever listed, too. A
parameter or path counts as missed where enough pages were seen under several values and no rule was proposed.

The limits were set while looking at the sites of ``--seed 0``, so figures of that seed are no test of them.
"""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from harness.learned_scenarios import make_sites
from harness.learned_sites import Kind, Site
from harness.report import CONSOLE, finish, options, progress_bar, show_table

import seenbefore
from seenbefore.engine.learnrules import read_sample
from seenbefore.evaluate.interval import wilson_interval
from seenbefore.policy import load_policy
from seenbefore.rules import compile_rules, load_rules, parse_pack
from seenbefore.rules.templates import compile_template
from seenbefore.urls import identify
from seenbefore.urls.learning import Finding, Learned, LearningLimits, Subject, learn_from
from seenbefore.urls.learning.pack import write_pack
from seenbefore.urls.same import are_same_page

ROUNDS = 10
"""Sites of each scenario."""
TRIED = 300
"""Addresses of a site on which its proposals are tried."""

DEFAULT = LearningLimits()
SWEEP = {
    "as set": DEFAULT,
    "min_pages 4": replace(DEFAULT, min_pages=4, min_pages_each=2),
    "min_pages 8": replace(DEFAULT, min_pages=8),
    "min_pages 20": replace(DEFAULT, min_pages=20),
    "min_pages 30": replace(DEFAULT, min_pages=30),
    "max_mismatch 0": replace(DEFAULT, max_mismatch=0.0),
    "max_mismatch .1": replace(DEFAULT, max_mismatch=0.1),
    "max_mismatch .3": replace(DEFAULT, max_mismatch=0.3),
    "near texts alone (min_exact 0)": replace(DEFAULT, min_exact=0.0),
    "titles alone (min_by_text 0)": replace(DEFAULT, min_by_text=0.0, min_exact=0.0),
    "unclear pages allowed (max_unclear 1)": replace(DEFAULT, max_unclear=1.0),
    "min_moves 2": replace(DEFAULT, min_moves=2),
    "all of these loose": replace(
        DEFAULT,
        min_pages=4,
        min_pages_each=1,
        max_mismatch=0.3,
        min_exact=0.0,
        min_by_text=0.0,
        max_unclear=1.0,
        min_moves=2,
    ),
}


@dataclass(slots=True)
class Score:
    """Proposals that are right or wrong, and what should have been proposed: found or missed."""

    right: int = 0
    wrong: list[str] = field(default_factory=list)
    found: int = 0
    missed: list[str] = field(default_factory=list)

    def add(self, other: Score) -> None:
        self.right += other.right
        self.wrong += other.wrong
        self.found += other.found
        self.missed += other.missed


Scores = dict[str, Score]
"""Scores by the kind of a parameter or path."""


def main() -> None:
    parser = options(__doc__ or "")
    parser.add_argument("--show", type=int, default=5, help="wrong and missed ones to show (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(%(default)s)")
    args = parser.parse_args()
    sites = make_sites(1, args.seed, share=0.5) if args.quick else make_sites(ROUNDS, args.seed)
    with tempfile.TemporaryDirectory(prefix="learned-") as folder, seenbefore.open(Path(folder) / "s.db") as db:
        items, seconds_in = read_in(db, sites)
        started = time.perf_counter()
        with db.store.reading() as unit:
            sample = read_sample(unit, load_rules(), load_policy())
        learned = learn_from(sample)
        seconds = time.perf_counter() - started
    scores = score(sites, learned)
    sweep = {}
    with progress_bar("limits", len(SWEEP)) as advance:
        for name, limits in SWEEP.items():
            sweep[name] = total(score(sites, learn_from(sample, limits=limits)))
            advance()
    figures = summary(sites, items, learned, scores, sweep)
    figures["seconds"] = {"reading in": round(seconds_in, 1), "learning": round(seconds, 1)}
    show(figures, scores, args.show)
    finish("learned_quick" if args.quick else "learned", figures, args)


def read_in(db: seenbefore.SeenBefore, sites: Sequence[Site]) -> tuple[int, float]:
    """Read all feeds of all sites; return how many items they list, and how long it took."""
    started, items = time.perf_counter(), 0
    with progress_bar("sites", len(sites)) as advance:
        for site in sites:
            for fetch in site.items():
                items += len(db.see_many(fetch))
            advance()
    return items, time.perf_counter() - started


# --- right or wrong -----------------------------------------------------------------------------


def score(sites: Sequence[Site], learned: Learned) -> Scores:
    """Hold all proposals against what is known of the sites."""
    by_host: dict[str, list[Finding]] = {}
    for finding in learned.findings:
        if finding.proposal:
            by_host.setdefault(finding.host, []).append(finding)
    scores: Scores = {}
    for site in sites:
        for kind, found in score_site(site, by_host.get(site.host, [])):
            scores.setdefault(kind, Score()).add(found)
    return scores


def score_site(site: Site, findings: Sequence[Finding]) -> Iterator[tuple[str, Score]]:
    """Yield what the proposals for a site are worth, by the kind of what each is about."""
    for finding in findings:
        role = finding.subject.value
        if finding.subject is Subject.PARAMETER:
            name = finding.name.partition(",")[0]
            roles = {
                p.role: drops(finding, name, kind) for kind in site.kinds for p in kind.parameters if p.name == name
            }
            role = next((role for role, is_dropped in roles.items() if is_dropped), next(iter(roles)))
        wrong = wrong_pair(site, finding)
        where = f"{site.host}: {finding.name} ({finding.tally.equal} equal, {finding.tally.different} different)"
        yield role, Score(wrong=[f"{where}: {wrong}"]) if wrong else Score(right=1)
    for role, name, is_found in expected(site, findings):
        yield role, Score(found=1) if is_found else Score(missed=[f"{site.host}: {name}"])


def wrong_pair(site: Site, finding: Finding) -> str:
    """Return two addresses that are two pages and one by the rule that is proposed; '' if there are none."""
    assert finding.proposal
    rules = compile_rules([parse_pack("learned.toml", write_pack([finding.proposal], "learned"))])
    by_name: dict[str, tuple[str, object]] = {}
    for url, key in site.addresses(1, TRIED):
        found = identify(url, rules)
        for name in (found.near, *(claim.value for claim in found.claims)):
            other, other_key = by_name.setdefault(name, (url, key))
            if other_key != key and are_same_page(found, identify(other, rules)):
                return f"{url} = {other}"
    return ""


def expected(site: Site, findings: Sequence[Finding]) -> Iterator[tuple[str, str, bool]]:
    """Yield what should be proposed for a site, and whether it is."""
    if not site.learnable:
        return
    for kind in site.kinds:
        pages = [shown for (name, _), shown in site.seen.items() if name == kind.name]
        for parameter in kind.parameters:
            count = sum(len(shown[parameter.name]) > 1 for shown in pages)
            if parameter.is_neutral and count >= DEFAULT.min_pages:
                is_found = any(drops(finding, parameter.name, kind) for finding in findings)
                yield parameter.role, f"{parameter.name} on {kind.name}", is_found
        moved = sum(len(shown[""]) > 1 for shown in pages)
        if kind.moves and moved >= DEFAULT.min_moves:
            yield kind.moves, kind.name, any(finding.subject.value == kind.moves for finding in findings)


def drops(finding: Finding, name: str, kind: Kind) -> bool:
    """Return whether a proposal drops a parameter on pages of a kind."""
    proposal = finding.proposal
    if proposal is None or name not in proposal.names:
        return False
    return any(compile_template(text).read("", kind.path(1, 0), {}) is not None for text in proposal.match)


# --- figures ------------------------------------------------------------------------------------


def total(scores: Scores) -> Score:
    """Return all scores together."""
    everything = Score()
    for each in scores.values():
        everything.add(each)
    return everything


def summary(
    sites: Sequence[Site], items: int, learned: Learned, scores: Scores, sweep: dict[str, Score]
) -> dict[str, object]:
    """Return all figures."""
    return {
        "sites": len(sites),
        "items": items,
        "observations": learned.observations,
        "kinds": {kind: figures_of(each) for kind, each in sorted(scores.items())},
        "total": figures_of(total(scores)),
        "limits": {name: figures_of(each) for name, each in sweep.items()},
        "why_not": dict(Counter(finding.why.value for finding in learned.findings)),
    }


def figures_of(found: Score) -> dict[str, object]:
    """Return counts and rates with their intervals."""
    proposed, wanted = found.right + len(found.wrong), found.found + len(found.missed)
    return {
        "proposed": proposed,
        "wrong": len(found.wrong),
        "precision": round(found.right / proposed, 4) if proposed else None,
        "precision_interval": wilson_interval(found.right, proposed),
        "expected": wanted,
        "found": found.found,
        "recall": round(found.found / wanted, 4) if wanted else None,
        "recall_interval": wilson_interval(found.found, wanted),
    }


def show(figures: dict[str, object], scores: Scores, most: int) -> None:
    """Print the tables."""
    kinds, limits = figures["kinds"], figures["limits"]
    assert isinstance(kinds, dict)
    assert isinstance(limits, dict)
    columns = ("", "proposed", "wrong", "precision", "95 %", "expected", "found", "recall", "95 %")
    title = f"{figures['sites']} sites, {figures['items']} items; {figures['seconds']} seconds"
    show_table(
        title, ("kind", *columns[1:]), [row(name, each) for name, each in {**kinds, "all": figures["total"]}.items()]
    )
    show_table("other limits", ("limits", *columns[1:]), [row(name, each) for name, each in limits.items()])
    CONSOLE.print(f"findings: {figures['why_not']}", markup=False, highlight=False)
    everything = total(scores)
    for what, rows in (("wrong", everything.wrong), ("missed", everything.missed)):
        for line in rows[:most]:
            CONSOLE.print(f"{what}: {line}", markup=False, highlight=False)


def row(name: str, found: dict[str, object]) -> tuple[object, ...]:
    """Return a row of a table."""
    return (
        name,
        found["proposed"],
        found["wrong"],
        found["precision"],
        interval(found["precision_interval"], found["proposed"]),
        found["expected"],
        found["found"],
        found["recall"],
        interval(found["recall_interval"], found["expected"]),
    )


def interval(found: object, of: object) -> str | None:
    """Return an interval for people; none where nothing was counted."""
    assert isinstance(found, tuple)
    return f"{found[0]:.2f}–{found[1]:.2f}" if of else None


if __name__ == "__main__":
    main()
