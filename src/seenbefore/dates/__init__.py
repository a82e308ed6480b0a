"""Dates as sources write them: read strictly, or left unknown."""

from __future__ import annotations

from .parse import parse_date, parse_instant

__all__ = ["parse_date", "parse_instant"]
