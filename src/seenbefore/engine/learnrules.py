"""Reads everything that is stored on one snapshot, page by page, and says which rules it speaks for.

Nothing is fetched and nothing is written. What is kept in memory is a sample per host; texts are looked at where
two of one page under one title are not equal, and are gone again after that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from ..log import log_event
from ..model import Kind, Sighting, Status, Version, VersionState
from ..policy import Policy
from ..rules import Rules
from ..stores.base import Store, Unit
from ..text.overlap import Overlap, TextProfile, compare_profiles, profile_text
from ..text.titles import title_identifies, title_key
from ..urls.learning import Learned, LearningLimits, Observation, learn_from, new_sample
from ..urls.learning.sample import Cluster, Sample
from .rulebook import RuleSource, rules_at

_PAGE = 500
_CLUSTERS = 100
_VERSIONS = 6
_CLASSES = 8
"""Kinds of texts of one page that are told apart; a page that shows more is no help."""

Progress = Callable[[int, int], None]
"""Called with how many records are done, and how many there are."""


def learn_rules(
    store: Store,
    rules: RuleSource,
    policy: Policy,
    limits: LearningLimits | None = None,
    progress: Progress | None = None,
) -> Learned:
    """Return the rules that stored sightings speak for, and what else was found out; writes nothing.

    Raises:
        StoreBusy: the store could not be read because another process holds it.
    """
    with store.reading() as unit:
        in_force = rules_at(rules, unit)
        sample = read_sample(unit, in_force, policy, limits, progress)
    learned = learn_from(sample, in_force)
    log_event("rules_learned", proposed=len(learned.proposals), hosts=learned.hosts, observations=learned.observations)
    return learned


def read_sample(
    unit: Unit, rules: Rules, policy: Policy, limits: LearningLimits | None = None, progress: Progress | None = None
) -> Sample:
    """Return what is kept of everything stored, with near texts settled: what ``learn_from`` needs."""
    sample = new_sample(rules, limits)
    _take_all(unit, sample, policy, progress or (lambda done, total: None))
    for redirect in unit.redirects.list_redirects():
        sample.take_redirect(redirect.start, redirect.target)
    _settle(unit, sample, policy)
    return sample


def _take_all(unit: Unit, sample: Sample, policy: Policy, progress: Progress) -> None:
    last = unit.counts.count_stored().last_record_id
    after = 0
    while after < last:
        records = unit.records.find_records(after=after, limit=_PAGE)
        if not records:
            break
        after = records[-1].id
        live = [record.id for record in records if record.status is not Status.MERGED]
        for sighting in unit.records.get_sightings(live):
            for observation in observations_of(sighting, policy):
                sample.take(observation)
        progress(after, last)


def observations_of(sighting: Sighting, policy: Policy) -> Iterator[Observation]:
    """Yield what a sighting showed: one observation per version, the newest ones if there are many."""
    if sighting.kind is not Kind.ARTICLE or not sighting.original_url:
        return
    title = sighting.clean_title
    identifies = title_identifies(title, policy.title.min_chars, policy.title.min_cjk_chars)
    for version in _shown(sighting.versions):
        print_ = version.fingerprint
        yield Observation(
            url=sighting.original_url,
            text=print_.text_hash if print_.decisive else "",
            title=title_key(title) if identifies else "",
            form=print_.representation.value,
            seen_at=version.captured_at,
            last_seen_at=sighting.last_seen_at,
            ref=sighting.record_id,
        )


def _shown(versions: Sequence[Version]) -> Sequence[Version]:
    shown = [version for version in versions if version.state is not VersionState.ASIDE]
    return shown if len(shown) <= _VERSIONS else [shown[0], *shown[1 - _VERSIONS :]]


# --- near texts ---------------------------------------------------------------------------------


def _settle(unit: Unit, sample: Sample, policy: Policy) -> None:
    """Look at the texts of pages that showed several, some pages at a time, and note which are near."""
    clusters = (cluster for host in sample.hosts for cluster in host.clusters())
    while part := list(islice(clusters, _CLUSTERS)):
        texts = _load(unit, part)
        for cluster in part:
            cluster.settle(_classes({text: texts[text] for text in sorted(cluster.refs) if text in texts}, policy))


def _load(unit: Unit, clusters: Sequence[Cluster]) -> dict[str, str]:
    wanted = {text for cluster in clusters for text in cluster.refs}
    records = {record_id for cluster in clusters for record_id in cluster.refs.values()}
    return {
        version.fingerprint.text_hash: version.fingerprint.text
        for sighting in unit.records.get_sightings(records)
        for version in sighting.versions
        if version.fingerprint.text_hash in wanted
    }


def _classes(texts: Mapping[str, str], policy: Policy) -> dict[str, str]:
    """The name of the class that each text belongs to: the first text that it is near."""
    found: dict[str, str] = {}
    heads: dict[str, TextProfile] = {}
    for name, text in texts.items():
        profile = profile_text(text)
        near = (head for head, its in heads.items() if _are_near(compare_profiles(its, profile), policy))
        found[name] = next(near, name)
        if found[name] == name and len(heads) < _CLASSES:
            heads[name] = profile
    return found


def _are_near(shared: Overlap, policy: Policy) -> bool:
    """Whether two texts are one but for a few words; an excerpt is another text here, as the page of a series is."""
    limits = policy.text
    return (
        shared.containment >= limits.near_containment
        and shared.length_ratio >= limits.near_length_ratio
        and shared.numbers_jaccard >= limits.near_numbers
    )
