"""What must hold for every text, however odd."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from seenbefore.model import Representation
from seenbefore.text.clean import clean_text
from seenbefore.text.fingerprint import fingerprint, is_poor_replacement, trim_noise
from seenbefore.text.folding import fold, fold_case
from seenbefore.text.media import media_markers
from seenbefore.text.overlap import compare_profiles, grams, overlap, profile_text
from seenbefore.text.titles import (
    clean_title,
    display_title,
    numbers_conflict,
    title_identifies,
    title_numbers,
    title_similarity,
)

PIECES = [
    *(
        "<",
        ">",
        "&",
        ";",
        "#",
        "/",
        "!",
        "?",
        '"',
        "'",
        "=",
        "-",
        "--",
        " ",
        "\n",
        "\r",
        "\t",
        "\0",
        "\x1c",
        "\u2029",
    ),
    *("<p>", "</p>", "<br/>", "<b", "</b>", "<a href='x'>", "<T>", "<td>", "<!--", "-->", "<![CDATA[", "]]>"),
    *("<script>", "</script>", "<title", "<img src=a.png", "<iframe/>", "<?xml", "<o:p>", "</3"),
    *(
        "&amp;",
        "&lt;",
        "&gt;",
        "&#38;",
        "&#x26;",
        "&#60;",
        "&nbsp;",
        "&unknown;",
        "&#0;",
        "&#55296;",
        "amp;",
        "lt;",
    ),
    *(
        "＜",
        "＆",
        "ａｍｐ；",
        "①",
        "ﬁ",
        "ß",
        "İ",
        "ŉ",
        "\u0345",
        "ΐ",
        "\u0338",
        "é",
        "e\u0301",
        "¨",
        "\u200b",
        "\u200d",
    ),
    *(
        "\ufe0f",
        "\ud800",
        "👩\u200d💻",
        "夏",
        "ｶﾞ",
        "第十二期",
        "第３回",
        "（上）",
        "前編",
        "ไทย",
        "नमस्ते",
        "\u115f",
    ),
    *(
        "12 comments",
        "(3 comments)",
        "[3 new]",
        "3 hours ago",
        "Comments",
        "part II",
        "“",
        "”",
        "「",
        "」",
        "·",
        "…",
        ".",
    ),
    *("The bridge is closed", "橋は閉鎖された", "1.11.1", "4,000", "the post a appeared first on b"),
]
texts = st.one_of(
    st.text(max_size=60),
    st.lists(st.sampled_from(PIECES), max_size=14).map("".join),
    st.lists(st.one_of(st.sampled_from(PIECES), st.characters()), max_size=20).map("".join),
)
words = st.text(alphabet="abcdefgh 0123夏秋冬橋。.\n", min_size=1, max_size=80)


@given(texts)
def test_cleaning_twice_changes_nothing(raw: str) -> None:
    once = clean_text(raw)
    assert clean_text(once) == once
    once.encode()  # no lone surrogates


@given(texts)
def test_cleaned_text_has_no_markup_and_single_spaces(raw: str) -> None:
    clean = clean_text(raw)
    assert "<p>" not in clean
    assert "&amp;" not in clean
    assert "\0" not in clean
    assert all(" ".join(line.split()) == line and line for line in clean.split("\n") if clean)


@given(texts)
def test_cleaning_titles_twice_changes_nothing(raw: str) -> None:
    once = clean_title(raw)
    assert clean_title(once) == once
    shown = display_title(raw)
    assert display_title(shown) == shown
    assert clean_title(shown) == once


@given(texts)
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert fold_case(fold_case(text)) == fold_case(text)


@given(texts)
def test_trimmed_noise_is_a_part_of_the_text(raw: str) -> None:
    clean = clean_text(raw)
    assert trim_noise(clean) in clean


@given(texts, texts)
def test_title_measures_are_symmetric(a: str, b: str) -> None:
    assert title_similarity(a, b) == title_similarity(b, a)
    assert numbers_conflict(a, b) == numbers_conflict(b, a)
    assert 0.0 <= title_similarity(a, b) <= 1.0


@given(texts)
def test_a_title_resembles_itself(title: str) -> None:
    assert title_similarity(title, title) == (1.0 if clean_title(title) else 0.0)
    assert not numbers_conflict(title, title) or not title_numbers(title)
    assert title_identifies(title) == title_identifies(clean_title(title))


@given(texts, texts)
def test_overlap_is_symmetric_and_bounded(a: str, b: str) -> None:
    there, back = overlap(a, b), overlap(b, a)
    assert there == back
    assert 0.0 <= there.jaccard <= there.containment <= 1.0
    assert 0.0 <= there.numbers_jaccard <= 1.0


@given(texts)
def test_a_text_overlaps_itself(text: str) -> None:
    found = overlap(text, text)
    assert found.jaccard == found.containment == (1.0 if fold(text) else 0.0)
    assert found.length_ratio == found.numbers_jaccard == 1.0


@given(words, words)
def test_overlap_equals_the_definition_over_sets(a: str, b: str) -> None:
    expected_a, expected_b = _gram_set(fold(a)), _gram_set(fold(b))
    assert len(grams(a)) == len(expected_a)
    shared = len(expected_a & expected_b)
    found = compare_profiles(profile_text(a), profile_text(b))
    if shared:
        assert found.jaccard == shared / len(expected_a | expected_b)
        assert found.containment == shared / min(len(expected_a), len(expected_b))
    else:
        assert found.jaccard == found.containment == 0.0


def _gram_set(folded: str) -> set[str]:
    found = set()
    for i, first in enumerate(folded):
        width = 5 if first >= "\u3005" else 9
        if i + width <= len(folded):
            found.add(folded[i : i + width])
    return found or ({folded} if folded else set())


@given(texts, texts, texts)
def test_fingerprints_are_made_of_anything(title: str, summary: str, content: str) -> None:
    print_ = fingerprint(title, summary, content)
    assert (print_.representation is Representation.TITLE_ONLY) == (print_.text_hash == "")
    assert print_.length == len(fold(print_.text))
    assert not is_poor_replacement(print_, print_)
    media_markers(content)


@given(st.lists(words, min_size=1, max_size=4))
def test_fingerprints_ignore_whitespace_and_markup(paragraphs: list[str]) -> None:
    plain = fingerprint("", "", "\n".join(p.replace("\n", " ") for p in paragraphs))
    spaced = "".join(f"\n <div><p class='x'>\n{p.replace(' ', '  ')}</p></div>" for p in paragraphs)
    marked = fingerprint("", "", f"<article>{spaced}<!-- 17 --></article><p>17 comments</p>")
    assert marked.text_hash == plain.text_hash
    assert marked.paragraph_hashes == plain.paragraph_hashes
    assert marked.decisive == plain.decisive
