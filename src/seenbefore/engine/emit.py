"""Deliveries as JSON lines, and the file that is a consumer of its own."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Final

from ..decisionjson import decision_to_json, event_to_json, format_time
from ..errors import InvalidInput, StoreError
from ..model import Decision, Outcome, Version
from ..stores.base import Store, Unit
from .changes import Change, Changes

_TAIL: Final = 1 << 16
_START: Final = b'{"type": "'
_SEQ: Final = re.compile(rb'\{"type": "(?:decision|event)", (?:"schema": [0-9]+, )?"seq": (?P<seq>[0-9]{1,18}),')
"""How every delivery begins, so that the seq can be read out of the torn beginning of one."""

_NOT_PLAIN: Final = re.compile("[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")
"""Allowed in JSON, but steering for terminals or a line end for some readers; written as escapes."""


def json_line(value: Mapping[str, object]) -> str:
    r"""Return one line of JSON; scripts stay readable, invisible characters are written as escapes.

    >>> json_line({"title": "東京 \u2028 \x9b31m"})
    '{"title": "東京 \\u2028 \\u009b31m"}'

    Whoever parses it gets the original text.

    >>> json.loads(json_line({"title": "a \u202e b"})) == {"title": "a \u202e b"}
    True
    """
    text = json.dumps(value, ensure_ascii=False)
    return _NOT_PLAIN.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def change_to_json(store: Store, change: Change) -> dict[str, object]:
    """Return the mapping of one delivery; a decision comes with the versions before and after it.

    A held review that a person told apart is delivered as new, under the seq of the verdict.
    """
    decision = change.decision
    if decision is None:
        assert change.event is not None
        return {"type": "event", "seq": change.seq, **event_to_json(change.event)}
    with store.reading() as unit:
        if change.released:
            change = _as_released(unit, change, decision)
            decision = replace(decision, seq=change.seq, outcome=Outcome.NEW, matched=None)
        old = _find_version(unit, decision, change.old_version_id)
        new = _find_version(unit, decision, change.new_version_id)
    return {
        "type": "decision",
        **decision_to_json(decision),
        "old": version_to_json(old) if old else None,
        "new": version_to_json(new) if new else None,
        "superseded_by": change.superseded_by,
    }


def _as_released(unit: Unit, change: Change, decision: Decision) -> Change:
    """The change with the version that the held decision stored."""
    held = unit.journal.read((decision.seq or 1) - 1, 1)
    return replace(change, new_version_id=held[0].new_version_id if held else None)


def version_to_json(version: Version) -> dict[str, object]:
    """Return the mapping of what a sighting said at one time."""
    published = version.published
    return {
        "title": version.title,
        "text": version.fingerprint.text,
        "published": (format_time(published.at) or published.raw) if published else None,
        "captured_at": format_time(version.captured_at),
        "representation": version.fingerprint.representation.value,
        "text_hash": version.fingerprint.text_hash,
    }


def _find_version(unit: Unit, decision: Decision, version_id: int | None) -> Version | None:
    """The version, wherever its sighting is now: events say where sightings may have gone."""
    if version_id is None or decision.record_number is None:
        return None
    seen: set[int] = set()
    ahead = [decision.record_number]
    while ahead:
        record_id = ahead.pop(0)
        seen.add(record_id)
        for sighting in unit.records.get_sightings([record_id]):
            for version in sighting.versions:
                if version.id == version_id:
                    return version
        for event in unit.journal.find_events(record_id):
            ahead += [r for r in event.record_numbers if r not in seen and r not in ahead]
    return None


class EmitFile:
    """A file of deliveries that picks up where it stopped; the consumer ``emit:<absolute path>``.

    Lines are on the disk before the consumer's cursor moves. A crash in between leaves lines that the
    cursor does not know: they are found by the seq of the last line and not written again.

    A torn last line means that the disk lost what the cursor counts as written. The file is the truth
    then, and the cursor goes back to where the file ends. An absent or empty file was moved away: the
    next one goes on from the cursor.
    """

    def __init__(self, store: Store, changes: Changes, path: str | Path) -> None:
        self._store = store
        self._changes = changes
        self._path = Path(os.path.abspath(path))
        self.consumer = f"emit:{self._path}"
        try:
            self._file = self._path.open("a+b")
        except OSError as error:
            raise InvalidInput(f"cannot be written: {error.strerror}", str(path)) from error
        try:
            self._written = self._repair()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> EmitFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._file.close()

    def drain(self) -> int:
        """Write everything that waits for this consumer; return how many lines were added.

        Raises:
            StoreError: the file cannot be written; the cursor stays, so nothing is lost.
        """
        added, last = 0, 0
        try:
            for change in self._changes.read(self.consumer):
                last = change.seq
                if change.seq > self._written:
                    line = json_line(change_to_json(self._store, change)) + "\n"
                    self._file.write(line.encode("utf-8"))
                    added += 1
            if added:
                self._file.flush()
                os.fsync(self._file.fileno())
        except OSError as error:
            raise StoreError(f"cannot be written: {error.strerror}", str(self._path)) from error
        if last:
            self._written = max(self._written, last)
            self._changes.ack(self.consumer, last)
        return added

    def _repair(self) -> int:
        """Cut a torn last line; return the seq of the last whole one, 0 for an empty file."""
        end, size = self._end_of_lines(), self._file.seek(0, os.SEEK_END)
        written = self._last_seq(end) if end else 0
        if end < size:
            self._file.seek(end)
            torn = self._file.read(_TAIL).replace(b"\0", b"")  # some file systems pad a lost end with zeros
            if not (torn.startswith(_START) or _START.startswith(torn)):
                raise self._foreign("its last line is no delivery")
            self._file.truncate(end)
            self._go_back(written if end else _seq_before(torn))
        return written

    def _go_back(self, seq: int | None) -> None:
        """Set the cursor to ``seq`` when it stands behind it; None says that nothing tells where to."""
        with self._store.reading() as unit:
            cursor = unit.journal.get_cursor(self.consumer)
        if seq is not None and cursor is not None and seq < cursor:
            self._changes.ack(self.consumer, seq)

    def _last_seq(self, end: int) -> int:
        """The seq of the whole line that ends at ``end``."""
        try:
            seq = json.loads(self._last_line(end))["seq"]
        except (ValueError, KeyError, TypeError) as error:
            raise self._foreign("its last line is no delivery") from error
        with self._store.reading() as unit:
            newest = unit.journal.last_seq()
        if not isinstance(seq, int) or seq > newest:
            raise self._foreign(f"it ends at seq {seq}, the journal of this database at {newest}")
        return seq

    def _end_of_lines(self) -> int:
        """Where the last whole line ends."""
        position = self._file.seek(0, os.SEEK_END)
        while position:
            start = max(0, position - _TAIL)
            self._file.seek(start)
            found = self._file.read(position - start).rfind(b"\n")
            if found >= 0:
                return start + found + 1
            position = start
        return 0

    def _last_line(self, end: int) -> bytes:
        """The line that ends at ``end``."""
        tail, start = b"", end
        while start and b"\n" not in tail[:-1]:
            step = min(start, _TAIL)
            start -= step
            self._file.seek(start)
            tail = self._file.read(step) + tail
        return tail[:-1].rpartition(b"\n")[2]

    def _foreign(self, why: str) -> InvalidInput:
        return InvalidInput(f"does not belong to this database ({why}); name another file", str(self._path))


def _seq_before(torn: bytes) -> int | None:
    """The seq before the one that the torn beginning of a delivery gives; None when it gives none."""
    found = _SEQ.match(torn)
    return max(0, int(found["seq"]) - 1) if found else None
