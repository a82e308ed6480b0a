"""``seenbefore show`` and ``seenbefore explain``: one thing in full, and why."""

from __future__ import annotations

import click

from ..codes import EVENTS, MEANINGS, NEW_REASONS, REVIEW_REASONS, TRUST_REASONS
from ..decisionjson import decision_to_json, event_to_json, parse_id
from ..engine.explain import PairStory, RecordStory, SourceStory
from ..engine.storyjson import pair_story_to_json, record_story_to_json, source_story_to_json
from ..model import DateEvidence, Decision, Event, Relation, Sighting
from ..wiring import SeenBefore
from .opening import open_store
from .options import EXIT_CODES, get_settings, json_option, shared_options
from .output import Screen
from .tables import decision_line, evidence_lines, time_text


@click.command("show", epilog=EXIT_CODES)
@click.argument("what", metavar="ID")
@json_option
@shared_options
@click.pass_context
def show_command(ctx: click.Context, what: str, as_json: bool) -> None:
    """Show what is stored of a record (r12), a source (s3), a decision (d34) or an event (m5).

    A record comes with its addresses, sightings, versions and keys; a source with what is not trusted
    there. A record that was merged is answered by the one it went into.

    \b
    Examples:
      seenbefore show r12
      seenbefore show s3 --json
    """

    settings = get_settings(ctx)
    with open_store(settings) as db:
        known = parse_id(what)
        letter = known[0] if known else ""
        if letter == "s":
            _show_source(Screen(settings), db.source(what), as_json=as_json)
        elif letter == "m":
            _show_event(Screen(settings), db.event(what), as_json=as_json)
        elif letter:
            _show_told(Screen(settings), db, what, None, as_json=as_json)
        else:
            raise click.UsageError("give the id of a record (r12), source (s3), decision (d34) or event (m5)")


@click.command("explain", epilog=EXIT_CODES)
@click.argument("what", metavar="r12|d34|URL")
@click.argument("other", required=False, metavar="[OTHER]")
@json_option
@shared_options
@click.pass_context
def explain_command(ctx: click.Context, what: str, other: str | None, as_json: bool) -> None:
    """Say why a record, a decision or an address was decided as it was; or, for two, why (not) the same.

    Each measured fact speaks for one article (+), against it (-) or says nothing (?), and names the
    limit it was held against.

    \b
    Examples:
      seenbefore explain r12
      seenbefore explain https://example.com/story
      seenbefore explain r12 r15
    """
    settings = get_settings(ctx)
    with open_store(settings) as db:
        _show_told(Screen(settings), db, what, other, as_json=as_json, explain=True)


def _show_told(
    screen: Screen, db: SeenBefore, what: str, other: str | None, *, as_json: bool, explain: bool = False
) -> None:
    """Show what ``explain`` of the library says; as JSON an address gives a mapping of its records."""

    told = db.explain(what, other)
    if as_json:
        _show_json(screen, told)
    elif isinstance(told, RecordStory):
        _show_record(screen, told, explain=explain)
    elif isinstance(told, PairStory):
        _show_pair(screen, told)
    elif isinstance(told, list):
        for story in told:
            _show_record(screen, story, explain=explain)
    else:
        _show_decision(screen, told)


def _show_json(screen: Screen, told: RecordStory | Decision | PairStory | list[RecordStory]) -> None:

    if isinstance(told, RecordStory):
        screen.json(record_story_to_json(told))
    elif isinstance(told, PairStory):
        screen.json(pair_story_to_json(told))
    elif isinstance(told, list):
        screen.json({"records": [record_story_to_json(story) for story in told]})
    else:
        screen.json(decision_to_json(told))


def _show_record(screen: Screen, story: RecordStory, *, explain: bool) -> None:

    record = story.record
    if story.asked_id != record.id:
        screen.line(f"r{story.asked_id} was merged and is now part of r{record.id}.")
    screen.line(f"r{record.id}  {screen.safe(record.title) or '(no title)'}")
    facts = {
        "address": screen.safe(record.url),
        "status": record.status.value,
        "your id": screen.safe(record.external_id or ""),
        "published": time_text(record.first_published_at),
        "content changed": time_text(record.content_updated_at) if record.content_updated_at else "",
        "seen": f"{time_text(record.first_seen_at)} to {time_text(record.last_seen_at)}",
    }
    for name, value in facts.items():
        if value:
            screen.line(f"  {name:16} {value}")
    for review in story.reviews:
        other = review.other_id if review.record_id in (record.id, story.asked_id) else review.record_id
        screen.line(f"  {'review':16} with r{other}: {review.state.value}")
    for related in story.related:
        screen.line(f"  {'related':16} to r{related.other_id}, says a {related.kind} on {time_text(related.since)}")
    if explain:
        screen.line()
        for decision in story.decisions:
            _show_decision(screen, decision)
    else:
        for sighting in story.sightings:
            _show_sighting(screen, sighting, record.current_version_id)
    for event in story.events:
        screen.line(_event_line(screen, event))
    screen.line()


def _show_sighting(screen: Screen, sighting: Sighting, current_version_id: int) -> None:

    screen.line()
    screen.line(f"  seen in {screen.safe(sighting.source)} (s{sighting.source_id}), {sighting.times} times")
    screen.line(f"    title    {screen.safe(sighting.clean_title)}")
    if sighting.original_url:
        screen.line(f"    address  {screen.safe(sighting.original_url)}")
    if sighting.guid:
        screen.line(f"    guid     {screen.safe(sighting.guid)}")
    for version in sighting.versions:
        mark = "current" if version.id == current_version_id else version.state.value
        form = version.fingerprint.representation.value
        screen.line(
            f"    version  {time_text(version.captured_at)}  {mark}, {form}, "
            f"{version.fingerprint.length} characters  {screen.safe(version.title)}"
        )
        if form != "title_only" and ";" in version.fingerprint.extractor_version:
            screen.line(f"             read by {screen.safe(version.fingerprint.extractor_version)}")
        if version.published is not None and version.published.tier:
            screen.line(f"             {_date_line(screen, version.published)}")
    for key in sighting.keys:
        scope = f" of {screen.safe_key(key.scope)}" if key.scope else ""
        screen.line(f"    key      {key.kind}{scope} {screen.safe_key(key.value)}  ({key.strength.value})")


def _date_line(screen: Screen, date: DateEvidence) -> str:
    """A date that was read from a page: its day, where it stood, and what else the page says."""
    agrees = f", as {', '.join(date.agrees)}" if date.agrees else ""
    conflicts = f", but {', '.join(date.conflicts)}" if date.conflicts else ""
    return screen.safe(f"published {time_text(date.at)} by {date.tag} ({date.tier}): {date.raw}{agrees}{conflicts}")


def _show_decision(screen: Screen, decision: Decision) -> None:

    screen.line(f"{decision.decision_id}  {time_text(decision.decided_at)}  {decision_line(screen, decision)}")
    meaning = MEANINGS[decision.outcome].get(decision.reason)
    if meaning:
        screen.line(f"  {decision.reason}: {meaning}")
    if decision.matched is not None:
        matched = decision.matched
        screen.line(f"  compared with {matched.record_id}  {screen.safe(matched.title or matched.url)}")
    if decision.changed:
        screen.line(f"  changed: {', '.join(decision.changed)}")
    if decision.flags:
        screen.line(f"  flags: {', '.join(decision.flags)}")
    for line in evidence_lines(screen, decision.evidence):
        screen.line(line)
    screen.line(
        f"  rules {decision.rules_version}, policy {decision.policy_version}, extractor {decision.extractor_version}"
    )


def _show_pair(screen: Screen, story: PairStory) -> None:

    for record in (story.first, story.second):
        screen.line(f"r{record.id}  {screen.safe(record.title or record.url)}")
    comparison = story.comparison
    verdict = "one record" if story.same_record else "two records"
    if comparison.reason:
        screen.line(f"They are {verdict}; compared: {comparison.relation.value} ({comparison.reason})")
    else:
        screen.line(f"They are {verdict}; compared: nothing decides either way")
    meanings = REVIEW_REASONS if comparison.relation is Relation.REVIEW else NEW_REASONS
    if comparison.reason in meanings:
        screen.line(f"  {comparison.reason}: {meanings[comparison.reason]}")
    for line in evidence_lines(screen, comparison.evidence) or ["  nothing that they share was found"]:
        screen.line(line)


def _show_source(screen: Screen, story: SourceStory, *, as_json: bool) -> None:

    if as_json:
        screen.json(source_story_to_json(story))
        return
    source = story.source
    screen.line(f"s{source.id}  {screen.safe(source.name)}")
    screen.line(f"  fetches  {source.last_fetch_no}, the newest of {time_text(source.newest_observed_at)}")
    if source.traits:
        screen.line(f"  learnt   {', '.join(sorted(source.traits))}")
    if not story.trust:
        screen.line("  every guid, link, title and text identifies here")
    for trust in story.trust:
        why = TRUST_REASONS.get(trust.reason, trust.reason)
        screen.line(f"  not trusted since {time_text(trust.since)}: {trust.kind} {screen.safe_key(trust.value)}")
        screen.line(f"    {why}" + (f" ({screen.safe(trust.detail)})" if trust.detail else ""))


def _show_event(screen: Screen, event: Event, *, as_json: bool) -> None:
    if as_json:
        screen.json({"seq": event.seq, **event_to_json(event)})
        return
    screen.line(_event_line(screen, event))


def _event_line(screen: Screen, event: Event) -> str:

    records = ", ".join(event.record_ids)
    survivor = f" into {event.survivor_id}" if event.survivor_id else ""
    undoes = f" {screen.safe(event.detail['undoes'])}:" if "undoes" in event.detail else ""
    meaning = EVENTS.get(event.event, "")
    return (
        f"m{event.number}  {time_text(event.happened_at)}  {event.event}{undoes} {records}{survivor} "
        f"({screen.safe(event.cause)}): {meaning}"
    )
