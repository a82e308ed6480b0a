"""``seenbefore rules learn``: rules that what is stored speaks for."""

from __future__ import annotations

from pathlib import Path

import click

from ..errors import InvalidInput
from ..urls.learning import COLUMNS
from .opening import open_store
from .options import EXIT_CODES, get_settings, json_option, shared_options
from .output import Screen
from .progress import progress_bar
from .rules_in_store import count
from .tables import plain_table, show_table


@click.command("learn", epilog=EXIT_CODES)
@click.option("--out", metavar="FILE.toml", help="Write the proposals as a pack; the file must not be there yet.")
@json_option
@shared_options
@click.pass_context
def learn_command(ctx: click.Context, out: str | None, as_json: bool) -> None:
    """Propose rules from what is stored: parameters that select nothing, path parts that move.

    Nothing is fetched and nothing changes: look at the proposals, then "rules check" and "rules activate" the file.

    \b
    Example:
      seenbefore rules learn --out learned.toml --db news.db
    """
    settings = get_settings(ctx)
    screen = Screen(settings)
    if out and Path(out).exists():
        raise InvalidInput("the file is there already; name another one", out)
    with open_store(settings) as db, progress_bar(screen, "records") as progress:
        learned = db.rules.learn(progress=progress)
    if out and learned.proposals:
        try:
            Path(out).write_text(learned.to_toml(), encoding="utf-8")
        except OSError as error:
            raise InvalidInput(f"cannot be written: {error}", out) from error
    if as_json:
        screen.json(learned.to_json())
        return
    rows = [[screen.safe(cell) for cell in row] for row in learned.rows()]
    if rows:
        show_table(screen, plain_table("What the stored sightings say", COLUMNS, rows))
    proposed, hosts = count(len(learned.proposals), "rule"), count(learned.hosts, "host")
    screen.line(f"{proposed} proposed, from {count(learned.observations, 'sighting')} on {hosts}")
    if out and learned.proposals:
        screen.line(f"Next: seenbefore rules check {out} --db {settings.db}")
