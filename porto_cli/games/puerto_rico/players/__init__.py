"""Players of Puerto Rico that are programs."""

from __future__ import annotations

from porto_cli.games.puerto_rico.players.greedy import greedy_player, worth
from porto_cli.games.puerto_rico.players.priced import priced_player
from porto_cli.players import Player, random_player

PLAYERS: dict[str, Player] = {
    "random": random_player,
    "greedy": greedy_player,
    "priced": priced_player,
}
"""The ways to play, by their names."""

__all__ = ["PLAYERS", "greedy_player", "worth"]
