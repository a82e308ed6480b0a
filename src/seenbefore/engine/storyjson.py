"""The stories behind records, sources and pairs as plain mappings, for every surface that shows them."""

from __future__ import annotations

from ..decisionjson import decision_to_json, event_to_json, evidence_to_json, format_id, format_time
from ..model import Comparison, Key, Record, Related, Review, Sighting, Trust, Version
from .emit import version_to_json
from .explain import PairStory, RecordStory, SourceStory


def record_to_json(record: Record) -> dict[str, object]:
    """Return the mapping of a record's own fields."""
    return {
        "record_id": format_id("r", record.id),
        "external_id": record.external_id,
        "kind": record.kind.value,
        "status": record.status.value,
        "survivor_id": format_id("r", record.survivor_id),
        "title": record.title,
        "url": record.url,
        "primary_source_id": format_id("s", record.primary_source_id),
        "first_published_at": format_time(record.first_published_at),
        "content_updated_at": format_time(record.content_updated_at),
        "first_seen_at": format_time(record.first_seen_at),
        "last_seen_at": format_time(record.last_seen_at),
    }


def record_story_to_json(story: RecordStory) -> dict[str, object]:
    """Return the mapping of a record with everything that led to it; ``moved`` when it was merged."""
    return {
        "asked_id": format_id("r", story.asked_id),
        "moved": story.asked_id != story.record.id,
        **record_to_json(story.record),
        "sightings": [_sighting_to_json(s, story.record.current_version_id) for s in story.sightings],
        "decisions": [decision_to_json(decision) for decision in story.decisions],
        "events": [{"seq": event.seq, **event_to_json(event)} for event in story.events],
        "reviews": [review_to_json(review) for review in story.reviews],
        "related": [_related_to_json(related) for related in story.related],
    }


def source_story_to_json(story: SourceStory) -> dict[str, object]:
    """Return the mapping of a source with what lost its trust there."""
    source = story.source
    return {
        "source_id": format_id("s", source.id),
        "name": source.name,
        "identity": source.identity,
        "fetches": source.last_fetch_no,
        "newest_observed_at": format_time(source.newest_observed_at),
        "traits": sorted(source.traits),
        "trust": [trust_to_json(trust) for trust in story.trust],
    }


def pair_story_to_json(story: PairStory) -> dict[str, object]:
    """Return the mapping of why two records are the same, or why not."""
    return {
        "records": [record_to_json(story.first), record_to_json(story.second)],
        "same_record": story.same_record,
        **_comparison_to_json(story.comparison),
    }


def _comparison_to_json(comparison: Comparison) -> dict[str, object]:
    return {
        "relation": comparison.relation.value,
        "reason": comparison.reason,
        "evidence": [evidence_to_json(evidence) for evidence in comparison.evidence],
    }


def _sighting_to_json(sighting: Sighting, current_version_id: int) -> dict[str, object]:
    return {
        "source_id": format_id("s", sighting.source_id),
        "source": sighting.source,
        "external_id": sighting.external_id,
        "guid": sighting.guid,
        "original_url": sighting.original_url,
        "title": sighting.clean_title,
        "first_seen_at": format_time(sighting.first_seen_at),
        "last_seen_at": format_time(sighting.last_seen_at),
        "times": sighting.times,
        "keys": [_key_to_json(key) for key in sighting.keys],
        "versions": [_stored_version_to_json(version, current_version_id) for version in sighting.versions],
    }


def _key_to_json(key: Key) -> dict[str, object]:
    return {
        "kind": key.kind,
        "scope": key.scope,
        "value": key.value,
        "strength": key.strength.value,
        "rule_id": key.rule_id,
        "pack_version": key.pack_version,
    }


def _stored_version_to_json(version: Version, current_version_id: int) -> dict[str, object]:
    return {
        **version_to_json(version),
        "state": version.state.value,
        "current": version.id == current_version_id,
        "extractor_version": version.fingerprint.extractor_version,
    }


def review_to_json(review: Review) -> dict[str, object]:
    """Return the mapping of a pair that waits, or of what became of it."""
    return {
        "record_id": format_id("r", review.record_id),
        "other_id": format_id("r", review.other_id),
        "decision_id": format_id("d", review.decision_id),
        "state": review.state.value,
        "opened_at": format_time(review.opened_at),
    }


def _related_to_json(related: Related) -> dict[str, object]:
    return {
        "record_id": format_id("r", related.other_id),
        "kind": related.kind,
        "since": format_time(related.since),
    }


def trust_to_json(trust: Trust) -> dict[str, object]:
    """Return the mapping of what lost its trust in a source."""
    return {
        "kind": trust.kind,
        "value": trust.value,
        "reason": trust.reason,
        "detail": trust.detail,
        "since": format_time(trust.since),
    }
