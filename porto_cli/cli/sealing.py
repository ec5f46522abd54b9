"""What the commands say of the set-up of sealed games: how far it is, and who is next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from porto_cli.core.message import Sentence, say
from porto_cli.core.quoting import option
from porto_cli.match.command_lines import word_of
from porto_cli.match.record import HINTS_NONE, HINTS_TOLD, Record
from porto_cli.ui import ui_of

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


def terms(record: Record) -> list[Sentence]:
    """Say what those agree to who join a game that is being set up."""
    from porto_cli.match.sealed_setup import FIRST

    assert record.seals is not None
    players, first = record.config.players, record.seals.genesis.get(FIRST)
    told, _ = ui_of(record.game.meta.id).terms(record.config)
    return [
        say(
            "A sealed game of {game} for {count} players, who sit in this order: {players}.",
            game=record.game.meta.title,
            count=len(players),
            players=", ".join(players),
        ),
        *told,
        say(
            "All together draw who plays first."
            if first is None
            else "It was set up with {first} as the first player.",
            first=first if first is None else players[first],
        ),
        _ABOUT_HINTS[record.hints],
    ]


_ABOUT_HINTS = {
    "": say("Everybody may take hints, and the record does not tell who does."),
    HINTS_TOLD: say("Everybody may take hints, and the record tells who does."),
    HINTS_NONE: say("Nobody gets hints."),
}


def warnings(record: Record) -> list[Sentence]:
    """Warn of what passes for something else in the terms of a game that is being set up."""
    return ui_of(record.game.meta.id).terms(record.config)[1]
