"""Every reason code, evidence kind, flag, event, check and log event, with one line of meaning each.

Codes are stable: programs may branch on them. A code that is used anywhere must be listed here;
the reference page is made from these tables and a test compares them with what the code uses.
"""

from __future__ import annotations

NEW_REASONS = {
    "first_seen": "no stored record shares a key, a text or a title with the item",
    "different": "a stored record shares something with the item, but the evidence says it is another article",
    "reused_guid": "the guid is known under another address with another title and another text",
    "shared_key": "a key that it shares (guid, link, title or text) identifies nothing in this source",
    "id_conflict": "an address agrees, but strong ids (such as DOIs) differ",
    "taken_apart": "it had been joined by a key that lost its trust, and was never delivered by itself",
    "same_fetch": "a stored record shares a key, but both stood in one fetch under different titles",
}

REVIEW_REASONS = {
    "title_and_date": "same source, title and date, no text that could decide",
    "same_link_other_title": "same source and link, but another guid, title and text",
    "near_address": "the addresses differ in scheme only and nothing else confirms that it is one page",
    "similar_text": "the texts overlap, but not enough to join by themselves",
    "site_id_other_text": "the publisher's id agrees and no text can confirm it",
    "other_site_id": "title or text agree, but the site gave the two pages different ids",
    "repeated_title": "same title at an address that identifies nothing, long after the first one",
    "flash_then_full": "a short flash, then the full text under the same title at another address",
    "same_text_other_title": "same source and text, but title, guid and address all differ",
    "same_id": "an id agrees, title or text do not",
    "same_text_elsewhere": "the same text at another source, which the policy sends to review",
    "same_slug": "title and slug agree at two places of one site, but dates and texts leave it open",
    "title_and_text": "same source, title and date, and the same text, which is too short to decide",
    "claimed_address": "two pages name one canonical address, and title or text agree",
    "page_reused": "guid or address agrees, but the text (or all that could confirm it) speaks of another article",
}

DUPLICATE_REASONS = {
    "seen_again": "exactly this was seen here before; nothing is stored but the repeat",
    "new_address": "known article under a further address of the same source",
    "new_guid": "known article under a further guid of the same source",
    "moved_with_feed": "known article; its whole feed came back under new guids and addresses in this fetch",
    "other_source": "known article at a further source",
    "same_text": "known article, recognized by its text",
    "same_id": "known article, recognized by a strong id or a publisher's id",
    "redirected": "the address redirects permanently to a known article",
    "listed_twice": "a second entry for the same article within one fetch",
    "poor_capture": "known article, but this capture is much poorer; the earlier text stays current",
    "late": "observed before something already stored for this source; it changes nothing current",
    "rejected_record": "known article that a person rejected; the change is stored and not delivered",
}

UPDATE_REASONS = {
    "title_changed": "known article under a new title",
    "text_changed": "known article with a changed text",
    "title_and_text_changed": "known article with a new title and a changed text",
    "fuller_text": "known article, now with its full text instead of a summary",
    "flash_then_full": "a short flash, and now its full text at another address, joined by policy",
    "reposted": "known article published again under a new address with a newer date",
}

MEANINGS = {
    "new": NEW_REASONS,
    "review": REVIEW_REASONS,
    "duplicate": DUPLICATE_REASONS,
    "update": UPDATE_REASONS,
}
"""Outcome → what its reasons mean; a few codes stand under two outcomes."""

REASONS = NEW_REASONS | REVIEW_REASONS | DUPLICATE_REASONS | UPDATE_REASONS

EVIDENCE_KINDS = {
    "sighting_equal": "the same source, guid, address and title were stored before",
    "id_equal": "a strong id (DOI and the like) is equal",
    "id_conflict": "both carry an id of one kind, or of one site, and the values differ",
    "co_present": "both stood in one fetch of one source",
    "redirect_equal": "a permanent redirect leads from one to the other",
    "guid_equal": "the same guid in the same source",
    "guid_counter": "the guids differ in a trailing number only",
    "site_equal": "the publisher's own id is equal",
    "url_equal": "the normalized addresses are equal",
    "canonical_equal": "both pages give this address as their own, or were opened at it",
    "near_equal": "the addresses are equal but for the scheme",
    "enclosure_equal": "a media file is shared",
    "enclosure_conflict": "both carry media files and share none",
    "text_equal": "the SHA-256 of the cleaned texts is equal",
    "text_containment": "share of the smaller text's character n-grams that the other one contains",
    "text_numbers": "share of the numbers that both texts have in common",
    "text_support": "texts too short to decide, but one is nearly contained in the other",
    "text_too_short": "at least one text is too short or too plain to decide",
    "title_equal": "the cleaned titles are equal",
    "title_similarity": "Jaccard of the title's character bigrams",
    "title_numbers": "figures in the titles differ, or signs that tell things apart (C++ and C)",
    "title_recurs": "this title returns for different articles in this source",
    "slug_equal": "the last part of the address is the same in two sections of one site",
    "slug_corrected": "the last part of the address differs in words that one of them leaves out",
    "took_its_place": "one entry left its source in the fetch in which the other one came",
    "mass_change": "most of what the fetch lists came back under new names, each title once before and once now",
    "published_equal": "both give the same publication second",
    "hours_apart": "hours between the publication dates",
    "shared_key": "the key is used by several articles of the source and decides nothing",
    "bound_hit": "more candidates than the policy's bound; the rest was not compared",
}

FLAGS = {
    "reverted": "the source went back to an earlier title or text",
    "old_news": "shared long after it was published",
    "date_conflict": "other tags of the page give a published date that is more than a day away",
    "secret_in_url": "the original address carries credentials or a secret-looking parameter",
    "moved": "the matched record was merged; the answer names its survivor",
    "rejected": "the matched record was rejected by a person; changes are stored, not delivered",
    "secondary": "the change happened at a source that is not the record's primary one",
    "late": "observed before something already stored for this source",
    "literal_url": "the address could not be parsed; it is taken as it stands, and trusted only if it names something",
    "history": "imported with --history; not delivered",
    "bound_hit": "a bound of the policy was hit while looking for candidates",
}

EVENTS = {
    "merged": "records were found to be one; survivor_id stays",
    "split": "sightings were taken apart, because the key that had joined them lost its trust, or a verdict did",
    "mass_change": "a whole feed came back under new names; its entries were joined as one decision",
    "undone": "a merge or a split was taken back",
    "label": "a person gave a verdict on a pair",
}

TRUST_REASONS = {
    "different_titles_in_one_fetch": "one fetch listed several titles under this key",
    "unlike_titles_over_time": "several unlike articles used this key one after the other",
    "unlike_texts_under_one_title": "different articles of this source carry this title",
    "title_returns": "one address carried this title several times, each time with a date of its own",
    "unlike_titles_on_one_text": "the text stands under several unlike titles",
    "counter": "guids on one link that differ in a trailing number",
}

LOG_EVENTS = {
    "decision": "one line per stored decision",
    "address_refused": "a name led to an address that may not be asked; only the log says which",
    "records_merged": "records were joined",
    "records_split": "sightings got records of their own",
    "records_undone": "a merge or a split was taken back",
    "consolidated": "everything stored was compared once more",
    "trust_switched": "a key, title or text lost its trust in a source",
    "trait_learnt": "something was learnt about a whole source",
    "bound_hit": "a bound of the policy was hit",
    "rules_learned": "rules were proposed from what is stored",
    "rules_activated": "somebody's rules were put into force",
    "rules_rolled_back": "somebody's rules were taken out of force",
    "mass_change": "a fetch brought a whole feed back under new names",
    "reader_lost": "the second process that reads ahead is gone; its work is done here",
    "records_moved": "entries were joined because their whole feed came back under new names",
    "fetch_read": "a fetch was completed",
    "input_skipped": "a line or file could not be read and was left out",
}

CHECKS = {
    "file_damaged": "SQLite finds pages or indexes of the file damaged",
    "dangling_reference": "a row refers to a row that is not there",
    "schema_changed": "a table, index or trigger is missing, or is not what this version makes",
    "unreadable": "a row holds something that cannot be read back",
    "source_alias": "the address of a source leads to another source, or nowhere",
    "fetch_number": "two fetches of a source share a number, or one is behind the last",
    "source_newest": "a fetch was read after the newest time that its source knows",
    "record_without_sighting": "nothing that was seen belongs to a live record",
    "record_kind": "articles and pictures stand in one record",
    "record_fields": "title, address, dates or version of a record are not what its sightings give",
    "current_version": "the current version of a record is none of its sightings'",
    "merged_record": "a record that was merged still holds sightings or keys",
    "redirect": "a record that was merged does not lead to a live one in one step",
    "sighting_without_version": "nothing is stored of what a sighting said",
    "sighting_runs": "the fetches that a sighting stood in are not in order, or are not stored",
    "sighting_times": "how often a sighting was seen disagrees with its fetches and versions",
    "sighting_dates": "the times of a sighting disagree with its versions or its source",
    "sighting_slot": "the sightings of one identity do not count from 0 without a gap",
    "newest_version": "what is repeated of a sighting's newest version is not what the version says",
    "version_twice": "one version of a sighting is stored twice",
    "key_missing": "a sighting has a key that its record does not have",
    "key_unfounded": "a record has a key that none of its sightings has",
    "key_strength": "a key is marked stronger or weaker than trust and sharing make it",
    "key_shared": "a strong key belongs to more than one live record",
    "journal_gap": "an entry of the journal is missing",
    "decision_code": "a decision carries a reason, an evidence kind or a flag that does not exist",
    "decision_record": "a decision names no record",
    "decision_versions": "a decision does not name the versions it rests on, or names those of something else",
    "decision_evidence": "a decision that compares says nothing of what was measured",
    "decision_match": "outcome, matched record and changed fields of a decision disagree",
    "event_records": "an event does not name the records it is about",
    "event_merged": "an event and the state of a record disagree on whether it was merged",
    "never_delivered": "nothing of a live record was ever announced",
    "review_pair": "a review waits on one record, or left no pair",
    "review_stale": "a review waits, but one half of the pair is part of another record by now",
    "verdict": "a verdict is not followed",
    "cursor": "a consumer has read further than the journal goes",
    "daily_counts": "more was counted by day than was decided",
}

_RESTORE = "stop writing to it, keep a copy, and go back to a backup"
_DERIVED = "it is derived again when the record next changes; until then answers about it may be wrong"
_REPORT = "decisions that rest on it may be wrong; please report it with the output of --json"

CHECK_ADVICE = {
    **dict.fromkeys(CHECKS, _REPORT),
    **dict.fromkeys(("file_damaged", "dangling_reference", "unreadable", "journal_gap"), _RESTORE),
    **dict.fromkeys(("record_fields", "key_missing", "key_unfounded", "key_strength", "newest_version"), _DERIVED),
    "schema_changed": "another program or another version changed the file; go back to a backup",
    "review_stale": "give the verdict on the record that the other half is part of",
    "cursor": "set it back: seenbefore changes --consumer NAME --ack SEQ",
    "daily_counts": "only `stats` uses them; nothing else is affected",
}
"""What to do about each."""

MIX_WARNINGS = {
    "everything_new": "nearly all of a day was new, unlike usual: the site moved, or its guids changed",
    "everything_seen": "nothing new for much longer than ever before: the feed is dead, or a filter is broken",
    "reviews_exploding": "a far greater share than usual waits for a person",
    "gone_silent": "the source was not read, or brought nothing at all, for much longer than ever before",
}
