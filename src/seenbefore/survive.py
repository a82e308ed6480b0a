"""Cluster → what its record looks like: current version, primary source, dates, survivor.

Everything here is a pure function of the sightings, so two runs that saw the same things in another
order agree on every field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from urllib.parse import urlsplit

from .blocking import is_moved, sighting_hash
from .model import Current, Fingerprint, Record, Representation, Sighting, Status, Version, VersionState
from .urls.source import is_page_source

_LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)

PoorCheck = Callable[[Current, Current], bool]
"""(old, new) → whether the new capture is too poor to replace the old one."""


def newest_good(sighting: Sighting) -> Version:
    """Return the newest version that may be current; when none may, the one that was stored first.

    What comes late changes nothing that is shown, not even what came late before.
    """
    good = [v for v in sighting.versions if v.state is VersionState.GOOD]
    return good[-1] if good else min(sighting.versions, key=lambda v: (v.id == 0, v.id))


def that_may_be_current(sightings: Iterable[Sighting]) -> list[Sighting]:
    """Return the sightings that have something to show; all of them when everything came late."""
    known = list(sightings)
    return [s for s in known if any(v.state is VersionState.GOOD for v in s.versions)] or known


def order_of_currency(sightings: Iterable[Sighting]) -> list[Sighting]:
    """Return sightings of one source, the one that is current first.

    Last seen; then, within one fetch, the newest publication date (unknown counts as oldest); then
    the first address in alphabetical order and a hash, so that twins in one fetch never flip.
    """
    by_name = sorted(sightings, key=lambda s: (s.original_url, sighting_hash(s)))
    return sorted(
        by_name,
        key=lambda s: (s.last_seen_at, s.last_fetch_no, newest_good(s).published_at or _LONG_AGO),
        reverse=True,
    )


def find_current(
    sightings: Iterable[Sighting],
    source_id: int,
    is_poor: PoorCheck,
    like: Fingerprint | None = None,
) -> Current | None:
    """Return what a source shows of an article now; None if nothing.

    With ``like``, only in its representation and as its extractor read it: two ways to read one page are never
    held against each other. A capture that is too poor (a consent wall) replaces none of those before it, nor does
    a second one.
    """
    current: Current | None = None
    for candidate in _oldest_first(sightings, source_id, like):
        if current is None or not is_poor(current, candidate):
            current = candidate
    return current


def _first_url(sightings: Iterable[Sighting]) -> str:
    """The address of the sighting that was seen first, of those that have one."""
    linked = [s for s in sightings if s.original_url]
    return min(linked, key=lambda s: (s.first_seen_at, sighting_hash(s))).original_url if linked else ""


def _shown_title(sightings: Iterable[Sighting], source_id: int) -> str:
    """The last title of a source as it was written; an entry that lost its title does not take it away."""
    own = order_of_currency(that_may_be_current(s for s in sightings if s.source_id == source_id))
    return next((newest_good(s).title for s in own if s.clean_title), "")


def _oldest_first(sightings: Iterable[Sighting], source_id: int, like: Fingerprint | None) -> Iterable[Current]:
    """What a source showed, the latest last: by sighting, then by version."""
    own = order_of_currency(that_may_be_current(s for s in sightings if s.source_id == source_id))
    for sighting in reversed(own):
        good = [v for v in sighting.versions if v.state is VersionState.GOOD] or [newest_good(sighting)]
        for version in good:
            if like is None or _is_read_alike(version.fingerprint, like):
                yield Current(sighting, version)


def _is_read_alike(one: Fingerprint, other: Fingerprint) -> bool:
    return one.representation is other.representation and one.extractor_version == other.extractor_version


def last_title(sightings: Iterable[Sighting], source_id: int) -> str:
    """Return the last clean title that a source gave, '' if it never gave one."""
    own = order_of_currency(that_may_be_current(s for s in sightings if s.source_id == source_id))
    return next((s.clean_title for s in own if s.clean_title), "")


def survive(sightings: Sequence[Sighting], record_id: int, status: Status, is_poor: PoorCheck) -> Record:
    """Return the record of a cluster, every field derived from its sightings.

    ``first_published_at`` is the earliest date any source ever gave, ``content_updated_at`` the last
    time a source changed what it had said.
    """
    if len(sightings) == 1 and len(sightings[0].versions) == 1:
        return _survive_alone(sightings[0], sightings[0].versions[0], record_id, status)
    primary_id = primary_source(sightings)
    current = find_current(sightings, primary_id, is_poor)
    assert current is not None
    published = [v.published_at for s in sightings for v in s.versions if v.published_at]
    first = min(sightings, key=lambda s: (s.first_seen_at, sighting_hash(s)))
    named = [s for s in sightings if s.external_id is not None]
    return Record(
        id=record_id,
        kind=first.kind,
        status=status,
        survivor_id=None,
        title=current.version.title or _shown_title(sightings, primary_id),
        url=current.sighting.original_url or _first_url(sightings),
        external_id=min(named, key=lambda s: (s.first_seen_at, sighting_hash(s))).external_id if named else None,
        primary_source_id=primary_id,
        current_version_id=current.version.id,
        first_seen_at=min(s.first_seen_at for s in sightings),
        last_seen_at=max(s.last_seen_at for s in sightings),
        first_published_at=min(published) if published else None,
        content_updated_at=_content_updated_at(sightings, is_poor),
    )


def _survive_alone(sighting: Sighting, version: Version, record_id: int, status: Status) -> Record:
    """The usual case, a record that was seen once, without choosing between one."""
    return Record(
        id=record_id,
        kind=sighting.kind,
        status=status,
        survivor_id=None,
        title=version.title,
        url=sighting.original_url,
        external_id=sighting.external_id,
        primary_source_id=sighting.source_id,
        current_version_id=version.id,
        first_seen_at=sighting.first_seen_at,
        last_seen_at=sighting.last_seen_at,
        first_published_at=version.published_at,
        content_updated_at=None,
    )


def choose_survivor(candidates: Sequence[tuple[int, Sequence[Sighting]]], now: datetime) -> int:
    """Return the record id that stays: newest published (not in the future), newest seen, then a hash."""

    def order(candidate: tuple[int, Sequence[Sighting]]) -> tuple[datetime, datetime, str]:
        _, sightings = candidate
        dates = [v.published_at for s in sightings for v in s.versions if v.published_at and v.published_at <= now]
        return (
            max(dates, default=_LONG_AGO),
            max(s.last_seen_at for s in sightings),
            max(sighting_hash(s) for s in sightings),
        )

    return max(candidates, key=order)[0]


def primary_source(sightings: Sequence[Sighting]) -> int:
    """The source on the article's own host, else the fullest text, else the earliest, then the name."""
    by_source: dict[int, list[Sighting]] = {}
    for sighting in that_may_be_current(sightings):
        by_source.setdefault(sighting.source_id, []).append(sighting)

    def order(source_id: int) -> tuple[int, int, datetime, str]:
        own = by_source[source_id]
        return (
            0 if any(_on_own_host(s) for s in own) else 1,
            -max(map(_fullness, own)),
            min(s.first_seen_at for s in own),
            own[0].source,
        )

    return min(by_source, key=order)


def _fullness(sighting: Sighting) -> int:
    """How much of an article a sighting shows; a page that shows less for once has its text all the same."""
    newest = newest_good(sighting)
    of_page = is_page_source(sighting.source)
    versions = [v for v in sighting.versions if v.state is newest.state] if of_page else [newest]
    return max(version.fingerprint.representation.fullness for version in versions)


def _on_own_host(sighting: Sighting) -> bool:
    source, article = _host(sighting.source), _host(sighting.original_url)
    return bool(source) and bool(article) and (source == article or source.endswith(f".{article}"))


def _host(address: str) -> str:
    try:
        host = urlsplit(address if "://" in address else f"//{address}").hostname or ""
    except ValueError:
        return ""
    host = host.removeprefix("www.")
    return host if "." in host else ""


def _content_updated_at(sightings: Sequence[Sighting], is_poor: PoorCheck) -> datetime | None:
    """The latest capture that changed what its source had said in the same representation.

    Poor captures and late arrivals change nothing.
    """
    chains: dict[tuple[int, Representation, str], list[Current]] = {}
    for sighting in sightings:
        for version in sighting.versions:
            if version.state is VersionState.GOOD:
                print_ = version.fingerprint
                key = (sighting.source_id, print_.representation, print_.extractor_version)
                chains.setdefault(key, []).append(Current(sighting, version))
    changes = _reposts(sightings)
    for chain in chains.values():
        changes += _changes(sorted(chain, key=_capture_order), is_poor)
    return max(changes, default=None)


def _capture_order(shown: Current) -> tuple[datetime, int, str]:
    return (shown.version.captured_at, shown.version.fetch_no, sighting_hash(shown.sighting))


def _changes(chain: Sequence[Current], is_poor: PoorCheck) -> list[datetime]:
    """When the captures of one source, oldest first, said something new."""
    changes = []
    shown = chain[0]
    for capture in chain[1:]:
        if is_poor(shown, capture):
            continue
        said, says = shown.version.fingerprint.text_hash, capture.version.fingerprint.text_hash
        retitled = capture.sighting.clean_title not in ("", shown.sighting.clean_title)
        if (retitled or said != says) and _capture_order(shown)[:2] != _capture_order(capture)[:2]:
            changes.append(capture.version.captured_at)
        shown = capture
    return changes


def _reposts(sightings: Sequence[Sighting]) -> list[datetime]:
    """When a source published an article again: a newer date under an address it did not have before."""
    return [
        later.first_seen_at
        for later in sightings
        for earlier in sightings
        if later.source_id == earlier.source_id and _is_repost(earlier, later)
    ]


def _is_repost(earlier: Sighting, later: Sighting) -> bool:
    old, new = newest_good(earlier).published_at, newest_good(later).published_at
    if old is None or new is None or new <= old or later.first_seen_at <= earlier.first_seen_at:
        return False
    return is_moved(earlier, later)
