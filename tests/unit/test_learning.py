"""What observations say about parameters and paths, and what is proposed of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import timedelta

from seenbefore.rules import compile_rules, load_rules
from seenbefore.urls import identify, same_page
from seenbefore.urls.learning import LearningLimits, Observation, Why, learn, learn_from, new_sample

from .observed import PAGES, START, applied, finding, marked, shown, story, why

# --- neutral or not -----------------------------------------------------------------------------


def test_a_parameter_under_which_every_page_shows_one_text_is_proposed_on_its_paths() -> None:
    learned = learn(marked())
    [proposal] = learned.proposals
    assert (proposal.names, proposal.match, proposal.values) == (("mark",), ("/story/{slug}",), ())
    assert (proposal.equal, proposal.different) == (PAGES, 0)
    rules, path = applied(learned), "/story/never-seen-before-x"
    for url, is_folded in (
        (f"https://news.example{path}", True),
        ("https://news.example/list", False),
        (f"https://other.example{path}", False),
    ):
        assert same_page(f"{url}?mark=1", url, rules) is is_folded


def test_learned_rules_fold_the_near_key_alone() -> None:
    url = "https://news.example/story/never-seen-before-x?mark=1"
    found = identify(url, applied(learn(marked())))
    assert found.key == url
    assert found.near == "news.example/story/never-seen-before-x"


def test_an_address_without_the_parameter_is_a_value_too() -> None:
    pages = [shown(f"{story(page)}{query}", page) for page in range(PAGES) for query in ("", f"?mark=m{page}")]
    assert why(pages) is Why.PROPOSED


def test_one_value_that_shows_something_else_decides_for_its_page() -> None:
    pages = [shown(f"/view?id={page}&mark={n}", f"{page} {n // 2}") for page in range(PAGES) for n in range(4)]
    assert why(pages) is Why.MATTERS


def test_what_selects_on_a_few_pages_only_matters() -> None:
    pages = [shown(f"{story(p)}?mark={n}", f"{p} {n if p < 3 else 0}") for p in range(60) for n in range(2)]
    found = finding(learn(pages), "mark")
    assert (found.why, found.tally.equal, found.tally.different) == (Why.MATTERS, 57, 3)


def test_too_few_pages_are_none() -> None:
    limits = LearningLimits()
    assert why(marked(range(limits.min_pages - 1))) is Why.FEW
    assert why(marked(range(limits.min_pages))) is Why.PROPOSED


def test_a_parameter_that_never_stood_twice_on_a_page_is_not_mentioned() -> None:
    assert learn(marked(values="a")).findings == ()


def test_titles_alone_propose_nothing() -> None:
    pages = [shown(f"{story(p)}?mark={v}{p}", "", title=p) for p in range(PAGES) for v in "ab"]
    assert why(pages) is Why.TITLES


def test_other_texts_under_one_title_are_the_pages_of_an_article() -> None:
    pages = [shown(f"{story(p)}?mark={n}", f"{p} {n}", title=p) for p in range(PAGES) for n in range(3)]
    assert why(pages) is Why.MATTERS


def test_texts_of_two_forms_are_not_held_against_each_other() -> None:
    pages = [shown(f"{story(p)}?mark={f}{p}", f"{f} {p}", title=p, form=f) for p in range(PAGES) for f in "ab"]
    assert why(pages) is Why.TITLES


def test_a_few_mismatches_on_each_of_several_paths_add_up() -> None:
    pages = []
    for path in ("film", "book", "play"):
        texts = [(p, "other" if p == 0 and v == "b" else p) for p in range(15) for v in "ab"]
        pages += [
            shown(f"/{path}/what-happened-in-{p}-town?mark={n}x", f"{path} {text}") for n, (p, text) in enumerate(texts)
        ]
    found = finding(learn(pages), "mark")
    assert (found.why, found.tally.equal, found.tally.different) == (Why.MATTERS, 42, 3)


def test_too_many_pages_of_which_nothing_can_be_said_are_in_the_way() -> None:
    for count, expected in ((2, Why.PROPOSED), (4, Why.UNCLEAR)):
        odd = [
            shown(f"{story(f'odd{p}')}?mark={v}{p}", f"odd {p}", title=f"{v} {p}") for p in range(count) for v in "ab"
        ]
        assert why([*marked(), *odd]) is expected


def test_a_text_under_many_titles_says_nothing() -> None:
    pages = [shown(f"/view?id={p}&mark={v}{p}", "wall", title=p) for p in range(PAGES) for v in "ab"]
    learned = learn(pages)
    assert learned.proposals == ()
    assert finding(learned, "mark").tally.exact == 0


# --- texts that change --------------------------------------------------------------------------


def test_an_article_that_was_updated_in_place_does_not_speak_against_a_parameter() -> None:
    pages = marked()
    for page in range(PAGES):  # under the second mark it was seen in both states
        pages.append(shown(f"{story(page)}?mark=b{page}", f"{page} rewritten"))
    assert why(pages) is Why.PROPOSED


def test_a_page_that_becomes_another_one_in_place_is_no_difference() -> None:
    """A front page of a section shows another text each time it is looked at, under any address."""
    hub = [shown(f"{story('hub')}?mark={v}", f"hub {v}{n}", title="") for v in "ab" for n in range(2)]
    found = finding(learn([*marked(), *hub]), "mark")
    assert (found.why, found.tally.different, found.tally.unclear) == (Why.PROPOSED, 0, 1)


def test_changes_of_one_address_alone_say_nothing() -> None:
    pages = [shown(f"{story(page)}?mark=m", f"{page} {state}") for page in range(PAGES) for state in range(3)]
    assert learn(pages).findings == ()


def test_a_rewritten_page_is_explained_by_time_if_each_text_stood_under_several_values() -> None:
    rewritten = [shown(f"{story('r')}?mark={n}", f"r {n // 2}", title="r", day=n) for n in range(4)]
    found = finding(learn([*marked(), *rewritten]), "mark")
    assert (found.why, found.tally.different, found.tally.unclear) == (Why.PROPOSED, 0, 1)
    at_once = [replace(each, seen_at=START) for each in rewritten]
    assert finding(learn([*marked(), *at_once]), "mark").tally.different == 1


def drifting(page: int, days: Iterable[tuple[str, float]]) -> Iterator[Observation]:
    """One page with a part that is another one each day, seen under several values."""
    for value, day in days:
        yield shown(f"{story(page)}?mark={value}{page}", f"{page} day {day}", title=page, alike=f"{page}", day=day)


def test_near_texts_that_follow_the_days_are_equal() -> None:
    pages = [o for page in range(PAGES) for o in drifting(page, [("a", 1), ("b", 1), ("c", 2), ("d", 2)])]
    assert why(pages) is Why.PROPOSED


def test_near_texts_of_one_day_each_say_little() -> None:
    """Two of seven values shared a day: the others may differ by what they are."""
    days = [("a", 1.0), ("b", 1.0), *((value, 2.0 + n) for n, value in enumerate("cdefg"))]
    pages = [o for page in range(PAGES) for o in drifting(page, days)]
    found = finding(learn(pages), "mark")
    assert (found.tally.exact, found.tally.near, found.proposal) == (0, PAGES, None)


def test_two_values_that_are_one_do_not_speak_for_a_third() -> None:
    """Red and rouge show one text; blue differs from it in a word, at the same time."""
    pages = []
    for page in range(PAGES):
        for color, text in (("red", "red"), ("rouge", "red"), ("blue", "blue")):
            pages.append(shown(f"/shirt/{page}?mark={color}", f"{page} {text}", title=page, alike=f"{page}", day=1))
    found = finding(learn(pages), "mark")
    assert (found.why, found.tally.different) == (Why.MATTERS, PAGES)


def test_near_texts_that_follow_the_values_are_not() -> None:
    """Red and blue differ in a word; each color is seen on several days, and says the same on all."""
    pages = []
    for page in range(PAGES):
        for day, color in enumerate(("red", "blue", "red", "blue")):
            pages.append(shown(f"/shirt/{page}?mark={color}", f"{page} {color}", title=page, alike=f"{page}", day=day))
    learned = learn([replace(o, last_seen_at=START + timedelta(days=4)) for o in pages])
    assert finding(learned, "mark").why is Why.MATTERS


def test_near_texts_of_which_no_time_is_known_are_unclear() -> None:
    pages = [shown(f"{story(p)}?mark={v}{p}", f"{p} {v}", title=p, alike=f"{p}") for p in range(PAGES) for v in "ab"]
    assert finding(learn(pages), "mark").tally.unclear == PAGES


# --- where, with which values, beside what ------------------------------------------------------


def test_a_parameter_may_be_neutral_on_one_path_and_matter_on_another() -> None:
    other = [shown(f"/compare/this-and-that-{p}x?mark={n}", f"c {p} {n}") for p in range(PAGES) for n in range(3)]
    [proposal] = learn([*marked(), *other]).proposals
    assert proposal.match == ("/story/{slug}",)


def test_a_path_on_which_it_matters_sometimes_is_left_out() -> None:
    other = [
        shown(f"/compare/this-and-that-{p}x?mark={v}{p}", f"c {p} {v if p % 4 == 0 else ''}")
        for p in range(PAGES)
        for v in "ab"
    ]
    [proposal] = learn([*marked(), *other]).proposals
    assert (proposal.match, proposal.different) == (("/story/{slug}",), 0)


def test_a_path_with_too_few_pages_is_left_out() -> None:
    other = [shown(f"/compare/this-and-that-{p}x?mark={v}{p}", f"c {p}") for p in range(2) for v in "ab"]
    [proposal] = learn([*marked(), *other]).proposals
    assert proposal.match == ("/story/{slug}",)


def test_a_parameter_may_be_neutral_beside_another_and_select_alone() -> None:
    beside = [shown(f"/item?id={p}&mark={v}{p}", p) for p in range(PAGES) for v in "ab"]
    alone = [shown(f"/item?mark={n}", f"alone {n}") for n in range(PAGES)]
    learned = learn([*beside, *alone])
    [proposal] = learned.proposals
    assert proposal.beside == ("id",)
    rules = applied(learned)
    assert same_page("https://news.example/item?id=7&mark=x", "https://news.example/item?id=7&mark=y", rules)
    assert not same_page("https://news.example/item?mark=x", "https://news.example/item?mark=y", rules)


def test_a_few_values_are_named_and_others_stay() -> None:
    pages = [shown(f"{story(page)}{q}", page) for page in range(PAGES) for q in ("", "?mark=rss", "?mark=Mail")]
    learned = learn(pages)
    [proposal] = learned.proposals
    assert proposal.values == ("mail", "rss")
    page = "https://news.example/story/never-seen-before-x"
    assert same_page(f"{page}?mark=rss", page, applied(learned))
    assert not same_page(f"{page}?mark=2", page, applied(learned))


def test_a_value_that_stood_on_one_page_is_not_named() -> None:
    pages = [shown(f"{story(page)}{q}", page) for page in range(PAGES) for q in ("", "?mark=rss")]
    assert learn([*pages, shown(f"{story(1)}?mark=2", 1)]).proposals[0].values == ("rss",)


def test_values_of_one_type_limit_the_rule_to_it() -> None:
    values = [f"{n:032x}".replace("0", "a") for n in range(2 * PAGES)]
    pages = [shown(f"{story(n // 2)}?mark={value}", n // 2) for n, value in enumerate(values)]
    assert learn(pages).proposals[0].value_types == ("session",)


def test_names_that_only_change_together_are_judged_together() -> None:
    pages = [shown(f"{story(p)}?one={v}{p}&two={p}{v}", p) for p in range(PAGES) for v in "ab"]
    learned = learn(pages)
    assert {name for proposal in learned.proposals for name in proposal.names} == {"one", "two"}
    page = "https://news.example/story/never-seen-before-x"
    assert same_page(f"{page}?one=1&two=2", f"{page}?one=3&two=4", applied(learned))


def test_of_two_that_change_together_the_one_that_selects_is_not_dropped() -> None:
    """Each address has a mark of its own: ``part`` is seen to matter only where the mark is left out of sight."""
    pages = marked()
    pages += [
        shown(f"{story(p)}?mark=x{p}{n}&part={n}", f"{p} part {n}", title=p) for p in range(PAGES) for n in (2, 3)
    ]
    learned = learn(pages)
    assert [proposal.names for proposal in learned.proposals] == [("mark",)]
    assert finding(learned, "part").why is Why.MATTERS


def test_many_names_at_one_place_of_the_path_become_any() -> None:
    pages = [shown(f"/user{chr(97 + p)}/what-happened-in-town?mark={v}{p}", p) for p in range(PAGES) for v in "ab"]
    assert learn(pages).proposals[0].match == ("/{any}/{slug}",)


# --- what is known already ----------------------------------------------------------------------


def test_what_selects_nearly_everywhere_is_never_proposed() -> None:
    pages = [shown(f"{story(p)}{q}", p) for p in range(PAGES) for q in ("", "?page=1")]
    assert why(pages, "page") is Why.KNOWN


def test_a_host_whose_known_parameters_look_neutral_is_not_believed() -> None:
    """All its pages show one text per path, so that paging seems to change nothing: these are not its pages."""
    pages = [shown(f"{story(p)}?page={n}", p) for p in range(PAGES) for n in range(3)]
    learned = learn([*pages, *marked()])
    assert learned.proposals == ()
    assert finding(learned, "mark").why is Why.GUARDED


def test_what_a_general_rule_drops_is_nothing_to_learn() -> None:
    pages = [shown(f"{story(p)}?utm_source={v}", p) for p in range(PAGES) for v in "ab"]
    assert learn(pages).findings == ()


def test_a_parameter_that_a_rule_of_the_host_keeps_is_not_proposed() -> None:
    keep = """
    pack = "mine"
    version = 1
    [[rule]]
    id = "mine-mark"
    kind = "keep"
    hosts = ["news.example"]
    names = ["mark"]
    reason = "it selects"
    fact = "seen"
    must_match = [["https://news.example/a?mark=1", "https://news.example/a/?mark=1"],
                  ["https://news.example/b?mark=1", "https://news.example/b/?mark=1"]]
    must_not_match = [["https://news.example/a?mark=1", "https://news.example/a?mark=2"],
                      ["https://news.example/b?mark=1", "https://news.example/b?mark=2"]]
    """
    learned = learn(marked(), load_rules([("mine.toml", keep)]))
    assert finding(learned, "mark").why is Why.KNOWN


def test_what_was_learned_before_has_to_be_seen_again() -> None:
    rules = applied(learn(marked()))
    again = learn(marked(), rules)
    assert [proposal.names for proposal in again.proposals] == [("mark",)]
    assert again.version == 2
    assert learn([], rules).proposals == ()


# --- what is kept -------------------------------------------------------------------------------


def test_a_sample_is_bounded_and_keeps_whole_pages() -> None:
    limits = LearningLimits(most_pages=30, most_addresses=8)
    sample = new_sample(limits=limits)
    for each in marked(range(500), "abc"):
        sample.take(each)
    [host] = sample.hosts
    assert len(host.addresses) == 30 * 3
    assert finding(learn_from(sample), "mark").why is Why.PROPOSED


def test_one_path_with_many_pages_is_sampled_by_the_parameter_that_names_them() -> None:
    limits = LearningLimits(most_pages=40, most_addresses=8)
    sample = new_sample(limits=limits)
    for page in range(400):
        for n in range(4):
            sample.take(shown(f"/view?id={page}&mark=m{page}{n}&part={n % 2}", f"{page} {n % 2}", title=page))
    [host] = sample.hosts
    assert len(host.addresses) <= 40 * 8
    learned = learn_from(sample)
    assert finding(learned, "mark").why is Why.PROPOSED
    assert finding(learned, "part").why is Why.MATTERS


def test_the_rules_shipped_stay_as_they_are() -> None:
    before = load_rules().version
    learn(marked())
    assert compile_rules(load_rules().packs).for_host("news.example").dropping("mark") == ()
    assert load_rules().version == before
