"""``seenbefore rules``: what the rules are, whether a pack is sound, and what it would do to what is stored."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import click

from ..engine.packlist import (
    Rule,
    RulePack,
    change_to_json,
    compare_packs,
    concerning,
    find_rules,
    pack_to_json,
    prove_packs,
    rule_to_json,
    shipped_packs,
)
from ..engine.rulesjson import version_to_json
from ..model import RuleVersion
from ..settings import read_pack
from ..wiring import SeenBefore
from .opening import open_store, rules_in_force
from .options import EXIT_CODES, Settings, get_settings, json_option, shared_options
from .output import Screen
from .rules_in_store import activate_command, check_command, rollback_command
from .rules_learned import learn_command
from .tables import plain_table, show_table, time_text

_STATES = {
    "activating": "was cut off: activate the same file again",
    "active": "in force",
    "rolling_back": "taking back was cut off: roll it back again",
    "rolled_back": "taken back",
}


@click.group("rules", epilog=EXIT_CODES)
def rules_command() -> None:
    """Look at the rules, write your own, and see what they would do before they do it.

    \b
    Examples:
      seenbefore rules list
      seenbefore rules test mine.toml
      seenbefore rules check mine.toml --db news.db
      seenbefore rules activate mine.toml --db news.db
      seenbefore rules rollback v1 --db news.db
    """


for command in (check_command, activate_command, rollback_command, learn_command):
    rules_command.add_command(command)


@rules_command.command("list", epilog=EXIT_CODES)
@click.option("--own", is_flag=True, help="Only packs that were added to the shipped ones.")
@json_option
@shared_options
@click.pass_context
def list_command(ctx: click.Context, own: bool, as_json: bool) -> None:
    """List the packs in force, and what was activated in the database.

    \b
    Examples:
      seenbefore rules list
      seenbefore rules list --own --db news.db --json
    """
    settings = get_settings(ctx)
    screen = Screen(settings)
    rules, versions = rules_in_force(settings)
    packs = [pack for pack in rules.packs if pack.own or not own]
    if as_json:
        screen.json(
            {
                "rules_version": rules.version,
                "packs": [pack_to_json(pack) for pack in packs],
                "versions": [version_to_json(version) for version in versions],
            }
        )
        return
    rows = [
        [p.name, str(p.version), "own" if p.own else "shipped", str(len(p.rules)), screen.safe(p.about)] for p in packs
    ]
    show_table(screen, plain_table("", ["pack", "version", "from", "rules", "about"], rows))
    if versions:
        _show_versions(screen, versions)
    screen.line(f"rules version {rules.version}")


def _show_versions(screen: Screen, versions: Sequence[RuleVersion]) -> None:
    rows = [
        [v.version_id, f"{v.pack}@{v.pack_version}", time_text(v.activated_at), screen.safe(v.author), _STATES[v.state]]
        for v in versions
    ]
    show_table(screen, plain_table("Activated in this database", ["", "pack", "when", "by", "now"], rows))
    for version in versions:
        if version.forced:
            count = "1 collision" if version.collisions == 1 else f"{version.collisions} collisions"
            said = f"{version.version_id} was forced over {count}: {version.forced}"
            screen.line(screen.safe(said))


@rules_command.command("show", epilog=EXIT_CODES)
@click.argument("what", metavar="PACK|RULE|v3")
@json_option
@shared_options
@click.pass_context
def show_command(ctx: click.Context, what: str, as_json: bool) -> None:
    """Show a pack, a rule with its examples, or what was activated as v3.

    \b
    Examples:
      seenbefore rules show youtube
      seenbefore rules show youtube-video --json
    """
    settings = get_settings(ctx)
    screen = Screen(settings)
    if _is_version(what):
        with open_store(settings) as db:
            version = db.rules.version(what)
        if as_json:
            screen.json({**version_to_json(version), "text": version.text})
        else:
            _show_versions(screen, [version])
            for line in version.text.splitlines():
                screen.line(screen.safe(line.expandtabs(4)))
        return
    rules, _ = rules_in_force(settings)
    found = find_rules(rules, what)
    if not found:
        raise click.UsageError(f"there is no pack or rule {what!r}; see: seenbefore rules list")
    for rule in found:
        if as_json:
            screen.json(rule_to_json(rule))
        else:
            _show_rule(screen, rule)


def _show_rule(screen: Screen, rule: Rule) -> None:
    screen.line(screen.paint(f"{rule.id}", "cyan") + f"  ({rule.kind}, pack {rule.pack} {rule.pack_version})")
    for name, value in rule_to_json(rule).items():
        if name in ("id", "kind", "pack", "version"):
            continue
        if name in ("must_match", "must_not_match"):
            screen.line(f"  {name}")
            for one, other in getattr(rule, name):
                screen.line(f"    {screen.safe(one)}\n      {screen.safe(other)}")
            continue
        told = ", ".join(map(str, value)) if isinstance(value, list) else " ".join(str(value).split())
        screen.line(f"  {name:12} {screen.safe(told)}")
    screen.line()


@rules_command.command("test", epilog=EXIT_CODES)
@click.argument("files", metavar="[FILE.toml]...", nargs=-1)
@json_option
@shared_options
@click.pass_context
def test_command(ctx: click.Context, files: tuple[str, ...], as_json: bool) -> None:
    """Ask the pairs of a pack, or of all shipped packs: do they meet, and stay apart, as the pack says?

    \b
    Examples:
      seenbefore rules test mine.toml
      seenbefore rules test
    """
    screen = Screen(get_settings(ctx))
    tested = prove_packs([read_pack(file) for file in files])
    if as_json:
        screen.json(tested.to_json())
    else:
        for pack, failure in tested.failures:
            screen.complain(f"{failure.rule.where or pack.name}: {failure.message}")
        count = "1 pack" if tested.packs == 1 else f"{tested.packs} packs"
        screen.line(f"{count}, {tested.pairs} pairs, {len(tested.failures)} of them do not hold")
    ctx.exit(1 if tested.failures else 0)


@rules_command.command("diff", epilog=EXIT_CODES)
@click.argument("one", metavar="V1|FILE|shipped")
@click.argument("other", metavar="V2|FILE|shipped")
@json_option
@shared_options
@click.pass_context
def diff_command(ctx: click.Context, one: str, other: str, as_json: bool) -> None:
    """Show which rules differ between two activations (v1, v2), files, or what is shipped.

    v3 stands for all packs of your own that were in force after that activation, v0 for none.

    \b
    Examples:
      seenbefore rules diff v1 v2 --db news.db
      seenbefore rules diff shipped mine.toml
    """
    settings = get_settings(ctx)
    screen = Screen(settings)
    changes = compare_packs(*_two_sides(settings, one, other))
    if as_json:
        screen.json({"changes": [change_to_json(change) for change in changes]})
        return
    for change in changes:
        fields = f": {', '.join(change.fields)}" if change.fields else ""
        screen.line(f"{change.what:8} {change.rule_id}{fields}")
        for name in change.fields:
            before, after = (rule_to_json(rule).get(name) for rule in (change.before, change.after) if rule)
            screen.line(f"           {name}: {screen.safe(before)}  ->  {screen.safe(after)}")
    if not changes:
        screen.line("no rule differs")


def _two_sides(settings: Settings, one: str, other: str) -> tuple[list[RulePack], list[RulePack]]:
    """The packs on both sides; beside a file, and beside the shipped ones, only what concerns the other side."""
    with contextlib.ExitStack() as stack:
        db = stack.enter_context(open_store(settings)) if any(map(_is_version, (one, other))) else None
        sides = {what: _packs(what, db) for what in (one, other)}
    told = [what for what in sides if what != "shipped"]
    narrow = [what for what in told if not _is_version(what)] or (told if len(told) < len(sides) else [])
    named = [pack for what in narrow for pack in sides[what]]
    if named:
        sides = {what: concerning(packs, named) for what, packs in sides.items()}
    return sides[one], sides[other]


def _is_version(what: str) -> bool:
    return what[:1] == "v" and what[1:].isdecimal()


def _packs(what: str, db: SeenBefore | None) -> list[RulePack]:
    if what == "shipped":
        return list(shipped_packs())
    if db is not None and _is_version(what):
        return db.rules.packs_at(what)
    return [read_pack(what)]
