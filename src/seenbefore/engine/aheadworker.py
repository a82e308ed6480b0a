"""The second process of a large import: reads feeds and derives what their entries are known by.

Started by ``ahead`` with pipes: rules and policy come first, then one request per feed, each answered in
turn. It ends when its input does.
"""

from __future__ import annotations

import gc
import pickle
import signal
import sys
from contextlib import suppress
from datetime import datetime

from ..blocking import derive_features
from ..policy import Policy
from ..rules import Rules
from ..sources.folder import read_feed_file
from .ahead import Prepared, _receive, _send


def main() -> None:
    """Answer requests until the other side closes the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this one ends it
    gc.disable()  # what a request makes has no cycles, and looking for some takes a tenth of the time
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    rules, policy = pickle.loads(_receive(requests))
    _send(answers, b"ready")
    while True:
        try:
            request = pickle.loads(_receive(requests))
        except EOFError:
            return
        _send(answers, pickle.dumps(_prepare(rules, policy, *request), protocol=pickle.HIGHEST_PROTOCOL))


def _prepare(
    rules: Rules, policy: Policy, path: str, named: str | None, observed_at: datetime, default_name: str, identity: str
) -> Prepared | None:
    found = read_feed_file(path, named, observed_at, default_name)
    if found is None:
        return None
    items = tuple(found.items)
    features = tuple(derive_features(item, identity, rules, policy) for item in items)
    return Prepared(found.items.digests, identity, items, features, rules.version)


if __name__ == "__main__":
    with suppress(BrokenPipeError):
        main()
