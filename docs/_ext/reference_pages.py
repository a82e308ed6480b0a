"""Writes the tables of the reference from what the package says about itself, each time the pages are built.

A line ``<!-- generated: NAME -->`` in a page stands for the text that the function of this name returns.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import click

from seenbefore import codes
from seenbefore.cli.app import app as command_line
from seenbefore.cli.options import EXIT_CODES
from seenbefore.decisionjson import decision_schema
from seenbefore.engine.exportfile import LEFT_OUT
from seenbefore.policy import policy_fields
from seenbefore.rules import Rule, RuleKind, rule_hosts, shipped_packs

if TYPE_CHECKING:
    from sphinx.application import Sphinx

MARKER = re.compile(r"^<!-- generated: ([a-z_]+) -->$", re.MULTILINE)
_SETTING = re.compile(r"(?P<name>\w+) = (?P<value>[^#]*?)\s*(?:#\s*(?P<comment>.*))?")
_EXIT_CODE = re.compile(r"^  (\d+)  (.*)$", re.MULTILINE)


def fill(page: str) -> str:
    """Return the page with every marker replaced by what it stands for.

    >>> "first_seen" in fill("<!-- generated: new_reasons -->")
    True
    >>> fill("nothing to generate")
    'nothing to generate'
    """
    return MARKER.sub(lambda found: GENERATED[found[1]](), page)


def setup(app: Sphinx) -> dict[str, object]:
    """Connect to the build: pages are filled when they are read, and read again at every build."""

    def on_read(_: Sphinx, __: str, source: list[str]) -> None:
        source[0] = fill(source[0])

    def outdated(_: Sphinx, env: Any, *__: object) -> list[str]:
        paths = {name: env.doc2path(name) for name in env.found_docs}
        return [name for name, path in paths.items() if MARKER.search(path.read_text(encoding="utf-8"))]

    app.connect("source-read", on_read)
    app.connect("env-get-outdated", outdated)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


# --- Markdown -----------------------------------------------------------------------------------


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    r"""Return a Markdown table.

    >>> print(table(["code", "meaning"], [["a|b", "two lines\nin one"]]))
    | code | meaning |
    |---|---|
    | a\|b | two lines in one |
    """
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(map(_cell, line)) + " |" for line in lines).replace(
        "| " + " | ".join(["---"] * len(columns)) + " |", "|" + "---|" * len(columns), 1
    )


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def code(text: object) -> str:
    """Return the text as code, and nothing for nothing."""
    return f"`{text}`" if str(text) else ""


def code_table(meanings: Mapping[str, str], name: str = "code") -> str:
    """Return a table of codes and what they mean."""
    return table([name, "meaning"], [[code(key), meaning] for key, meaning in meanings.items()])


def checks() -> str:
    """Return a table of what `check` looks for and what to do about it."""
    rows = [[code(key), meaning, codes.CHECK_ADVICE[key]] for key, meaning in codes.CHECKS.items()]
    return table(["code", "meaning", "what to do"], rows)


# --- policy -------------------------------------------------------------------------------------


def policy_comments() -> dict[str, str]:
    """Return the comment of every setting in the default policy as ``section.name`` → text."""
    text = files("seenbefore.policy").joinpath("default.toml").read_text(encoding="utf-8")
    comments: dict[str, str] = {}
    section = ""
    for line in text.splitlines():
        if line.startswith("["):
            section = line.strip("[] ")
        elif section and (found := _SETTING.fullmatch(line.strip())):
            comments[f"{section}.{found['name']}"] = found["comment"] or ""
    return comments


def policy_settings() -> str:
    """Return a table of all settings, their default values and their meaning."""
    comments = policy_comments()
    rows = [
        [code(name), code(json.dumps(default)), comments.get(name, "")] for name, default in policy_fields().items()
    ]
    return table(["setting", "default", "meaning"], rows)


def policy_file() -> str:
    """Return the default policy as it is shipped."""
    text = files("seenbefore.policy").joinpath("default.toml").read_text(encoding="utf-8")
    tomllib.loads(text)
    return f"```toml\n{text}```"


# --- rules --------------------------------------------------------------------------------------


def rule_packs() -> str:
    """Return a section per shipped pack with a table of its rules, each with its pairs."""
    packs = shipped_packs()
    rules = sum(len(pack.rules) for pack in packs)
    parts = [f"{len(packs)} packs with {rules} rules.\n"]
    for pack in packs:
        parts.append(f"### {pack.name}, version {pack.version}\n\n{pack.about}\n")
        rows = [
            [code(r.id), _scope(r), _effect(r), r.reason, _pairs(r.must_match), _pairs(r.must_not_match)]
            for r in pack.rules
        ]
        columns = ["rule", "hosts", "what it does", "why", "one page", "two pages"]
        parts.append(table(columns, rows) + "\n")
    return "\n".join(parts)


def _scope(rule: Rule) -> str:
    return ", ".join(map(code, rule_hosts(rule))) or "all"


def _effect(rule: Rule) -> str:
    """What a rule does, in a few words."""
    near = "" if rule.strong else " (near only)"
    if rule.kind is RuleKind.IDENTITY:
        return f"{rule.reads.value} {code(rule.value)} from {', '.join(map(code, rule.match))}{near}"
    if rule.kind is RuleKind.ALIAS:
        return f"is {code(rule.to)}"
    if rule.kind is RuleKind.UNWRAP:
        return f"takes the address out of {', '.join(map(code, rule.match))}"
    names = [*rule.names, *(f"{prefix}*" for prefix in rule.prefixes)]
    limits = [*rule.values[:6], *(["..."] if len(rule.values) > 6 else []), *rule.value_types]
    only = f" when the value is {', '.join(map(code, limits))}" if limits else ""
    beside = f" beside {', '.join(map(code, rule.beside))}" if rule.beside else ""
    return f"{rule.kind.value}s " + ", ".join(map(code, names)) + only + beside + near


def _pairs(pairs: Sequence[tuple[str, str]]) -> str:
    return "<br>".join(f"{code(one)} {code(other)}" for one, other in pairs[:3])


# --- JSON ---------------------------------------------------------------------------------------


def decision_schema_text() -> str:
    """Return the JSON Schema of a decision."""
    return "```json\n" + json.dumps(decision_schema(), indent=2) + "\n```"


# --- command line -------------------------------------------------------------------------------


def commands() -> str:
    """Return a section per command with its help text and the options that are its own."""
    context = click.Context(command_line, info_name="seenbefore")
    shared = {str(option.name) for option in _options(command_line)}
    return "\n\n".join(_command_section(path, command, shared) for path, command in walk(command_line, context))


def shared_options() -> str:
    """Return a table of the options that every command understands."""
    return _option_table(_options(command_line))


def exit_codes() -> str:
    """Return a table of the exit codes and what they mean."""
    return table(["code", "meaning"], [[code(number), text] for number, text in _EXIT_CODE.findall(EXIT_CODES)])


def walk(group: click.Group, context: click.Context) -> Iterable[tuple[str, click.Command]]:
    """Yield every command under a group that does something itself, with its full name."""
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        path = f"{context.command_path} {name}"
        if isinstance(command, click.Group):
            yield from walk(command, click.Context(command, parent=context, info_name=name))
        else:
            yield path, command


def _options(command: click.Command) -> list[click.Option]:
    return [p for p in command.params if isinstance(p, click.Option)]


def _command_section(path: str, command: click.Command, shared: set[str]) -> str:
    arguments = [p for p in command.params if isinstance(p, click.Argument)]
    usage = " ".join([path, *(p.make_metavar(click.Context(command)) for p in arguments), "[OPTIONS]"])
    own = [option for option in _options(command) if str(option.name) not in shared]
    parts = [f"## {path}", f"```text\n{usage}\n```", _help_text(command.help or "")]
    if own:
        parts.append(_option_table(own))
    return "\n\n".join(parts)


def _help_text(text: str) -> str:
    """Help paragraphs as they are; those that click must not wrap become blocks."""
    paragraphs = []
    for paragraph in re.split(r"\n\s*\n", re.sub(r"(?m)^    ", "", text.strip())):
        if paragraph.startswith("\b\n"):
            paragraphs.append(f"```text\n{paragraph[2:]}\n```")
        else:
            paragraphs.append(re.sub(r"([_*<{\[\]`])", r"\\\1", paragraph))
    return "\n\n".join(paragraphs)


def _option_table(options: Iterable[click.Option]) -> str:
    rows = []
    for option in options:
        names = ", ".join(map(code, option.opts))
        value = "" if option.is_flag else code(option.make_metavar(click.Context(command_line)))
        text = option.help or ""
        if isinstance(option.envvar, str):
            text += f" Environment variable: {code(option.envvar)}."
        if option.required:
            text += " Required."
        rows.append([names, value, text])
    return table(["option", "value", "meaning"], rows)


GENERATED: dict[str, Callable[[], str]] = {
    "new_reasons": lambda: code_table(codes.NEW_REASONS),
    "review_reasons": lambda: code_table(codes.REVIEW_REASONS),
    "duplicate_reasons": lambda: code_table(codes.DUPLICATE_REASONS),
    "update_reasons": lambda: code_table(codes.UPDATE_REASONS),
    "evidence_kinds": lambda: code_table(codes.EVIDENCE_KINDS, "kind"),
    "flags": lambda: code_table(codes.FLAGS, "flag"),
    "events": lambda: code_table(codes.EVENTS, "event"),
    "trust_reasons": lambda: code_table(codes.TRUST_REASONS),
    "log_events": lambda: code_table(codes.LOG_EVENTS, "event"),
    "checks": checks,
    "mix_warnings": lambda: code_table(codes.MIX_WARNINGS),
    "left_out": lambda: code_table(LEFT_OUT),
    "policy_settings": policy_settings,
    "policy_file": policy_file,
    "rule_packs": rule_packs,
    "decision_schema": decision_schema_text,
    "commands": commands,
    "shared_options": shared_options,
    "exit_codes": exit_codes,
}
