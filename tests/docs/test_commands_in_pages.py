"""The commands of the tutorial and the how-to guides do what their pages say, run in order in an empty folder."""

from __future__ import annotations

import doctest
import os
import shlex
import shutil
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import click
import pytest

from seenbefore.cli.app import app


def _sibling(name: str, path: Path) -> object:
    spec = spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
