"""Every reason that a decision can carry, produced by asking the library; several in Chinese and Japanese."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import jsonschema
import pytest

from seenbefore.codes import DUPLICATE_REASONS, EVIDENCE_KINDS, FLAGS, NEW_REASONS, REASONS, REVIEW_REASONS
from seenbefore.decisionjson import decision_schema, decision_to_json
from seenbefore.model import Decision, Status

SLUG = "harbour-bridge-to-be-replaced"
DAYS = [f"2026-03-{n:02d}T09:00:00Z" for n in range(1, 29)]
BRIDGE, RETITLED = "Harbour bridge to be replaced", "Council wants a new one"


def entry(number: int | str, title: str, **fields: Any) -> dict[str, Any]:
    return {"guid": f"guid {number} of it", "url": f"https://n.example/{number}", "title": title, **fields}


def story(texts: Any) -> dict[str, list[list[dict[str, Any]]]]:
    """Reason → fetches of one source, day by day; the last entry of the last one is answered with it.

    An entry with a ``source`` of its own is no part of the fetch.
    """
    bridge, whales, opera = texts.bridge, texts.whales, texts.opera
    tech = f"https://techcrunch.com/2026/03/{{:02d}}/{SLUG}/"
    zh, ja = "港口大桥将要重建", "港の橋を架け替え"
    two_dois = [
        {"ids": {"doi": f"10.1/{letter}"}, "url": "https://n.example/a", "title": f"Paper {letter}"} for letter in "ab"
    ]
    status = [{"url": "https://n.example/", "title": "All systems normal", "published": DAYS[day]} for day in (0, 20)]
    counted = {"guid": "it#0", "url": "https://n.example/a", "title": BRIDGE}
    elsewhere = {"source": "b.example", "fetch_id": None}
    claimed = {"representation": "full_text", "extractor": "x/1", "canonical": "https://agency.example/bridge"}
    section = f"https://n.example/{{}}/{SLUG}"
    names = [f"The {name} of the harbour" for name in ("bridge", "pier", "opera", "market", "light")]
    return {
        "first_seen": [[entry(1, BRIDGE)], [entry(2, "Whales return")]],
        "first_seen zh": [[entry(1, zh)], [entry(2, "鲸鱼重返海湾")]],
        "different": [
            [entry(1, "Harbour talk 41", content=bridge)],
            [entry(2, "Harbour talk 42", content=bridge)],
        ],
        "different ja": [
            [entry(1, "第三回 港の話", content=texts.bridge_ja)],
            [entry(2, "第四回 港の話", content=texts.bridge_ja)],
        ],
        "reused_guid": [
            [entry(1, BRIDGE, content=bridge)],
            [entry(1, "Whales return", content=whales, url="https://n.example/2")],
        ],
        "reused_guid zh": [
            [entry(1, zh, content=texts.bridge_zh)],
            [entry(1, "鲸鱼重返海湾", content=texts.whales_zh, url="https://n.example/2")],
        ],
        "shared_key": [
            [
                entry(1, BRIDGE, url="https://n.example/hub"),
                entry(2, "Whales return", url="https://n.example/hub"),
            ],
            [entry(3, "Opera reopens", url="https://n.example/hub")],
        ],
        "id_conflict": [[two_dois[0]], [two_dois[1]]],
        "same_fetch": [[counted, {**counted, "guid": "it#1", "title": "Council acts"}]],
        "title_and_date": [[entry(1, BRIDGE, published=DAYS[0])], [entry(2, BRIDGE, published=DAYS[0])]],
        "title_and_date zh": [[entry(1, zh, published=DAYS[0])], [entry(2, zh, published=DAYS[0])]],
        "title_and_date ja": [[entry(1, ja, published=DAYS[0])], [entry(2, ja, published=DAYS[0])]],
        "same_link_other_title": [[entry(1, BRIDGE)], [entry(2, "Whales return", url="https://n.example/1")]],
        "same_link_other_title ja": [
            [entry(1, ja)],
            [entry(2, "クジラが湾に戻る", url="https://n.example/1")],
        ],
        "near_address": [[entry(1, "Launch")], [entry(2, "Launch", url="http://n.example/1")]],
        "claimed_address": [
            [entry(1, BRIDGE, content="Soon.", **claimed)],
            [entry(2, BRIDGE, content="At last.", **claimed, **elsewhere)],
        ],
        "similar_text": [
            [entry(1, BRIDGE, content=bridge)],
            [entry(2, BRIDGE, content=bridge[:240] + opera[:120])],
        ],
        "other_site_id": [
            [entry(1, BRIDGE, content=bridge, url="https://www.youtube.com/watch?v=dQw4w9WgXcQ")],
            [entry(2, BRIDGE, content=bridge, url="https://www.youtube.com/watch?v=dQw4w9WgXcR")],
        ],
        "site_id_other_text": [
            [entry(1, BRIDGE, url=tech.format(1))],
            [entry(2, RETITLED, url=tech.format(4))],
        ],
        "same_text_other_title": [[entry(1, BRIDGE, content=bridge)], [entry(2, RETITLED, content=bridge)]],
        "same_text_other_title zh": [
            [entry(1, zh, content=texts.bridge_zh)],
            [entry(2, "本地要闻", content=texts.bridge_zh)],
        ],
        "repeated_title": [[status[0]], [status[1]]],
        "flash_then_full": [
            [entry(1, BRIDGE, content=bridge[:90], published="2026-03-01T06:00:00Z")],
            [entry(2, BRIDGE, content=bridge, published=DAYS[0])],
        ],
        "page_reused": [[entry(1, BRIDGE)], [entry(1, "Whales return", url="https://n.example/2")]],
        "same_slug": [
            [entry(1, BRIDGE, url=section.format("news"), published=DAYS[0])],
            [entry(2, BRIDGE, url=section.format("world"), published=DAYS[9])],
        ],
        "same_slug ja": [
            [entry(1, ja, url=section.format("ニュース"), published=DAYS[0])],
            [entry(2, ja, url=section.format("世界"), published=DAYS[9])],
        ],
        "title_and_text": [
            [entry(1, "Baker for the night", content="Apply now.", published="2026-03-01T09:00:00Z")],
            [entry(2, "Baker for the night", content="Apply now.", published="2026-03-01T20:00:00Z")],
        ],
        "moved_with_feed": [
            [entry(n, name, published=DAYS[n]) for n, name in enumerate(names)],
            [entry(f"{n}-new", name, published=DAYS[n]) for n, name in enumerate(names)],
        ],
        "seen_again": [[entry(1, BRIDGE)], [entry(1, BRIDGE)]],
        "seen_again zh": [[entry(1, zh, content=texts.bridge_zh)], [entry(1, zh, content=texts.bridge_zh)]],
        "new_address": [[entry(1, BRIDGE)], [entry(1, BRIDGE, url="http://n.example/1")]],
        "new_address ja": [[entry(1, ja)], [entry(1, ja, url="http://n.example/1")]],
        "new_guid": [[entry(1, BRIDGE)], [entry(2, BRIDGE, url="https://n.example/1")]],
        "other_source": [[entry(1, BRIDGE)], [entry(1, BRIDGE, **elsewhere)]],
        "other_source zh": [[entry(1, zh)], [entry(1, zh, **elsewhere)]],
        "same_text": [[entry(1, BRIDGE, content=bridge)], [entry(2, RETITLED, content=bridge, **elsewhere)]],
        "same_text zh": [
            [entry(1, zh, content=texts.bridge_zh)],
            [entry(2, "新闻", content=texts.bridge_zh, **elsewhere)],
        ],
        "same_text ja": [
            [entry(1, ja, content=texts.bridge_ja)],
            [entry(2, "速報", content=texts.bridge_ja, **elsewhere)],
        ],
        "same_id": [
            [entry(1, BRIDGE, ids={"doi": "10.1/a"})],
            [entry(2, "橋", ids={"doi": "10.1/A"}, **elsewhere)],
        ],
        "same_id review": [
            [entry(1, BRIDGE, ids={"doi": "10.1/a"}, content=bridge)],
            [entry(2, "Whales return", ids={"doi": "10.1/A"}, content=whales, **elsewhere)],
        ],
        "redirected": [
            [entry(1, BRIDGE)],
            [entry(2, "Click", redirects=[["https://n.example/2", "https://n.example/1"]], **elsewhere)],
        ],
        "listed_twice": [
            [
                entry(1, BRIDGE, content=bridge, published=DAYS[1]),
                entry(2, BRIDGE, content=bridge, published=DAYS[0]),
            ]
        ],
        "poor_capture": [
            [entry(1, BRIDGE, content=bridge)],
            [entry(1, BRIDGE, content="Please enable JavaScript to read this page.")],
        ],
        "poor_capture ja": [[entry(1, ja, content=texts.bridge_ja)], [entry(1, ja, content="続きはこちら")]],
        "title_changed": [[entry(1, BRIDGE)], [entry(1, RETITLED)]],
        "title_changed zh": [[entry(1, zh)], [entry(1, "市政府决定重建大桥")]],
        "text_changed": [
            [entry(1, BRIDGE, content=bridge)],
            [entry(1, BRIDGE, content=bridge + " Corrected.")],
        ],
        "text_changed ja": [
            [entry(1, ja, content=texts.bridge_ja)],
            [entry(1, ja, content=texts.bridge_ja + "訂正しました。")],
        ],
        "title_and_text_changed": [
            [entry(1, BRIDGE, content=bridge)],
            [entry(1, RETITLED, content=bridge + " " + opera)],
        ],
        "fuller_text": [[entry(1, BRIDGE, summary=bridge[:120])], [entry(1, BRIDGE, content=bridge)]],
        "fuller_text zh": [
            [entry(1, zh, summary=texts.bridge_zh[:40])],
            [entry(1, zh, content=texts.bridge_zh)],
        ],
        "reposted": [
            [entry(1, BRIDGE, url=tech.format(1), content=bridge, published=DAYS[0])],
            [entry(2, BRIDGE, url=tech.format(4), content=bridge, published=DAYS[3])],
        ],
    }


# These need more than fetches in a row; they follow below.
TABLE = [
    reason for reason in REASONS if reason not in ("late", "same_text_elsewhere", "rejected_record", "taken_apart")
]
VARIANTS = [
    "first_seen zh",
    "different ja",
    "reused_guid zh",
    "title_and_date zh",
    "title_and_date ja",
    "same_link_other_title ja",
    "same_text_other_title zh",
    "same_id review",
    "same_slug ja",
    "seen_again zh",
    "new_address ja",
    "other_source zh",
    "same_text zh",
    "same_text ja",
    "poor_capture ja",
    "title_changed zh",
    "text_changed ja",
    "fuller_text zh",
]


def outcome_of(name: str) -> str:
    """The outcome that a name of the table asks for; a reason that several outcomes know names its own."""
    reason, _, variant = name.partition(" ")
    if variant == "review":
        return variant
    for outcome, reasons in (
        ("new", NEW_REASONS),
        ("duplicate", DUPLICATE_REASONS),
        ("review", REVIEW_REASONS),
    ):
        if reason in reasons:
            return outcome
    return "update"


def well_formed(decision: Decision) -> None:
    jsonschema.Draft202012Validator(decision_schema()).validate(json.loads(json.dumps(decision_to_json(decision))))
    assert {evidence.kind for evidence in decision.evidence} <= set(EVIDENCE_KINDS)
    assert set(decision.flags) <= set(FLAGS)
    assert decision.decided_at.utcoffset() is not None


@pytest.mark.parametrize("name", [*TABLE, *VARIANTS])
def test_every_reason(name: str, db: Any, texts: Any) -> None:
    answers: list[Decision] = []
    for day, entries in enumerate(story(texts)[name], 1):
        singles = [e for e in entries if "source" in e]
        answers += db.fetch(day, *(e for e in entries if "source" not in e))
        answers += [db.see(**{k: v for k, v in e.items() if v is not None}) for e in singles]
    reason = name.partition(" ")[0]
    # Which of two entries of one fetch is taken first is the engine's choice.
    found = answers[-1] if name != "same_fetch" else max(answers, key=lambda a: a.reason)
    assert (found.outcome.value, found.reason) == (outcome_of(name), reason)
    for answer in answers:
        well_formed(answer)
    matched = found.matched.record_id if found.matched else None
    if found.outcome.value == "new":
        assert matched is None
    elif found.outcome.value == "review":
        assert matched not in (None, found.record_id)
    else:
        assert matched == found.record_id
    stored = found.reason != "seen_again"
    assert (found.decision_id is not None, found.seq is not None) == (stored, stored)


def test_late(db: Any) -> None:
    db.fetch(2, entry(1, BRIDGE))
    (late,) = db.fetch(1, entry(1, RETITLED))
    assert (late.outcome.value, late.reason, late.flags) == ("duplicate", "late", ("late",))
    well_formed(late)


def test_same_text_elsewhere(db_with: Any, texts: Any) -> None:
    db = db_with(across_sources={"same_text": "review"})
    db.fetch(1, entry(1, BRIDGE, content=texts.bridge))
    found = db.see("b.example", **entry(2, RETITLED, content=texts.bridge))
    assert (found.outcome.value, found.reason) == ("review", "same_text_elsewhere")
    well_formed(found)


def test_flash_then_full_as_an_update(db_with: Any, texts: Any) -> None:
    db = db_with(across_sources={"flash_then_full": "update"})
    flash, full = story(texts)["flash_then_full"]
    db.fetch(1, *flash)
    (found,) = db.fetch(2, *full)
    assert (found.outcome.value, found.reason) == ("update", "flash_then_full")
    well_formed(found)


def test_rejected_record(db: Any) -> None:
    db.fetch(1, entry(1, BRIDGE))
    with db.library.store.unit() as unit:
        (record,) = unit.records.find_records([1])
        unit.records.update_record(replace(record, status=Status.REJECTED))
    (found,) = db.fetch(2, entry(1, RETITLED))
    assert (found.outcome.value, found.reason, found.flags) == ("duplicate", "rejected_record", ("rejected",))
    well_formed(found)


def test_taken_apart(db: Any) -> None:
    """What was only ever a duplicate is delivered once the key that joined it proves to be a hub."""
    hub = "https://n.example/hub"
    db.fetch(1, {"url": hub, "title": BRIDGE})
    planet = db.see("planet.example", url=hub, title="Whales return to the bay")
    assert (planet.outcome.value, planet.reason) == ("duplicate", "other_source")
    db.fetch(2, {"url": hub, "title": BRIDGE}, {"url": hub, "title": "First tuna sold"})
    told = [c.decision for c in db.library.changes("x") if c.decision]
    (freed,) = [d for d in told if d.reason == "taken_apart"]
    assert (freed.outcome.value, freed.item.title) == ("new", "Whales return to the bay")
    well_formed(freed)
    assert len({d.record_id for d in told}) == 3


def test_the_table_is_complete(texts: Any) -> None:
    assert {name.partition(" ")[0] for name in story(texts)} == set(TABLE)
    assert set(story(texts)) == {*TABLE, *VARIANTS}
