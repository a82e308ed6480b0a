"""What must hold of the keys of a record: those of its sightings, and each strong one its alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..model import Key, Sighting, Strength
from .problem import Problem, shown
from .sources import SourceFacts

_FROM_STRONG_TO_WEAK = (Strength.STRONG, Strength.NEAR, Strength.CANDIDATE, Strength.DISTRUSTED)


@dataclass(frozen=True, slots=True)
class HeldKey:
    """A key row of a record. ``also_held``: another live record has a row under its address, of any
    strength; ``also_used``: one that is not distrusted.
    """

    key: Key
    also_held: bool
    also_used: bool


def check_keys(
    record_id: int, sightings: Sequence[Sighting], rows: Iterable[HeldKey], sources: Mapping[int, SourceFacts]
) -> Iterator[Problem]:
    """Yield what is wrong with the key rows of a live record."""
    expected = _own_keys(sightings, sources)
    held: dict[tuple[str, str, str], HeldKey] = {}
    for row in rows:
        if held.setdefault(row.key.address, row) is not row:
            yield Problem("key_strength", f"r{record_id}", f"it holds {_name(row.key.address)} twice")
    for address in expected.keys() - held.keys():
        yield Problem("key_missing", f"r{record_id}", f"its sightings have {_name(address)}, the record has not")
    for address, row in held.items():
        if address not in expected:
            yield Problem("key_unfounded", f"r{record_id}", f"none of its sightings has {_name(address)}")
            continue
        strength, origins = expected[address]
        if (row.key.rule_id, row.key.pack_version) not in origins:
            yield Problem("key_unfounded", f"r{record_id}", f"no sighting has {_name(address)} by {row.key.rule_id!r}")
        yield from _check_strength(f"r{record_id}", row, strength)


def _check_strength(where: str, row: HeldKey, own: Strength) -> Iterator[Problem]:
    """``own`` is what the record's sources make of the key; a strong one is near while another has it too."""
    stored, address = row.key.strength, row.key.address
    if own is not Strength.STRONG or stored not in (Strength.STRONG, Strength.NEAR):
        if stored is not own:
            yield Problem("key_strength", where, f"{_name(address)} is {stored.value} and should be {own.value}")
    elif stored is Strength.STRONG and row.also_used:
        yield Problem("key_shared", where, f"{_name(address)} is strong here, but another live record has it too")
    elif stored is Strength.NEAR and not row.also_held:
        yield Problem("key_strength", where, f"{_name(address)} is near, but no other live record has it")


Origins = set[tuple[str, int]]


def _own_keys(
    sightings: Sequence[Sighting], sources: Mapping[int, SourceFacts]
) -> dict[tuple[str, str, str], tuple[Strength, Origins]]:
    """The best strength that any of the sources leaves to each key, and the rules that made it."""
    found: dict[tuple[str, str, str], tuple[Strength, Origins]] = {}
    for sighting in sightings:
        facts = sources.get(sighting.source_id)
        distrust = facts.distrust if facts else frozenset()
        for key in sighting.keys:
            strength = Strength.DISTRUSTED if (key.kind, key.value) in distrust else key.strength
            known, origins = found.get(key.address, (Strength.DISTRUSTED, set()))
            origins.add((key.rule_id, key.pack_version))
            best = min(known, strength, key=_FROM_STRONG_TO_WEAK.index)
            found[key.address] = (best, origins)
    return found


def _name(address: tuple[str, str, str]) -> str:
    kind, scope, value = address
    if kind == "url_near":
        value = f"//{value}"  # so that it reads as an address, and what is secret in it is masked as in one
    return f"the key {kind} {shown(value)}" + (f" of {shown(scope)}" if scope else "")
