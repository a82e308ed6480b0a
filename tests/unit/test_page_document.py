"""One parse of a page: what stands in its head, its charset, its JSON-LD, and that nothing breaks it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("selectolax", reason="reading pages needs seenbefore[pages]")

from seenbefore.pages.document import parse_page


@given(st.one_of(st.binary(max_size=300), st.text(max_size=300)))
def test_nothing_raises(body: bytes | str) -> None:
    page = parse_page(body)
    assert isinstance((page.language, page.metas, page.links, page.json_ld, page.title, page.base_href), tuple)


def test_deep_nesting_is_read() -> None:
    page = parse_page("<div>" * 20_000 + "<meta name=a content=b>")
    assert page.meta("a") == "b"
    nested = "[" * 20_000 + "]" * 20_000
    assert parse_page(f'<script type="application/ld+json">{nested}</script>').json_ld == ()


def test_metas_keep_their_order_and_names_are_lower_case() -> None:
    page = parse_page('<meta NAME="Date" content=1><meta property="og:Title" content=2><meta name=date content=3>')
    assert [tuple(meta) for meta in page.metas] == [("date", "1"), ("og:title", "2"), ("date", "3")]


@pytest.mark.parametrize(
    "block",
    [
        '{"@type": "Article", "headline": "a\nb"};',
        '/*<![CDATA[*/{"@type": "Article"}/*]]>*/',
        '<!-- {"@type": "Article"} -->',
        '[{"@graph": [{"@type": "Article"}]}]',
    ],
)
def test_json_ld_with_small_faults_is_read(block: str) -> None:
    page = parse_page(f'<script type="application/ld+json">{block}</script>')
    assert any(thing.get("@type") == "Article" for thing in page.json_ld)
    assert page.unparsable_json_ld == 0


def test_blocks_that_are_no_json_are_counted() -> None:
    page = parse_page(
        '<script type="application/ld+json">{"a": </script><script type="application/ld+json">{}</script>'
    )
    assert page.unparsable_json_ld == 1


def test_only_a_link_in_the_head_is_what_the_page_says() -> None:
    page = parse_page("<head><link rel=canonical href=/a></head><body><p>x<link rel=canonical href=/b>")
    assert [(link.href, link.in_head) for link in page.links] == [("/a", True), ("/b", False)]


@pytest.mark.parametrize(
    ("charset", "declared", "encoding"),
    [
        ("", "", "utf-8"),
        ("shift_jis", "", "cp932"),
        ("", "shift_jis", "cp932"),
        ("utf-8", "", "cp932"),
        ("", "gbk", "gb18030"),
    ],
)
def test_the_charset_is_found(charset: str, declared: str, encoding: str) -> None:
    title = "港の橋を架け替えることが決まりました" if encoding != "gb18030" else "港口大桥今年冬天关闭维修"
    html = f"<meta charset='{declared}'><title>{title}</title>".encode(encoding)
    assert parse_page(html, charset=charset).title == title
