"""Sightings, repeats, versions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..errors import NotFound, StoreError
from ..model import DateEvidence, Enclosure, Key, Sighting, Strength, VersionState
from ..stores.base import Identity, Seen, Touch, Unit
from .builders import a_date, a_fingerprint, a_key, a_record, a_sighting, a_version, an_item, at
from .contract_base import FEED, ContractBase, add_article, add_source, assert_raises, assert_refused


def _identity(source_id: int, number: int = 1) -> Identity:
    sighting = a_sighting(0, source_id, number)
    return Identity(source_id, sighting.guid, sighting.original_url, sighting.clean_title)


def _runs(unit: Unit, record_id: int) -> tuple[tuple[int, int], ...]:
    return unit.records.get_sightings([record_id])[0].runs


class SightingsContract(ContractBase):
    """The role ``records``: what hangs off a record."""

    # --- sightings ---

    def test_sightings_come_back_whole(self) -> None:
        """Keys keep order, strength and rule; the source is named by its identity; versions come apart."""
        with self.unit() as unit:
            source_id = add_source(unit)
            record_id = unit.records.add_record(a_record(source_id))
            keys = (
                Key("guid", "記事-1", str(source_id), Strength.NEAR, "", 0),
                Key("url", "https://news.example/1", "", Strength.STRONG, "generic/url", 3),
                Key("title", "題", "", Strength.CANDIDATE),
                Key("url_near", "news.example/1", "", Strength.DISTRUSTED),
            )
            given = a_sighting(
                record_id,
                source_id,
                source="another",
                keys=keys,
                guid="記事-1",
                runs=((1, 2), (5, 5)),
                last_fetch_no=5,
                times=3,
                slot=2,
                external_id="caller-1",
                last_seen_at=at(3),
                versions=(a_version(),),
            )
            sighting_id = unit.records.add_sighting(given)
            expected = replace(given, id=sighting_id, source=FEED, versions=())
            assert unit.records.get_sightings([record_id]) == [expected]

    def test_get_sightings(self) -> None:
        """Of several records, by id; unknown records have none."""
        with self.unit() as unit:
            articles = [add_article(unit, number) for number in (1, 2, 3)]
            wanted = [articles[2][0].id, articles[0][0].id, articles[0][0].id, 99]
            found = unit.records.get_sightings(wanted)
            assert [sighting.id for sighting in found] == [articles[0][1], articles[2][1]]
            assert [len(sighting.versions) for sighting in found] == [1, 1]
            assert unit.records.get_sightings([]) == []

    def test_sightings_are_unique(self) -> None:
        """By source, guid, URL, title and slot; empty texts count as equal."""
        with self.store() as store:
            with store.unit() as unit:
                record, _, _ = add_article(unit)
                source_id = record.primary_source_id
                unit.records.add_sighting(a_sighting(record.id, source_id, slot=1))
                empty = a_sighting(record.id, source_id, guid="", original_url="", clean_title="題")
                unit.records.add_sighting(empty)
            assert_refused(store, StoreError, _add(a_sighting(record.id, source_id, slot=1)))
            assert_refused(store, StoreError, _add(empty))

    def test_sightings_of_unknown_things(self) -> None:
        """Record and source must be stored."""
        with self.store() as store:
            with store.unit() as unit:
                record, _, _ = add_article(unit)
            assert_refused(store, StoreError, _add(a_sighting(99, record.primary_source_id, 2)))
            assert_refused(store, StoreError, _add(a_sighting(record.id, 99, 2)))

    def test_find_seen(self) -> None:
        """The newest good version of each sighting, and whether the record stands on it."""
        with self.unit() as unit:
            record, sighting_id, version_id = add_article(unit)
            source_id = record.primary_source_id
            newer = a_version("Newer", 2, published=DateEvidence("dc:date", "昨日"))
            newer_id = unit.records.add_version(sighting_id, newer, an_item(), "newer")
            wall = a_version("Accept cookies", 3, state=VersionState.ASIDE)
            unit.records.add_version(sighting_id, wall, an_item(), "wall")
            bare = unit.records.add_sighting(a_sighting(record.id, source_id, slot=1))
            found = unit.records.find_seen([_identity(source_id), _identity(source_id, 2)])
            newest = Seen(
                sighting_id,
                record.id,
                0,
                1,
                at(),
                a_fingerprint("Newer").text_hash,
                None,
                "昨日",
                newer_id,
                is_current=False,
                is_alone=False,
            )
            nothing = Seen(bare, record.id, 1, 1, at(), "", None, "", 0, is_current=False, is_alone=False)
            assert found == {_identity(source_id): [newest, nothing]}
            unit.records.update_record(replace(record, current_version_id=newer_id))
            assert unit.records.find_seen([_identity(source_id)])[_identity(source_id)][0].is_current
            assert unit.records.find_seen([]) == {}
            assert version_id != newer_id

    def test_find_seen_published(self) -> None:
        """The instant and the raw text of the date."""
        with self.unit() as unit:
            record, _, version_id = add_article(unit)
            identity = _identity(record.primary_source_id)
            seen = unit.records.find_seen([identity])[identity][0]
            assert (seen.published_at, seen.published_raw) == (a_date().at, a_date().raw)
            assert (seen.version_id, seen.is_current, seen.is_alone) == (version_id, True, True)

    # --- touches ---

    def test_touch_extends_the_last_run(self) -> None:
        """The next fetch extends it, a later one starts a run of its own."""
        with self.unit() as unit:
            record, sighting_id, _ = add_article(unit)
            unit.records.touch([Touch(sighting_id, 2, 2, at(2)), Touch(sighting_id, 3, 3, at(3))])
            unit.records.touch([Touch(sighting_id, 6, 6, at(6))])
            unit.records.touch([Touch(sighting_id, 9, 9, at(9))])
            sighting = unit.records.get_sightings([record.id])[0]
            assert sighting.runs == ((1, 3), (6, 6), (9, 9))
            assert (sighting.times, sighting.last_fetch_no, sighting.last_seen_at) == (5, 9, at(9))
            assert sighting.first_seen_at == at()

    def test_touch_counts_once_per_fetch(self) -> None:
        """Twice in one fetch, or the same fetch again, is one appearance."""
        with self.unit() as unit:
            record, sighting_id, _ = add_article(unit)
            for _ in range(2):
                unit.records.touch([Touch(sighting_id, 2, 2, at(2)), Touch(sighting_id, 2, 2, at(2))])
            unit.records.touch([Touch(sighting_id, 1, 1, at(1))])
            sighting = unit.records.get_sightings([record.id])[0]
            assert (sighting.runs, sighting.times) == (((1, 2),), 2)
            assert (sighting.last_fetch_no, sighting.last_seen_at) == (2, at(2))

    def test_touch_out_of_order(self) -> None:
        """An interrupted fetch that is completed after newer ones closes its gap."""
        with self.unit() as unit:
            record, sighting_id, _ = add_article(unit)
            unit.records.touch([Touch(sighting_id, number, number, at(number)) for number in (5, 9, 3)])
            assert _runs(unit, record.id) == ((1, 1), (3, 3), (5, 5), (9, 9))
            unit.records.touch([Touch(sighting_id, number, number, at(number)) for number in (4, 10, 8, 4)])
            assert _runs(unit, record.id) == ((1, 1), (3, 5), (8, 10))
            unit.records.touch([Touch(sighting_id, 2, 2, at(2))])
            sighting = unit.records.get_sightings([record.id])[0]
            assert sighting.runs == ((1, 5), (8, 10))
            assert (sighting.times, sighting.last_fetch_no, sighting.last_seen_at) == (8, 10, at(10))

    def test_touch_without_fetch(self) -> None:
        """An item that is a fetch of its own counts every time and stands in no run."""
        with self.unit() as unit:
            record, _, _ = add_article(unit)
            source_id = record.primary_source_id
            own = a_sighting(record.id, source_id, 2, runs=(), last_fetch_no=4)
            sighting_id = unit.records.add_sighting(own)
            unit.records.touch([Touch(sighting_id, 0, 5, at(2)), Touch(sighting_id, 0, 6, at(1))])
            unit.records.touch([Touch(sighting_id, 0, 6, at(1))])  # the same one again
            sighting = unit.records.get_sightings([record.id])[1]
            assert (sighting.runs, sighting.times) == ((), 3)
            assert (sighting.last_fetch_no, sighting.last_seen_at) == (6, at(2))
            unit.records.touch([Touch(sighting_id, 8, 8, at(3))])
            assert unit.records.get_sightings([record.id])[1].runs == ((8, 8),)

    def test_touch_replaces_keys(self) -> None:
        """When there are some; with nothing else to say (0, 0) nothing is counted."""
        with self.unit() as unit:
            record, sighting_id, _ = add_article(unit)
            before = unit.records.get_sightings([record.id])[0]
            keys = (a_key("one"), a_key("鍵", strength=Strength.NEAR))
            unit.records.touch([Touch(sighting_id, 0, 0, at(), keys)])
            assert unit.records.get_sightings([record.id]) == [replace(before, keys=keys)]
            unit.records.touch([Touch(sighting_id, 2, 2, at(2))])
            assert unit.records.get_sightings([record.id])[0].keys == keys
            unit.records.touch([Touch(sighting_id, 9, 9, at(9), ()), Touch(sighting_id, 5, 5, at(5), keys[:1])])
            after = unit.records.get_sightings([record.id])[0]
            assert (after.keys, after.runs) == (keys[:1], ((1, 2), (5, 5), (9, 9)))

    def test_touch_unknown_sighting(self) -> None:
        """Refused, and so are the others of the same call."""
        with self.store() as store:
            with store.unit() as unit:
                _, sighting_id, _ = add_article(unit)
            for number in (0, 5):
                touches = [Touch(sighting_id, 3, 3, at(3)), Touch(99, number, 5, at(5))]
                assert_refused(store, StoreError, _touch(touches))
            with store.unit() as unit:
                unit.records.touch([])
                assert unit.records.find_records()[0].id
                assert _runs(unit, 1) == ((1, 1),)

    def test_move_sightings(self) -> None:
        """Versions go along; unknown sightings and records are refused."""
        with self.store() as store:
            with store.unit() as unit:
                record, sighting_id, version_id = add_article(unit)
                other, other_sighting_id, _ = add_article(unit, 2)
                unit.records.move_sightings([sighting_id, sighting_id], other.id)
                assert unit.records.get_sightings([record.id]) == []
                moved = unit.records.get_sightings([other.id])
                assert [each.id for each in moved] == [sighting_id, other_sighting_id]
                assert [each.id for each in moved[0].versions] == [version_id]
                identity = _identity(record.primary_source_id)
                seen = unit.records.find_seen([identity])[identity][0]
                assert (seen.record_id, seen.is_current) == (other.id, False)
                unit.records.move_sightings([], record.id)
            assert_refused(store, StoreError, lambda unit: unit.records.move_sightings([99], other.id))
            assert_refused(store, StoreError, lambda unit: unit.records.move_sightings([sighting_id], 99))

    # --- versions ---

    def test_versions_come_back_whole(self) -> None:
        """Oldest capture first, whenever it was stored; every field survives."""
        with self.unit() as unit:
            record, sighting_id, first_id = add_article(unit)
            late = a_version("遅い", -1, state=VersionState.LATE, published=None, fetch_no=0, title="題名")
            late_id = unit.records.add_version(sighting_id, late, an_item(), "late")
            newer = a_version("Newer", 2, modified=a_date(1, "updated"), state=VersionState.ASIDE)
            newer_id = unit.records.add_version(sighting_id, newer, an_item(), "newer")
            versions = unit.records.get_sightings([record.id])[0].versions
            first = a_version("Text 1")
            assert versions == (
                replace(late, id=late_id),
                replace(first, id=first_id),
                replace(newer, id=newer_id),
            )
            seen = unit.records.find_seen([_identity(record.primary_source_id)])
            assert seen[_identity(record.primary_source_id)][0].version_id == first_id

    def test_items_come_back_as_they_arrived(self) -> None:
        """Raw texts, odd dates and unknown fields included."""
        with self.unit() as unit:
            _, sighting_id, _ = add_article(unit)
            item = an_item(
                title=" <b>題名</b>\n",
                external_id="caller-1",
                fetch_id="f1",
                content="<p>本文\u0000\u202e</p>",
                authors=("山田", "Li"),
                ids={"doi": "10.1/x"},
                enclosures=(Enclosure("https://a.example/1.mp3", "audio/mpeg", 12, None),),
                images=("https://a.example/1.jpg",),
                redirects=(("https://a.example/1", "https://b.example/1"),),
                published=DateEvidence("pubDate", "Monday"),
                modified=a_date(1),
                posted_at=at(2),
                observed_at=at(3),
                extra={"score": 7, "tags": ["a", "b"], "nested": {"x": None}},
            )
            version_id = unit.records.add_version(sighting_id, a_version(), item, "whole")
            assert unit.records.get_item(version_id) == item
            assert_raises(NotFound, lambda: unit.records.get_item(99))

    def test_an_observation_is_stored_once(self) -> None:
        """A retried job never writes twice."""
        with self.store() as store:
            with store.unit() as unit:
                _, sighting_id, _ = add_article(unit)
            add = _add_version(sighting_id, "observation-1")
            assert_refused(store, StoreError, add)
            assert_refused(store, StoreError, _add_version(99, "another"))


def _add(sighting: Sighting) -> Callable[[Unit], object]:
    return lambda unit: unit.records.add_sighting(sighting)


def _touch(touches: list[Touch]) -> Callable[[Unit], object]:
    return lambda unit: unit.records.touch(touches)


def _add_version(sighting_id: int, observation_key: str) -> Callable[[Unit], object]:
    return lambda unit: unit.records.add_version(sighting_id, a_version(), an_item(), observation_key)
