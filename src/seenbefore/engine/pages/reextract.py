"""Reads kept pages once more, by a newer extractor or with what was learned about their hosts.

Nothing changed at the source, so nothing is announced: the new text is a version of its own, beside the old one,
captured when the page was, and later captures are compared with texts that were read in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from ...model import Capture, PageHost
from ...stores.base import Unit
from ..apply import Delivery
from ..engine import Engine
from .body import unpack_body
from .opening import page_reading, read_capture
from .run import PageOptions
from .storing import PageStore, StoredPage
from .wishes import PageWish, host_of

_PAGE: Final = 100


@dataclass(frozen=True, slots=True)
class Reread:
    """How far a run is: pages looked at, of how many, how many were read anew, and of how many the text differs."""

    seen: int = 0
    total: int = 0
    read: int = 0
    changed: int = 0


def reextract(engine: Engine, options: PageOptions, *, learn: bool = False) -> Iterator[Reread]:
    """Yield how far it has come, after each page that was read. Pages that were read in this way already stay.

    With ``learn``, paragraphs that many articles of a host share are looked for first, and are left out from now on.

    Raises:
        MissingExtra: reading pages needs ``seenbefore[pages]``.
        StoreError: a page could not be written; those before it stand, and the same call completes the work.
    """
    page_reading()
    newest = _newest_kept(engine)
    if learn:
        _learn(engine, newest, options)
    done = Reread(total=len(newest))
    for capture in newest:
        stored, differs = _read_again(engine, capture, options)
        done = replace(done, seen=done.seen + 1, read=done.read + (stored is not None), changed=done.changed + differs)
        yield done
    if not newest:
        yield done


def _newest_kept(engine: Engine) -> list[Capture]:
    """The newest attempt at each address whose page is kept, by id."""
    found: dict[str, Capture] = {}
    after = 0
    with engine.store.reading() as unit:
        while page := unit.pages.list_kept(after, _PAGE):
            after = page[-1].id
            found.update((capture.address, capture) for capture in page)
    return sorted(found.values(), key=lambda capture: capture.id)


def _read_again(engine: Engine, capture: Capture, options: PageOptions) -> tuple[StoredPage | None, bool]:
    """The page as it is stored when it was read anew, and whether its text differs."""
    wish = PageWish(capture.original_url, capture.address, capture.fetch_url, previous=capture)
    name = host_of(capture.final_url)
    with engine.store.reading() as unit:
        body = unpack_body(unit.pages.get_body(capture.body_hash))
        hosts = unit.pages.find_hosts([name])
    page = read_capture(wish, replace(capture, id=0, version_id=0), body, replace(options, keep=False), hosts)
    if page.reading is None or page.reading.extractor == capture.extractor:
        return None, False
    page = replace(page, capture=replace(page.capture, body_hash=capture.body_hash))
    with engine.store.unit() as unit:
        store = PageStore(unit, engine.rules, engine.policy, engine.clock(), Delivery(history=True))
        before = unit.records.get_item(capture.version_id) if capture.version_id else None
        stored = store.store_again(page, capture.version_id)
        after = unit.records.get_item(stored.capture.version_id) if stored.capture.version_id else None
        return stored, ((before and before.content) or "") != ((after and after.content) or "")


# --- what is learned of a host --------------------------------------------------------------------


def _learn(engine: Engine, captures: Iterable[Capture], options: PageOptions) -> None:
    """Take the next snapshot of each host on which the paragraphs that repeat are others than before."""
    by_host: dict[str, list[Capture]] = {}
    for capture in captures:
        by_host.setdefault(host_of(capture.final_url), []).append(capture)
    reader = page_reading()
    for name, several in sorted(by_host.items()):
        texts = {capture.address: _plain_text(engine, capture, options) for capture in several}
        repeated = tuple(reader.learn_host(texts))
        with engine.store.unit() as unit:
            _take_snapshot(unit, name, repeated, len(texts))


def _take_snapshot(unit: Unit, name: str, repeated: tuple[str, ...], articles: int) -> None:
    host = unit.pages.find_hosts([name]).get(name, PageHost(name))
    if repeated != host.repeated:
        unit.pages.put_host(replace(host, snapshot=host.snapshot + 1, articles=articles, repeated=repeated))


def _plain_text(engine: Engine, capture: Capture, options: PageOptions) -> str:
    """The text of a kept page with everything in it that repeats."""
    with engine.store.reading() as unit:
        body = unpack_body(unit.pages.get_body(capture.body_hash))
    wish = PageWish(capture.original_url, capture.address, capture.fetch_url)
    nothing: Mapping[str, PageHost] = {}
    reading = read_capture(wish, capture, body, replace(options, keep=False), nothing).reading
    return reading.text if reading is not None else ""
