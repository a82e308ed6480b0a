"""The database of a command, opened with what the shared options say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from .. import wiring
from ..engine.dryrun import DryRun
from ..engine.packlist import Rules
from ..model import RuleVersion
from ..settings import is_there, read_rules
from .options import Settings


def open_store(settings: Settings, *, create: bool = False) -> wiring.SeenBefore:
    """Return the open database; without ``create`` it must be there."""
    return wiring.open_db(settings.db, create=create, policy=settings.policy, rule_packs=settings.rules)


def rules_in_force(settings: Settings) -> tuple[Rules, list[RuleVersion]]:
    """Return the rules of the database and what was activated there; without a database, those without any."""
    if not is_there(settings.db):
        return read_rules(settings.rules), []
    with open_store(settings) as db:
        return db.rules.current(), db.rules.versions()


def open_dry_run(settings: Settings) -> DryRun:
    """Return a scratch copy of the database; a missing file is not made."""
    return wiring.open_dry_run(settings.db, policy=settings.policy, rule_packs=settings.rules)


def in_memory_opener(settings: Settings) -> Callable[[], wiring.SeenBefore] | None:
    """Return what opens empty stores with the given policy and rules; None when none are given."""
    if not (settings.policy or settings.rules):
        return None
    return lambda: wiring.open_db(":memory:", policy=settings.policy, rule_packs=settings.rules)


def file_opener(settings: Settings) -> Callable[[Path], wiring.SeenBefore]:
    """Return what opens a database file, made if there is none, with the given policy and rules."""
    return lambda path: wiring.open_db(path, policy=settings.policy, rule_packs=settings.rules)
