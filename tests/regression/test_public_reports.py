"""Situations from public bug reports, each named after its issue, in our own words and with our own texts.

What went wrong elsewhere is in the docstring; what is asserted is what a reader of the feed would expect.
"""

from __future__ import annotations

from .conftest import BIRDS_ZH, BREAD, FERRY_JA, LIBRARY_JA, MARKET_ZH, OPERA, SITE, WHALES, entry, tell


def test_feedbin_support_515_scheme_of_guid_and_link_flips() -> None:
    """Every entry came again when the site moved guid and link to http."""
    old = entry("The oven behind the wall", "/posts/84", f"{SITE}/posts/84", BREAD)
    new = old | {"url": "http://site.example/posts/84", "guid": "http://site.example/posts/84"}
    told = tell(old, new, old, new)
    assert (told.records, told.said) == (1, "duplicate/seen_again")


def test_lemon24_reader_79_guid_becomes_relative_and_the_clock_moves() -> None:
    old = entry("渡し船の始発が早まる", "/2026/03/ferry/", f"{SITE}/?p=2494", FERRY_JA)
    told = tell(old, entry("渡し船の始発が早まる", "/2026/03/ferry/", "/?p=2494", FERRY_JA, hour=-1))
    assert (told.records, told.last.outcome.value) == (1, "duplicate")


def test_feedbin_support_580_guid_is_regenerated_on_every_fetch() -> None:
    fetches = [
        entry("Spring tides, 4 to 9 March", "/tides", f"uuid:{n}f63-a1;id={900 - n * 37}", "High water at noon.")
        for n in range(5)
    ]
    told = tell(*fetches)
    assert told.records == 1
    assert {a.outcome.value for a in told.answers[1:]} == {"duplicate"}


def test_lemon24_reader_340_twins_in_one_fetch_do_not_flip() -> None:
    """Two ids for one page stood in every fetch; each update chose the other one as the one to keep."""
    twins = [
        entry("合唱团在图书馆里", "/597", f"{SITE}/597", BIRDS_ZH),
        entry("合唱团在图书馆里", "/630", f"{SITE}/630", BIRDS_ZH),
    ]
    told = tell(twins, twins[::-1], twins, twins[::-1])
    assert told.records == 1
    assert {a.reason for a in told.answers[2:]} == {"seen_again"}


def test_netnewswire_3835_server_answers_under_a_second_host() -> None:
    old = entry("Tickets by lot: how the opera fills its upper circle", "/b/upper-circle", "", OPERA)
    told = tell(old, old | {"url": "https://mail.site.example/b/upper-circle"})
    assert told.records == 1
    assert told.joined


def test_netnewswire_3286_typo_in_the_slug_is_corrected() -> None:
    old = entry("老菜市场重新开门", "/2026/03/chai-shichang", f"{SITE}/2026/03/chai-shichang", MARKET_ZH)
    new = entry("老菜市场重新开门", "/2026/03/cai-shichang", f"{SITE}/2026/03/cai-shichang", MARKET_ZH)
    told = tell(old, new)
    assert (told.records, told.joined) == (1, True)


def test_feedbin_205_headline_test_changes_title_guid_and_link() -> None:
    old = entry("Opera reopens on Friday", "/a/opera-reopens", "a-771", OPERA)
    new = entry(
        "Who gets the seats under the new roof?",
        "/a/who-gets-seats",
        "a-802",
        OPERA.replace("third", "quarter"),
    )
    assert tell(old, new).last.outcome.value in ("update", "duplicate", "review")


def test_miniflux_3120_new_headline_twice_a_day_and_back() -> None:
    first = entry("Ferry to leave earlier", "/ferry", "f1", BREAD)
    second = first | {"title": "Islanders welcome the earlier ferry"}
    third = first | {"title": "What the earlier ferry means for pupils"}
    told = tell(first, second, third, first)
    assert told.records == 1
    assert [a.reason for a in told.answers[1:]] == ["title_changed"] * 3
    assert [("reverted" in a.flags) for a in told.answers[1:]] == [False, False, True]


def test_netnewswire_4808_guid_ends_in_a_counter() -> None:
    old = entry("Fin whales return to the bay", "/news/c4wh", f"{SITE}/news/c4wh#0", "They were heard in October.")
    told = tell(old, *(old | {"guid": f"{SITE}/news/c4wh#{n}"} for n in (1, 3, 2)))
    assert told.records == 1
    assert {a.outcome.value for a in told.answers[1:]} == {"duplicate"}


def test_antennapod_1642_episode_is_released_again_under_another_guid() -> None:
    sound = [{"url": "https://media.example/deep-water/17.mp3", "type": "audio/mpeg"}]
    old = entry("17: What the whales heard", "/e/17", "ep-17", "Our guest dives.", enclosures=sound)
    new = entry("17: What the whales heard", "/e/17", "8d1c-77", "Our guest dives.", enclosures=sound, day=2)
    assert tell(old, new).joined


def test_antennapod_5598_two_cuts_of_one_episode() -> None:
    """Same title, same minute, but the second file is another cut that listeners want."""
    a = entry("14 December", "", "20211214", "", enclosures=[{"url": "https://media.example/20211214.mp3"}])
    b = entry("14 December", "", "20211214bm", "", enclosures=[{"url": "https://media.example/20211214bm.mp3"}])
    assert (tell(a, b).records, tell([a, b]).records) == (2, 2)


def test_lemon24_reader_371_equal_show_notes_under_two_numbers() -> None:
    notes = "Thank you for listening to the show. " * 12
    told = tell(entry("Episode 41", "/e/41", "41", notes), entry("Episode 42", "/e/42", "42", notes, day=7))
    assert (told.records, told.joined) == (2, False)


def test_miniflux_legacy_454_planet_puts_the_blog_in_front_of_the_title() -> None:
    post = entry("The oven behind the wall", "/oven", "o1", BREAD)
    planet = post | {
        "source": "https://planet.example/rss",
        "guid": "tag:planet:9",
        "title": "Edda: The oven behind the wall",
    }
    assert tell(post, planet).said == "duplicate/same_text"


def test_netnewswire_3632_one_entry_in_two_section_feeds() -> None:
    knowledge = entry("図書館の演奏会", "/wissen/orgel", "urn:uuid:3590", LIBRARY_JA, source=f"{SITE}/wissen.xml")
    culture = knowledge | {"source": f"{SITE}/kultur.xml"}
    told = tell(knowledge, culture)
    assert (told.records, told.joined) == (1, True)


def test_freshrss_5329_home_page_as_link_and_guids_in_fragments() -> None:
    releases = [entry(f"pixtool 1.{n}", f"{SITE}/", f"{SITE}/#{n}a7", f"Release 1.{n}.") for n in range(3)]
    assert tell(*releases).records == 3
    assert tell(releases).records == 3


def test_feedbin_support_573_one_guid_for_the_whole_blog() -> None:
    posts = [
        entry("Opera reopens", "/1", f"{SITE}/blog/", OPERA),
        entry("Bread and damp", "/2", f"{SITE}/blog/", BREAD),
        entry("Whales return", "/3", f"{SITE}/blog/", WHALES),
    ]
    told = tell(posts, [*posts, entry("河口来了黑脸琵鹭", "/4", f"{SITE}/blog/", BIRDS_ZH)])
    assert (told.records, told.said) == (4, "new/shared_key")


def test_netnewswire_4540_no_guid_and_the_shop_as_link() -> None:
    shirts = [entry(title, SITE) for title in ("Heron in the rain", "Owl with a hat", "Fox and ferry")]
    assert (tell(shirts).records, tell(*shirts).records) == (3, 3)


def test_freshrss_4487_second_incident_on_a_status_page() -> None:
    first = entry("Volume service: minor issue", f"{SITE}/", "", "We are investigating.")
    told = tell(first, entry("Volume service: minor issue", f"{SITE}/", "", "We are investigating.", day=9))
    assert (told.records, told.joined) == (2, False)


def test_newsboat_1729_every_fetch_stamps_its_own_date() -> None:
    fetches = [entry("潮汐表", "/tide.htm", "", "", day=n) for n in range(6)]
    told = tell(*fetches)
    assert told.records == 1
    assert {a.outcome.value for a in told.answers[1:]} == {"duplicate"}


def test_feedbin_support_198_comment_counter_in_the_title() -> None:
    told = tell(*(entry(f"the lift ({n} comments)", "/lift", "lift", "A picture.") for n in (3, 17, 18)))
    assert told.records == 1
    assert {a.outcome.value for a in told.answers[1:]} == {"duplicate"}


def test_feedbin_support_604_yearly_list_is_rewritten_under_its_guid() -> None:
    old = entry("The 7 best ovens", "/best-ovens", "ovens", BREAD)
    assert tell(
        old, entry("The 10 best ovens in 2026", "/best-ovens", "ovens", WHALES, day=300)
    ).last.outcome.value in (
        "update",
        "review",
    )


def test_quiterss_996_pictures_without_titles() -> None:
    posts = [entry("", f"/p/{n}", f"{n}", f'<img src="{SITE}/{n}.png">') for n in (501, 502, 503)]
    assert (tell(*posts).records, tell(posts).records) == (3, 3)


def test_commafeed_1629_neither_guid_nor_link() -> None:
    note = entry("Lost: a grey glove", "", "", "Left on the tram near the depot.")
    assert tell(note, note).said == "duplicate/seen_again"
    assert tell([note, entry("Found: a brown dog", "", "", "Waiting at the bakery.")]).records == 2


def test_feedhq_118_push_used_the_preview_form_of_the_guid() -> None:
    old = entry("Whales return", "/2026/03/whales/", f"{SITE}/?p=258890", WHALES)
    told = tell(old, old | {"guid": f"{SITE}/?p=258890&preview=true&preview_id=258890"})
    assert (told.records, told.last.outcome.value) == (1, "duplicate")


def test_freshrss_3142_tracking_parameter_inside_the_guid() -> None:
    old = entry("Whales return", "/whales", f"{SITE}/whales?utm_source=feed1", "Heard again.")
    assert tell(old, old | {"guid": f"{SITE}/whales?utm_source=feed2"}).last.outcome.value == "duplicate"


def test_wallabag_3045_short_link_leads_to_a_stored_page() -> None:
    stored = entry("Whales return", "/whales", "w1", WHALES)
    short = entry(
        "Read this",
        "https://sh.example/4j9N",
        "",
        "",
        source="links",
        redirects=[["https://sh.example/4j9N", f"{SITE}/whales"]],
    )
    assert tell(stored, short).said == "duplicate/redirected"


def test_s2apler_16_one_file_with_two_dois() -> None:
    a = entry("Proceedings of the bay conference", "/proc.pdf", "a", "", ids={"doi": "10.5555/bay.1"})
    b = entry("Proceedings of the bay conference", "/proc.pdf", "b", "", ids={"doi": "10.5555/bay.2"})
    assert tell(a, b).said in ("new/id_conflict", "review/id_conflict")


def test_rust_inside_june_post_carries_the_title_of_april() -> None:
    """Seen in a real history: a title rule would have swallowed the June post for good."""
    april = entry("Steering cycle, April", "/2026/04/steering", f"{SITE}/2026/04/steering", OPERA)
    june = entry("Steering cycle, April", "/2026/06/steering", f"{SITE}/2026/06/steering", BREAD, day=60)
    told = tell(april, [april, june], [april, june | {"title": "Steering cycle, June"}])
    assert told.records == 2
    assert [a.outcome.value for a in told.answers][2::2] == ["new", "update"]


def test_feed_served_empty_and_back_is_no_flood() -> None:
    """A scraper lost all entries for one fetch; when they came back nothing was new."""
    entries = [entry(f"Note {n} from the bay", f"/n/{n}", f"n{n}", "") for n in range(12)]
    told = tell(entries, entries[:1], entries)
    assert told.records == 12
    assert {a.reason for a in told.answers[12:]} == {"seen_again"}
