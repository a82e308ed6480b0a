"""Rules of the check that no damage to a file brings about by itself."""

from __future__ import annotations

from dataclasses import replace

from seenbefore.audit.sightings import check_sighting
from seenbefore.audit.sources import SourceFacts, check_source, number_runs
from seenbefore.model import Fetch, Source, VersionState
from seenbefore.testing.builders import a_sighting, a_version, at

SOURCE = Source(1, "News", "news", at(5), 5)
FACTS = SourceFacts(SOURCE, ((1, 2), (4, 4)), frozenset())


def codes(**fields: object) -> set[str]:
    sighting = replace(a_sighting(1, 1, versions=(a_version(id=1),)), **fields)  # type: ignore[arg-type]
    return {problem.code for problem in check_sighting(sighting, FACTS, None)}


def test_a_sighting_that_its_own_identity_does_not_find() -> None:
    assert codes() == {"newest_version"}


def test_numbers_between_fetches_belong_to_items_without_one() -> None:
    """Number 3 was taken by an item that was a fetch of its own; 4 is a fetch, and lists the sighting."""
    assert codes(times=2, last_fetch_no=3) == {"newest_version"}
    assert codes(times=2, last_fetch_no=4) == {"newest_version", "sighting_times"}
    assert codes(times=3, last_fetch_no=4, runs=((1, 1), (4, 4))) == {"newest_version"}
    assert codes(times=3, last_fetch_no=4, runs=((1, 1), (3, 4))) == {"newest_version", "sighting_runs"}
    assert codes(times=3, last_fetch_no=2, runs=((1, 1), (2, 2))) == {"newest_version", "sighting_runs"}


def test_a_late_version_may_be_older_than_the_sighting() -> None:
    late = a_version("Old", -3, id=2, state=VersionState.LATE)
    assert codes(versions=(late, a_version(id=1))) == {"newest_version"}
    assert codes(versions=(replace(late, id=0), a_version(id=1))) == {"newest_version", "sighting_dates"}


def test_a_source_that_was_never_read_has_no_fetches() -> None:
    fetch = Fetch(1, "f", 1, at(), late=False, completed=True)
    never = replace(SOURCE, newest_observed_at=None, last_fetch_no=0)
    assert list(check_source(never, 1, [])) == []
    assert {p.code for p in check_source(never, 1, [fetch])} == {"fetch_number", "source_newest"}
    assert number_runs([]) == ()
