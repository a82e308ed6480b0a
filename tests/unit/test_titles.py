"""What is compared, shown and counted in titles."""

from __future__ import annotations

import pytest

from seenbefore.text.titles import (
    clean_title,
    display_title,
    numbers_conflict,
    title_identifies,
    title_numbers,
    title_similarity,
)


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("", ""),
        ("  The\n Lift ", "the lift"),
        ("The Lift (17 comments)", "the lift"),
        ("[3 new] The Lift (no comments) (1 Comment)", "the lift"),
        ("橋を架け替え（コメント3件）", "橋を架け替え"),
        ("大桥将重建（12条评论）", "大桥将重建"),
        ("“The Lift”", "the lift"),
        ("『橋』", "橋"),
        ('"The" and "Lift"', '"the" and "lift"'),
        ("'Tis a lift", "'tis a lift"),
        ("– The Lift | ", "the lift"),
        ("The Lift.", "the lift"),
        (".NET 8 in C#", ".net 8 in c#"),
        ("...", "..."),
        ("(500) Days of Summer", "(500) days of summer"),
        ("The Lift (2026)", "the lift (2026)"),
        ("Ｔｈｅ <em>Lift</em> &amp; Stairs", "the lift & stairs"),
        ("Straße 🚲", "strasse 🚲"),
        ("「橋」と「港」", "「橋」と「港」"),
    ],
)
def test_clean_title(raw: str, clean: str) -> None:
    assert clean_title(raw) == clean


def test_display_title_keeps_case() -> None:
    assert display_title("<b>The LIFT</b> (3 comments)") == "The LIFT"


def test_similarity() -> None:
    assert title_similarity("Central bank holds rate", "Central bank drops hint of more cuts") < 0.5
    assert title_similarity("Rover parks besides pale rock", "Rover parks beside pale rock") > 0.8
    assert title_similarity("港口大桥将重建", "港口大桥将于明年重建") == pytest.approx(0.5)
    assert title_similarity("a", "a") == title_similarity("🚲", "🚲") == 1.0
    assert title_similarity("", "") == title_similarity("🚲", "🚗") == title_similarity("", "a") == 0.0


@pytest.mark.parametrize(
    ("title", "figures"),
    [
        ("megatools 1.11.1", ("1.11.1",)),
        ("v4.0.0-rc1", ("4.0.0", "1")),
        ("4,000-cycle cell", ("4000",)),
        ("02/03/2016: Rates", ("2", "3", "2016")),
        ("CTX241413", ("241413",)),
        ("１２月号", ("12",)),
        ("第3回 夏", ("3",)),
        ("第３回", ("3",)),
        ("第十二期", ("12",)),
        ("第百二十三話", ("123",)),
        ("第一千零一夜", ("1001",)),
        ("第二〇期", ("20",)),
        ("二〇二六年の橋", ("2026",)),
        ("第一次世界大战", ("1",)),
        ("第一印象", ()),
        ("橋（上）", ("上",)),
        ("橋（下）", ("下",)),
        ("橋 前編", ("上",)),
        ("橋 後編", ("下",)),
        ("最後編集者", ()),
        ("Dune, Part II", ("2",)),
        ("Dune: Part One", ("1",)),
        ("Chapter IV", ("4",)),
        ("Episode IX", ("9",)),
        ("Plan, part B", ("b",)),
        ("Plan, part I: start", ("1",)),
        ("The best part I liked", ()),
        ("He took part a year ago", ()),
        ("No one is above the law", ()),
        ("Vivid mix", ()),
        ("0", ("0",)),
    ],
)
def test_title_numbers(title: str, figures: tuple[str, ...]) -> None:
    assert title_numbers(title) == figures


@pytest.mark.parametrize(
    ("a", "b", "conflict"),
    [
        ("megatools 1.11.0", "megatools 1.11.1", True),
        ("The 7 Best Tools", "The 10 Best Tools in 2020", True),
        ("Daily build, part 12", "Daily build, part 13", True),
        ("Daily build", "Daily build #13", True),
        ("Daily build", "Daily build S01E02", True),
        ("橋", "橋 第二回", True),
        ("橋（上）", "橋（下）", True),
        ("第3回 橋", "第三回 橋", False),
        ("Part II", "part 2", False),
        ("238: So Long", "Test and Code 238 - So Long", False),
        ("Bridge 2020 and 7", "7 bridges of 2020", False),
        ("Harbour vote", "Harbour vote of 2026", False),
        ("600 flee", "People flee", False),
        ("a", "b", False),
        ("16 and 16", "16", True),
    ],
)
def test_numbers_conflict(a: str, b: str, conflict: bool) -> None:
    assert numbers_conflict(a, b) is conflict
    assert numbers_conflict(b, a) is conflict


@pytest.mark.parametrize(
    ("title", "identifies"),
    [
        ("Harbour bridge vote", True),
        ("港口大桥将重建", True),
        ("港の橋を架け替え", True),
        ("Launch", False),
        ("港の橋", False),
        ("WEEK IN REVIEW!", False),
        ("Weekly Open Thread (12 comments)", False),
        ("メンテナンスのお知らせ", False),
        ("系统维护公告", False),
        ("Week in review: the bridge", True),
        ("", False),
    ],
)
def test_title_identifies(title: str, identifies: bool) -> None:
    assert title_identifies(title) is identifies


def test_what_identifies_is_policy() -> None:
    assert title_identifies("Launch", min_chars=6)
    assert not title_identifies("Harbour bridge vote", min_chars=40)
