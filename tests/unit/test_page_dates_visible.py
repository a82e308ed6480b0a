"""Dates that readers see: in many languages, by the headline or beside a word, and what is none."""

from __future__ import annotations

import pytest

pytest.importorskip("selectolax", reason="reading pages needs seenbefore[pages]")

from seenbefore.dates.written import find_written_dates
from seenbefore.pages.datecandidates import local_day
from seenbefore.pages.dates import find_dates
from seenbefore.pages.document import parse_page

STORY = "<p>The council decided on Tuesday that the bridge over the river will be closed for the whole winter.</p>"


def seen(line: str, lang: str = "en", story: str = STORY) -> str:
    page = f'<html lang="{lang}"><body><main><h1>The old bridge</h1><div class="meta">{line}</div>{story}</main>'
    found = find_dates(parse_page(page)).published
    assert found is None or found.tier == "visible"
    return str(local_day(found)) if found else ""


@pytest.mark.parametrize(
    ("lang", "line"),
    [
        ("de", "Veröffentlicht am 3. Mai 2023, 14:30 Uhr"),
        ("de", "03.05.2023"),
        ("de-AT", "3.5.23"),
        ("en-US", "Published 05/03/2023"),
        ("en-GB", "Published 03/05/2023"),
        ("en", "Posted on May 3rd, 2023 by A. Writer"),
        ("en", "Wednesday, 3 May 2023"),
        ("fr", "Publié le 3 mai 2023 à 14h30"),
        ("es", "Publicado el 3 de mayo de 2023"),
        ("it", "Pubblicato il 3 maggio 2023"),
        ("pt-BR", "Publicado em 03/05/2023"),
        ("nl", "Geplaatst op 3 mei 2023"),
        ("sv", "Publicerad 3 maj 2023"),
        ("no", "Publisert 3. mai 2023"),
        ("da", "Offentliggjort den 3. maj 2023"),
        ("fi", "Julkaistu 3. toukokuuta 2023"),
        ("pl", "Opublikowano 3 maja 2023"),
        ("cs", "Publikováno 3. května 2023"),
        ("sk", "Zverejnené 3. mája 2023"),
        ("hu", "Megjelent: 2023. május 3."),
        ("ro", "Publicat pe 3 mai 2023"),
        ("tr", "Yayınlanma: 3 Mayıs 2023"),
        ("ru", "Опубликовано 3 мая 2023 г."),
        ("uk", "Опубліковано 3 травня 2023"),
        ("el", "Δημοσιεύτηκε 3 Μαΐου 2023"),
        ("ja", "公開日：２０２３年５月３日"),
        ("ja", "令和5年5月3日"),
        ("zh-CN", "发布时间：2023年5月3日 14:30"),
        ("zh-TW", "發布日期 民國112年5月3日"),
        ("ko", "입력 2023. 5. 3. 오후 8:06"),
        ("ko", "2023년 5월 3일"),
        ("ar", "نشر في 3 مايو 2023"),
        ("fa", "تاریخ انتشار 3 مه 2023"),
        ("vi", "Đăng ngày 3 tháng 5 năm 2023"),
    ],
)
def test_languages(lang: str, line: str) -> None:
    assert seen(line, lang) == "2023-05-03"


@pytest.mark.parametrize(
    "line",
    [
        "Published 03/05/2023",
        "3 hours ago",
        "Yesterday",
        "Wednesday",
        "May 2023",
        "2023",
        "31.02.2023",
        "© 3 May 2023",
        "Last updated 3 May 2023",
        "3 May 2023 – 7 May 2023",
        "Photo: A. Writer, 3 May 2023",
        "Filing date: 3 May 2023",
        "The next meeting of the friends of the bridge is on 3 May 2023 in the town hall.",
        "1402/2/13",
        "平成40年5月3日",
    ],
)
def test_lines_without_a_date_of_publication(line: str) -> None:
    assert seen(line) == ""


def test_a_date_in_the_story_is_part_of_it() -> None:
    story = "<p>The bridge that fell on 3 May 2023 into the river will be built again, said the council on Tuesday.</p>"
    assert seen("By A. Writer", story=story) == ""


def test_a_dateline_opens_the_story() -> None:
    story = (
        "<p>Karlsruhe, (3.5.2023). Der Rat hat am Dienstag beschlossen, dass die Brücke den ganzen Winter zu ist.</p>"
    )
    assert seen("Von A. Writer", "de", story) == "2023-05-03"


def test_two_days_by_the_headline_are_none() -> None:
    far = "<p>x</p>" * 30
    assert seen(f"{far}<p>3 May 2023</p><p>5 May 2023</p>") == ""


def test_a_label_on_a_line_of_its_own() -> None:
    assert seen("<dl><dt>Published</dt><dd>3 May 2023</dd><dt>Updated</dt><dd>9 May 2023</dd></dl>") == "2023-05-03"


def test_comments_and_other_stories_have_dates_of_their_own() -> None:
    line = '<div class="comments"><p>Posted 3 May 2023</p></div><div class="related">Published 4 May 2023</div>'
    assert seen("By A. Writer", story=STORY + line) == ""


def test_the_date_of_today_in_the_head_of_a_page() -> None:
    menu = "".join(f"<li>Menu {n}</li>" for n in range(200))
    page = f"<title>Daily Bridge</title><div>Daily Bridge</div><div>Wednesday, 3 May 2023</div><ul>{menu}</ul>{STORY}"
    assert find_dates(parse_page(page)).published is None


def test_where_it_stands_is_told() -> None:
    page = "<html><body><div id=top><h1>The old bridge</h1><p class='by line'>Published 3 May 2023</p>" + STORY
    found = find_dates(parse_page(page))
    assert found.path == "html > body > div#top > p.by"
    assert "Published 3 May 2023" in found.snippet


@pytest.mark.parametrize(
    ("text", "language", "days"),
    [
        ("3-May-2023", "", ["2023-05-03"]),
        ("May. 3, 2023", "", ["2023-05-03"]),
        ("1er mai 2023", "fr", ["2023-05-01"]),
        ("3 listopada 2023", "pl", ["2023-11-03"]),
        ("3 listopada 2023", "hr", ["2023-10-03"]),
        ("3 listopada 2023", "", []),
        ("平成31年4月30日", "ja", ["2019-04-30"]),
        ("令和元年5月1日", "ja", ["2019-05-01"]),
        ("昭和64年1月7日", "ja", ["1989-01-07"]),
        ("昭和64年1月8日", "ja", []),
        ("12.3.2020, 5.6.2021", "de", ["2020-03-12", "2021-06-05"]),
        ("version 1.2.2020.4", "", []),
        ("192.168.12.2020", "", []),
        ("12.03.20", "", []),
        ("10 10 2020", "", []),
        ("13 mars 2020 et 14 mars 2020", "fr", ["2020-03-13", "2020-03-14"]),
        ("١٢ مارس ٢٠٢٠", "ar", ["2020-03-12"]),
    ],
)
def test_written_dates(text: str, language: str, days: list[str]) -> None:
    assert [found.day.isoformat() for found in find_written_dates(text, language)] == days


@pytest.mark.parametrize(
    "line",
    [
        "Date limite : 12 juin 2025", "Fecha del evento: 12 de junio de 2025", "Data wydarzenia: 12 czerwca 2025",
        "Дата проведения: 12 июня 2025", "日時：2025年6月12日", "開催日：2025年6月12日", "締切：2025年6月12日",
        "活动时间：2025年6月12日", "报名截止：2025年6月12日",
        "행사일: 2025년 6월 12일", "Bewerbungsschluss: 12. Juni 2025",
        "Join us on 12 June 2025", "Recorded on 12 June 2025", "Reviewed by Dr. Smith on January 5, 2024",
        '<span class="updated">Updated <time datetime="2025-06-12">12 June 2025</time></span>',
    ],
)  # fmt: skip
def test_a_date_of_something_else_is_none_of_publication(line: str) -> None:
    story = "The harbour bridge will be replaced, and engineers told the council why it has to be so. " * 3
    page = f"<html><body><article><h1>The harbour bridge</h1><p>{line}</p><p>{story}</p></article></body></html>"
    assert find_dates(parse_page(page)).published is None


@pytest.mark.parametrize(
    "part",
    [
        '<div class="comments"><time datetime="2025-06-12">12 June 2025</time> said</div>',
        '<aside><h3>Related</h3><time datetime="2020-01-01">1 January 2020</time></aside>',
        '<footer><time datetime="2020-01-01">1 January 2020</time></footer>',
    ],
)
def test_times_of_other_parts_are_not_the_pages(part: str) -> None:
    article = f"<article><h1>The harbour bridge</h1><p>{'It will be replaced. ' * 9}</p></article>"
    page = f"<html><body>{article}{part}</body></html>"
    assert find_dates(parse_page(page)).published is None
