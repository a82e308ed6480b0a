"""One article that comes back in another form: must be found. Made up after the public reports."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

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

SOUND = [{"url": "https://media.example/b/3.mp3", "type": "audio/mpeg"}]

STORIES: dict[str, Sequence[Entry | Sequence[Entry]]] = {
    "tracking parameters and www": [
        entry("市場の朝", "/asa?id=5", "", FERRY_JA),
        entry("市場の朝", "https://www.site.example/asa?utm_source=rss&id=5&fbclid=x", "", FERRY_JA),
    ],
    "final slash and port": [
        entry("Bread and damp", "/bread", "", ""),
        entry("Bread and damp", "https://site.example:443/bread/", "", ""),
    ],
    "new guid system after a move of the platform, Chinese": [
        entry("老菜市场重新开门", "/2026/shichang", f"{SITE}/?p=88", MARKET_ZH),
        entry("老菜市场重新开门", "/2026/shichang/", "urn:uuid:0b7c-41", MARKET_ZH),
    ],
    "whole site moves to another host, text stays": [
        entry("渡し船の始発が早まる", "https://old.example/ferry", "https://old.example/ferry", FERRY_JA),
        entry("渡し船の始発が早まる", "https://new.example/ferry", "https://new.example/ferry", FERRY_JA),
    ],
    "date in the path moves": [
        entry("Whales return to the bay", "/2026/03/02/whales", f"{SITE}/2026/03/02/whales", WHALES),
        entry("Whales return to the bay", "/2026/03/04/whales", f"{SITE}/2026/03/04/whales", WHALES, day=2),
    ],
    "syndicated under the same headline": [
        entry("Opera reopens on Friday", "/opera", "o", OPERA),
        entry("Opera reopens on Friday", "https://paper.example/77", "77", OPERA, source="paper", day=1),
    ],
    "syndicated under another headline, Japanese": [
        entry("図書館の夜、民謡が響く", "/yoru", "y", LIBRARY_JA),
        entry("閉館後の閲覧室で演奏会", "https://paper.example/9", "9", LIBRARY_JA, source="p", day=1),
    ],
    "corrected word and figure under the same guid": [
        entry("Whales return", "/whales", "w", WHALES),
        entry("Whales return", "/whales", "w", WHALES.replace("forty", "fourteen")),
    ],
    "new headline under guid and link that stay, Chinese": [
        entry("河口来了黑脸琵鹭", "/birds", "b", BIRDS_ZH),
        entry("湿地栈道迁徙季关闭", "/birds", "b", BIRDS_ZH),
    ],
    "guid stays, link moves with the title": [
        entry("Bread and damp", "/a/bread-and-damp", "tag:site.example,2026:14", BREAD),
        entry("Bread, damp and patience", "/a/bread-damp-and-patience", "tag:site.example,2026:14", BREAD),
    ],
    "audio episode under a new link": [
        entry("3: The oven", "/e/3", "ep3", "How to fire it.", enclosures=SOUND),
        entry("3: The oven", "/episodes/3-the-oven", "ep3", "How to fire it.", enclosures=SOUND),
    ],
    "guid of another case-insensitive host": [
        entry("Whales return", "https://Site.Example/Whales", "", ""),
        entry("Whales return", "https://site.example/Whales", "", ""),
    ],
    "section feed lists it a week later": [
        entry("河口来了黑脸琵鹭", "/birds", "", BIRDS_ZH, source=f"{SITE}/all.xml"),
        entry("河口来了黑脸琵鹭", "/birds", "", BIRDS_ZH, source=f"{SITE}/nature.xml", day=7),
    ],
    "same DOI on two platforms": [
        entry("Counting whales by ear", "https://j.example/1", "1", "", ids={"doi": "10.5555/W.1"}),
        entry("Counting whales by ear (preprint)", "https://p.example/9", "9", "", source="p", ids={"doi": "https://doi.org/10.5555/w.1"}),
    ],
    "permanent redirect to a new slug": [
        entry("Opera reopens on Friday", "/typo", "", ""),
        entry("Opera: doors open again", "/opera", "", "", redirects=[[f"{SITE}/typo", f"{SITE}/opera"]]),
    ],
    "full width and half width title": [
        entry("ＤＸ推進計画２０２６の公表", "/dx", "", ""),
        entry("DX推進計画2026の公表", "/dx", "", ""),
    ],
    "summary first, full text later": [
        entry("Opera reopens on Friday", "/opera", "o", "", summary="The opera house reopens on Friday."),
        entry("Opera reopens on Friday", "/opera", "o", OPERA),
    ],
    "the article is gone for a while": [
        [entry("Whales return", "/whales", "w", WHALES), entry("Bread", "/bread", "b", BREAD)],
        [entry("Bread", "/bread", "b", BREAD)],
        [entry("Bread", "/bread", "b", BREAD), entry("Whales return", "/whales", "w", WHALES)],
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", STORIES)
def test_is_found(name: str) -> None:
    told = tell(*STORIES[name])
    assert told.joined, told.said


@pytest.mark.parametrize("name", [n for n in STORIES if "redirect" not in n])
def test_is_found_the_other_way_round(name: str) -> None:
    told = tell(*reversed(STORIES[name]))
    assert told.joined, told.said
