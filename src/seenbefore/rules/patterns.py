"""Path patterns of rules: ordinary regular expressions, limited to those that match in one pass.

A pattern such as ``/(a+)+`` takes exponential time on hostile paths. Here every repetition must be
possessive (``[^/]++``: it never gives characters back), which rules that out by how the pattern is written.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""
    (?P<escape>\\.)
  | (?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])
  | (?P<open>\((?:\?(?:P<\w+>|:|!|=|>|(?P<special>.)))?)
  | (?P<close>\))
  | (?P<count>\{\d+\})(?P<after_count>[?+]?)
  | (?P<repeat>[*+?]|\{\d*,\d*\})(?P<after_repeat>[?+]?)
  | (?P<char>.)
    """,
    re.VERBOSE | re.DOTALL,
)


def compile_path_pattern(pattern: str) -> re.Pattern[str]:
    """Return the compiled pattern, to be used with ``fullmatch``.

    >>> bool(compile_path_pattern(r"/story/(?P<id>[^/]++)").fullmatch("/story/moon-landing"))
    True
    >>> bool(compile_path_pattern(r"/story/(?P<id>[^/]++)").fullmatch("/story/moon-landing/comments"))
    False

    Raises:
        ValueError: it is no regular expression, or it may take more than one pass.

    >>> compile_path_pattern(r"/(?:a+)+")
    Traceback (most recent call last):
        ...
    ValueError: write '++' instead of '+': only possessive repetitions match in one pass
    """
    after_group = False
    for token in _TOKEN.finditer(pattern):
        _check_token(token, after_group)
        after_group = token["close"] is not None
    try:
        return re.compile(pattern, re.ASCII)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"not a regular expression: {error}") from error


def _check_token(token: re.Match[str], after_group: bool) -> None:
    repeat = token["repeat"]
    if repeat and token["after_repeat"] != "+":
        wanted = repeat + "+"
        raise ValueError(f"write {wanted!r} instead of {token[0]!r}: only possessive repetitions match in one pass")
    if after_group and (token["count"] or (repeat and repeat not in "*+?")):
        raise ValueError(f"a group cannot be counted with {token[0]!r}: write it out")
    if token["special"]:
        raise ValueError(f"{token[0]!r} is not supported: use groups, (?:…), (?=…), (?!…) and (?>…)")
    if token["escape"] and token["escape"][1].isdigit():
        raise ValueError(f"{token[0]!r} is not supported: a path pattern cannot refer back to a group")
