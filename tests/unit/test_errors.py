"""Every error: its place in the tree, its text, and that it survives the way between processes."""

from __future__ import annotations

import inspect
import pickle

import pytest

from seenbefore import errors
from seenbefore.errors import (
    CannotActivate,
    CannotUndo,
    FetchFailed,
    IngestError,
    InvalidFeed,
    InvalidInput,
    InvalidItem,
    InvalidPolicy,
    InvalidRule,
    InvalidURL,
    MissingExtra,
    NotFound,
    Refused,
    SeenBeforeError,
    StoreBusy,
    StoreError,
    StoreVersionError,
)

EVERY = [
    SeenBeforeError("text"),
    InvalidInput("message", "items.jsonl:7"),
    InvalidItem("message", "items.jsonl:7"),
    InvalidURL("message", "http://[bad"),
    InvalidFeed("message", "feed.xml"),
    InvalidRule("message", "pack.toml"),
    InvalidPolicy("message", "policy.toml"),
    CannotActivate("message", "mine.toml", 3),
    CannotUndo("m5", "message", "m7"),
    NotFound("r12"),
    StoreError("message", "news.db"),
    StoreBusy("message", "news.db"),
    StoreVersionError("message", "news.db"),
    IngestError("feed: item", "message"),
    FetchFailed("status", "message", "https://a.example/", status=503, retry_after=60.0, retryable=True),
    Refused("content-type", "message", "https://a.example/", content_type="application/pdf"),
    MissingExtra("pages", "reading pages"),
]


def test_no_error_is_missing_here() -> None:
    defined = {c for _, c in inspect.getmembers(errors, inspect.isclass) if c.__module__ == errors.__name__}
    assert {type(error) for error in EVERY} == defined
    assert all(issubclass(c, SeenBeforeError) for c in defined)


@pytest.mark.parametrize("error", EVERY, ids=lambda error: type(error).__name__)
def test_pickling(error: SeenBeforeError) -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        back = pickle.loads(pickle.dumps(error, protocol))
        assert type(back) is type(error)
        assert (str(back), vars(back), back.retryable, back.args) == (
            str(error),
            vars(error),
            error.retryable,
            error.args,
        )


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (InvalidItem("needs a url", "items.jsonl:7"), "items.jsonl:7: needs a url"),
        (InvalidItem("needs a url"), "needs a url"),
        (StoreBusy("locked", "news.db"), "news.db: locked"),
        (StoreError("locked"), "locked"),
        (NotFound("r12"), "nothing is stored under 'r12'"),
    ],
)
def test_texts(error: SeenBeforeError, text: str) -> None:
    assert str(error) == text


def test_an_ingest_error_says_what_is_not_stored_and_why() -> None:
    error = IngestError("feed: item 7", "news.db: locked")
    assert "feed: item 7" in str(error)
    assert "news.db: locked" in str(error)


def test_what_may_be_tried_again() -> None:
    assert {type(error) for error in EVERY if error.retryable} == {StoreBusy, IngestError, FetchFailed}


def test_codes_of_bad_input_differ() -> None:
    codes = [error.code for error in EVERY if isinstance(error, InvalidInput)]
    assert len(codes) == len(set(codes))
    assert all(code.isidentifier() for code in codes)


def test_the_tree_in_the_docstring_names_every_error() -> None:
    for error in EVERY:
        assert type(error).__name__ in str(errors.__doc__)
