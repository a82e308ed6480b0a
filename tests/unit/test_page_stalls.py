"""Pages that somebody wrote to stop a parser are read all the same; others are not touched."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from seenbefore.pages.document import parse_page
from seenbefore.pages.extract import EXTRACTORS, extract_text
from seenbefore.pages.stalls import LONG_TAG, MOST_ATTRIBUTES, without_stalls

CLOSED = "The council voted nine to four on Tuesday to close the old bridge for the whole winter. "
ARTICLE = f"<article><p>{CLOSED * 2}</p><p>{CLOSED * 2}</p></article>"
MANY = 12_000


def crowd(form: str, number: int = MANY, between: str = " ") -> str:
    """Return a tag with that many attributes."""
    return "<div " + between.join(form.format(n) for n in range(number)) + ' x=">">'


CROWDS = {
    "with values": crowd('a{}="x"'),
    "bare": crowd("a{}"),
    "by slashes": crowd("a{}", between="/"),
    "ends in values": crowd('a{}=">"'),
    "tags in values": crowd('a{0} b{0}="<p class=y>"'),
    "single quotes": crowd("a{0} = '<p class=y>'"),
    "behind a script": '<script>if (a<b ="</script>' + crowd("a{}"),
    "behind a comment": "<!-->" + crowd("a{}"),
    "in a drawing": '<svg><style>a<b ="</style>' + crowd("a{}") + "</style></svg>",
    "several": crowd("a{}") * 3,
    "capitals": crowd("A{}").upper(),
}


@pytest.mark.parametrize("name", CROWDS)
def test_a_tag_with_too_many_attributes_has_none(name: str) -> None:
    page = f"<html><body><p>Before</p>{CROWDS[name]}Behind</html>"
    document = parse_page(page.encode())
    assert document.notes == ("too_many_attributes",)
    assert most_attributes(document.tree) <= MOST_ATTRIBUTES


def most_attributes(tree: LexborHTMLParser) -> int:
    return max(len(node.attributes) for node in tree.css("*"))


@pytest.mark.parametrize("extractor", EXTRACTORS)
def test_the_text_behind_such_a_tag_is_read(extractor: str) -> None:
    page = f"<html><body>{CROWDS['with values']}{ARTICLE}</div></body></html>"
    assert CLOSED.strip() in extract_text(page, extractor=extractor).text
    assert CLOSED.strip() in parse_page(page).tree.body.text()


def test_a_script_that_looks_like_such_a_tag_takes_nothing_else_away() -> None:
    words = ",".join(f'"w{n}"' for n in range(MANY)).replace(",", " , ")
    page = f"<body><script>for (i=0;i<n; i++) x=[{words}]</script>{ARTICLE}"
    assert CLOSED.strip() in parse_page(page).tree.css_first("article").text()


LONG_BUT_FINE = {
    "data in a value": "<div data-x='" + '{"a": 1, "b": "c d e"}, ' * 2000 + "'>",
    "a picture": f'<img src="data:image/png;base64,{"QUJD" * 9000}">',
    "a path": f'<svg><path d="{"M 1.5-2 3,4 " * 4000}"></path></svg>',
    "a script": "<script>" + "if (a<b && c>d) { e='<b f=\"g\">'; }\n" * 3000 + "</script>",
    "one line": "<script>var x = [" + "1, 2, 'a b', " * 4000 + "];</script>",
    "no tags": "word " * 9000,
    "tags": "<p class='a' title=\"1 > 2\">word</p>" * 3000,
    "stray quotes": '<p>it\'s "so ="</p>' * 3000,
}


@pytest.mark.parametrize("name", LONG_BUT_FINE)
def test_what_pages_have_is_not_touched(name: str) -> None:
    page = f"<html><body>{LONG_BUT_FINE[name]}{ARTICLE}</body></html>".encode()
    assert without_stalls(page) == (page, ())


def test_depth_and_crowds_are_both_told() -> None:
    html, notes = without_stalls(("<div>" * 30_000 + "</div>" * 30_000).encode())
    assert (len(html), notes) == (7500, ("too_deep",))
    crowd = CROWDS["bare"].encode()
    assert without_stalls(crowd + b"<div>" * 30_000)[1] == ("too_deep", "too_many_attributes")


def test_a_page_in_another_charset_keeps_its_letters() -> None:
    page = f"<title>Übergröße</title>{CROWDS['bare']}Brücke"
    document = parse_page(page.encode("cp1252"), charset="iso-8859-1")
    assert (document.title, document.markup.charset, document.markup.text[-6:]) == ("Übergröße", "cp1252", "Brücke")


PIECES = st.sampled_from(
    [
        "<p>",
        "text ",
        "'",
        '"',
        '="',
        "=' ",
        " = ",
        ">",
        "<",
        "</script>",
        "<script>",
        "<!--",
        "-->",
        "<b ",
        "/",
        "<svg>",
    ]
)


@given(st.lists(PIECES, max_size=12), st.lists(PIECES, max_size=12), st.sampled_from(["", '=">"', "='<i>'", "=x"]))
def test_no_page_hides_a_crowd(before: list[str], behind: list[str], value: str) -> None:
    page = "".join(before) + crowd("a{}" + value, 9000) + "".join(behind)
    assert most_attributes(parse_page(page).tree) <= max(MOST_ATTRIBUTES, 2 * LONG_TAG // 3)
