"""Bring a database file to the newest schema: numbered SQL files, one transaction each.

``PRAGMA user_version`` is the number of the last file applied, ``PRAGMA application_id`` says that
the file is ours. Both are written in the same transaction as the tables, so several processes may
open a fresh file at once: one creates it, the others find it done.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from importlib import resources
from typing import NamedTuple

from ..errors import StoreError, StoreVersionError
from .session import Session

APPLICATION_ID = 0x5EE2B4
"""Stands in the header of every seenbefore file."""


class Migration(NamedTuple):
    """One numbered SQL file."""

    number: int
    name: str
    sql: str


def load_migrations() -> list[Migration]:
    """Return the migrations of this package in order, numbered 1, 2, 3 … without a gap."""
    files = resources.files(__package__).joinpath("sql").iterdir()
    names = sorted(file.name for file in files if file.name.endswith(".sql"))
    found = [_load(name) for name in names]
    if [migration.number for migration in found] != list(range(1, len(found) + 1)):
        raise StoreError(f"the migrations of this installation are not numbered without a gap: {names}")
    return found


def _load(name: str) -> Migration:
    sql = resources.files(__package__).joinpath("sql").joinpath(name).read_text(encoding="utf-8")
    return Migration(int(name.partition("_")[0]), name, sql)


def apply_migrations(session: Session, path: str, migrations: Sequence[Migration] | None = None) -> None:
    """Bring the file to the newest schema; a file that is up to date is only read.

    Raises:
        StoreVersionError: a newer seenbefore wrote the file.
        StoreError: the file belongs to another program.
    """
    steps = load_migrations() if migrations is None else migrations
    while _inside("BEGIN", session, lambda: _version(session, path, len(steps))) < len(steps):
        _inside("BEGIN IMMEDIATE", session, lambda: _apply_next(session, path, steps))


def _inside(begin: str, session: Session, act: Callable[[], int]) -> int:
    """Return what ``act`` returns in a transaction of its own.

    Reading needs one too: the few facts about a file must be of one moment while others may create it.
    """
    session.run(begin)
    try:
        result = act()
        session.commit()
    except BaseException:
        session.roll_back()
        raise
    return result


def _apply_next(session: Session, path: str, steps: Sequence[Migration]) -> int:
    version = _version(session, path, len(steps))  # again: another process may have been faster
    if version < len(steps):
        _apply(session, steps[version])
    return version


def _apply(session: Session, migration: Migration) -> None:
    for statement in split_statements(migration.sql):
        session.run(statement)
    session.run(f"PRAGMA application_id = {APPLICATION_ID}")
    session.run(f"PRAGMA user_version = {migration.number}")


def _version(session: Session, path: str, newest: int) -> int:
    application_id = _pragma(session, "application_id")
    version = _pragma(session, "user_version")
    if application_id == APPLICATION_ID:
        if version > newest:
            raise StoreVersionError(
                f"a newer seenbefore wrote this file (schema {version}, this one knows {newest}); update it",
                path,
            )
        return version
    tables = [name for (name,) in session.rows("SELECT name FROM sqlite_master ORDER BY name LIMIT 5")]
    if application_id or version or tables:
        raise StoreError(
            f"this SQLite file belongs to another program (tables: {', '.join(tables) or 'none'});"
            " name another file, a new one is created",
            path,
        )
    return 0


def _pragma(session: Session, name: str) -> int:
    row = session.row(f"PRAGMA {name}")
    return int(row[0]) if row else 0


def split_statements(sql: str) -> Iterator[str]:
    """Yield the statements of an SQL text one by one.

    >>> list(split_statements("CREATE TABLE a (b); -- first\\nDROP TABLE a;\\n"))
    ['CREATE TABLE a (b); -- first', 'DROP TABLE a;']

    A semicolon inside a text or a trigger ends nothing:

    >>> list(split_statements("INSERT INTO a VALUES ('one;two');"))
    ["INSERT INTO a VALUES ('one;two');"]
    """
    lines: list[str] = []
    for line in sql.splitlines():
        lines.append(line)
        statement = "\n".join(lines).strip()
        if statement and sqlite3.complete_statement(statement):
            yield statement
            lines = []
    if "".join(lines).strip():
        raise StoreError(f"a migration ends in the middle of a statement: {lines[0][:60]}")
