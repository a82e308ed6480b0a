"""Options of every command that asks servers for something, and the fetcher they make."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from ..engine.pages.opening import Robots
from ..engine.politely import Manners
from ..fetch.base import Fetcher
from ..polling.politeness import HOST_DELAY_S

Command = TypeVar("Command", bound=Callable[..., Any])

_KEY = "seenbefore.fetching"


@dataclass
class FetchSettings:
    """What the options said."""

    allow_private: tuple[str, ...] = ()
    allow_port: tuple[int, ...] = ()
    contact: str = ""
    host_delay: float = HOST_DELAY_S

    @property
    def manners(self) -> Manners:
        """How many requests at once, and how long a host rests."""
        return Manners(delay_s=self.host_delay)


def fetch_options(command: Command) -> Command:
    """Return the command with the options of every request; read them with :func:`get_fetching`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def get_fetching(ctx: click.Context) -> FetchSettings:
    """Return what the options of this call said."""
    settings: FetchSettings = ctx.meta.setdefault(_KEY, FetchSettings())
    return settings


def _keep(ctx: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value is not None:
        setattr(get_fetching(ctx), str(parameter.name), value)


def _check_networks(ctx: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> None:
    for network in value:
        try:
            ipaddress.ip_network(network)
        except ValueError as error:
            raise click.BadParameter(f"{error}; write it like 10.1.2.0/24") from None
    _keep(ctx, parameter, value)


_OPTIONS = [
    click.option(
        "--allow-private",
        metavar="NETWORK",
        multiple=True,
        expose_value=False,
        callback=_check_networks,
        help="Private addresses that may be asked, such as 10.1.2.0/24; all others are refused.",
    ),
    click.option(
        "--allow-port",
        metavar="PORT",
        type=click.IntRange(1, 65535),
        multiple=True,
        expose_value=False,
        callback=_keep,
        help="A port beside 80 and 443 that may be asked.",
    ),
    click.option(
        "--contact",
        metavar="URL",
        expose_value=False,
        callback=_keep,
        help="Where server owners can reach you; goes into the User-Agent.",
    ),
    click.option(
        "--host-delay",
        metavar="SECONDS",
        type=click.FloatRange(0),
        expose_value=False,
        callback=_keep,
        help="Pause between two requests to one host.  [default: 1]",
    ),
]


def open_fetcher(given: FetchSettings) -> Fetcher:
    """Return the fetcher of a call. Raises InvalidInput for networks that must not be opened."""
    from ..fetch.client import FetchPolicy, SafeFetcher  # noqa: PLC0415 - a second that other commands need not wait

    allowed = FetchPolicy(
        ports=(*FetchPolicy().ports, *given.allow_port), private_networks=given.allow_private, contact=given.contact
    )
    return SafeFetcher(allowed)


def open_robots(fetcher: Fetcher, *, wanted: bool) -> Robots | None:
    """Return what asks robots.txt, None when nobody wants that."""
    if not wanted:
        return None
    from ..fetch.robots import RobotsRules  # noqa: PLC0415

    return RobotsRules(fetcher).allows
