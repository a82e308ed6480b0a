"""Values and columns of the command line."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from seenbefore.cli.app import app
from seenbefore.cli.moment import Moment
from seenbefore.cli.options import Settings
from seenbefore.cli.output import Screen
from seenbefore.cli.tables import evidence_lines, fit, time_text
from seenbefore.engine.pages.opening import page_reading
from seenbefore.model import Evidence, Supports


@pytest.mark.parametrize("text", ["", "a", "東京", "a東b京c", "👍🏽 up", "e\u0301e\u0301", "x" * 50, "東" * 50])
@pytest.mark.parametrize("width", [1, 2, 5, 10, 11])
def test_fit_takes_exactly_the_width(text: str, width: int) -> None:
    assert cell_len(fit(text, width)) == width


@pytest.mark.parametrize(
    ("text", "back"),
    [
        ("90m", timedelta(minutes=90)),
        ("12h", timedelta(hours=12)),
        ("7d", timedelta(days=7)),
        ("2w", timedelta(14)),
    ],
)
def test_relative_times(text: str, back: timedelta) -> None:
    at = Moment(relative=True).convert(text, None, None)
    assert abs(datetime.now(UTC) - back - at) < timedelta(minutes=1)


@pytest.mark.parametrize("text", ["2026-01-31", "2026-01-31T00:00:00Z", "1769817600"])
def test_absolute_times(text: str) -> None:
    assert Moment().convert(text, None, None) == datetime(2026, 1, 31, tzinfo=UTC)


@pytest.mark.parametrize("text", ["", "soon", "12:00", "7d", "2026"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter, match="write it like"):
        Moment().convert(text, None, None)


def test_time_far_back_is_refused_and_does_not_raise_otherwise() -> None:
    with pytest.raises(click.BadParameter):
        Moment(relative=True).convert("999999w", None, None)


def test_keys_without_scheme_are_masked_too() -> None:
    screen = Screen(Settings())
    assert screen.safe_key("ann:pw@news.example/?token=abc123") == "***@news.example/?token=***"
    assert screen.safe_key("https://ann:pw@news.example/") == "https://***@news.example/"
    assert screen.safe_key("crack in the third pier") == "crack in the third pier"
    assert Screen(Settings(unmasked=True)).safe_key("ann:pw@news.example") == "ann:pw@news.example"


def test_evidence_says_what_it_speaks_for_and_its_limit() -> None:
    facts = [
        Evidence("title_similarity", 0.61, Supports.YES, 0.5, "close\x1b", None, 4),
        Evidence("title_numbers", "3 / 4", Supports.NO),
        Evidence("hours_apart", None, Supports.UNKNOWN),
    ]
    assert evidence_lines(Screen(Settings()), facts) == [
        "  + title_similarity = 0.61  (limit 0.5)  [r4]  close\\x1b",
        "  - title_numbers = 3 / 4",
        "  ? hours_apart = None",
    ]


def test_unknown_time_says_so() -> None:
    assert time_text(None) == "unknown"


def test_a_missing_extra_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page_reading.cache_clear()
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    page = tmp_path / "page.html"
    page.write_text("<p>A page.</p>", encoding="utf-8")
    done = CliRunner().invoke(app, ["page", str(page), "--dry-run"])
    page_reading.cache_clear()
    assert (done.exit_code, "pip install 'seenbefore[pages]'" in done.output) == (2, True)
