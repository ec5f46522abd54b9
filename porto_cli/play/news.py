"""What has happened, told to who reads it: what is new comes first, what is known is left out."""

from __future__ import annotations

from porto_cli.play.prompt import News
from porto_cli.render import words
from porto_cli.replay import Replay, Step
from porto_cli.rules.state import CONTRACTS, TIMER
from porto_cli.view.story import KEEP, Turn, turn_of


def news_for(game: Replay, reader: int) -> tuple[News, ...]:
    """Return what has happened since the last turn of a reader, turn by turn.

    Nobody needs to be told the own turn, unless it is the last thing that has happened.
    """
    steps = [step for step in game.steps if not step.undone and step.takes_back is None]
    new: list[Step] = []
    for step in reversed(steps):
        if step.seat != reader:
            new.insert(0, step)
        elif turn_of(step).kind != KEEP:
            break
    last = game.steps[-1] if game.steps else None
    if last is not None and last.takes_back is not None:
        new.append(last)
    if last is not None and last.seat == reader and last not in new:
        if not new or game.state.phase in (CONTRACTS, TIMER):
            new = [last]
    return tuple(_told(turn_of(step), step.seat == reader) for step in new)


def _told(turn: Turn, own: bool) -> News:
    """Tell a turn. What the solo timer did is new even to the player."""
    done, timer = words.told_apart(turn)
    scored = words.scored(turn)
    if scored:
        done.append(scored)
    full = (*timer, *done) if own else (*done, *timer)
    return News(full, (*timer, words.in_a_line(turn)) if timer else (words.in_a_line(turn),))
