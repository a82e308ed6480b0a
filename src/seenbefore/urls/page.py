"""An address as a place: host, directory and slug. Slugs are words that a person chose for one article."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote

_SUFFIX = re.compile(r"\.(?:html?|php|aspx?|jsp)\Z", re.IGNORECASE)
_JOINTS = re.compile(r"[-_+.\s]+")
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_LANGUAGE = re.compile(r"[a-z]{2}(?:[-_][a-z]{2,4})?")
_PERSON = re.compile(r"[@~]")
_OTHER_KINDS = frozenset(
    "audio author authors careers community courses docs downloads event events forum forums galleries gallery help"
    " images job jobs listen live photo photos pictures podcast podcasts product products shop store tag tags user"
    " users video videos watch".split()
)

_DESKS = frozenset(
    "analysis announcements article articles blog blogs briefing business comment content culture economy"
    " engineering features finance headlines home insights journal latest magazine money news newsroom opinion"
    " paper papers politics post posts press press-release press-releases publications read releases report"
    " reports research resources reviews science sport sports stories story tech technology topic topics updates"
    " world writing writings"
    " kagaku keizai kenkyu kiji seiji tokushu kexue jingji keji wenzhang xinwen yanjiu zhengzhi"
    " ニュース ブログ 記事 研究 特集 経済 政治 技術 科学 社説 コラム"
    " 新闻 新聞 文章 博客 经济 經濟 财经 評論 评论 报道 報道 科技".split()
)
"""Sections that only sort what a site writes. Any other name may be a place, a team or a product."""

MIN_WORDS = 3
"""A slug of fewer words may name many things: launch, open-thread."""


class Page(NamedTuple):
    """Where an article lies. ``words`` are those of its slug."""

    host: str
    directory: str
    words: tuple[str, ...]

    @property
    def sections(self) -> frozenset[str]:
        """The parts of its directory."""
        return frozenset(self.directory.lower().split("/")) - {""}


def page_of(near: str) -> Page | None:
    """Return the place that a ``url_near`` key names, or None when its last part is no slug.

    >>> page_of("example.com/news/building-ai-defenders.html")
    Page(host='example.com', directory='/news', words=('building', 'ai', 'defenders'))
    >>> page_of("example.com/%E6%A9%8B/%E6%B8%AF-%E3%81%AE-%E6%A9%8B").words
    ('港', 'の', '橋')

    Numbers are no words, so a date or a counter is no slug:

    >>> page_of("example.com/news/2024-05-04"), page_of("example.com/open-thread"), page_of("example.com/a-b-c?id=7")
    (None, None, None)
    """
    if "?" in near or "#" in near:
        return None
    host, _, path = near.partition("/")
    directory, _, slug = f"/{path}".rpartition("/")
    words = tuple(word for word in _JOINTS.split(_SUFFIX.sub("", unquote(slug)).lower()) if word)
    said = [word for word in words if _LETTER.search(word) and not _DIGIT.search(word)]
    return Page(host, unquote(directory), words) if len(said) >= MIN_WORDS else None


def is_in_other_section(a: Page, b: Page) -> bool:
    """Return whether one slug lies in two sections of a site.

    >>> a, b = page_of("example.com/news/building-ai-defenders"), page_of("example.com/research/building-ai-defenders")
    >>> is_in_other_section(a, b)
    True

    Years and numbers in a path are no sections, nor are languages, people, and places for things that are no
    articles, such as videos or products.

    >>> weekly = [page_of(f"example.com/2024/05/{day}/week-in-review") for day in ("04", "11")]
    >>> is_in_other_section(*weekly), is_in_other_section(a, page_of("example.com/video/building-ai-defenders"))
    (False, False)
    """
    if a.words != b.words or a.directory == b.directory:
        return False
    if _DIGIT.search(a.directory) or _DIGIT.search(b.directory):
        return False
    return not any(_is_no_section(name) for name in a.sections ^ b.sections)


def _is_no_section(name: str) -> bool:
    return bool(_LANGUAGE.fullmatch(name) or _PERSON.match(name) or name in _OTHER_KINDS)


def are_desks(a: Page, b: Page) -> bool:
    """Return whether the sections in which two places differ only sort articles, and stand for nothing else.

    >>> are_desks(page_of("example.com/news/a-b-c"), page_of("example.com/research/a-b-c"))
    True
    >>> are_desks(page_of("example.com/north/a-b-c"), page_of("example.com/south/a-b-c"))
    False
    """
    return a.sections ^ b.sections <= _DESKS


def is_in_sister_section(a: Page, b: Page) -> bool:
    """Return whether two sections have a part of their path in common: they may be places, teams or products.

    >>> berlin, munich = (page_of(f"example.com/offers/{city}/baker-for-the-night") for city in ("berlin", "munich"))
    >>> is_in_sister_section(berlin, munich)
    True
    >>> is_in_sister_section(page_of("example.com/news/a-b-c"), page_of("example.com/research/a-b-c"))
    False
    """
    return any(not _LANGUAGE.fullmatch(name) for name in a.sections & b.sections)


def is_shortened(a: Page, b: Page) -> bool:
    """Return whether the slugs differ only in words that one of them leaves out, and none of those is a number.

    >>> a, b = page_of("example.com/blog/we-improve-our-harbour"), page_of("example.com/blog/improve-our-harbour")
    >>> is_shortened(a, b)
    True

    A word in another one's place, another order, or a number tells two articles apart.

    >>> c, d = page_of("example.com/blog/jobs-report-june"), page_of("example.com/blog/jobs-report-july")
    >>> is_shortened(c, d), is_shortened(c, page_of("example.com/blog/june-jobs-report"))
    (False, False)
    >>> is_shortened(c, page_of("example.com/blog/jobs-report-june-2"))
    False
    """
    longer, shorter = (a.words, b.words) if len(a.words) >= len(b.words) else (b.words, a.words)
    if a.directory != b.directory or len(longer) == len(shorter):
        return False
    rest = left_out(longer, shorter)
    return rest is not None and not any(_DIGIT.search(word) for word in rest) and 2 * len(rest) <= len(shorter)


def left_out(longer: tuple[str, ...], shorter: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the words that ``shorter`` leaves out of ``longer``, or None when it says anything else.

    >>> left_out(("how", "we", "built", "it"), ("we", "built"))
    ('how', 'it')
    >>> left_out(("man", "bites", "dog"), ("dog", "bites")) is None
    True
    """
    rest: list[str] = []
    expected = list(reversed(shorter))
    for word in longer:
        if expected and word == expected[-1]:
            expected.pop()
        else:
            rest.append(word)
    return None if expected else tuple(rest)
