#!/usr/bin/env bash
# What `./dev demo` runs: the main job on the feeds in examples/feeds, in a database that is thrown away.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=$(mktemp -d "${TMPDIR:-/tmp}/seenbefore-demo.XXXXXX")
db=$folder/news.db

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
run() {
    printf '$ seenbefore %s\n' "$*"
    seenbefore "$@"
}
[ -t 1 ] || say() { printf '\n%s\n' "$*"; }

say "1. Read the sample feeds: every entry gets a decision and a reason"
run ingest examples/feeds --db "$db"

say "2. Read the same files again: nothing is new, nothing is sent twice"
echo "\$ seenbefore ingest examples/feeds --db $db --json    (answers counted)"
seenbefore ingest examples/feeds --db "$db" --json | python -c '
import collections, json, sys
answers = collections.Counter((a["outcome"], a["reason"]) for a in map(json.loads, sys.stdin) if "outcome" in a)
for (outcome, reason), count in answers.most_common():
    print(f"  {count:4} {outcome}/{reason}")'

say "3. What is kept"
run stats --db "$db"

say "4. What a person should look at"
run list --db "$db" --outcome review

say "What to try next"
cat <<TEXT
  .venv/bin/seenbefore show r1 --db $db                  one record with everything it was seen under
  .venv/bin/seenbefore explain r1 --db $db               why it is what it is
  .venv/bin/seenbefore changes --consumer me --db $db    what a program would be told, each thing once
  .venv/bin/seenbefore ingest FEED.xml --db my.db        your own feed file, folder or items.jsonl
  ./dev test                                             all tests
TEXT
