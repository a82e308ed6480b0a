CREATE TABLE captures (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    address TEXT NOT NULL CHECK (address <> ''),
    original_url TEXT NOT NULL,
    fetch_url TEXT NOT NULL,
    fetched_at TEXT NOT NULL,
    outcome TEXT NOT NULL,
    final_url TEXT NOT NULL,
    hops TEXT NOT NULL,
    status INTEGER NOT NULL,
    reason TEXT NOT NULL,
    representation TEXT NOT NULL CHECK (representation IN ('', 'full_text', 'abstract', 'summary', 'paywalled',
        'title_only', 'consent_wall', 'error_page', 'pdf')),
    attempts INTEGER NOT NULL CHECK (attempts > 0),
    retry_at TEXT,
    content_type TEXT NOT NULL,
    charset TEXT NOT NULL,
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    body_hash TEXT REFERENCES page_bodies (hash),
    extractor TEXT NOT NULL,
    version_id INTEGER REFERENCES versions (id),
    facts TEXT NOT NULL
);

CREATE TABLE cursors (
    consumer TEXT NOT NULL PRIMARY KEY,
    seq INTEGER NOT NULL CHECK (seq >= 0)
) WITHOUT ROWID;

CREATE TABLE daily_counts (
    day TEXT NOT NULL,
    source_id INTEGER NOT NULL REFERENCES sources (id),
    new INTEGER NOT NULL CHECK (new >= 0),
    updates INTEGER NOT NULL CHECK (updates >= 0),
    duplicates INTEGER NOT NULL CHECK (duplicates >= 0),
    reviews INTEGER NOT NULL CHECK (reviews >= 0),
    PRIMARY KEY (day, source_id)
) WITHOUT ROWID;

CREATE TABLE decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    seq INTEGER NOT NULL UNIQUE REFERENCES journal (seq),
    external_id TEXT,
    source TEXT NOT NULL,
    guid TEXT NOT NULL,
    original_url TEXT NOT NULL,
    title TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('new', 'update', 'duplicate', 'review')),
    reason TEXT NOT NULL,
    record_id INTEGER REFERENCES records (id),
    matched_record_id INTEGER REFERENCES records (id),
    matched_external_id TEXT,
    matched_url TEXT,
    matched_title TEXT,
    changed TEXT NOT NULL,
    flags TEXT NOT NULL,
    evidence TEXT NOT NULL,
    rules_version TEXT NOT NULL,
    policy_version TEXT NOT NULL,
    extractor_version TEXT NOT NULL,
    decided_at TEXT NOT NULL,
    deliver INTEGER NOT NULL CHECK (deliver IN (0, 1)),
    old_version_id INTEGER REFERENCES versions (id),
    new_version_id INTEGER REFERENCES versions (id),
    CHECK ((matched_record_id IS NULL) = (matched_url IS NULL)),
    CHECK ((matched_record_id IS NULL) = (matched_title IS NULL))
);

CREATE TABLE event_records (
    record_id INTEGER NOT NULL REFERENCES records (id),
    event_id INTEGER NOT NULL REFERENCES events (id),
    position INTEGER NOT NULL,
    PRIMARY KEY (record_id, event_id, position)
) WITHOUT ROWID;

CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    seq INTEGER NOT NULL UNIQUE REFERENCES journal (seq),
    event TEXT NOT NULL,
    survivor_id INTEGER REFERENCES records (id),
    cause TEXT NOT NULL,
    happened_at TEXT NOT NULL,
    detail TEXT NOT NULL
);

CREATE TABLE fetches (
    source_id INTEGER NOT NULL REFERENCES sources (id),
    fetch_id TEXT NOT NULL,
    no INTEGER NOT NULL CHECK (no > 0),
    observed_at TEXT NOT NULL,
    late INTEGER NOT NULL CHECK (late IN (0, 1)),
    completed INTEGER NOT NULL DEFAULT 0 CHECK (completed IN (0, 1)),
    PRIMARY KEY (source_id, fetch_id)
) WITHOUT ROWID;

CREATE TABLE journal (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    entry TEXT NOT NULL CHECK (entry IN ('decision', 'event'))
);

CREATE TABLE "keys" (
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

CREATE TABLE labels (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sighting_a INTEGER NOT NULL REFERENCES sightings (id),
    sighting_b INTEGER NOT NULL REFERENCES sightings (id),
    verdict TEXT NOT NULL CHECK (verdict IN ('same', 'different', 'related')),
    author TEXT NOT NULL,
    labeled_at TEXT NOT NULL,
    CHECK (sighting_a <> sighting_b)
);

CREATE TABLE merge_images (
    event_id INTEGER PRIMARY KEY REFERENCES events (id),
    before TEXT NOT NULL,
    after TEXT NOT NULL
);

CREATE TABLE page_bodies (
    hash TEXT NOT NULL PRIMARY KEY CHECK (hash <> ''),
    size INTEGER NOT NULL CHECK (size >= 0),
    body BLOB NOT NULL,
    kept_at TEXT NOT NULL
);

CREATE TABLE page_hosts (
    host TEXT NOT NULL PRIMARY KEY CHECK (host <> ''),
    secure INTEGER NOT NULL CHECK (secure IN (0, 1)),
    snapshot INTEGER NOT NULL CHECK (snapshot >= 0),
    articles INTEGER NOT NULL CHECK (articles >= 0),
    repeated TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE poll_results (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    identity TEXT NOT NULL,
    at TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome <> ''),
    reason TEXT NOT NULL,
    status INTEGER NOT NULL CHECK (status >= 0),
    seconds REAL NOT NULL CHECK (seconds >= 0),
    new INTEGER NOT NULL CHECK (new >= 0),
    updated INTEGER NOT NULL CHECK (updated >= 0),
    duplicate INTEGER NOT NULL CHECK (duplicate >= 0),
    review INTEGER NOT NULL CHECK (review >= 0)
);

CREATE TABLE polls (
    identity TEXT NOT NULL PRIMARY KEY CHECK (identity <> ''),
    address TEXT NOT NULL,
    source TEXT NOT NULL,
    last_result_id INTEGER NOT NULL REFERENCES poll_results (id),
    interval_s REAL NOT NULL CHECK (interval_s >= 0),
    next_at TEXT,
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    moved_to TEXT NOT NULL,
    failures INTEGER NOT NULL CHECK (failures >= 0),
    hold_until TEXT
) WITHOUT ROWID;

CREATE TABLE records (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('article', 'image')),
    status TEXT NOT NULL CHECK (status IN ('active', 'merged', 'rejected')),
    survivor_id INTEGER REFERENCES records (id),
    title TEXT NOT NULL,
    url TEXT NOT NULL,
    external_id TEXT,
    primary_source_id INTEGER NOT NULL REFERENCES sources (id),
    current_version_id INTEGER REFERENCES versions (id),
    first_seen_at TEXT NOT NULL,
    first_published_at TEXT,
    content_updated_at TEXT,
    CHECK ((status = 'merged') = (survivor_id IS NOT NULL)),
    CHECK (survivor_id <> id)
);

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

CREATE TABLE reviews (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    record_id INTEGER NOT NULL REFERENCES records (id),
    other_id INTEGER NOT NULL REFERENCES records (id),
    decision_id INTEGER REFERENCES decisions (id),
    state TEXT NOT NULL CHECK (state IN ('waiting', 'merged', 'same', 'different', 'related')),
    opened_at TEXT NOT NULL,
    CHECK (record_id <> other_id)
);

CREATE TABLE rule_stamp (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    stamp INTEGER NOT NULL CHECK (stamp > 0)
);

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
    done INTEGER NOT NULL CHECK (done >= 0),
    rolled_back_at TEXT
);

CREATE TABLE sightings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    record_id INTEGER NOT NULL REFERENCES records (id),
    source_id INTEGER NOT NULL REFERENCES sources (id),
    kind TEXT NOT NULL CHECK (kind IN ('article', 'image')),
    guid TEXT NOT NULL,
    original_url TEXT NOT NULL,
    clean_title TEXT NOT NULL,
    slot INTEGER NOT NULL CHECK (slot >= 0),
    first_seen_at TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    last_fetch_no INTEGER NOT NULL CHECK (last_fetch_no >= 0),
    times INTEGER NOT NULL CHECK (times > 0),
    run_start INTEGER NOT NULL CHECK (run_start >= 0),
    run_end INTEGER NOT NULL CHECK (run_end >= run_start),
    earlier_runs TEXT NOT NULL,
    external_id TEXT,
    keys TEXT NOT NULL,
    good_version_id INTEGER REFERENCES versions (id),
    good_text_hash TEXT NOT NULL DEFAULT '',
    good_published_at TEXT,
    good_published_raw TEXT NOT NULL DEFAULT '', digest BLOB NOT NULL DEFAULT x'',
    UNIQUE (source_id, guid, original_url, clean_title, kind, slot)
);

CREATE TABLE source_aliases (
    identity TEXT NOT NULL PRIMARY KEY,
    source_id INTEGER NOT NULL REFERENCES sources (id)
) WITHOUT ROWID;

CREATE TABLE source_traits (
    source_id INTEGER NOT NULL REFERENCES sources (id),
    trait TEXT NOT NULL,
    PRIMARY KEY (source_id, trait)
) WITHOUT ROWID;

CREATE TABLE sources (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    identity TEXT NOT NULL,
    newest_observed_at TEXT,
    last_fetch_no INTEGER NOT NULL DEFAULT 0 CHECK (last_fetch_no >= 0)
);

CREATE TABLE trust (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source_id INTEGER NOT NULL REFERENCES sources (id),
    kind TEXT NOT NULL,
    value TEXT NOT NULL,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL,
    since TEXT NOT NULL,
    UNIQUE (source_id, kind, value)
);

CREATE TABLE versions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sighting_id INTEGER NOT NULL REFERENCES sightings (id),
    observation_key TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    published TEXT,
    modified TEXT,
    captured_at TEXT NOT NULL,
    fetch_no INTEGER NOT NULL CHECK (fetch_no >= 0),
    state TEXT NOT NULL CHECK (state IN ('good', 'aside', 'late')),
    text_hash TEXT NOT NULL,
    length INTEGER NOT NULL CHECK (length >= 0),
    decisive INTEGER NOT NULL CHECK (decisive IN (0, 1)),
    representation TEXT NOT NULL CHECK (representation IN ('full_text', 'abstract', 'summary', 'paywalled', 'title_only')),
    extractor_version TEXT NOT NULL,
    paragraph_hashes TEXT NOT NULL,
    text TEXT NOT NULL,
    item TEXT NOT NULL
);

CREATE INDEX captures_by_address ON captures (address);

CREATE INDEX captures_with_body ON captures (id) WHERE body_hash IS NOT NULL;

CREATE INDEX decisions_by_outcome ON decisions (outcome, seq);

CREATE INDEX decisions_by_record ON decisions (record_id, seq);

CREATE INDEX event_records_by_event ON event_records (event_id, position);

CREATE INDEX keys_by_record ON keys (record_id);

CREATE INDEX labels_by_a ON labels (sighting_a);

CREATE INDEX labels_by_b ON labels (sighting_b);

CREATE INDEX labels_by_pair ON labels (min(sighting_a, sighting_b), max(sighting_a, sighting_b));

CREATE UNIQUE INDEX one_review_per_pair ON reviews (min(record_id, other_id), max(record_id, other_id));

CREATE INDEX poll_results_by_identity ON poll_results (identity, id);

CREATE INDEX polls_by_result ON polls (last_result_id);

CREATE INDEX records_by_survivor ON records (survivor_id) WHERE survivor_id IS NOT NULL;

CREATE INDEX redirects_by_target ON redirects (target_key);

CREATE INDEX reviews_by_other ON reviews (other_id);

CREATE INDEX reviews_by_record ON reviews (record_id);

CREATE INDEX sightings_by_digest ON sightings (source_id, digest) WHERE digest <> x'';

CREATE INDEX sightings_by_record ON sightings (record_id);

CREATE INDEX versions_by_sighting ON versions (sighting_id);

