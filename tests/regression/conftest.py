"""Small stories: what a feed shows, fetch after fetch, and what is said of the last entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from seenbefore import Decision
from seenbefore.policy import load_policy
from seenbefore.rules import load_rules
from seenbefore.stores.memory import MemoryStore
from seenbefore.wiring import SeenBefore

RULES, POLICY = load_rules(), load_policy()  # once for hundreds of stories

FEED = "https://site.example/feed"
SITE = "https://site.example"
PUBLISHED = datetime(2026, 3, 2, 6, tzinfo=UTC)
FIRST_FETCH = datetime(2026, 4, 11, 6, tzinfo=UTC)

Entry = Mapping[str, object]

# Texts long enough to decide by themselves.
OPERA = (
    "The opera house reopens on Friday after three seasons of work on its stage machinery. The first "
    "evening is given to the chorus, which has rehearsed in a disused tram depot since the roof came down. "
    "Every seat in the new upper circle now has a full view, and a third of the tickets will be sold on the "
    "day."
)
BREAD = (
    "A baker in the old town has gone back to the wood-fired oven that her grandfather bricked up after the "
    "war. The loaves take twice as long and sell out before nine. She says the trick is not the heat but "
    "the damp: a bucket of water on the hearth, and a door that nobody opens for half an hour."
)
WHALES = (
    "Researchers listening with sea-floor microphones have counted at least forty fin whales in a bay where "
    "none had been recorded for half a century. The animals arrive in late October and leave before the ice "
    "forms, following shoals of herring that have moved north. Shipping companies agreed to slow down "
    "inside the bay."
)
FERRY_JA = (
    "市は来月一日から、島と本土を結ぶ渡し船の始発を三十分早めると発表した。通学する高校生の保護者から要望が出ていた。"
    "桟橋の照明も明るいものに取り替え、待合所には暖房を入れる。運賃は変わらないが、回数券の販売は窓口だけになる。"
    "船長の一人は、冬の朝は霧が出やすいので時間に余裕を持ってほしいと話している。"
)
LIBRARY_JA = (
    "丘の上の図書館が、閉館後の閲覧室を演奏会に貸し出す試みを始めた。最初の晩は地元の合唱団が古い民謡を歌い、本棚の間まで人があふれた。"
    "司書によると、響きがよいのは天井の梁が木のままだからだという。次回は三味線の独奏を予定しており、申し込みは貸出窓口で受け付ける。"
)
MARKET_ZH = (
    "老城区的菜市场在改建一年之后重新开门。摊位比以前宽了一倍，鱼档移到了通风较好的北侧，楼上新设的食堂可以坐两百人。"
    "卖豆腐的周师傅说，最让他高兴的是地面不再积水。市场管理处表示，租金三年之内不会上涨，早市仍然从五点半开始。"
)
BIRDS_ZH = (
    "观鸟爱好者在河口湿地记录到了一群罕见的黑脸琵鹭，数量比去年同期多出近一半。研究人员认为，上游停止采沙以后，浅滩上的小鱼恢复得很快。"
    "保护区决定在迁徙季节关闭西侧的木栈道，并请附近的养殖户推迟清塘。志愿者每天清晨轮流值守，直到鸟群离开。"
)


def entry(title: str = "", path: str = "", guid: str = "", text: str = "", **fields: object) -> dict[str, object]:
    """Return an entry; ``path`` may be a whole address, ``day`` and ``hour`` move its date."""
    days, hours = fields.pop("day", 0), fields.pop("hour", 0)
    assert isinstance(days, int)
    assert isinstance(hours, int)
    item: dict[str, object] = {
        "source": FEED,
        "guid": guid,
        "url": path if "://" in path or not path else f"{SITE}{path}",
        "title": title,
        "content": text,
        "published": (PUBLISHED + timedelta(days=days, hours=hours)).isoformat(),
        **fields,
    }
    return {name: value for name, value in item.items() if value != ""}


@dataclass(frozen=True, slots=True)
class Told:
    """What was said of every entry in order, and how many records there are now."""

    answers: tuple[Decision, ...]
    records: int

    @property
    def last(self) -> Decision:
        """The answer to the last entry."""
        return self.answers[-1]

    @property
    def said(self) -> str:
        """Outcome and reason of the last answer."""
        return f"{self.last.outcome.value}/{self.last.reason}"

    @property
    def joined(self) -> bool:
        """Whether the last entry was taken for something known."""
        return self.last.outcome.value in ("duplicate", "update")


def tell(*fetches: Entry | Sequence[Entry]) -> Told:
    """Take the fetches in, an hour apart; an entry alone is a fetch of one."""
    answers: list[Decision] = []
    with SeenBefore(MemoryStore(), RULES, POLICY) as db:
        for number, fetch in enumerate(fetches):
            entries = [fetch] if isinstance(fetch, Mapping) else fetch
            when = {
                "fetch_id": f"f{number}",
                "observed_at": (FIRST_FETCH + timedelta(hours=number)).isoformat(),
            }
            answers += db.see_many([{**item, **when} for item in entries])
        return Told(tuple(answers), len(list(db.records())))
