"""The feeds that benchmarks make: as long and as varied as they claim, and read without loss."""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from seenbefore.model import Item
from seenbefore.sources.feed import read_feed

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
AT = datetime(2026, 1, 5, 6, tzinfo=UTC)


@pytest.fixture(scope="module", autouse=True)
def _harness() -> Any:
    """Make the package that the benchmark scripts share importable; it is part of no wheel."""
    if not BENCHMARKS.is_dir():
        pytest.skip("this checkout has no benchmarks")
    sys.path.insert(0, str(BENCHMARKS))
    yield
    sys.path.remove(str(BENCHMARKS))


def read(data: bytes) -> list[Item]:
    return list(read_feed(data, source="s", observed_at=AT, default_name="s").items)


def test_lengths_add_up_and_differ() -> None:
    from harness.make_feeds import draw_lengths  # noqa: PLC0415

    lengths = draw_lengths(500, 100)
    assert sum(lengths) == 50_000
    assert (min(lengths), max(lengths)) == (10, 300)
    assert 50 < sorted(lengths)[250] < 85  # most feeds are shorter than the mean
    assert lengths == draw_lengths(500, 100) != draw_lengths(500, 100, seed=1)
    assert sum(draw_lengths(7, 3)) == 21


def test_formats_and_languages_are_mixed() -> None:
    from harness.make_feeds import plan_feeds  # noqa: PLC0415

    plans = plan_feeds(500, 100)
    formats = Counter(plan.format.name for plan in plans)
    assert set(formats) == {"plain", "blog", "news", "podcast", "atom", "json", "rdf"}
    assert min(formats.values()) >= 10
    languages = Counter(plan.language for plan in plans)
    assert 25 < languages["ja"] + languages["zh"] < 100
    assert languages["zh"] > 5


def test_words_are_as_long_as_english_ones() -> None:
    from harness.make_words import language  # noqa: PLC0415

    english = language("en")
    words = english.words(random.Random(1), 20_000)
    assert 4.5 < sum(map(len, words)) / len(words) < 4.9
    assert 1650 < len(english.text(random.Random(1), 300)) < 1900
    assert len(language("ja").text(random.Random(1), 300)) < 900


def test_texts_have_three_hundred_words_on_average() -> None:
    from harness.make_feeds import make_feed, plan_feed  # noqa: PLC0415

    counts = []
    for number in range(200):
        plan = plan_feed(number, 2)
        if plan.language == "en":
            [data] = make_feed(plan, AT)
            counts += [len(re.sub("<[^>]+>", " ", item.content or item.summary).split()) for item in read(data)]
    assert 250 < sum(counts) / len(counts) < 350
    assert min(counts) < 30
    assert max(counts) > 900


@pytest.mark.parametrize("wanted", ["plain", "blog", "news", "podcast", "atom", "json", "rdf"])
def test_every_format_is_read_whole(wanted: str) -> None:
    from harness.make_feeds import make_feed, plan_feed  # noqa: PLC0415

    plan = next(plan for number in range(500) if (plan := plan_feed(number, 12)).format.name == wanted)
    now, later = make_feed(plan, AT, AT + timedelta(hours=1))
    items = read(now)
    assert len(items) == len({item.original_url for item in items}) == len({item.title for item in items}) == 12
    assert all(item.published_at and (item.content or item.summary) for item in items)
    assert all(item.enclosures for item in items) == (wanted == "podcast")
    assert now != later, "the build date must differ"
    digests = [read_feed(d, source="s", observed_at=AT, default_name="s").items.digests for d in (now, later)]
    assert digests[0] == digests[1], "the entries must not"


def test_a_feed_depends_on_its_number_alone() -> None:
    from harness.make_feeds import make_feed, plan_feed  # noqa: PLC0415

    assert make_feed(plan_feed(3, 5), AT) == make_feed(plan_feed(3, 5), AT)
    titles = [item.title for number in range(60) for item in read(make_feed(plan_feed(number, 10), AT)[0])]
    assert len(set(titles)) == 600


def test_pictures_tell_apart_what_differs() -> None:
    from harness.pictures import Held, Picture, compare_pictures, describe  # noqa: PLC0415

    def picture(*records: Held) -> Picture:
        names = {name: ["news", name, f"https://news.example/{name}", name, 0] for name in "abc"}
        return Picture(records, names, {}, 0, {}, [], 0, None)

    one = Held(frozenset("ab"), ("a", "A", "x"), ("t1", None, "t1", "t2"))
    other = Held(frozenset("c"), ("c", "C", "y"), ("t1", None, "t1", "t1"))
    usual = picture(one, other)
    assert compare_pictures(usual, picture(other, one)).is_none

    apart = compare_pictures(
        usual, picture(Held(frozenset("a"), *one_rest(one)), Held(frozenset("b"), *one_rest(one)), other)
    )
    assert (apart.share, apart.flipped, apart.dated) == (0.5, (), ())
    more = compare_pictures(usual, picture(one, other, Held(frozenset("z"), *one_rest(one))))
    assert not more.is_none
    flipped = picture(Held(one.sightings, ("b", "B", "x"), one.times), other)
    assert [len(part) for part in parts(compare_pictures(usual, flipped))] == [0, 1, 0]
    dated = picture(Held(one.sightings, one.current, ("t0", None, "t1", "t2")), other)
    assert [len(part) for part in parts(compare_pictures(usual, dated))] == [0, 0, 1]
    told = "\n".join(describe(compare_pictures(usual, dated), usual, dated, 3))
    assert "first_published_at t1 → t0" in told
    assert "https://news.example/a" in told


def one_rest(held: Any) -> tuple[Any, Any]:
    return held.current, held.times


def parts(difference: Any) -> tuple[Any, Any, Any]:
    return difference.parted, difference.flipped, difference.dated


def test_a_section_of_the_page_is_replaced_and_nothing_else(tmp_path: Path) -> None:
    from harness.page import fill_section, markdown_table  # noqa: PLC0415

    page = tmp_path / "page.md"
    page.write_text(
        "# Page\n\n<!-- begin a -->\nold\n<!-- end a -->\n\n<!-- begin b -->\n<!-- end b -->\n", encoding="utf-8"
    )
    fill_section("a", markdown_table(("run", "items"), [("first", 12345)]), page)
    table = "| run | items |\n| --- | ---: |\n| first | 12,345 |"
    assert page.read_text(encoding="utf-8") == (
        f"# Page\n\n<!-- begin a -->\n{table}\n<!-- end a -->\n\n<!-- begin b -->\n<!-- end b -->\n"
    )
    with pytest.raises(ValueError, match="no section c"):
        fill_section("c", "x", page)
