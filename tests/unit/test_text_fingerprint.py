"""What counts as a text, what decides, what is noise, and what must not replace a better capture."""

from __future__ import annotations

from dataclasses import replace

import pytest

from seenbefore.model import Representation
from seenbefore.text.clean import EXTRACTOR_VERSION
from seenbefore.text.fingerprint import TextLimits, fingerprint, is_poor_replacement, trim_noise

ENGLISH = (
    "The city council voted nine to four on Tuesday to replace the Harbour Road bridge. Engineers found "
    "that rust in the eastern bearings had doubled in two winters. Work starts in March and takes three "
    "years. Two lanes stay open on weekdays. The new span has a separate path for bicycles."
)
CHINESE = (
    "市政府周二宣布，将重建使用了九十多年的港口大桥。工程师表示，东侧支座的锈蚀在两个冬天里"
    "增加了一倍，明年春天必须限制车辆重量。新桥设有独立的自行车道和可供帆船通过的升降段，"
    "预算为八千四百万元。工程计划明年三月开工，三年后通车。"
)
JAPANESE = (
    "市は火曜日、九十年以上使われてきた港の橋を架け替えると発表した。東側の支承のさびは二つの"
    "冬で倍に増え、来春には重量制限が必要になる。新しい橋には自転車専用の道と、帆船が通れる"
    "可動部が設けられる。工事は来年三月に始まり、三年後に開通する予定だ。"
)


@pytest.mark.parametrize(
    ("title", "summary", "content", "representation", "text"),
    [
        ("T", "s", "c", Representation.FULL_TEXT, "c"),
        ("T", "s", "<p> </p>", Representation.SUMMARY, "s"),
        ("T", "", "", Representation.TITLE_ONLY, ""),
        ("The Bridge", "s", "<h1>The bridge!</h1>", Representation.SUMMARY, "s"),
        ("The Bridge (3 comments)", "Comments", "<a href=x>Comments</a>", Representation.TITLE_ONLY, ""),
        ("T", "", "<p>Read more</p><p>12 comments | 3 hours ago</p>", Representation.TITLE_ONLY, ""),
        ("橋", "", "コメント(3)\n続きを読む", Representation.TITLE_ONLY, ""),
    ],
)
def test_which_part_is_taken(title: str, summary: str, content: str, representation: Representation, text: str) -> None:
    found = fingerprint(title, summary, content)
    assert (found.representation, found.text) == (representation, text)
    assert found.extractor_version == EXTRACTOR_VERSION
    assert (found.text_hash == "") == (text == "")


def test_hashes_are_stable_across_processes() -> None:
    found = fingerprint("T", "", f"<p>{ENGLISH}</p><p>short</p><p>{CHINESE}</p>")
    assert found.text_hash == "e803d3ac32b692f7d8ff924b76ca30b4"
    assert found.paragraph_hashes == ("9f9db24376586f9d", "e61a6e15f10f71d7")


def test_paragraph_hashes_are_bounded() -> None:
    many = "\n".join(f"Paragraph {i}: {ENGLISH}" for i in range(250))
    assert len(fingerprint("", "", many).paragraph_hashes) == 200
    assert fingerprint("", "", "x" * 39).paragraph_hashes == ()
    assert len(fingerprint("", "", "橋" * 20).paragraph_hashes) == 1


@pytest.mark.parametrize("text", [ENGLISH, CHINESE, JAPANESE, "<p>" + ENGLISH.replace(". ", ".</p><p>")])
def test_real_texts_decide(text: str) -> None:
    assert fingerprint("T", "", text).decisive
    assert fingerprint("T", text, "").decisive


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Bug fixes.",
        CHINESE[:70],
        "We are investigating. " * 30,
        "调查中。" * 40,
        "Please enable JavaScript to view this page. Your browser is out of date or blocks scripts, and "
        "so nothing of this article can be shown. Try another browser, or ask the person who looks after "
        "your computer. Reference number 4711, time of request noted.",
        "We value your privacy. " + ENGLISH,
        "この記事は会員限定です。" + JAPANESE,
        "登录后查看全文。" + CHINESE,
        "Thanks for listening to another hour about bridges and harbours! Support the show, get the "
        "newsletter and find all links on our website. Music by The Paper Lanterns. Follow us on every "
        "network that there is, and on those which are still to come. Learn more about your ad choices "
        "on the page of our host.",
    ],
)
def test_thin_repeated_and_template_texts_do_not_decide(text: str) -> None:
    assert not fingerprint("T", "", text).decisive


def test_a_long_article_about_a_wall_decides() -> None:
    article = " ".join(f"{ENGLISH} In year {year} nothing changed." for year in range(1900, 1905))
    assert fingerprint("T", "", article + " Some sites ask you to enable JavaScript.").decisive
    walls = " We value your privacy. This site uses cookies. Please accept all cookies."
    assert not fingerprint("T", "", article + walls).decisive


def test_limits_are_arguments() -> None:
    assert not fingerprint("T", "", ENGLISH, TextLimits(min_chars=1000)).decisive
    assert fingerprint("T", "", "Bug fixes.", TextLimits(min_chars=5)).decisive


def test_pictures_stand_in_for_words_and_never_decide() -> None:
    one = fingerprint("", "", '<img src="https://comic.example.com/501.png">')
    two = fingerprint("", "", '<img src="https://comic.example.com/502.png">')
    assert one.text == "[image: //comic.example.com/501.png]"
    assert one.representation is Representation.FULL_TEXT
    assert one.text_hash != two.text_hash
    many = fingerprint("", "", "".join(f'<img src="https://comic.example.com/{i}.png">' for i in range(20)))
    assert not many.decisive
    words = fingerprint("", "", '<img src="https://comic.example.com/501.png"> A caption')
    assert words.text == "A caption"


@pytest.mark.parametrize(
    "noisy",
    [
        "{} 12 comments",
        "{}\n12 comments",
        "{}\nComments (3)",
        "3 hours ago\n{}",
        "3 hours ago — {}",
        "Posted 2 days ago | 5 comments\n{}\nRead more\nShare",
        "{}\nPoints: 12\n# Comments: 3",
        "{}\nThe post A title appeared first on A site.",
        "{}\nコメント(3)",
        "{}\n3件のコメント",
        "3時間前\n{}",
        "{}\n评论(12)",
        "{}\n12条评论",
        "3小时前\n{}\n阅读全文",
    ],
)
def test_template_noise_at_the_edges_changes_nothing(noisy: str) -> None:
    assert fingerprint("", "", noisy.format(ENGLISH)) == fingerprint("", "", ENGLISH)


@pytest.mark.parametrize(
    "text",
    [
        "Two days ago, the bridge closed.",
        "He scored 12 points.",
        "The vote ended with 12 comments",
        "Share prices fell.\nComments were mixed.",
        "一年前、橋は閉鎖された。",
    ],
)
def test_sentences_are_no_noise(text: str) -> None:
    assert trim_noise(text) == text


def test_poor_replacements() -> None:
    old = fingerprint("T", "", ENGLISH)
    assert is_poor_replacement(old, fingerprint("T", "", ""))
    assert is_poor_replacement(old, fingerprint("T", "", ENGLISH[:60]))
    assert is_poor_replacement(old, fingerprint("T", "", "We value your privacy. " + ENGLISH))
    assert is_poor_replacement(
        fingerprint("T", "", CHINESE), fingerprint("T", "", "您的浏览器不支持，请启用JavaScript。")
    )
    assert not is_poor_replacement(old, fingerprint("T", "", ENGLISH[:200]))
    assert not is_poor_replacement(fingerprint("T", "", ""), old)


def test_a_short_old_text_may_become_shorter_and_a_wall_may_follow_a_wall() -> None:
    short = fingerprint("T", "", "The bridge is closed until further notice.")
    assert not is_poor_replacement(short, fingerprint("T", "", "Closed."))
    wall = fingerprint("T", "", "Please enable JavaScript.")
    assert not is_poor_replacement(wall, fingerprint("T", "", "Please enable JavaScript now."))
    assert not is_poor_replacement(wall, short)
    assert not is_poor_replacement(replace(short, decisive=True), replace(short, length=short.length // 2))
