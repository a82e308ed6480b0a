-- What came of a source on one day (UTC, by the time of observation), so that a jump of the mix is seen
-- without reading everything. Unchanged repeats are duplicates here; they leave no decision.
CREATE TABLE daily_counts (
    day TEXT NOT NULL, -- 2024-01-31
    source_id INTEGER NOT NULL REFERENCES sources (id),
    new INTEGER NOT NULL CHECK (new >= 0),
    updates INTEGER NOT NULL CHECK (updates >= 0),
    duplicates INTEGER NOT NULL CHECK (duplicates >= 0),
    reviews INTEGER NOT NULL CHECK (reviews >= 0),
    PRIMARY KEY (day, source_id)
) WITHOUT ROWID;
