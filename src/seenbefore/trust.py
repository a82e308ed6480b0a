"""What stops identifying in a source: keys, titles and texts that several different articles share.

A switch is found from the sightings of one source that share the key, never from other sources, and
only ever in one direction: what stood over two articles once has proved that it identifies none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .model import Sighting
from .pair import Distrust, Pair
from .policy import Policy
from .text.titles import title_key


@dataclass(frozen=True, slots=True)
class Switch:
    """A key that lost its trust in a source: ``kind`` is guid, url, url_near, site, title or text."""

    kind: str
    value: str
    reason: str
    detail: str


def find_switches(
    focus: Sighting,
    others: Sequence[Sighting],
    policy: Policy,
    distrust: Distrust,
    *,
    guids_count: bool = False,
) -> tuple[Switch, ...]:
    """Return the keys of ``focus`` that identify nothing in its source, given the others that share one.

    ``others`` are sightings of the same source that share a key, title or text with ``focus``;
    ``guids_count`` says that guids of this source are known to end in a counter.
    """
    pairs = [Pair(focus, other, policy, distrust) for other in others if other.source_id == focus.source_id]
    found: dict[tuple[str, str], Switch] = {}
    for pair in pairs:
        counter = pair.fragments_count or (guids_count and pair.guids_count)
        for switch in (*(() if counter else _co_present(pair)), *_recurring_title(pair)):
            found.setdefault((switch.kind, switch.value), switch)
    over_time = (*_hubs(focus, pairs, policy, distrust), *_boilerplate(focus, pairs, policy, distrust))
    for switch in (*_returning_title(focus, pairs, policy), *over_time):
        found.setdefault((switch.kind, switch.value), switch)
    known = distrust.get(focus.source, frozenset())
    return tuple(switch for address, switch in sorted(found.items()) if address not in known)


def _co_present(pair: Pair) -> list[Switch]:
    """One fetch, one key, several titles: the key is shared by all."""
    if not (pair.co_present and pair.titles_differ) or pair.shared_site:
        return []
    reason = "different_titles_in_one_fetch"
    detail = f"{pair.a.clean_title!r} and {pair.b.clean_title!r}"
    return [
        Switch(key.kind, key.value, reason, detail)
        for key in pair.shared_keys
        if key.kind in ("guid", "url", "url_near", "site") or key in pair.shared_ids
    ]


def _recurring_title(pair: Pair) -> list[Switch]:
    """Different articles under one title: unlike texts, and no key in common."""
    if pair.titles_equal and pair.texts_unlike and not pair.shared("guid") and not pair.shared("url"):
        reason = "unlike_texts_under_one_title"
        detail = f"{pair.a.original_url} and {pair.b.original_url}"
        return [Switch("title", title_key(pair.a.clean_title), reason, detail)]
    return []


def _returning_title(focus: Sighting, pairs: list[Pair], policy: Policy) -> list[Switch]:
    """One address that carries one title again and again, each time with another date, names none of them."""
    name = (focus.guid, focus.original_url, focus.clean_title)
    slots = {p.b.slot for p in pairs if (p.b.guid, p.b.original_url, p.b.clean_title) == name} | {focus.slot}
    if focus.clean_title and len(slots) >= policy.trust.hub_titles:
        detail = f"{len(slots)} times at {focus.original_url}"
        return [Switch("title", title_key(focus.clean_title), "title_returns", detail)]
    return []


def _hubs(focus: Sighting, pairs: list[Pair], policy: Policy, distrust: Distrust) -> list[Switch]:
    """A guid or link under which unlike articles follow each other names none, even if never two at once."""
    switches = []
    for key in focus.keys:
        if key.kind not in ("guid", "url", "url_near", "site"):
            continue
        sharing = [pair.b for pair in pairs if any(k.address == key.address for k in pair.shared_keys)]
        if len(sharing) + 1 < policy.trust.hub_titles:
            continue
        unlike = _unlike_under_one_guid if key.kind == "guid" else _unlike
        count = _most_unlike([focus, *sharing], policy, distrust, unlike)
        if count >= policy.trust.hub_titles:
            switches.append(Switch(key.kind, key.value, "unlike_titles_over_time", f"{count} unlike titles"))
    return switches


def _boilerplate(focus: Sighting, pairs: list[Pair], policy: Policy, distrust: Distrust) -> list[Switch]:
    """A text that stands under several unlike titles says nothing about any of them."""
    switches = []
    for value in {v.fingerprint.text_hash for v in focus.versions if v.fingerprint.decisive}:
        sharing = [p.b for p in pairs if any(v.fingerprint.text_hash == value for v in p.b.versions)]
        members = [focus, *sharing]
        titles = {s.clean_title for s in members}
        if len(titles) < policy.text.boilerplate_titles:
            continue
        unlike = max(
            1
            + len(
                {
                    pair.b.clean_title
                    for pair in (Pair(one, other, policy, distrust) for other in members if other is not one)
                    if not pair.shared_ids
                    and not pair.shared("guid")
                    and not pair.shared("url")
                    and not pair.shared("url_near")
                    and pair.title_similarity < policy.title.similar
                }
            )
            for one in members
        )
        if unlike >= policy.text.boilerplate_titles:
            reason = "unlike_titles_on_one_text"
            switches.append(Switch("text", value, reason, f"{unlike} unlike titles"))
    return switches


def _most_unlike(
    members: list[Sighting], policy: Policy, distrust: Distrust, unlike: Callable[[Pair, Policy], bool]
) -> int:
    """The greatest number of titles that one of the sightings is unlike to, its own included."""
    return max(
        1 + len({o.clean_title for o in members if o is not one and unlike(Pair(one, o, policy, distrust), policy)})
        for one in members
    )


def _unlike(pair: Pair, policy: Policy) -> bool:
    """Whether two entries on one link are about different things."""
    return not pair.shared("guid") and not pair.fragments_count and _says_otherwise(pair, policy)


def _unlike_under_one_guid(pair: Pair, policy: Policy) -> bool:
    """Whether two entries with one guid are about different things; a page that is rewritten keeps its address."""
    return (pair.links_differ or pair.texts_unlike) and _says_otherwise(pair, policy)


def _says_otherwise(pair: Pair, policy: Policy) -> bool:
    return (
        not pair.shared_site
        and bool(pair.a.clean_title and pair.b.clean_title)
        and (pair.title_similarity < policy.title.similar or pair.title_numbers_conflict)
        and not pair.texts_near
        and pair.enclosures != "equal"
    )
