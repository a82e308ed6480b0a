-- What a merge or a split changed, as JSON (stores/image_rows.py), so that it can be taken back. Beside the
-- events and not in them: whoever reads events does not read these.
CREATE TABLE merge_images (
    event_id INTEGER PRIMARY KEY REFERENCES events (id),
    before TEXT NOT NULL,
    after TEXT NOT NULL
);
