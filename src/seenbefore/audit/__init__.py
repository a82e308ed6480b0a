"""What must hold of everything stored, as pure checks: facts in, problems out.

Each function is told what a store says of one thing (a record, a sighting, a decision) and yields a
:class:`Problem` for every rule that is broken. None of them reads a store or repairs anything. What is
stored twice is derived again from where it comes from: records from sightings, keys from what sources
trust, copies from versions.
"""

from __future__ import annotations

from .problem import Problem as Problem
