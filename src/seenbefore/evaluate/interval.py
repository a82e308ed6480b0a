"""How far a rate that was counted on few labeled pairs may be from the true one."""

from __future__ import annotations

import math

_Z = 1.96  # 95 % of a normal distribution lie within so many standard deviations


def wilson_interval(hits: int, of: int) -> tuple[float, float]:
    """Return the 95 % interval of a rate after Wilson; unlike the textbook's, it is never empty.

    >>> wilson_interval(228, 247)
    (0.883, 0.9502)

    No hit is no proof that there never is one, and nothing tried says nothing:

    >>> wilson_interval(0, 173), wilson_interval(0, 0)
    ((0.0, 0.0217), (0.0, 1.0))
    """
    if not of:
        return 0.0, 1.0
    middle = (hits + _Z**2 / 2) / (of + _Z**2)
    half = _Z * math.sqrt(hits * (of - hits) / of + _Z**2 / 4) / (of + _Z**2)
    return round(max(0.0, middle - half), 4), round(min(1.0, middle + half), 4)
