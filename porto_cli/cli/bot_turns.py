"""Bots that move after a person has, as commands let them and tell it.

A game without bots loads none of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from porto_cli.cli.common import ui_for
from porto_cli.core.command_errors import refuse
from porto_cli.core.message import Sentence, say
from porto_cli.core.signals import TerminatedError
from porto_cli.match.bots import titled
from porto_cli.match.match import Match
from porto_cli.players.bots import BotTurn, play_bots
from porto_cli.term.tell import remark

if TYPE_CHECKING:
    from porto_cli.match.replay import Replay


def moved(match: Match) -> list[BotTurn]:
    """Let the bots move whose turn it is, and return what they have done.

    Whoever stops that is told that nothing was written.
    """
    try:
        return play_bots(match)
    except (KeyboardInterrupt, TerminatedError):
        with suppress(OSError):
            remark(
                say(
                    "Stopped while a bot was thinking: nothing was written, and nothing was played."
                )
            )
        raise


def taken_back(before: Replay, after: Replay) -> list[BotTurn]:
    """Return what an undo has taken back of bots, as turns of theirs."""
    bots = after.record.bots
    steps = after.steps[len(before.steps) :]
    return [
        BotTurn(after.config.players[step.seat], bots.seats[step.seat], ("undo",), ())
        for step in steps
        if bots and step.seat in bots.seats
    ]


def sentences(match: Match, turns: Iterable[BotTurn]) -> list[Sentence]:
    """Say what bots have done, and which they are."""
    ui = ui_for(match)
    told: list[Sentence] = []
    last = ""
    for turn in turns:
        if turn.player != last:
            told.append(say("{player} moves:", player=titled(turn.player, turn.bot)))
        told += ui.events_text(turn.events, match.config)
        last = turn.player
    return told


def as_json(match: Match, turns: Iterable[BotTurn]) -> list[dict[str, object]]:
    """Return what bots have done, for a document."""
    ui = ui_for(match)
    return [
        {
            "player": turn.player,
            "bot": turn.bot,
            "moves": list(turn.moves),
            "events": ui.events_json(turn.events, match.config),
        }
        for turn in turns
    ]


def refuse_to_move_for(match: Match, seat: int) -> None:
    """Refuse to make a move of a seat that a bot holds (exit code 1)."""
    bots = match.record.bots
    assert bots is not None
    people = [match.players[other] for other in match.people]
    refuse(
        say(
            "{player} moves by itself; nobody can move for it. People play {people}.",
            player=titled(match.players[seat], bots.seats[seat]),
            people=", ".join(people),
        )
    )
