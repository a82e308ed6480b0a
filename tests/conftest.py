"""For the tests in this folder: how long Hypothesis searches, and where the sample feeds are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

# Deadlines measure the machine, not the code. HYPOTHESIS_PROFILE=thorough searches ten times as long.
settings.register_profile("quick", deadline=None)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return Path(__file__).parent.parent


@pytest.fixture(scope="session")
def sample_feeds(repository: Path) -> Path:
    """The folder of the feeds that `./dev demo` runs on."""
    return repository / "examples" / "feeds"
