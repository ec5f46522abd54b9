"""Players of Puerto Rico that are programs: one that plays at random, and three levels.

======================  ==========================================================================
``greedy``              level 1: most VP at once
``priced``              level 2: what is worth most by rules of thumb; ``outlook`` says what things
                        are worth, by the numbers of ``prices``, ``placement`` places colonists
``search``              level 3: playing on from the best moves; ``value`` says what comes of it,
                        by the numbers of ``weights``
``prospects``           how the game can be expected to end, for the coach
======================  ==========================================================================
"""

from __future__ import annotations

from porto_cli.games.puerto_rico.players.greedy import greedy_player, worth
from porto_cli.games.puerto_rico.players.priced import priced_player
from porto_cli.games.puerto_rico.players.search import search_player
from porto_cli.players import Player, random_player
from porto_cli.players.named import Parameter

PLAYERS: dict[str, Player] = {
    "random": random_player,
    "greedy": greedy_player,
    "priced": priced_player,
    "search": search_player,
    "level-1": greedy_player,
    "level-2": priced_player,
    "level-3": search_player,
}
"""The ways to play, by their names."""
PARAMETERS = {name: (Parameter("simulations", 1, 1_000_000),) for name in ("search", "level-3")}
"""What can be written behind a name: ``search:50`` plays on 50 times before each move."""

__all__ = ["PARAMETERS", "PLAYERS", "greedy_player", "worth"]
