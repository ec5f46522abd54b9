"""How ``porto new`` begins a sealed game: with the first of the stations of its set-up."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from porto_cli.cli.common import seat_among
from porto_cli.cli.keys_here import keys_here
from porto_cli.core import files
from porto_cli.core.command_errors import refuse, usage
from porto_cli.core.files import STANDARD
from porto_cli.core.message import Sentence, say
from porto_cli.core.yaml import LONGEST_TITLE
from porto_cli.game import SealedPile, game_of
from porto_cli.match.record import GENERIC_NAME, name_fault
from porto_cli.settings import own_seat
from porto_cli.term.tell import tell


def begin_sealed(
    game: str,
    players: list[str],
    options: dict[str, Any],
    file: Path,
    *,
    first: str | None,
    title: str,
    player: str | None,
    hints: str,
    quiet: bool,
) -> None:
    """Make the record of a sealed game and join it as its first player.

    Exits with 2 for what was typed wrongly, and with 1 if the game cannot be sealed. Raises
    FileError.
    """
    played = game_of(game)
    for nth, name in enumerate(players):
        fault = name_fault(name, players[:nth], played.meta)
        if fault:
            usage(fault)
    if len(title) > LONGEST_TITLE:
        usage(say("A title has at most {most} characters.", most=LONGEST_TITLE))
    known = own_seat(players) if player is None else seat_among(players, player)
    creator = known or 0
    sitting = players[creator:] + players[:creator]
    try:
        config = played.new_config(sitting, **options)
    except ValueError as error:
        usage(say("{error}", error=error))
    pile = played.sealed_pile(config)
    if not isinstance(pile, SealedPile):
        refuse(pile)
    from porto_cli.match.sealed_setup import new_sealed

    to_stdout = str(file) == STANDARD
    if not to_stdout and file.exists():
        # Before anything is signed, which can be done only once.
        files.create(file, "")
    begun = new_sealed(
        played,
        config,
        keys_here(True),
        first=None if first is None else seat_among(sitting, first),
        name=GENERIC_NAME if to_stdout else file.name,
        title=title,
        hints=hints,
    )
    if to_stdout:
        sys.stdout.write(begun.record.text)
    else:
        files.create(file, begun.record.text)
    if quiet:
        return
    from porto_cli.cli.sealing import progress

    told: list[Sentence] = [
        say(
            "{player} sets up a sealed game and is the first to join."
            if known is not None
            else "{player} sets up a sealed game and is the first to join: nobody else was named "
            "with --as.",
            player=sitting[0],
        ),
        *progress(begun, "the record" if to_stdout else str(file)),
    ]
    tell(*told, stream=sys.stderr if to_stdout else sys.stdout)
