"""Thresholds and their order as versioned data: ``default.toml``, or a user's file on top of it."""

from __future__ import annotations

import dataclasses
import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from ..errors import InvalidPolicy

_CHOICES = {
    "across_sources.same_text": ("duplicate", "review", "related"),
    "across_sources.flash_then_full": ("review", "update"),
}


@dataclass(frozen=True, slots=True)
class TextPolicy:
    """Limits on texts; lengths in folded characters, the rest shares from 0 to 1."""

    min_chars: int
    min_cjk_chars: int
    support_chars: int
    support_cjk_chars: int
    cjk_share: float
    wall_chars: int
    shrink_ratio: float
    near_containment: float
    certain_containment: float
    near_numbers: float
    near_length_ratio: float
    similar_containment: float
    unlike_containment: float
    boilerplate_titles: int


@dataclass(frozen=True, slots=True)
class TitlePolicy:
    """Limits on titles; lengths in folded characters, the others Jaccard shares."""

    min_chars: int
    min_cjk_chars: int
    similar: float
    nearly_equal: float
    related: float


@dataclass(frozen=True, slots=True)
class DatePolicy:
    """Distances in time, in the unit each name says."""

    window_days: int
    repeat_hours_home: int
    repeat_days: int
    old_news_days: int
    flash_hours: int


@dataclass(frozen=True, slots=True)
class TrustPolicy:
    """How many observations switch trust off or on."""

    hub_titles: int
    counter_pairs: int
    mass_entries: int
    mass_share: float


@dataclass(frozen=True, slots=True)
class BoundsPolicy:
    """How much is looked at for one item; a bound that is hit is reported."""

    max_bucket: int
    max_component: int


@dataclass(frozen=True, slots=True)
class AcrossPolicy:
    """What counts across sources."""

    same_text: str
    flash_then_full: str


@dataclass(frozen=True, slots=True)
class DeliveryPolicy:
    """What consumers get."""

    hold_review: bool


@dataclass(frozen=True, slots=True)
class StatsPolicy:
    """When the mix of a source's answers is worth a warning; shares from 0 to 1, the rest whole numbers."""

    baseline_days: int
    min_days: int
    min_items: int
    new_share: float
    usual_new_share: float
    quiet_days: int
    quiet_factor: int
    review_factor: int
    min_reviews: int
    silent_days: int


@dataclass(frozen=True, slots=True)
class Policy:
    """All limits under one version."""

    version: str
    text: TextPolicy
    title: TitlePolicy
    dates: DatePolicy
    trust: TrustPolicy
    bounds: BoundsPolicy
    across_sources: AcrossPolicy
    delivery: DeliveryPolicy
    stats: StatsPolicy


_SECTIONS = {
    "text": TextPolicy,
    "title": TitlePolicy,
    "dates": DatePolicy,
    "trust": TrustPolicy,
    "bounds": BoundsPolicy,
    "across_sources": AcrossPolicy,
    "delivery": DeliveryPolicy,
    "stats": StatsPolicy,
}


def load_policy(overrides: Mapping[str, object] | None = None, *, where: str = "policy") -> Policy:
    """Return the default policy with the given sections laid over it.

    >>> load_policy().title.similar
    0.5
    >>> load_policy({"version": "mine-1", "title": {"similar": 0.6}}).title.similar
    0.6

    A change needs a version of its own, because decisions name it:

    >>> load_policy({"title": {"similar": 0.6}})
    Traceback (most recent call last):
    ...
    seenbefore.errors.InvalidPolicy: policy: a changed policy needs its own `version`

    Raises:
        InvalidPolicy: unknown section or name, a value of the wrong type, or out of range.
    """
    text = files(__package__).joinpath("default.toml").read_text(encoding="utf-8")
    data: dict[str, object] = tomllib.loads(text)
    if overrides:
        data = _overlay(data, overrides, where)
    sections: dict[str, object] = {}
    for name, section in _SECTIONS.items():
        values = data[name]
        assert isinstance(values, dict)
        sections[name] = section(**values)
    return Policy(version=str(data["version"]), **sections)  # type: ignore[arg-type]


def _overlay(data: dict[str, object], overrides: Mapping[str, object], where: str) -> dict[str, object]:
    if overrides.get("version") in (None, "", data["version"]):
        raise InvalidPolicy("a changed policy needs its own `version`", where)
    merged = dict(data)
    for name, values in overrides.items():
        if name == "version":
            merged[name] = str(values)
            continue
        base = data.get(name)
        if not isinstance(base, dict) or not isinstance(values, Mapping):
            raise InvalidPolicy(f"unknown section [{name}]; known: {', '.join(_SECTIONS)}", where)
        merged[name] = base | {key: _checked(name, key, base, value, where) for key, value in values.items()}
    return merged


def _checked(section: str, key: str, base: dict[str, object], value: object, where: str) -> object:
    if key not in base:
        raise InvalidPolicy(f"unknown name {key!r} in [{section}]; known: {', '.join(base)}", where)
    default = base[key]
    name = f"{section}.{key}"
    if name in _CHOICES:
        if value not in _CHOICES[name]:
            raise InvalidPolicy(f"{name} must be one of {', '.join(_CHOICES[name])}", where)
    elif isinstance(default, bool):
        if not isinstance(value, bool):
            raise InvalidPolicy(f"{name} must be true or false", where)
    elif isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise InvalidPolicy(f"{name} must be a number that is not negative", where)
    elif isinstance(default, float) and value > 1:
        raise InvalidPolicy(f"{name} is a share from 0 to 1", where)
    elif isinstance(default, int) and not isinstance(value, int):
        raise InvalidPolicy(f"{name} must be a whole number", where)
    return value


def policy_fields() -> dict[str, object]:
    """Return every setting as ``section.name`` → default value (for docs and ``--help``)."""
    policy = load_policy()
    return {
        f"{section}.{field.name}": getattr(getattr(policy, section), field.name)
        for section, cls in _SECTIONS.items()
        for field in dataclasses.fields(cls)
    }
