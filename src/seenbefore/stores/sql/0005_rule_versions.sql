-- Every activation of somebody's own rules, as the text it had. done: the last record whose keys were derived again.
CREATE TABLE rule_versions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    pack TEXT NOT NULL,
    pack_version INTEGER NOT NULL CHECK (pack_version > 0),
    text TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('activating', 'active', 'rolling_back', 'rolled_back')),
    activated_at TEXT NOT NULL,
    author TEXT NOT NULL,
    forced TEXT NOT NULL,
    collisions INTEGER NOT NULL CHECK (collisions >= 0),
    done INTEGER NOT NULL CHECK (done >= 0), -- 0: none yet
    rolled_back_at TEXT
);

-- One number that grows with every change of what is in force, so that each unit sees it in one look. No row: 0.
CREATE TABLE rule_stamp (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    stamp INTEGER NOT NULL CHECK (stamp > 0)
);

-- Permanent redirects, found by the url key of either end; the constraint is the index by start_key.
CREATE TABLE redirects (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    start_key TEXT NOT NULL CHECK (start_key <> ''),
    target_key TEXT NOT NULL CHECK (target_key <> ''),
    start TEXT NOT NULL,
    target TEXT NOT NULL,
    status INTEGER NOT NULL CHECK (status BETWEEN 300 AND 399),
    seen_at TEXT NOT NULL,
    origin TEXT NOT NULL,
    UNIQUE (start_key, target_key)
);
CREATE INDEX redirects_by_target ON redirects (target_key);
