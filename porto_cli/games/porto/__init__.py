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

from typing import TYPE_CHECKING

from porto_cli.seam import SEAM, GameMeta, exported

if TYPE_CHECKING:
    from porto_cli.games.porto.engine.cards import Claim as Claim
    from porto_cli.games.porto.engine.cards import Claimed as Claimed
    from porto_cli.games.porto.engine.cards import Draw as Draw
    from porto_cli.games.porto.engine.cards import Drew as Drew
    from porto_cli.games.porto.engine.cards import Keep as Keep
    from porto_cli.games.porto.engine.cards import Kept as Kept
    from porto_cli.games.porto.engine.cards import Revealed as Revealed
    from porto_cli.games.porto.engine.play import Build as Build
    from porto_cli.games.porto.engine.play import Move as Move
    from porto_cli.games.porto.engine.play import Pass as Pass
    from porto_cli.games.porto.engine.play import Passed as Passed
    from porto_cli.games.porto.engine.play import Placed as Placed
    from porto_cli.games.porto.engine.play import RoofPlaced as RoofPlaced
    from porto_cli.games.porto.engine.play import TokenMoved as TokenMoved
    from porto_cli.games.porto.engine.state import Config as Config
    from porto_cli.games.porto.engine.state import State as State
    from porto_cli.games.porto.engine.turn import Ended as Ended
    from porto_cli.games.porto.engine.turn import EndTriggered as EndTriggered
    from porto_cli.games.porto.engine.turn import Event as Event
    from porto_cli.games.porto.engine.turn import GivenUp as GivenUp
    from porto_cli.games.porto.engine.turn import Refilled as Refilled
    from porto_cli.games.porto.engine.turn import Reshuffled as Reshuffled
    from porto_cli.games.porto.engine.turn import Scored as Scored
    from porto_cli.games.porto.engine.turn import TimerSkipped as TimerSkipped
    from porto_cli.games.porto.engine.turn import TimerTurned as TimerTurned

META = GameMeta(
    id="porto",
    title="Porto",
    players=range(1, 5),
    seam=SEAM,
    verbs=("keep", "draw", "build", "contract", "pass", "undo"),
    header_keys=("edition", "options"),
    item_keys=(
        *("contract", "refill", "refill-contracts", "timer", "timer-build", "timer-refill"),
        *("timer-refill-contracts", "level", "private"),
    ),
    mapping_keys=("private",),
    rulings=("P",),
    other_files=(
        (
            "heights",
            "This file is an edition, not a record; 'porto new --edition' plays with it.",
        ),
    ),
    entry="porto_cli.games.porto.game:PORTO",
    commands="porto_cli.games.porto.commands:COMMANDS",
    bots=("random", "greedy", "level-1", "level-2", "level-3", "level-4", "level-5"),
)
"""What is known of the game without loading it."""

__getattr__, __dir__, __all__ = exported(
    __name__,
    {
        "engine.cards": "Claim Claimed Draw Drew Keep Kept Revealed",
        "engine.play": "Build Move Pass Passed Placed RoofPlaced TokenMoved",
        "engine.state": "Config State",
        "engine.turn": (
            "Ended EndTriggered Event GivenUp Refilled Reshuffled Scored TimerSkipped TimerTurned"
        ),
    },
)
"""The names of the interface, by module."""
