"""HTML and plain text become paragraphs, quickly whatever comes in."""

from __future__ import annotations

import time

import pytest

from seenbefore.text.clean import clean_text
from seenbefore.text.media import media_markers


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("", ""),
        ("plain", "plain"),
        ("one\n\n  two \r\nthree", "one\ntwo\nthree"),
        ("<p>one\ntwo</p>three<br>four", "one two\nthree\nfour"),
        ("wo<b>r</b>d<wbr>s", "words"),
        ("<table><tr><td>a</td><td>b</td></tr></table>", "a b"),
        ("<a title=\"a > b\" href='x'>text</a>", "text"),
        ('<a title="half>text</a>', "text"),
        ("<A HREF=x>text</A >", "text"),
        ('text <a href="http://example.com/cut-o', "text"),
        ("text <b", "text"),
        ("<!-- <p>no</p> -->yes<!doctype html><?xml version='1.0'?>", "yes"),
        ("<![CDATA[<p>a</p>]]>", "a"),
        ("a]]>b", "a]]>b"),
        ("<script>if (a<b) {}</script>a<style>p {}</style >b", "a b"),
        ("<script src=x />kept", "kept"),
        ("a<script>never closed <p>b", "a"),
        ("<noscript>Enable JavaScript</noscript>a<svg><title>t</title></svg>", "a"),
        ("<x-card>a</x-card><o:p>b</o:p><fb x=1>c", "abc"),
        ("橋は<ruby>閉鎖<rp>(</rp><rt>へいさ</rt></ruby>された", "橋は閉鎖(へいさされた"),
    ],
)
def test_markup(raw: str, clean: str) -> None:
    assert clean_text(raw) == clean


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("1 < 2 <3 & I </3 you", "1 < 2 <3 & I ‹/3 you"),
        ("Vec<T> and List<String>", "Vec‹T› and List‹String›"),
        ("for i <n and more", "for i ‹n and more"),
        ("a <b and c", "a ‹b and c"),
        ("＜独自＞首相", "<独自>首相"),
        ("＜PR＞広告", "‹PR›広告"),
    ],
)
def test_what_only_looks_like_markup_stays(raw: str, clean: str) -> None:
    assert clean_text(raw) == clean


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("Fish &amp; chips &#39;n&#x27; peas&nbsp;", "Fish & chips 'n' peas"),
        ("Ond&amp;#345;ej", "Ondřej"),
        ("AT&amp;amp;T R&D; AT&T &copy 1", "AT&T R&D; AT&T &copy 1"),
        ("&lt;p&gt;one&lt;/p&gt;&lt;p&gt;two&lt;/p&gt;", "one\ntwo"),
        ("&amp;lt;p&amp;gt;one&amp;lt;/p&amp;gt;", "one"),
        ("<p>use &lt;p&gt; and &lt;/p&gt;</p>", "use ‹p› and ‹/p›"),
        ("The &lt;details&gt; element", "The ‹details› element"),
        ("&#0;&#55296;&#99999999;", "\ufffd\ufffd\ufffd"),
        ("&#38;#38;lt;b&gt;", "‹b›"),
        ("＆ａｍｐ；", "amp;"),
    ],
)
def test_entities(raw: str, clean: str) -> None:
    assert clean_text(raw) == clean


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("ＡＢＣ　１２３ ｶﾞ", "ABC 123 ガ"),
        ("a\u200bb\u00adc\ufeffd\x07e\ud800f", "abcdef"),
        ("❤\ufe0f 葛\U000e0100", "❤ 葛"),
        ("e\u200b\u0301", "é"),
        ("\x07\x08a", "a"),
    ],
)
def test_characters(raw: str, clean: str) -> None:
    assert clean_text(raw) == clean


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "<",
            "<a ",
            '<a "',
            '<a ="',
            "<a ='",
            "<div>",
            "<script>",
            "<title></titl",
            "<!--",
            "<!",
            "</",
            "<x",
            "&",
        ),
        *(
            "&amp;",
            "&lt;x",
            "&lt;br ",
            "&lt;/b ",
            "&#",
            "<style/>",
            "<b =",
            " ",
            "\n ",
            "\u0301",
            "<![CDATA[",
            "]]>",
        ),
        *("<a href", "<img src=", "<img a='"),
    ],
)
def test_time_grows_with_length_only(piece: str) -> None:
    clean_text(piece * 10)
    raw = piece * (200_000 // len(piece))
    started = time.perf_counter()
    clean_text(raw)
    media_markers(raw)
    assert time.perf_counter() - started < 2.0  # quadratic scans of this length take minutes


def test_media_markers() -> None:
    lazy = '<img src="data:image/gif;base64,R0" data-src="https://a.example/1.png?w=1&amp;h=2">'
    assert media_markers(lazy) == ("[image: //a.example/1.png?w=1&h=2]",)
    assert media_markers("<img alt=x><imgx src=y>") == ()
    inline = media_markers('<img src="data:image/png;base64,AAAA"><img src="data:image/png;base64,BBBB">')
    assert len(inline) == 2
    assert all(marker.startswith("[image: sha256:") for marker in inline)
    assert len(media_markers("".join(f"<img src=/{i}.png>" for i in range(50)))) == 20


@pytest.mark.parametrize("code", range(128))
def test_ascii_is_cleaned_as_any_other_text(code: int) -> None:
    """A text of ASCII alone takes a shorter way, to the same end."""
    text = f"a{chr(code)}b"
    assert clean_text(f"é {text}") == f"é {clean_text(text)}"
