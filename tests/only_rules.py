"""Puerto Rico as a game that has nothing but rules: the defaults, on tables of a real game."""

from __future__ import annotations

from porto_cli.games import Game
from porto_cli.games.puerto_rico.game import PUERTO_RICO, PuertoRico
from porto_cli.match.replay import Replay
from porto_cli.seam import State
from porto_cli.shown import Shown
from porto_cli.words import Language


class OnlyRules(PuertoRico):
    how_it_ended = Game.how_it_ended
    events_text = Game.events_text
    event_json = Game.event_json
    turn = Game.turn
    glance = Game.glance

    def table(self, state: State, seat: int | None) -> list[str]:
        return PUERTO_RICO.table(state, seat)

    @property
    def words(self) -> Language:
        return Language(self)

    @property
    def shown(self) -> Shown:
        return Shown(self)


def plainly(replay: Replay) -> Replay:
    """The same game, of which nothing is known but its rules."""
    return replay._replace(record=replay.record._replace(game=OnlyRules()))
