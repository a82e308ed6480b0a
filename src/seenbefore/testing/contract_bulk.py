"""Many at a time: repeats by their digests, and keys that somebody holds."""

from __future__ import annotations

from dataclasses import replace

from ..model import Status, Strength, VersionState
from ..stores.base import Identity, Listed, Touch
from .builders import a_key, a_sighting, a_version, an_item, at
from .contract_base import ContractBase, add_article, add_source

_ONE, _TWO = b"digest-of-entry1", b"digest-of-entry2"


class BulkContract(ContractBase):
    """The role ``bulk``."""

    # --- repeats ---

    def test_find_listed(self) -> None:
        """What is known of the sighting, and what an answer repeats of its record."""
        with self.unit() as unit:
            record, sighting_id, version_id = add_article(unit)
            source_id = record.primary_source_id
            unit.records.update_record(replace(record, external_id="caller-1", title="題名", url="https://n.example/x"))
            unit.records.touch([Touch(sighting_id, 2, 2, at(2), digest=_ONE)])
            name = Identity(source_id, "guid-1", "https://news.example/1", "title 1")
            (seen,) = unit.records.find_seen([name])[name]
            assert (seen.digest, seen.version_id, seen.last_fetch_no, seen.is_current) == (_ONE, version_id, 2, True)
            expected = Listed(seen, name, "Title", "caller-1", "https://n.example/x", "題名")
            assert unit.bulk.find_listed(source_id, [_ONE]) == {_ONE: expected}
            assert unit.bulk.find_listed(source_id, [_TWO, _ONE, _ONE, b""]) == {_ONE: expected}

    def test_digests_that_find_nothing(self) -> None:
        """Unknown ones, none at all, the empty one even where it is stored, and another source's."""
        with self.unit() as unit:
            record, sighting_id, _ = add_article(unit)
            source_id, other_id = record.primary_source_id, add_source(unit, "other")
            assert unit.bulk.find_listed(source_id, [_ONE, b""]) == {}
            unit.records.touch([Touch(sighting_id, 2, 2, at(2), digest=_ONE)])
            assert unit.bulk.find_listed(source_id, []) == {}
            assert unit.bulk.find_listed(source_id, [_TWO, b""]) == {}
            assert unit.bulk.find_listed(other_id, [_ONE]) == {}
            assert unit.bulk.find_listed(99, [_ONE]) == {}

    def test_a_digest_on_several_sightings_finds_none(self) -> None:
        """Nobody can say which one repeats, until only one has it."""
        with self.unit() as unit:
            first, one, _ = add_article(unit, 1)
            _, two, _ = add_article(unit, 2)
            source_id = first.primary_source_id
            unit.records.touch([Touch(one, 2, 2, at(2), digest=_ONE), Touch(two, 2, 2, at(2), digest=_ONE)])
            assert unit.bulk.find_listed(source_id, [_ONE]) == {}
            unit.records.touch([Touch(two, 3, 3, at(3), digest=_TWO)])
            found = unit.bulk.find_listed(source_id, [_ONE, _TWO])
            assert {digest: listed.seen.sighting_id for digest, listed in found.items()} == {_ONE: one, _TWO: two}

    def test_a_digest_is_one_of_its_source(self) -> None:
        """The same one in two sources finds the sighting of each."""
        with self.unit() as unit:
            record, one, _ = add_article(unit)
            other_id = add_source(unit, "other")
            two = unit.records.add_sighting(a_sighting(record.id, other_id, digest=_ONE))
            unit.records.add_version(two, a_version("Text"), an_item(), "other")
            unit.records.touch([Touch(one, 2, 2, at(2), digest=_ONE)])
            for source_id, sighting_id in ((record.primary_source_id, one), (other_id, two)):
                found = unit.bulk.find_listed(source_id, [_ONE])[_ONE]
                assert (found.seen.sighting_id, found.identity.source_id) == (sighting_id, source_id)

    def test_touch_replaces_the_digest(self) -> None:
        """When it brings one; another sighting's stays."""
        with self.unit() as unit:
            record, one, _ = add_article(unit, 1)
            _, two, _ = add_article(unit, 2)
            source_id = record.primary_source_id
            unit.records.touch([Touch(one, 2, 2, at(2), digest=_ONE), Touch(two, 2, 2, at(2))])
            unit.records.touch([Touch(one, 3, 3, at(3)), Touch(two, 3, 3, at(3), (a_key("k"),))])
            assert [s.digest for s in unit.records.get_sightings([1, 2])] == [_ONE, b""]
            unit.records.touch([Touch(one, 4, 4, at(4), (a_key("k"),), _TWO)])
            assert list(unit.bulk.find_listed(source_id, [_ONE, _TWO])) == [_TWO]
            assert unit.records.get_sightings([record.id])[0].keys == (a_key("k"),)
            unit.records.touch([Touch(one, 4, 4, at(4), digest=b"")])
            assert unit.bulk.find_listed(source_id, [_ONE, _TWO]) == {}
            unit.records.touch([Touch(one, 0, 9, at(9), digest=_ONE), Touch(one, 2, 2, at(2), digest=_TWO)])
            assert list(unit.bulk.find_listed(source_id, [_ONE, _TWO])) == [_TWO], "the last one of a call"

    def test_a_sighting_without_good_version_is_not_listed(self) -> None:
        """Nothing current can be said of it; and it makes nothing ambiguous."""
        with self.unit() as unit:
            record, one, _ = add_article(unit)
            source_id = record.primary_source_id
            two = unit.records.add_sighting(a_sighting(record.id, source_id, 2, digest=_ONE))
            assert unit.bulk.find_listed(source_id, [_ONE]) == {}
            late = a_version("Late", state=VersionState.LATE)
            unit.records.add_version(two, late, an_item(2), "late")
            assert unit.bulk.find_listed(source_id, [_ONE]) == {}
            unit.records.touch([Touch(one, 2, 2, at(2), digest=_ONE)])
            assert unit.bulk.find_listed(source_id, [_ONE])[_ONE].seen.sighting_id == one
            unit.records.add_version(two, a_version("Good", 1), an_item(2), "good")
            assert unit.bulk.find_listed(source_id, [_ONE]) == {}, "now there are two"

    def test_the_title_is_that_of_the_newest_good_version(self) -> None:
        """Not of a newer one that came late or was set aside."""
        with self.unit() as unit:
            record, sighting_id, _ = add_article(unit)
            unit.records.touch([Touch(sighting_id, 2, 2, at(2), digest=_ONE)])
            for hours, title, state in (
                (3, "Newest good", VersionState.GOOD),
                (2, "Older good", VersionState.GOOD),
                (4, "Late", VersionState.LATE),
                (5, "Aside", VersionState.ASIDE),
            ):
                version = a_version(title, hours, title=title, state=state)
                unit.records.add_version(sighting_id, version, an_item(), title)
            assert unit.bulk.find_listed(record.primary_source_id, [_ONE])[_ONE].title == "Newest good"

    def test_a_moved_sighting_is_listed_under_its_record(self) -> None:
        """The record it stands in now, whatever the one it left is."""
        with self.unit() as unit:
            record, sighting_id, _ = add_article(unit, 1)
            other, _, _ = add_article(unit, 2)
            unit.records.touch([Touch(sighting_id, 2, 2, at(2), digest=_ONE)])
            unit.records.move_sightings([sighting_id], other.id)
            unit.records.update_record(replace(record, status=Status.MERGED, survivor_id=other.id))
            found = unit.bulk.find_listed(record.primary_source_id, [_ONE])[_ONE]
            assert (found.seen.record_id, found.record_title, found.record_url) == (other.id, other.title, other.url)
            assert (found.seen.is_current, found.seen.is_alone) == (False, False)

    # --- keys ---

    def test_find_held(self) -> None:
        """Keys of any strength but the last one, of records that live; each address once."""
        with self.unit() as unit:
            a, b, c = (add_article(unit, number)[0] for number in (1, 2, 3))
            near, weak = a_key("near", strength=Strength.NEAR), a_key("weak", "title", Strength.CANDIDATE, scope="s")
            strong, hub = a_key("鍵"), a_key("hub", strength=Strength.DISTRUSTED)
            unit.records.set_keys({a.id: [strong, near, hub], b.id: [near, weak, hub], c.id: [a_key("gone")]})
            unit.records.update_record(replace(c, status=Status.MERGED, survivor_id=a.id))
            unit.records.update_record(replace(b, status=Status.REJECTED))
            wanted = [key.address for key in (strong, near, near, weak, hub, a_key("gone"), a_key("unknown"))]
            wanted += [("title", "", "weak"), ("guid", "", "鍵")]
            assert unit.bulk.find_held(wanted) == {strong.address, near.address, weak.address}
            assert unit.bulk.find_held(iter(wanted[:1])) == {strong.address}
            assert unit.bulk.find_held([]) == unit.bulk.find_held([hub.address]) == set()

    def test_a_key_that_one_trusts_and_another_does_not_is_held(self) -> None:
        """One row that is not distrusted is enough."""
        with self.unit() as unit:
            a, b = (add_article(unit, number)[0] for number in (1, 2))
            key = a_key("k", strength=Strength.NEAR)
            unit.records.set_keys({a.id: [a_key("k", strength=Strength.DISTRUSTED)], b.id: [key]})
            assert unit.bulk.find_held([key.address]) == {key.address}
            unit.records.set_keys({b.id: []})
            assert unit.bulk.find_held([key.address]) == set()

    def test_many_keys_at_once(self) -> None:
        """Around every hundred, where a store may cut its question."""
        with self.unit() as unit:
            record, _, _ = add_article(unit)
            unit.records.set_keys({record.id: [a_key(f"key {n}") for n in range(0, 1000, 3)]})
            for count in (1, 99, 100, 101, 200, 5000):
                addresses = [a_key(f"key {n}").address for n in range(count)]
                expected = {a_key(f"key {n}").address for n in range(0, min(count, 1000), 3)}
                assert unit.bulk.find_held(addresses) == expected, count
