"""Players of Puerto Rico that are programs: one that plays at random, and five levels.

==============  ================================================================================
``priced``      levels 1 and 2: most VP at once; what is worth most by rules of thumb
``appraisal``   what things are worth by these rules
``levels``      levels 3 to 5: the best chance to win after a role, and after playing on
``value``       the chance to win, by the networks of ``value.json``
``candidates``  which moves are worth a closer look
==============  ================================================================================
"""

from __future__ import annotations

from porto_cli.games.puerto_rico.players.levels import far_player, lookahead_player, value_player
from porto_cli.games.puerto_rico.players.priced import greedy_player, priced_player, worth
from porto_cli.players import Parameter, Player, Players, random_player

PLAYERS: dict[str, Player] = {
    "random": random_player,
    "greedy": greedy_player,
    "priced": priced_player,
    "level-1": greedy_player,
    "level-2": priced_player,
    "level-3": value_player,
    "level-4": lookahead_player,
    "level-5": far_player,
}
"""The ways to play, by their names."""
PARAMETERS = {name: Parameter("simulations", 1, 1_000_000) for name in ("level-4", "level-5")}
"""What can be written behind a name: ``level-5:50`` plays on 50 times before each move."""

__all__ = ["PARAMETERS", "PLAYERS", "greedy_player", "worth"]

ALL = Players(PLAYERS, PARAMETERS)
"""All players of the game."""
