"""Players of Porto that are programs: one that plays at random, and five levels.

=========================  =======================================================================
``greedy``                 level 1: most VP at once
``priced``                 levels 2 and 3: VP at once, less what the cards are worth
``value``, ``features``    level 4: what the table is worth after a move; ``solo_value`` alone
``search``                 level 5: playing on from the best moves; ``solo_search`` alone
``board``, ``candidates``  what they share: what a table offers, and which moves are worth a look
``expected``               what private contracts can be expected to bring
``weights``                the numbers that they decide by; ``weights_file`` other files of them
``outlook``                how the game can be expected to end, for the coach
``levels``                 what each level does in every phase of the game
=========================  =======================================================================
"""

from __future__ import annotations

from porto_cli.games.porto.players.greedy import greedy_player, worth
from porto_cli.games.porto.players.levels import (
    noisy_player,
    priced_player,
    search_player,
    value_player,
)
from porto_cli.players import Player, random_player
from porto_cli.players.named import Parameter

PLAYERS: dict[str, Player] = {
    "random": random_player,
    "greedy": greedy_player,
    "level-1": greedy_player,
    "level-2": noisy_player,
    "level-3": priced_player,
    "level-4": value_player,
    "level-5": search_player,
}
"""The ways to play, by their names."""
PARAMETERS = {"level-5": (Parameter("simulations", 1, 1_000_000),)}
"""What can be written behind a name: ``level-5:100`` plays on 100 times before each move."""

__all__ = ["PARAMETERS", "PLAYERS", "greedy_player", "worth"]
