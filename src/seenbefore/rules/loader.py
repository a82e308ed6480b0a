"""Reads the packs that are shipped, and lays somebody's own ones over them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from ..errors import InvalidRule
from .reading import parse_pack
from .ruleset import Rules, compile_rules
from .schema import RulePack
from .snapshot import digest_files, read_snapshot, write_snapshot


def load_rules(extra: Sequence[tuple[str, str]] = ()) -> Rules:
    """Return the rules shipped with the package, together with ``extra`` packs as (file name, TOML text).

    >>> rules = load_rules()
    >>> [rule.id for rule in rules.for_host("example.com").dropping("utm_source")]
    ['google-analytics-campaign']
    >>> rules.for_host("example.com").dropping("id")
    ()

    A pack of somebody's own takes the place of a shipped one with the same name, and its rules win over shipped ones
    on the same host. Whether its pairs hold is for ``urls.proving``.

    Raises:
        InvalidRule: a pack breaks the schema; file, rule and line are named.
    """
    if not extra:
        return _shipped_rules()
    return lay_over([parse_pack(name, text) for name, text in extra])


def lay_over(own: Sequence[RulePack]) -> Rules:
    """Return the shipped packs with somebody's own ones over them. Raises InvalidRule for a name that stands twice."""
    names = [pack.name for pack in own]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise InvalidRule(f"the pack {twice!r} exists twice", f"pack {twice}")
    ids: dict[str, str] = {}
    for pack in own:
        for rule in pack.rules:
            if ids.setdefault(rule.id, pack.name) != pack.name:
                raise InvalidRule(f"the rule {rule.id!r} exists twice", f"pack {pack.name}")
    shipped = _shipped_rules()
    kept = [_without(pack, ids) for pack in shipped.packs if pack.name not in names]
    return compile_rules([*kept, *own], shipped.version)


def _without(pack: RulePack, ids: dict[str, str]) -> RulePack:
    """The pack without rules whose id somebody's own rule has: that one takes its place."""
    if not any(rule.id in ids for rule in pack.rules):
        return pack
    rules = tuple(rule for rule in pack.rules if rule.id not in ids)
    return RulePack(pack.name, pack.version, rules, pack.about)


@cache
def shipped_packs() -> tuple[RulePack, ...]:
    """Return the packs that come with the package, by name, with the reasons and pairs of their rules."""
    packs = [parse_pack(name, content.decode(), own=False) for name, content in shipped_files()]
    return tuple(sorted(packs, key=lambda pack: pack.name))


@cache
def _shipped_rules() -> Rules:
    """The shipped rules without what only people read."""
    snapshot = resources.files(__package__) / "data" / "shipped.json"
    digest = digest_files(shipped_files())
    packs = read_snapshot(snapshot.read_text(encoding="utf-8"), digest) if snapshot.is_file() else None
    return compile_rules(packs or shipped_packs(), f"builtin@{digest[:8]}")


def make_snapshot() -> str:
    """Return the text that ``shipped.json`` should have; ``./dev rules`` writes it."""
    return write_snapshot(shipped_packs(), digest_files(shipped_files()))


@cache
def shipped_files() -> tuple[tuple[str, bytes], ...]:
    """Return the names and contents of the files that are shipped."""
    return tuple(_files_in(resources.files(__package__) / "data"))


def _files_in(folder: Traversable) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _files_in(entry)
        elif entry.name.endswith(".toml"):
            yield entry.name, entry.read_bytes()
