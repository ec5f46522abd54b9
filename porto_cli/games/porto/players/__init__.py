"""Players of Porto that are programs."""

from __future__ import annotations

from porto_cli.games.porto.players.greedy import greedy_player, worth
from porto_cli.players import Player, random_player

PLAYERS: dict[str, Player] = {"random": random_player, "greedy": greedy_player}
"""The ways to play, by their names."""

__all__ = ["PLAYERS", "greedy_player", "worth"]
