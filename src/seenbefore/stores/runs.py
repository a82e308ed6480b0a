"""Fetch numbers as inclusive ranges, oldest first: ((1, 4), (7, 7)) is 1, 2, 3, 4 and 7."""

from __future__ import annotations

Runs = tuple[tuple[int, int], ...]


def in_runs(runs: Runs, fetch_no: int) -> bool:
    """Return whether the number lies in one of the ranges.

    >>> in_runs(((1, 4), (7, 7)), 3), in_runs(((1, 4), (7, 7)), 5)
    (True, False)
    """
    return any(start <= fetch_no <= end for start, end in runs)


def add_to_runs(runs: Runs, fetch_no: int) -> Runs:
    """Return the ranges with one more number; neighbors grow together.

    >>> add_to_runs(((1, 4),), 5)
    ((1, 5),)

    A gap starts a range of its own, and a number that is there already changes nothing:

    >>> add_to_runs(((1, 4),), 7)
    ((1, 4), (7, 7))
    >>> add_to_runs(((1, 4), (7, 7)), 2)
    ((1, 4), (7, 7))

    A fetch that was interrupted may be completed after newer ones, so a number can arrive late:

    >>> add_to_runs(((1, 4), (6, 7)), 5)
    ((1, 7),)
    """
    if in_runs(runs, fetch_no):
        return runs
    joined: list[tuple[int, int]] = []
    for start, end in sorted([*runs, (fetch_no, fetch_no)]):
        if joined and start == joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple(joined)
