-- The newest state of each polled address. last_result_id: the newest of its results.
CREATE TABLE polls (
    identity TEXT NOT NULL PRIMARY KEY CHECK (identity <> ''),
    address TEXT NOT NULL,
    source TEXT NOT NULL,
    last_result_id INTEGER NOT NULL REFERENCES poll_results (id),
    interval_s REAL NOT NULL CHECK (interval_s >= 0),
    next_at TEXT, -- NULL: not before somebody asks again
    etag TEXT NOT NULL,
    last_modified TEXT NOT NULL,
    moved_to TEXT NOT NULL, -- '': nowhere
    failures INTEGER NOT NULL CHECK (failures >= 0),
    hold_until TEXT
) WITHOUT ROWID;

-- What became of the last attempts at each address; older ones are deleted.
CREATE TABLE poll_results (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    identity TEXT NOT NULL,
    at TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome <> ''),
    reason TEXT NOT NULL,
    status INTEGER NOT NULL CHECK (status >= 0), -- 0: no answer
    seconds REAL NOT NULL CHECK (seconds >= 0),
    new INTEGER NOT NULL CHECK (new >= 0),
    updated INTEGER NOT NULL CHECK (updated >= 0),
    duplicate INTEGER NOT NULL CHECK (duplicate >= 0),
    review INTEGER NOT NULL CHECK (review >= 0)
);
CREATE INDEX polls_by_result ON polls (last_result_id); -- for the reference, when old results go
CREATE INDEX poll_results_by_identity ON poll_results (identity, id);
