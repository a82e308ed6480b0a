"""Which site a host name belongs to: labels that only say how pages are shown, and hosts that copy another one."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..rules.ruleset import HostRules, Rules
from ..rules.values import SECOND_LEVEL
from .fold import fold_host

_SHOWN_AS = re.compile(r"(?:www[0-9]*|m|mobile|amp|sp|wap)\.(.+)")
_SHOWN_AS_SECOND = re.compile(r"([a-z]{2}(?:-[a-z]{2,10})*)\.(?:m|mobile)\.(.+)")  # a language in front
_REMEMBERED = 20_000
_MOST_ALIASES = 3
_LONGEST = 253  # as the name system has it


class HostPlan(NamedTuple):
    """A host name read once: ``host`` for the ``url`` key, ``near`` for the near key, the rules of the site."""

    host: str
    near: str
    rules: HostRules
    steps: tuple[str, ...]


def plan_host(hostname: str, rules: Rules) -> HostPlan:
    """Return what a host name stands for; the same name is looked at once.

    >>> from seenbefore.rules import load_rules
    >>> rules = load_rules()
    >>> plan_host("www.m.example.com", rules)[:2], plan_host("en.m.example.org", rules).near
    (('m.example.com', 'example.com'), 'en.example.org')

    Only whole labels that say how a page is shown: a blog is another site, and so is a name that begins alike.

    >>> [plan_host(host, rules).near for host in ("blog.example.com", "m-x.example.com", "m.co.jp")]
    ['blog.example.com', 'm-x.example.com', 'm.co.jp']
    """
    found = rules.memory.get(hostname)
    if not isinstance(found, HostPlan):
        if len(rules.memory) >= _REMEMBERED:
            rules.memory.clear()
        found = rules.memory[hostname] = _plan(hostname, rules)
    return found


def _plan(hostname: str, rules: Rules) -> HostPlan:
    steps: list[str] = []
    host = fold_host(hostname, steps)
    near = host if rules.for_host(host).of_users else _without_labels(host)
    if near != host:
        steps.append(f"near: {near} for {host}")
    host_rules = rules.for_host(near)
    for _ in range(_MOST_ALIASES):
        if host_rules.alias is None:
            break
        steps.append(f"near: {host_rules.alias.to} for {near}: {host_rules.alias.id}")
        near = host_rules.alias.to
        host_rules = rules.for_host(near)
    return HostPlan(host, near, host_rules, tuple(steps))


def _without_labels(host: str) -> str:
    while len(host) <= _LONGEST:
        found = _SHOWN_AS.fullmatch(host)
        if (
            found and _is_site(found[1]) and (host[:3] != "sp." or host.endswith(".jp"))
        ):  # elsewhere Spanish, or a state
            host = found[1]
            continue
        found = _SHOWN_AS_SECOND.fullmatch(host)
        if found and _is_site(found[2]):
            host = f"{found[1]}.{found[2]}"
            continue
        break
    return host


def _is_site(host: str) -> bool:
    """Whether enough is left to be a site of its own: two labels, three under ``co.jp`` and its like."""
    labels = host.split(".")
    if len(labels) < 2 or labels[-1].isdigit():
        return False
    return len(labels) > 2 or len(labels[-1]) != 2 or labels[0] not in SECOND_LEVEL
