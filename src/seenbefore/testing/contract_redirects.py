"""Recorded redirects."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..errors import StoreError
from ..model import Redirect
from ..stores.base import Unit
from .builders import at
from .contract_base import ContractBase, assert_raises, assert_refused


def a_redirect(start: str, target: str, **fields: Any) -> Redirect:
    """Return a redirect between two pages of one host.

    >>> a_redirect("a", "b").target_key
    'https://news.example/b'
    """
    start, target = f"https://news.example/{start}", f"https://news.example/{target}"
    made = Redirect(f"{start}#top", f"{target}?utm_source=x", 301, at(), start_key=start, target_key=target)
    return replace(made, **fields)


class RedirectsContract(ContractBase):
    """The role ``redirects``."""

    def test_redirects_are_stored_once(self) -> None:
        """By the keys of both ends; the first one stays, and the way back is another one."""
        with self.unit() as unit:
            first = Redirect(
                "http://例え.example/a", "https://news.example/b?x=1", 308, at(3), "import: moved.csv",
                start_key="http://xn--r8jz45g.example/a", target_key="https://news.example/b?x=1",
            )  # fmt: skip
            other, back = a_redirect("a", "b"), a_redirect("b", "a", seen_at=at(-1))
            again = replace(first, status=301, seen_at=at(9), origin="seen", start="http://x.example/")
            assert unit.redirects.count_redirects() == 0
            assert unit.redirects.list_redirects() == []
            assert unit.redirects.add_redirects([]) == 0
            assert unit.redirects.add_redirects([first, other, again]) == 2
            assert unit.redirects.add_redirects(each for each in (other, back, again, back)) == 1
            assert unit.redirects.add_redirects([first]) == 0
            assert unit.redirects.count_redirects() == 3
            assert unit.redirects.list_redirects() == [first, other, back]

    def test_redirects_are_found_from_both_ends(self) -> None:
        """As they arrived; exact keys only, and those without any are absent."""
        with self.unit() as unit:
            on, away, here, alone = (
                a_redirect(*ends) for ends in (("b", "c"), ("b", "d"), ("a", "b"), ("x", "y"))
            )  # fmt: skip
            unit.redirects.add_redirects([on, away, here, alone])
            a, b, c, x = (f"https://news.example/{name}" for name in "abcx")
            find = unit.redirects.find_redirects
            assert find([b]) == {b: (on, away, here)}
            assert find([c, a, c, "https://news.example/none"]) == {c: (on,), a: (here,)}
            assert find(key for key in (x, b)) == {x: (alone,), b: (on, away, here)}
            assert find([]) == find([""]) == find([b.upper(), f"{b}/", "https://news.example/", on.start]) == {}

    def test_a_redirect_to_itself_is_found_once(self) -> None:
        """Two spellings of one address have one key."""
        with self.unit() as unit:
            circle = a_redirect("a", "a")
            assert unit.redirects.add_redirects([circle, circle]) == 1
            assert unit.redirects.find_redirects([circle.start_key]) == {circle.start_key: (circle,)}

    def test_redirects_that_make_no_sense(self) -> None:
        """No key at one end, a status that redirects nothing; the good ones of the call go as well."""
        with self.store() as store:
            good = a_redirect("a", "b")
            for wrong in (
                replace(good, start_key=""),
                replace(good, target_key=""),
                replace(good, status=200),
                replace(good, status=404),
            ):
                assert_refused(store, StoreError, _redirect(good, wrong))
            naive = replace(good, seen_at=at().replace(tzinfo=None))

            def write() -> None:
                with store.unit() as unit:
                    unit.redirects.add_redirects([naive])

            assert_raises(StoreError, write)
            with store.reading() as unit:
                assert unit.redirects.count_redirects() == 0
                assert unit.redirects.find_redirects([good.start_key]) == {}

    def test_many_redirects(self) -> None:
        """Longer lists than any database's limit of parameters, and many into one page."""
        with self.unit() as unit:
            into = [a_redirect(str(number), "all") for number in range(1500)]
            assert unit.redirects.add_redirects(into) == len(into)
            (target,) = {each.target_key for each in into}
            assert unit.redirects.find_redirects([target]) == {target: tuple(into)}
            found = unit.redirects.find_redirects(f"https://news.example/{number}" for number in range(40_000))
            assert list(found.values()) == [(each,) for each in into]


def _redirect(*redirects: Redirect) -> Callable[[Unit], object]:
    return lambda unit: unit.redirects.add_redirects(redirects)
