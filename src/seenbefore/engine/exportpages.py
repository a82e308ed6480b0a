"""The user's own pages about records: redirects from those that are gone, and a sitemap of those that live."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote

from ..errors import InvalidInput
from ..exports import sitemap
from ..exports.redirects import REDIRECT_FORMATS, Redirect, render_redirects
from ..exports.templates import LONGEST_ADDRESS, Template, parse_template, path_of, web_address
from ..ids import format_id
from ..model import Outcome, Record, Status
from ..redact import has_secret
from ..stores.base import Store, Unit
from .export import held_records
from .exportfile import Bytes, Export, Progress, Replacement
from .stats import iter_pages

_CHUNK: Final = 500

Page = tuple[int, str | None]
"""A record's number and an external id that it had: what a page of the user was made for."""


# --- redirects ----------------------------------------------------------------------------------


def export_redirects(
    store: Store,
    form: str,
    old: str,
    new: str,
    *,
    with_secrets: bool = False,
    progress: Progress | None = None,
) -> Export:
    """Return where the pages of merged records went, and which pages are gone, ordered by address.

    Raises:
        InvalidInput: no such format, or a template that cannot be used.
    """
    if form not in REDIRECT_FORMATS:
        raise InvalidInput(f"{form!r} is no format of redirects; use {', '.join(REDIRECT_FORMATS)}", "format")
    templates = (
        parse_template(old, "from", query=form == "json"),
        parse_template(new, "to", web=True),
    )

    def read(export: Export) -> Bytes:
        with store.reading() as unit:
            found = _Redirects(unit, export, *templates, with_secrets=with_secrets).collect()
        yield from render_redirects(form, found)

    return Export(read, progress)


class _Redirects:
    """Collects the redirects of one snapshot. They are what is held in memory, not the records."""

    def __init__(self, unit: Unit, export: Export, old: Template, new: Template, *, with_secrets: bool) -> None:
        self._unit = unit
        self._export = export
        self._old = old
        self._new = new
        self._with_secrets = with_secrets
        self._found: dict[str, tuple[int, str | None]] = {}

    def collect(self) -> list[Redirect]:
        """Return them by address, each address once, none of them a page that lives."""
        merged: dict[int, list[Page]] = {}
        for page in iter_pages(self._unit):
            for record in page:
                if record.status is Status.MERGED and record.survivor_id:
                    merged.setdefault(record.survivor_id, []).append((record.id, record.external_id))
                elif record.status is Status.REJECTED:
                    self._add_all([(record.id, record.external_id)], None)
            self._export.advance(len(page))
        for survivor in self._records(merged):
            self._add_group(survivor, merged[survivor.id])
        self._drop_live()
        return [Redirect(path, to) for path, (_, to) in sorted(self._found.items())]

    def _records(self, numbers: Iterable[int]) -> Iterator[Record]:
        ordered = sorted(numbers)
        for start in range(0, len(ordered), _CHUNK):
            yield from self._unit.records.find_records(ordered[start : start + _CHUNK])

    def _add_group(self, survivor: Record, merged: list[Page]) -> None:
        """The pages of all records that are one now lead to the survivor's, or are gone with it."""
        pages = dict.fromkeys(merged)
        if self._old.needs_external_id:
            for number in (survivor.id, *(number for number, _ in merged)):
                pages |= dict.fromkeys(self._announced(number))
        pages.pop((survivor.id, survivor.external_id), None)
        if survivor.status is Status.REJECTED:
            self._add_all(pages, None)
            return
        target = self._new.fill(survivor.external_id, survivor.record_id)
        if target is None:
            self._export.leave_out("no_id", len({number for number, _ in pages}))
        else:
            self._add_all(pages, target)

    def _announced(self, number: int) -> Iterator[Page]:
        """What a record was called when it came up: a survivor takes over the id of an older record."""
        for decision in self._unit.journal.find_decisions(record_id=number):
            external_id = decision.item.external_id
            if external_id and decision.outcome in (Outcome.NEW, Outcome.REVIEW):
                yield number, external_id

    def _add_all(self, pages: Iterable[Page], target: str | None) -> None:
        named: dict[int, bool] = {}
        for number, external_id in pages:
            path = self._old.fill(external_id, format_id("r", number) or "")
            named[number] = named.get(number, False) or path is not None
            if path is not None and self._is_fit(path, target):
                self._add(path, number, target)
        self._export.leave_out("no_id", list(named.values()).count(False))

    def _is_fit(self, path: str, target: str | None) -> bool:
        """Whether it may be written; a page that would lead to itself needs no word."""
        if target is not None and path_of(target) == path:
            return False
        addresses = [path] if target is None else [path, target]
        if any(len(address) > LONGEST_ADDRESS for address in addresses):
            self._export.leave_out("too_long")
            return False
        if not self._with_secrets and any(map(has_secret, addresses)):
            self._export.leave_out("secret")
            return False
        return True

    def _add(self, path: str, number: int, target: str | None) -> None:
        """One answer per address: where its content lives on, and of several such the newest record's."""
        known = self._found.get(path)
        if known is None or (known[1] is None and target is not None):
            self._found[path] = (number, target)
        elif target is not None and known[1] != target:
            self._export.leave_out("several")
            self._found[path] = max(known, (number, target), key=lambda page: page[0])

    def _drop_live(self) -> None:
        """A page that lives is not sent elsewhere, so no redirect leads to another one either."""
        for page in iter_pages(self._unit):
            for record in page:
                if record.status is Status.ACTIVE:
                    filled = (t.fill(record.external_id, record.record_id) for t in (self._old, self._new))
                    for path in {path_of(address) for address in filled if address is not None}:
                        self._export.leave_out("live", int(self._found.pop(path, None) is not None))
            self._export.advance(len(page))


# --- sitemap ------------------------------------------------------------------------------------


def export_sitemap(
    store: Store,
    url: str,
    *,
    base: str = "",
    hold_review: bool = False,
    with_secrets: bool = False,
    progress: Progress | None = None,
) -> SitemapExport:
    """Return the pages of live records; ``base`` is where several files will lie.

    Raises:
        InvalidInput: a template or an address that cannot be used.
    """
    template = parse_template(url, "url", path=False, web=True)
    folder = web_address(base, "base") if base else ""
    if "?" in folder or "#" in folder:
        raise InvalidInput("must be the address of a folder, such as https://me.example/", "base")
    if folder and not folder.endswith("/"):
        folder += "/"
    return SitemapExport(store, template, folder, hold_review, with_secrets, progress)


class SitemapExport(Export):
    """A sitemap; one of more than 50,000 addresses can only be saved, in several files with an index."""

    def __init__(
        self,
        store: Store,
        template: Template,
        base: str,
        hold_review: bool,
        with_secrets: bool,
        progress: Progress | None,
    ) -> None:
        super().__init__(lambda _: self._read_one(), progress)
        self._store = store
        self._template = template
        self._base = base
        self._hold_review = hold_review
        self._with_secrets = with_secrets

    def save(self, path: str | Path) -> list[Path]:
        """Write the sitemap, or ``NAME-1.xml`` and so on with an index under the name itself; return the files.

        Raises:
            InvalidInput: a file cannot be made there, or several are needed and no base was given.
            StoreError: writing failed; files that were there are as they were.
        """
        self.left_out.clear()
        with Replacement() as files, self._store.reading() as unit:
            pages = self._pages(unit)
            if pages.files == 1:
                file = files.open(path)
                for chunk in pages.whole():
                    file.write(chunk)
            else:
                self._save_parts(files, Path(path), pages)
        return files.written

    def _save_parts(self, files: Replacement, path: Path, pages: _Pages) -> None:
        if not self._base:
            raise InvalidInput("several files are needed; say with --base URL where they will lie", str(path))
        names = sitemap.part_names(path.name, pages.files)
        parts = [files.open(path.with_name(name)) for name in names]
        for part in parts:
            part.write(sitemap.HEAD)
        for number, element in pages.elements():
            parts[number - 1].write(element)
        for part in parts:
            part.write(sitemap.TAIL)
        index = files.open(path)
        for chunk in sitemap.index_chunks(self._base + quote(name) for name in names):
            index.write(chunk)

    def _read_one(self) -> Bytes:
        with self._store.reading() as unit:
            pages = self._pages(unit)
            if pages.files > 1:
                raise InvalidInput("more than 50,000 addresses or 50 MB; use --out FILE and --base URL", "sitemap")
            yield from pages.whole()

    def _pages(self, unit: Unit) -> _Pages:
        return _Pages(unit, self, self._template, self._hold_review, self._with_secrets)


class _Pages:
    """The elements of a sitemap; a first pass over the records says how many files they fill.

    An address that several live records have stands once, with the latest change of any of them.
    """

    def __init__(self, unit: Unit, export: Export, template: Template, hold_review: bool, with_secrets: bool) -> None:
        self._unit = unit
        self._export = export
        self._template = template
        self._with_secrets = with_secrets
        self._held = held_records(unit) if hold_review else frozenset()
        self._shared: dict[int, datetime] = {}
        cutter, seen = sitemap.Cutter(), set[int]()
        for address, changed_at in self._addresses(export):
            known = hash(address)  # the addresses themselves would take several times the memory
            if known in seen:
                self._shared[known] = max(changed_at, self._shared.get(known, changed_at))
            else:
                seen.add(known)
                cutter.place(sitemap.url_element(address, changed_at))
        self.files = cutter.files

    def whole(self) -> Iterator[bytes]:
        """Yield everything as one file."""
        yield sitemap.HEAD
        for _, element in self.elements():
            yield element
        yield sitemap.TAIL

    def elements(self) -> Iterator[tuple[int, bytes]]:
        """Yield the number of the file and the element."""
        cutter, done = sitemap.Cutter(), set[int]()
        for address, changed_at in self._addresses(None):
            known = hash(address)
            if known in done:
                continue
            if known in self._shared:
                done.add(known)
            element = sitemap.url_element(address, max(changed_at, self._shared.get(known, changed_at)))
            yield cutter.place(element), element

    def _addresses(self, counting: Export | None) -> Iterator[tuple[str, datetime]]:
        """Addresses with the moment their page changed last; what is left out is counted once."""
        for page in iter_pages(self._unit):
            for record in page:
                if record.status is not Status.ACTIVE or record.id in self._held:
                    continue
                address = self._template.fill(record.external_id, record.record_id)
                reason = self._unfit(address)
                if address is not None and not reason:
                    yield address, record.content_updated_at or record.first_seen_at
                elif counting is not None:
                    counting.leave_out(reason)
            self._export.advance(len(page))

    def _unfit(self, address: str | None) -> str:
        if address is None:
            return "no_id"
        if len(address) > LONGEST_ADDRESS:
            return "too_long"
        return "secret" if has_secret(address) and not self._with_secrets else ""
