"""The quality gate, paragraphs of hosts, and what extractors make of bad input."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

pytest.importorskip("trafilatura", reason="reading pages needs seenbefore[pages]")

from seenbefore.pages.extract import EXTRACTORS, extract_text
from seenbefore.pages.reading import read_page
from seenbefore.pages.repeated import learn_repeated, paragraph_hash, remove_repeated

LONG = (
    "Browsers ask before they keep a cookie, and servers answer with a number when there is no page: 404, not found. "
    "Accept all cookies, say most forms, and please enable JavaScript, say others. Subscribe to continue reading, says "
    "a third kind. This article is about such pages, who makes them, and why so many of them look alike. "
)


PLAIN = (
    "The council voted nine to four on Tuesday to replace the old bridge. Engineers told the meeting that corrosion in "
    "the eastern bearings had doubled in two winters and that a weight limit would be needed by spring. "
)


def read(body: str, head: str = "", language: str = "en") -> Any:
    html = f'<html lang="{language}"><head>{head}</head><body><main>{body}</main></body></html>'
    return read_page(html.encode(), url="https://n.example/a")


@pytest.mark.parametrize(
    "text",
    [
        "We use cookies and similar technologies. Accept all cookies to continue.",
        "Wir verwenden Cookies. Alle Cookies akzeptieren oder Einstellungen ändern.",
        "Nous utilisons des cookies. Vous pouvez accepter les cookies ou les refuser.",
        "Utilizamos cookies propias y de terceros. Aceptar todas las cookies.",
        "Utilizziamo i cookie per offrirti una migliore esperienza. Accetta i cookie.",
        "当サイトではCookieを使用しています。同意して続行してください。",
        "本网站使用Cookie以改善体验。请点击同意并继续。",
        "Please enable JavaScript to run this app.",
        "Bitte aktivieren Sie JavaScript, um diese Seite anzuzeigen.",
        "Attiva JavaScript per continuare.",
        "Nous et nos partenaires stockons des informations sur votre appareil. Tout accepter ou refuser.",
        "Wir und unsere Partner verwenden Cookies. Alle akzeptieren. Mit Werbung weiterlesen.",
        "Checking your browser before you access the site.",
    ],
)
def test_walls(text: str) -> None:
    found = read(f"<p>{text}</p>")
    assert found.representation.value == "consent_wall", found.reasons


@pytest.mark.parametrize(
    "text", ["Please log in to continue.", "Bitte melden Sie sich an.", "ログインしてください。", "请先登录后查看。"]
)
def test_a_login_form_is_told_apart(text: str) -> None:
    found = read(f"<h1>News</h1><p>{text}</p>")
    assert (found.representation.value, found.reasons[0]) == ("consent_wall", "login_wall")


@pytest.mark.parametrize(
    "text",
    [
        "The commission wants to end banners. “We use cookies” may soon be a sentence of the past, a draft says.",
        "The council voted nine to four on Tuesday to close the old bridge for the whole winter. Residents can enable "
        "JavaScript on the map of the city to see detours.",
        "Die Kommission will Banner abschaffen. „Wir verwenden Cookies“ soll bald niemand mehr lesen müssen.",
        "欧盟委员会希望取消弹窗，草案将于下月提交审议。“我们使用Cookie”这句话今后可能不再出现在各家网站上。",
    ],
)
def test_an_article_that_quotes_a_wall_is_an_article(text: str) -> None:
    assert read(f"<article><h1>News</h1><p>{text}</p></article>").representation.value == "full_text"


@pytest.mark.parametrize(
    "title",
    [
        "500 arrested at protest", "5,000 march in capital", "404 new cases reported", "410 Stellen fallen weg",
        "503人が感染", "停电500户", "500 Euro Bonus für Pflegekräfte", "Not found: the missing hiker of 1996",
        "Wegen Sturm: Fähre nicht mehr verfügbar", "Mann nicht gefunden: Suche eingestellt",
    ],
)  # fmt: skip
def test_a_headline_with_such_a_number_or_word_is_none_of_an_error(title: str) -> None:
    found = read(f"<article><h1>{title}</h1><p>{PLAIN}</p></article>", f"<title>{title} | Herald</title>")
    assert found.representation.value == "full_text", found.reasons


@pytest.mark.parametrize("title", ["404", "404 | Herald", "(500)", "Error 404", "503 – Herald", "410 Gone"])
def test_a_number_alone_is_an_error(title: str) -> None:
    assert read("<p>Sorry.</p>", f"<title>{title}</title>").representation.value == "error_page"


@pytest.mark.parametrize(
    "title",
    [
        "404 Not Found", "Page not found | News", "Seite nicht gefunden", "Page introuvable", "Página no encontrada",
        "Pagina non trovata", "ページが見つかりません", "页面不存在", "找不到頁面", "Access Denied",
        "페이지를 찾을 수 없습니다",
    ],
)  # fmt: skip
def test_error_pages(title: str) -> None:
    found = read("<p>Sorry.</p>", f"<title>{title}</title>")
    assert found.representation.value == "error_page", found.reasons


@pytest.mark.parametrize(
    "title", ["Why 404 pages are not found funny", "Access denied: how prisons lock out the press", "500 days of war"]
)
def test_a_long_text_about_such_things_is_an_article(title: str) -> None:
    found = read(
        f"<article><h1>{title}</h1>" + f"<p>{LONG}</p><p>{PLAIN}</p>" * 2 + "</article>", f"<title>{title}</title>"
    )
    assert found.representation.value == "full_text", found.reasons


@pytest.mark.parametrize(
    "last",
    [
        "Subscribe to continue reading.", "Jetzt abonnieren und weiterlesen.", "Article réservé aux abonnés.",
        "Contenido exclusivo para suscriptores.", "この記事は会員限定です。", "登录后阅读全文",
        "Contenuto riservato agli abbonati.",
    ],
)  # fmt: skip
def test_paywalls(last: str) -> None:
    found = read(f"<article><h1>Bridge</h1><p>{PLAIN}</p><p>{last}</p></article>")
    assert found.representation.value == "paywalled", found.reasons


def test_a_paper_page_is_an_abstract_however_it_is_marked() -> None:
    head = '<meta name="citation_title" content="On bridges"><meta name="citation_doi" content="10.1234/x">'
    found = read(f"<h1>On bridges</h1><section class=abstract><h2>Abstract</h2><p>{PLAIN}</p></section>", head)
    assert found.representation.value == "abstract"
    whole = read("<h1>On bridges</h1>" + "".join(f"<p>Part {n}. {PLAIN}</p>" for n in range(30)), head)
    assert whole.representation.value == "full_text"


@pytest.mark.parametrize("extractor", sorted(EXTRACTORS))
@pytest.mark.parametrize(
    "html",
    [
        "",
        " ",
        "no tags",
        "<html>",
        "<p>" * 50_000,
        "<div>" * 50_000,
        bytes(range(256)).decode("latin-1") * 500,
        "<p>\0\ufffd" * 900,
    ],
)
def test_bad_input_has_no_text_and_never_raises(html: str, extractor: str) -> None:
    found = extract_text(html, extractor=extractor)
    assert (found.text, bool(found.problem)) == ("", True)


def test_a_text_depends_on_its_page_alone() -> None:
    """A library that remembers earlier pages would leave out what it has seen."""
    page = f"<html><body><article><h1>Bridge</h1><p>{LONG}</p><p>{LONG[::-1]}</p></article></body></html>"
    texts = {extract_text(page).text for _ in range(12)}
    assert len(texts) == 1
    assert LONG.strip() in texts.pop()


def test_what_a_host_repeats_does_not_depend_on_the_order() -> None:
    pages = [(f"/{n}", f"Story {n} begins here.\nSign up now.\n{'Read on.' if n % 5 == 0 else ''}") for n in range(40)]
    expected = learn_repeated(pages)
    assert expected == (paragraph_hash("Sign up now."),)
    for seed in range(5):
        Random(seed).shuffle(pages)
        assert learn_repeated(pages) == expected
    assert learn_repeated(pages[:7]) == (), "too few articles teach nothing"


def test_removing_never_empties_a_page() -> None:
    known = {paragraph_hash(text) for text in ("One.", "Two.")}
    assert remove_repeated("One.\nTwo.", known) == "One.\nTwo."
    assert remove_repeated("One.\nThree.", known) == "Three."
    assert remove_repeated("", known) == ""
