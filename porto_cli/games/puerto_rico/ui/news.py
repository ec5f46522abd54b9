"""What has happened, told to who reads it: what is new since the reader's last decision."""

from __future__ import annotations

from typing import NamedTuple

from porto_cli.core.message import Sentence, say
from porto_cli.games.puerto_rico import phrases
from porto_cli.games.puerto_rico.notation import UNDO
from porto_cli.games.puerto_rico.ui.history import Turn, story
from porto_cli.match.replay import Replay


class News(NamedTuple):
    """Something that has happened: in full, and where there is little room."""

    full: tuple[Sentence, ...]
    short: tuple[Sentence, ...]


def news_for(replay: Replay, reader: int) -> tuple[News, ...]:
    """Return what has happened since a reader decided, decision by decision.

    Of the own decision the reader knows what was chosen, but not what then went by itself
    (PR-AUTO-1). What others have taken back has not happened.
    """
    turns = story(replay, reader)
    name = replay.config.players[reader]
    new: list[News] = []
    for nth in reversed(range(len(turns))):
        turn = turns[nth]
        own = turn.player == name
        if not own and (turn.undone or (turn.kind == UNDO and turn is not turns[-1])):
            continue
        one = told(turn, own=own)
        new[:0] = [one] if one.full else []
        if own and not turn.undone and turn.kind != UNDO:
            break
    return tuple(new)


def told(turn: Turn, *, own: bool = False) -> News:
    """Tell a decision, what it brought, and what then went by itself.

    Who made it (``own``) need not be told what it was.
    """
    if turn.kind == UNDO:
        taken_back = say("{player} takes back the last move.", player=turn.player)
        return News((taken_back,), (taken_back,))
    gains = phrases.brought(turn.scores, turn.earns)
    brought = (say("{player} gets {gains}.", player=turn.player, gains=gains),) if gains else ()
    if own:
        return News((*brought, *turn.told[1:], *turn.auto), (*turn.told[1:], *turn.auto))
    in_a_line = say("{player}: {move}.", player=turn.player, move=turn.move)
    return News((*turn.told, *brought, *turn.auto), (in_a_line, *turn.auto))
