"""How Puerto Rico looks. All that is shown of a table is made from a
:func:`~porto_cli.games.puerto_rico.view.view`, which has nothing that the asking seat may not see.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from porto_cli.games.puerto_rico import render
from porto_cli.games.puerto_rico.engine.moves import Earned
from porto_cli.games.puerto_rico.engine.state import OVER, State
from porto_cli.games.puerto_rico.view import standings, view
from porto_cli.seam import Step, later
from porto_cli.shown import Viewed

if TYPE_CHECKING:
    from porto_cli.abilities import SoFar
    from porto_cli.paper import Node
    from porto_cli.paper.page import Story

View = dict[str, Any]


class Look(Viewed):
    """See :class:`porto_cli.shown.Viewed` for what each member means."""

    legend = (
        "On tiles and buildings ● is a colonist and ○ an empty circle; on a ship ▮ is a barrel and "
        "▯ an empty space. ▸ before a player means that it is their turn, before a building that "
        "you can pay its price. What stands between plus signs, like +corn 2+, is what the move "
        "you point at would bring. In a game the first row says what is left until it ends; "
        "settler+1 is a role with a doubloon on it, settler:Ann one that Ann has taken. Where a "
        "row is too narrow, names are short: set:A is that role, ind-pla the indigo-plant, 4:ind 2 "
        "the ship of 4 with 2 indigo, col:3 the colonists on their ship, +39 the tiles face down, "
        "G the governor, dbl. doubloons, SJ 2 are two colonists in San Juan, i2 f3 2 indigo and 3 "
        "coffee. +2 (Ctrl-O) at the end of a row are two things more, which this key shows. "
        "Until the end, VP chips are shown to their owner only; at one keyboard, to everybody who "
        "looks at the screen in the owner's turn."
    )

    def view(self, state: State, seat: int | None, *, is_open: bool = False) -> View:
        """Return what a seat may see; the VP chips of all if nothing is secret."""
        return view(state, seat, all_chips=is_open)

    def seen(self, played: SoFar, seat: int | None) -> View:
        """Return the view with the number of the turn."""
        seen = view(played.state, seat)
        return {**seen, "turn": None if seen["result"] else len(played.turns()) + 1}

    situation = staticmethod(render.situation)
    rows = staticmethod(render.render)

    def below(self, view: View, /) -> Iterable[Node]:
        """Return the score of a game that is over."""
        return render.score_rows(standings(view)) if view["result"] else ()

    pictures = later("porto_cli.games.puerto_rico.picture:pictures")
    shapes = later("porto_cli.games.puerto_rico.picture:shapes")

    def illustrated(
        self, story: Story, played: SoFar, states: Sequence[State], seat: int | None
    ) -> Story:
        """Return a story with pictures, and what each player earned.

        After the end nothing is secret any more, so all frames show all VP chips.
        """
        from porto_cli.paper.page import Measure

        over = played.state.phase == OVER
        tables = [self.view(state, seat, is_open=over) for state in states]
        earned = [0] * len(story.players)
        frames = []
        for nth, (frame, seen) in enumerate(zip(story.frames, tables, strict=True)):
            if 0 <= frame.place < len(played.steps):
                _add_doubloons(earned, played.steps[frame.place])
            pictures = self.pictures(seen, tables[nth - 1] if nth else None)
            frames.append(frame._replace(numbers=_numbers(seen, earned), pictures=pictures))
        secret = "The VP chips of others are secret until the game is over."
        measures = [
            Measure("VP chips", "" if over else secret),
            Measure("VP of buildings"),
            Measure("Doubloons earned, without those of the setup"),
        ]
        return story._replace(frames=frames, measures=measures, shapes=self.shapes())

    panes = later("porto_cli.games.puerto_rico.panes")
    has_boards = True

    def foreseen(self, state: State, move: str, seat: int | None) -> View:
        """Return the view after a move, or with the colonists of a placement that is put together;
        what is drawn face down is not known before.
        """
        from porto_cli.games.puerto_rico.placement_form import placed

        if then := placed(state, move):
            return self.view(then, seat)
        return super().foreseen(state, "" if "face-down" in move else move, seat)

    def standings(self, played: SoFar, seat: int | None) -> dict[str, Any]:
        """Return what each player has, as far as the seat may know."""
        return standings(view(played.state, seat))

    score_rows = staticmethod(render.score_rows)
    things = later("porto_cli.games.puerto_rico.things:things")
    in_brief = later("porto_cli.games.puerto_rico.things:in_brief")


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
