"""Porto: what its observations, moves and events are made of.

What a player may see and do is a mapping by the names of porto-json(5), made by
:mod:`~porto_cli.games.porto.view`, and so is each legal move in it: its ``move`` is a text in the
notation. Inside, moves (:class:`Draw`,
:class:`Build` …) and events (:class:`Drew`, :class:`Placed` …) are values that do not change;
cards, houses and contracts are numbers in them, and only their repr has names. A :class:`State`
is the whole table, hidden things included.

>>> import porto_cli
>>> from porto_cli.games.porto import Draw
>>> match = porto_cli.new_game(["Inês", "Joana"], seed="tram", first="Inês")
>>> _ = match.play("keep 1 2 5", player="Inês")
>>> [move for move in match.legal_moves() if isinstance(move, Draw)][:2]
[<Draw @1>, <Draw @2>]
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from porto_cli.games.porto.engine.moves import Build as Build
    from porto_cli.games.porto.engine.moves import Claim as Claim
    from porto_cli.games.porto.engine.moves import Claimed as Claimed
    from porto_cli.games.porto.engine.moves import Draw as Draw
    from porto_cli.games.porto.engine.moves import Drew as Drew
    from porto_cli.games.porto.engine.moves import Ended as Ended
    from porto_cli.games.porto.engine.moves import EndTriggered as EndTriggered
    from porto_cli.games.porto.engine.moves import Event as Event
    from porto_cli.games.porto.engine.moves import GivenUp as GivenUp
    from porto_cli.games.porto.engine.moves import Keep as Keep
    from porto_cli.games.porto.engine.moves import Kept as Kept
    from porto_cli.games.porto.engine.moves import Move as Move
    from porto_cli.games.porto.engine.moves import Pass as Pass
    from porto_cli.games.porto.engine.moves import Passed as Passed
    from porto_cli.games.porto.engine.moves import Placed as Placed
    from porto_cli.games.porto.engine.moves import Refilled as Refilled
    from porto_cli.games.porto.engine.moves import Reshuffled as Reshuffled
    from porto_cli.games.porto.engine.moves import Revealed as Revealed
    from porto_cli.games.porto.engine.moves import RoofPlaced as RoofPlaced
    from porto_cli.games.porto.engine.moves import Scored as Scored
    from porto_cli.games.porto.engine.moves import TimerSkipped as TimerSkipped
    from porto_cli.games.porto.engine.moves import TimerTurned as TimerTurned
    from porto_cli.games.porto.engine.moves import TokenMoved as TokenMoved
    from porto_cli.games.porto.engine.state import Config as Config
    from porto_cli.games.porto.engine.state import State as State

_EXPORTS = {
    "engine.moves": (
        "Build Claim Draw Keep Move Pass "
        "Claimed Drew EndTriggered Ended Event Kept Passed Placed Refilled Reshuffled "
        "Revealed GivenUp RoofPlaced Scored TimerSkipped TimerTurned TokenMoved"
    ),
    "engine.state": "Config State",
}
"""The names of the interface by module; a module is imported when one of its names is used."""
_MODULES = {name: module for module, names in _EXPORTS.items() for name in names.split()}

__all__ = sorted(_MODULES)


def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{module}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
