"""Observations on one made-up host, and what is learned from them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from seenbefore.rules import Rules, lay_over, parse_pack
from seenbefore.urls.learning import Finding, Learned, LearningLimits, Observation, Why, learn

START = datetime(2026, 3, 1, tzinfo=UTC)
PAGES = 20


def shown(
    address: str, text: object = "", *, title: object = None, alike: str = "", day: float | None = None, form: str = ""
) -> Observation:
    """An observation on one host; the title is the text's own unless one is given."""
    at = None if day is None else START + timedelta(days=day)
    name = f"title of {text if title is None else title}" if title != "" else ""
    return Observation(f"https://news.example{address}", str(text), name, alike, form, at)


def story(page: object) -> str:
    return f"/story/what-happened-in-{page}-town"


def marked(pages: Iterable[int] = range(PAGES), values: Iterable[str] = "ab") -> list[Observation]:
    """Stories that showed one text each under several marks; every mark is another one."""
    return [shown(f"{story(page)}?mark={value}{page}", page) for page in pages for value in values]


def finding(learned: Learned, name: str) -> Finding:
    return next(each for each in learned.findings if each.name == name)


def why(observations: Iterable[Observation], name: str = "mark", limits: LearningLimits | None = None) -> Why:
    return finding(learn(observations, limits=limits), name).why


def applied(learned: Learned) -> Rules:
    """The rules with what was learned over them, as a person would put it into force."""
    return lay_over([parse_pack("learned.toml", learned.to_toml())])
