"""Play board games in a terminal: one readable file per game, one command per move.

This is the Python interface; the commands use the same. A game in progress is a :class:`Match`:

>>> import porto_cli
>>> match = porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês")
>>> player = match.to_move()[0]
>>> seen = match.observe(player)
>>> seen["phase"], seen["player"], seen["count"]
('keep', 'Inês', 10)
>>> first = seen["moves"][0]
>>> first["kind"], first["move"]
('keep', 'keep 1 2 3')
>>> match.play(first["move"], player=player)
[<Kept seat=0>]

``load`` and ``loads`` return the game of a record, ``new_game`` sets one up, of any of the
:data:`GAMES`. What a player may see and do is what :meth:`Match.observe` returns; a move is a text
in the notation, which :meth:`Match.play` takes. What observations, moves and events are made of
belongs to a game: see :mod:`porto_cli.games.porto` and :mod:`porto_cli.games.puerto_rico`. All
errors are a :class:`PortoError`. ``json_schema`` describes what the commands print with
``--format json``.
"""

from importlib import import_module

__version__ = "0.2.0"

# Type checkers take this for true. Importing 'typing' for it would double the time that
# 'porto --version' takes.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from porto_cli.core import AmbiguousMoveError as AmbiguousMoveError
    from porto_cli.core import FileError as FileError
    from porto_cli.core import InvalidMoveError as InvalidMoveError
    from porto_cli.core import PlayerNotNamedError as PlayerNotNamedError
    from porto_cli.core import PortoError as PortoError
    from porto_cli.core import Violation as Violation
    from porto_cli.core.chance import NothingTypedError as NothingTypedError
    from porto_cli.core.chance import NotInPileError as NotInPileError
    from porto_cli.core.chance import TypedChance as TypedChance
    from porto_cli.core.yaml import InvalidFileError as InvalidFileError
    from porto_cli.games import GAMES as GAMES
    from porto_cli.installed import json_schema as json_schema
    from porto_cli.match.items import IllegalMoveError as IllegalMoveError
    from porto_cli.match.items import Preview as Preview
    from porto_cli.match.match import Match as Match
    from porto_cli.match.match import load as load
    from porto_cli.match.match import loads as loads
    from porto_cli.match.match import new_game as new_game
    from porto_cli.match.seats import BotTurn as BotTurn
    from porto_cli.players.named import play_bots as play_bots
    from porto_cli.seam import GameMeta as GameMeta
    from porto_cli.seam import Outcome as Outcome

_EXPORTS = {
    "core.chance": "NothingTypedError NotInPileError TypedChance",
    "core": "AmbiguousMoveError FileError InvalidMoveError PlayerNotNamedError PortoError "
    "Violation",
    "core.yaml": "InvalidFileError",
    "seam": "GameMeta Outcome",
    "games": "GAMES",
    "installed": "json_schema",
    "match.items": "IllegalMoveError Preview",
    "match.match": "Match load loads new_game",
    "match.seats": "BotTurn",
    "players.named": "play_bots",
}
"""What each module adds to the interface. It is imported at the first access."""
_MODULES = {name: module for module, names in _EXPORTS.items() for name in names.split()}

__all__ = sorted(_MODULES)


def __getattr__(name: str) -> "Any":
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module 'porto_cli' has no attribute {name!r}")
    found = getattr(import_module(f"porto_cli.{module}"), name)
    globals()[name] = found
    return found


def __dir__() -> "list[str]":
    return sorted({*globals(), *_MODULES})
