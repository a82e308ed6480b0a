"""Two articles that look alike: they stay apart, or wait for a person.

Both directions are tried: which of the two was there first must not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pytest
from _pytest.mark.structures import ParameterSet

from .conftest import (
    BIRDS_ZH,
    BREAD,
    FERRY_JA,
    LIBRARY_JA,
    MARKET_ZH,
    OPERA,
    SITE,
    WHALES,
    Entry,
    entry,
    tell,
)

RECALL = (
    "The food agency warns against eating {} because pieces of hard plastic may be in the packets. Nobody "
    "has been hurt so far. Customers can return opened and unopened packets to every shop of the chain and "
    "get their money back without a receipt. The maker apologises and has stopped the line until the fault "
    "is found."
)
MEETING = (
    "The shareholders of {} are invited to the annual general meeting on the last Thursday of April at ten "
    "in the morning in the hall of the chamber of commerce. The agenda covers the report of the board, the "
    "use of the profit, the discharge of the directors and the election of the auditor. Proxies must reach "
    "the office two days before."
)
SNOW = (
    "Above the tree line the danger is {}. Fresh drifts lie in gullies and behind ridges and can be "
    "released by a single person, mostly on steep slopes that face north. Below the tree line the danger is "
    "low. Tours need experience in judging the situation, and single steep slopes should be crossed one by "
    "one with good distances between people."
)
LABOUR = (
    "In the {} district {} people were looking for work, {} fewer than a month before. The rate is {} per "
    "cent. Most of those who found work were hired by hotels. The office counted {} open places, {} of them "
    "for apprentices."
)
WATER_ZH = (
    "因供水管网改造施工需要，市自来水公司定于本周六上午九时至下午五时对{}部分区域暂停供水，届时请广大用户提前做好储水准备，"
    "并关好用水设施的阀门。如遇雨天施工顺延，恢复供水初期水质可能短时浑浊，请放水片刻后再使用。"
    "给您带来的不便敬请谅解，详情可拨打客服热线咨询。"
)
STAFF_JA = (
    "次のとおり職員を募集します。勤務地は{}支所で、窓口業務と書類の整理を担当していただきます。勤務時間は平日の午前九時から午後四時までで、"
    "休憩は一時間です。応募を希望される方は履歴書を郵送してください。書類選考の後、面接の日程を電話でお知らせします。"
)
TEASER = (
    "Dieser Artikel ist nur mit einem Abonnement vollständig lesbar. Als Abonnentin oder Abonnent lesen Sie "
    "alle Berichte, Reportagen und Kommentare unserer Redaktion, auch in der App, und können jederzeit "
    "kündigen. Wir danken für Ihr Interesse an unserer Arbeit."
)
LOGO = [{"url": f"{SITE}/logo.png", "type": "image/png"}]
PROFILE = "https://social.example/@anna"

Pair = tuple[Entry, Entry]


def moved(entry_: Entry, target: str) -> Entry:
    """The entry, with a permanent redirect of its address."""
    return {**entry_, "redirects": [[entry_["url"], f"{SITE}{target}"]]}


STORIES: dict[str, Pair] = {
    "weekly post, same title and slug": (
        entry("Links of the week", "/2026/03/02/links", f"{SITE}/?p=9", OPERA),
        entry("Links of the week", "/2026/03/09/links", f"{SITE}/?p=31", BREAD, day=7),
    ),
    "hub page, unlike titles, Japanese": (
        entry("港湾道路の橋の架け替えに関する意見募集について", "/index.html"),
        entry("冬季の食中毒予防に関する注意喚起", "/index.html", day=3),
    ),
    "hub page, unlike titles, Chinese": (
        entry("关于征集城市桥梁改造意见的公告", "/gg/index.html"),
        entry("冬季流感疫苗接种门诊安排", "/gg/index.html", day=3),
    ),
    "newsletter page, counter guids": (
        entry("Spring gardening without peat", "/newsletter", "issue-41", OPERA),
        entry("What to cook when it rains", "/newsletter", "issue-42", BREAD, day=7),
    ),
    "linkblog, two posts on one page elsewhere": (
        entry("Opera reopens on Friday", "https://report.example/1", f"{SITE}/?p=41", OPERA),
        entry("A baker returns to wood", "https://report.example/1", f"{SITE}/?p=57", BREAD, day=7),
    ),
    "videos whose ids differ in case": (
        entry("Ferry in fog", "https://video.example/watch?v=5rm7-nO6hMk"),
        entry("Ferry in rain", "https://video.example/watch?v=5rm7-nO6hMK"),
    ),
    "pages told apart by a query": (
        entry("Flood warning for the River Severn", "/view?item=1"),
        entry("Flood warning for the River Severn", "/view?item=2", day=3),
    ),
    "same path on two hosts": (
        entry("Launch", "https://news.site.example/2026/launch", "", OPERA),
        entry("Launch", "https://blog.site.example/2026/launch", "", BREAD),
    ),
    "numeric guids of two feeds": (
        entry("Opera reopens", "https://a.example/x", "1001", OPERA, source="a"),
        entry("Bread and damp", "https://b.example/y", "1001", BREAD, source="b"),
    ),
    "announcement and test, Chinese": (
        entry("新款折叠手机发布", "/fabu", "f", MARKET_ZH),
        entry("新款折叠手机评测", "/pingce", "p", BIRDS_ZH, day=5),
    ),
    "first and second part, Japanese": (
        entry("港の橋をたずねて【前編】", "/s/1", "s1", FERRY_JA),
        entry("港の橋をたずねて【後編】", "/s/2", "s2", FERRY_JA, day=3),
    ),
    "first and second part, Chinese": (
        entry("老城面包店访问记（上）", "/s/1", "s1", MARKET_ZH),
        entry("老城面包店访问记（下）", "/s/2", "s2", MARKET_ZH, day=3),
    ),
    "same template, other figures": (
        entry("Unemployment in the area", "/n", "n", LABOUR.format("northern", "4,212", 118, 5.3, 611, 40)),
        entry("Unemployment in the area", "/s", "s", LABOUR.format("southern", "3,877", 72, 4.9, 530, 61)),
    ),
    "same event, two outlets": (
        entry("Opera reopens after three years", "https://a.example/1", "1", OPERA, source="a"),
        entry("Opera reopens after three seasons", "https://b.example/1", "1", WHALES, source="b"),
    ),
    "video and article under one headline": (
        entry("Whales return to the bay", "/v/1", "v1", WHALES, enclosures=[{"url": "https://media.example/1.mp4"}]),
        entry("Whales return to the bay", "/a/9", "a9", WHALES, enclosures=[{"url": "https://media.example/9.mp3"}]),
    ),
    "guid that names the day": (
        entry("Opera reopens on Friday", "/1", "2026-03-02", OPERA),
        entry("Bread and damp", "/2", "2026-03-02", BREAD, hour=3),
    ),
    "guid that names the place in the list": (
        entry("Album of the week: Northern Lights", "/al/northern", "item-1", OPERA),
        entry("Album of the week: Southern Cross", "/al/southern", "item-1", BREAD, day=7),
    ),
    "recurring page that also changes its scheme": (
        entry("Friday squid blogging", "http://site.example/squid", "s1", OPERA),
        entry("Friday squid blogging", "/squid", "s2", BREAD, day=7),
    ),
    "pictures without titles": (
        entry("", "/501", "501", f'<img src="{SITE}/501.png">'),
        entry("", "/502", "502", f'<img src="{SITE}/502.png">', day=1),
    ),
    "alerts on one page, similar titles, unlike texts": (
        entry("Flood warning for the River Severn", "/alerts", "severn", OPERA),
        entry("Flood warning for the River Avon", "/alerts", "avon", BREAD, day=2),
    ),
    "alerts on one page, similar titles, no text": (
        entry("Flood warning for the River Severn", "/alerts", "severn"),
        entry("Flood warning for the River Avon", "/alerts", "avon", day=2),
    ),
    "calls for comments on one page, Chinese": (
        entry("关于征集城市桥梁改造意见的公告", "/gg/list.html", "g-qiao", MARKET_ZH),
        entry("关于征集城市公园改造意见的公告", "/gg/list.html", "g-yuan", BIRDS_ZH, day=3),
    ),
    "changelog whose entries are anchors": (
        entry("Improved search performance", "/changelog#search", f"{SITE}/changelog#search", OPERA),
        entry("Improved sync performance", "/changelog#sync", f"{SITE}/changelog#sync", BREAD, day=9),
    ),
    "page reused every week, post ids differ": (
        entry("Open thread", "/open-thread/", f"{SITE}/?p=101", OPERA),
        entry("Open thread", "/open-thread/", f"{SITE}/?p=142", BREAD, day=7),
    ),
    "page reused every week, guids differ, Japanese": (
        entry("今週の読者投稿欄から", "/tokou/", "t-haru", FERRY_JA),
        entry("今週の読者投稿欄から", "/tokou/", "t-natsu", LIBRARY_JA, day=7),
    ),
    "posts without titles that link to a profile": (
        entry("", PROFILE, "p-rain", "Rain again, and the ferry is late."),
        entry("", PROFILE, "p-sun", "Sun at last!", day=1),
    ),
    "pictures without titles that link to a profile": (
        entry("", PROFILE, "p-a", f'<img src="{SITE}/501.png">'),
        entry("", PROFILE, "p-b", f'<img src="{SITE}/502.png">', day=1),
    ),
    "one logo as enclosure of every entry, one link": (
        entry("Spring gardening without peat", "/news", "a-peat", OPERA, enclosures=LOGO),
        entry("What to cook when it rains", "/news", "a-rain", BREAD, enclosures=LOGO, day=7),
    ),
    "one logo as enclosure, link changes its scheme": (
        entry("Spring gardening without peat", "http://site.example/news", "a-peat", OPERA, enclosures=LOGO),
        entry("What to cook when it rains", "/news", "a-rain", BREAD, enclosures=LOGO, day=7),
    ),
    "dates at midnight, link changes its scheme": (
        entry("Spring gardening without peat", "http://site.example/news", "a-peat", OPERA),
        entry("A new roof for the tram depot", "/news", "a-roof", BREAD),
    ),
    "guid restarted, recurring title": (
        entry("Links of the week", "/2021/links-of-the-week", "57", OPERA),
        entry("Links of the week", "/2024/links-of-the-week-2", "57", BREAD, day=90),
    ),
    "guid says latest, numbers in similar titles": (
        entry("Release 1.2 of the sync tool", "/rel/12", "latest", OPERA),
        entry("Release 1.3 of the sync tool", "/rel/13", "latest", BREAD, day=7),
    ),
    "guid names the section, similar titles, no text": (
        entry("Match report: Lions against Tigers", "/1", "sport"),
        entry("Match report: Lions against Bears", "/2", "sport", day=1),
    ),
    "both addresses lead to a page that sells subscriptions": (
        moved(entry("Opera reopens on Friday", "/a/1", "a1", OPERA), "/subscribe"),
        moved(entry("Bread and damp", "/a/2", "a2", BREAD, day=9), "/subscribe"),
    ),
    "old articles redirect to a section, no text": (
        moved(entry("Opera reopens on Friday", "/a/1", "a1"), "/culture/"),
        moved(entry("Bread and damp", "/a/2", "a2", day=9), "/culture/"),
    ),
    "two outlets behind one consent page": (
        entry("Opera reopens on Friday", "https://a.example/1", "a1", OPERA, source="a", final_url="https://consent.example/collect"),
        entry("Bread and damp", "https://b.example/2", "b2", BREAD, source="b", day=9, final_url="https://consent.example/collect"),
    ),
    "two sources link to one list page, Japanese": (
        entry("港湾道路の橋の架け替えに関する意見募集について", "https://gov.example/list", "", source="m1"),
        entry("冬季の食中毒予防に関する注意喚起", "https://gov.example/list", "", source="m2", day=3),
    ),
    "two shops link to one sale, unlike texts": (
        entry("Shoes at half price", "https://store.example/sale", "a1", OPERA, source="a"),
        entry("Winter jackets reduced", "https://store.example/sale", "b7", BREAD, source="b", day=9),
    ),
    "journal number as strong id": (
        entry("Counting whales by ear", "/j/1", "j1", WHALES, ids={"issn": "1234-5678"}),
        entry("The physics of a bread oven", "/j/2", "j2", BREAD, ids={"issn": "1234-5678"}, day=9),
    ),
    "same job in two cities": (
        entry("Software engineer, Berlin", "/jobs/1", "j1", OPERA),
        entry("Software engineer, Madrid", "/jobs/2", "j2", OPERA, day=9),
    ),
    "morning and evening edition with the same standing text": (
        entry("Harbour news, morning edition", "/ed/1", "e1", BREAD),
        entry("Harbour news, evening edition", "/ed/2", "e2", BREAD, hour=9),
    ),
    "teaser of a paid article instead of its text": (
        entry("Die Oper öffnet wieder", "/a/1", "a1", TEASER),
        entry("Brot und Feuchtigkeit", "/a/2", "a2", TEASER, day=9),
    ),
    "roman numerals without a word before them": (
        entry("Notes on bread II", "/s/1", "s1", BREAD),
        entry("Notes on bread III", "/s/2", "s2", BREAD, day=3),
    ),
    "recall of two products, same second": (
        entry("Recall: Alpine muesli", "/r/alpine", "alpine", RECALL.format("Alpine muesli")),
        entry("Recall: coconut bars", "/r/coconut", "coconut", RECALL.format("coconut bars")),
    ),
    "water is cut off in two districts, Chinese": (
        entry("关于计划停水的通知", "/n/donghu", "donghu", WATER_ZH.format("东湖区")),
        entry("关于计划停水的通知", "/n/xihu", "xihu", WATER_ZH.format("西湖区"), day=4),
    ),
    "two offices look for staff, same second, Japanese": (
        entry("会計年度任用職員の募集（北支所）", "/j/kita", "kita", STAFF_JA.format("北")),
        entry("会計年度任用職員の募集（南支所）", "/j/minami", "minami", STAFF_JA.format("南")),
    ),
    "meetings of two companies under one title": (
        entry("Notice of annual general meeting", "/m/alder", "alder", MEETING.format("Alder Mills")),
        entry("Notice of annual general meeting", "/m/birch", "birch", MEETING.format("Birch Mills"), hour=2),
    ),
    "bulletin of the next day": (
        entry("Avalanche bulletin", "/b/1", "b-mon", SNOW.format("considerable")),
        entry("Avalanche bulletin", "/b/2", "b-tue", SNOW.format("moderate"), day=1),
    ),
    "digest without guid and link": (
        entry("Daily digest", "", "", OPERA, source="digest"),
        entry("Daily digest", "", "", BREAD, source="digest", day=1),
    ),
}  # fmt: skip

# What goes wrong today, by cause. Each is a strict expected failure; once mended, its name leaves this list.
CROSS_SOURCE = "one address joins across sources while no text can say that it is a list of many"

KNOWN_WRONG = {"two sources link to one list page, Japanese": CROSS_SOURCE}
KNOWN_WRONG_IN_ONE_FETCH: dict[str, str] = {}


def parameters(names: Iterable[str], known: Mapping[str, str]) -> list[ParameterSet]:
    """One parameter per story; those that are known to go wrong must go wrong."""
    return [
        pytest.param(name, marks=pytest.mark.xfail(reason=known[name], strict=True) if name in known else ())
        for name in names
    ]


@pytest.mark.parametrize("name", parameters(STORIES, KNOWN_WRONG))
def test_stays_apart(name: str) -> None:
    first, second = STORIES[name]
    for order in ((first, second), (second, first)):
        told = tell(*order)
        assert not told.joined, told.said
        assert told.records == 2


IN_ONE_FEED = [name for name, (first, second) in STORIES.items() if first["source"] == second["source"]]


@pytest.mark.parametrize("name", parameters(IN_ONE_FEED, KNOWN_WRONG_IN_ONE_FETCH))
def test_stays_apart_in_one_fetch(name: str) -> None:
    """Feeds list both at once more often than not; then even less may join them."""
    first, second = STORIES[name]
    told = tell([first, second])
    assert (told.records, told.joined) == (2, False)
