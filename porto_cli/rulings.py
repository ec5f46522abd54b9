"""The rulings of each game, and those that all games share.

Which game an id belongs to follows from how it begins (``GameMeta.rulings``). What is about the
record, not about a game, begins with R and is found in the rulings of every game.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from porto_cli.core.ruling import Ruling, Rulings
from porto_cli.game import BOX, DEFAULT, GAMES, folder_of, game_of

_HERE = Path(__file__).parent
_SHARED, _PLAIN = _HERE / "rulings.toml", _HERE / "rulings_plain.toml"


@cache
def rulings_of(game_id: str) -> Rulings:
    """Return the rulings of a game. Raises KeyError if there is no such game."""
    if game_id in BOX:
        # Its rules need not be loaded for that.
        module, _, _ = BOX[game_id].entry.partition(":")
        return Rulings(folder_of(module) / "rulings.toml", _SHARED)
    own = game_of(game_id).folder / "rulings.toml"
    return Rulings(*[own] * own.exists(), _PLAIN, _SHARED)


def game_of_ruling(rule_id: str) -> str | None:
    """Return the game whose rulings begin like this id, or like this part of one."""
    head, dash, _ = rule_id.upper().partition("-")
    if not dash or head == "R":
        return None
    for games in (BOX, GAMES):
        for meta in games.values():
            if head in meta.rulings:
                return meta.id
    return None


def ruling(rule_id: str) -> Ruling:
    """Return the ruling of an id, whichever game it is from. Raises KeyError if there is none."""
    found = rulings_of(game_of_ruling(rule_id) or DEFAULT)
    return found[rule_id] if rule_id.upper() in found.by_id else Rulings(_PLAIN)[rule_id]
