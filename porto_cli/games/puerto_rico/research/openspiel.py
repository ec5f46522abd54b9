"""Puerto Rico as a game of OpenSpiel: importing this registers ``puerto_rico`` with pyspiel.

    import pyspiel
    import porto_cli.games.puerto_rico.research.openspiel

    game = pyspiel.load_game("puerto_rico(players=4)")

Parameters: ``players`` (2 to 5), ``buildings`` (``base``, ``draft`` or ``random``) and ``rulebook``
(``printed`` or ``guide``). A chance outcome is the number of what comes up.
"""

from __future__ import annotations

from porto_cli.games.puerto_rico.research import tree
from porto_cli.research.openspiel import register

NAME = register(tree)
"""What the game is called in OpenSpiel."""
