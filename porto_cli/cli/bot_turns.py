"""What is reported of moves of bots and of ordered moves, as sentences and for documents."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from porto_cli.game import UNDO
from porto_cli.match.match import Match
from porto_cli.match.seats import titled

if TYPE_CHECKING:
    from porto_cli.match.replay import Replay
    from porto_cli.players.bots import BotTurn


def bot_sentences(match: Match, turns: Iterable[BotTurn]) -> list[str]:
    """Say what bots have done, and which they are."""
    found: list[str] = []
    last = ""
    for turn in turns:
        if turn.player != last:
            found.append(f"{titled(turn.player, turn.bot)} moves:")
        found += match.game.events_text(turn.events, match.config)
        last = turn.player
    return found


def by_itself_json(match: Match, turns: Iterable[BotTurn]) -> dict[str, object]:
    """Return what bots have done, and what was ordered, as fields of a document."""
    bots, ordered = list[object](), list[object]()
    for turn in turns:
        events = match.game.events_json(turn.events, match.config)
        one = {"player": turn.player, "moves": list(turn.moves), "events": events}
        if turn.bot:
            bots.append({**one, "bot": turn.bot})
        else:
            ordered.append(one)
    found: dict[str, object] = {"bots": bots} if match.bots else {}
    return found | ({"ordered": ordered} if match.declarations else {})


def undone_bot_turns(before: Replay, after: Replay) -> list[BotTurn]:
    """Return what an undo has taken back of bots, as turns of theirs."""
    from porto_cli.players.bots import BotTurn

    return [
        BotTurn(after.config.players[step.seat], bots[step.seat], (UNDO,), ())
        for step in after.steps[len(before.steps) :]
        if step.takes_back is not None and step.seat in (bots := after.bots_at(step.takes_back))
    ]


def taken_back_of_bots(match: Match, before: Replay) -> list[str]:
    """Say what an undo has taken back of bots."""
    steps = match.steps
    return [
        (
            f"With it goes what {match.players[step.seat]} did then: "
            f"{match.game.in_short(steps[step.takes_back])}."
        )
        for step in steps[len(before.steps) : -1]
        if step.takes_back is not None
    ]
