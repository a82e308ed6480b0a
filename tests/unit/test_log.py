"""One line per event; whatever comes from outside is escaped and masked."""

from __future__ import annotations

import logging

import pytest

from seenbefore.log import log_event


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records]


def test_event_and_values(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "seenbefore"):
        log_event("decision", id="d1", outcome="new", title="two words", empty="", none=None, number=3)
    assert lines(caplog) == ["decision id=d1 outcome=new title='two words' empty='' none=None number=3"]
    assert caplog.records[0].name == "seenbefore"


def test_secrets_are_masked(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "seenbefore"):
        log_event("fetch_read", source="https://user:hunter2@n.example/feed?access_token=3f9ac1d27be84c55")
    assert "hunter2" not in lines(caplog)[0]
    assert "3f9ac1d27be84c55" not in lines(caplog)[0]
    assert "n.example/feed" in lines(caplog)[0]


@pytest.mark.parametrize("text", ["one\ntwo", "\x1b[31mred", "\u202eback", "a\rb", "tab\there"])
def test_an_event_is_one_harmless_line(text: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "seenbefore"):
        log_event("input_skipped", where=text)
    (line,) = lines(caplog)
    assert line.isprintable()


def test_levels(caplog: pytest.LogCaptureFixture) -> None:
    class Costly:
        def __str__(self) -> str:
            raise AssertionError("nobody listens; nothing should be formatted")

    with caplog.at_level(logging.WARNING, "seenbefore"):
        log_event("decision", value=Costly())
        log_event("bound_hit", level=logging.WARNING, records=61)
    assert lines(caplog) == ["bound_hit records=61"]


def test_percent_signs_are_no_formats(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "seenbefore"):
        log_event("decision", title="100%s")
    assert lines(caplog) == ["decision title=100%s"]


@pytest.mark.parametrize("text", ["x\u2003outcome=new", "x\u00a0outcome=new", "'", '"x"'])
def test_values_cannot_forge_fields(text: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "seenbefore"):
        log_event("decision", title=text)
    assert lines(caplog) == [f"decision title={text!r}"]
