"""Everything that can be asked about rules of one open store, and done with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path

from ..errors import CannotActivate, InvalidInput, InvalidRule
from ..ids import number_of
from ..model import RuleState, RuleVersion
from ..policy import Policy
from ..rules import RulePack, Rules
from ..sources.items import LineError
from ..sources.redirectlist import GivenRedirect, read_redirects
from ..stores.base import Store
from ..urls.learning import Learned
from .activate import Activation, activate
from .checkpack import PackCheck, check_pack
from .learnrules import learn_rules
from .redirects import Recorded, record_redirects
from .rollback import RollbackPlan, plan_rollback, rehearse_rollback, roll_back
from .rulebook import RuleBook, read_version

Progress = Callable[[int, int], None]


class RuleKeeper:
    """The rules of an open store: ``db.rules``."""

    def __init__(self, store: Store, book: RuleBook, policy: Policy, clock: Callable[[], datetime]) -> None:
        self._store = store
        self._book = book
        self._policy = policy
        self._clock = clock

    def current(self) -> Rules:
        """Return the rules in force: the shipped ones, what was activated here, and the caller's packs."""
        with self._store.reading() as unit:
            return self._book.at(unit)

    def versions(self) -> list[RuleVersion]:
        """Return every activation, oldest first, those that were taken back included."""
        with self._store.reading() as unit:
            return unit.packs.list_versions()

    def version(self, version_id: str) -> RuleVersion:
        """Return an activation (``v3``). Raises NotFound."""
        with self._store.reading() as unit:
            return unit.packs.get_version(number_of(version_id, "v", "rules version"))

    def packs_at(self, version_id: str) -> list[RulePack]:
        """Return somebody's own packs as they were in force after an activation (``v3``). Raises NotFound."""
        number = number_of(version_id, "v", "rules version")
        if not number:
            return []
        at, newest = self.version(version_id).activated_at, dict[str, RuleVersion]()
        for version in self.versions():
            gone = version.rolled_back_at is not None and version.rolled_back_at <= at
            if version.number == number or (version.number < number and not gone):
                newest[version.pack] = version
        return [read_version(version) for version in newest.values()]

    def check(self, path: str | Path, *, progress: Progress | None = None) -> PackCheck:
        """Return what activating the pack in a file would do; writes nothing.

        Raises:
            InvalidRule: the pack breaks the schema, or a pair of it does not hold.
            CannotActivate: it is in force already, or a newer version of it.
        """
        text = _read(path)
        return check_pack(self._store, self._book, self._policy, self._clock, text, str(path), progress)

    def activate(self, path: str | Path, *, author: str = "", force: str = "") -> Iterator[Activation]:
        """Put the pack in a file into force, and yield how far the keys of what is stored have come.

        ``force`` is the reason for doing so although stored records collide; it is kept. What was cut off is gone
        on with by the same call.

        Raises:
            InvalidRule, CannotActivate: as ``check``, or records collide and no reason is given.
            StoreError: a page of records could not be written; those before it stand.
        """
        text, where = _read(path), str(path)
        collisions = 0
        if not self._is_begun(text):
            collisions = len(check_pack(self._store, self._book, self._policy, self._clock, text, where).collisions)
            if collisions and not force.strip():
                pairs = "1 pair" if collisions == 1 else f"{collisions} pairs"
                raise CannotActivate(
                    f"{pairs} of stored records with another title or text would meet; look at them "
                    f"(seenbefore rules check), or give a reason to do it all the same (--force REASON)",
                    where,
                    collisions,
                )
        yield from activate(
            self._store,
            self._book,
            self._policy,
            self._clock,
            text,
            where,
            author=author,
            forced=force if collisions else "",
            collisions=collisions,
        )

    def plan_rollback(self, version_id: str) -> RollbackPlan:
        """Return what taking an activation (``v3``) back would do; writes nothing.

        Raises:
            NotFound: there is no such activation.
            CannotActivate: it is taken back already, or a later one of the same pack is in force.
        """
        plan = plan_rollback(self._store, self._book, number_of(version_id, "v", "rules version"))
        return rehearse_rollback(self._store, self._book, self._policy, self._clock, plan)

    def roll_back(self, version_id: str, *, author: str = "") -> Iterator[Activation]:
        """Take an activation back and yield how far that has come. Raises as ``plan_rollback``, and StoreError."""
        number = number_of(version_id, "v", "rules version")
        return roll_back(self._store, self._book, self._policy, self._clock, number, author=author)

    def learn(self, *, progress: Progress | None = None) -> Learned:
        """Return the rules that stored sightings speak for; writes nothing. Raises StoreBusy."""
        return learn_rules(self._store, self._book, self._policy, progress=progress)

    def record_redirects(
        self, path: str | Path, *, complain: Callable[[LineError], None] | None = None
    ) -> Iterator[Recorded]:
        """Take in a list of redirects (CSV, TSV or JSON lines) and yield what has become of them.

        A permanent one makes two addresses one page, for what is stored and for what comes. ``complain`` gets the
        lines that could not be read; the others are taken.

        Raises:
            InvalidInput: the file cannot be read.
            StoreError: a unit could not be written; those before it stand, and the same call completes the work.
        """
        text = _read(path, InvalidInput)
        given = _given(read_redirects(text.splitlines()), complain or (lambda error: None))
        origin = f"import: {Path(path).name}"
        yield from record_redirects(self._store, self._book, self._policy, self._clock, given, origin)

    def _is_begun(self, text: str) -> bool:
        return any(version.text == text and version.state is RuleState.ACTIVATING for version in self.versions())


def _given(rows: Iterable[GivenRedirect | LineError], complain: Callable[[LineError], None]) -> Iterator[GivenRedirect]:
    for row in rows:
        if isinstance(row, LineError):
            complain(row)
        else:
            yield row


def _read(path: str | Path, wrong: type[InvalidInput] = InvalidRule) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise wrong(f"cannot be read: {getattr(error, 'strerror', None) or error}", str(path)) from error
