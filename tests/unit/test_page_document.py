"""A page, parsed once: what stands in its head, in any charset, whole or broken."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("selectolax", reason="reading pages needs seenbefore[pages]")

from seenbefore.pages.document import PageDocument, parse_page
from seenbefore.pages.jsonld import read_blocks, text_of, types_of
from seenbefore.pages.markup import Markup, read_markup

TITLE = "港の橋を架け替えることが決まりました"


def everything(page: PageDocument) -> tuple[object, ...]:
    return page.language, page.metas, page.links, page.json_ld, page.unparsable_json_ld, page.title, page.base_href


def test_the_head_is_read_in_order() -> None:
    page = parse_page(
        '<html lang="PT_br"><head><base href="/x/"><title> A  bridge </title><meta name="A" content="1">'
        '<meta property="B" name="C" content=" 2 "><meta name="a" content="3"><meta name="d">'
        '<link rel="canonical" href="/a"><link rel="stylesheet" href="/b"></head>'
        '<body><link rel="Canonical" href="/c"><meta itemprop="E" content="4">'
    )
    assert [tuple(meta) for meta in page.metas] == [("a", "1"), ("b", "2"), ("c", "2"), ("a", "3"), ("e", "4")]
    assert [(link.href, link.in_head) for link in page.links] == [("/a", True), ("/c", False)]
    assert (page.language, page.title, page.base_href) == ("pt-br", "A bridge", "/x/")
    assert (page.meta("x", "c"), page.meta("x")) == ("2", "")


@pytest.mark.parametrize(
    ("block", "objects"),
    [
        ('{"@type": "Article"};', 1),
        ('// <![CDATA[\n{"@type": "Article"}\n// ]]>', 1),
        ('/* x */ {"@type": "Article"}', 1),
        ('<!-- {"@type": "Article"} -->', 1),
        ('/*<![CDATA[*/{"@type": "Article"}/*]]>*/', 1),
        ('{"@type": "Article", "headline": "a\nb\x01"}', 1),
        ('{"@type": "Article",}', 1),
        ('[{"@type": "Article"}, {"@type": "Person"}]', 2),
        ('{"@graph": [{"@type": "Article"}, {"@type": "Person"}], "@context": "x"}', 2),
        ("", 0),
    ],
)
def test_json_ld_as_sites_write_it(block: str, objects: int) -> None:
    found, unreadable = read_blocks([block])
    assert (len(found), unreadable) == (objects, 0)


@pytest.mark.parametrize("block", ["{'a': 1}", '{"a": }', "[" * 50_000, "x", '{"a": 1} {"b": 2}'])
def test_json_ld_that_nobody_can_read_is_counted(block: str) -> None:
    page = parse_page(f'<script type="application/ld+json">{block}</script>')
    assert (page.json_ld, page.unparsable_json_ld) == ((), 1)


def test_types_and_texts() -> None:
    assert types_of({"@type": ["schema:NewsArticle", 5]}) >= {"schema:NewsArticle"}
    assert [text_of(value) for value in (None, True, 3, [" a "], {"@id": "b"}, {}, [[]])] == [
        "",
        "",
        "3",
        "a",
        "b",
        "",
        "",
    ]


@pytest.mark.parametrize("name", ["utf-8", "shift_jis", "euc_jp", "iso2022_jp"])
def test_a_page_in_the_charset_that_it_names(name: str) -> None:
    html = f'<meta charset="{name.replace("iso2022_jp", "iso-2022-jp").replace("_", "-")}"><title>{TITLE}</title>'
    assert parse_page(html.encode(name)).title == TITLE
    assert parse_page(f"<title>{TITLE}</title>".encode(name), charset=name).title == TITLE


def test_the_mark_is_stronger_than_what_was_said() -> None:
    for mark, name in (
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ):
        page = parse_page(mark + f"<title>{TITLE}</title>".encode(name), charset="iso-8859-1")
        assert page.title == TITLE


def test_japanese_in_escapes_is_read_without_a_word_about_it() -> None:
    page = f"<title>{TITLE}</title>".encode("iso2022_jp")
    assert (parse_page(page).title, parse_page(page, charset="utf-8").title) == (TITLE, TITLE)


def test_a_page_that_is_called_utf_16_and_is_not() -> None:
    page = '<meta charset="utf-16"><title>Bridge</title>'
    assert parse_page(page.encode(), charset="utf-16").title == "Bridge"
    assert parse_page(page.encode("utf-16-be")).title == "Bridge"


def test_charsets_that_do_not_fit() -> None:
    assert read_markup("Zürich".encode(), "iso-8859-1").text == "Zürich"
    assert read_markup("Zürich".encode("cp1252"), "utf-8").text == "Zürich"
    assert read_markup(b"abc", "no-such-charset") == Markup("abc", b"abc", "utf-8", ("charset_ignored",))
    assert read_markup(b"abc", "base64").text == "abc"


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
    title = TITLE if encoding != "gb18030" else "港口大桥今年冬天关闭维修"
    html = f"<meta charset='{declared}'><title>{title}</title>".encode(encoding)
    assert parse_page(html, charset=charset).title == title


def test_zeros_and_very_long_pages() -> None:
    assert parse_page(b"<title>a\0b</title>").title == "a\ufffdb"
    assert parse_page("<title>a</title>" + "x" * (9 << 20)).title == "a"


def test_deep_pages() -> None:
    everything(parse_page("<div>" * 30_000))
    everything(parse_page("<a><b>" * 5_000 + "<meta name=x content=y>"))


@given(st.binary(max_size=300))
def test_no_bytes_raise(body: bytes) -> None:
    everything(parse_page(body))
    everything(parse_page(b'<script type="application/ld+json">' + body))
    everything(parse_page(b"<meta charset=" + body))
