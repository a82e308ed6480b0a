"""A fresh schema equals a migrated one, and a migration happens whole or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

from seenbefore.errors import StoreError, StoreVersionError
from seenbefore.model import Key
from seenbefore.stores.base import Fresh, Identity, Touch
from seenbefore.stores.migrations import APPLICATION_ID, Migration, apply_migrations, load_migrations
from seenbefore.stores.session import Session
from seenbefore.stores.sqlite import SqliteStore
from seenbefore.testing.builders import a_decision, a_key, a_record, a_sighting, a_version, an_item, at
from seenbefore.testing.contract_packs import a_rule_version
from seenbefore.testing.contract_redirects import a_redirect

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


# --- what a file of the first schema holds -------------------------------------------------------

OLD_FILE = """
INSERT INTO sources VALUES (1, 'News', 'https://news.example/feed', '2024-01-01T08:00:00.000000Z', 3);
INSERT INTO sources VALUES (2, 'Planet', 'https://planet.example/feed', NULL, 0);
INSERT INTO source_aliases VALUES ('https://news.example/feed', 1), ('https://planet.example/feed', 2);
INSERT INTO records VALUES
    (1, 'article', 'active', NULL, 'Title 1', 'https://news.example/1', NULL, 1, NULL,
        '2024-01-01T08:00:00.000000Z', '2024-01-01T08:00:00.000000Z', '2024-01-01T08:00:00.000000Z', NULL),
    (2, 'article', 'active', NULL, '題名', 'https://news.example/2', 'caller-2', 1, NULL,
        '2024-01-01T09:00:00.000000Z', '2024-01-01T09:00:00.000000Z', NULL, '2024-01-01T10:00:00.000000Z'),
    (3, 'article', 'merged', 2, 'Gone', 'https://news.example/3', NULL, 1, NULL,
        '2024-01-01T09:00:00.000000Z', '2024-01-01T09:00:00.000000Z', NULL, NULL);
INSERT INTO sightings VALUES
    (1, 1, 1, 'article', 'guid-1', 'https://news.example/1', 'title 1', 0, '2024-01-01T08:00:00.000000Z',
        '2024-01-02T08:00:00.000000Z', 3, 3, 1, 3, '[]', NULL,
        '[["url","https://news.example/1","","strong","generic/url",1]]', NULL, '', NULL, ''),
    (2, 2, 1, 'article', 'guid-2', 'https://news.example/2', '題名', 0, '2024-01-01T09:00:00.000000Z',
        '2024-01-01T09:00:00.000000Z', 2, 1, 2, 2, '[[1,1]]', 'caller-2', '[]', NULL, '', NULL, ''),
    (3, 2, 2, 'article', 'guid-2', 'https://news.example/2', '題名', 0, '2024-01-01T09:30:00.000000Z',
        '2024-01-01T09:30:00.000000Z', 1, 1, 1, 1, '[]', NULL, '[]', NULL, '', NULL, '');
INSERT INTO versions VALUES
    (1, 1, 'observation-1', 'Title 1', NULL, NULL, '2024-01-01T08:00:00.000000Z', 1, 'good', 'hash-1', 6, 0,
        'summary', '1', '[]', 'Text 1', '{"source":"https://news.example/feed","guid":"guid-1","title":"Title 1"}'),
    (2, 2, 'observation-2', '題名', '["pubDate","Monday",null,"unknown",null,false]', NULL,
        '2024-01-01T09:00:00.000000Z', 2, 'good', 'hash-2', 6, 0, 'summary', '1', '[]', '本文', '{"source":"s"}');
UPDATE records SET current_version_id = id WHERE id < 3;
UPDATE sightings SET good_version_id = id, good_text_hash = 'hash-' || id WHERE id < 3;
INSERT INTO keys VALUES
    ('url', '', 'https://news.example/1', 1, 'strong', 'generic/url', 1),
    ('url', '', 'https://news.example/2', 2, 'strong', 'generic/url', 1),
    ('url_near', '', 'news.example/x', 1, 'near', 'generic/url', 1),
    ('url_near', '', 'news.example/x', 2, 'near', '', 0),
    ('title', 's', '題名', 2, 'candidate', '', 0),
    ('url', '', 'https://news.example/', 1, 'distrusted', 'generic/url', 1),
    ('url', '', 'https://news.example/', 2, 'distrusted', 'generic/url', 1),
    ('guid', 's', 'one trusts it', 1, 'distrusted', '', 0),
    ('guid', 's', 'one trusts it', 2, 'near', '', 0);
INSERT INTO journal VALUES (1, 'decision'), (2, 'decision');
"""


@pytest.fixture
def old_file(tmp_path: Path) -> Path:
    """A file that was written before the second migration."""
    path = tmp_path / "old.db"
    migrate(path, load_migrations()[:1])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.executescript(OLD_FILE)
    return path


def test_a_file_of_the_first_schema_keeps_everything(old_file: Path) -> None:
    with closing(SqliteStore(old_file)) as store, store.reading() as unit:
        records = unit.records.find_records()
        assert [(r.id, r.title, r.external_id, r.survivor_id) for r in records] == [
            (1, "Title 1", None, None),
            (2, "題名", "caller-2", None),
            (3, "Gone", None, 2),
        ]
        assert [r.current_version_id for r in records] == [1, 2, 0]
        seen = ["2024-01-02T08:00:00+00:00", "2024-01-01T09:30:00+00:00", "2024-01-01T09:00:00+00:00"]
        assert [r.last_seen_at.isoformat() for r in records] == seen, "as the sightings say, not as a stale copy did"
        sightings = unit.records.get_sightings([1, 2, 3])
        assert [(s.runs, s.times, s.digest) for s in sightings] == [
            (((1, 3),), 3, b""),
            (((1, 1), (2, 2)), 1, b""),
            (((1, 1),), 1, b""),
        ]
        assert [[v.id for v in s.versions] for s in sightings] == [[1], [2], []]
        name = Identity(1, "guid-1", "https://news.example/1", "title 1")
        (found,) = unit.records.find_seen([name])[name]
        assert (found.version_id, found.text_hash, found.is_current, found.digest) == (1, "hash-1", True, b"")
        assert unit.records.get_item(1).title == "Title 1"
        assert unit.bulk.find_listed(1, [b"", b"any"]) == {}


def test_keys_of_the_first_schema_are_found(old_file: Path) -> None:
    with closing(SqliteStore(old_file)) as store, store.reading() as unit:
        expected = {
            ("url", "", "https://news.example/1"): [1],
            ("url", "", "https://news.example/2"): [2],
            ("url_near", "", "news.example/x"): [1, 2],
            ("title", "s", "題名"): [2],
            ("guid", "s", "one trusts it"): [2],
        }
        asked = [*expected, ("url", "", "https://news.example/")]
        assert unit.records.find_record_ids(asked) == expected
        assert unit.bulk.find_held(asked) == set(expected)
        rows = {
            r: {(k.key.value, k.key.strength.value) for k in found} for r, found in unit.audit.get_keys([1, 2]).items()
        }
        assert rows[1] >= {
            ("https://news.example/1", "strong"),
            ("news.example/x", "near"),
            ("one trusts it", "distrusted"),
        }
        assert len(rows[1]) == 4
        assert len(rows[2]) == 5
        assert list(unit.audit.integrity()) == []


def test_a_strong_key_of_the_first_schema_has_one_holder(old_file: Path) -> None:
    def take_over(keys: Mapping[int, Sequence[Key]]) -> None:
        with closing(SqliteStore(old_file)) as store, store.unit() as unit:
            unit.records.set_keys(keys)

    key = Key("url", "https://news.example/1")
    with pytest.raises(StoreError, match="UNIQUE"):
        take_over({2: [key]})
    take_over({2: [key], 1: []})
    with closing(SqliteStore(old_file)) as store, store.reading() as unit:
        assert unit.records.find_record_ids([key.address]) == {key.address: [2]}


def test_a_file_of_the_first_schema_is_written_on(old_file: Path) -> None:
    """Repeats, digests and new records go on where the old file ended; ids are never given twice."""
    with closing(SqliteStore(old_file)) as store:
        with store.unit() as unit:
            unit.records.touch([Touch(1, 4, 4, at(4), digest=b"one"), Touch(2, 4, 4, at(4), digest=b"two")])
            (decision,) = unit.bulk.add_fresh(
                [
                    Fresh(
                        a_record(1, 9), a_sighting(0, 1, 9), a_version(), an_item(9), "observation-9",
                        (a_key("k"),), a_decision(), deliver=True,
                    )
                ]
            )  # fmt: skip
            assert (decision.seq, decision.number, decision.record_number) == (3, 1, 4)
        with store.reading() as unit:
            assert {s.seen.record_id for s in unit.bulk.find_listed(1, [b"one", b"two"]).values()} == {1, 2}
            assert [s.runs for s in unit.records.get_sightings([1])] == [((1, 4),)]


def test_a_file_of_the_first_schema_takes_rules_and_redirects(old_file: Path) -> None:
    with closing(SqliteStore(old_file)) as store:
        with store.reading() as unit:
            assert (unit.packs.list_versions(), unit.packs.stamp()) == ([], 0)
            assert (unit.redirects.list_redirects(), unit.redirects.count_redirects()) == ([], 0)
            assert unit.packs.find_records_on(["news.example"]) == [1, 2], "distrusted keys too, merged records not"
        with store.unit() as unit:
            assert unit.packs.add_version(a_rule_version()).number == 1
            assert unit.redirects.add_redirects([a_redirect("a", "b")]) == 1
            assert unit.packs.stamp() > 0


def test_a_migrated_file_has_no_loose_ends(old_file: Path) -> None:
    SqliteStore(old_file).close()
    with closing(sqlite3.connect(old_file)) as connection:
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
