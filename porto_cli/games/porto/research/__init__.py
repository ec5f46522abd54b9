"""Porto for those who research games: as a game of OpenSpiel, and as an environment of PettingZoo.

``openspiel``   importing it registers ``porto`` with pyspiel; needs ``pip install
                open_spiel numpy``
``porto_v0``    ``porto_v0.env()`` is an AEC environment of PettingZoo; needs ``pip install
                pettingzoo gymnasium numpy``
``actions``     decisions as numbers, and back
``tree``        a game as a tree: one decision, or one thing that comes up, at a time; what a seat
                may know of a place in it, as numbers and as text

:data:`RESEARCH` is what the adapters of :mod:`porto_cli.research` want, and :func:`line_of` makes a
record a line of the tree. All but the first two modules need nothing that is not installed anyway.
``docs/research.md`` describes them.
"""

from __future__ import annotations

from collections.abc import Iterator

from porto_cli.games.porto.engine.moves import Keep, Move
from porto_cli.games.porto.engine.state import KEEP
from porto_cli.games.porto.research import actions, tree
from porto_cli.games.porto.research.tree import PLAYERS, Node
from porto_cli.match.record import OPEN
from porto_cli.match.replay import Replay
from porto_cli.research import Research
from porto_cli.research.tree import line_of as line_in_tree

RESEARCH = Research(
    "porto",
    "Porto",
    tree,
    actions,
    players=2,
    options={"private_contracts": True, "seat_first": False},
    is_open=False,
)
"""Porto, for research."""


def line_of(replay: Replay) -> Iterator[tuple[Node, int]]:
    """Yield every node of a game that was recorded, with the action taken there.

    Of a node at which something comes up it is what came up. Private contracts are kept when it is
    the turn of the player for the first time, which is when the tree asks for them, wherever they
    stand in the record. What was taken back is left out. Raises ValueError for a record that does
    not hold all that is hidden, of another game, or of a solo game.
    """
    record, config = replay.record, replay.config
    if record.game.meta.id != "porto" or config.seats not in PLAYERS or record.secrecy != OPEN:
        raise ValueError("Only open games of Porto with 2 to 4 players can be read here.")
    kept: dict[int, Move] = {}
    moves: list[Move] = []
    for step in replay.turns():
        for move in step.moves:
            if isinstance(move, Keep):
                kept[step.seat] = move
            else:
                moves.append(move)
    coming = iter(moves)

    def decided(node: Node) -> Move | None:
        table = node.table
        return kept.get(table.seat) if table.phase == KEEP else next(coming, None)

    yield from line_in_tree(RESEARCH, config, record.seed, decided)
