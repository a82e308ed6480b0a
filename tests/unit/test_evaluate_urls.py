"""Labeled pairs of addresses: what a file may look like, and what is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seenbefore.errors import InvalidInput
from seenbefore.evaluate import evaluate_urls
from seenbefore.evaluate.urls import UrlPair, read_url_pairs, score_pairs
from seenbefore.rules import compile_rules, load_rules

HEADER = "url_a\turl_b\tlabel\tcategory\tnote"
A, B, C = "https://example.com/a", "http://www.example.com/a/", "https://example.com/c"
ROWS = [
    f"{A}\t{B}\tsame\tfolding\tscheme",
    f"{A}\t{C}\tdifferent\tpaths\t",
    f"{A}\t{B}\tdifferent\tfolding\tlabeled wrongly",
    f"{A}\t{C}\tsame\tpaths\tlabeled wrongly, too",
    f"{A}?utm_source=x\t{A}\tsame\tparameters\t",
]


def write(folder: Path, *lines: str, header: str = HEADER, end: str = "\n") -> Path:
    path = folder / "pairs.tsv"
    path.write_bytes("".join(f"{line}{end}" for line in (header, *lines)).encode())
    return path


# --- what is counted ----------------------------------------------------------------------------


def test_counts_categories_and_wrong_pairs(tmp_path: Path) -> None:
    report = evaluate_urls(write(tmp_path, *ROWS))
    value = json.loads(json.dumps(report.to_json()))
    assert value.keys() >= {"pairs", "right", "false_merges", "missed", "by_category", "wrong"}
    assert (value["pairs"], value["right"], value["false_merges"], value["missed"]) == (5, 3, 1, 1)
    assert (value["same"], value["different"]) == (3, 2)
    assert list(value["by_category"]) == ["folding", "paths", "parameters"]
    assert value["by_category"]["folding"] == {
        "pairs": 2,
        "right": 1,
        "false_merges": 1,
        "missed": 0,
        "same": 1,
        "different": 1,
    }
    assert [(row["error"], row["line"], row["note"]) for row in value["wrong"]] == [
        ("false_merge", 4, "labeled wrongly"),
        ("missed", 5, "labeled wrongly, too"),
    ]
    assert value["wrong"][0]["url_b"] == B
    assert (value["wrong"][0]["label"], value["wrong"][0]["category"]) == ("different", "folding")
    assert value["intervals"].keys() == {"right", "false_merges", "missed"}
    low, high = value["intervals"]["missed"]
    assert low < 1 / 3 < high


def test_the_gravest_stand_first_and_a_right_pair_has_no_error() -> None:
    missed, false, right = UrlPair(A, C, True), UrlPair(A, B, False), UrlPair(A, B, True)
    report = score_pairs([missed, right, false])
    assert [row.pair for row in report.wrong] == [false, missed]
    assert [row.to_json()["error"] for row in report.rows] == ["missed", "", "false_merge"]


def test_the_rules_given_are_asked(tmp_path: Path) -> None:
    path = write(tmp_path, ROWS[-1])
    assert evaluate_urls(path, load_rules()).counts()["right"] == 1
    assert evaluate_urls(path, compile_rules([])).counts()["missed"] == 1


def test_what_is_no_address_is_answered_too() -> None:
    report = score_pairs([UrlPair("n/a", "n/a", True), UrlPair("", A, False), UrlPair("see p. 12", A, False)])
    assert report.counts()["right"] == 3


# --- the file -----------------------------------------------------------------------------------


def test_nothing_is_quoted_and_blanks_stay(tmp_path: Path) -> None:
    (pair,) = read_url_pairs(write(tmp_path, f' {A}\t"{B}"\tsame\t"c" \t'))
    assert pair == UrlPair(f" {A}", f'"{B}"', True, '"c" ', "", 2)


def test_only_line_feeds_end_lines(tmp_path: Path) -> None:
    (pair,) = read_url_pairs(write(tmp_path, f"{A}\u2028\x85\x0c\t{B}\tsame\t\t", end="\r\n"))
    assert (pair.url_a, pair.note) == (f"{A}\u2028\x85\x0c", "")


def test_blank_lines_are_skipped_and_counted(tmp_path: Path) -> None:
    pairs = read_url_pairs(write(tmp_path, "", ROWS[0], " \t ", "", ROWS[1]))
    assert [pair.line for pair in pairs] == [3, 6]


def test_a_mark_of_byte_order_is_no_part_of_the_header(tmp_path: Path) -> None:
    assert len(read_url_pairs(write(tmp_path, ROWS[0], header=f"\ufeff{HEADER}"))) == 1


def test_category_and_note_may_be_missing_and_columns_in_any_order(tmp_path: Path) -> None:
    (pair,) = read_url_pairs(write(tmp_path, f"different\t{A}\t{B}", header="label\turl_a\turl_b"))
    assert pair == UrlPair(A, B, False, "", "", 2)
    (pair,) = read_url_pairs(write(tmp_path, f"{A}\t{B}\tsame\tnoted", header="url_a\turl_b\tlabel\tnote"))
    assert (pair.category, pair.note) == ("", "noted")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([ROWS[0], f"{A}\t{B}\tSame\tx\ty"], r"pairs\.tsv:3: label must be same or different; not 'Same'"),
        ([f"{A}\t{B}\t\tx\ty"], r"pairs\.tsv:2: label must be same or different; not ''"),
        (["", f"{A}\t{B}\tsame\tx"], r"pairs\.tsv:3: has 4 fields, the first line 5"),
        ([f"{A}\t{B}\tsame\tx\ty\tz"], r"pairs\.tsv:2: has 6 fields"),
        ([f"{A} {B} same"], r"pairs\.tsv:2: has 1 fields"),
        ([], r"pairs\.tsv: holds no labeled pair"),
        (["", " "], r"pairs\.tsv: holds no labeled pair"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, lines: list[str], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        read_url_pairs(write(tmp_path, *lines))


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (ROWS[0], r"pairs\.tsv:1: the first line has no url_a"),
        ("url_a\turl_b", r"pairs\.tsv:1: the first line has no label"),
        ("url_a,url_b,label", r"pairs\.tsv:1: the first line has no url_a"),
        (f"{HEADER}\tsource", r"names 'source', which is unknown"),
        ("url_a\turl_b\tlabel\turl_a", r"names 'url_a', which is unknown or stands there twice"),
    ],
)
def test_a_wrong_header_is_told(tmp_path: Path, header: str, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        read_url_pairs(write(tmp_path, ROWS[0], header=header))


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be read: No such file"):
        read_url_pairs(tmp_path / "none.tsv")
    (tmp_path / "latin.tsv").write_bytes(HEADER.encode() + b"\n\xff\t\tsame\t\t\n")
    with pytest.raises(InvalidInput, match="cannot be read: 'utf-8' codec"):
        read_url_pairs(tmp_path / "latin.tsv")
    (tmp_path / "empty.tsv").touch()
    with pytest.raises(InvalidInput, match=r"empty\.tsv:1: the first line has no url_a"):
        read_url_pairs(tmp_path / "empty.tsv")
