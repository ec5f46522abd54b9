"""What has happened in a game since somebody looked last: since a turn, or the own last one."""

from __future__ import annotations

from collections.abc import Iterable

from porto_cli.game import Step
from porto_cli.match.replay import Replay


def stands(step: Step) -> bool:
    """Tell whether a step is a move that was not taken back."""
    return not step.undone and step.takes_back is None


def since_last_turn(replay: Replay, seat: int) -> tuple[Step, ...]:
    """Return what happened since the last turn of a seat, as it stands in the record.

    That is everything behind the last of its moves that stands; everything if it has none. A
    secret choice, like keeping private contracts, is no turn: whoever makes it before the first
    own turn wants to know what the others did before that. What was taken back is among it, with
    its undo: :func:`standing` leaves it out.
    """
    return replay.steps[place_after_last_turn(replay, seat) :]


def place_after_last_turn(replay: Replay, seat: int) -> int:
    """Return the place in ``replay.steps`` behind the last turn of a seat, see
    :func:`since_last_turn`; 0 if it has none.
    """
    for place in range(len(replay.steps) - 1, -1, -1):
        step = replay.steps[place]
        if step.seat == seat and stands(step) and not all(map(replay.game.is_secret, step.moves)):
            return place + 1
    return 0


def place_after_turn(replay: Replay, turn: int) -> int:
    """Return the place in ``replay.steps`` behind a turn, counted from 1 without those taken back.

    0 is the setup. Raises ValueError if there is no such turn.
    """
    if turn == 0:
        return 0
    for place, step in enumerate(replay.steps):
        if stands(step) and step.before.turn < turn <= step.after.turn:
            return place + 1
    raise ValueError(f"There are {replay.state.turn} turns, so that there is no turn {turn}.")


def standing(steps: Iterable[Step]) -> list[Step]:
    """Return the steps that stand: without those taken back, and without the undos."""
    return [step for step in steps if stands(step)]
