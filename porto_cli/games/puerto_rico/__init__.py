"""Puerto Rico: what its moves and events are made of.

What a seat may see and do is a mapping, by the names of ``porto show --format json`` and ``porto
moves --format json``; :func:`porto_cli.games.puerto_rico.view.view` says what it has.

>>> import porto_cli
>>> match = porto_cli.new_game(
...     ["Inês", "Joana", "Afonso"], game="puerto-rico", seed="arecibo", first="Inês"
... )
>>> seen = match.observe("Inês")
>>> seen["phase"], seen["players"][0]["doubloons"], seen["tiles"]
('role', 2, {'corn': 1, 'sugar': 3})
"""

from typing import TYPE_CHECKING

from porto_cli.seam import SEAM, GameMeta, exported

if TYPE_CHECKING:
    from porto_cli.games.puerto_rico.engine.effects import FinalScore as FinalScore
    from porto_cli.games.puerto_rico.engine.moves import Build as Build
    from porto_cli.games.puerto_rico.engine.moves import Built as Built
    from porto_cli.games.puerto_rico.engine.moves import Choose as Choose
    from porto_cli.games.puerto_rico.engine.moves import Chose as Chose
    from porto_cli.games.puerto_rico.engine.moves import ColonistsDealt as ColonistsDealt
    from porto_cli.games.puerto_rico.engine.moves import Earned as Earned
    from porto_cli.games.puerto_rico.engine.moves import Emptied as Emptied
    from porto_cli.games.puerto_rico.engine.moves import Ended as Ended
    from porto_cli.games.puerto_rico.engine.moves import EndTriggered as EndTriggered
    from porto_cli.games.puerto_rico.engine.moves import Event as Event
    from porto_cli.games.puerto_rico.engine.moves import GuestMoved as GuestMoved
    from porto_cli.games.puerto_rico.engine.moves import Load as Load
    from porto_cli.games.puerto_rico.engine.moves import Loaded as Loaded
    from porto_cli.games.puerto_rico.engine.moves import LoadSmallWharf as LoadSmallWharf
    from porto_cli.games.puerto_rico.engine.moves import Move as Move
    from porto_cli.games.puerto_rico.engine.moves import MoveGuest as MoveGuest
    from porto_cli.games.puerto_rico.engine.moves import Pass as Pass
    from porto_cli.games.puerto_rico.engine.moves import Passed as Passed
    from porto_cli.games.puerto_rico.engine.moves import Place as Place
    from porto_cli.games.puerto_rico.engine.moves import Placed as Placed
    from porto_cli.games.puerto_rico.engine.moves import Produced as Produced
    from porto_cli.games.puerto_rico.engine.moves import Reshuffled as Reshuffled
    from porto_cli.games.puerto_rico.engine.moves import RoundBegan as RoundBegan
    from porto_cli.games.puerto_rico.engine.moves import Scored as Scored
    from porto_cli.games.puerto_rico.engine.moves import Sell as Sell
    from porto_cli.games.puerto_rico.engine.moves import ShipRefilled as ShipRefilled
    from porto_cli.games.puerto_rico.engine.moves import Sold as Sold
    from porto_cli.games.puerto_rico.engine.moves import Store as Store
    from porto_cli.games.puerto_rico.engine.moves import Stored as Stored
    from porto_cli.games.puerto_rico.engine.moves import Take as Take
    from porto_cli.games.puerto_rico.engine.moves import TakeRole as TakeRole
    from porto_cli.games.puerto_rico.engine.moves import TilesTurned as TilesTurned
    from porto_cli.games.puerto_rico.engine.moves import TookGoods as TookGoods
    from porto_cli.games.puerto_rico.engine.moves import TookRole as TookRole
    from porto_cli.games.puerto_rico.engine.moves import TookTile as TookTile
    from porto_cli.games.puerto_rico.engine.state import Config as Config
    from porto_cli.games.puerto_rico.engine.state import State as State

META = GameMeta(
    id="puerto-rico",
    title="Puerto Rico",
    players=range(2, 6),
    seam=SEAM,
    verbs=(
        "role",
        "take",
        "place",
        "build",
        "sell",
        "load",
        "store",
        "guest",
        "choose",
        "pass",
        "undo",
    ),
    header_keys=("options",),
    item_keys=("tile", "tiles", "vp"),
    unordered=("tiles",),
    rulings=("PR",),
    entry="porto_cli.games.puerto_rico.game:PUERTO_RICO",
    commands="porto_cli.games.puerto_rico.commands:COMMANDS",
    bots=(
        *("random", "greedy", "priced"),
        *("level-1", "level-2", "level-3", "level-4", "level-5"),
    ),
    former_bots=("search",),
    bots_version=3,
)
"""What is known of the game without loading it."""

__getattr__, __dir__, __all__ = exported(
    __name__,
    {
        "engine.moves": (
            "Build Choose Load LoadSmallWharf Move MoveGuest Pass Place Sell Store Take TakeRole "
            "Built Chose ColonistsDealt Earned Emptied EndTriggered Ended Event GuestMoved "
            "Loaded Passed Placed Produced Reshuffled RoundBegan Scored ShipRefilled Sold "
            "Stored TilesTurned TookGoods TookRole TookTile"
        ),
        "engine.effects": "FinalScore",
        "engine.state": "Config State",
    },
)
"""The names of the interface, by module."""
