"""Kept pages with their labels: a list of what is true of each page, and a folder or an archive of the pages."""

from __future__ import annotations

import contextlib
import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

from ..errors import InvalidInput
from .archive import unpack_archive

_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,128}\Z")
_TEXT_FILE: Final = re.compile(r"[A-Za-z0-9_-]{1,40}/[A-Za-z0-9_-]{1,128}\.txt\Z")


@dataclass(frozen=True, slots=True)
class LabeledPage:
    """One page and what is known of it. ``facts`` is the object of the gold file as it stands there."""

    id: str
    url: str
    facts: Mapping[str, object] = field(default_factory=dict)
    where: str = ""


def read_labeled_pages(path: str | Path) -> tuple[LabeledPage, ...]:
    """Return the labeled pages of a gold file: a JSON list of objects, each with at least ``id`` and ``url``.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as scratch:
    ...     gold = Path(scratch, "gold.json")
    ...     _ = gold.write_text('[{"id": "a1", "url": "https://n.example/", "published": null}]')
    ...     [(page.id, page.facts["published"]) for page in read_labeled_pages(gold)]
    [('a1', None)]

    Raises:
        InvalidInput: the file cannot be read, is no such list or an empty one, or names an id twice.
    """
    where = str(path)
    try:
        rows = json.loads(Path(path).read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise InvalidInput(f"cannot be read as JSON: {getattr(error, 'strerror', None) or error}", where) from error
    if not isinstance(rows, list) or not rows:
        raise InvalidInput("must be a JSON list with an object per page, each with id and url", where)
    pages = tuple(_page(row, f"{where}: entry {number}") for number, row in enumerate(rows, 1))
    seen: set[str] = set()
    for page in pages:
        if page.id in seen:
            raise InvalidInput(f"id {page.id!r} stands there twice", page.where)
        seen.add(page.id)
    return pages


def _page(row: object, where: str) -> LabeledPage:
    if not isinstance(row, dict):
        raise InvalidInput("must be an object with id and url", where)
    page_id, url = row.get("id"), row.get("url")
    if not isinstance(page_id, str) or not _ID.match(page_id):
        raise InvalidInput(f"id must be letters and digits, the name of the page's file; not {page_id!r}", where)
    if not isinstance(url, str):
        raise InvalidInput(f"url must be a text; not {url!r}", where)
    return LabeledPage(page_id, url, cast("dict[str, object]", row), where)


@contextlib.contextmanager
def opened_pages(place: str | Path) -> Iterator[Callable[[LabeledPage], bytes]]:
    """Yield what reads the bytes of a page; see :func:`opened_archive`."""
    with opened_archive(place) as archive:
        yield archive.html


@dataclass(frozen=True, slots=True)
class PageArchive:
    """An opened folder of labeled pages."""

    folder: Path
    where: str

    def html(self, page: LabeledPage) -> bytes:
        """Return the bytes of a page. Raises InvalidInput when they are missing."""
        return self._read(f"html/{page.id}.html", page)

    def text(self, page: LabeledPage) -> str | None:
        """Return the labeled text of a page, None when it has none. Raises InvalidInput when its file is missing."""
        name = page.facts.get("text_file")
        if not name:
            return None
        if not isinstance(name, str) or not _TEXT_FILE.match(name):
            raise InvalidInput(f"text_file must be a file such as text/a1.txt; not {name!r}", page.where)
        return self._read(name, page).decode("utf-8", "replace")

    def _read(self, name: str, page: LabeledPage) -> bytes:
        try:
            return (self.folder / name).read_bytes()
        except OSError as error:
            reason = error.strerror or str(error)
            raise InvalidInput(f"{name} cannot be read ({reason}); {page.where} names it", self.where) from error


@contextlib.contextmanager
def opened_archive(place: str | Path) -> Iterator[PageArchive]:
    """Yield labeled pages: ``html/<id>.html`` and their texts, below a folder or in a tar of one.

    Raises:
        InvalidInput: there is no such place, or it cannot be unpacked; the reader raises it for a page that is missing.
    """
    given = Path(place)
    if given.is_dir():
        yield PageArchive(given, str(place))
        return
    if not given.exists():
        raise InvalidInput("there is no such folder or archive; give one that holds html/<id>.html", str(place))
    with tempfile.TemporaryDirectory(prefix="pages-") as folder:
        unpack_archive(given, Path(folder))
        yield PageArchive(Path(folder), str(place))
