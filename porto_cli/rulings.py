"""The rulings of each game, and those that all games share.

Which game an id belongs to follows from how it begins (``GameMeta.rulings``). What is about the
record, not about a game, begins with R and is found in the rulings of every game.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from porto_cli.core.ruling import Ruling, Rulings
from porto_cli.game import DEFAULT, GAMES

_HERE = Path(__file__).parent


@cache
def rulings_of(game_id: str) -> Rulings:
    """Return the rulings of a game. Raises KeyError if there is no such game."""
    package = GAMES[game_id].module.split(".")[1:]
    return Rulings(_HERE.joinpath(*package, "rulings.toml"), _HERE / "rulings.toml")


def game_of_ruling(rule_id: str) -> str | None:
    """Return the game whose rulings begin like this id, or like this part of one."""
    head, dash, _ = rule_id.upper().partition("-")
    games = (meta.id for meta in GAMES.values() if dash and head in meta.rulings)
    return next(games, None)


def ruling(rule_id: str) -> Ruling:
    """Return the ruling of an id, whichever game it is from. Raises KeyError if there is none."""
    return rulings_of(game_of_ruling(rule_id) or DEFAULT)[rule_id]
