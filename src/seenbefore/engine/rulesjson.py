"""What is known about rules as plain mappings, for programs."""

from __future__ import annotations

from ..decisionjson import event_to_json, format_time
from ..model import Record, RuleVersion
from .activate import Activation
from .checkpack import PackCheck
from .rollback import RollbackPlan


def version_to_json(version: RuleVersion) -> dict[str, object]:
    """Return the mapping of an activation; its text is left out."""
    return {
        "version": version.version_id,
        "pack": version.pack,
        "pack_version": version.pack_version,
        "state": version.state.value,
        "activated_at": format_time(version.activated_at),
        "rolled_back_at": format_time(version.rolled_back_at) if version.rolled_back_at else None,
        "author": version.author,
        "forced": version.forced,
        "collisions": version.collisions,
    }


def check_to_json(check: PackCheck) -> dict[str, object]:
    """Return the mapping of what activating a pack would do."""
    return {
        "pack": check.pack,
        "pack_version": check.pack_version,
        "hosts": list(check.hosts) if check.hosts is not None else None,
        "records": check.records,
        "pairs": [
            {
                "a": _record(meeting.a),
                "b": _record(meeting.b),
                "key": f"{meeting.key.kind}:{meeting.key.value}",
                "rule": meeting.key.rule_id or None,
                "collision": meeting.collision or None,
            }
            for meeting in check.meetings
        ],
        "collisions": len(check.collisions),
        "flips": [
            {
                "decision_id": flip.decision.decision_id,
                "title": flip.decision.item.title,
                "url": flip.decision.item.original_url,
                "from": flip.decision.outcome.value,
                "to": flip.becomes.value,
                "record_id": flip.of,
            }
            for flip in check.flips
        ],
        "would": {"merge": check.merged, "split": check.split, "review": check.reviews},
    }


def activation_to_json(done: Activation) -> dict[str, object]:
    """Return the mapping of an activation or a rollback that has come to its end."""
    reformed = done.reformed
    return {
        **version_to_json(done.version),
        "records": done.total,
        "merged": reformed.merged,
        "split": reformed.split,
        "reviews": reformed.reviews,
    }


def rollback_to_json(plan: RollbackPlan) -> dict[str, object]:
    """Return the mapping of what a rollback would do."""
    return {
        **version_to_json(plan.version),
        "dry_run": True,
        "would": {"merge": plan.would.merged, "split": plan.would.split, "review": plan.would.reviews},
        "undoes": [event_to_json(event) for event in plan.steps],
        "blocked": [{"event": event_to_json(b.event), "reason": b.reason} for b in plan.blocked],
        "records": len(plan.record_ids),
    }


def _record(record: Record) -> dict[str, object]:
    return {"record_id": record.record_id, "title": record.title, "url": record.url}
