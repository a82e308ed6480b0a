"""For the tests of the pages: what the pages are made with."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="session")
def reference_pages(repository: Path) -> ModuleType:
    """The module that writes the tables of the reference."""
    path = repository / "docs" / "_ext" / "reference_pages.py"
    spec = spec_from_file_location("reference_pages_under_test", path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
