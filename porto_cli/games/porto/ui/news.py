"""What has happened, told to who reads it: what is new comes first, what is known is left out."""

from __future__ import annotations

from typing import NamedTuple

from porto_cli.core.message import Sentence
from porto_cli.game import Step
from porto_cli.games.porto.engine.state import CONTRACTS, TIMER
from porto_cli.games.porto.history import KEEP, Turn, turn_of
from porto_cli.games.porto.ui import phrases
from porto_cli.match.replay import Replay


class News(NamedTuple):
    """Something that has happened: in full, and where there is little room."""

    full: tuple[Sentence, ...]
    short: tuple[Sentence, ...]


def news_for(replay: Replay, reader: int) -> tuple[News, ...]:
    """Return what has happened since the last turn of a reader, turn by turn.

    Nobody needs to be told the own turn, unless it is the last thing that has happened.
    """
    steps = [step for step in replay.steps if not step.undone and step.takes_back is None]
    new: list[Step] = []
    for step in reversed(steps):
        if step.seat != reader:
            new.insert(0, step)
        elif turn_of(step).kind != KEEP:
            break
    last = replay.steps[-1] if replay.steps else None
    if last is not None and last.takes_back is not None:
        new.append(last)
    if last is not None and last.seat == reader and last not in new:
        if not new or replay.state.phase in (CONTRACTS, TIMER):
            new = [last]
    return tuple(_told(turn_of(step), step.seat == reader) for step in new)


def _told(turn: Turn, own: bool) -> News:
    """Tell a turn. What the solo timer did is new even to the player."""
    done, timer = phrases.told_apart(turn)
    scored = phrases.scored(turn)
    if scored:
        done.append(scored)
    full = (*timer, *done) if own else (*done, *timer)
    return News(full, (*timer, phrases.in_a_line(turn)) if timer else (phrases.in_a_line(turn),))
