"""What is compared, shown and counted in titles."""

from __future__ import annotations

import pytest

from seenbefore.text.titles import (
    clean_title,
    display_title,
    numbers_conflict,
    same_title,
    title_identifies,
    title_key,
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


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Week – 6 & 7: AI's role", "Week 6 & 7: AI’s role"),
        ("Harbour bridge vote", "HARBOUR—bridge: “vote”!"),
        ("The harbour-bridge vote...", "The harbour bridge vote"),
        ("Harbour vote | town", "Harbour vote ~ town"),
        ("Issue #5 of the list", "Issue 5 of the list"),
        ("#harbour: the vote", "harbour: the vote"),
        ("4,000 ships", "4000 ships"),
        ("Harbour vote?!", "Harbour vote ??"),
        ("Harbour vote 🚲", "Harbour vote"),
        ("★ Harbour vote", "Harbour vote ★"),
        ("1.2 of the tool", "“1.2” of the tool"),
        ("COVID-19 in town", "COVID 19 in town"),
        ("3-2 after extra time", "3:2 after extra time"),
        ("Harbour -vote-", "Harbour vote"),
        ("1月-3月の予定", "1月〜3月の予定"),
        ("港口大桥，将要重建！", "港口大桥将要重建"),
        ("【港口】大桥将要重建", "港口·大桥将要重建"),
        ("港の橋「架け替え」", "港の橋、架け替え。"),
        ("港の橋？", "港の橋?"),
        ("Ｃ＋＋の話", "C++の話"),
        ("🚲", "🚲"),
    ],
)
def test_one_title_in_two_spellings(a: str, b: str) -> None:
    assert same_title(a, b)
    assert same_title(b, a)
    assert title_key(a) == title_key(b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("", ""),
        ("", "Harbour vote"),
        ("!", "?"),
        ("Harbour vote", "Harbour votes"),
        # languages, grades, brands
        ("C", "C++"),
        ("C++", "C#"),
        ("C", "C#"),
        ("F# in a week", "F in a week"),
        ("From C to C++", "From C++ to C"),
        ("Channel", "Channel+"),
        ("A+ for the town", "A- for the town"),
        ("R&D grows", "RD grows"),
        # questions
        ("Yes!", "Yes?"),
        ("Harbour bridge safe", "Harbour bridge safe?"),
        ("Deal? Yes", "Deal: yes?"),
        ("港口大桥将要重建？", "港口大桥将要重建！"),
        ("港の橋は安全か？", "港の橋は安全か。"),
        # amounts
        ("$100", "100%"),
        ("$100 off", "€100 off"),
        ("100% off", "100 off"),
        ("Version 1.11", "Version 11.1"),
        ("Release 1.1", "Release 11"),
        ("3.5 per cent", "35 per cent"),
        ("1,5 Prozent", "15 Prozent"),
        ("It will be -5 degrees", "It will be 5 degrees"),
        ("It will be −5 degrees", "It will be 5 degrees"),
        ("½ hour", "12 hour"),
        ("24/7", "247"),
        ("3-2 in the cup", "32 in the cup"),
        ("4×3", "43"),
        ("10 ± 2", "10 2"),
        ("手数料は¥100", "手数料は€100"),
        ("优惠50%", "优惠50"),
        # relations and pictures
        ("A > B", "A < B"),
        ("Work = life", "Work ≠ life"),
        ("👍", "👎"),
        ("Our verdict 👍", "Our verdict 👎"),
        ("🚲 in town", "🚗 in town"),
        ("Berlin → Paris", "Berlin ← Paris"),
        ("評価は○", "評価は×"),
    ],
)
def test_two_titles_that_differ_in_a_sign(a: str, b: str) -> None:
    assert not same_title(a, b)
    assert not same_title(b, a)


def test_same_title_of_itself() -> None:
    for title in ("C++", "👍", "100%", "Harbour vote?", "橋（上）"):
        assert same_title(title, title)


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("", ""),
        ("Week – 6!", "week6"),
        ("👍!", "👍!"),
        ("第3回　港の話", "第3回港の話"),
        ("The Lift (3 comments)", "thelift"),
    ],
)
def test_title_key(title: str, key: str) -> None:
    assert title_key(title) == key
    assert title_key(key) == key


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
        ("Course in C", "Course in C++", True),
        ("Course in C", "Course in C#", True),
        ("Save $100 today", "Save 100% today", True),
        ("Save $100 today", "Save €100 today", True),
        ("Tonight -5 degrees", "Tonight 5 degrees", True),
        ("Sterne: A+", "Sterne: A-", True),
        ("気温は−5度", "気温は5度", True),
        ("Pages 3−5 and more", "Pages 3-5 and more", False),
        ("年会費¥100", "年会費€100", True),
        ("Harbour vote?", "Harbour vote", False),
        ("Q&A with Holm", "QA with Holm", False),
        ("Tour 🚲", "Tour 🚗", False),
        ("Course in C", "Another course in C++", False),  # names in other words are no matter of signs
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
