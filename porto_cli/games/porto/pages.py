"""What is on Porto's pages: the table, and a whole game turn by turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from porto_cli.games.porto.engine.scoring import LOST
from porto_cli.games.porto.engine.state import OVER, State
from porto_cli.games.porto.picture import pictures, shapes
from porto_cli.games.porto.render import rows, situation, track_of
from porto_cli.games.porto.score import how_it_ended, standings
from porto_cli.games.porto.view import table, view
from porto_cli.paper import DIM, Flow, Node, Paragraph
from porto_cli.paper.page import Measure, PaperTable, Story
from porto_cli.seam import SoFar

View = dict[str, Any]


def sheet(played: SoFar, seat: int | None) -> PaperTable:
    """Return the table with its pictures."""
    seen, last = table(played, seat), played.last_step()
    headline = situation(seen)
    if seen["phase"] == OVER:
        headline[0] = how_it_ended(standings(played))
    return PaperTable(
        headline,
        seen["last_turn"]["sentences"] if seen["last_turn"] else (),
        pictures(seen, view(last.before if last else played.opening, seat)),
        [*rows(seen)],
        shapes(),
    )


def illustrated(story: Story, states: Sequence[State], seat: int | None) -> Story:
    """Return a story with pictures, and the scores after each turn.

    What is seen of an earlier table is what the seat could see then; the private contracts are
    turned up and scored after the last turn.
    """
    tables = [view(state, seat) for state in states]
    frames = [*story.frames]
    if story.result:
        if tables[-2]["result"]:
            tables[-2] = _unrevealed(tables[-2], tables[-3])
        frames[-1] = frames[-1]._replace(body=[*frames[-1].body, *_scored(tables[-1])])
    track = track_of(*tables)
    for nth, seen in enumerate(tables):
        before = tables[nth - 1] if nth else None
        players = seen["players"]
        scores = [[(f"{player['name']} {player['score']}", DIM)] for player in players]
        frames[nth] = frames[nth]._replace(
            body=[*frames[nth].body, Flow(scores)],
            numbers=[[player["score"] for player in players]],
            pictures=pictures(seen, before, track),
        )
    return story._replace(frames=frames, measures=[Measure("VP")], shapes=shapes())


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
