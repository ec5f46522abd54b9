"""Porto as a game of OpenSpiel: importing this module registers ``porto`` with pyspiel.

    import pyspiel
    import porto_cli.games.porto.research.openspiel

    game = pyspiel.load_game("porto(players=3)")

Parameters: ``players`` (2 to 4), ``private_contracts`` (false for the first game) and
``seat_first`` (the other tie-break). A chance outcome is the number of what comes up.
"""

from __future__ import annotations

from porto_cli.games.porto.research import tree
from porto_cli.research.openspiel import register

NAME = register(tree)
"""What the game is called in OpenSpiel."""
