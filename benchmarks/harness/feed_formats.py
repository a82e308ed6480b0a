"""How generated feeds are written: the formats and dialects that feeds on the web have, with their habits.

Blogs put a teaser and the whole text beside each other, news sites a line in CDATA and a picture, podcasts a
sound file; many have namespaces that hardly anybody reads.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from html import escape
from typing import Final
from urllib.parse import quote

_TEASER: Final = 300
_DECLARATION: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'


@dataclass(frozen=True, slots=True)
class Feed:
    """What stands around the entries."""

    host: str
    title: str
    language: str
    built_at: datetime

    @property
    def home(self) -> str:
        """Return the address of the site."""
        return f"https://{self.host}/"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry. ``seed`` decides on what some entries have and some have not."""

    number: int
    title: str
    paragraphs: tuple[str, ...]
    published_at: datetime
    author: str
    tags: tuple[str, ...]
    seed: int

    @property
    def slug(self) -> str:
        """Return its title as part of an address."""
        return quote(self.title.lower().replace(" ", "-"))

    @property
    def teaser(self) -> str:
        """Return the beginning of its text."""
        first = self.paragraphs[0]
        return first if len(first) <= _TEASER else first[:_TEASER] + " […]"

    def html(self, feed: Feed) -> str:
        """Return its text with the markup that articles have."""
        return "\n".join(self._blocks(feed))

    def _blocks(self, feed: Feed) -> Iterator[str]:
        picture = f'<img src="{feed.home}images/{self.seed:x}.jpg" alt="" width="1024" height="683" />'
        if self.seed % 3 == 0:
            yield f'<figure class="wp-block-image size-large">{picture}</figure>'
        for number, paragraph in enumerate(self.paragraphs):
            kind = (self.seed >> number) % 8
            if kind == 7 and number:
                yield f"<h2>{escape(paragraph[:30])}</h2>"
            if kind in (1, 5):
                first, middle, last = paragraph[:20], paragraph[20:40], paragraph[40:]
                link = f'<a href="{feed.home}tag/{quote(self.tags[0])}/" rel="tag">{escape(middle)}</a>'
                yield f"<p>{escape(first)}{link}{escape(last)}</p>"
            elif kind == 3:
                yield f"<blockquote><p><em>{escape(paragraph)}</em></p></blockquote>"
            else:
                yield f"<p>{escape(paragraph)}</p>"


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write feeds, and how often it is met."""

    name: str
    weight: float
    write: Callable[[Feed, Iterable[Entry]], str]


def _cdata(text: str) -> str:
    return f"<![CDATA[{text.replace(']]>', ']]&gt;')}]]>"


def _rss(feed: Feed, namespaces: str, head: str, items: Iterable[str]) -> str:
    return (
        f'{_DECLARATION}<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"{namespaces}>\n<channel>\n'
        f"<title>{escape(feed.title)}</title>\n<link>{feed.home}</link>\n<description>{escape(feed.title)}</description>\n"
        f'<atom:link href="{feed.home}feed/" rel="self" type="application/rss+xml"/>\n'
        f"<lastBuildDate>{format_datetime(feed.built_at)}</lastBuildDate>\n<language>{feed.language}</language>\n"
        f"{head}{''.join(items)}</channel>\n</rss>\n"
    )


def _plain(feed: Feed, entries: Iterable[Entry]) -> str:
    """RSS without extras: escaped HTML as description."""
    return _rss(
        feed,
        "",
        "<generator>Static 2.4</generator>\n",
        (
            f"<item><title>{escape(e.title)}</title><link>{feed.home}posts/{e.slug}.html</link>"
            f"<guid>{feed.home}posts/{e.slug}.html</guid><pubDate>{format_datetime(e.published_at)}</pubDate>"
            f"<description>{escape(e.html(feed))}</description></item>\n"
            for e in entries
        ),
    )


def _blog(feed: Feed, entries: Iterable[Entry]) -> str:
    """RSS of the commonest blog program: teaser and text in CDATA, five namespaces, comments."""
    namespaces = (
        ' xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wfw="http://wellformedweb.org/CommentAPI/"'
        ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"'
        ' xmlns:slash="http://purl.org/rss/1.0/modules/slash/"'
    )
    head = "<sy:updatePeriod>hourly</sy:updatePeriod>\n<sy:updateFrequency>1</sy:updateFrequency>\n"
    return _rss(feed, namespaces, head, (_blog_item(feed, e) for e in entries))


def _blog_item(feed: Feed, e: Entry) -> str:
    link = f"{feed.home}{e.published_at:%Y/%m/%d}/{e.slug}/"
    tags = "".join(f"\t<category>{_cdata(tag)}</category>\n" for tag in e.tags)
    return (
        f"<item>\n\t<title>{escape(e.title)}</title>\n\t<link>{link}</link>\n\t<comments>{link}#respond</comments>\n"
        f"\t<dc:creator>{_cdata(e.author)}</dc:creator>\n\t<pubDate>{format_datetime(e.published_at)}</pubDate>\n{tags}"
        f'\t<guid isPermaLink="false">{feed.home}?p={1000 + 7 * e.number}</guid>\n'
        f"\t<description>{_cdata(f'<p>{escape(e.teaser)}</p>')}</description>\n"
        f"\t<content:encoded>{_cdata(e.html(feed))}</content:encoded>\n"
        f"\t<wfw:commentRss>{link}feed/</wfw:commentRss>\n\t<slash:comments>{e.seed % 40}</slash:comments>\n</item>\n"
    )


def _news(feed: Feed, entries: Iterable[Entry]) -> str:
    """RSS of a news site: CDATA everywhere, a picture, tracking parameters."""
    return _rss(
        feed,
        ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/"',
        "<ttl>15</ttl>\n",
        (
            f"<item><title>{_cdata(e.title)}</title><description>{_cdata(' '.join(e.paragraphs))}</description>"
            f"<link>{feed.home}news/{10_000_000 + e.number}?utm_source=rss&amp;utm_medium=feed</link>"
            f'<guid isPermaLink="false">{feed.home}news/{10_000_000 + e.number}#{e.seed % 4}</guid>'
            f"<pubDate>{format_datetime(e.published_at)}</pubDate><dc:creator>{escape(e.author)}</dc:creator>"
            f'<media:thumbnail width="240" height="135" url="{feed.home}images/{e.seed:x}.jpg"/></item>\n'
            for e in entries
        ),
    )


def _podcast(feed: Feed, entries: Iterable[Entry]) -> str:
    """RSS of a podcast: a sound file for each episode."""
    return _rss(
        feed,
        ' xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"'
        ' xmlns:content="http://purl.org/rss/1.0/modules/content/"',
        f'<itunes:author>{escape(feed.title)}</itunes:author>\n<itunes:image href="{feed.home}cover.jpg"/>\n',
        (
            f"<item><title>Episode {1000 - e.number}: {escape(e.title)}</title>"
            f"<link>{feed.home}{1000 - e.number}</link>"
            f'<guid isPermaLink="false">{e.seed:08x}-{e.number:04x}-4f6d-8a11-{e.seed:012x}</guid>'
            f"<pubDate>{format_datetime(e.published_at)}</pubDate><itunes:duration>{e.seed % 5400}</itunes:duration>"
            f'<enclosure url="https://media.{feed.host}/{e.seed:x}.mp3" length="{e.seed % 90_000_000}"'
            ' type="audio/mpeg"/>'
            f"<description>{escape(e.teaser)}</description>"
            f"<content:encoded>{_cdata(e.html(feed))}</content:encoded></item>\n"
            for e in entries
        ),
    )


def _atom(feed: Feed, entries: Iterable[Entry]) -> str:
    items = (_atom_entry(feed, e) for e in entries)
    return (
        f'{_DECLARATION}<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{feed.language}">\n'
        f"<id>{feed.home}</id><title>{escape(feed.title)}</title><updated>{feed.built_at.isoformat()}</updated>\n"
        f'<link rel="self" href="{feed.home}feed.atom"/><link rel="alternate" href="{feed.home}"/>\n'
        f"{''.join(items)}</feed>\n"
    )


def _atom_entry(feed: Feed, e: Entry) -> str:
    tags = "".join(f'<category term="{escape(tag)}"/>' for tag in e.tags)
    return (
        f"<entry><id>tag:{feed.host},2026:{e.number}</id><title>{escape(e.title)}</title>"
        f"<published>{e.published_at.isoformat()}</published><updated>{e.published_at.isoformat()}</updated>"
        f'<link rel="alternate" type="text/html" href="{feed.home}{e.published_at:%Y/%m}/{e.slug}.html"/>'
        f"<author><name>{escape(e.author)}</name></author>{tags}<summary>{escape(e.teaser)}</summary>"
        f'<content type="html">{escape(e.html(feed))}</content></entry>\n'
    )


def _rdf(feed: Feed, entries: Iterable[Entry]) -> str:
    """RSS 1.0, which Japanese sites still have: entries stand beside the channel and have no guid."""
    items = "".join(
        f'<item rdf:about="{feed.home}{e.number}.html"><title>{escape(e.title)}</title>'
        f"<link>{feed.home}{e.number}.html</link><description>{escape(e.teaser)}</description>"
        f"<content:encoded>{_cdata(e.html(feed))}</content:encoded><dc:creator>{escape(e.author)}</dc:creator>"
        f"<dc:date>{e.published_at.isoformat()}</dc:date></item>\n"
        for e in entries
    )
    return (
        f'{_DECLARATION}<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"'
        ' xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
        f' xmlns:content="http://purl.org/rss/1.0/modules/content/" xml:lang="{feed.language}">\n'
        f'<channel rdf:about="{feed.home}index.rdf"><title>{escape(feed.title)}</title><link>{feed.home}</link>'
        f"<description>{escape(feed.title)}</description><dc:date>{feed.built_at.isoformat()}</dc:date></channel>\n"
        f"{items}</rdf:RDF>\n"
    )


def _json(feed: Feed, entries: Iterable[Entry]) -> str:
    """JSON Feed 1.1; it has no build date, so it is told in a field of its own."""
    items = [
        {
            "id": f"{feed.home}{e.number}",
            "url": f"{feed.home}{e.slug}",
            "title": e.title,
            "content_html": e.html(feed),
            "date_published": e.published_at.isoformat(),
            "authors": [{"name": e.author}],
            "tags": list(e.tags),
        }
        for e in entries
    ]
    around = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        "home_page_url": feed.home,
        "feed_url": f"{feed.home}feed.json",
        "language": feed.language,
        "_built": feed.built_at.isoformat(),
    }
    return json.dumps({**around, "items": items}, ensure_ascii=False)


FORMATS: Final = (
    Format("plain", 0.20, _plain),
    Format("blog", 0.32, _blog),
    Format("news", 0.15, _news),
    Format("podcast", 0.08, _podcast),
    Format("atom", 0.16, _atom),
    Format("json", 0.05, _json),
    Format("rdf", 0.04, _rdf),
)
"""Roughly what is met among feeds that people read."""
