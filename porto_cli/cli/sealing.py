"""What the commands say of the set-up of sealed games: how far it is, and who is next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from porto_cli.core.message import Sentence, say
from porto_cli.core.quoting import option
from porto_cli.match.command_lines import word_of

if TYPE_CHECKING:
    from porto_cli.match.sealed_setup import Beginning


def progress(begun: Beginning, file: str) -> list[Sentence]:
    """Say whom the record of a set-up goes to next, and how far it is."""
    assert begun.next is not None
    left = begun.hops - begun.done
    player = begun.chain.players[begun.next]
    # Who has joined is known by the key.
    named = [option("--as", player)] if begun.setup.next_to_join is not None else []
    return [
        say(
            "Send {file} to {player}, who goes on with: {command}",
            file=file,
            player=player,
            command=" ".join(["porto join", word_of(file), *named]),
        ),
        say(
            "{done} of {hops} stations of the set-up are done, one is left."
            if left == 1
            else "{done} of {hops} stations of the set-up are done, {left} are left.",
            done=begun.done,
            hops=begun.hops,
            left=left,
        ),
    ]
