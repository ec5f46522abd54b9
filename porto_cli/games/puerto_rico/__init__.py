"""Puerto Rico: what its observations, moves and events are made of.

>>> import porto_cli
>>> match = porto_cli.new_game(
...     ["Inês", "Joana", "Afonso"], game="puerto-rico", seed="arecibo", first="Inês"
... )
>>> match.observe("Inês").phase
'role'
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from porto_cli.games.puerto_rico.engine.config import Config as Config
    from porto_cli.games.puerto_rico.engine.events import Built as Built
    from porto_cli.games.puerto_rico.engine.events import Chose as Chose
    from porto_cli.games.puerto_rico.engine.events import ColonistsDealt as ColonistsDealt
    from porto_cli.games.puerto_rico.engine.events import Earned as Earned
    from porto_cli.games.puerto_rico.engine.events import Emptied as Emptied
    from porto_cli.games.puerto_rico.engine.events import Ended as Ended
    from porto_cli.games.puerto_rico.engine.events import EndTriggered as EndTriggered
    from porto_cli.games.puerto_rico.engine.events import Event as Event
    from porto_cli.games.puerto_rico.engine.events import GuestMoved as GuestMoved
    from porto_cli.games.puerto_rico.engine.events import Loaded as Loaded
    from porto_cli.games.puerto_rico.engine.events import Passed as Passed
    from porto_cli.games.puerto_rico.engine.events import Placed as Placed
    from porto_cli.games.puerto_rico.engine.events import Produced as Produced
    from porto_cli.games.puerto_rico.engine.events import Reshuffled as Reshuffled
    from porto_cli.games.puerto_rico.engine.events import RoundBegan as RoundBegan
    from porto_cli.games.puerto_rico.engine.events import Scored as Scored
    from porto_cli.games.puerto_rico.engine.events import ShipRefilled as ShipRefilled
    from porto_cli.games.puerto_rico.engine.events import Sold as Sold
    from porto_cli.games.puerto_rico.engine.events import Stored as Stored
    from porto_cli.games.puerto_rico.engine.events import TilesTurned as TilesTurned
    from porto_cli.games.puerto_rico.engine.events import TookGoods as TookGoods
    from porto_cli.games.puerto_rico.engine.events import TookRole as TookRole
    from porto_cli.games.puerto_rico.engine.events import TookTile as TookTile
    from porto_cli.games.puerto_rico.engine.moves import Build as Build
    from porto_cli.games.puerto_rico.engine.moves import Choose as Choose
    from porto_cli.games.puerto_rico.engine.moves import Load as Load
    from porto_cli.games.puerto_rico.engine.moves import LoadSmallWharf as LoadSmallWharf
    from porto_cli.games.puerto_rico.engine.moves import Move as Move
    from porto_cli.games.puerto_rico.engine.moves import MoveGuest as MoveGuest
    from porto_cli.games.puerto_rico.engine.moves import Pass as Pass
    from porto_cli.games.puerto_rico.engine.moves import Place as Place
    from porto_cli.games.puerto_rico.engine.moves import Sell as Sell
    from porto_cli.games.puerto_rico.engine.moves import Store as Store
    from porto_cli.games.puerto_rico.engine.moves import Take as Take
    from porto_cli.games.puerto_rico.engine.moves import TakeRole as TakeRole
    from porto_cli.games.puerto_rico.engine.observation import Observation as Observation
    from porto_cli.games.puerto_rico.engine.scoring import Reckoning as Reckoning
    from porto_cli.games.puerto_rico.engine.state import State as State

_EXPORTS = {
    "engine.config": ("Config"),
    "engine.events": (
        "Built Chose ColonistsDealt Earned Emptied EndTriggered Ended Event GuestMoved "
        "Loaded Passed Placed Produced Reshuffled RoundBegan Scored ShipRefilled Sold "
        "Stored TilesTurned TookGoods TookRole TookTile"
    ),
    "engine.moves": (
        "Build Choose Load LoadSmallWharf Move MoveGuest Pass Place Sell Store Take TakeRole"
    ),
    "engine.observation": ("Observation"),
    "engine.scoring": ("Reckoning"),
    "engine.state": ("State"),
}
"""What each module adds to the interface. It is imported when somebody asks for it."""
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
