"""A fresh schema equals a migrated one, and a migration happens whole or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from seenbefore.errors import StoreError, StoreVersionError
from seenbefore.stores.migrations import APPLICATION_ID, Migration, apply_migrations, load_migrations
from seenbefore.stores.session import Session
from seenbefore.stores.sqlite import SqliteStore

WRITTEN_DOWN = Path(__file__).parent.parent / "contract" / "schema.sql"


def schema(path: Path) -> str:
    """The schema as SQL, in a stable order and without the comments."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(
            "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type DESC, name"
        ).fetchall()
    statements = ("\n".join(line.partition(" --")[0].rstrip() for line in sql.splitlines()) for (sql,) in rows)
    return "".join(f"{statement};\n\n" for statement in statements)


def migrate(path: Path, migrations: Sequence[Migration]) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        apply_migrations(Session(connection, str(path)), str(path), migrations)


def header(path: Path) -> tuple[int, int]:
    with closing(sqlite3.connect(path)) as connection:
        return (
            connection.execute("PRAGMA application_id").fetchone()[0],
            connection.execute("PRAGMA user_version").fetchone()[0],
        )


def test_fresh_schema_equals_migrated_schema(tmp_path: Path) -> None:
    fresh, migrated = tmp_path / "fresh.db", tmp_path / "migrated.db"
    SqliteStore(fresh).close()
    steps = load_migrations()
    for number in range(1, len(steps) + 1):
        migrate(migrated, steps[:number])
        assert header(migrated) == (APPLICATION_ID, number)
    assert schema(fresh) == schema(migrated)
    assert header(fresh) == header(migrated)


def test_the_schema_is_the_one_written_down(tmp_path: Path) -> None:
    """A released migration is never edited; a new file changes schema.sql in the same commit."""
    SqliteStore(tmp_path / "news.db").close()
    assert schema(tmp_path / "news.db") == WRITTEN_DOWN.read_text(encoding="utf-8")


def test_an_old_file_is_brought_up_to_date_on_opening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "news.db"
    SqliteStore(path).close()
    steps = load_migrations()
    added = Migration(len(steps) + 1, "next.sql", "ALTER TABLE sources ADD COLUMN note TEXT NOT NULL DEFAULT '';")
    monkeypatch.setattr("seenbefore.stores.migrations.load_migrations", lambda: [*steps, added])
    SqliteStore(path).close()
    assert header(path) == (APPLICATION_ID, added.number)
    fresh = tmp_path / "fresh.db"
    SqliteStore(fresh).close()
    assert schema(fresh) == schema(path)
    monkeypatch.undo()
    with pytest.raises(StoreVersionError, match="newer seenbefore"):
        SqliteStore(path)


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "news.db"
    steps = load_migrations()
    migrate(path, steps)
    before = schema(path), header(path)
    broken = Migration(len(steps) + 1, "next.sql", "CREATE TABLE extra (a);\nCREATE TABLE sources (b);")
    with pytest.raises(StoreError, match="table sources already exists"):
        migrate(path, [*steps, broken])
    assert (schema(path), header(path)) == before
    SqliteStore(path).close()


def test_migrations_are_numbered_without_a_gap() -> None:
    assert [step.number for step in load_migrations()] == list(range(1, len(load_migrations()) + 1))
    assert all(step.name.startswith(f"{step.number:04}_") for step in load_migrations())


def test_every_migration_ends_with_a_whole_statement(tmp_path: Path) -> None:
    half = Migration(1, "half.sql", "CREATE TABLE a (b);\nCREATE TABLE c (")
    with pytest.raises(StoreError, match="middle of a statement"):
        migrate(tmp_path / "news.db", [half])
    assert header(tmp_path / "news.db") == (0, 0)


def test_key_columns_are_never_null(tmp_path: Path) -> None:
    """SQLite takes two NULLs for different, so a key column that allows them is no key."""
    path = tmp_path / "news.db"
    SqliteStore(path).close()
    with closing(sqlite3.connect(path)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            nullable = {
                name
                for _, name, _, not_null, _, primary in connection.execute(f"PRAGMA table_info({table})")
                if not not_null and not primary
            }
            for _, index, unique, _, _ in connection.execute(f"PRAGMA index_list({table})").fetchall():
                columns = {row[2] for row in connection.execute(f"PRAGMA index_info({index})")}
                assert not (unique and columns & nullable), (table, index)
