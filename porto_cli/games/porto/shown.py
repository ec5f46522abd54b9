"""How Porto looks: every view of the table is made of one mapping, see
:mod:`porto_cli.games.porto.view`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from porto_cli.games.porto import render
from porto_cli.games.porto.contracts import count_contract, houses_counted
from porto_cli.games.porto.engine.claim import Claim
from porto_cli.games.porto.engine.scoring import LOST
from porto_cli.games.porto.engine.state import State
from porto_cli.games.porto.view import standings, table, view
from porto_cli.paper import DIM, Flow, Node, Paragraph
from porto_cli.seam import later
from porto_cli.shown import Viewed

if TYPE_CHECKING:
    from porto_cli.abilities import SoFar
    from porto_cli.paper.page import Story

View = dict[str, Any]


class Look(Viewed):
    """See :class:`porto_cli.shown.Viewed` for what each member means."""

    legend = (
        "Houses have capital letters, cards and floors small ones: R1 is a house, r1 the card "
        "red-1, r112 two of them and a red-2, y a yellow floor, +y+ one that the move which you "
        "point at would build. (3) is a token of 3 VP on a ground floor space, ╱3╲ one on a roof "
        "space. On a low screen houses lie on their sides, the ground floor at the left: neighbors "
        "are above each other. 2-y-floors or 2-y are two yellow floors, b+r a blue and a red card. "
        "mirror-g 0/5 is a private contract that brings 0 VP now, and at most 5. Choices stand in "
        "the order of a quick estimate, the most promising first, roofs for a token as on the "
        "table; it leaves private contracts out. "
        "In front of a public contract, ● says that it can be met this turn, ○ that it could be "
        "later, × that it no longer can. Of equal cards the one in the first space is drawn; "
        "typed, draw yellow-2@5 takes that in space 5, which makes a difference only to the timer."
    )

    def view(self, state: State, seat: int | None, *, is_open: bool = False) -> View:
        """Return what a seat may see; private contracts are secret even where all else is open."""
        return view(state, seat)

    seen = staticmethod(table)
    situation = staticmethod(render.situation)
    rows = staticmethod(render.rows)

    pictures = later("porto_cli.games.porto.picture:pictures")
    shapes = later("porto_cli.games.porto.picture:shapes")

    def illustrated(
        self, story: Story, played: SoFar, states: Sequence[State], seat: int | None
    ) -> Story:
        """Return a story with pictures, and the scores after each turn.

        What is seen of an earlier table is what the seat could see then; the private contracts are
        turned up and scored after the last turn.
        """
        from porto_cli.paper.page import Measure

        tables = [view(state, seat) for state in states]
        frames = [*story.frames]
        if story.result:
            if tables[-2]["result"]:
                tables[-2] = _unrevealed(tables[-2], tables[-3])
            frames[-1] = frames[-1]._replace(body=[*frames[-1].body, *_scored(tables[-1])])
        track = render.track_of(*tables)
        for nth, seen in enumerate(tables):
            before = tables[nth - 1] if nth else None
            scores = [[(f"{player['name']} {player['score']}", DIM)] for player in seen["players"]]
            frames[nth] = frames[nth]._replace(
                body=[*frames[nth].body, Flow(scores)],
                numbers=[[player["score"] for player in seen["players"]]],
                pictures=self.pictures(seen, before, track),
            )
        return story._replace(frames=frames, measures=[Measure("VP")], shapes=self.shapes())

    panes = later("porto_cli.games.porto.panes")

    def foreseen(self, state: State, move: str, seat: int | None) -> View:
        """Return the table after a move, without what takes time to tell of it."""
        from porto_cli.scene import foreseen

        then = foreseen(self.rules, state, move)
        return view(then, foresight=False) if then else {}

    def preview(self, state: State, seen: View, then: View, move: str) -> Sequence[str]:
        """Return what a build would change and bring, in full and in short: with the public
        contracts that are chosen, or with all that it meets.
        """
        from porto_cli.games.porto.engine.play import apply
        from porto_cli.games.porto.players.candidates import worth

        if then["houses"] == seen["houses"]:
            return ()
        first, _, chosen = move.partition("\n")
        build = self.rules.parse_move(first, state, state.seat)
        vp = worth(state, build)
        if chosen:
            built, _ = apply(state, build, None)
            claim = self.rules.parse_move(chosen, built, state.seat)
            vp += worth(built, claim) - worth(built, Claim(built.claimable))
        told: Sequence[str] = self.panes.preview(seen, then["houses"], vp)
        return told

    standings = staticmethod(standings)
    score_rows = staticmethod(render.score_rows)

    def explanation(self, players: Sequence[str], state: State) -> list[str]:
        """Say what the private contracts of players are worth, house by house."""
        kept = [
            (player, count_contract(state, contract))
            for player in players
            for contract in state.kept[state.config.players.index(player)]
        ]
        return [
            f"{one['contract']} of {player}, as of now: {one['vp']} VP. "
            + " ".join(houses_counted(one))
            for player, one in kept
        ]


def _private_vp(seen: View) -> dict[str, int]:
    """Return the VP that the private contracts of each player have added to the score."""
    result = seen["result"]
    if result["level"] == LOST:
        return {}
    return {name: sum(vp for _, vp in kept) for name, kept in result["private"].items() if kept}


def _unrevealed(after: View, before: View) -> View:
    """Return the table of the last turn as it is until the private contracts are turned up."""
    hidden = ("private", "private_progress", "private_contracts")
    scored = _private_vp(after)
    players = [
        {
            **new,
            "score": new["score"] - scored.get(new["name"], 0),
            **{key: old[key] for key in hidden},
        }
        for new, old in zip(after["players"], before["players"], strict=True)
    ]
    return {**after, "players": players}


def _scored(seen: View) -> list[Node]:
    """Say what the private contracts brought."""
    return [
        Paragraph([f"{name} scores {vp} VP for private contracts."])
        for name, vp in _private_vp(seen).items()
    ]
