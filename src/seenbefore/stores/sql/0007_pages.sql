-- Pages that were opened: every attempt with its way there, what was read, and the pages that are kept.

-- What was read of an article has more names now. SQLite changes the CHECK of a table in this way only
-- (https://www.sqlite.org/lang_altertable.html, "other kinds of table schema changes").
PRAGMA writable_schema = ON;
UPDATE sqlite_master SET sql = replace(
    sql,
    '(''full_text'', ''summary'', ''title_only'')',
    '(''full_text'', ''abstract'', ''summary'', ''paywalled'', ''title_only'')'
) WHERE type = 'table' AND name = 'versions';
PRAGMA writable_schema = RESET;

CREATE TABLE page_bodies (
    hash TEXT NOT NULL PRIMARY KEY CHECK (hash <> ''),
    size INTEGER NOT NULL CHECK (size >= 0), -- before compression
    body BLOB NOT NULL,
    kept_at TEXT NOT NULL
);

CREATE TABLE captures (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    address TEXT NOT NULL CHECK (address <> ''), -- the url key of original_url
    original_url TEXT NOT NULL,
    fetch_url TEXT NOT NULL,
    fetched_at TEXT NOT NULL,
    outcome TEXT NOT NULL,
    final_url TEXT NOT NULL,
    hops TEXT NOT NULL, -- [[from, status, to], …]
    status INTEGER NOT NULL, -- 0: no answer
    reason TEXT NOT NULL,
    representation TEXT NOT NULL CHECK (representation IN ('', 'full_text', 'abstract', 'summary', 'paywalled',
        'title_only', 'consent_wall', 'error_page', 'pdf')),
    attempts INTEGER NOT NULL CHECK (attempts > 0),
    retry_at TEXT, -- NULL: asking again is of no use
    content_type TEXT NOT NULL,
    charset TEXT NOT NULL,
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    body_hash TEXT REFERENCES page_bodies (hash), -- NULL: not kept
    extractor TEXT NOT NULL,
    version_id INTEGER REFERENCES versions (id), -- NULL: became none
    facts TEXT NOT NULL
);
CREATE INDEX captures_by_address ON captures (address);
CREATE INDEX captures_with_body ON captures (id) WHERE body_hash IS NOT NULL;

CREATE TABLE page_hosts (
    host TEXT NOT NULL PRIMARY KEY CHECK (host <> ''),
    secure INTEGER NOT NULL CHECK (secure IN (0, 1)),
    snapshot INTEGER NOT NULL CHECK (snapshot >= 0),
    articles INTEGER NOT NULL CHECK (articles >= 0),
    repeated TEXT NOT NULL
) WITHOUT ROWID;
