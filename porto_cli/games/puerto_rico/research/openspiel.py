"""Puerto Rico as a game of OpenSpiel: importing this registers ``puerto_rico`` with pyspiel.

    import pyspiel
    import porto_cli.games.puerto_rico.research.openspiel

    game = pyspiel.load_game("puerto_rico(players=4)")

Parameters: ``players`` (2 to 5), ``buildings`` (``base``, ``draft`` or ``random``) and ``rulebook``
(``printed`` or ``guide``). A chance outcome is the number of what comes up, see
:class:`~porto_cli.games.puerto_rico.research.tree.Pile`.
"""

from __future__ import annotations

from porto_cli.games.puerto_rico.research import RESEARCH
from porto_cli.research.openspiel import PlayerBot as PlayerBot
from porto_cli.research.openspiel import RandomRollouts as RandomRollouts
from porto_cli.research.openspiel import TreeGame, TreeState, register, type_of

NAME = "puerto_rico"
"""What the game is called in OpenSpiel."""


class PuertoRicoState(TreeState):
    """A node of the tree, and the way there."""

    research = RESEARCH


class PuertoRicoGame(TreeGame):
    """The game, with its parameters. Raises ValueError for those that cannot be."""

    research = RESEARCH
    kind = type_of(RESEARCH)
    state = PuertoRicoState


register(PuertoRicoGame)
