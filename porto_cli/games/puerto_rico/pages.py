"""What is on Puerto Rico's pages: the table, and a whole game turn by turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from porto_cli.game import Step
from porto_cli.games.puerto_rico.engine.moves import Earned
from porto_cli.games.puerto_rico.engine.state import OVER, State
from porto_cli.games.puerto_rico.picture import pictures, shapes
from porto_cli.games.puerto_rico.render import render, situation
from porto_cli.games.puerto_rico.view import view
from porto_cli.paper.page import Measure, PaperTable, Story
from porto_cli.seam import SoFar

View = dict[str, Any]


def sheet(played: SoFar, seat: int | None, last: Sequence[str]) -> PaperTable:
    """Return the table with its pictures."""
    seen, step = view(played.state, seat), played.last_step()
    before, over = step.before if step else played.opening, played.state.phase == OVER
    return PaperTable(
        situation(seen),
        last,
        pictures(seen, view(before, seat, all_chips=over)),
        [*render(seen)],
        shapes(),
    )


def illustrated(story: Story, played: SoFar, states: Sequence[State], seat: int | None) -> Story:
    """Return a story with pictures, and what each player earned.

    After the end nothing is secret any more, so all frames show all VP chips.
    """
    over = played.state.phase == OVER
    tables = [view(state, seat, all_chips=over) for state in states]
    earned = [0] * len(story.players)
    frames = []
    for nth, (frame, seen) in enumerate(zip(story.frames, tables, strict=True)):
        if 0 <= frame.place < len(played.steps):
            _add_doubloons(earned, played.steps[frame.place])
        old = tables[nth - 1] if nth else None
        frames.append(frame._replace(numbers=_numbers(seen, earned), pictures=pictures(seen, old)))
    secret = "The VP chips of others are secret until the game is over."
    measures = [
        Measure("VP chips", "" if over else secret),
        Measure("VP of buildings"),
        Measure("Doubloons earned, without those of the setup"),
    ]
    return story._replace(frames=frames, measures=measures, shapes=shapes())


def _numbers(seen: View, earned: Sequence[int]) -> list[list[int | None]]:
    """Return the VP chips, as far as they may be known, VP of buildings and doubloons earned."""
    players = seen["players"]
    buildings = [player["score"]["buildings"] for player in players]
    return [[player["vp"] for player in players], buildings, [*earned]]


def _add_doubloons(earned: list[int], step: Step) -> None:
    """Add the doubloons that a step brought; what was paid is not subtracted."""
    for event in step.events:
        if isinstance(event, Earned) and event.doubloons > 0:
            earned[event.seat] += event.doubloons
