-- The hash of the raw entry that a sighting was last read from: an equal one says that nothing changed.
ALTER TABLE sightings ADD COLUMN digest BLOB NOT NULL DEFAULT x'';
CREATE INDEX sightings_by_digest ON sightings (source_id, digest) WHERE digest <> x'';

-- When a record was last seen is what its sightings say; a copy of it was always out of date.
ALTER TABLE records DROP COLUMN last_seen_at;

-- A strong key has one holder: 0 stands for "strong" in the primary key, so that the table itself says
-- so and no second index repeats every address.
CREATE TABLE held_keys (
    kind TEXT NOT NULL,
    scope TEXT NOT NULL,
    value TEXT NOT NULL,
    holder INTEGER NOT NULL,
    record_id INTEGER NOT NULL REFERENCES records (id),
    strength TEXT NOT NULL CHECK (strength IN ('strong', 'near', 'candidate', 'distrusted')),
    rule_id TEXT NOT NULL,
    pack_version INTEGER NOT NULL,
    PRIMARY KEY (kind, scope, value, holder),
    CHECK (holder = CASE strength WHEN 'strong' THEN 0 ELSE record_id END)
) WITHOUT ROWID;
INSERT INTO held_keys
    SELECT kind, scope, value, CASE strength WHEN 'strong' THEN 0 ELSE record_id END,
        record_id, strength, rule_id, pack_version
    FROM keys;
DROP TABLE keys;
ALTER TABLE held_keys RENAME TO keys;
CREATE INDEX keys_by_record ON keys (record_id);
