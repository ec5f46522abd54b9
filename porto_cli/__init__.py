"""Play the board game Porto by text: one readable file per game, one command per move.

This is the Python interface; the commands use the same. A game in progress is a :class:`Match`:

>>> import porto_cli
>>> match = porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês")
>>> player = match.to_move()[0]
>>> seen = match.observe(player)
>>> seen.phase, seen.me.name, len(seen.moves)
('keep', 'Inês', 10)
>>> first = seen.moves[0]
>>> first.kind, first.move
('keep', 'keep 1 2 3')
>>> match.play(first.move, player=player)
[<Kept seat=0>]

``load`` and ``loads`` return the game of a record, ``new_game`` sets one up. What a player may see
and do is an :class:`Observation`, and each legal move in it an :class:`Option`: its ``move`` is a
text in the notation, which :meth:`Match.play` takes. Inside, moves (:class:`Draw`, :class:`Build`
…) and events (:class:`Drew`, :class:`Placed` …) are values that nobody can change; cards, houses
and contracts are numbers in them, and only their repr has names. A :class:`State` is the whole
table, hidden things included. All errors are a :class:`PortoError`. ``json_schema`` describes
what the commands print with ``--format json``.
"""

__version__ = "0.1.0"

# Type checkers take this for true. Importing 'typing' for it would double the time that
# 'porto --version' takes.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from porto_cli.core.chance import NothingTypedError as NothingTypedError
    from porto_cli.core.chance import NotInPileError as NotInPileError
    from porto_cli.core.chance import TypedChance as TypedChance
    from porto_cli.core.documents import json_schema as json_schema
    from porto_cli.core.errors import AmbiguousMoveError as AmbiguousMoveError
    from porto_cli.core.errors import FileError as FileError
    from porto_cli.core.errors import InvalidMoveError as InvalidMoveError
    from porto_cli.core.errors import PortoError as PortoError
    from porto_cli.core.violation import Violation as Violation
    from porto_cli.core.yaml import InvalidFileError as InvalidFileError
    from porto_cli.games.porto.engine.events import Claimed as Claimed
    from porto_cli.games.porto.engine.events import Drew as Drew
    from porto_cli.games.porto.engine.events import Ended as Ended
    from porto_cli.games.porto.engine.events import EndTriggered as EndTriggered
    from porto_cli.games.porto.engine.events import Event as Event
    from porto_cli.games.porto.engine.events import Kept as Kept
    from porto_cli.games.porto.engine.events import Passed as Passed
    from porto_cli.games.porto.engine.events import Placed as Placed
    from porto_cli.games.porto.engine.events import Refilled as Refilled
    from porto_cli.games.porto.engine.events import Reshuffled as Reshuffled
    from porto_cli.games.porto.engine.events import RoofPlaced as RoofPlaced
    from porto_cli.games.porto.engine.events import Scored as Scored
    from porto_cli.games.porto.engine.events import TimerSkipped as TimerSkipped
    from porto_cli.games.porto.engine.events import TimerTurned as TimerTurned
    from porto_cli.games.porto.engine.events import TokenMoved as TokenMoved
    from porto_cli.games.porto.engine.moves import Build as Build
    from porto_cli.games.porto.engine.moves import Claim as Claim
    from porto_cli.games.porto.engine.moves import Draw as Draw
    from porto_cli.games.porto.engine.moves import Keep as Keep
    from porto_cli.games.porto.engine.moves import Move as Move
    from porto_cli.games.porto.engine.moves import Pass as Pass
    from porto_cli.games.porto.engine.state import Config as Config
    from porto_cli.games.porto.engine.state import State as State
    from porto_cli.games.porto.history import Turn as Turn
    from porto_cli.games.porto.move_list import Option as Option
    from porto_cli.games.porto.observation import Observation as Observation
    from porto_cli.games.porto.table import Contract as Contract
    from porto_cli.games.porto.table import House as House
    from porto_cli.games.porto.table import Player as Player
    from porto_cli.games.porto.table import Private as Private
    from porto_cli.match.match import Match as Match
    from porto_cli.match.match import PlayerNotNamedError as PlayerNotNamedError
    from porto_cli.match.match import load as load
    from porto_cli.match.match import loads as loads
    from porto_cli.match.match import new_game as new_game
    from porto_cli.match.preview import Preview as Preview
    from porto_cli.match.replay import IllegalMoveError as IllegalMoveError

_EXPORTS = {
    "match.match": "Match PlayerNotNamedError load loads new_game",
    "core.chance": "NothingTypedError NotInPileError TypedChance",
    "core.errors": "AmbiguousMoveError FileError InvalidMoveError PortoError",
    "core.documents": "json_schema",
    "match.replay": "IllegalMoveError",
    "games.porto.engine.events": (
        "Claimed Drew EndTriggered Ended Event Kept Passed Placed Refilled Reshuffled RoofPlaced "
        "Scored TimerSkipped TimerTurned TokenMoved"
    ),
    "core.violation": "Violation",
    "games.porto.engine.moves": "Build Claim Draw Keep Move Pass",
    "games.porto.engine.state": "Config State",
    "games.porto.observation": "Observation",
    "games.porto.move_list": "Option",
    "match.preview": "Preview",
    "games.porto.history": "Turn",
    "games.porto.table": "Contract House Player Private",
    "core.yaml": "InvalidFileError",
}
"""What each module adds to the interface. It is imported when somebody asks for it."""
_MODULES = {name: module for module, names in _EXPORTS.items() for name in names.split()}

__all__ = sorted(_MODULES)


def __getattr__(name: str) -> "Any":
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module 'porto_cli' has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f"porto_cli.{module}"), name)
    globals()[name] = found
    return found


def __dir__() -> "list[str]":
    return sorted({*globals(), *_MODULES})
