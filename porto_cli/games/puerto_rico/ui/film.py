"""A whole game as a seat may see it: the table after every decision, and what happened between.

After the end nothing is secret any more, so that the VP chips of every frame are told then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from porto_cli.games.puerto_rico.engine.components import BUILDING_VP, buildings_in
from porto_cli.games.puerto_rico.engine.events import Earned
from porto_cli.games.puerto_rico.engine.observation import Observation, observe
from porto_cli.games.puerto_rico.engine.state import OVER, State
from porto_cli.games.puerto_rico.ui.history import UNDO, Step, Turn, history


class Frame(NamedTuple):
    """The table after a decision, and what the record holds since the frame before.

    ``turns`` has the decision that stands, and around it what was taken back; it is empty for
    the table as it was set up. ``earned`` are the doubloons that each player got so far, without
    those of the setup.
    """

    seen: Observation
    turns: tuple[Turn, ...]
    earned: tuple[int, ...]

    @property
    def turn(self) -> Turn | None:
        """The decision that stands and led to this table; ``None`` for the setup."""
        return next((turn for turn in self.turns if turn.kind != UNDO and not turn.undone), None)

    @property
    def buildings(self) -> tuple[int, ...]:
        """The printed VP of the buildings of each player."""
        return tuple(
            sum(BUILDING_VP[place] for place in buildings_in(player.city))
            for player in self.seen.players
        )


def film(steps: Sequence[Step], seen: Observation) -> list[Frame]:
    """Return the frames of a game from the setup to ``seen``, the table now, as its seat sees it.

    ``steps`` are all items of the record, those that were taken back included.
    """
    over = seen.phase == OVER
    tables = [_table(step.before, seen.seat, over) for step in steps]
    tables.append(seen)
    told = history(steps, seen.seat, over=over)
    earned = (0,) * len(seen.players)
    frames = [Frame(tables[0], (), earned)]
    between: list[Turn] = []
    for step, turn, after in zip(steps, told, tables[1:], strict=True):
        between.append(turn)
        if turn.kind == UNDO or turn.undone:
            continue
        earned = _more(earned, step)
        frames.append(Frame(after, tuple(between), earned))
        between = []
    frames[-1] = frames[-1]._replace(seen=seen, turns=(*frames[-1].turns, *between))
    return frames


def _table(state: State, seat: int | None, over: bool) -> Observation:
    seen = observe(state, seat)
    if not over:
        return seen
    players = zip(seen.players, state.players, strict=True)
    return seen._replace(players=tuple(view._replace(vp=player.vp) for view, player in players))


def _more(earned: tuple[int, ...], step: Step) -> tuple[int, ...]:
    """Add what a step brought; what was paid is not taken away."""
    more = list(earned)
    for event in step.events:
        if isinstance(event, Earned) and event.doubloons > 0:
            more[event.seat] += event.doubloons
    return tuple(more)
