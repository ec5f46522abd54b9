"""What is told of a step besides what happened on the table: that orders decided it, and what was
said below it.
"""

from __future__ import annotations

from porto_cli.match.replay import Replay
from porto_cli.match.said import Words


def is_ordered(replay: Replay, place: int) -> bool:
    """Return whether orders decided a step. A game without them loads nothing for it."""
    if not replay.declarations:
        return False
    from porto_cli.match.ordered import was_ordered

    return was_ordered(replay, place)


def ordered(replay: Replay, place: int) -> list[str]:
    """Say it of a step that orders decided."""
    return ["(Ordered.)"] if is_ordered(replay, place) else []


def with_ordered(replay: Replay) -> Replay:
    """Return a game whose steps say it below them if orders decided them."""
    if not replay.declarations:
        return replay
    steps = (
        step._replace(said=(*ordered(replay, place), *step.said))
        if step.takes_back is None and not step.undone
        else step
        for place, step in enumerate(replay.steps)
    )
    return replay._replace(steps=tuple(steps))


def heard(replay: Replay, place: int, reader: int | None) -> list[str]:
    """Return what players said below a step, but for the reader's own words, and which seats
    changed hands there.
    """
    name = None if reader is None else replay.holders[reader]
    said = replay.steps[place].said
    return [one for one in said if not (isinstance(one, Words) and one.player == name)]


def sat_down(replay: Replay, place: int) -> list[str]:
    """Return which seats changed hands after a step."""
    return [one for one in replay.steps[place].said if not isinstance(one, Words)]
