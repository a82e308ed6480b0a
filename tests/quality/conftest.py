"""Where the labelled data is: beside the checkout, because it belongs to others."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared(repository: Path) -> Path:
    """The folder of labelled data. Without it these tests are skipped; on a server that is a failure."""
    folder = repository.parent / "shared"
    if folder.is_dir():
        return folder
    reason = "the labelled data is not there; it belongs into a folder 'shared' beside the checkout"
    if os.environ.get("CI", "").lower() in ("1", "true"):
        pytest.fail(f"{reason}. CI is set, so accuracy must be measured, not skipped")
    pytest.skip(reason)
