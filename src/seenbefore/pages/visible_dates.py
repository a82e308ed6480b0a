"""The date of publication as readers see it: beside a word for it, or the only date by the headline."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from selectolax.lexbor import LexborNode

from ..dates.words import SAYS_DATE, SAYS_MODIFIED, SAYS_OTHER, SAYS_PUBLISHED, SAYS_SOME_DATE
from ..dates.written import WrittenDate, find_ambiguous_dates, find_written_dates
from ..model import DateEvidence
from ..text.folding import count_cjk
from .datecandidates import MODIFIED, PUBLISHED, DateCandidate, of_day
from .document import PageDocument
from .visible_text import SeenText, path_of, see_text

OTHER: Final = "other"

_BEFORE: Final = 45
"""Characters before a date in which a word belongs to it; a by-line with a name fits."""

_AFTER: Final = 45
_HIGHEST: Final = 12
"""Elements around a date that are looked at."""

_SHORT_BLOCK: Final = 140
"""Longer blocks are sentences: a date in them is part of the story."""

_FEW: Final = 30
"""Characters beside a date that may end with a full stop and are no sentence yet."""

_SENTENCE: Final = 250
"""Longer blocks are no line about the story, and a verb in them tells of something else."""

_CLOSE: Final = 300
"""Characters below the headline within which nothing but its by-line stands."""

_BESIDE: Final = 60
"""Characters below the headline: the line under it."""

_SOON: Final = 800
"""Characters after a date within which the story begins: names, buttons and a caption fit."""

_STORY: Final = 80
_STORY_CJK: Final = 30
"""Characters of a line that is part of a story, not of a menu."""

_PARAGRAPH: Final = 140
_NEAR_ABOVE: Final = 250
"""Characters above the headline that can still belong to it."""

_LEAD: Final = 700
"""Long text below the headline that may come before its date: a lead."""

_OTHER_STORY: Final = re.compile(
    r"comments?\b|kommentare|related|recommend|repl(?:y|ies)\b|popular|trending|newsletter|cookie|carousel|more-news|disqus",
    re.IGNORECASE,
)
"""Classes and ids of what other people or other pages say: their dates are theirs."""

_MARGIN: Final = re.compile(r"sidebar|widget-|footer|\baside", re.IGNORECASE)
_MARGIN_TAGS: Final = frozenset({"footer", "aside", "nav"})
_SENTENCE_END: Final = re.compile(r"[.!?。！？]\W{0,3}\Z")
_RANGE_BEFORE: Final = re.compile(r"(?:\d\.?\s?(?:-|–|—|bis|to|until|à|al|und|and)\s?|\b(?:bis|until|to|till)\s)\Z")
_RANGE_AFTER: Final = re.compile(r"\A,?\s?(?:-|–|—|bis|to|until|à|al)\s?\d{1,2}(?:\.|/|\s)\s?(?:\d{1,2}\.|[^\W\d])")
_PLACE_BEFORE: Final = re.compile(r"\A[^.!?\d]{0,40}\(?\Z")
_STORY_AFTER: Final = re.compile(r"\A(?:\)|\s?[-–—/:])")


@dataclass(frozen=True, slots=True)
class _Seen:
    """A date in the text: what the words beside it say, and where it stands."""

    written: WrittenDate
    role: str
    labeled: bool
    distance: int
    standing: bool
    lead: int


def find_visible(document: PageDocument) -> tuple[DateCandidate, ...]:
    """Return the dates of publication and change that readers see, each with what stands around it.

    >>> from seenbefore.pages.document import parse_page
    >>> page = parse_page('<html lang="fr"><h1>Le pont</h1><p>Publié le 3 mai 2023, mis à jour le 5 mai 2023</p>')
    >>> [(one.role, one.evidence.raw) for one in find_visible(page)]
    [('published', '3 mai 2023'), ('modified', '5 mai 2023')]

    A date in a sentence of the story, or one of several, says nothing:

    >>> find_visible(parse_page("<h1>Bridge</h1><p>The bridge that fell on 3 May 2023 into the river is built again."))
    ()
    """
    seen = see_text(document)
    written = find_written_dates(seen.text, document.language)
    looked_at = [one for each in written for one in _look(seen, each)]
    found = []
    for role in (PUBLISHED, MODIFIED):
        of_role = [one for one in looked_at if one.role == role]
        found += [_candidate(seen, one) for one in _choose(of_role, needs_label=role == MODIFIED)]
    return tuple(found) or _ambiguous(seen, document.language)


def _ambiguous(seen: SeenText, language: str) -> tuple[DateCandidate, ...]:
    """What would be a date if anybody knew which number is the month; the first by the headline."""
    top = max(seen.headline - _NEAR_ABOVE, 0)
    found = find_ambiguous_dates(seen.text[top : max(seen.body, 0) + _CLOSE], language)
    evidence = [DateEvidence("text:headline", raw, tier="visible") for raw in found[:1]]
    return tuple(DateCandidate(PUBLISHED, one, 1, "visible", problem="ambiguous") for one in evidence)


def _look(seen: SeenText, written: WrittenDate) -> Iterator[_Seen]:
    text, start, end = seen.text, written.start, written.end
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    last = len(text) if last < 0 else last
    before = text[max(first, start - _BEFORE) : start]
    if _RANGE_BEFORE.search(before) or _RANGE_AFTER.search(text[end : end + 20]):
        return
    if len(before) < 12 and first > 1:  # a label in a block of its own: "Published" above "3 May 2023"
        above = text.rfind("\n", 0, first - 1) + 1
        if first - 1 - above <= _BEFORE:
            before = text[above : first - 1] + "\n" + before
    length = last - first
    said = said_before(before) or (_said_after(text[end : min(last, end + _AFTER)]) if length <= _SENTENCE else "")
    if said == OTHER or _is_elsewhere(seen, start, margins=not said):
        return
    standing = (_is_line(text[first:last], end - start) and _is_before_story(text, last)) or _is_dateline(
        text[first:start], text[end : end + 3]
    )
    distance, lead = _distance(seen, start)
    yield _Seen(written, said or PUBLISHED, bool(said) and length <= 600, distance, standing, lead)


def said_before(before: str) -> str:
    """Return what the last word before a date says that says anything: PUBLISHED, MODIFIED, OTHER or ''.

    >>> said_before("Zuletzt aktualisiert am "), said_before("Deadline: "), said_before("by A. Writer, ")
    ('modified', 'other', '')
    """
    places = {
        role: max((match.end() for match in words.finditer(before)), default=-1)
        for role, words in ((PUBLISHED, SAYS_PUBLISHED), (MODIFIED, SAYS_MODIFIED), (OTHER, SAYS_OTHER))
    }
    role = max(places, key=lambda name: places[name])
    if places[role] >= 0:
        return role
    if SAYS_DATE.search(before):
        return PUBLISHED
    return OTHER if SAYS_SOME_DATE.search(before) else ""


def _is_dateline(before: str, after: str) -> bool:
    """Whether a date opens a story: "Karlsruhe (12.11.2021) …", "Berlin, 3. Mai 2023 – …"."""
    return bool(_PLACE_BEFORE.match(before) and _STORY_AFTER.match(after))


def _said_after(after: str) -> str:
    """What a verb after the date says: "am 3. Mai 2023 veröffentlicht"."""
    published, modified = SAYS_PUBLISHED.search(after), SAYS_MODIFIED.search(after)
    digits = re.search(r"\d{1,2}[./ ]\D{0,10}\d", after)
    if (
        published
        and (not modified or published.start() < modified.start())
        and (not digits or published.end() <= digits.start())
    ):
        return PUBLISHED
    return ""


def _is_line(block: str, length: int) -> bool:
    """Whether a block is a date with few words, and no sentence that names one."""
    words = len(block) - length
    return words <= _SHORT_BLOCK and (words <= _FEW or not _SENTENCE_END.search(block))


def _is_before_story(text: str, last: int) -> bool:
    """Whether a story begins soon after a line; after the date of today in the head of a page come menus."""
    return any(
        len(line) >= _STORY or (len(line) >= _STORY_CJK and count_cjk(line) >= _STORY_CJK)
        for line in text[last : last + _SOON].split("\n")
    )


def _is_elsewhere(seen: SeenText, place: int, *, margins: bool) -> bool:
    """Whether a place is in a part of the page that is not the article; ``margins`` counts those that surround it."""
    return is_of_others(seen.node_at(place), seen.around, margins=margins)


def is_of_others(node: LexborNode | None, around: Collection[int] = (), *, margins: bool) -> bool:
    """Return whether an element stands in comments, a list of other stories, or (``margins``) beside the article."""
    above = node
    for _ in range(_HIGHEST):
        if above is None or above.tag in ("body", "main", "article", "html") or above.mem_id in around:
            return False
        given = above.attributes
        names = f"{given.get('class') or ''} {given.get('id') or ''}"
        if above.tag == "blockquote" or _OTHER_STORY.search(names):
            return True
        if margins and (above.tag in _MARGIN_TAGS or _MARGIN.search(names)):
            return True
        above = above.parent
    return False


def _distance(seen: SeenText, place: int) -> tuple[int, int]:
    """Characters between a date and the headline, negative above it; and how much long text is between them."""
    if seen.headline < 0:
        return 1 << 30, 1 << 30
    if place < seen.headline:
        return place - seen.headline, 0
    between = seen.text[seen.body : place]
    return max(0, place - seen.body), sum(len(line) for line in between.split("\n")[:-1] if len(line) >= _PARAGRAPH)


def _choose(found: Sequence[_Seen], *, needs_label: bool) -> list[_Seen]:
    """The labeled dates if they are one day, else that by the headline; nothing where several days compete."""
    labeled = [one for one in found if one.labeled]
    near = [one for one in labeled if one.distance >= -_NEAR_ABOVE and one.lead <= _LEAD]
    for group in (near, labeled):
        if group:
            return _only(group) or _only(group[:1] if group is near else [])
    if needs_label:
        return []
    standing = [one for one in found if one.standing]
    close = [one for one in standing if 0 <= one.distance <= _CLOSE and one.lead == 0]
    above = [one for one in standing if -_NEAR_ABOVE <= one.distance < 0]
    below = [one for one in standing if one.distance >= 0 and one.lead == 0]
    later = [one for one in standing if 0 < one.lead <= _LEAD]
    beside = [one for one in close if one.distance <= _BESIDE]
    return _only(next((group for group in (beside, close, above, below, later) if group), []))


def _only(group: Sequence[_Seen]) -> list[_Seen]:
    return list(group[:1]) if len({one.written.day for one in group}) == 1 else []


def _candidate(seen: SeenText, one: _Seen) -> DateCandidate:
    start, end = one.written.start, one.written.end
    snippet = seen.text[max(0, start - _BEFORE) : end + _AFTER].replace("\n", " | ")
    tag = "text:labeled" if one.labeled else "text:headline"
    evidence = of_day(one.written.day, tag, seen.text[start:end], "visible")
    return DateCandidate(one.role, evidence, 0 if one.labeled else 1, "visible", path_of(seen.node_at(start)), snippet)
