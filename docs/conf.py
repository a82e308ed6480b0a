"""Sphinx settings: MyST pages, the furo theme, and no warning let through (`./dev docs`)."""

from __future__ import annotations

import re
import sys
from importlib.metadata import version as installed_version
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "seenbefore"
author = "seenbefore authors"
copyright = "seenbefore authors"
release = version = installed_version("seenbefore")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.doctest",
    "reference_pages",
]
source_suffix = {".md": "markdown"}
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

smartquotes = False  # "--json" must not become a dash and a word

html_theme = "furo"
html_title = f"seenbefore {version}"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True, "show-inheritance": True}

# Names of other people's packages are not links: looking them up would need the network.
_others = "|".join(map(re.escape, sorted({*sys.stdlib_module_names, "click", "lxml", "numpy", "rich"})))
nitpick_ignore_regex = [
    (r"py:.*", rf"({_others})(\..*)?"),
    # Parts that a caller never makes and that the reference does not show.
    (r"py:.*", r"seenbefore\.(stores|rules|policy|engine)\..*"),
    # The public names are described in the modules they come from.
    (r"py:.*", r"seenbefore\.[A-Z]\w+"),
]
