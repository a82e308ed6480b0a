"""Pages that were opened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from ..errors import NotFound, StoreError
from ..model import Capture, PageHost, Representation
from ..stores.base import Store, Unit
from .builders import at
from .contract_base import ContractBase, add_article, assert_raises, assert_refused


def a_capture(name: str, **fields: Any) -> Capture:
    """Return an attempt that read a page of one host.

    >>> a_capture("a").address
    'https://news.example/a'
    """
    url = f"https://news.example/{name}"
    return replace(Capture(url, f"{url}?utm_source=x", url, at(), "read", url, status=200), **fields)


class PagesContract(ContractBase):
    """The role ``pages``."""

    def test_attempts_are_kept_and_the_newest_is_found(self) -> None:
        """Whole, in order, each under its own id; nothing is overwritten."""
        with self.unit() as unit:
            hops = (("http://news.example/a", 301, "https://news.example/a"), ("https://news.example/a", 302, "/b"))
            failed = a_capture("a", outcome="timeout", status=0, reason="no answer in 30 s", retry_at=at(1), attempts=2)
            read = a_capture(
                "a", hops=hops, representation=Representation.ABSTRACT, content_type="text/html", charset="utf-8",
                etag='"7"', last_modified="Wed", extractor="reader/1", fetched_at=at(2),
                facts={"dates": [{"raw": "令和8年"}]},
            )  # fmt: skip
            other = a_capture("b")
            stored = [unit.pages.add_capture(each) for each in (failed, other, read)]
            assert len({each.id for each in stored}) == 3
            assert min(each.id for each in stored) > 0
            assert [replace(each, id=0) for each in stored] == [failed, other, read]
            assert unit.pages.list_captures(read.address) == [stored[0], stored[2]]
            found = unit.pages.find_captures([read.address, other.address, "https://news.example/c"])
            assert found == {read.address: stored[2], other.address: stored[1]}
            assert unit.pages.list_captures("https://news.example/c") == []
            assert unit.pages.count_captures() == {("read", "abstract"): 1, ("read", ""): 1}

    def test_kept_pages_are_listed_by_id(self) -> None:
        """Bytes come back as they were given and are stored once."""
        with self.unit() as unit:
            assert unit.pages.kept_bytes() == 0
            assert unit.pages.keep_body("h1", b"\x00\xffpressed", 90, at())
            assert not unit.pages.keep_body("h1", b"something else", 14, at(1))
            assert unit.pages.keep_body("h2", b"two", 3, at())
            assert unit.pages.get_body("h1") == b"\x00\xffpressed"
            assert unit.pages.kept_bytes() == 12
            with_body = [unit.pages.add_capture(a_capture(n, body_hash=h)) for n, h in (("a", "h1"), ("b", "h2"))]
            unit.pages.add_capture(a_capture("c"))
            again = unit.pages.add_capture(a_capture("a", body_hash="h1"))
            assert unit.pages.list_kept(0, 10) == [*with_body, again]
            assert unit.pages.list_kept(with_body[0].id, 1) == [with_body[1]]
            assert_raises(NotFound, lambda: unit.pages.get_body("h3"))

    def test_an_attempt_names_stored_things_only(self) -> None:
        """A version and a kept page that are not there are refused."""
        wrong = (a_capture("a", body_hash="none"), a_capture("a", version_id=7), a_capture("a", attempts=0))
        with self.store() as store:
            for each in wrong:
                assert_refused(store, StoreError, partial(_add, each))
            assert_refused(store, StoreError, lambda unit: unit.pages.set_version(5, 1))

    def test_an_attempt_learns_its_version(self) -> None:
        """Once its text became one."""
        with self.unit() as unit:
            _, _, version_id = add_article(unit)
            stored = unit.pages.add_capture(a_capture("a"))
            unit.pages.set_version(stored.id, version_id)
            assert unit.pages.find_captures([stored.address]) == {
                stored.address: replace(stored, version_id=version_id)
            }

    def test_hosts_are_replaced(self) -> None:
        """By name."""
        with self.unit() as unit:
            plain, learned = PageHost("a.example", secure=True), PageHost("a.example", True, 2, 30, ("h1", "h2"))
            other = PageHost("b.example")
            unit.pages.put_host(plain)
            unit.pages.put_host(other)
            unit.pages.put_host(learned)
            assert unit.pages.find_hosts(["a.example", "b.example", "c.example"]) == {
                "a.example": learned,
                "b.example": other,
            }

    def test_pages_are_not_written_while_reading(self) -> None:
        """Nor is a kept page."""
        with self.store() as store:
            for write in (partial(_add, a_capture("a")), _keep):
                assert_raises(StoreError, partial(_write_while_reading, store, write))


def _write_while_reading(store: Store, write: Callable[[Unit], object]) -> None:
    with store.reading() as unit:
        write(unit)


def _keep(unit: Unit) -> bool:
    return unit.pages.keep_body("h", b"body", 4, at())


def _add(capture: Capture, unit: Unit) -> Capture:
    return unit.pages.add_capture(capture)
