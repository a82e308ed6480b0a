"""Worker: the library reader updates the same local feeds; the last line says how long it took.

Adding the feeds is not counted, only updating them. They are updated whether they are due or not, since
reader waits an hour otherwise.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from reader import UpdatedFeed, make_reader

from .measure import Stopwatch


def main(folder: str, database: str, _observed_at: str) -> None:
    reader = make_reader(database, feed_root=folder)
    for path in sorted(Path(folder).iterdir()):
        reader.add_feed(path.name, exist_ok=True)
    before = reader.get_entry_counts().total or 0
    with Stopwatch() as watch:
        updated = sum(isinstance(result.value, UpdatedFeed) for result in reader.update_feeds_iter(scheduled=False))
    total = reader.get_entry_counts().total or 0
    feeds = reader.get_feed_counts().total
    reader.close()
    if updated != feeds:
        raise SystemExit(f"only {updated} of {feeds} feeds were read as changed")
    print(json.dumps({"items": total, "new": total - before, **watch.figures}))


if __name__ == "__main__":
    main(*sys.argv[1:])
