"""Activated rules of one's own, and the records such rules can be about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..errors import NotFound, StoreError
from ..model import Key, RuleState, RuleVersion, Status, Strength
from ..stores.base import Store, Unit
from .builders import a_key, at
from .contract_base import ContractBase, add_article, assert_raises, assert_refused
from .contract_redirects import a_redirect

Write = Callable[[Unit], object]


def a_rule_version(pack: str = "mine", **fields: Any) -> RuleVersion:
    """Return an activation that is not stored yet.

    >>> a_rule_version(number=3).version_id
    'v3'
    """
    return replace(RuleVersion(0, pack, 1, f'pack = "{pack}"', RuleState.ACTIVATING, at()), **fields)


class PacksContract(ContractBase):
    """The role ``packs``."""

    def test_versions_come_back_whole(self) -> None:
        """Every field survives; numbers count up from 1 whatever number is given."""
        with self.unit() as unit:
            given = RuleVersion(
                7, "mine", 3, 'pack = "mine"\nabout = "規則"\n', RuleState.ROLLED_BACK, at(1), "Aiko", "they are one",
                collisions=4, done=12, rolled_back_at=at(2),
            )  # fmt: skip
            first = unit.packs.add_version(given)
            second = unit.packs.add_version(replace(given, number=0, pack="other", rolled_back_at=None))
            assert first == replace(given, number=1)
            assert second == replace(given, number=2, pack="other", rolled_back_at=None)
            assert unit.packs.list_versions() == [first, second]
            assert unit.packs.get_version(2) == second
            assert unit.packs.get_version(1).version_id == "v1"

    def test_get_version_raises(self) -> None:
        """An unknown number is not found, which harms nothing."""
        with self.store() as store:
            with store.unit() as unit:
                assert unit.packs.list_versions() == []
                assert str(assert_raises(NotFound, lambda: unit.packs.get_version(1))).endswith("'v1'")
                stored = unit.packs.add_version(a_rule_version())
            with store.reading() as unit:
                assert unit.packs.list_versions() == [stored]

    def test_update_version(self) -> None:
        """How far it is changes; what was activated, when and by whom never does."""
        with self.unit() as unit:
            first, other = (unit.packs.add_version(a_rule_version(pack)) for pack in ("mine", "other"))
            changes = {
                "state": RuleState.ROLLED_BACK,
                "done": 17,
                "collisions": 2,
                "forced": "they are one",
                "rolled_back_at": at(5),
            }
            expected = replace(first, **changes)  # type: ignore[arg-type]
            unit.packs.update_version(
                replace(expected, pack="x", pack_version=9, text="x", author="x", activated_at=at(9))
            )
            assert unit.packs.list_versions() == [expected, other]
            unit.packs.update_version(first)
            assert unit.packs.get_version(1) == first

    def test_versions_that_make_no_sense(self) -> None:
        """Counts below 0, versions below 1, numbers that name nothing, and times without zone."""
        with self.store() as store:
            with store.unit() as unit:
                stored = unit.packs.add_version(a_rule_version())
            for wrong in (replace(stored, done=-1), replace(stored, collisions=-1)):
                assert_refused(store, StoreError, _add(wrong))
                assert_refused(store, StoreError, _update(wrong))
            naive = at().replace(tzinfo=None)
            for write in (
                _add(replace(stored, activated_at=naive)),
                _add(replace(stored, rolled_back_at=naive)),
                _update(replace(stored, rolled_back_at=naive)),
            ):
                assert_raises(StoreError, lambda write=write: _write_alone(store, write))  # type: ignore[misc]
            assert_refused(store, StoreError, _add(replace(stored, pack_version=0)))
            assert_refused(store, StoreError, _update(replace(stored, number=2)))
            assert_refused(store, StoreError, _update(replace(stored, number=0)))
            with store.reading() as unit:
                assert unit.packs.list_versions() == [stored]

    def test_the_stamp_tells_what_is_in_force(self) -> None:
        """It is another number after each activation and each change of a state, and stays with anything else."""
        with self.store() as store:
            stamps: list[int] = []

            def write(write: Write) -> None:
                with store.unit() as unit:
                    write(unit)
                    inside = unit.packs.stamp()
                with store.reading() as unit:
                    assert unit.packs.stamp() == inside
                stamps.append(inside)

            version = a_rule_version(number=1)
            write(lambda unit: None)
            write(_add(version))
            write(_add(version))
            for state in (RuleState.ACTIVE, RuleState.ROLLING_BACK, RuleState.ROLLED_BACK, RuleState.ACTIVE):
                version = replace(version, state=state)
                write(_update(version))
            assert len(set(stamps)) == len(stamps)
            assert stamps[0] == 0
            write(_update(replace(version, done=5, collisions=1, forced="because", rolled_back_at=at())))
            write(add_article)
            write(lambda unit: unit.redirects.add_redirects([a_redirect("a", "b")]))
            assert set(stamps[-3:]) == {stamps[-4]}

    def test_a_unit_that_fails_activates_nothing(self) -> None:
        """Versions, stamp, numbers and redirects are as before, and the next attempt finds nothing in its way."""
        with self.store() as store:
            with store.unit() as unit:
                stored = unit.packs.add_version(a_rule_version())
                unit.redirects.add_redirects([a_redirect("a", "b")])
            before = _content(store)

            def fail() -> None:
                with store.unit() as unit:
                    unit.packs.add_version(a_rule_version("other"))
                    unit.packs.update_version(replace(stored, state=RuleState.ACTIVE, done=9))
                    unit.redirects.add_redirects([a_redirect("b", "c"), a_redirect("x", "y")])
                    raise StoreError("stop")

            assert_raises(StoreError, fail)
            assert _content(store) == before
            with store.unit() as unit:
                again = unit.packs.add_version(a_rule_version("other"))
                assert unit.packs.list_versions() == [stored, again]
                assert unit.packs.stamp() not in (0, before[1])
                assert unit.redirects.add_redirects([a_redirect("x", "y"), a_redirect("a", "b")]) == 1

    def test_nothing_is_activated_while_reading(self) -> None:
        """Everything may be asked, and nothing be written; the store stays as it was."""
        with self.store() as store:
            with store.unit() as unit:
                stored = unit.packs.add_version(a_rule_version())
                unit.redirects.add_redirects([a_redirect("a", "b")])
            before = _content(store)
            for write in (
                _add(stored),
                _update(replace(stored, state=RuleState.ACTIVE)),
                _update(replace(stored, done=1)),
                lambda unit: unit.redirects.add_redirects([a_redirect("b", "c")]),
                lambda unit: unit.redirects.add_redirects([a_redirect("a", "b")]),
            ):
                assert_raises(StoreError, lambda write=write: _read_and(store, write))  # type: ignore[misc]
            assert _content(store) == before

    def test_a_scratch_copy_has_rules_and_redirects(self) -> None:
        """All of it, the next number and the stamp included; writing to either leaves the other alone."""
        with self.store() as store:
            with store.unit() as unit:
                stored = unit.packs.add_version(a_rule_version())
                unit.redirects.add_redirects([a_redirect("a", "b")])
            before = _content(store)
            copy = store.scratch_copy()
            try:
                assert _content(copy) == before
                with copy.unit() as unit:
                    assert unit.packs.add_version(a_rule_version()).number == stored.number + 1
                    unit.packs.update_version(replace(stored, state=RuleState.ACTIVE))
                    unit.redirects.add_redirects([a_redirect("b", "c")])
                    found = unit.redirects.find_redirects(["https://news.example/b"])
                    assert len(found["https://news.example/b"]) == 2
                assert _content(store) == before
            finally:
                copy.close()

    # --- which records a rule can be about ---

    def test_a_host_is_found_however_it_is_written(self) -> None:
        """With ports, credentials, and labels that only say how a page is shown; by each kind of key alone."""
        hosts = (
            "example.com", "example.com:8080", "ann@example.com", "ann:secret@example.com:8080",
            "www.example.com", "www2.example.com", "www17.example.com", "m.example.com", "mobile.example.com",
            "amp.example.com", "sp.example.com", "wap.example.com", "www.m.example.com", "amp.m.www3.example.com:81",
            "ann@www.example.com", "example.com@m.example.com", "a.example:80@example.com",
        )  # fmt: skip
        with self.unit() as unit:
            is_found = _finder(unit)
            for host in hosts:
                for key in _keys_on(f"{host}/a?to=https://other.example/"):
                    assert is_found(key, "example.com"), key
                    assert not is_found(key, "*.other.example", "ample.com", "com", "other.example"), key

    def test_a_host_that_looks_alike_is_not_found(self) -> None:
        """Names that end or begin alike, hosts below, names in path, query, credentials or port."""
        hosts = (
            "notexample.com", "example.com.evil.example", "example.comm", "example.co", "shop.example.com",
            "en.m.example.com", "m.shop.example.com", "mm.example.com", "wwwx.example.com", "m-x.example.com",
            "www-example.com", "example.com@other.example", "example.com:80@other.example", "m.other.example",
            "other.example:80/example.com", "other.example/example.com", "other.example/@example.com",
            "other.example/https://example.com", "other.example/?u=https://example.com", "other.example?example.com",
            "other.example/a@example.com", "other.example#@example.com",
        )  # fmt: skip
        with self.unit() as unit:
            is_found = _finder(unit)
            for host in hosts:
                for key in _keys_on(f"{host}/a"):
                    assert not is_found(key, "example.com"), key

    def test_hosts_below_a_host(self) -> None:
        """Whole labels at any depth, with ports and credentials; not the host itself, nor one that ends alike."""
        below = (
            "ann.example.com", "a.b.example.com:8080", "ann:secret@shop.example.com", "m.shop.example.com",
            "-.example.com",
        )  # fmt: skip
        elsewhere = (
            "example.com", "ann@example.com:8080", "notexample.com", "shop.notexample.com",
            "shop.example.com.evil.example", "shop.example.com@other.example", "other.example/shop.example.com",
        )  # fmt: skip
        with self.unit() as unit:
            is_found = _finder(unit)
            for host in (*below, *elsewhere):
                for key in _keys_on(f"{host}/a"):
                    assert is_found(key, "*.example.com") is (host in below), key

    def test_keys_that_hold_no_address(self) -> None:
        """Only web addresses in ``url`` and ``url_near`` name a host."""
        with self.unit() as unit:
            is_found = _finder(unit)
            for key in (
                a_key("https://example.com/a", "guid"),
                a_key("https://example.com/a", "id"),
                a_key("example.com/a", "site"),
                a_key("example.com/a", "title", Strength.CANDIDATE),
                a_key("example.com/a", scope="literal"),
                a_key("mailto:ann@example.com", scope="literal"),
                a_key("ftp://example.com/a", scope="literal"),
                a_key("see page 12", scope="literal"),
            ):
                assert not is_found(key, "example.com", "*.com"), key

    def test_any_scope_and_strength(self) -> None:
        """What a rule is about does not depend on what the key may decide today."""
        with self.unit() as unit:
            is_found = _finder(unit)
            for strength in Strength:
                for scope in ("", "7", "literal", "橋"):
                    for key in _keys_on("example.com/a"):
                        assert is_found(replace(key, strength=strength, scope=scope), "example.com")

    def test_records_on_several_hosts(self) -> None:
        """Each record once, ascending, with all of its addresses; no host finds nothing."""
        with self.unit() as unit:
            a, b, c, d = (add_article(unit, number)[0].id for number in (1, 2, 3, 4))
            near = a_key("one.example/x", "url_near", Strength.NEAR)
            unit.records.set_keys(
                {
                    d: [a_key("https://one.example/4"), near, a_key("https://m.one.example/4")],
                    b: [a_key("https://one.example/2"), near],
                    c: [a_key("https://ann.two.example/3")],
                    a: [a_key("https://three.example/1"), a_key("https://two.example/1")],
                }
            )
            find = unit.packs.find_records_on
            assert find(["one.example"]) == [b, d]
            assert find(["one.example", "*.two.example", "one.example"]) == [b, c, d]
            assert find(host for host in ("three.example", "two.example")) == [a]
            assert find(["*.example"]) == [a, b, c, d]
            assert find([]) == find([""]) == find(["four.example"]) == []
            unit.records.set_keys({d: [a_key("https://four.example/4")]})
            assert find(["one.example"]) == [b]
            assert find(["four.example"]) == [d]

    def test_neighbors_in_the_order_of_keys(self) -> None:
        """Every host is found alone, whatever stands just before or behind it."""
        hosts = (
            "example.co", "example.com", "example.com-a.test", "example.com.test", "example.com0.test", "example.coma",
            "example.comz", "examples.com", "xn--bcher-kva.example", "[::1]", "127.0.0.1",
        )  # fmt: skip
        with self.unit() as unit:
            ids = {}
            for number, host in enumerate(hosts, 1):
                ids[host] = add_article(unit, number)[0].id
                pages = ("", "/", "/0", "/~", "?a/b", "#a", ":81/", ":8/", "/\U0010ffff")
                keys = [a_key(f"{start}{host}{page}") for start in ("http://", "https://") for page in pages]
                unit.records.set_keys({ids[host]: keys})
            for host, record_id in ids.items():
                assert unit.packs.find_records_on([host]) == [record_id], host
            assert unit.packs.find_records_on(hosts) == sorted(ids.values())

    def test_merged_records_are_left_out(self) -> None:
        """Rejected ones are live."""
        with self.unit() as unit:
            merged, rejected, active = (add_article(unit, number)[0] for number in (1, 2, 3))
            near = a_key("example.com/a", "url_near", Strength.NEAR)
            unit.records.set_keys({record.id: [near] for record in (merged, rejected, active)})
            unit.records.update_record(replace(merged, status=Status.MERGED, survivor_id=active.id))
            unit.records.update_record(replace(rejected, status=Status.REJECTED))
            for host in ("example.com", "*.com"):
                assert unit.packs.find_records_on([host]) == [rejected.id, active.id]
            unit.records.update_record(merged)
            assert unit.packs.find_records_on(["example.com"]) == [merged.id, rejected.id, active.id]


def _content(store: Store) -> tuple[object, ...]:
    with store.reading() as unit:
        return (unit.packs.list_versions(), unit.packs.stamp(), unit.redirects.list_redirects())


def _read_and(store: Store, write: Write) -> None:
    with store.reading() as unit:
        assert len(unit.packs.list_versions()) == 1
        assert unit.packs.find_records_on(["news.example"]) == []
        assert unit.redirects.count_redirects() == 1
        write(unit)


def _write_alone(store: Store, write: Write) -> None:
    with store.unit() as unit:
        write(unit)


def _add(version: RuleVersion) -> Write:
    return lambda unit: unit.packs.add_version(version)


def _update(version: RuleVersion) -> Write:
    return lambda unit: unit.packs.update_version(version)


def _keys_on(address: str) -> tuple[Key, ...]:
    """A key of each form that holds an address."""
    return (a_key(f"https://{address}"), a_key(f"http://{address}"), a_key(address, "url_near"))


def _finder(unit: Unit) -> Callable[..., bool]:
    """What tells whether a record with one key is found; others stand before and behind it, and are not."""
    first, second, record_id = (add_article(unit, number)[0].id for number in (1, 2, 3))
    unit.records.set_keys(
        {
            first: [a_key("https://a.test/1"), a_key("zz.test/1", "url_near"), a_key("", scope="x")],
            second: [a_key("http://zz.test/1"), a_key("a.test/1", "url_near"), a_key("a", scope="literal")],
        }
    )

    def is_found(key: Key, *hosts: str) -> bool:
        unit.records.set_keys({record_id: [key]})
        found = unit.packs.find_records_on(hosts)
        assert found in ([], [record_id])
        return bool(found)

    return is_found
