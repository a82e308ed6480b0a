"""How fast are addresses read, and are two of them one page? Beside the libraries that normalize addresses.

The addresses are made from labeled pairs: those kept beside the checkout, else those of the shipped rule packs.
All take turns on the same addresses, in one thread of one process; times are processor time, so that what else runs
on the machine counts less. A peer says that two addresses are one page when what it makes of them is equal; one that
raises is taken to give the address back. `--quick` takes a fifth of the addresses.
"""

from __future__ import annotations

import importlib
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from typing import Any

from harness.make_urls import hostile_urls, made_up_packs, make_urls
from harness.page import fill_section, machine_line, markdown_table, medians_of
from harness.replay_data import ROOT
from harness.report import CONSOLE, finish, options, progress_bar, show_floors, show_table

import seenbefore
from seenbefore.evaluate.interval import wilson_interval
from seenbefore.evaluate.urls import UrlPair, read_url_pairs
from seenbefore.rules import RuleKind, RulePack, Rules, compile_rules, load_rules, shipped_packs
from seenbefore.urls import identify, same_page, url_key

PAIRS = ROOT.parent / "shared" / "cases" / "urls.tsv"
FEW, MANY = 40, 1000
LENGTHS = (1_990, 8_000, 60_000)
FLOORS = {"identify": 60_000, "url_key": 120_000}
W3LIB = "w3lib canonicalize_url"
FLOORS_BESIDE_W3LIB = {"identify": 0.57, "url_key": 1.14}
MOST_FOR_MANY_PACKS, MOST_FOR_HOSTILE_MS = 1.1, 50
COLUMNS = ("library", "version", "URLs/s", "from–to", "÷ w3lib", "false merges", "missed", "right", "raised")

Key = Callable[[str], object]
Figures = dict[str, Any]

PEERS: Mapping[str, tuple[str, Callable[[Any], Key]]] = {
    W3LIB: ("w3lib.url", lambda module: module.canonicalize_url),
    "ural normalize_url": ("ural", lambda module: module.normalize_url),
    "ural, platform_aware": ("ural", lambda module: partial(module.normalize_url, platform_aware=True)),
    "courlan normalize_url": ("courlan", lambda module: partial(module.normalize_url, trailing_slash=False)),
    "url-normalize": ("url_normalize", lambda module: module.url_normalize),
    "can-ada href (parses only)": ("can_ada", lambda module: lambda url: module.parse(url).href),
    "yarl str(URL)": ("yarl", lambda module: lambda url: str(module.URL(url))),
}
"""What it is called → the module, and what makes a key of an address; with the options that score best."""


def main() -> None:
    parser = options(__doc__ or "")
    parser.add_argument("--urls", type=int, help="how many addresses (20,000, with --quick 4,000)")
    parser.add_argument("--repeats", type=int, default=5, help="(%(default)s)")
    args = parser.parse_args()
    pairs, origin = read_pairs()
    urls = make_urls(pairs, args.urls or (4_000 if args.quick else 20_000))
    rules = load_rules()
    peers, absent = find_peers()
    own: dict[str, Key] = {"identify": partial(identify, rules=rules), "url_key": partial(url_key, rules=rules)}
    figures: Figures = {
        "urls": len(urls),
        "pairs": len(pairs),
        "origin": origin,
        "repeats": args.repeats,
        "packs": len(rules.packs),
        "rules": sum(len(pack.rules) for pack in rules.packs),
        "absent": absent,
        "versions": {"identify": seenbefore.__version__, "url_key": seenbefore.__version__} | versions(peers),
        "speeds": measure_speeds(own | peers, urls, args.repeats),
        "accuracy": measure_accuracy(own | peers, pairs, rules),
        "many_packs": measure_many_packs(args.repeats, 2_000 if args.quick else 10_000),
        "load_ms": measure_loading(args.repeats),
        "hostile": measure_hostile(own),
    }
    show(figures)
    if not args.quick and args.save:
        fill_section("urls", page_section(figures))
    finish("urls_quick" if args.quick else "urls", figures, args)


# --- what is read -------------------------------------------------------------------------------


def read_pairs() -> tuple[Sequence[UrlPair], str]:
    """Return labeled pairs and where they come from."""
    if PAIRS.is_file():
        return read_url_pairs(PAIRS), "labeled pairs"
    return pairs_of_packs(shipped_packs()), "the pairs of the shipped packs"


def pairs_of_packs(packs: Sequence[RulePack]) -> list[UrlPair]:
    """Return the pairs of all rules that decide; those of hints say something else."""
    rules = [r for pack in packs for r in pack.rules if r.strong or r.kind is not RuleKind.IDENTITY]
    return [
        UrlPair(a, b, is_same, rule.pack)
        for rule in rules
        for is_same, found in ((True, rule.must_match), (False, rule.must_not_match))
        for a, b in found
    ]


def find_peers() -> tuple[dict[str, Key], list[str]]:
    """Return the peers that are installed, and the names of the others."""
    found, absent = {}, []
    for name, (module, make) in PEERS.items():
        try:
            found[name] = make(importlib.import_module(module))
        except ImportError:
            absent.append(name)
    return found, absent


def versions(peers: Mapping[str, Key]) -> dict[str, str]:
    """Return the version of each peer."""
    return {name: version(PEERS[name][0].partition(".")[0].replace("_", "-")) for name in peers}


# --- measuring ----------------------------------------------------------------------------------


def measure_speeds(subjects: Mapping[str, Key], urls: Sequence[str], repeats: int) -> Figures:
    """Return addresses per second: median, least and most of the repeats, in which all take turns."""
    rates: dict[str, list[float]] = {name: [] for name in subjects}
    with progress_bar("speed", repeats * len(subjects)) as advance:
        for repeat in range(repeats):
            turns = list(subjects.items())
            for name, key in turns if repeat % 2 == 0 else turns[::-1]:
                if repeat == 0:
                    seconds_for(key, urls[:500])
                rates[name].append(len(urls) / seconds_for(key, urls))
                advance()
    return {
        name: {
            "urls_per_second": round(statistics.median(found)),
            "slowest": round(min(found)),
            "fastest": round(max(found)),
        }
        for name, found in rates.items()
    }


def seconds_for(key: Key, urls: Sequence[str]) -> float:
    """Return the processor time for all addresses."""
    started = time.process_time()
    for url in urls:
        try:
            key(url)
        except Exception:  # whatever a peer raises on a strange address: that is counted elsewhere
            continue
    return time.process_time() - started


def measure_accuracy(subjects: Mapping[str, Key], pairs: Sequence[UrlPair], rules: Rules) -> Figures:
    """Return how often each is right; of ours, ``identify`` stands for what ``same_page`` says."""
    return {name: score(name, key, pairs, rules) for name, key in subjects.items()}


def score(name: str, key: Key, pairs: Sequence[UrlPair], rules: Rules) -> dict[str, object]:
    """Return the counts of one of them."""
    raised = 0

    def key_of(url: str) -> object:
        nonlocal raised
        try:
            return key(url)
        except Exception:  # see seconds_for
            raised += 1
            return url

    def is_same(pair: UrlPair) -> bool:
        if name == "identify":
            return same_page(pair.url_a, pair.url_b, rules)
        return key_of(pair.url_a) == key_of(pair.url_b)

    answers = [(is_same(pair), pair.is_same) for pair in pairs]
    right = sum(said == label for said, label in answers)
    return {
        "right": right,
        "false_merges": sum(said and not label for said, label in answers),
        "different": sum(not label for _, label in answers),
        "missed": sum(label and not said for said, label in answers),
        "same": sum(label for _, label in answers),
        "interval": list(wilson_interval(right, len(answers))),
        "raised": raised,
    }


def measure_many_packs(repeats: int, count: int) -> Figures:
    """Return how much longer ``identify`` takes with many packs than with few, on hosts that both know."""
    general = [pack for pack in shipped_packs() if any(not rule.hosts for rule in pack.rules)]
    started = time.process_time()
    many = compile_rules([*general, *made_up_packs(MANY)])
    loading = time.process_time() - started
    few = compile_rules([*general, *made_up_packs(FEW)])
    forms = (
        "https://www.site-{}.example/story/{}/words?from=x&utm_source=y",
        "https://site-{}.example/s?id={}&share=1",
    )
    urls = [forms[n % len(forms)].format(n % FEW, n) for n in range(count)]
    ratios = []
    for repeat in range(repeats + 1):
        order = [few, many] if repeat % 2 else [many, few]
        taken = {id(rules): seconds_for(partial(identify, rules=rules), urls) for rules in order}
        if repeat:  # the first fills what is remembered
            ratios.append(taken[id(many)] / taken[id(few)])
    return {"few": FEW, "many": MANY, "ratio": round(statistics.median(ratios), 3), "load_ms": round(loading * 1000)}


def measure_loading(repeats: int) -> float:
    """Return how long a new process takes to read the shipped packs, in milliseconds of its processor time."""
    code = (
        "import time; from seenbefore.rules import load_rules; start = time.process_time(); load_rules();"
        "print(time.process_time() - start)"
    )
    command = [sys.executable, "-c", code]
    runs = [float(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(repeats)]
    return round(statistics.median(runs) * 1000, 1)


def measure_hostile(own: Mapping[str, Key]) -> Figures:
    """Return the slowest of the hostile addresses: milliseconds (best of three), by which one."""
    found = []
    for length in LENGTHS:
        for name, url in hostile_urls(length).items():
            for key in own.values():
                key(url)  # ours must not raise, which seconds_for would hide
                taken = min(seconds_for(key, [url]) for _ in range(3))
                found.append((round(taken * 1000, 2), f"{name}, {length:,} characters"))
    slowest, name = max(found)
    return {"slowest_ms": slowest, "slowest": name, "addresses": len(found) // len(own)}


# --- what is told -------------------------------------------------------------------------------


def rows(figures: Figures) -> list[tuple[object, ...]]:
    """Return the lines of the table."""
    beside = figures["speeds"].get(W3LIB)
    return [
        (
            name if name in PEERS else f"seenbefore {name}",
            figures["versions"][name],
            speed["urls_per_second"],
            f"{speed['slowest'] / 1000:,.0f}k–{speed['fastest'] / 1000:,.0f}k",
            speed["urls_per_second"] / beside["urls_per_second"] if beside else None,
            f"{score['false_merges']} of {score['different']}",
            f"{score['missed']} of {score['same']}",
            "{:.1%} ({:.1%}–{:.1%})".format(score["right"] / figures["pairs"], *score["interval"]),
            score["raised"],
        )
        for name, speed in figures["speeds"].items()
        for score in (figures["accuracy"][name],)
    ]


def floors(figures: Figures) -> list[tuple[str, float, str, bool]]:
    """Return what must hold, the figure, the floor, and whether it is met."""
    rates = {name: found["urls_per_second"] for name, found in figures["speeds"].items()}
    found = [
        (f"{name}, URLs/s", rates[name], f"at least {least:,}", rates[name] >= least) for name, least in FLOORS.items()
    ]
    if W3LIB in rates:
        for name, least in FLOORS_BESIDE_W3LIB.items():
            ratio = rates[name] / rates[W3LIB]
            found.append((f"{name} ÷ w3lib", ratio, f"at least {least}", ratio >= least))
    ratio, slowest = figures["many_packs"]["ratio"], figures["hostile"]["slowest_ms"]
    return [
        *found,
        (
            f"identify with {MANY:,} ÷ {FEW} packs",
            ratio,
            f"at most {MOST_FOR_MANY_PACKS}",
            ratio <= MOST_FOR_MANY_PACKS,
        ),
        ("slowest hostile address, ms", slowest, f"at most {MOST_FOR_HOSTILE_MS}", slowest <= MOST_FOR_HOSTILE_MS),
    ]


def show(figures: Figures) -> None:
    """Print the tables."""
    show_table(title(figures), COLUMNS, rows(figures))
    show_floors(floors(figures))
    CONSOLE.print(notes(figures), markup=False, highlight=False)
    if figures["absent"]:
        CONSOLE.print(f"Not compared, because not installed here: {'; '.join(figures['absent'])}.")


def title(figures: Figures) -> str:
    """Return what was measured."""
    return f"{figures['urls']:,} addresses made from {figures['pairs']} pairs ({figures['origin']})"


def notes(figures: Figures) -> str:
    """Return the figures that stand in no table."""
    packs, hostile = figures["many_packs"], figures["hostile"]
    return (
        f"The {figures['rules']} rules of {figures['packs']} packs are read in {figures['load_ms']} ms, once per "
        f"process, {packs['many']:,} made-up packs in {packs['load_ms']} ms. The slowest of {hostile['addresses']} "
        f"hostile addresses takes {hostile['slowest_ms']} ms ({hostile['slowest']})."
    )


def page_section(figures: Figures) -> str:
    """Return what the page about speed says of this run."""
    kept = [(name, value, wanted, "met" if met else "not met") for name, value, wanted, met in floors(figures)]
    return "\n\n".join(
        (
            f"{title(figures)}, {medians_of(figures['repeats'], 'run')}, {machine_line()}:",
            markdown_table(COLUMNS, rows(figures)),
            markdown_table(("floor", "measured", "wanted", ""), kept),
            notes(figures),
        )
    )


if __name__ == "__main__":
    main()
