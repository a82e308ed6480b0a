"""One opened page → its capture and, when it has a text, a sighting of its article. One unit, all or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from html import escape
from typing import TYPE_CHECKING, Final

from ...blocking import digest_item
from ...model import Capture, Decision, Item, Outcome, PageHost, Representation, Source
from ...policy import Policy
from ...stores.base import Seen, Unit
from ...urls.source import page_source, source_identity
from ..apply import Delivery
from ..arrival import Arrival, identity_of
from ..context import Context, Observation
from ..observe import Observer, repeat_decision
from ..rulebook import RuleSource, rules_at
from .about import is_about, leads_home
from .body import PackedBody
from .wishes import READ, PageWish, host_of

if TYPE_CHECKING:
    from ...pages.reading import PageReading  # needs more than the base install

_WHOLE: Final = (Representation.FULL_TEXT, Representation.TITLE_ONLY)


@dataclass(frozen=True, slots=True)
class OpenedPage:
    """An attempt that is not stored yet, with what was read and the page itself, as far as there are any."""

    wish: PageWish
    capture: Capture
    reading: PageReading | None = None
    body: PackedBody | None = None


@dataclass(frozen=True, slots=True)
class StoredPage:
    """An attempt as it is stored, and what the text of the page is.

    ``decision`` is None without a text, and when the page turned out to be about something else than the record it
    was opened for (``unattached``): the attempt is kept then, and nothing is announced.
    """

    capture: Capture
    decision: Decision | None = None
    unattached: bool = False


def page_item(reading: PageReading, wish: PageWish, capture: Capture) -> Item:
    """Return the item that a page is: its address names it, and its source is its host.

    Permanent redirects at the start of the way identify; after the first temporary one nothing does. The text of an
    abstract, or of what a paywall lets through, stands in ``summary``: nothing takes it for the article.
    """
    permanent, temporary = _redirects(capture.hops)
    whole = reading.representation in _WHOLE
    text = _paragraphs(reading.text)
    return Item(
        source=page_source(host_of(capture.final_url) or host_of(wish.fetch_url)),
        guid=wish.address,
        guid_is_permalink=False,
        original_url=wish.original_url,
        final_url=capture.final_url,
        canonical=reading.canonical,
        title=reading.title,
        content=text if whole else "",
        summary="" if whole else text,
        authors=reading.authors,
        language=reading.language,
        ids=reading.ids,
        images=reading.images,
        redirects=permanent,
        temporary_redirects=temporary,
        published=reading.published,
        modified=reading.modified,
        representation=reading.representation,
        extractor=reading.extractor,
        extra={"amp": reading.facts["amp"]} if "amp" in reading.facts else {},
    )


def _redirects(
    hops: tuple[tuple[str, int, str], ...],
) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    """The hops that hold for good and the others; what follows a temporary one is as temporary as that."""
    first = next((n for n, (_, status, _) in enumerate(hops) if status not in (301, 308)), len(hops))
    pairs = [(start, target) for start, _, target in hops]
    return tuple(pairs[:first]), tuple(pairs[first:])


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{escape(line, quote=False)}</p>" for line in text.splitlines() if line.strip())


class PageStore:
    """Stores opened pages inside one open unit."""

    def __init__(self, unit: Unit, rules: RuleSource, policy: Policy, now: datetime, delivery: Delivery) -> None:
        self._unit = unit
        self._rules = rules
        self._policy = policy
        self._now = now
        self._delivery = delivery

    def store(self, opened: OpenedPage) -> StoredPage:
        """Return the attempt as it is stored, with the decision on its text if there is one."""
        capture = opened.capture
        if opened.body is not None:
            self._unit.pages.keep_body(capture.body_hash, opened.body.packed, opened.body.size, self._now)
        capture = self._unit.pages.add_capture(capture)
        self._learn_https(capture)
        reading = opened.reading
        if reading is None or not reading.representation.is_text or not (reading.text or reading.title):
            return StoredPage(capture)
        item = page_item(reading, opened.wish, capture)
        decision = self._see(item, opened.wish)
        if decision is None:
            return StoredPage(capture, unattached=True)
        version_id = self._version_of(item)
        if version_id:
            self._unit.pages.set_version(capture.id, version_id)
            capture = replace(capture, version_id=version_id)
        return StoredPage(capture, decision)

    def store_again(self, opened: OpenedPage, version_id: int) -> StoredPage:
        """Return a kept page that was read once more; ``version_id`` is what its text became the first time.

        The page was seen when it was, under the title it had: only what was read of it is new.
        """
        capture = self._unit.pages.add_capture(opened.capture)
        reading = opened.reading
        if reading is None or not version_id or not reading.representation.is_text or not reading.text:
            return StoredPage(capture)
        was = self._unit.records.get_item(version_id)
        item = replace(page_item(reading, opened.wish, capture), title=was.title, source=was.source)
        rows = self._find_seen(item)
        if not rows:
            return StoredPage(capture)
        context = Context(self._unit, self._rules, self._policy)
        decision = self._observe(context, item, Observation(rows[0].last_seen_at, 0, rows[0].last_fetch_no, late=False))
        version_id = self._version_of(item) or version_id
        self._unit.pages.set_version(capture.id, version_id)
        return StoredPage(replace(capture, version_id=version_id), decision)

    def _learn_https(self, capture: Capture) -> None:
        """Note that a host has answered over https."""
        if capture.outcome != READ or not capture.final_url.startswith("https://"):
            return
        name = host_of(capture.final_url)
        host = self._unit.pages.find_hosts([name]).get(name, PageHost(name))
        if not host.secure:
            self._unit.pages.put_host(replace(host, secure=True))

    def _see(self, item: Item, wish: PageWish) -> Decision | None:
        """The decision on the page's text; None when it is not about the article that it was opened for."""
        if leads_home(item.final_url, rules_at(self._rules, self._unit)):
            return None
        if wish.record_number and not self._belongs(item, wish):
            return None
        context = Context(self._unit, self._rules, self._policy)
        number = self._unit.sources.advance(self._source_of(item).id, self._now, 1)
        decision = self._observe(context, item, Observation(self._now, 0, number, late=False))
        context.tally.write(self._unit.counts)
        return decision

    def _belongs(self, item: Item, wish: PageWish) -> bool:
        """Whether the page is about its entry and joins it; asked beforehand, so that nothing has to be taken back."""
        context = Context(self._unit, self._rules, self._policy)
        source = self._source_of(item)
        arrival = Arrival(item, source, context, Observation(self._now, 0, source.last_fetch_no + 1, late=False))
        if not is_about(self._unit, context, arrival, wish.record_number):
            return False
        answer = Observer(context, source, self._now, self._delivery).plan(arrival, self._find_seen(item))
        return not isinstance(answer, Decision) or answer.outcome not in (Outcome.NEW, Outcome.REVIEW)

    def _observe(self, context: Context, item: Item, observation: Observation) -> Decision:
        source = self._source_of(item)
        observer = Observer(context, source, self._now, self._delivery)
        answer = observer.observe(Arrival(item, source, context, observation, digest_item(item)), self._find_seen(item))
        observer.flush()
        if isinstance(answer, Decision):
            return answer
        record = self._unit.records.find_records([answer.record_id])[0]
        return repeat_decision(item, record, context, self._now)

    def _version_of(self, item: Item) -> int:
        """The newest version of the sighting that the item is."""
        rows = self._find_seen(item)
        return rows[0].version_id if rows else 0

    def _find_seen(self, item: Item) -> Sequence[Seen]:
        identity = identity_of(self._source_of(item), item)
        return self._unit.records.find_seen([identity]).get(identity, ())

    def _source_of(self, item: Item) -> Source:
        return self._unit.sources.add_source(item.source, source_identity(item.source))


def facts_of(reading: PageReading) -> Mapping[str, object]:
    """Return what a page says about itself, as JSON values."""
    return {**reading.facts, "reasons": list(reading.reasons), "notes": list(reading.notes)}
