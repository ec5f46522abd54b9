"""Puerto Rico for those who research games, as Porto is: see :mod:`porto_cli.research`.

``openspiel``       importing it registers ``puerto_rico`` with pyspiel
``puerto_rico_v0``  ``puerto_rico_v0.env()`` is an AEC environment of PettingZoo
``actions``         decisions as numbers, and back
``tree``            a game as a tree: one decision, or one thing that comes up, at a time; what a
                    seat may know of a place in it, as numbers and as text

:data:`RESEARCH` is what the adapters want, and :func:`line_of` makes a record a line of the tree.
"""

from __future__ import annotations

from collections.abc import Iterator

from porto_cli.games.puerto_rico.engine.state import BASE, PRINTED
from porto_cli.games.puerto_rico.research import actions, tree
from porto_cli.games.puerto_rico.research.tree import Node
from porto_cli.match.record import OPEN
from porto_cli.match.replay import Replay
from porto_cli.research import Research
from porto_cli.research.tree import line_of as line_in_tree

RESEARCH = Research(
    "puerto-rico",
    "Puerto Rico",
    tree,
    actions,
    players=3,
    options={"buildings": BASE, "rulebook": PRINTED},
    is_open=True,
)
"""Puerto Rico, for research."""


def line_of(replay: Replay) -> Iterator[tuple[Node, int]]:
    """Yield every node of a game that was recorded, with the action taken there.

    Of a node at which something comes up it is what came up. What was taken back is left out.
    Raises ValueError for a record that does not hold what came up, or of another game.
    """
    record = replay.record
    if record.game.meta.id != "puerto-rico" or record.secrecy != OPEN:
        raise ValueError("Only open games of Puerto Rico can be read here.")
    coming = iter([move for step in replay.turns() for move in step.moves])
    yield from line_in_tree(RESEARCH, replay.config, record.seed, lambda node: next(coming, None))
