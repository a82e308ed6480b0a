"""``seenbefore urls``: what an address stands for, and whether two are one page."""

from __future__ import annotations

import click

from ..sources.items import LineError
from ..urls import identify
from ..urls.explain import PairExplanation, UrlExplanation, explain_pair, explain_url, rule_name
from .opening import open_store, rules_in_force
from .options import EXIT_CODES, get_settings, json_option, shared_options
from .output import Screen
from .tables import plain_table, show_table


@click.group("urls", epilog=EXIT_CODES)
def urls_command() -> None:
    """Say what an address stands for, and take in redirects that were seen elsewhere.

    \b
    Examples:
      seenbefore urls explain "https://youtu.be/dQw4w9WgXcQ?si=abc"
      seenbefore urls explain http://example.com/a/ https://www.example.com/a
      seenbefore urls redirects moved.csv --db news.db
    """


@urls_command.command("explain", epilog=EXIT_CODES)
@click.argument("url", metavar="URL")
@click.argument("other", metavar="[URL]", required=False)
@json_option
@shared_options
@click.pass_context
def explain_command(ctx: click.Context, url: str, other: str | None, as_json: bool) -> None:
    """Say what an address is known by and how that was found; of two, whether they are one page, and why.

    No database is needed: what is said follows from the rules and the addresses alone. Rules that were activated
    in a database count if it is there, those of --rules always. Put an address in quotes when it holds & or ?.

    \b
    url       the key that any server takes as one address
    url_near  the key of what nearly every site shows as one page; a hint when items come in
    fetch     the address to request
    claim     what the site itself calls the page; strong ones decide, near ones are hints

    --json gives one mapping; nothing in it is masked.

    \b
    original, key, near, fetch          the address, its url key, its url_near key, the one to request
    claims                              each with value, strength (strong, near), reads (id, slug),
                                        rule, pack, pack_version
    trace, steps                        what was done, as codes and as text with near_only, rule, pack,
                                        pack_version, reason
    host, path, is_home, near_is_home   parts of the near key; whether it is the front page of a host
    literal                             no web address; it stands for itself
    secret_in_url, rules_version        it holds a secret; the rules that were asked

    \b
    Of two addresses:
    same, reason, why                   the answer; equal_url, equal_claim, equal_near, other_id,
                                        nothing_shared, empty; sentences
    shared, hints                       equal claims: strong in both, and others
    conflicts                           ids that differ: namespace, a, b
    differences                         what differs in the near keys: part, name, a, b
    a, b                                the two, each as above

    \b
    Examples:
      seenbefore urls explain "https://example.com/a?utm_source=rss#top" --json
      seenbefore urls explain "https://example.com/a?page=1" "https://example.com/a?page=2"
    """
    settings = get_settings(ctx)
    screen = Screen(settings)
    rules, _ = rules_in_force(settings)
    first, *rest = (explain_url(identify(each, rules), rules) for each in (url, other) if each is not None)
    if rest:
        pair = explain_pair(first.identity, rest[0].identity)
        _show_pair(screen, pair, (first, rest[0]), as_json=as_json)
    elif as_json:
        screen.json(first.to_json())
    else:
        _show_one(screen, first)


def _show_one(screen: Screen, told: UrlExplanation) -> None:
    for name, values in _facts(screen, told).items():
        for value in values:
            screen.line(f"{name:8}  {value}")
    screen.line()
    for line in _numbered(screen, told):
        screen.line(line)


def _show_pair(
    screen: Screen, pair: PairExplanation, told: tuple[UrlExplanation, UrlExplanation], *, as_json: bool
) -> None:
    if as_json:
        screen.json({**pair.to_json(), "a": told[0].to_json(), "b": told[1].to_json()})
        return
    sides = [_facts(screen, each) | {"steps": _numbered(screen, each)} for each in told]
    rows = [[name, *("\n".join(side[name]) for side in sides)] for name in sides[0]]
    show_table(screen, plain_table("", ["", "first", "second"], [row for row in rows if row[1] or row[2]]))
    screen.line(screen.paint("One page" if pair.same else "Two pages", "green" if pair.same else "yellow", bold=True))
    for sentence in pair.why:
        screen.line(f"  {screen.safe(sentence)}")


def _facts(screen: Screen, told: UrlExplanation) -> dict[str, list[str]]:
    """What an address is known by, safe to show; a name without anything has an empty list."""
    found = told.identity
    facts = {
        "original": screen.safe(found.original),
        "url": screen.safe_key(found.key),
        "url_near": screen.safe_key(found.near),
        "fetch": screen.safe(found.fetch),
    }
    claims = [
        f"{screen.safe_key(claim.value)}  ({'strong' if claim.strong else 'near'} {claim.reads.value}; "
        f"{rule_name(claim.rule_id, claim.pack, claim.pack_version)})"
        for claim in found.claims
    ]
    return {name: [value] if value else [] for name, value in facts.items()} | {"claim": claims}


def _numbered(screen: Screen, told: UrlExplanation) -> list[str]:
    return [f"{number}. {screen.safe(step)}" for number, step in enumerate(told.steps, 1)]


@urls_command.command("redirects", epilog=EXIT_CODES)
@click.argument("file", metavar="FILE")
@json_option
@shared_options
@click.pass_context
def redirects_command(ctx: click.Context, file: str, as_json: bool) -> None:
    """Take in a list of redirects: permanent ones make two addresses one page, for what is stored and what comes.

    FILE is CSV or TSV with the columns from, to and status (a heading may name them), or JSON lines. Redirects
    without a status are taken as permanent; temporary ones (302, 303, 307) are only counted.

    \b
    Example:
      seenbefore urls redirects moved.csv --db news.db
    """
    settings = get_settings(ctx)
    screen = Screen(settings)
    skipped: list[LineError] = []
    with open_store(settings) as db:
        for last in db.rules.record_redirects(file, complain=skipped.append):
            done = last
    for error in skipped:
        screen.complain(f"{file}: line {error.line}: {error.message}; left out")
    formed = done.reformed
    if as_json:
        counts = {"given": done.given, "new": done.new, "temporary": done.temporary, "unusable": done.unusable}
        screen.json({**counts, "unreadable": len(skipped), "merged": formed.merged, "reviews": formed.reviews})
    else:
        screen.line(
            f"{done.new} new redirects of {done.given}; {done.temporary} temporary, {done.unusable} of use to nobody; "
            f"{formed.merged} records merged into others, {formed.reviews} pairs wait for a person"
        )
    ctx.exit(1 if skipped else 0)
