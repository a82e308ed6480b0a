"""Which made-up sites there are: ways in which a parameter or a path means one thing and seems to mean another."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace

from . import learned_sites as sites
from .learned_sites import Kind, Site

_SHAPES = ("/%Y/%m/%d/", "/%Y/%m/", "/blog/%Y/%m/%d/", "/%Y%m%d/", "/news/%Y/%m/")
_SECTIONS = ("world", "business", "culture", "science", "local")
_PLACES = ("berlin", "munich", "hamburg")


def make_sites(rounds: int, seed: int = 0, *, share: float = 1.0, names: Iterable[str] = ()) -> list[Site]:
    """Return so many sites of each scenario (or of those named), with a share of their pages."""
    found = []
    for number in range(rounds):
        for name in names or SCENARIOS:
            site = SCENARIOS[name](f"{name}-{number}-{seed}.example", _draw(name, number, seed))
            site.kinds = [replace(k, pages=k.pages if k.pages < 30 else int(share * k.pages)) for k in site.kinds]
            found.append(site)
    return found


def _draw(name: str, number: int, seed: int) -> random.Random:
    return random.Random(f"{seed} {name} {number}")


def _name(draw: random.Random) -> str:
    """A name of a parameter that no list knows."""
    return "".join(draw.choice("bdfgklmnprstvz") + draw.choice("aeiou") for _ in range(2)) + draw.choice("xqzjw")


def _names(draw: random.Random, count: int) -> list[str]:
    return [_name(draw) + str(n) for n in range(count)]


def _story(host: str, *parameters: sites.Parameter, name: str = "story", pages: int = 60) -> Kind:
    return Kind(name, lambda page, day: f"/{name}/{sites.slug(host, page)}", parameters, pages=pages)


def _site(host: str, *kinds: Kind, **fields: object) -> Site:
    return Site(host, host.rsplit("-", 2)[0], list(kinds), **fields)  # type: ignore[arg-type]


# --- parameters ---------------------------------------------------------------------------------


def _articles(host: str, draw: random.Random) -> Site:
    mark, tongue = _names(draw, 2)
    return _site(host, _story(host, sites.tracker(mark), sites.tongue(tongue)))


def _marked(host: str, draw: random.Random) -> Site:
    mark, other = _names(draw, 2)
    return _site(host, _story(host, sites.feed_mark(mark)), _story(host, sites.tracker(other), name="film"))


def _query(host: str, draw: random.Random) -> Site:
    number, mark, order, paging = _names(draw, 4)
    parameters = (sites.page_id(number), sites.tracker(mark), sites.order(order), sites.paging(paging))
    return _site(host, Kind("view", lambda page, day: "/view.php", parameters, pages=90))


def _sessions(host: str, draw: random.Random) -> Site:
    number, session = _names(draw, 2)
    parameters = (sites.page_id(number), sites.session(session))
    return _site(host, Kind("view", lambda page, day: "/show", parameters))


def _shop(host: str, draw: random.Random) -> Site:
    variant, mark = _names(draw, 2)
    parameters = (sites.variant(variant), sites.tracker(mark))
    return _site(host, Kind("product", lambda page, day: f"/product/{5000 + page}", parameters, pages=90))


def _shop_that_drifts(host: str, draw: random.Random) -> Site:
    site = _shop(host, draw)
    site.drift, site.learnable = "day", False
    return site


def _split(host: str, draw: random.Random) -> Site:
    mark = _name(draw)
    return _site(host, _story(host, sites.tracker(mark)), _story(host, sites.selecting(mark), name="compare"))


def _split_seldom(host: str, draw: random.Random) -> Site:
    """The same, but where it matters too little was seen to know."""
    mark = _name(draw)
    rare = _story(host, sites.selecting(mark), name="compare", pages=5)
    return _site(host, _story(host, sites.tracker(mark)), rare)


def _beside(host: str, draw: random.Random) -> Site:
    number, mark = _names(draw, 2)
    item = Kind("item", lambda page, day: "/item", (sites.page_id(number), sites.tracker(mark)))
    alone = Kind("list", lambda page, day: "/item", (sites.selecting(mark),), is_one=True, pages=30)
    return _site(host, item, alone)


def _twins(host: str, draw: random.Random) -> Site:
    return _site(host, _story(host, *sites.twins(*_names(draw, 2))))


def _drifting(host: str, draw: random.Random) -> Site:
    return _site(host, _story(host, sites.tracker(_name(draw)), pages=90), drift="day")


def _restless(host: str, draw: random.Random) -> Site:
    """Texts are never equal, so nothing can be learned."""
    return _site(host, _story(host, sites.tracker(_name(draw))), drift="visit", learnable=False)


def _titles(host: str, draw: random.Random) -> Site:
    mark, paging = _names(draw, 2)
    return _site(host, _story(host, sites.tracker(mark), sites.paging(paging)), texts="none", learnable=False)


def _few(host: str, draw: random.Random) -> Site:
    mark, paging = _names(draw, 2)
    return _site(host, _story(host, sites.tracker(mark), sites.paging(paging), pages=draw.randrange(3, 10)))


def _small(host: str, draw: random.Random) -> Site:
    """As many pages as are needed, and a few more."""
    mark, tongue = _names(draw, 2)
    return _site(host, _story(host, sites.tracker(mark), sites.tongue(tongue), pages=draw.randrange(14, 26)))


def _lagging(host: str, draw: random.Random) -> Site:
    """One feed goes on showing what a page said before."""
    return _site(host, _story(host, sites.tracker(_name(draw))), lag=2)


def _drifting_small(host: str, draw: random.Random) -> Site:
    return _site(host, _story(host, sites.tracker(_name(draw)), pages=26), drift="day")


def _seldom(share: float, shows: str = "text", drift: str = "none") -> Callable[[str, random.Random], Site]:
    def make(host: str, draw: random.Random) -> Site:
        return _site(host, _story(host, sites.seldom(_name(draw), share, shows), pages=90), drift=drift)

    return make


def _wall(host: str, draw: random.Random) -> Site:
    mark, number = _names(draw, 2)
    kind = Kind("view", lambda page, day: "/view", (sites.page_id(number), sites.tracker(mark)))
    return _site(host, kind, texts="wall", learnable=False)


def _many_sections(host: str, draw: random.Random) -> Site:
    sections = [f"desk{chr(97 + n)}" for n in range(14)]
    path = sites.in_sections(f"still {host}", sections)
    return _site(host, Kind("story", lambda page, day: path(page, 0), (sites.tracker(_name(draw)),), pages=90))


# --- paths --------------------------------------------------------------------------------------


def _moving_dates(host: str, draw: random.Random) -> Site:
    return _site(host, Kind("story", sites.dated(host, draw.choice(_SHAPES)), moves="dates"))


def _columns(host: str, draw: random.Random) -> Site:
    path = sites.dated(host, draw.choice(_SHAPES), columns="all")
    return _site(host, Kind("story", path, says=lambda page: page, pages=30), learnable=False)


def _moving_and_columns(host: str, draw: random.Random) -> Site:
    path = sites.dated(host, draw.choice(_SHAPES), columns="some")
    return _site(host, Kind("story", path), learnable=False)


def _open_threads(host: str, draw: random.Random) -> Site:
    path = sites.dated(host, draw.choice(_SHAPES), columns="all")
    return _site(host, Kind("story", path, says=lambda page: page % 3, pages=30), updated=0, learnable=False)


def _moving_sections(host: str, draw: random.Random) -> Site:
    path = sites.in_sections(host, draw.sample(_SECTIONS, 3))
    return _site(host, Kind("story", path, moves="section", pages=80))


def _places(host: str, draw: random.Random) -> Site:
    """One slug in several places: as many pages."""

    def path(page: int, day: int) -> str:
        return f"/{_PLACES[page % 3]}/{sites.slug(host, page // 3)}"

    return _site(host, Kind("offer", path), learnable=False)


def _few_moves(host: str, draw: random.Random) -> Site:
    path = sites.dated(host, draw.choice(_SHAPES))
    return _site(host, Kind("story", path, moves="dates", pages=4), learnable=False)


SCENARIOS: dict[str, Callable[[str, random.Random], Site]] = {
    "articles": _articles,
    "marked": _marked,
    "query": _query,
    "sessions": _sessions,
    "shop": _shop,
    "drifting-shop": _shop_that_drifts,
    "split": _split,
    "split-few": _split_seldom,
    "beside": _beside,
    "twins": _twins,
    "drifting": _drifting,
    "restless": _restless,
    "titles": _titles,
    "few": _few,
    "small": _small,
    "small-drifting": _drifting_small,
    "lagging": _lagging,
    "seldom-50": _seldom(0.5),
    "seldom-20": _seldom(0.2),
    "seldom-5": _seldom(0.05),
    "seldom-word-50": _seldom(0.5, "word"),
    "seldom-word-15": _seldom(0.15, "word"),
    "seldom-word-drifting": _seldom(0.3, "word", "day"),
    "wall": _wall,
    "many-sections": _many_sections,
    "moving-dates": _moving_dates,
    "columns": _columns,
    "mixed-columns": _moving_and_columns,
    "open-threads": _open_threads,
    "moving-sections": _moving_sections,
    "places": _places,
    "few-moves": _few_moves,
}
"""What each kind of site is called."""
